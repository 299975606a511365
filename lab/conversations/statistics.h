// What a heap of tables is like: how long, how parallel, who says how much, which words. For people, before a training. Thread: any.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/streams/table.h"

namespace braid::conversations {

class TableStatistics {
  public:
    // `kind`: what to count it under ("arithmetic").
    void add(const std::string &kind, const streams::TextTable &table);

    [[nodiscard]] std::size_t tables() const noexcept { return m_tables; }
    [[nodiscard]] std::size_t rows() const noexcept { return m_rows; }
    [[nodiscard]] std::size_t cells() const noexcept { return m_words; }  // that are not silent
    [[nodiscard]] double parallelShare() const noexcept;                  // of the rows with a word, in which two streams or more speak
    [[nodiscard]] std::size_t distinctCells() const noexcept { return m_cells.size(); }
    [[nodiscard]] std::size_t wordsOf(const std::string &stream) const;
    [[nodiscard]] std::size_t rowsAtShare(double share) const;  // the length that this share of the tables does not exceed
    [[nodiscard]] std::string text() const;

  private:
    std::size_t m_tables = 0;
    std::size_t m_rows = 0;
    std::size_t m_words = 0;
    std::size_t m_spoken_rows = 0;
    std::size_t m_parallel_rows = 0;
    std::map<std::string, std::size_t> m_kinds;
    std::map<std::string, std::size_t> m_streams;
    std::map<std::string, std::size_t> m_cells;
    std::map<std::size_t, std::size_t> m_lengths;
};

}  // namespace braid::conversations
