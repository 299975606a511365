// Turns the bytes of a sound or video file into sound, piece by piece; a file of hours never lies in memory whole.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/audio/byte_input.h"

namespace braid::audio {

struct SoundInfo {
    std::string format;  // "MP3, 44100 Hz, 2 channels"
    double rate_hz = 0;
    int channels = 0;
    double length_seconds = 0;  // 0 where unknown
};

struct SoundBlock {
    std::vector<float> mono;     // at `rate_hz`; may be empty
    double rate_hz = 0;          // may change in mid-file
    double missing_seconds = 0;  // time without sound before this block: the sound starts later than the picture, or a damaged part
    std::string notice;          // a sentence for people
};

// Thread: one.
class SoundDecoder {
  public:
    virtual ~SoundDecoder() = default;
    [[nodiscard]] virtual SoundInfo info() const = 0;
    // Fills `block` with what comes next, at most about a second of it. False at the end: then only `notice` is set, if anything.
    // Damaged pieces are left out and told in a notice. Throws Error(Input) when the file cannot be read on.
    [[nodiscard]] virtual bool decode(SoundBlock &block) = 0;
};

// The decoder of this build: libav's where it is built in, else the WAV reader. `bytes` must outlive it.
// Throws Error(Input) with what is wrong with the file.
[[nodiscard]] std::unique_ptr<SoundDecoder> makeSoundDecoder(ByteInput &bytes);

// The strict WAV reader: PCM of 8, 16, 24 and 32 bits and float of 32 and 64, any number of channels; in every build.
[[nodiscard]] std::unique_ptr<SoundDecoder> makeWavDecoder(ByteInput &bytes);

}  // namespace braid::audio
