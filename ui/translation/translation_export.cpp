#include "ui/translation/translation_export.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include <QObject>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/transcript_writer.h"
#include "core/translation/translation_json.h"

namespace braid::ui {
namespace {

using Json = nlohmann::ordered_json;

std::string side(const BilingualText &text, const SentencePair &sentence, TextSide which)
{
    const int first = which == TextSide::Source ? sentence.first_unit : sentence.first_word;
    const int count = which == TextSide::Source ? sentence.unit_count : sentence.word_count;
    return count == 0 ? std::string() : text.plainText(which, first, first + count - 1).toStdString();
}

// Tabulators and line feeds stand between cells.
std::string cell(std::string value)
{
    std::replace_if(
        value.begin(), value.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
    return value;
}

// Units and words look as they do in the event lines of the command line.
Json toldAsJson(translation::TranslationSessionEvent event)
{
    return Json::parse(translation::eventToJsonLine(translation::TranslationEventBody(std::move(event))));
}

Json unitsToJson(const BilingualText &text, const SentencePair &sentence)
{
    translation::UnitsArrived arrived;
    for (int unit = 0; unit < sentence.unit_count; ++unit) {
        arrived.units.push_back(text.unit(sentence.first_unit + unit));
    }
    return toldAsJson(std::move(arrived))["units"];
}

Json wordToJson(const translation::WordWritten &written)
{
    Json json = toldAsJson(written);
    json.erase("event");
    json.erase("sentence");
    return json;
}

}  // namespace

void appendRecovered(BilingualText &text, const translation::RecoveredTranslation &translation)
{
    text.beginRun(QString::fromStdString(translation.info.model));
    for (const translation::TranslationEventBody &event : translation.events) {
        if (const auto *told = std::get_if<translation::TranslationSessionEvent>(&event)) {
            text.take(*told);
        } else if (const auto *changed = std::get_if<translation::TranslatorChanged>(&event)) {
            text.changeTranslator(QString::fromStdString(changed->translator), changed->first_sentence);
        }
    }
    text.endRun();
}

QStringList translationFilters()
{
    return {QObject::tr("Translation (*.txt)"), QObject::tr("Both languages, sentence by sentence (*.tsv)"),
            QObject::tr("JSON with lags, tokens and attention (*.json)"), QObject::tr("SubRip subtitles (*.srt)"), QObject::tr("WebVTT subtitles (*.vtt)")};
}

bool hasTimes(const BilingualText &text)
{
    for (int unit = 0; unit < text.unitCount(); ++unit) {
        if (text.unit(unit).sound) {
            return true;
        }
    }
    return false;
}

text::Transcript timedTranslation(const BilingualText &text)
{
    text::Transcript items;
    int line = -1;
    for (const SentencePair &sentence : text.sentences()) {
        std::optional<translation::SoundSpan> said;
        for (int unit = sentence.first_unit; unit < sentence.first_unit + sentence.unit_count; ++unit) {
            if (const auto &sound = text.unit(unit).sound) {
                said = said ? translation::SoundSpan{std::min(said->start_sample, sound->start_sample), std::max(said->end_sample, sound->end_sample)} : *sound;
            }
        }
        if (!said || sentence.word_count == 0) {
            continue;
        }
        if (line >= 0 && sentence.line != line) {
            items.emplace_back(text::LineBreak{said->start_sample});
        }
        line = sentence.line;
        double letters = 0;
        for (int word = 0; word < sentence.word_count; ++word) {
            letters += static_cast<double>(text.word(sentence.first_word + word).word.text.size());
        }
        double before = 0;
        const auto at = [&](double share) {
            return said->start_sample + static_cast<Sample>(share * static_cast<double>(said->end_sample - said->start_sample));
        };
        for (int index = 0; index < sentence.word_count; ++index) {
            const translation::TranslatedWord &written = text.word(sentence.first_word + index).word;
            text::Word word;
            word.text = written.text;
            word.starts_without_space = written.starts_without_space;
            word.probability = written.probability;
            word.tokens = written.tokens;
            word.time_method = text::WordTimeMethod::Interpolated;
            word.start_sample = at(before / std::max(1.0, letters));
            before += static_cast<double>(written.text.size());
            word.end_sample = at(before / std::max(1.0, letters));
            items.emplace_back(std::move(word));
        }
    }
    return items;
}

std::string translationAsText(const BilingualText &text)
{
    return text.wordCount() == 0 ? std::string() : text.plainText(TextSide::Target, 0, text.wordCount() - 1).toStdString() + "\n";
}

std::string translationAsTable(const BilingualText &text)
{
    std::string table;
    for (const SentencePair &sentence : text.sentences()) {
        table += cell(side(text, sentence, TextSide::Source)) + "\t" + cell(side(text, sentence, TextSide::Target)) + "\n";
    }
    return table;
}

std::string translationAsJson(const BilingualText &text)
{
    Json sentences = Json::array();
    for (const SentencePair &sentence : text.sentences()) {
        Json json = {{"line", sentence.line},
                     {"translator", sentence.translator.toStdString()},
                     {"source", side(text, sentence, TextSide::Source)},
                     {"target", side(text, sentence, TextSide::Target)},
                     {"end", sentence.isOver() ? std::string(translation::endName(sentence.end)) : std::string("not_finished")},
                     {"read_units", sentence.read_units},
                     {"units", unitsToJson(text, sentence)},
                     {"words", Json::array()}};
        for (int word = 0; word < sentence.word_count; ++word) {
            json["words"].push_back(wordToJson(text.word(sentence.first_word + word)));
        }
        sentences.push_back(std::move(json));
    }
    const Json json = {{"format", "braid-translation"}, {"version", 1}, {"sentences", std::move(sentences)}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void exportTranslation(const BilingualText &text, const std::filesystem::path &file)
{
    const std::string ending = file.extension().string();
    if (ending == ".txt") {
        writeFileAtomically(file, translationAsText(text));
    } else if (ending == ".tsv") {
        writeFileAtomically(file, translationAsTable(text));
    } else if (ending == ".json") {
        writeFileAtomically(file, translationAsJson(text));
    } else if (ending == ".srt" || ending == ".vtt") {
        if (!hasTimes(text)) {
            throw Error(ErrorKind::Usage, "what was not said has no times, and subtitles need them", file.string(),
                        "Translate captions, or end the name with .txt, .tsv or .json");
        }
        writeFileAtomically(file, text::formatTranscript(timedTranslation(text), ending == ".srt" ? text::TranscriptFormat::Srt : text::TranscriptFormat::Vtt));
    } else {
        throw Error(ErrorKind::Usage, "the ending \"" + ending + "\" says no kind of translation", file.string(),
                    "End the name with .txt, .tsv, .json, .srt or .vtt");
    }
}

}  // namespace braid::ui
