#include "lab/conversations/statistics.h"

#include <algorithm>
#include <cstdio>

namespace braid::conversations {

void TableStatistics::add(const std::string &kind, const streams::TextTable &table)
{
    ++m_tables;
    ++m_kinds[kind];
    ++m_lengths[table.rows.size()];
    m_rows += table.rows.size();
    for (const auto &row : table.rows) {
        std::size_t speaking = 0;
        for (std::size_t stream = 0; stream < row.size(); ++stream) {
            if (!row[stream].empty()) {
                ++speaking;
                ++m_streams[table.streams[stream]];
                ++m_cells[row[stream]];
            }
        }
        m_words += speaking;
        m_spoken_rows += speaking > 0 ? 1 : 0;
        m_parallel_rows += speaking > 1 ? 1 : 0;
    }
}

double TableStatistics::parallelShare() const noexcept
{
    return m_spoken_rows == 0 ? 0 : static_cast<double>(m_parallel_rows) / static_cast<double>(m_spoken_rows);
}

std::size_t TableStatistics::wordsOf(const std::string &stream) const
{
    const auto found = m_streams.find(stream);
    return found == m_streams.end() ? 0 : found->second;
}

std::size_t TableStatistics::rowsAtShare(double share) const
{
    std::size_t seen = 0;
    for (const auto &[length, count] : m_lengths) {
        seen += count;
        if (static_cast<double>(seen) >= share * static_cast<double>(m_tables)) {
            return length;
        }
    }
    return 0;
}

std::string TableStatistics::text() const
{
    const auto per_table = [this](std::size_t count) { return m_tables == 0 ? 0 : static_cast<double>(count) / static_cast<double>(m_tables); };
    char line[200];
    std::snprintf(line, sizeof line, "%zu tables, %zu rows (half have at most %zu, 95 %% at most %zu), %zu words, %zu different cells\n", m_tables, m_rows,
                  rowsAtShare(0.5), rowsAtShare(0.95), m_words, m_cells.size());
    std::string text = line;
    std::snprintf(line, sizeof line, "two streams or more speak in %.1f %% of the rows in which anybody does\n", 100 * parallelShare());
    text += line;
    for (const auto &[stream, count] : m_streams) {
        std::snprintf(line, sizeof line, "  %-16.60s %8.1f words a table\n", stream.c_str(), per_table(count));
        text += line;
    }
    for (const auto &[kind, count] : m_kinds) {
        std::snprintf(line, sizeof line, "  %-16.60s %8.1f %% of the tables\n", kind.c_str(), 100 * per_table(count));
        text += line;
    }
    return text;
}

}  // namespace braid::conversations
