#include "app/cli/archive_plan.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>
#include <system_error>
#include <unordered_set>

#include "core/base/error.h"
#include "core/text/utf8.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;
constexpr int kMostShards = 1'000'000;

// The bytes of `name` that are no UTF-8 as %XX: reports are JSON, and what stands there must lead to the file.
std::string asUtf8(const std::string &name)
{
    std::string plain;
    for (std::size_t at = 0; at < name.size();) {
        const text::Utf8Character character = text::characterAt(name, at);
        if (character.state == text::Utf8State::Valid) {
            plain.append(name, at, character.length);
        } else {
            for (const char byte : name.substr(at, character.length)) {
                char escaped[4];
                std::snprintf(escaped, sizeof escaped, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(byte)));
                plain += escaped;
            }
        }
        at += character.length;
    }
    return plain;
}

fs::path wholePath(const fs::path &path)
{
    return fs::absolute(path).lexically_normal();
}

std::string transcriptOf(const fs::path &recording, std::string_view extension)
{
    fs::path place = recording.lexically_normal();
    if (!place.empty() && *place.begin() == "..") {
        place = wholePath(recording);
    }
    return asUtf8(place.relative_path().string() + std::string(extension));
}

}  // namespace

Shard parseShard(const std::string &text)
{
    Shard shard;
    const char *end = text.data() + text.size();
    const auto number = std::from_chars(text.data(), end, shard.number);
    const bool has_slash = number.ec == std::errc() && number.ptr != end && *number.ptr == '/';
    const auto count = has_slash ? std::from_chars(number.ptr + 1, end, shard.count) : number;
    if (!has_slash || count.ec != std::errc() || count.ptr != end || shard.count < 1 || shard.count > kMostShards || shard.number < 1 ||
        shard.number > shard.count) {
        throw Error(ErrorKind::Usage, "\"" + text + "\" is no shard", "--shard", "Say which of how many, the first being 1, like 3/16");
    }
    return shard;
}

std::vector<ArchiveItem> archiveItems(std::string_view text, const fs::path &folder, std::string_view extension)
{
    std::vector<ArchiveItem> items;
    std::unordered_set<std::string> recordings;
    std::set<std::string> transcripts;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        if (line.empty() || !recordings.insert(wholePath(line).string()).second) {
            continue;
        }
        if (line.find('\0') != std::string_view::npos) {
            throw Error(ErrorKind::Input, "the list has a zero byte in a name, so it is no list of recordings", {},
                        "Give a text with the path of a recording on each line");
        }
        ArchiveItem item{fs::path(line), transcriptOf(line, extension)};
        if (!transcripts.insert(item.transcript).second) {
            throw Error(ErrorKind::Input, "two recordings of the list would have the same transcript, " + item.transcript, item.recording.string(),
                        "Name both in the same way, from the same folder");
        }
        items.push_back(std::move(item));
    }
    for (const ArchiveItem &item : items) {
        if (recordings.contains(wholePath(folder / item.transcript).string())) {
            throw Error(ErrorKind::Input, "the transcript of this recording would be written over another recording of the list, " + item.transcript,
                        item.recording.string(), "Choose another folder with --out");
        }
    }
    return items;
}

std::vector<ArchiveItem> itemsOf(const std::vector<ArchiveItem> &items, Shard shard)
{
    std::vector<ArchiveItem> mine;
    for (auto at = static_cast<std::size_t>(shard.number - 1); at < items.size(); at += static_cast<std::size_t>(shard.count)) {
        mine.push_back(items[at]);
    }
    return mine;
}

}  // namespace braid::cli
