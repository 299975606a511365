// Which files a person means by what was dropped or opened: files as they are, of folders the recordings in them. Any thread: it reads the disk.
#pragma once

#include <filesystem>
#include <vector>

#include <QString>

namespace braid::ui {

inline constexpr std::size_t kMostRecordings = 1000;

struct FoundRecordings {
    std::vector<std::filesystem::path> files;  // those of a folder by name
    QString problem;                           // a folder without any, or with too many; empty: none
};

// Folders within folders are looked into, links to folders are not followed. At most kMostRecordings.
[[nodiscard]] FoundRecordings recordingsAmong(const std::vector<std::filesystem::path> &paths);
// "Sound and video (*.wav ...)", for dialogs.
[[nodiscard]] QString recordingsFilter();

}  // namespace braid::ui
