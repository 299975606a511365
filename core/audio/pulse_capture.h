// What the machine plays and what its microphones hear, through libpulse: monitors of outputs and inputs of PulseAudio or PipeWire, by the names
// people know them by.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/audio/capture.h"
#include "core/audio/source_spec.h"

namespace braid::audio {

enum class PulseSources : std::uint8_t {
    Monitors = 1,  // what outputs play
    Inputs,        // microphones
};

// `device`: by its name as listPulseSources() gives it, or the server's name for it; empty: the default one, followed when the default changes.
[[nodiscard]] std::unique_ptr<CaptureBackend> makePulseCapture(PulseSources sources, std::string device);
// Inputs, then monitors, of one look at the server. Empty where none runs. Waits two seconds at most for each of its answers; never starts one. Two of one name
// carry the server's name behind it.
[[nodiscard]] std::vector<DeviceInfo> listPulseSources();
// Whether a device of this host API is reached through libpulse.
[[nodiscard]] bool isPulseHost(const std::string &host_api);

}  // namespace braid::audio
