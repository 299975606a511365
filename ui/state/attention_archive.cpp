#include "ui/state/attention_archive.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace braid::ui {
namespace {

// What is looked at less than this, of a row's greatest weight, reads as nothing where it goes on for kShortestHole columns.
constexpr float kNothingBelow = 0.01F;
constexpr std::ptrdiff_t kShortestHole = 8;

// A word's start may move this much between a look of the model and its commitment.
constexpr Sample kSameStart = samplesFromMs(500);

struct RowLabel {
    const std::string *text = nullptr;
    Sample start = 0;
};

// The neighbouring rows [first, first + count) of the word that begins nearest to `word`, of those whose tokens are the first ones of it.
struct RowRange {
    int first = 0;
    int count = 0;
};

RowRange findRows(const std::vector<RowLabel> &rows, const text::Word &word, Sample offset)
{
    RowRange found;
    Sample nearest = kSameStart + 1;
    for (std::size_t first = 0, behind = 0; first < rows.size(); first = behind) {
        while (behind < rows.size() && rows[behind].start == rows[first].start) {
            ++behind;
        }
        const Sample away = std::abs(offset + rows[first].start - word.start_sample);
        const bool is_said = behind - first <= word.tokens.size() &&
                             std::equal(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.begin() + static_cast<std::ptrdiff_t>(behind),
                                        word.tokens.begin(), [](const RowLabel &row, const text::Token &token) { return *row.text == token.text; });
        if (is_said && away < nearest) {
            nearest = away;
            found = {static_cast<int>(first), static_cast<int>(behind - first)};
        }
    }
    return found;
}

std::vector<RowLabel> labelsOf(const captions::AttentionMap &map)
{
    std::vector<RowLabel> labels;
    const std::size_t rows = std::min({static_cast<std::size_t>(std::max(0, map.rows)), map.row_labels.size(), map.row_starts.size()});
    for (std::size_t row = 0; row < rows; ++row) {
        labels.push_back({&map.row_labels[row], map.row_starts[row]});
    }
    return labels;
}

bool reaches(const text::Word &word, Sample first, Sample last)
{
    return first <= word.start_sample && word.end_sample <= last;
}

}  // namespace

std::vector<int> rowsOfWord(const captions::AttentionMap &map, const text::Word &word, Sample offset)
{
    const RowRange range = findRows(labelsOf(map), word, offset);
    std::vector<int> rows(static_cast<std::size_t>(range.count));
    std::iota(rows.begin(), rows.end(), range.first);
    return rows;
}

AttentionArchive::Packed AttentionArchive::pack(const AttentionRecord &record)
{
    const captions::AttentionMap &map = *record.map;
    Packed packed{0, record.offset, map.first_column_sample, map.column_samples, map.columns, {}, sizeof(Packed)};
    for (int row = 0; row < map.rows; ++row) {
        const auto begin = map.weights.begin() + static_cast<std::ptrdiff_t>(row) * map.columns;
        const auto end = begin + map.columns;
        PackedRow kept;
        kept.label = row < static_cast<int>(map.row_labels.size()) ? map.row_labels[static_cast<std::size_t>(row)] : std::string();
        kept.start = row < static_cast<int>(map.row_starts.size()) ? map.row_starts[static_cast<std::size_t>(row)] : map.first_column_sample;
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
        map->row_starts.push_back(kept.start);
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
        if (word.tokens.empty() ? reaches(word, first, first + map.column_samples * map.columns) : findRows(labelsOf(map), word, m_newest.offset).count > 0) {
            return m_newest;
        }
    }
    std::vector<RowLabel> labels;
    for (auto packed = m_packed.rbegin(); packed != m_packed.rend(); ++packed) {
        const Sample first = packed->offset + packed->first_column_sample;
        if (word.end_sample < first || word.start_sample > packed->end()) {
            continue;
        }
        labels.clear();
        std::transform(packed->rows.begin(), packed->rows.end(), std::back_inserter(labels), [](const PackedRow &row) {
            return RowLabel{&row.label, row.start};
        });
        if (word.tokens.empty() ? reaches(word, first, packed->end()) : findRows(labels, word, packed->offset).count > 0) {
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
