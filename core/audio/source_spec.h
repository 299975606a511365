// A source as a value: what braid-cli and the window choose, and the factory that opens it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/audio/source.h"

namespace braid::audio {

enum class SourceKind { Microphone = 1, SystemSound, File, StandardInput };

struct SourceSpec {
    SourceKind kind = SourceKind::Microphone;
    std::string device;                 // name as listDevices() gives it; empty: the default one
    std::string host_api;               // "ALSA", "JACK", ...; empty: any
    std::filesystem::path path;         // for File
    Pace pace = Pace::Fast;             // for File and StandardInput: Realtime or Fast
    int stdin_rate_hz = kSampleRateHz;  // for StandardInput: signed 16 bit little-endian PCM
    int stdin_channels = 1;
};

struct DeviceInfo {
    SourceKind kind = SourceKind::Microphone;
    std::string name;
    std::string host_api;
    int channels = 0;
    double default_rate_hz = 0;
    bool is_default = false;
};

// Microphones and system-sound monitors present now. No device at all is a normal answer, not an error. Quiet on stderr.
[[nodiscard]] std::vector<DeviceInfo> listDevices();

// Throws Error(Device) or Error(Input); Error(Usage) where this build leaves the kind out.
[[nodiscard]] std::unique_ptr<Source> openSource(const SourceSpec &spec);

}  // namespace braid::audio
