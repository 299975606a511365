#include "core/text/transcript_json.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<WordTimeMethod, std::string_view>, 6> kMethodNames = {{
    {WordTimeMethod::Unknown, "unknown"},
    {WordTimeMethod::CrossAttention, "cross_attention"},
    {WordTimeMethod::SegmentTimestamps, "segment_timestamps"},
    {WordTimeMethod::ChunkArrival, "chunk_arrival"},
    {WordTimeMethod::Interpolated, "interpolated"},
    {WordTimeMethod::ChunkAndAttention, "chunk_and_attention"},
}};

[[noreturn]] void refuse(const std::string &what)
{
    throw Error(ErrorKind::Input, what);
}

std::string toHex(std::string_view bytes)
{
    static constexpr char digits[] = "0123456789abcdef";
    std::string hex;
    for (const unsigned char byte : bytes) {
        hex += digits[byte >> 4];
        hex += digits[byte & 15];
    }
    return hex;
}

int hexValue(char digit)
{
    if (digit >= '0' && digit <= '9') {
        return digit - '0';
    }
    if (digit >= 'a' && digit <= 'f') {
        return digit - 'a' + 10;
    }
    refuse("\"bytes\" is not hexadecimal");
}

std::string fromHex(std::string_view hex)
{
    if (hex.size() % 2 != 0) {
        refuse("\"bytes\" has half a byte");
    }
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes += static_cast<char>(hexValue(hex[i]) * 16 + hexValue(hex[i + 1]));
    }
    return bytes;
}

// A token may hold only a part of a character; then its bytes are written instead of its text.
void putTokenText(Json &object, const std::string &text)
{
    if (isValidUtf8(text)) {
        object["text"] = text;
    } else {
        object["bytes"] = toHex(text);
    }
}

// As a float's own digits, not those of the double it becomes.
double shortFloat(float value)
{
    return std::round(static_cast<double>(value) * 1e6) / 1e6;
}

const Json *find(const Json &object, const char *name)
{
    const auto found = object.find(name);
    return found == object.end() ? nullptr : &*found;
}

double numberOr(const Json &object, const char *name, double otherwise)
{
    const Json *value = find(object, name);
    if (value == nullptr) {
        return otherwise;
    }
    if (!value->is_number()) {
        refuse(std::string("\"") + name + "\" is no number");
    }
    return value->get<double>();
}

std::string textOr(const Json &object, const char *name, std::string otherwise)
{
    const Json *value = find(object, name);
    if (value == nullptr) {
        return otherwise;
    }
    if (!value->is_string()) {
        refuse(std::string("\"") + name + "\" is no text");
    }
    return value->get<std::string>();
}

Sample sampleAt(const Json &object, const char *name)
{
    return sampleFromJsonSeconds(numberOr(object, name, 0));
}

std::int32_t integerAt(const Json &object, const char *name)
{
    const double value = numberOr(object, name, 0);
    if (!(std::abs(value) <= 2147483647.0)) {
        refuse(std::string("\"") + name + "\" is out of range");
    }
    return static_cast<std::int32_t>(value);
}

float probabilityAt(const Json &object)
{
    const double value = numberOr(object, "probability", 0);
    if (!(value >= 0 && value <= 1)) {
        refuse("\"probability\" is not between 0 and 1");
    }
    return static_cast<float>(value);
}

std::string tokenTextAt(const Json &object)
{
    return object.contains("bytes") ? fromHex(textOr(object, "bytes", {})) : textOr(object, "text", {});
}

const Json *listAt(const Json &object, const char *name)
{
    const Json *list = find(object, name);
    if (list != nullptr && !list->is_array()) {
        refuse(std::string("\"") + name + "\" is no list");
    }
    return list;
}

void requireObject(const Json &value, const char *what)
{
    if (!value.is_object()) {
        refuse(std::string(what) + " is no JSON object");
    }
}

Word wordFromJson(const Json &object)
{
    Word word;
    word.text = textOr(object, "text", {});
    word.start_sample = sampleAt(object, "start_s");
    word.end_sample = sampleAt(object, "end_s");
    word.heard = textOr(object, "heard", {});
    if ((word.text.empty() && word.heard.empty()) || word.end_sample < word.start_sample) {
        refuse("a word without text, or that ends before it starts");
    }
    word.probability = probabilityAt(object);
    word.first_seen_sample = sampleAt(object, "first_seen_s");
    word.committed_sample = sampleAt(object, "committed_s");
    word.revision_count = integerAt(object, "revisions");
    word.revised_from = textOr(object, "revised_from", {});
    const auto method = textOr(object, "time_method", "unknown");
    for (const auto &[value, name] : kMethodNames) {
        if (name == method) {
            word.time_method = value;
        }
    }
    if (const Json *joined = find(object, "starts_without_space")) {
        word.starts_without_space = joined->is_boolean() && joined->get<bool>();
    }
    if (const Json *tokens = listAt(object, "tokens")) {
        for (const auto &token : *tokens) {
            word.tokens.push_back(tokenFromJson(token));
        }
    }
    return word;
}

}  // namespace

double jsonSeconds(Sample sample) noexcept
{
    // One division, correctly rounded: the shortest digits that name this double name the sample.
    return static_cast<double>(sample) / kSampleRateHz;
}

Sample sampleFromJsonSeconds(double seconds)
{
    constexpr double kLongestSession_s = 1e9;  // thirty years; keeps the product far from overflow
    if (!(seconds >= 0 && seconds <= kLongestSession_s)) {
        refuse("a time is negative or too large");
    }
    return static_cast<Sample>(std::llround(seconds * kSampleRateHz));
}

std::string_view wordTimeMethodName(WordTimeMethod method) noexcept
{
    for (const auto &[value, name] : kMethodNames) {
        if (value == method) {
            return name;
        }
    }
    return "unknown";
}

Json tokenToJson(const Token &token)
{
    Json object;
    object["id"] = token.id;
    putTokenText(object, token.text);
    object["probability"] = shortFloat(token.probability);
    for (const auto &rival : token.rivals) {
        Json other;
        other["id"] = rival.token_id;
        putTokenText(other, rival.text);
        other["probability"] = shortFloat(rival.probability);
        object["rivals"].push_back(std::move(other));
    }
    return object;
}

Token tokenFromJson(const Json &object)
{
    requireObject(object, "a token");
    Token token;
    token.id = integerAt(object, "id");
    token.text = tokenTextAt(object);
    token.probability = probabilityAt(object);
    if (const Json *rivals = listAt(object, "rivals")) {
        for (const auto &other : *rivals) {
            requireObject(other, "a rival");
            token.rivals.push_back({integerAt(other, "id"), tokenTextAt(other), probabilityAt(other)});
        }
    }
    return token;
}

Json wordToJson(const Word &word)
{
    Json object;
    object["text"] = word.text;
    if (!word.heard.empty()) {
        object["heard"] = word.heard;
    }
    object["start_s"] = jsonSeconds(word.start_sample);
    object["end_s"] = jsonSeconds(word.end_sample);
    object["probability"] = shortFloat(word.probability);
    object["first_seen_s"] = jsonSeconds(word.first_seen_sample);
    if (word.committed_sample > 0) {
        object["committed_s"] = jsonSeconds(word.committed_sample);
    }
    if (word.revision_count > 0) {
        object["revisions"] = word.revision_count;
        object["revised_from"] = word.revised_from;
    }
    object["time_method"] = wordTimeMethodName(word.time_method);
    if (word.starts_without_space) {
        object["starts_without_space"] = true;
    }
    for (const auto &token : word.tokens) {
        object["tokens"].push_back(tokenToJson(token));
    }
    return object;
}

Json itemToJson(const TranscriptItem &item)
{
    Json object;
    if (const auto *word = std::get_if<Word>(&item)) {
        object["type"] = "word";
        object.update(wordToJson(*word));
    } else if (const auto *line_break = std::get_if<LineBreak>(&item)) {
        object["type"] = "line_break";
        object["time_s"] = jsonSeconds(line_break->sample);
    } else {
        const auto &gap = std::get<Gap>(item);
        object["type"] = "gap";
        object["start_s"] = jsonSeconds(gap.start_sample);
        object["length_s"] = jsonSeconds(gap.length_samples);
        object["reason"] = gap.reason;
    }
    return object;
}

TranscriptItem itemFromJson(const Json &object)
{
    requireObject(object, "an item");
    const auto type = textOr(object, "type", {});
    if (type == "word") {
        return wordFromJson(object);
    }
    if (type == "line_break") {
        return LineBreak{sampleAt(object, "time_s")};
    }
    if (type == "gap") {
        return Gap{sampleAt(object, "start_s"), sampleAt(object, "length_s"), textOr(object, "reason", {})};
    }
    refuse("an item of a type this version does not know");
}

std::string jsonLine(const Json &value)
{
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace braid::text
