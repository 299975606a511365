// Files as Braid needs them: mapped for reading weights, replaced as a whole for writing, appended and flushed for journals.
// Errors: Error(Input) on reading, Error(Storage) on writing, with the path and a plain reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace braid {

// A read-only memory map of a whole file. Movable, not copyable; the bytes live as long as the object.
class MappedFile {
  public:
    explicit MappedFile(const std::filesystem::path &path);
    ~MappedFile();
    MappedFile(MappedFile &&other) noexcept;
    MappedFile &operator=(MappedFile &&other) noexcept;
    MappedFile(const MappedFile &) = delete;
    MappedFile &operator=(const MappedFile &) = delete;

    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {m_data, m_size}; }
    [[nodiscard]] const std::filesystem::path &path() const noexcept { return m_path; }

  private:
    std::filesystem::path m_path;
    const std::byte *m_data = nullptr;
    std::size_t m_size = 0;
};

// The whole file as text; refuses files larger than `max_bytes` (hostile input must not exhaust memory).
[[nodiscard]] std::string readTextFile(const std::filesystem::path &path, std::size_t max_bytes = 64u << 20);

// The first bytes of a file, fewer where it has no more; empty for what is no file or cannot be read. Waits for no pipe.
[[nodiscard]] std::string firstBytes(const std::filesystem::path &path, std::size_t most) noexcept;

// Writes to a temporary file beside `path`, flushes it to disk and renames it over `path`: readers see the old file or the new
// one, never half of it.
void writeFileAtomically(const std::filesystem::path &path, std::string_view content);

// An append-only file that survives a crash: append() hands the bytes to the system at once, sync() to the disk.
class AppendFile {
  public:
    // Creates the file or continues it. `keep_bytes`: where given, the file is first cut to this length (a torn last record).
    explicit AppendFile(const std::filesystem::path &path, std::int64_t keep_bytes = -1);
    ~AppendFile();
    AppendFile(AppendFile &&other) noexcept;
    AppendFile &operator=(AppendFile &&other) noexcept;
    AppendFile(const AppendFile &) = delete;
    AppendFile &operator=(const AppendFile &) = delete;

    // Throws Error(Storage) when not all bytes could be written; the file is then cut back to its length before the call,
    // so that a full disk never leaves half a record.
    void append(std::span<const std::byte> bytes);
    void append(std::string_view text);
    void sync();
    [[nodiscard]] std::int64_t size() const noexcept { return m_size; }

  private:
    std::filesystem::path m_path;
    int m_fd = -1;
    std::int64_t m_size = 0;
};

}  // namespace braid
