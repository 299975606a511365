// Where sound comes from: microphone, system sound, file, standard input, or a script (tests). All give 16 kHz mono float.
//
// Thread: one thread, the engine's pump, calls start() and read(); stop() may come from any thread. Errors: braid::Error of kind
// Device or Input with a sentence. A source never waits without end: read() returns after at most `timeout`.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "core/base/sample_clock.h"

namespace braid::audio {

enum class ReadState {
    Sound = 1,  // `samples` new samples were written
    Nothing,    // no sound within the timeout; the source is alive
    Gap,        // sound was lost: `gap_samples` of session time passed without any; `notice` says why
    End,        // no more sound will come
};

struct ReadResult {
    ReadState state = ReadState::Nothing;
    std::size_t samples = 0;
    Sample gap_samples = 0;
    std::string notice;  // a sentence for people, with any state: "The microphone is back."
};

// How a source relates to the wall clock; decides back-pressure and how lag is counted.
enum class Pace {
    Live = 1,  // sound comes when it comes and is lost if nobody takes it
    Realtime,  // a file played at its own speed
    Fast,      // as fast as it is read
};

struct SourceDescription {
    std::string name;    // "Built-in Audio (ALSA)", "talk.mp4"
    std::string detail;  // "48000 Hz, 2 channels"
    Pace pace = Pace::Live;
    Sample length_samples = 0;  // 0 where unknown or endless
};

class Source {
  public:
    virtual ~Source() = default;

    virtual void start() = 0;
    [[nodiscard]] virtual ReadResult read(std::span<float> sound, std::chrono::milliseconds timeout) = 0;
    // Makes read() return End once what was already captured has been read. Idempotent; any thread.
    virtual void stop() = 0;
    [[nodiscard]] virtual SourceDescription description() const = 0;
};

}  // namespace braid::audio
