// A layout's JSON: strict, both ways.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/streams/layout.h"
#include "core/text/utf8.h"

namespace braid::streams {
namespace {

using nlohmann::json;
using ordered = nlohmann::ordered_json;

[[noreturn]] void refuse(const std::string &what, const std::string &where, const std::string &remedy = "docs/formats.md has every field of a layout")
{
    throw Error(ErrorKind::Input, what, where, remedy);
}

template <typename Value>
struct Word {
    std::string_view word;
    Value value;
};
constexpr std::array kRoles{Word<StreamRole>{"system", StreamRole::System}, Word<StreamRole>{"user", StreamRole::User},
                            Word<StreamRole>{"document", StreamRole::Document}, Word<StreamRole>{"assistant", StreamRole::Assistant}};
constexpr std::array kForms{Word<VisibilityForm>{"rows", VisibilityForm::Rows}, Word<VisibilityForm>{"blocks", VisibilityForm::Blocks}};
constexpr std::array kSameStep{Word<SameStep>{"hidden", SameStep::Hidden}, Word<SameStep>{"visible", SameStep::Visible}};
constexpr std::array kBetween{Word<BetweenAssistants>{"visible", BetweenAssistants::Visible}, Word<BetweenAssistants>{"hidden", BetweenAssistants::Hidden}};
constexpr std::array kPositions{Word<PositionRule>{"row", PositionRule::Row}, Word<PositionRule>{"own_counter", PositionRule::OwnCounter}};
constexpr std::array kSilence{Word<SilenceRule>{"stored", SilenceRule::Stored}, Word<SilenceRule>{"skipped", SilenceRule::Skipped},
                              Word<SilenceRule>{"absent", SilenceRule::Absent}};
constexpr std::array kTimes{Word<PenaltyTime>{"always", PenaltyTime::Always}, Word<PenaltyTime>{"after_user", PenaltyTime::AfterUser}};

template <typename Words, typename Value>
std::string wordOf(const Words &words, Value value)
{
    for (const auto &entry : words) {
        if (entry.value == value) {
            return std::string(entry.word);
        }
    }
    throw Error(ErrorKind::Internal, "a layout holds a value without a word");
}

// One JSON object whose every key must be known.
class Fields {
  public:
    Fields(const json &object, std::string what, const std::string &where, std::initializer_list<std::string_view> known)
        : m_object(object)
        , m_what(std::move(what))
        , m_where(where)
    {
        if (!object.is_object()) {
            refuse(m_what + " is not a JSON object", where);
        }
        for (const auto &[key, value] : object.items()) {
            if (std::find(known.begin(), known.end(), key) == known.end()) {
                refuse(m_what + " has an unknown key \"" + key.substr(0, 60) + "\"", where);
            }
        }
    }
    [[nodiscard]] const json *find(const char *key) const
    {
        const auto found = m_object.find(key);
        return found == m_object.end() ? nullptr : &*found;
    }
    [[nodiscard]] std::string text(const char *key, std::string absent = {}) const
    {
        const json *value = find(key);
        if (value == nullptr) {
            return absent;
        }
        if (!value->is_string() || value->get_ref<const std::string &>().size() > 10'000) {
            wrong(key, "a text of at most 10000 bytes");
        }
        return value->get<std::string>();
    }
    [[nodiscard]] std::vector<std::string> texts(const char *key) const
    {
        std::vector<std::string> list;
        if (const json *value = find(key)) {
            if (!value->is_array() || value->size() > kMostWarmRows) {
                wrong(key, "a list of at most 1000 texts");
            }
            for (const json &item : *value) {
                if (!item.is_string() || item.get_ref<const std::string &>().size() > 10'000) {
                    wrong(key, "a list of texts");
                }
                list.push_back(item.get<std::string>());
            }
        }
        return list;
    }
    [[nodiscard]] double number(const char *key, double absent) const
    {
        const json *value = find(key);
        if (value != nullptr && !value->is_number()) {
            wrong(key, "a number");
        }
        return value == nullptr ? absent : value->get<double>();
    }
    [[nodiscard]] std::int64_t count(const char *key, std::int64_t absent, std::int64_t most = 2'000'000'000) const
    {
        const json *value = find(key);
        if (value == nullptr) {
            return absent;
        }
        if (!value->is_number_integer() || (value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(most)) ||
            value->get<std::int64_t>() < 0 || value->get<std::int64_t>() > most) {
            wrong(key, "a whole number from 0 to " + std::to_string(most));
        }
        return value->get<std::int64_t>();
    }
    template <typename Words, typename Value>
    [[nodiscard]] Value word(const char *key, const Words &words, Value absent) const
    {
        const json *value = find(key);
        if (value == nullptr) {
            return absent;
        }
        std::string choices;
        for (const auto &entry : words) {
            if (value->is_string() && value->get_ref<const std::string &>() == entry.word) {
                return entry.value;
            }
            choices += (choices.empty() ? "\"" : ", \"") + std::string(entry.word) + "\"";
        }
        wrong(key, "one of " + choices);
    }
    [[noreturn]] void wrong(const char *key, const std::string &wanted) const
    {
        refuse("\"" + std::string(key) + "\" of " + m_what + " is not " + wanted, m_where);
    }

  private:
    const json &m_object;
    std::string m_what;
    const std::string &m_where;
};

std::vector<int> indicesOf(const std::vector<std::string> &names, const Layout &layout, const std::string &what, const std::string &where)
{
    std::vector<int> indices;
    for (const std::string &name : names) {
        const int index = layout.indexOf(name);
        if (index < 0) {
            refuse(what + " names \"" + name.substr(0, kMostNameBytes) + "\", which is no stream of this layout", where);
        }
        if (std::find(indices.begin(), indices.end(), index) != indices.end()) {
            refuse(what + " names \"" + name + "\" twice", where);
        }
        indices.push_back(index);
    }
    std::sort(indices.begin(), indices.end());
    return indices;
}

struct Wishes {  // who sees whom, as written
    std::optional<std::vector<std::string>> sees;
    std::vector<std::string> hidden_from;
};

Stream parseStream(const json &object, std::size_t index, const std::string &where, Wishes &wishes)
{
    const std::string what = "stream " + std::to_string(index + 1);
    const Fields fields(object, what, where,
                        {"name", "label", "role", "colour", "sees", "hidden_from", "sampling", "seed", "silence_penalty", "stop", "warm_start", "opening",
                         "closing", "loss_weight"});
    Stream stream;
    stream.name = fields.text("name");
    stream.label = fields.text("label");
    if (fields.find("role") == nullptr) {
        refuse(what + " has no \"role\"", where);
    }
    stream.role = fields.word("role", kRoles, StreamRole::Assistant);
    stream.colour = fields.word("colour", kLaneColours, kLaneColours[index % kLaneColours.size()].value);
    if (fields.find("sees") != nullptr) {
        wishes.sees = fields.texts("sees");
    }
    wishes.hidden_from = fields.texts("hidden_from");
    if (const json *value = fields.find("sampling")) {
        const Fields sampling(*value, "\"sampling\" of " + what, where, {"temperature", "top_k", "top_p"});
        stream.sampling = {sampling.number("temperature", 0), static_cast<int>(sampling.count("top_k", 0)), sampling.number("top_p", 1)};
    }
    stream.seed = static_cast<std::uint64_t>(fields.count("seed", 0, std::int64_t(1) << 53));
    if (const json *value = fields.find("silence_penalty")) {
        const Fields penalty(*value, "\"silence_penalty\" of " + what, where, {"logits", "time", "ramp_rows"});
        stream.penalty = {penalty.number("logits", 0), penalty.word("time", kTimes, PenaltyTime::Always), static_cast<int>(penalty.count("ramp_rows", 0))};
    }
    if (const json *value = fields.find("stop")) {
        const Fields stop(*value, "\"stop\" of " + what, where, {"tokens", "silent_rows", "most_tokens"});
        stream.stop = {stop.texts("tokens"), static_cast<int>(stop.count("silent_rows", 0)), static_cast<int>(stop.count("most_tokens", 0))};
    }
    stream.warm_start = fields.texts("warm_start");
    stream.opening = fields.text("opening");
    stream.closing = fields.text("closing");
    stream.loss_weight = fields.number("loss_weight", 1);
    return stream;
}

// `sees` by index from what the streams say about themselves; two that say opposite things are refused.
void joinWishes(Layout &layout, const std::vector<Wishes> &wishes, const std::string &where)
{
    const int count = static_cast<int>(layout.size());
    std::vector<std::vector<int>> hidden_from(layout.size());
    for (std::size_t i = 0; i < layout.size(); ++i) {
        hidden_from[i] = indicesOf(wishes[i].hidden_from, layout, "\"hidden_from\" of \"" + layout.streams[i].name + "\"", where);
    }
    for (int reader = 0; reader < count; ++reader) {
        Stream &stream = layout.streams[static_cast<std::size_t>(reader)];
        const Wishes &wish = wishes[static_cast<std::size_t>(reader)];
        if (wish.sees) {
            stream.sees = indicesOf(*wish.sees, layout, "\"sees\" of \"" + stream.name + "\"", where);
        }
        for (int read = 0; read < count; ++read) {
            const Stream &other = layout.streams[static_cast<std::size_t>(read)];
            const auto &hidden = hidden_from[static_cast<std::size_t>(read)];
            const bool is_hidden = std::binary_search(hidden.begin(), hidden.end(), reader);
            if (is_hidden && read == reader) {
                refuse("\"" + stream.name + "\" is hidden from itself", where, "A stream always sees its own words");
            }
            if (wish.sees) {
                if (is_hidden && std::binary_search(stream.sees.begin(), stream.sees.end(), read)) {
                    refuse("\"" + stream.name + "\" is said to see \"" + other.name + "\", and \"" + other.name + "\" to be hidden from \"" + stream.name +
                               "\"",
                           where, "Take one of the two back");
                }
                continue;
            }
            const bool before_all = layout.form == VisibilityForm::Blocks && stream.role == StreamRole::System;
            const bool apart = layout.between_assistants == BetweenAssistants::Hidden && stream.isSampled() && other.isSampled();
            if (read == reader || !(is_hidden || before_all || apart)) {
                stream.sees.push_back(read);
            }
        }
    }
}

ordered streamJson(const Layout &layout, const Stream &stream)
{
    ordered object;
    object["name"] = stream.name;
    if (!stream.label.empty()) {
        object["label"] = stream.label;
    }
    object["role"] = wordOf(kRoles, stream.role);
    object["colour"] = wordOf(kLaneColours, stream.colour);
    object["sees"] = ordered::array();
    for (const int read : stream.sees) {
        object["sees"].push_back(layout.streams[static_cast<std::size_t>(read)].name);
    }
    if (stream.isSampled()) {
        object["sampling"] = {{"temperature", stream.sampling.temperature}, {"top_k", stream.sampling.top_k}, {"top_p", stream.sampling.top_p}};
        object["seed"] = stream.seed;
        object["silence_penalty"] = {{"logits", stream.penalty.logits}, {"time", wordOf(kTimes, stream.penalty.time)}, {"ramp_rows", stream.penalty.ramp_rows}};
        object["stop"] = {{"tokens", stream.stop.tokens}, {"silent_rows", stream.stop.silent_rows}, {"most_tokens", stream.stop.most_tokens}};
        object["loss_weight"] = stream.loss_weight;
    }
    if (!stream.warm_start.empty()) {
        object["warm_start"] = stream.warm_start;
    }
    if (!stream.opening.empty()) {
        object["opening"] = stream.opening;
    }
    if (!stream.closing.empty()) {
        object["closing"] = stream.closing;
    }
    return object;
}

}  // namespace

Layout parseLayout(std::string_view text, const std::string &where)
{
    if (text.size() > kMostLayoutBytes) {
        refuse("is larger than a megabyte", where);
    }
    const json root = parseStrictJson(text, where, ErrorKind::Input, 8);
    const Fields fields(
        root, "the layout", where,
        {"format", "version", "name", "about", "examples", "visibility", "positions", "silence", "window_rows", "kept_rows", "stop", "streams"});
    if (fields.text("format") != "braid-streams-layout") {
        refuse("is not a stream layout", where, "It begins with {\"format\": \"braid-streams-layout\", \"version\": 1, ...}");
    }
    if (fields.count("version", 0) != 1) {
        refuse("is a layout of a version that this Braid does not know", where, "Version 1 is known");
    }
    Layout layout;
    layout.name = fields.text("name");
    layout.about = fields.text("about");
    layout.examples = fields.texts("examples");
    if (const json *value = fields.find("visibility")) {
        const Fields visibility(*value, "\"visibility\"", where, {"form", "same_step", "between_assistants"});
        layout.form = visibility.word("form", kForms, VisibilityForm::Rows);
        layout.same_step = visibility.word("same_step", kSameStep, SameStep::Hidden);
        layout.between_assistants = visibility.word("between_assistants", kBetween, BetweenAssistants::Visible);
    }
    layout.positions = fields.word("positions", kPositions, layout.form == VisibilityForm::Rows ? PositionRule::Row : PositionRule::OwnCounter);
    if (const json *value = fields.find("silence")) {
        const Fields silence(*value, "\"silence\"", where, {"rule", "text"});
        layout.silence = silence.word("rule", kSilence, SilenceRule::Skipped);
        layout.silence_text = silence.text("text");
    } else {
        layout.silence = SilenceRule::Absent;
    }
    layout.window_rows = fields.count("window_rows", 0);
    layout.kept_rows = fields.count("kept_rows", 0);
    const json *streams = fields.find("streams");
    if (streams == nullptr || !streams->is_array() || streams->empty() || streams->size() > kMostStreams) {
        refuse("\"streams\" is not a list of 1 to 64 streams", where);
    }
    std::vector<Wishes> wishes(streams->size());
    for (std::size_t i = 0; i < streams->size(); ++i) {
        layout.streams.push_back(parseStream((*streams)[i], i, where, wishes[i]));
    }
    joinWishes(layout, wishes, where);
    if (const json *value = fields.find("stop")) {
        const Fields stop(*value, "\"stop\"", where, {"all_ended", "silent_rows", "most_rows"});
        layout.stop.all_ended = indicesOf(stop.texts("all_ended"), layout, "\"stop\"", where);
        layout.stop.silent_rows = static_cast<int>(stop.count("silent_rows", 0));
        layout.stop.most_rows = stop.count("most_rows", 0);
    }
    checkLayout(layout, where);
    return layout;
}

Layout readLayout(const std::filesystem::path &path)
{
    return parseLayout(readTextFile(path, kMostLayoutBytes), path.string());
}

std::string layoutJson(const Layout &layout)
{
    ordered root;
    root["format"] = "braid-streams-layout";
    root["version"] = 1;
    root["name"] = layout.name;
    root["about"] = layout.about;
    if (!layout.examples.empty()) {
        root["examples"] = layout.examples;
    }
    root["visibility"] = {{"form", wordOf(kForms, layout.form)},
                          {"same_step", wordOf(kSameStep, layout.same_step)},
                          {"between_assistants", wordOf(kBetween, layout.between_assistants)}};
    root["positions"] = wordOf(kPositions, layout.positions);
    root["silence"] = {{"rule", wordOf(kSilence, layout.silence)}, {"text", layout.silence_text}};
    root["window_rows"] = layout.window_rows;
    root["kept_rows"] = layout.kept_rows;
    ordered ended = ordered::array();
    for (const int index : layout.stop.all_ended) {
        ended.push_back(layout.streams[static_cast<std::size_t>(index)].name);
    }
    root["stop"] = {{"all_ended", ended}, {"silent_rows", layout.stop.silent_rows}, {"most_rows", layout.stop.most_rows}};
    root["streams"] = ordered::array();
    for (const Stream &stream : layout.streams) {
        root["streams"].push_back(streamJson(layout, stream));
    }
    return root.dump(2, ' ', false, ordered::error_handler_t::replace) + "\n";
}

}  // namespace braid::streams
