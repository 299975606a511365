// PortAudio, initialised and quiet. It is one per process and not thread-safe: everything that touches its list of devices or opens
// and closes streams goes through here, under one lock. Its list is frozen while anybody holds a session (PortAudio #11).
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "core/audio/source_spec.h"

namespace braid::audio {

enum class StreamDirection { Input = 1, Output };

struct PortAudioDevice {
    int index = -1;  // valid within this session only
    std::string name;
    std::string host_api;
    int channels = 0;
    double default_rate_hz = 0;
    double latency_seconds = 0;  // a safe one for recording
    bool is_default = false;
};

// Initialised from construction to destruction. Prints nothing on stderr. Throws Error(Device) where PortAudio does not come up.
class PortAudioSession {
  public:
    PortAudioSession();
    ~PortAudioSession();
    PortAudioSession(const PortAudioSession &) = delete;
    PortAudioSession &operator=(const PortAudioSession &) = delete;

    [[nodiscard]] std::vector<PortAudioDevice> devices(StreamDirection direction) const;
    // Hold it around Pa_OpenStream, Pa_StartStream, Pa_CloseStream.
    [[nodiscard]] static std::unique_lock<std::mutex> lock();
};

// The device of that name and host API among `devices`: exactly, else without the card number that ALSA appends and that may change
// when it is plugged in again; null where there is none. An empty `host_api` means any.
[[nodiscard]] const PortAudioDevice *findDevice(const std::vector<PortAudioDevice> &devices, const std::string &name, const std::string &host_api);

}  // namespace braid::audio
