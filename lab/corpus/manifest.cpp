#include "lab/corpus/manifest.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "core/base/error.h"
#include "core/base/strict_json.h"
#include "core/text/utf8.h"

namespace braid::corpus {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string &what, const std::string &where)
{
    throw Error(ErrorKind::Input, what, where, "A line looks like {\"sound\": \"a.flac\", \"text\": \"two words\", \"words\": [[\"two\", 0.1, 0.4], ...]}");
}

double secondsOf(const json &value, const char *name, const std::string &where)
{
    const double seconds = value.is_number() ? value.get<double>() : -1;
    if (!(seconds >= 0 && seconds <= kLongestSeconds)) {  // refuses what is no number, too
        refuse(std::string("\"") + name + "\" is not a time in seconds from 0 to a million", where);
    }
    return seconds;
}

std::string textOf(const json &value, const char *name, const std::string &where)
{
    if (!value.is_string()) {
        refuse(std::string("\"") + name + "\" is not a text", where);
    }
    auto text = value.get<std::string>();
    if (text.size() > kMostTextBytes || text.find('\0') != text.npos) {
        refuse(std::string("\"") + name + "\" is too long or holds a zero byte", where);
    }
    return text;
}

std::vector<TimedWord> wordsOf(const json &value, const std::string &where)
{
    if (!value.is_array() || value.size() > kMostWords) {
        refuse("\"words\" is not a list of words", where);
    }
    std::vector<TimedWord> words;
    words.reserve(value.size());
    double previous_start = 0;
    for (const json &entry : value) {
        if (!entry.is_array() || entry.size() != 3) {
            refuse("a word is not [\"word\", start, end]", where);
        }
        const double start = secondsOf(entry[1], "words", where);
        const double end = secondsOf(entry[2], "words", where);
        if (end < start || start < previous_start) {
            refuse("a word ends before it begins, or begins before the word before it", where);
        }
        previous_start = start;
        words.push_back({textOf(entry[0], "words", where), samplesFromSeconds(start), samplesFromSeconds(end)});
    }
    return words;
}

// Seconds exact to a sample: six decimals, since a sample is 0.0000625 s.
json secondsJson(Sample samples)
{
    return std::round(secondsFromSamples(samples) * 1e6) / 1e6;
}

fs::path folderOf(const fs::path &manifest)
{
    return manifest.has_parent_path() ? manifest.parent_path() : fs::path(".");
}

std::int64_t bytesOfWholeLines(const fs::path &path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) {
        return -1;
    }
    // Backwards to the last line break: a torn line is at most one write.
    auto at = static_cast<std::int64_t>(file.tellg());
    char byte = 0;
    while (at > 0) {
        file.seekg(at - 1);
        file.get(byte);
        if (byte == '\n') {
            break;
        }
        --at;
    }
    return at;
}

}  // namespace

Utterance parseManifestLine(std::string_view line, const fs::path &folder, const std::string &where)
{
    const json object = parseStrictJson(line, where, ErrorKind::Input, 4);
    if (!object.is_object()) {
        refuse("is not a JSON object", where);
    }
    Utterance utterance;
    bool has_sound = false;
    bool has_text = false;
    for (const auto &[key, value] : object.items()) {
        if (key == "sound") {
            const fs::path sound = textOf(value, "sound", where);
            has_sound = !sound.empty();
            utterance.sound = sound.is_absolute() ? sound : folder / sound;
        } else if (key == "offset_s") {
            utterance.offset = samplesFromSeconds(secondsOf(value, "offset_s", where));
        } else if (key == "length_s") {
            utterance.length = samplesFromSeconds(secondsOf(value, "length_s", where));
        } else if (key == "text") {
            utterance.text = textOf(value, "text", where);
            has_text = true;
        } else if (key == "words") {
            utterance.words = wordsOf(value, where);
        } else if (key == "source") {
            utterance.source = textOf(value, "source", where);
        } else if (key == "weight") {
            utterance.weight = value.is_number() ? value.get<double>() : -1;
            if (!(utterance.weight >= 0 && utterance.weight <= 1e6)) {
                refuse("\"weight\" is not a number from 0 to a million", where);
            }
        } else {
            refuse("\"" + key.substr(0, 60) + "\" is not a key of a manifest", where);
        }
    }
    if (!has_sound || !has_text) {
        refuse(has_sound ? "\"text\" is missing" : "\"sound\" is missing", where);
    }
    return utterance;
}

std::string manifestLine(const Utterance &utterance, const fs::path &folder)
{
    const fs::path sound = fs::absolute(utterance.sound).lexically_normal();
    const fs::path relative = sound.lexically_relative(fs::absolute(folder).lexically_normal());
    const bool below = !relative.empty() && *relative.begin() != "..";
    nlohmann::ordered_json object;
    object["sound"] = text::toValidUtf8((below ? relative : sound).string());
    if (utterance.offset != 0) {
        object["offset_s"] = secondsJson(utterance.offset);
    }
    if (utterance.length != 0) {
        object["length_s"] = secondsJson(utterance.length);
    }
    object["text"] = text::toValidUtf8(utterance.text);
    if (!utterance.words.empty()) {
        auto words = nlohmann::ordered_json::array();
        for (const TimedWord &word : utterance.words) {
            words.push_back({text::toValidUtf8(word.text), secondsJson(word.start_sample), secondsJson(word.end_sample)});
        }
        object["words"] = std::move(words);
    }
    if (!utterance.source.empty()) {
        object["source"] = text::toValidUtf8(utterance.source);
    }
    if (utterance.weight != 1) {
        object["weight"] = utterance.weight;
    }
    return object.dump();
}

ManifestReader::ManifestReader(const fs::path &path)
    : m_path(path)
    , m_folder(folderOf(path))
    , m_file(path, std::ios::binary)
{
    if (!m_file || fs::is_directory(path)) {
        throw Error(ErrorKind::Input, "cannot be opened", path.string(), "Check the path of the manifest");
    }
}

bool ManifestReader::next(Utterance &utterance)
{
    while (true) {
        m_text.clear();
        std::streambuf &bytes = *m_file.rdbuf();
        int byte = bytes.sbumpc();
        if (byte == std::char_traits<char>::eof()) {
            return false;
        }
        ++m_line;
        const std::string where = m_path.string() + ", line " + std::to_string(m_line);
        for (; byte != std::char_traits<char>::eof() && byte != '\n'; byte = bytes.sbumpc()) {
            m_text.push_back(static_cast<char>(byte));
            if (m_text.size() > kMostLineBytes) {
                throw Error(ErrorKind::Input, "is longer than 4 MiB", where, "One utterance stands on one line");
            }
        }
        if (m_text.find_first_not_of(" \t\r") == m_text.npos) {
            continue;
        }
        if (++m_utterances > kMostUtterances) {
            throw Error(ErrorKind::Input, "has more than 20 million utterances", m_path.string(), "Split it");
        }
        utterance = parseManifestLine(m_text, m_folder, where);
        return true;
    }
}

std::vector<Utterance> readManifest(const fs::path &path)
{
    ManifestReader reader(path);
    std::vector<Utterance> utterances;
    Utterance utterance;
    while (reader.next(utterance)) {
        utterances.push_back(std::move(utterance));
        utterance = {};
    }
    return utterances;
}

ManifestWriter::ManifestWriter(const fs::path &path, ManifestOpening opening)
    : m_folder(folderOf(path))
    , m_file(path, opening == ManifestOpening::Replace ? 0 : bytesOfWholeLines(path))
{
}

void ManifestWriter::append(const Utterance &utterance)
{
    m_file.append(manifestLine(utterance, m_folder) + "\n");
}

}  // namespace braid::corpus
