// A zip file read through its central directory: what torch.save and numpy.savez write. Stored entries are views into the memory map;
// deflated ones are inflated where zlib is there. Zip64, data descriptors and unusual extra fields are understood; encrypted, split and
// overlapping entries are refused. Every offset is checked. Errors: Error(Model). Thread: const functions from any thread.
// Source: PKWARE APPNOTE 6.3, sections 4.3.7 to 4.3.16, 4.5.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace braid::weights {

class ZipArchive {
  public:
    explicit ZipArchive(const std::filesystem::path &path);
    // `owner` keeps `bytes` alive; `where` is for error sentences.
    ZipArchive(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string where);

    enum class Compression { Stored = 1, Deflated };
    struct Entry {
        Compression compression = Compression::Stored;
        std::uint64_t data_offset = 0;
        std::uint64_t packed_bytes = 0;
        std::uint64_t size_bytes = 0;
        std::uint32_t crc32 = 0;
    };
    using Entries = std::map<std::string, Entry, std::less<>>;

    struct Content {
        std::span<const std::byte> bytes;
        std::shared_ptr<const void> owner;
    };

    // Starts with a zip's first bytes, or is an empty zip.
    [[nodiscard]] static bool looksLikeZip(std::span<const std::byte> bytes) noexcept;

    [[nodiscard]] const Entries &entries() const noexcept { return m_entries; }
    [[nodiscard]] bool contains(std::string_view name) const { return m_entries.contains(name); }
    // Throws where the entry is missing or, unpacked, larger than `max_bytes`.
    [[nodiscard]] Content read(std::string_view name, std::uint64_t max_bytes) const;
    [[nodiscard]] const std::string &where() const noexcept { return m_where; }

  private:
    void readDirectory();

    std::span<const std::byte> m_bytes;
    std::shared_ptr<const void> m_owner;
    std::string m_where;
    Entries m_entries;
};

}  // namespace braid::weights
