// Whether a run keeps a journal, as the command line says it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/cli/choices.h"
#include "core/model_access/model_files.h"

namespace braid::cli {

struct JournalOptions {
    std::string folder;
    CLI::Option *given = nullptr;
    CLI::Option *refused = nullptr;
};

// --journal DIR and --no-journal. `options` must outlive the parsing.
inline void declareJournal(CLI::App &command, JournalOptions &options, const std::string &description)
{
    options.given = command.add_option("--journal", options.folder, description)->type_name("DIR");
    options.refused = addFlag(command, "--no-journal", "No journal, whatever is said or typed")->excludes(options.given);
}

// Whether what is said can be had again: a file can be read twice, what was said to a microphone or typed cannot.
enum class Repeatable : std::uint8_t { Yes = 1, No };

// Where the journal of the run is made; empty: it keeps none.
[[nodiscard]] inline std::filesystem::path journalFor(const JournalOptions &options, Repeatable source)
{
    if (options.given->count() > 0) {
        return options.folder;
    }
    return source == Repeatable::No && options.refused->count() == 0 ? models::journalsFolder() : std::filesystem::path();
}

}  // namespace braid::cli
