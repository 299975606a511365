#include "core/translation/translation_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/runtime/failure.h"
#include "core/text/transcript_json.h"

namespace braid::translation {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value)
{
    return std::round(value * 1000) / 1000;
}

Json toJson(const SentenceBegan &event)
{
    return {{"event", "sentence"}, {"sentence", event.sentence}, {"line", event.line}};
}

Json toJson(const UnitsArrived &event)
{
    Json units = Json::array();
    for (const ArrivedUnit &unit : event.units) {
        Json json = {{"text", unit.text}, {"arrived_ms", rounded(unit.arrived_ms)}};
        if (unit.starts_without_space) {
            json["starts_without_space"] = true;
        }
        if (unit.sound) {
            json["start_s"] = text::jsonSeconds(unit.sound->start_sample);
            json["end_s"] = text::jsonSeconds(unit.sound->end_sample);
        }
        units.push_back(std::move(json));
    }
    return {{"event", "source"}, {"sentence", event.sentence}, {"units", std::move(units)}};
}

Json toJson(const SourceClosed &event)
{
    return {{"event", "source_end"}, {"sentence", event.sentence}};
}

Json toJson(const UnitsRead &event)
{
    return {{"event", "read"}, {"sentence", event.sentence}, {"units", event.read_units}, {"read_ms", rounded(event.read_ms)}};
}

Json toJson(const WordWritten &event)
{
    const TranslatedWord &word = event.word;
    Json json = {{"event", "word"},
                 {"sentence", event.sentence},
                 {"text", word.text},
                 {"probability", rounded(word.probability)},
                 {"read_units", word.read_units},
                 {"written_ms", rounded(event.written_ms)},
                 {"lag_units", event.lag_units},
                 {"lag_ms", rounded(event.lag_ms)},
                 {"compute_ms", rounded(event.compute_ms)},
                 {"tokens", Json::array()}};
    if (word.starts_without_space) {
        json["starts_without_space"] = true;
    }
    if (word.was_cut) {
        json["cut"] = true;
    }
    for (const text::Token &token : word.tokens) {
        json["tokens"].push_back(text::tokenToJson(token));
    }
    for (const float weight : word.attention) {
        json["attention"].push_back(std::round(weight * 1e5) / 1e5);
    }
    return json;
}

Json toJson(const SentenceEnded &event)
{
    return {{"event", "sentence_end"}, {"sentence", event.sentence}, {"end", endName(event.end)}, {"source", event.source}, {"target", event.target}};
}

Json toJson(const LineEnded &event)
{
    return {{"event", "line_end"}, {"line", event.line}};
}

Json toJson(const SessionNotice &event)
{
    return {{"event", "notice"}, {"text", event.sentence}};
}

Json toJson(const TranslationStarted &event)
{
    return {{"event", "start"}, {"format", "braid-translation-events"}, {"version", 1}, {"source", event.source}, {"translator", event.translator}};
}

Json toJson(const TranslationSessionEvent &event)
{
    return std::visit([](const auto &body) { return toJson(body); }, event);
}

Json toJson(const TranslatorChanged &event)
{
    return {{"event", "translator"}, {"translator", event.translator}, {"first_sentence", event.first_sentence}};
}

Json toJson(const runtime::Notice &event)
{
    return {{"event", "notice"}, {"text", event.sentence}};
}

Json toJson(const runtime::Failed &event)
{
    return {{"event", "error"}, {"kind", runtime::errorKindName(event.kind)}, {"text", event.sentence}};
}

Json toJson(const TranslationFinished &event)
{
    const TranslationStatistics &from = event.statistics;
    return {{"event", "done"},
            {"statistics",
             {{"sentences", from.sentences},
              {"source_units", from.source_units},
              {"target_words", from.target_words},
              {"target_tokens", from.target_tokens},
              {"compute_s", rounded(from.compute_seconds)},
              {"tokens_per_second", rounded(from.tokens_per_second)},
              {"tokens_fed", from.cost.tokens_fed},
              {"passes", from.cost.passes},
              {"target_passes", from.cost.target_passes},
              {"lag_units_mean", rounded(from.lag_units_mean)},
              {"lag_ms_mean", rounded(from.lag_ms_mean)}}}};
}

}  // namespace

std::string eventToJsonLine(const TranslationEventBody &event)
{
    return text::jsonLine(std::visit([](const auto &body) { return toJson(body); }, event));
}

std::string_view endName(TranslationEnd end) noexcept
{
    switch (end) {
    case TranslationEnd::NotYet:
        return "not_yet";
    case TranslationEnd::Said:
        return "said";
    case TranslationEnd::NoSource:
        return "no_source";
    case TranslationEnd::TooManyTokens:
        return "too_many_tokens";
    case TranslationEnd::TooFarAhead:
        return "too_far_ahead";
    case TranslationEnd::NoRoom:
        return "no_room";
    case TranslationEnd::Repetition:
        return "repetition";
    }
    return "not_yet";
}

}  // namespace braid::translation
