// A cache on disk of large blocks of bytes by a 64-bit key, append-only: "NAME.data" holds the blocks one after the other, "NAME.index"
// a line "KEY OFFSET BYTES" for each. A run that was stopped goes on where it ended; a block half written is cut off when the store is
// next opened. Reading is a memory map. Errors: Error(Storage), Error(Input). Thread: const functions from any, once adding is over.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "core/base/file.h"

namespace braid::train {

class KeyedStore {
  public:
    // `path` without ending; its folder is made where it is missing.
    explicit KeyedStore(std::filesystem::path path);

    [[nodiscard]] bool contains(std::uint64_t key) const { return m_places.count(key) > 0; }
    // Throws Error(Internal) for a key that is there already.
    void add(std::uint64_t key, std::span<const std::byte> bytes);
    // Maps what was added; only then blocks can be read.
    void finishAdding();
    // Empty optional where the key is unknown. Valid as long as the store.
    [[nodiscard]] std::optional<std::span<const std::byte>> find(std::uint64_t key) const;
    [[nodiscard]] std::size_t size() const noexcept { return m_places.size(); }

  private:
    struct Place {
        std::int64_t offset = 0;
        std::int64_t bytes = 0;
    };
    std::filesystem::path m_path;
    std::unordered_map<std::uint64_t, Place> m_places;
    std::unique_ptr<AppendFile> m_data;
    std::unique_ptr<AppendFile> m_index;
    std::optional<MappedFile> m_mapped;
};

// FNV-1a, 64 bits.
[[nodiscard]] std::uint64_t keyOf(std::string_view text) noexcept;

}  // namespace braid::train
