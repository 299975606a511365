// Conversations in several streams from pairs of question and answer, without a judge: the assistant begins after k words of the
// question (wait-k simulation), and no segment of the answer may use words that have not been read (causal verification).
// Source: "Multi-Stream LLMs" (arXiv 2605.12460), Dataset. The paper asks a language model whether a segment depends on later words;
// here it is a rule about words (see causality.h), which finds what is named too early, not what is thought too early.
// Thread: any. Errors: Error(Usage) for k below 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/streams/table.h"

namespace braid::conversations {

struct QuestionAnswer {
    std::string question;
    std::string answer;
};

// "the cat, sat" -> " the" " cat" "," " sat": one cell for each word, punctuation at its end apart.
[[nodiscard]] std::vector<std::string> cellsOfText(std::string_view text);

enum class Early : std::uint8_t {
    Kept = 1,  // as wait-k puts it, whatever it says
    Delayed,   // a segment waits, silently, until its words have been read
};

// Streams "User" and "Assistant". The answer's first word stands in the row after the question's word number k (k 0: in the first row).
// `bridge`: said at once in the meantime ("Let me see:"); may be empty.
[[nodiscard]] streams::TextTable waitK(const QuestionAnswer &pair, int k, Early early = Early::Kept, const std::string &bridge = {});

// The smallest k with which waitK(..., Early::Kept) names nothing too early; at most the question's length.
[[nodiscard]] int smallestCausalK(const QuestionAnswer &pair);

}  // namespace braid::conversations
