// Causal verification by words: a sampled stream must not name what stands only later in a stream it reads. A word counts as named too
// early if it is in a fed stream at this row or later, was in no stream before, and is not common (a list of function words, plus what
// the caller says the assistants may say on their own). Case and punctuation do not count. Thread: any.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/table.h"

namespace braid::conversations {

struct TooEarly {
    std::size_t stream = 0;
    std::size_t row = 0;
    std::string word;
    std::size_t read_at = 0;  // the first row that has it in a fed stream
};

// `roles`: of each column, in order.
[[nodiscard]] std::vector<TooEarly> wordsTooEarly(const streams::TextTable &table, const std::vector<streams::StreamRole> &roles,
                                                  const std::set<std::string> &common = {});
[[nodiscard]] bool isFunctionWord(const std::string &lower_case_word);
// Lower case (ASCII), without punctuation around it.
[[nodiscard]] std::string plainWord(std::string_view cell);

// A word of several cells is one word: " un" "happy" -> "unhappy" with the row at which it is whole.
struct ReadWord {
    std::string word;
    std::size_t row = 0;       // of its first cell
    std::size_t whole_at = 0;  // of its last
};
[[nodiscard]] std::vector<ReadWord> wordsOf(const streams::TextTable &table, std::size_t stream);

}  // namespace braid::conversations
