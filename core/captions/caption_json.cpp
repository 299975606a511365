#include "core/captions/caption_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/runtime/failure.h"
#include "core/text/transcript_json.h"

namespace braid::captions {
namespace {

using Json = nlohmann::ordered_json;

// Measured numbers: three digits after the point are more than they are worth.
double rounded(double value)
{
    return std::round(value * 1000) / 1000;
}

Json toJson(const Started &event)
{
    return {{"event", "start"}, {"format", "braid-events"}, {"version", 1}, {"source", event.source}, {"model", event.model}, {"policy", event.policy}};
}

Json toJson(const Committed &event)
{
    Json json = {{"event", "commit"}, {"items", Json::array()}};
    for (const auto &item : event.items) {
        json["items"].push_back(text::itemToJson(item));
    }
    return json;
}

Json toJson(const Tail &event)
{
    Json json = {{"event", "tail"}, {"heard_s", text::jsonSeconds(event.decoded_samples)}, {"words", Json::array()}};
    for (const auto &word : event.words) {
        json["words"].push_back(text::wordToJson(word));
    }
    return json;
}

Json toJson(const runtime::Notice &event)
{
    return {{"event", "notice"}, {"text", event.sentence}};
}

Json toJson(const runtime::Failed &event)
{
    return {{"event", "error"}, {"kind", runtime::errorKindName(event.kind)}, {"text", event.sentence}};
}

Json toJson(const Finished &event)
{
    const auto &from = event.statistics;
    Json numbers = {{"heard_s", text::jsonSeconds(from.heard_samples)},
                    {"decoded_s", text::jsonSeconds(from.decoded_samples)},
                    {"committed_words", from.committed_words},
                    {"revised_words", from.revised_words},
                    {"steps", from.steps},
                    {"decoder_steps", from.decoder_steps},
                    {"real_time_factor", rounded(from.real_time_factor)},
                    {"step_ms_median", rounded(from.step_ms_median)},
                    {"step_ms_p95", rounded(from.step_ms_p95)}};
    return {{"event", "done"}, {"statistics", std::move(numbers)}};
}

}  // namespace

std::string eventToJsonLine(const CaptionEventBody &event)
{
    return text::jsonLine(std::visit([](const auto &body) { return toJson(body); }, event));
}

std::string correctionToJsonLine(const text::WordCorrection &correction)
{
    Json json = {{"event", "correction"}, {"word", correction.word}, {"heard", correction.heard}};
    if (correction.text) {
        json["text"] = *correction.text;
    }
    return text::jsonLine(json);
}

std::string policyToJsonLine(const std::string &policy)
{
    return text::jsonLine(Json{{"event", "policy"}, {"policy", policy}});
}

}  // namespace braid::captions
