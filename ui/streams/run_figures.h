// How soon and how fast a run answered, in its newest turn: to compare parallel streams with one queue of messages. Plain values.
// Source: "Multi-Stream LLMs" (arXiv 2605.12460), Experiment: tokens read before the first target token, delay. Thread: any.
#pragma once

#include <cstdint>
#include <vector>

#include "ui/shared/figure_table.h"
#include "ui/streams/lanes_model.h"

namespace braid::ui {

struct RunFigures {
    std::int64_t words_read = 0;        // fed words before the answer's first (all of the turn where there is none)
    std::int64_t steps_to_answer = -1;  // from the turn's first fed word to the answer's first; -1: not yet
    std::int64_t ms_to_answer = -1;
    std::int64_t steps_to_end = 0;  // to the newest word of anybody who speaks
    std::int64_t ms_to_end = 0;
    bool began_before_end = false;  // the answer began before the turn's last fed word
    double tokens_per_second = 0;   // over all streams, as the run measured it
    bool has_turn = false;
    friend bool operator==(const RunFigures &, const RunFigures &) = default;
};

[[nodiscard]] RunFigures figuresOf(const LanesModel &lanes, int answer_stream);
// A line a figure; what beats `other` is marked. Who has said nothing has won nothing.
[[nodiscard]] std::vector<FigureLine> figureLines(const RunFigures &figures, const RunFigures &other);

}  // namespace braid::ui
