// A lock on a file that one process has at a time. The system lets it go when its holder dies, so it also tells what runs from what was cut off.
// Thread: one.
#pragma once

#include <cstdint>
#include <filesystem>

namespace braid {

enum class LockedFile : std::uint8_t { MustExist = 1, MadeIfMissing };

class FileLock {
  public:
    FileLock(const std::filesystem::path &file, LockedFile what);
    ~FileLock();
    FileLock(const FileLock &) = delete;
    FileLock &operator=(const FileLock &) = delete;

    // Whether there is a file to lock.
    [[nodiscard]] bool isOpen() const noexcept { return m_fd >= 0; }
    // False: somebody else has it, or there is no file.
    [[nodiscard]] bool take() const;
    // Waits for whoever has it; for work that nobody holds it long for. False: there is no file, or the system cannot lock it.
    [[nodiscard]] bool waitFor() const;

  private:
    int m_fd;
};

}  // namespace braid
