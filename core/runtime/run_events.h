// What runs of every kind tell the outside. Plain data, no torch, no Qt.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/error.h"

namespace braid::runtime {

enum class RunState : std::uint8_t { Idle = 1, Loading, Listening, Draining, Finished, Failed };

// --- lossless events
struct Notice {
    std::string sentence;
};  // "The microphone is back."
struct Failed {
    ErrorKind kind = ErrorKind::Internal;
    std::string sentence;
};  // followed by the run's last event

}  // namespace braid::runtime
