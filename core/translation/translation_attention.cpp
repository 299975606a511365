#include "core/translation/translation_attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/text/transcript_json.h"

namespace braid::translation {
namespace {

using Json = nlohmann::ordered_json;

std::size_t cell(const AttentionTable &table, std::int64_t row, std::int64_t column)
{
    return static_cast<std::size_t>(row * table.columns + column);
}

bool wasRead(const AttentionTable &table, std::int64_t row, std::int64_t column)
{
    return column < table.read_units[static_cast<std::size_t>(row)];
}

// Of the rows that had read it; 0 where none had.
double columnMean(const AttentionTable &table, std::int64_t column)
{
    double sum = 0;
    std::int64_t rows = 0;
    for (std::int64_t row = 0; row < table.rows; ++row) {
        if (wasRead(table, row, column)) {
            sum += table.at(row, column);
            ++rows;
        }
    }
    return rows > 0 ? sum / static_cast<double>(rows) : 0;
}

void removeSink(AttentionTable &table, std::int64_t sink)
{
    for (std::int64_t row = 0; row < table.rows; ++row) {
        double whole = 0;
        for (std::int64_t column = 0; column < table.columns; ++column) {
            whole += table.at(row, column);
        }
        const double rest = whole - table.at(row, sink);
        table.weights[cell(table, row, sink)] = 0;
        for (std::int64_t column = 0; rest > 0 && column < table.columns; ++column) {
            table.weights[cell(table, row, column)] *= static_cast<float>(whole / rest);
        }
    }
}

// (w - least) / (most - least), over cells that were read.
class Range {
  public:
    void take(float weight)
    {
        m_least = m_is_empty ? weight : std::min(m_least, weight);
        m_most = m_is_empty ? weight : std::max(m_most, weight);
        m_is_empty = false;
    }
    [[nodiscard]] float scaled(float weight) const
    {
        if (m_most <= m_least) {
            return m_most > 0 ? 1.0F : 0.0F;
        }
        return (weight - m_least) / (m_most - m_least);
    }

  private:
    float m_least = 0;
    float m_most = 0;
    bool m_is_empty = true;
};

void scale(AttentionTable &table, AttentionScale scale)
{
    if (scale == AttentionScale::AsIs) {
        return;
    }
    const auto lineOf = [&](std::int64_t row, std::int64_t column) { return static_cast<std::size_t>(scale == AttentionScale::PerRow ? row : column); };
    std::vector<Range> ranges(static_cast<std::size_t>(std::max(table.rows, table.columns)));
    const auto forEachRead = [&](const auto &visit) {
        for (std::int64_t row = 0; row < table.rows; ++row) {
            for (std::int64_t column = 0; column < table.columns && wasRead(table, row, column); ++column) {
                visit(ranges[lineOf(row, column)], table.weights[cell(table, row, column)]);
            }
        }
    };
    forEachRead([](Range &range, float &weight) { range.take(weight); });
    forEachRead([](Range &range, float &weight) { weight = range.scaled(weight); });
}

double rounded(double value)
{
    return std::round(value * 1e5) / 1e5;
}

Json rowsOf(const AttentionTable &table)
{
    Json rows = Json::array();
    for (std::int64_t row = 0; row < table.rows; ++row) {
        Json weights = Json::array();
        for (std::int64_t column = 0; column < table.columns; ++column) {
            weights.push_back(rounded(table.at(row, column)));
        }
        rows.push_back(std::move(weights));
    }
    return rows;
}

const char *nameOf(AttentionScale scale)
{
    switch (scale) {
    case AttentionScale::AsIs:
        return "none";
    case AttentionScale::PerRow:
        return "target word";
    case AttentionScale::PerColumn:
        return "source unit";
    }
    return "none";
}

}  // namespace

AttentionTable attentionTable(std::span<const TranslatedWord> words, std::int64_t source_units)
{
    AttentionTable table;
    table.rows = static_cast<std::int64_t>(words.size());
    table.columns = std::max<std::int64_t>(source_units, 0);
    for (const TranslatedWord &word : words) {
        table.columns = std::max({table.columns, word.read_units, static_cast<std::int64_t>(word.attention.size())});
        table.read_units.push_back(word.read_units);
    }
    table.weights.assign(static_cast<std::size_t>(table.rows * table.columns), 0);
    for (std::size_t row = 0; row < words.size(); ++row) {
        std::copy(words[row].attention.begin(), words[row].attention.end(), table.weights.begin() + static_cast<std::ptrdiff_t>(row) * table.columns);
    }
    return table;
}

std::int64_t sinkColumn(const AttentionTable &table)
{
    if (table.columns < 4 || table.rows < 2) {
        return -1;
    }
    const double first = columnMean(table, 0);
    std::vector<double> others;
    for (std::int64_t column = 1; column < table.columns; ++column) {
        others.push_back(columnMean(table, column));
    }
    std::sort(others.begin(), others.end());
    return first > others.back() && first > 3 * others[others.size() / 2] ? 0 : -1;
}

AttentionTable readable(const AttentionTable &table, const AttentionView &view)
{
    if (!(view.gamma >= kLeastGamma && view.gamma <= kMostGamma)) {
        throw Error(ErrorKind::Usage, "the gamma of an attention view cannot be " + std::to_string(view.gamma), {}, "It may be 0.05 to 5");
    }
    AttentionTable shown = table;
    if (const std::int64_t sink = view.sink == AttentionSink::Removed ? sinkColumn(table) : -1; sink >= 0) {
        removeSink(shown, sink);
    }
    scale(shown, view.scale);
    for (float &weight : shown.weights) {
        weight = std::clamp(std::pow(std::max(weight, 0.0F), static_cast<float>(view.gamma)), 0.0F, 1.0F);
    }
    return shown;
}

std::vector<StaircaseStep> staircase(std::span<const std::int64_t> read_units, std::int64_t read_now)
{
    std::vector<StaircaseStep> path = {{0, 0}};
    const auto go = [&path](StaircaseStep to) {
        if (path.back() == to) {
            return;
        }
        // Straight on: the corner before is none.
        const bool same_way =
            path.size() > 1 && ((path[path.size() - 2].read_units == path.back().read_units && path.back().read_units == to.read_units) ||
                                (path[path.size() - 2].written_words == path.back().written_words && path.back().written_words == to.written_words));
        if (same_way) {
            path.back() = to;
        } else {
            path.push_back(to);
        }
    };
    for (const std::int64_t read : read_units) {
        go({read, path.back().written_words});
        go({read, path.back().written_words + 1});
    }
    go({std::max(read_now, path.back().read_units), path.back().written_words});
    return path;
}

std::string attentionJson(std::span<const SentenceAttention> sentences, const AttentionView &view)
{
    Json json = {{"format", "braid-translation-attention"},
                 {"version", 1},
                 {"view", {{"scaled_per", nameOf(view.scale)}, {"gamma", view.gamma}, {"sink", view.sink == AttentionSink::Kept ? "kept" : "removed"}}},
                 {"sentences", Json::array()}};
    for (const SentenceAttention &sentence : sentences) {
        const AttentionTable table = attentionTable(sentence.target, static_cast<std::int64_t>(sentence.source.size()) + 1);
        Json target = Json::array();
        for (const TranslatedWord &word : sentence.target) {
            target.push_back(word.text);
        }
        Json steps = Json::array();
        for (const StaircaseStep &step : staircase(table.read_units, table.columns)) {
            steps.push_back({step.read_units, step.written_words});
        }
        json["sentences"].push_back({{"source", sentence.source},
                                     {"target", std::move(target)},
                                     {"read_units", table.read_units},
                                     {"weights", rowsOf(table)},
                                     {"readable", rowsOf(readable(table, view))},
                                     {"staircase", std::move(steps)}});
    }
    return text::jsonLine(json);
}

}  // namespace braid::translation
