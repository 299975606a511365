// A file that is replaced as a whole: who reads it sees the old content or the new, never half of it.
// Only a regular file (or none) is ever replaced. Where the path is a link, the file it leads to is; where it is a pipe, a device or a descriptor of this
// process (/dev/stdout), the bytes go straight to it. Nothing else in the folder is touched: the new content first lies under a name of its own that did not
// exist.
// Thread: one. Errors: Error(Storage) with the path and a plain reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace braid {

enum class Durability : std::uint8_t {
    OnDisk = 1,     // finish() returns when the disk has it
    WhenConvenient  // when the system writes it; for what can be made again
};

class ReplacedFile {
  public:
    explicit ReplacedFile(std::filesystem::path path);
    // Without finish(), what was written is dropped and the old file stays.
    ~ReplacedFile();
    ReplacedFile(const ReplacedFile &) = delete;
    ReplacedFile &operator=(const ReplacedFile &) = delete;

    void write(std::string_view bytes);
    void write(std::span<const std::byte> bytes);
    // The new content stands from here on, with the permissions that the old file had.
    void finish(Durability durability);

  private:
    void openTemporary();
    void openStraight();
    [[noreturn]] void fail(int error_number);

    std::filesystem::path m_path;       // as it was given
    std::filesystem::path m_place;      // the regular file to be replaced
    std::filesystem::path m_temporary;  // empty where the bytes go straight to their place
    int m_fd = -1;
};

}  // namespace braid
