#include "core/engine/recovered_runs.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/engine/journal_sound.h"
#include "core/engine/translation_reader.h"
#include "core/text/transcript_json.h"

namespace braid::engine {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostItems = 2'000'000;  // what short hostile lines may become in memory

void requireKind(const RunJournalReader &journal, RunKind kind, const std::filesystem::path &folder)
{
    if (journal.info().kind != kind) {
        throw Error(ErrorKind::Input, "this journal is of kind \"" + std::string(runKindName(journal.info().kind)) + "\", not \"" + std::string(runKindName(kind)) + "\"", folder.string());
    }
}

void addEvent(RecoveredCaptions &captions, std::string_view line)
{
    const Json event = Json::parse(line, nullptr, false);
    if (!event.is_object()) {
        return;  // torn in the middle of the file by an earlier crash and continued
    }
    const std::string kind = textAt(event, "event");
    if (kind == "policy") {
        captions.info.policy += (captions.info.policy.empty() ? "" : ", then ") + textAt(event, "policy");
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
    const RunJournalReader journal(folder);
    requireKind(journal, RunKind::Captions, folder);
    RecoveredCaptions captions{folder, journal.info(), JournalState::Interrupted, {}, journalSoundLength(folder)};
    captions.state = journal.forEachEvent([&captions](std::string_view line) { addEvent(captions, line); });
    return captions;
}

RecoveredConversation readConversationJournal(const std::filesystem::path &folder)
{
    const RunJournalReader journal(folder);
    requireKind(journal, RunKind::Conversation, folder);
    streams::ConversationReader reader(journal.conversation(), folder.string());
    const JournalState state = journal.forEachEvent([&reader](std::string_view line) { reader.addEvent(line); });
    return {journal.info(), state, reader.take()};
}

RecoveredTranslation readTranslationJournal(const std::filesystem::path &folder)
{
    const RunJournalReader journal(folder);
    requireKind(journal, RunKind::Translation, folder);
    TranslationReader reader;
    const JournalState state = journal.forEachEvent([&reader](std::string_view line) { reader.addEvent(line); });
    return {journal.info(), state, reader.take()};
}

}  // namespace braid::engine
