// What the writer (run_journal.h) and the reader (run_journal_reader.h) of journals have in common: a folder, a file of JSON lines that is only appended to, a
// lock while their writer lives. Thread: any. Errors: Error(Storage) where nothing can be written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace braid::runtime {

enum class JournalState : std::uint8_t { Finished = 1, Interrupted };
enum class RunKind : std::uint8_t { Conversation = 1, Translation, Captions };

struct RunJournalInfo {
    RunKind kind = RunKind::Conversation;
    std::string started_at = {};  // ISO 8601, UTC
    std::string source = {};      // the layout's name; "typed text", "talk.txt"; "Desk Microphone"
    std::string model = {};       // "streams-en"; what translates; "captions-en"
    std::string policy = {};      // of captions
};

inline constexpr std::string_view kRunJournalFormat = "braid-run-journal";
inline constexpr std::int64_t kRunJournalVersion = 1;
// "captions", "conversation", "translation"
[[nodiscard]] std::string_view runKindName(RunKind kind) noexcept;
[[nodiscard]] std::optional<RunKind> runKindNamed(std::string_view name) noexcept;
// The file of lines in a journal's folder. Its writer holds a FileLock on it for as long as it lives, which tells a running session from a lost one.
[[nodiscard]] std::filesystem::path runJournalFile(const std::filesystem::path &folder);

// "%Y-%m-%dT%H:%M:%SZ"
[[nodiscard]] std::string utcNow(const char *format);
// `parent`/YYYYMMDD-HHMMSS-NNN, new: what was said is nobody's business but the owner's, so it and what is missing above it is open to nobody else.
[[nodiscard]] std::filesystem::path makeJournalFolder(const std::filesystem::path &parent);
// An empty new file that its owner alone can read.
void makePrivateFile(const std::filesystem::path &file);

inline constexpr std::string_view kFinishedLine = "{\"type\":\"finished\"}\n";
// Whether this line says that the run ended or was dealt with.
[[nodiscard]] bool endsJournal(const nlohmann::ordered_json &line);

// Empty where `name` is missing or no text.
[[nodiscard]] std::string textAt(const nlohmann::ordered_json &object, const char *name);
// Calls `use` for every line from the byte `from` on that ends in a line feed: the last one may be torn, so a line without its end does not count. Lines longer
// than `longest` were not written by Braid and are passed over. `use` says whether to go on. A file of any size takes no more memory than its longest line.
// Throws Error(Input) where it cannot be read.
enum class Reading : std::uint8_t { GoOn = 1, Enough };
void forEachWholeLine(const std::filesystem::path &file, std::uint64_t from, std::size_t longest, const std::function<Reading(std::string_view line)> &use);

}  // namespace braid::runtime
