#include "core/streams/conversation.h"

#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/text/utf8.h"

namespace braid::streams {
namespace {

using nlohmann::json;
using ordered = nlohmann::ordered_json;

constexpr int kDeepest = 12;  // objects and lists within each other
constexpr std::array<std::string_view, 6> kTypes{"row", "rewound", "turn_ended", "stream_ended", "run_ended", "notice"};
constexpr std::array<std::string_view, 7> kReasons{"stop_token", "silence", "most_tokens", "all_ended", "most_rows", "context_full", "stopped"};
constexpr std::array<std::string_view, 5> kSources{"nobody", "given", "fed", "sampled", "silenced"};

[[noreturn]] void refuse(const std::string &what, const std::string &where)
{
    throw Error(ErrorKind::Input, what, where, "docs/formats.md has every field of a conversation");
}

template <typename Enum, typename Words>
Enum enumOf(const json &object, const char *key, const Words &words, const std::string &where)
{
    const auto value = object.find(key);
    if (value != object.end() && value->is_string()) {
        const auto found = std::find(words.begin(), words.end(), value->get_ref<const std::string &>());
        if (found != words.end()) {
            return static_cast<Enum>(found - words.begin() + 1);  // every enum here starts at 1, in the order of its words
        }
    }
    refuse(std::string("\"") + key + "\" is missing or unknown", where);
}
template <typename Enum, typename Words>
std::string wordOf(Enum value, const Words &words)
{
    return std::string(words[static_cast<std::size_t>(value) - 1]);
}

std::int64_t wholeNumber(const json &object, const char *key, std::int64_t least, std::int64_t most, std::int64_t absent, const std::string &where)
{
    const auto value = object.find(key);
    if (value == object.end()) {
        return absent;
    }
    const bool too_large = value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(std::max<std::int64_t>(most, 0));
    if (!value->is_number_integer() || too_large || value->get<std::int64_t>() < least || value->get<std::int64_t>() > most) {
        refuse(std::string("\"") + key + "\" is not a whole number from " + std::to_string(least) + " to " + std::to_string(most), where);
    }
    return value->get<std::int64_t>();
}

double numberOf(const json &value, double least, double most, const std::string &where)
{
    const double number = value.is_number() ? value.get<double>() : least - 1;
    if (!(number >= least && number <= most)) {
        refuse("a probability or an entropy is none", where);
    }
    return number;
}

std::string textOf(const json &object, const char *key, const std::string &where)
{
    const auto value = object.find(key);
    if (value == object.end()) {
        return {};
    }
    if (!value->is_string() || value->get_ref<const std::string &>().size() > (1u << 20)) {
        refuse(std::string("\"") + key + "\" is not a text of at most a megabyte", where);
    }
    return value->get<std::string>();
}

constexpr char kHex[] = "0123456789abcdef";

std::string hexOfBytes(const std::string &bytes)
{
    std::string hex;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        hex += kHex[byte >> 4U];
        hex += kHex[byte & 15U];
    }
    return hex;
}

std::string bytesOfHex(const std::string &hex, const std::string &where)
{
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size() + (hex.size() % 2); i += 2) {
        const auto high = std::string_view(kHex).find(hex[i]);
        const auto low = i + 1 < hex.size() ? std::string_view(kHex).find(hex[i + 1]) : std::string_view::npos;
        if (high == std::string_view::npos || low == std::string_view::npos) {
            refuse("\"bytes\" is not hexadecimal", where);
        }
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

ordered cellJson(const Cell &cell)
{
    ordered object;
    if (!cell.isSilent()) {
        object["id"] = cell.token;
        object[text::isValidUtf8(cell.text) ? "text" : "bytes"] = text::isValidUtf8(cell.text) ? cell.text : hexOfBytes(cell.text);
    }
    object["from"] = wordOf(cell.source, kSources);
    if (cell.source == CellSource::Sampled) {
        object["probability"] = cell.probability;
        object["entropy"] = cell.entropy;
        if (!cell.rivals.empty()) {
            object["rivals"] = ordered::array();
            for (const Rival &rival : cell.rivals) {
                object["rivals"].push_back({rival.token, rival.probability});
            }
        }
    }
    return object;
}

Cell parseCell(const json &object, const std::string &where)
{
    if (!object.is_object()) {
        refuse("a cell is not a JSON object", where);
    }
    Cell cell;
    cell.source = enumOf<CellSource>(object, "from", kSources, where);
    cell.token = static_cast<std::int32_t>(wholeNumber(object, "id", 0, INT32_MAX, -1, where));
    cell.text = object.contains("bytes") ? bytesOfHex(textOf(object, "bytes", where), where) : textOf(object, "text", where);
    if (cell.isSilent() != cell.text.empty() && cell.isSilent()) {
        refuse("a silent cell has a text", where);
    }
    if (cell.source != CellSource::Sampled) {
        return cell;
    }
    if (!object.contains("probability") || !object.contains("entropy")) {
        refuse("a sampled cell has no probability or no entropy", where);
    }
    cell.probability = numberOf(object["probability"], 0, 1.001, where);
    cell.entropy = numberOf(object["entropy"], -0.001, 1e6, where);
    if (const auto rivals = object.find("rivals"); rivals != object.end()) {
        if (!rivals->is_array() || rivals->size() > 1000) {
            refuse("\"rivals\" is not a list of at most 1000", where);
        }
        for (const json &rival : *rivals) {
            if (!rival.is_array() || rival.size() != 2 || !rival[0].is_number_integer() || rival[0].get<std::int64_t>() < 0 ||
                rival[0].get<std::int64_t>() > INT32_MAX) {
                refuse("a rival is not [id, probability]", where);
            }
            cell.rivals.push_back({rival[0].get<std::int32_t>(), numberOf(rival[1], 0, 1.001, where)});
        }
    }
    return cell;
}

StreamsEvent parseEvent(const json &object, const Layout &layout, std::int64_t &rows, const std::string &where)
{
    if (!object.is_object()) {
        refuse("is not a JSON object", where);
    }
    StreamsEvent event;
    event.type = enumOf<StreamsEventType>(object, "event", kTypes, where);
    event.row = wholeNumber(object, "row", -1, 1'000'000'000, 0, where);
    event.stream = static_cast<int>(wholeNumber(object, "stream", -1, static_cast<std::int64_t>(layout.size()) - 1, -1, where));
    event.time_ms = wholeNumber(object, "time_ms", 0, std::int64_t(1) << 53, 0, where);
    event.text = textOf(object, "text", where);
    switch (event.type) {
    case StreamsEventType::Row: {
        const auto cells = object.find("cells");
        if (event.row != rows || cells == object.end() || !cells->is_array() || cells->size() != layout.size()) {
            refuse("is not row " + std::to_string(rows) + " with one cell for each of the " + std::to_string(layout.size()) + " streams", where);
        }
        for (const json &cell : *cells) {
            event.cells.push_back(parseCell(cell, where));
        }
        ++rows;
        break;
    }
    case StreamsEventType::Rewound:
        if (event.row >= rows) {
            refuse("goes back to row " + std::to_string(event.row) + ", but there are " + std::to_string(rows), where);
        }
        rows = event.row + 1;
        break;
    case StreamsEventType::TurnEnded:
    case StreamsEventType::StreamEnded:
        if (event.stream < 0) {
            refuse("does not say which stream has ended", where);
        }
        [[fallthrough]];
    case StreamsEventType::RunEnded:
        if (event.type != StreamsEventType::TurnEnded) {
            event.reason = enumOf<EndReason>(object, "reason", kReasons, where);
        }
        break;
    case StreamsEventType::Notice:
        break;
    }
    return event;
}

ordered eventJson(const StreamsEvent &event)
{
    ordered object;
    object["event"] = wordOf(event.type, kTypes);
    object["row"] = event.row;
    if (event.time_ms > 0) {
        object["time_ms"] = event.time_ms;
    }
    if (event.stream >= 0) {
        object["stream"] = event.stream;
    }
    if (event.type == StreamsEventType::StreamEnded || event.type == StreamsEventType::RunEnded) {
        object["reason"] = wordOf(event.reason, kReasons);
    }
    if (!event.text.empty()) {
        object["text"] = event.text;
    }
    if (event.type == StreamsEventType::Row) {
        object["cells"] = ordered::array();
        for (const Cell &cell : event.cells) {
            object["cells"].push_back(cellJson(cell));
        }
    }
    return object;
}

Conversation parseHead(const json &root, const std::string &where)
{
    if (!root.is_object() || textOf(root, "format", where) != "braid-streams-conversation") {
        refuse("is not a conversation of streams", where);
    }
    if (wholeNumber(root, "version", 0, 1'000'000, 0, where) != 1) {
        refuse("is of a version that this Braid does not know", where);
    }
    const auto layout = root.find("layout");
    if (layout == root.end()) {
        refuse("has no \"layout\"", where);
    }
    Conversation conversation;
    conversation.layout = parseLayout(layout->dump(), where + ", layout");
    conversation.model = textOf(root, "model", where);
    conversation.system = textOf(root, "system", where);
    if (const auto seed = root.find("seed"); seed != root.end()) {
        if (!seed->is_number_unsigned()) {
            refuse("\"seed\" is not a whole number from 0 to 18446744073709551615", where);
        }
        conversation.seed = seed->get<std::uint64_t>();
    }
    return conversation;
}

}  // namespace

TextTable Conversation::table() const
{
    TextTable table;
    for (const Stream &stream : layout.streams) {
        table.streams.push_back(stream.name);
    }
    for (const StreamsEvent &event : events) {
        if (event.type == StreamsEventType::Rewound) {
            table.rows.resize(static_cast<std::size_t>(event.row + 1));
        } else if (event.type == StreamsEventType::Row) {
            std::vector<std::string> row;
            for (const Cell &cell : event.cells) {
                row.push_back(cell.text);
            }
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

Conversation parseConversation(std::string_view text, const std::string &where)
{
    if (text.size() > kMostConversationBytes) {
        refuse("is larger than 256 MiB", where);
    }
    const json root = parseStrictJson(text, where, ErrorKind::Input, kDeepest);
    Conversation conversation = parseHead(root, where);
    const auto events = root.find("events");
    if (events == root.end() || !events->is_array() || events->size() > kMostEvents) {
        refuse("\"events\" is not a list of at most two million", where);
    }
    std::int64_t rows = 0;
    for (const json &event : *events) {
        conversation.events.push_back(parseEvent(event, conversation.layout, rows, where + ", event " + std::to_string(conversation.events.size() + 1)));
    }
    return conversation;
}

std::string eventLine(const StreamsEvent &event)
{
    return eventJson(event).dump(-1, ' ', false, ordered::error_handler_t::replace);
}

ConversationReader::ConversationReader(std::string_view head, const std::string &where)
    : m_where(where)
    , m_conversation(parseHead(parseStrictJson(head, where, ErrorKind::Input, kDeepest), where))
{
}

void ConversationReader::addEvent(std::string_view line)
{
    std::vector<StreamsEvent> &events = m_conversation.events;
    const std::string where = m_where + ", event " + std::to_string(events.size() + 1);
    if (events.size() >= kMostEvents) {
        refuse("has more than two million events", m_where);
    }
    events.push_back(parseEvent(parseStrictJson(line, where, ErrorKind::Input, kDeepest), m_conversation.layout, m_rows, where));
}

std::string conversationHead(const Conversation &conversation)
{
    ordered head;
    head["format"] = "braid-streams-conversation";
    head["version"] = 1;
    head["model"] = conversation.model;
    head["seed"] = conversation.seed;
    head["system"] = conversation.system;
    head["layout"] = ordered::parse(layoutJson(conversation.layout));
    return head.dump(-1, ' ', false, ordered::error_handler_t::replace);
}

std::string conversationJson(const Conversation &conversation)
{
    std::string text = conversationHead(conversation);
    text.pop_back();
    text += ",\"events\":[";  // one event a line: a large file can be looked at
    for (std::size_t i = 0; i < conversation.events.size(); ++i) {
        text += (i > 0 ? ",\n" : "\n") + eventLine(conversation.events[i]);
    }
    return text + "\n]}\n";
}

Conversation openConversation(const std::filesystem::path &path)
{
    return parseConversation(readTextFile(path, kMostConversationBytes), path.string());
}

void saveConversation(const std::filesystem::path &path, const Conversation &conversation)
{
    writeFileAtomically(path, conversationJson(conversation));
}

}  // namespace braid::streams
