#include "core/captions/caption_journal.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/runtime/journal_sound.h"
#include "core/text/transcript_json.h"

namespace braid::captions {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostItems = 2'000'000;  // what short hostile lines may become in memory

void addEvent(RecoveredCaptions &captions, std::string_view line)
{
    const Json event = Json::parse(line, nullptr, false);
    if (!event.is_object()) {
        return;  // torn in the middle of the file by an earlier crash and continued
    }
    const std::string kind = runtime::textAt(event, "event");
    if (kind == "policy") {
        captions.info.policy += (captions.info.policy.empty() ? "" : ", then ") + runtime::textAt(event, "policy");
        return;
    }
    const auto items = event.find("items");
    if (kind != "commit" || items == event.end() || !items->is_array()) {
        return;
    }
    for (const Json &item : *items) {
        if (captions.transcript.size() >= kMostItems) {
            return;
        }
        try {
            captions.transcript.push_back(text::itemFromJson(item));
        } catch (const Error &) {
            // It costs only itself.
        }
    }
}

}  // namespace

RecoveredCaptions readCaptionsJournal(const std::filesystem::path &folder)
{
    const runtime::RunJournalReader journal(folder, runtime::RunKind::Captions);
    RecoveredCaptions captions{folder, journal.info(), runtime::JournalState::Interrupted, {}, runtime::journalSoundLength(folder)};
    captions.state = journal.forEachEvent([&captions](std::string_view line) { addEvent(captions, line); });
    return captions;
}

}  // namespace braid::captions
