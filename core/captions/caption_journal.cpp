#include "core/captions/caption_journal.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/captions/caption_json.h"
#include "core/runtime/journal_sound.h"
#include "core/text/transcript_json.h"

namespace braid::captions {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostItems = 2'000'000;  // what short hostile lines may become in memory

// Which item each word is, for corrections that name words by their number.
using WordItems = std::vector<std::size_t>;

void correct(RecoveredCaptions &captions, const WordItems &words, const Json &event)
{
    const auto number = event.find("word");
    const auto text = event.find("text");
    const bool names_word = number != event.end() && number->is_number_unsigned() && number->get<std::uint64_t>() < words.size();
    if (!names_word || (text != event.end() && !text->is_string())) {
        return;  // damaged: it costs only itself
    }
    auto &word = std::get<text::Word>(captions.transcript[words[number->get<std::size_t>()]]);
    if (text::heardText(word) != runtime::textAt(event, "heard")) {
        return;  // words before it were damaged: this is another one
    }
    text::correctWord(word, text == event.end() ? std::nullopt : std::optional(text->get<std::string>()));
}

void addEvent(RecoveredCaptions &captions, WordItems &words, std::string_view line)
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
    if (kind == "correction") {
        correct(captions, words, event);
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
            if (std::holds_alternative<text::Word>(captions.transcript.back())) {
                words.push_back(captions.transcript.size() - 1);
            }
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
    WordItems words;
    captions.state = journal.forEachEvent([&](std::string_view line) { addEvent(captions, words, line); });
    return captions;
}

void keepCorrections(const std::filesystem::path &folder, const std::vector<text::WordCorrection> &corrections)
{
    std::vector<std::string> lines;
    for (const text::WordCorrection &correction : corrections) {
        lines.push_back(correctionToJsonLine(correction));
    }
    runtime::appendToEndedRun(folder, lines);
}

}  // namespace braid::captions
