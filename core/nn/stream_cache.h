// The one cache of all decoder-only work: keys and values in the order of arrival, each entry tagged {stream, position, step, kind}.
// Who sees what is a value over the tags (core/paradigms/visibility.h); positions are real numbers given by the caller.
//
// Memory: taken in advance, doubled when it is full, a layer at a time; a step copies only what it adds. Removing the last entries is free.
// Keys lie turned to their positions. A cache that may move positions keeps them un-turned beside (half as much memory again), so that moving turns
// them once, from the original numbers, and a step costs the same either way.
// Thread: owned by one decoding. Source: design.md idea 3; streaming-llm.md 1.6.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "core/nn/placement.h"
#include "core/nn/rotary.h"
#include "core/paradigms/visibility.h"

namespace braid::nn {

enum class KeyStorage : std::uint8_t { Turned = 1, Movable };
// Whether the rows that were fed in the place of tokens are kept, so that all can be computed again (LongRope).
enum class RowStorage : std::uint8_t { Forgotten = 1, Kept };

// In a list of tokens: a row of numbers stands here (of speech, of a picture), which no token names.
inline constexpr std::int32_t kRow = -1;

struct StreamCacheShape {
    std::int64_t layers = 1;
    std::int64_t key_value_heads = 1;
    std::int64_t head_width = 1;
    std::int64_t capacity = 256;  // entries to begin with
    KeyStorage storage = KeyStorage::Turned;
    RowStorage rows = RowStorage::Forgotten;
};

class StreamCache {
  public:
    StreamCache(const StreamCacheShape &shape, const Placement &placement);

    [[nodiscard]] std::int64_t length() const noexcept { return m_length; }
    [[nodiscard]] std::int64_t capacity() const noexcept { return m_capacity; }
    [[nodiscard]] std::uint64_t bytes() const;  // of keys and values, used or not
    [[nodiscard]] KeyStorage storage() const noexcept { return m_shape.storage; }
    [[nodiscard]] std::span<const paradigms::Entry> entries() const noexcept { return {m_entries.data(), static_cast<std::size_t>(m_length)}; }
    [[nodiscard]] double greatestPosition() const;  // 0 where empty
    // How many entries came up to and with this step: what to cut back to when a run is rewound.
    [[nodiscard]] std::int64_t lengthAfterStep(std::int64_t step) const;

    // One pass: begin() with the tags and tokens of what comes, write() for every layer, finish(). What an interrupted pass left is overwritten by the next.
    // `rows`: those that stand where `tokens` has kRow, in order [rows, width]; undefined where it has none.
    void begin(std::span<const paradigms::Entry> coming, std::span<const std::int32_t> tokens, const at::Tensor &rows = {});
    // `keys` un-turned and `turned_keys`, `values`: [coming, key/value heads, head width].
    void write(std::int64_t layer, const at::Tensor &keys, const at::Tensor &turned_keys, const at::Tensor &values);
    void finish();
    [[nodiscard]] std::span<const std::int32_t> tokens() const noexcept { return {m_tokens.data(), static_cast<std::size_t>(m_length)}; }
    // The rows of those of them that are kRow, [rows, width]; undefined where there are none. Errors: Error(Internal) where rows are not kept.
    [[nodiscard]] at::Tensor rows() const;
    // The tags of the cache and of what comes, during a pass.
    [[nodiscard]] std::span<const paradigms::Entry> entriesWithComing() const noexcept { return m_entries; }
    // Of a layer, with what comes: [heads, entries, head width], views.
    [[nodiscard]] at::Tensor keys(std::int64_t layer) const;
    [[nodiscard]] at::Tensor values(std::int64_t layer) const;

    // Forgets all behind `length`.
    void truncate(std::int64_t length);
    // Forgets `count` entries from `first` on; what stands behind moves up and keeps its tags.
    void erase(std::int64_t first, std::int64_t count);
    // Forgets the silent entries from `first` on.
    void eraseSilent(std::int64_t first);

    // Movable only: these entries stand at these positions from now on.
    void move(std::span<const std::int64_t> entries, std::span<const double> positions, const Rotary &rotary);
    // Which frequencies the keys are turned with. Only an empty cache may change it: what deeper layers hold has seen the old ones.
    [[nodiscard]] RotaryReach reach() const noexcept { return m_reach; }
    void setReach(RotaryReach reach);

  private:
    struct Layer {
        at::Tensor turned_keys;  // [heads, capacity, head width]
        at::Tensor values;
        at::Tensor keys;  // Movable
    };
    void grow(std::int64_t entries);
    void turnAgain(std::span<const std::int64_t> entries, const Rotary &rotary);

    StreamCacheShape m_shape;
    Placement m_placement;
    std::vector<Layer> m_layers;
    std::vector<paradigms::Entry> m_entries;  // of the cache, then of what comes
    std::vector<std::int32_t> m_tokens;       // the same
    std::vector<at::Tensor> m_rows;           // the same where rows are kept, undefined for a token; else empty
    std::int64_t m_length = 0;
    std::int64_t m_capacity = 0;
    RotaryReach m_reach = RotaryReach::Short;
};

}  // namespace braid::nn
