// Microphones through PortAudio.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/audio/capture.h"
#include "core/audio/source_spec.h"

namespace braid::audio {

// `device` empty: the default one; when it is lost, the same one is looked for first, then whatever is the default by then.
[[nodiscard]] std::unique_ptr<CaptureBackend> makePortAudioCapture(std::string device, std::string host_api);
[[nodiscard]] std::vector<DeviceInfo> listPortAudioInputs();

}  // namespace braid::audio
