// Raw PCM from a file descriptor: standard input, a pipe. Signed 16 bit little-endian, interleaved, in pieces of any size.
#pragma once

#include <memory>
#include <string>

#include "core/audio/source.h"

namespace braid::audio {

struct PcmFormat {
    int rate_hz = kSampleRateHz;
    int channels = 1;
};

// As fast as it comes; wrap it in a PacedSource for real-time pace. `descriptor` stays the caller's. A read waits at most its timeout.
// Throws Error(Usage) for a format that makes no sense, Error(Input) where the descriptor is a terminal.
[[nodiscard]] std::unique_ptr<Source> openPcmSource(int descriptor, PcmFormat format, std::string name);

}  // namespace braid::audio
