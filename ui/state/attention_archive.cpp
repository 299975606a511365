#include "ui/state/attention_archive.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace braid::ui {
namespace {

// What is looked at less than this, of a row's greatest weight, reads as nothing where it goes on for kShortestHole columns.
constexpr float kNothingBelow = 0.01F;
constexpr std::ptrdiff_t kShortestHole = 8;

template <typename Rows, typename LabelOf>
bool holdsAnyToken(const text::Word &word, const Rows &rows, LabelOf label_of)
{
    return std::any_of(word.tokens.begin(), word.tokens.end(), [&](const text::Token &token) {
        return std::any_of(rows.begin(), rows.end(), [&](const auto &row) { return label_of(row) == token.text; });
    });
}

bool reaches(const text::Word &word, Sample first, Sample last)
{
    return first <= word.start_sample && word.end_sample <= last;
}

}  // namespace

AttentionArchive::Packed AttentionArchive::pack(const AttentionRecord &record)
{
    const captions::AttentionMap &map = *record.map;
    Packed packed{0, record.offset, map.first_column_sample, map.column_samples, map.columns, {}, sizeof(Packed)};
    for (int row = 0; row < map.rows; ++row) {
        const auto begin = map.weights.begin() + static_cast<std::ptrdiff_t>(row) * map.columns;
        const auto end = begin + map.columns;
        PackedRow kept;
        kept.label = row < static_cast<int>(map.row_labels.size()) ? map.row_labels[static_cast<std::size_t>(row)] : std::string();
        kept.greatest = map.columns > 0 ? *std::max_element(begin, end) : 0;
        const auto is_seen = [&kept](float weight) { return weight > 0 && weight >= kept.greatest * kNothingBelow; };
        for (auto first = std::find_if(begin, end, is_seen); first != end;) {
            auto last = first + 1;  // one behind the newest weight that counts
            auto next = std::find_if(last, end, is_seen);
            while (next != end && next - last < kShortestHole) {
                last = next + 1;
                next = std::find_if(last, end, is_seen);
            }
            kept.stretches.push_back({static_cast<std::int32_t>(first - begin), static_cast<std::int32_t>(last - first)});
            std::transform(first, last, std::back_inserter(kept.weights),
                           [&kept](float weight) { return static_cast<std::uint8_t>(std::lround(std::clamp(weight / kept.greatest, 0.0F, 1.0F) * 255)); });
            first = next;
        }
        kept.weights.shrink_to_fit();
        packed.bytes += sizeof(PackedRow) + kept.weights.capacity() + kept.stretches.capacity() * sizeof(Stretch) + kept.label.capacity();
        packed.rows.push_back(std::move(kept));
    }
    return packed;
}

AttentionRecord AttentionArchive::unpack(const Packed &packed)
{
    auto map = std::make_shared<captions::AttentionMap>();
    map->first_column_sample = packed.first_column_sample;
    map->column_samples = packed.column_samples;
    map->rows = static_cast<int>(packed.rows.size());
    map->columns = packed.columns;
    map->weights.assign(packed.rows.size() * static_cast<std::size_t>(packed.columns), 0.0F);
    for (std::size_t row = 0; row < packed.rows.size(); ++row) {
        const PackedRow &kept = packed.rows[row];
        map->row_labels.push_back(kept.label);
        auto weight = kept.weights.begin();
        for (const Stretch &stretch : kept.stretches) {
            const auto first = map->weights.begin() + static_cast<std::ptrdiff_t>(row) * packed.columns + stretch.first_column;
            std::transform(weight, weight + stretch.columns, first, [&kept](std::uint8_t value) { return static_cast<float>(value) / 255 * kept.greatest; });
            weight += stretch.columns;
        }
    }
    return {std::move(map), packed.offset};
}

void AttentionArchive::add(std::shared_ptr<const captions::AttentionMap> map, Sample offset)
{
    if (!map || map == m_newest.map || map->weights.size() != static_cast<std::size_t>(map->rows) * static_cast<std::size_t>(map->columns)) {
        return;
    }
    if (m_newest.map) {
        m_packed.push_back(pack(m_newest));
        m_packed.back().number = m_next_number++;
        m_bytes += m_packed.back().bytes;
    }
    m_newest = {std::move(map), offset};
    const Sample now = m_newest.offset + m_newest.map->first_column_sample + m_newest.map->column_samples * m_newest.map->columns;
    while (!m_packed.empty() && (m_bytes > kMostBytes || m_packed.front().end() < now - kKeptSamples)) {
        m_bytes -= m_packed.front().bytes;
        m_packed.pop_front();
    }
}

void AttentionArchive::clear()
{
    m_newest = {};
    m_packed.clear();
    m_bytes = 0;
    m_unpacked = {};
    m_unpacked_number = 0;
}

AttentionRecord AttentionArchive::find(const text::Word &word) const
{
    if (m_newest.map) {
        const captions::AttentionMap &map = *m_newest.map;
        const Sample first = m_newest.offset + map.first_column_sample;
        if (reaches(word, first, first + map.column_samples * map.columns) &&
            (word.tokens.empty() || holdsAnyToken(word, map.row_labels, [](const std::string &label) -> const std::string & { return label; }))) {
            return m_newest;
        }
    }
    for (auto packed = m_packed.rbegin(); packed != m_packed.rend(); ++packed) {
        if (reaches(word, packed->offset + packed->first_column_sample, packed->end()) &&
            (word.tokens.empty() || holdsAnyToken(word, packed->rows, [](const PackedRow &row) -> const std::string & { return row.label; }))) {
            if (m_unpacked_number != packed->number) {
                m_unpacked = unpack(*packed);
                m_unpacked_number = packed->number;
            }
            return m_unpacked;
        }
    }
    return {};
}

}  // namespace braid::ui
