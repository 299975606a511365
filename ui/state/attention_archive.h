// Attention of the last half hour: the newest map whole, those before it packed (of each row the stretches it looks at, a byte a weight).
// Bounded by time and by memory; the oldest goes first. Plain values; GUI thread.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/captions/caption_policy.h"
#include "core/text/transcript.h"

namespace braid::ui {

struct AttentionRecord {
    std::shared_ptr<const captions::AttentionMap> map;
    Sample offset = 0;  // where its run begins on the page's clock
};

// The rows of `word` in `map`: those of its tokens, of a word that begins where it does. A map made before a mark was put behind the word has fewer rows
// than the word has tokens. Empty where the map shows no row of it.
[[nodiscard]] std::vector<int> rowsOfWord(const captions::AttentionMap &map, const text::Word &word, Sample offset);

class AttentionArchive {
  public:
    static constexpr Sample kKeptSamples = samplesFromSeconds(30 * 60);
    static constexpr std::size_t kMostBytes = 64U << 20;

    // `map` is the newest; the same one again changes nothing.
    void add(std::shared_ptr<const captions::AttentionMap> map, Sample offset);
    void clear();
    [[nodiscard]] bool isEmpty() const noexcept { return m_newest.map == nullptr; }
    [[nodiscard]] const AttentionRecord &newest() const noexcept { return m_newest; }
    // The newest map with rows of `word`, of one without tokens the newest with its time in sight; null map where none is kept.
    [[nodiscard]] AttentionRecord find(const text::Word &word) const;
    [[nodiscard]] std::size_t bytes() const noexcept { return m_bytes; }
    [[nodiscard]] std::size_t size() const noexcept { return m_packed.size() + (isEmpty() ? 0 : 1); }

  private:
    struct Stretch {
        std::int32_t first_column = 0;
        std::int32_t columns = 0;
    };
    struct PackedRow {
        std::string label;
        Sample start = 0;  // AttentionMap::row_starts
        float greatest = 0;
        std::vector<Stretch> stretches;     // in order; nothing between them
        std::vector<std::uint8_t> weights;  // of `greatest`, one stretch after the other
    };
    struct Packed {
        std::uint64_t number = 0;
        Sample offset = 0;
        Sample first_column_sample = 0;
        Sample column_samples = 0;
        int columns = 0;
        std::vector<PackedRow> rows;
        std::size_t bytes = 0;
        [[nodiscard]] Sample end() const noexcept { return offset + first_column_sample + column_samples * columns; }
    };
    [[nodiscard]] static Packed pack(const AttentionRecord &record);
    [[nodiscard]] static AttentionRecord unpack(const Packed &packed);

    AttentionRecord m_newest;
    std::deque<Packed> m_packed;  // oldest first
    std::size_t m_bytes = 0;
    std::uint64_t m_next_number = 1;
    // The map that was unpacked last: one word is asked for frame after frame.
    mutable AttentionRecord m_unpacked;
    mutable std::uint64_t m_unpacked_number = 0;
};

}  // namespace braid::ui
