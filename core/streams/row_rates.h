// How fast the newest rows of a conversation came, in time of computing. Thread: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

namespace braid::streams {

class RowRates {
  public:
    void add(double ms, std::int64_t words)
    {
        m_rows.push_back({ms, words});
        m_ms += ms;
        m_words += words;
        if (m_rows.size() > kRowsCounted) {
            m_ms -= m_rows.front().ms;
            m_words -= m_rows.front().words;
            m_rows.pop_front();
        }
    }
    // 0 before the first row.
    [[nodiscard]] double wordsPerSecond() const { return m_ms > 0 ? static_cast<double>(m_words) * 1000 / m_ms : 0; }
    [[nodiscard]] double rowsPerSecond() const { return m_ms > 0 ? static_cast<double>(m_rows.size()) * 1000 / m_ms : 0; }

  private:
    static constexpr std::size_t kRowsCounted = 64;
    struct Row {
        double ms = 0;
        std::int64_t words = 0;
    };
    std::deque<Row> m_rows;
    double m_ms = 0;
    std::int64_t m_words = 0;
};

}  // namespace braid::streams
