#include "core/text/language_steps_json.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/text/utf8.h"
#include "core/text/vocabulary_checks.h"

namespace braid::text {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxSteps = 64;

// What a step is called, after checking that there is a name at all.
std::string typeOf(const json &part, const char *what, const std::string &where)
{
    if (!part.is_object() || !part.contains("type") || !part["type"].is_string()) {
        refuse(std::string("its ") + what + " has no type", where);
    }
    return part["type"].get<std::string>();
}

[[noreturn]] void refuseType(const char *what, const std::string &type, const std::string &where)
{
    refuse(std::string("it has a ") + what + " of a kind that Braid does not know: " + inQuotes(type), where);
}

std::string textIn(const json &part, const char *key, const std::string &where)
{
    if (!part.contains(key) || !part[key].is_string() || part[key].get_ref<const std::string &>().size() > kMaxTokenBytes) {
        refuse(inQuotes(key) + " is missing, no text or too long", where);
    }
    return part[key].get<std::string>();
}

bool flagIn(const json &part, const char *key, bool otherwise, const std::string &where)
{
    if (!part.contains(key) || part[key].is_null()) {
        return otherwise;
    }
    if (!part[key].is_boolean()) {
        refuse(inQuotes(key) + " is neither true nor false", where);
    }
    return part[key].get<bool>();
}

// {"String": "..."}; nullopt for a regular expression.
std::optional<std::string> literalIn(const json &part, const std::string &where)
{
    if (!part.contains("pattern") || !part["pattern"].is_object() || part["pattern"].size() != 1) {
        refuse("a pattern is missing or of an unknown form", where);
    }
    const auto &pattern = part["pattern"];
    if (!pattern.contains("String")) {
        (void)textIn(pattern, "Regex", where);
        return std::nullopt;
    }
    auto literal = textIn(pattern, "String", where);
    if (literal.empty()) {
        refuse("a pattern is empty", where);
    }
    return literal;
}

SplitBehaviour behaviourIn(const json &part, SplitBehaviour otherwise, const std::string &where)
{
    if (!part.contains("behavior")) {
        return otherwise;
    }
    static constexpr std::pair<std::string_view, SplitBehaviour> names[] = {{"Removed", SplitBehaviour::Removed},
                                                                            {"Isolated", SplitBehaviour::Isolated},
                                                                            {"MergedWithPrevious", SplitBehaviour::MergedWithPrevious},
                                                                            {"MergedWithNext", SplitBehaviour::MergedWithNext},
                                                                            {"Contiguous", SplitBehaviour::Contiguous}};
    const auto name = textIn(part, "behavior", where);
    const auto *known = std::find_if(std::begin(names), std::end(names), [&](const auto &candidate) { return candidate.first == name; });
    if (known == std::end(names)) {
        refuse("it splits text in a way that Braid does not know: " + inQuotes(name), where);
    }
    return known->second;
}

SplitAt splitIn(const json &part, const std::string &where)
{
    requireKeys(part, {"type", "pattern", "behavior", "invert"}, "its pre-tokenizer", where);
    SplitAt split;
    split.behaviour = behaviourIn(part, SplitBehaviour::Isolated, where);
    split.is_inverted = flagIn(part, "invert", false, where);
    if (auto literal = literalIn(part, where)) {
        split.literal = std::move(*literal);
    } else {
        const auto expression = part["pattern"]["Regex"].get<std::string>();
        const auto known = knownSplitPattern(expression);
        if (!known) {
            const auto shown = toValidUtf8(std::string_view(expression).substr(0, 200));
            refuse("it cuts text by a regular expression that Braid does not know: \"" + shown + "\"", where);
        }
        split.pattern = *known;
    }
    return split;
}

MarkSpaces markIn(const json &part, const std::string &where)
{
    requireKeys(part, {"type", "replacement", "prepend_scheme", "add_prefix_space", "str_rep", "split"}, "its pre-tokenizer or decoder", where);
    MarkSpaces mark;
    mark.mark = part.contains("replacement") ? textIn(part, "replacement", where) : mark.mark;
    if (characterCount(mark.mark) != 1) {
        refuse("its mark for spaces is not one character", where);
    }
    mark.splits = flagIn(part, "split", true, where);
    const bool adds_space = flagIn(part, "add_prefix_space", true, where);
    const auto scheme = part.contains("prepend_scheme") ? textIn(part, "prepend_scheme", where) : std::string(adds_space ? "always" : "never");
    if (scheme == "always" || scheme == "first" || scheme == "never") {
        mark.prefix = scheme == "always" ? PrefixScheme::Always : scheme == "first" ? PrefixScheme::First : PrefixScheme::Never;
    } else {
        refuse("it puts spaces before words in a way that Braid does not know: " + inQuotes(scheme), where);
    }
    if (!adds_space && mark.prefix != PrefixScheme::Never) {
        refuse("it says both that it adds a space before words and that it does not", where);
    }
    return mark;
}

AsBytes bytesIn(const json &part, const std::string &where)
{
    requireKeys(part, {"type", "add_prefix_space", "trim_offsets", "use_regex"}, "its pre-tokenizer", where);
    return {flagIn(part, "add_prefix_space", true, where), flagIn(part, "use_regex", true, where)};
}

// The steps of a "Sequence", or the part itself.
std::vector<const json *> stepsOf(const json &part, const char *list_key, const char *what, const std::string &where)
{
    if (part.is_null()) {
        return {};
    }
    if (typeOf(part, what, where) != "Sequence") {
        return {&part};
    }
    requireKeys(part, {"type", list_key}, std::string("its ") + what, where);
    if (!part.contains(list_key) || !part[list_key].is_array() || part[list_key].size() > kMaxSteps) {
        refuse(std::string("its ") + what + " is a sequence of nothing, or of too much", where);
    }
    std::vector<const json *> steps;
    for (const auto &inner : part[list_key]) {
        const auto nested = stepsOf(inner, list_key, what, where);
        steps.insert(steps.end(), nested.begin(), nested.end());
    }
    if (steps.size() > kMaxSteps) {
        refuse(std::string("its ") + what + " has too many steps", where);
    }
    return steps;
}

}  // namespace

void requireKeys(const json &object, std::initializer_list<std::string_view> keys, const std::string &what, const std::string &where)
{
    if (!object.is_object()) {
        refuse(what + " is not an object", where);
    }
    for (const auto &[key, value] : object.items()) {
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
            refuse(what + " has the unknown part " + inQuotes(key), where);
        }
    }
}

void readNormaliser(const json &part, std::vector<Normaliser> &steps, const std::string &where)
{
    for (const auto *step : stepsOf(part, "normalizers", "normalizer", where)) {
        const auto type = typeOf(*step, "normalizer", where);
        if (type == "NFC" || type == "NFD" || type == "Lowercase") {
            requireKeys(*step, {"type"}, "its normalizer", where);
            if (type == "NFC") {
                steps.emplace_back(std::in_place_type<ComposeText>);
            } else if (type == "NFD") {
                steps.emplace_back(std::in_place_type<DecomposeText>);
            } else {
                steps.emplace_back(std::in_place_type<LowerText>);
            }
        } else if (type == "Strip") {
            requireKeys(*step, {"type", "strip_left", "strip_right"}, "its normalizer", where);
            steps.emplace_back(StripText{flagIn(*step, "strip_left", true, where), flagIn(*step, "strip_right", true, where)});
        } else if (type == "Prepend") {
            requireKeys(*step, {"type", "prepend"}, "its normalizer", where);
            steps.emplace_back(PrependText{textIn(*step, "prepend", where)});
        } else if (type == "Replace") {
            requireKeys(*step, {"type", "pattern", "content"}, "its normalizer", where);
            auto literal = literalIn(*step, where);
            if (!literal) {
                refuse("its normalizer replaces by a regular expression, which Braid does not know", where);
            }
            steps.emplace_back(ReplaceText{std::move(*literal), textIn(*step, "content", where)});
        } else {
            refuseType("normalizer", type, where);
        }
    }
}

void readPreTokenizer(const json &part, std::vector<PreTokenizer> &steps, const std::string &where)
{
    for (const auto *step : stepsOf(part, "pretokenizers", "pre-tokenizer", where)) {
        const auto type = typeOf(*step, "pre-tokenizer", where);
        if (!steps.empty() && std::holds_alternative<AsBytes>(steps.back())) {
            refuse("it cuts text after making bytes of it, which Braid does not know", where);
        }
        if (type == "Split") {
            steps.emplace_back(splitIn(*step, where));
        } else if (type == "ByteLevel") {
            steps.emplace_back(bytesIn(*step, where));
        } else if (type == "Metaspace") {
            steps.emplace_back(markIn(*step, where));
        } else if (type == "Digits") {
            requireKeys(*step, {"type", "individual_digits"}, "its pre-tokenizer", where);
            steps.emplace_back(SplitDigits{flagIn(*step, "individual_digits", false, where)});
        } else if (type == "Punctuation") {
            requireKeys(*step, {"type", "behavior"}, "its pre-tokenizer", where);
            steps.emplace_back(SplitPunctuation{behaviourIn(*step, SplitBehaviour::Isolated, where)});
        } else if (type == "WhitespaceSplit") {
            requireKeys(*step, {"type"}, "its pre-tokenizer", where);
            steps.emplace_back(SplitWhiteSpace{});
        } else {
            refuseType("pre-tokenizer", type, where);
        }
    }
}

DecodeRules readDecoder(const json &part, const std::string &where)
{
    const auto steps = stepsOf(part, "decoders", "decoder", where);
    if (steps.empty()) {
        refuse("it has no decoder, so that nobody knows how its tokens become text", where);
    }
    DecodeRules rules;
    if (steps.size() == 1 && typeOf(*steps[0], "decoder", where) == "ByteLevel") {
        return rules;
    }
    rules.writing = TokenWriting::Pieces;
    bool is_fused = false;
    for (const auto *step : steps) {
        const auto type = typeOf(*step, "decoder", where);
        if (rules.leading_strip > 0 || (is_fused && type != "Strip") || (rules.has_byte_tokens && type != "Fuse" && type != "Strip")) {
            refuse("its decoder's steps come in an order that Braid does not know", where);
        }
        if (type == "Replace") {
            requireKeys(*step, {"type", "pattern", "content"}, "its decoder", where);
            auto literal = literalIn(*step, where);
            if (!literal) {
                refuse("its decoder replaces by a regular expression, which Braid does not know", where);
            }
            rules.replacements.emplace_back(std::move(*literal), textIn(*step, "content", where));
        } else if (type == "Metaspace") {
            const auto mark = markIn(*step, where);
            rules.replacements.emplace_back(mark.mark, " ");
            rules.first_token_mark = mark.prefix == PrefixScheme::Never ? std::string() : mark.mark;
        } else if (type == "ByteFallback") {
            rules.has_byte_tokens = true;
        } else if (type == "Fuse") {
            is_fused = true;
        } else if (type == "Strip") {
            requireKeys(*step, {"type", "content", "start", "stop"}, "its decoder", where);
            rules.strip_text = textIn(*step, "content", where);
            const bool is_countable = step->contains("start") && (*step)["start"].is_number_unsigned() && (*step)["start"].get<std::uint64_t>() <= 1000 &&
                                      step->contains("stop") && (*step)["stop"] == 0;
            if (!is_fused || !is_countable || characterCount(rules.strip_text) != 1) {
                refuse("its decoder strips text in a way that Braid does not know", where);
            }
            rules.leading_strip = (*step)["start"].get<int>();
        } else {
            refuseType("decoder", type, where);
        }
    }
    return rules;
}

}  // namespace braid::text
