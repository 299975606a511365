// What an owner may ask of a running conversation in parallel streams, and what it may look at. Plain values, torch-free, Qt-free: they travel from
// any thread to the worker, which obeys them in order, between two rows.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/streams_run.h"
#include "core/streams/word_queue.h"

namespace braid::streams {

enum class Pace : std::uint8_t { Running = 1, Paused };

// Words for a fed stream: typed letter by letter (TextEnd::Open), or whole. At most kMostSaidBytes of one call are taken; what the stream's queue
// has no room for is left out and a Notice says how much. An owner with a book keeps it, and hands on as StreamsStatus::waiting falls.
struct Say {
    int stream = 0;
    std::string text;
    TextEnd end = TextEnd::Whole;
};
inline constexpr std::size_t kMostSaidBytes = 1u << 20;
struct EndTurn {
    int stream = 0;
};  // after what waits
struct Interrupt {
    int stream = 0;
    std::string text;
};  // what waits is dropped, these words are next; no words: only dropped
struct Pause {};
struct Resume {};
struct SingleStep {};  // one row, paused or not
// Back to `row` (-1: before the first); what waits is dropped. What runs goes on running, even if it had ended; what is paused stays so.
struct Rewind {
    std::int64_t row = 0;
};
struct SetVoice {
    int stream = 0;
    Voice voice = Voice::Heard;
};  // ablation: off, it says nothing
struct Adjust {
    int stream = 0;
    Sampling sampling;
    SilencePenalty penalty;
};  // of a sampled stream, from the next row on
struct SetTempo {
    double rows_per_second = 0;
};                   // at most; 0: as fast as it goes
struct TakeOver {};  // a recording that plays goes on from here with the model instead

// What a cell attended to. Of a sampled cell: what the pass that chose it attended to from its stream's cell before; of any other: what it attended
// to itself when it was read. Only the newest wish counts; answered in StreamsStatus::look, also while paused. Costs one token of computing.
struct Look {
    std::int64_t row = 0;
    int stream = 0;
    LookOptions options;
    bool operator==(const Look &) const = default;
};

using StreamsCommand = std::variant<Say, EndTurn, Interrupt, Pause, Resume, SingleStep, Rewind, SetVoice, Adjust, SetTempo, TakeOver, Look>;

struct Attended {
    std::int64_t row = 0;  // -1: read before the first row (system text, openings)
    int stream = 0;
    std::int32_t token = 0;
    std::string text;
    float weight = 0;  // all of a look sum to 1 where the heads are averaged
};
struct LookAnswer {
    Look wish;
    std::vector<Attended> cells;  // by row, then stream; several of row -1 in a stream stand in reading order. The cell itself is among them where it was read
    std::string problem;          // a sentence, where there is nothing to show (out of the window, no model)
};

}  // namespace braid::streams
