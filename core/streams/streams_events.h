// What a run of parallel streams tells, as plain data. A row that was told never changes, except that Rewound takes back every row
// after it. Thread: values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/streams/sampling.h"

namespace braid::streams {

enum class CellSource : std::uint8_t {
    Nobody = 1,  // silent: nobody had to say anything
    Given,       // warm start
    Fed,         // a person's or a document's word
    Sampled,     // the model's, silence included
    Silenced,    // the model was not asked: the stream has ended or is switched off
};

struct Cell {
    std::int32_t token = -1;  // -1: silent
    std::string text;         // what it adds to its stream; bytes, perhaps of part of a character
    CellSource source = CellSource::Nobody;
    double probability = 1;  // of what was sampled
    double entropy = 0;
    std::vector<Rival> rivals;

    [[nodiscard]] bool isSilent() const noexcept { return token < 0; }
    bool operator==(const Cell &) const = default;
};

enum class EndReason : std::uint8_t {
    StopToken = 1,
    Silence,
    MostTokens,   // of a stream
    AllEnded,     // every stream that the layout waits for
    MostRows,     // of the whole
    ContextFull,  // the model was not made for more, and the layout has no window
    Stopped,      // somebody asked
};

enum class StreamsEventType : std::uint8_t { Row = 1, Rewound, TurnEnded, StreamEnded, RunEnded, Notice };

struct StreamsEvent {
    StreamsEventType type = StreamsEventType::Row;
    std::int64_t row = 0;                   // Row: which; Rewound: the last that stays (-1: none); else the newest
    std::vector<Cell> cells;                // Row: one for each stream
    int stream = -1;                        // TurnEnded (a person's last word is in), StreamEnded, Notice about one
    EndReason reason = EndReason::Stopped;  // StreamEnded, RunEnded
    std::string text;                       // Notice: a sentence for people
    std::int64_t time_ms = 0;               // since the run began, by the caller's clock
    bool operator==(const StreamsEvent &) const = default;
};

}  // namespace braid::streams
