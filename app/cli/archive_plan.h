// An archive of recordings that several workers caption: which recordings there are, where the transcript of each belongs, and which a shard has.
// Thread: main. Errors: Error(Usage) for a shard that cannot be, Error(Input) for a list that cannot be read, both with what to do.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace braid::cli {

// One of `count` equal parts of a list; `number` counts from 1.
struct Shard {
    int number = 1;
    int count = 1;
    [[nodiscard]] bool operator==(const Shard &) const = default;
};

struct ArchiveItem {
    std::filesystem::path recording;  // as the list names it
    std::string transcript;           // below the archive's folder; UTF-8, whatever bytes the recording's name has
    [[nodiscard]] bool operator==(const ArchiveItem &) const = default;
};

// "3/16"
[[nodiscard]] Shard parseShard(const std::string &text);

// The recordings of `text`, one a line, empty lines left out and each recording once. Its transcript has the recording's path (without "/", "." and "..")
// below `folder`, and its whole name with `extension` behind it: `talks/a.flac` becomes `talks/a.flac.txt`, so that neither two folders nor two formats meet.
// Throws where a transcript would be written over a recording of the list.
[[nodiscard]] std::vector<ArchiveItem> archiveItems(std::string_view text, const std::filesystem::path &folder, std::string_view extension);

// Every `count`th item, from the `number`th on.
[[nodiscard]] std::vector<ArchiveItem> itemsOf(const std::vector<ArchiveItem> &items, Shard shard);

}  // namespace braid::cli
