// How good a transcript is while it is made (CarelessWhisper, section VII-A): the relative word error rate compares what stands on the
// screen after every chunk with as much of the reference (RWER), the aligned one with what has been said by then (ARWER); each is
// errors summed over all chunks by reference words summed over all chunks. Words are compared as they are: normalise first. Plain
// functions. Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/metrics/word_error_rate.h"

namespace braid::metrics {

// Beyond so many reference words nothing is summed: the comparison after every chunk grows with the square of the length.
inline constexpr std::size_t kMostStreamedWords = 1000;

class StreamingErrors {
  public:
    // `ends`: when each word of the reference has been said; empty where that is not known, and then there is no ARWER.
    StreamingErrors(std::vector<std::string> reference, std::vector<Sample> ends);

    // Whether anything is summed at all; where not, nobody need put a hypothesis together.
    [[nodiscard]] bool counts() const noexcept { return m_reference.size() <= kMostStreamedWords; }

    // Everything said so far, settled or not, when `heard` has been heard.
    void add(std::span<const std::string> hypothesis, Sample heard);

    [[nodiscard]] const WordErrors &relative() const noexcept { return m_relative; }
    [[nodiscard]] const WordErrors &aligned() const noexcept { return m_aligned; }

  private:
    std::vector<std::string> m_reference;
    std::vector<Sample> m_ends;
    WordErrors m_relative;
    WordErrors m_aligned;
};

}  // namespace braid::metrics
