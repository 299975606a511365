#include "lab/train/keyed_store.h"

#include <charconv>
#include <cstdio>

#include "core/base/error.h"

namespace braid::train {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostIndexBytes = 1u << 30;

fs::path withEnding(const fs::path &path, const char *ending)
{
    return path.string() + ending;
}

// Takes one whole number and what follows it up to and including `end`; false where that is not there.
template <typename Number>
bool takeNumber(std::string_view &line, Number &value, char end)
{
    const auto [stop, problem] = std::from_chars(line.data(), line.data() + line.size(), value);
    if (problem != std::errc() || stop == line.data() + line.size() || *stop != end) {
        return false;
    }
    line.remove_prefix(static_cast<std::size_t>(stop - line.data()) + 1);
    return true;
}

}  // namespace

std::uint64_t keyOf(std::string_view text) noexcept
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return hash;
}

KeyedStore::KeyedStore(fs::path path)
    : m_path(std::move(path))
{
    std::error_code problem;
    fs::create_directories(m_path.parent_path(), problem);
    if (problem) {
        throw Error(ErrorKind::Storage, "the folder cannot be made (" + problem.message() + ")", m_path.parent_path().string());
    }
    std::int64_t used = 0;
    std::int64_t good_index = 0;
    const auto data_path = withEnding(m_path, ".data");
    const auto index_path = withEnding(m_path, ".index");
    const auto data_size = fs::exists(data_path) ? static_cast<std::int64_t>(fs::file_size(data_path)) : 0;
    if (fs::exists(index_path)) {
        const std::string index = readTextFile(index_path, kMostIndexBytes);
        std::string_view rest = index;
        while (!rest.empty()) {
            std::uint64_t key = 0;
            Place place;
            // Blocks follow each other without holes; whatever does not continue so is the torn end of a run.
            if (!takeNumber(rest, key, ' ') || !takeNumber(rest, place.offset, ' ') || !takeNumber(rest, place.bytes, '\n') || place.offset != used ||
                place.bytes < 0 || place.bytes > data_size - used || !m_places.emplace(key, place).second) {
                break;
            }
            used += place.bytes;
            good_index = static_cast<std::int64_t>(index.size() - rest.size());
        }
    }
    m_data = std::make_unique<AppendFile>(data_path, used);
    m_index = std::make_unique<AppendFile>(index_path, good_index);
}

void KeyedStore::add(std::uint64_t key, std::span<const std::byte> bytes)
{
    if (m_data == nullptr || contains(key)) {
        throw Error(ErrorKind::Internal, "a block was added to a cache twice or too late", m_path.string());
    }
    const Place place{m_data->size(), static_cast<std::int64_t>(bytes.size())};
    m_data->append(bytes);
    m_index->append(std::to_string(key) + " " + std::to_string(place.offset) + " " + std::to_string(place.bytes) + "\n");
    m_places.emplace(key, place);
}

void KeyedStore::finishAdding()
{
    if (m_data == nullptr) {
        return;
    }
    m_data->sync();
    m_index->sync();
    const bool has_bytes = m_data->size() > 0;
    m_data.reset();
    m_index.reset();
    if (has_bytes) {
        m_mapped.emplace(withEnding(m_path, ".data"));
    }
}

std::optional<std::span<const std::byte>> KeyedStore::find(std::uint64_t key) const
{
    const auto found = m_places.find(key);
    if (found == m_places.end()) {
        return std::nullopt;
    }
    if (found->second.bytes == 0) {
        return std::span<const std::byte>();
    }
    if (!m_mapped) {
        throw Error(ErrorKind::Internal, "a cache was read before it was complete", m_path.string());
    }
    return m_mapped->bytes().subspan(static_cast<std::size_t>(found->second.offset), static_cast<std::size_t>(found->second.bytes));
}

}  // namespace braid::train
