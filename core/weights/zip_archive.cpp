#include "core/weights/zip_archive.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#ifdef BRAID_HAS_ZLIB
#include <zlib.h>
#endif

#include "core/base/error.h"
#include "core/base/file.h"

namespace braid::weights {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kEndOfDirectory = 0x06054b50;
constexpr std::uint32_t kZip64EndOfDirectory = 0x06064b50;
constexpr std::uint32_t kZip64Locator = 0x07064b50;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLocatorSize = 20;
constexpr std::size_t kZip64EndSize = 56;
constexpr std::size_t kDirectoryEntrySize = 46;
constexpr std::size_t kLocalHeaderSize = 30;
constexpr std::uint32_t kIn64Bits32 = 0xFFFFFFFF;  // "look into the zip64 field"
constexpr std::uint16_t kIn64Bits16 = 0xFFFF;
#ifdef BRAID_HAS_ZLIB
constexpr std::uint64_t kMaxDeflateRatio = 1032;  // the format cannot do better
#endif
constexpr const char *kRemedy = "The file is damaged or was not downloaded completely";

[[noreturn]] void refuse(const std::string &happened, const std::string &where)
{
    throw Error(ErrorKind::Model, happened, where, kRemedy);
}

// Little-endian numbers out of a part of the file; every access is checked.
class Fields {
  public:
    Fields(std::span<const std::byte> bytes, const std::string &where)
        : m_bytes(bytes)
        , m_where(where)
    {
    }
    [[nodiscard]] std::uint64_t number(std::size_t offset, std::size_t size) const
    {
        if (offset > m_bytes.size() || size > m_bytes.size() - offset) {
            refuse("its table of contents ends too early", m_where);
        }
        std::uint64_t value = 0;
        for (std::size_t i = size; i-- > 0;) {
            value = value << 8 | std::to_integer<std::uint64_t>(m_bytes[offset + i]);
        }
        return value;
    }
    [[nodiscard]] std::uint16_t u16(std::size_t offset) const { return static_cast<std::uint16_t>(number(offset, 2)); }
    [[nodiscard]] std::uint32_t u32(std::size_t offset) const { return static_cast<std::uint32_t>(number(offset, 4)); }
    [[nodiscard]] std::uint64_t u64(std::size_t offset) const { return number(offset, 8); }
    [[nodiscard]] std::string_view text(std::size_t offset, std::size_t size) const
    {
        if (offset > m_bytes.size() || size > m_bytes.size() - offset) {
            refuse("its table of contents ends too early", m_where);
        }
        return {reinterpret_cast<const char *>(m_bytes.data()) + offset, size};
    }

  private:
    std::span<const std::byte> m_bytes;
    const std::string &m_where;
};

struct Directory {
    std::uint64_t offset;
    std::uint64_t size;
    std::uint64_t entry_count;
};

// The end record stands at the very end, behind it only a comment of the length it names.
std::optional<std::size_t> findEndRecord(std::span<const std::byte> bytes, const Fields &fields)
{
    if (bytes.size() < kEndSize) {
        return std::nullopt;
    }
    const auto last = bytes.size() - kEndSize;
    const auto first = last - std::min<std::size_t>(last, 0xFFFF);
    for (auto offset = last + 1; offset-- > first;) {
        if (fields.u32(offset) == kEndOfDirectory && offset + kEndSize + fields.u16(offset + 20) == bytes.size()) {
            return offset;
        }
    }
    return std::nullopt;
}

Directory findDirectory(std::span<const std::byte> bytes, const std::string &where)
{
    const Fields fields(bytes, where);
    const auto found = findEndRecord(bytes, fields);
    if (!found) {
        refuse("this zip file has no end: its table of contents is missing", where);
    }
    const auto end = *found;
    Directory directory{fields.u32(end + 16), fields.u32(end + 12), fields.u16(end + 10)};
    std::uint64_t limit = end;
    const bool is_zip64 = directory.offset == kIn64Bits32 || directory.size == kIn64Bits32 || directory.entry_count == kIn64Bits16;
    if (is_zip64 && end >= kLocatorSize && fields.u32(end - kLocatorSize) == kZip64Locator) {
        const auto record = fields.u64(end - kLocatorSize + 8);
        if (record > end - kLocatorSize || end - kLocatorSize - record < kZip64EndSize ||
            fields.u32(static_cast<std::size_t>(record)) != kZip64EndOfDirectory) {
            refuse("its 64-bit table of contents is not where it should be", where);
        }
        const auto at = static_cast<std::size_t>(record);
        directory = {fields.u64(at + 48), fields.u64(at + 40), fields.u64(at + 32)};
        limit = record;
    }
    if (directory.offset > limit || directory.size > limit - directory.offset) {
        refuse("its table of contents reaches past the end of the file", where);
    }
    if (directory.entry_count > directory.size / kDirectoryEntrySize) {
        refuse("its table of contents is too short for its entries", where);
    }
    return directory;
}

// Sizes that do not fit 32 bits stand in the extra field 1, in this order, only where the 32-bit one says so.
void applyZip64(const Fields &fields, std::size_t extra, std::size_t extra_size, std::uint64_t &size, std::uint64_t &packed, std::uint64_t &offset)
{
    const auto end = extra + extra_size;
    while (extra + 4 <= end) {
        const auto kind = fields.u16(extra);
        std::size_t length = fields.u16(extra + 2);
        extra += 4;
        if (length > end - extra) {
            return;
        }
        if (kind == 1) {
            auto at = extra;
            for (auto *value : {&size, &packed, &offset}) {
                if (*value == kIn64Bits32 && length >= 8) {
                    *value = fields.u64(at);
                    at += 8;
                    length -= 8;
                }
            }
            return;
        }
        extra += length;
    }
}

}  // namespace

bool ZipArchive::looksLikeZip(std::span<const std::byte> bytes) noexcept
{
    return bytes.size() >= 4 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'} &&
           ((bytes[2] == std::byte{3} && bytes[3] == std::byte{4}) || (bytes[2] == std::byte{5} && bytes[3] == std::byte{6}));
}

ZipArchive::ZipArchive(const std::filesystem::path &path)
    : m_where(path.string())
{
    auto file = std::make_shared<const MappedFile>(path);
    m_bytes = file->bytes();
    m_owner = std::move(file);
    readDirectory();
}

ZipArchive::ZipArchive(std::span<const std::byte> bytes, std::shared_ptr<const void> owner, std::string where)
    : m_bytes(bytes)
    , m_owner(std::move(owner))
    , m_where(std::move(where))
{
    readDirectory();
}

void ZipArchive::readDirectory()
{
    const auto directory = findDirectory(m_bytes, m_where);
    const Fields file(m_bytes, m_where);
    const Fields fields(m_bytes.subspan(static_cast<std::size_t>(directory.offset), static_cast<std::size_t>(directory.size)), m_where);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> extents;  // from each local header to the end of its data
    std::size_t at = 0;
    for (std::uint64_t i = 0; i < directory.entry_count; ++i) {
        if (fields.u32(at) != kDirectoryEntry) {
            refuse("its table of contents is broken", m_where);
        }
        const auto flags = fields.u16(at + 8);
        const auto method = fields.u16(at + 10);
        std::uint64_t packed = fields.u32(at + 20);
        std::uint64_t size = fields.u32(at + 24);
        const std::size_t name_size = fields.u16(at + 28);
        const std::size_t extra_size = fields.u16(at + 30);
        const std::size_t comment_size = fields.u16(at + 32);
        std::uint64_t local = fields.u32(at + 42);
        const std::string name(fields.text(at + kDirectoryEntrySize, name_size));
        applyZip64(fields, at + kDirectoryEntrySize + name_size, extra_size, size, packed, local);
        if ((flags & 1) != 0) {
            throw Error(ErrorKind::Model, "its contents are encrypted", m_where, "Unpack it with its password first");
        }
        if (method != 0 && method != 8) {
            throw Error(ErrorKind::Model, "the entry \"" + name + "\" is compressed in a way this program does not read", m_where);
        }
        // The local header must be there and speak of the same entry; its name and extra field say where the data begins.
        if (local > directory.offset || directory.offset - local < kLocalHeaderSize || file.u32(static_cast<std::size_t>(local)) != kLocalHeader) {
            refuse("the entry \"" + name + "\" is not where the table of contents says", m_where);
        }
        const auto header = static_cast<std::size_t>(local);
        const std::uint64_t local_name_size = file.u16(header + 26);
        const auto data = local + kLocalHeaderSize + local_name_size + file.u16(header + 28);
        if (data > directory.offset || packed > directory.offset - data) {
            refuse("the entry \"" + name + "\" reaches past the end of the file", m_where);
        }
        if (file.u16(header + 8) != method || file.text(header + kLocalHeaderSize, static_cast<std::size_t>(local_name_size)) != name) {
            refuse("the entry \"" + name + "\" is another one than the table of contents says", m_where);
        }
        if (method == 0 && packed != size) {
            refuse("the entry \"" + name + "\" has two different lengths", m_where);
        }
        const auto compression = method == 0 ? Compression::Stored : Compression::Deflated;
        if (!m_entries.try_emplace(name, Entry{compression, data, packed, size, fields.u32(at + 16)}).second) {
            refuse("the entry \"" + name + "\" is there twice", m_where);
        }
        extents.emplace_back(local, data + packed);
        at += kDirectoryEntrySize + name_size + extra_size + comment_size;
    }
    std::sort(extents.begin(), extents.end());
    for (std::size_t i = 1; i < extents.size(); ++i) {
        if (extents[i].first < extents[i - 1].second) {
            refuse("two of its entries overlap", m_where);
        }
    }
}

ZipArchive::Content ZipArchive::read(std::string_view name, std::uint64_t max_bytes) const
{
    const auto position = m_entries.find(name);
    if (position == m_entries.end()) {
        refuse("the entry \"" + std::string(name) + "\" is missing", m_where);
    }
    const auto &entry = position->second;
    if (entry.size_bytes > max_bytes) {
        refuse("the entry \"" + std::string(name) + "\" is larger (" + std::to_string(entry.size_bytes) + " bytes) than it may be", m_where);
    }
    const auto packed = m_bytes.subspan(static_cast<std::size_t>(entry.data_offset), static_cast<std::size_t>(entry.packed_bytes));
    if (entry.compression == Compression::Stored) {
        return {packed, m_owner};
    }
#ifdef BRAID_HAS_ZLIB
    // The size is a stranger's word: no memory for more than the packed bytes can give.
    if (entry.size_bytes / kMaxDeflateRatio > entry.packed_bytes || entry.packed_bytes > 0xFFFFFFFF || entry.size_bytes > 0xFFFFFFFF) {
        refuse("the entry \"" + std::string(name) + "\" claims a size it cannot have", m_where);
    }
    auto buffer = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(entry.size_bytes));
    std::byte nothing{};
    z_stream stream{};
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<std::byte *>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef *>(buffer->empty() ? &nothing : buffer->data());
    stream.avail_out = static_cast<uInt>(buffer->size());
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        throw Error(ErrorKind::Internal, "zlib could not be started", m_where);
    }
    const int result = inflate(&stream, Z_FINISH);
    const bool is_whole = result == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    if (!is_whole || crc32(0, reinterpret_cast<const Bytef *>(buffer->data()), static_cast<uInt>(buffer->size())) != entry.crc32) {
        refuse("the entry \"" + std::string(name) + "\" cannot be unpacked", m_where);
    }
    return {*buffer, buffer};
#else
    throw Error(ErrorKind::Model, "its contents are compressed, and this build has no zlib to unpack them", m_where,
                "Build Braid with zlib, or store the file without compression");
#endif
}

}  // namespace braid::weights
