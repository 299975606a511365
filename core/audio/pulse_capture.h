// What the machine plays, through libpulse: the monitor of a PulseAudio or PipeWire output.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/audio/capture.h"
#include "core/audio/source_spec.h"

namespace braid::audio {

// `device`: a monitor by its name as listDevices() gives it; empty: that of the default output, followed when the default changes.
[[nodiscard]] std::unique_ptr<CaptureBackend> makePulseCapture(std::string device);
// Empty where no server runs. Waits two seconds at most; never starts a server.
[[nodiscard]] std::vector<DeviceInfo> listPulseMonitors();

}  // namespace braid::audio
