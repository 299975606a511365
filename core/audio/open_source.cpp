#include "core/audio/source_spec.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

#include "core/audio/file_source.h"
#include "core/audio/live_source.h"
#include "core/audio/paced_source.h"
#include "core/audio/pcm_source.h"
#include "core/base/error.h"

#ifdef BRAID_HAS_SOUND_DEVICES
#include "core/audio/port_audio_capture.h"
#include "core/audio/pulse_capture.h"
#endif

namespace braid::audio {
namespace {

std::unique_ptr<Source> paced(std::unique_ptr<Source> source, Pace pace)
{
    return pace == Pace::Fast ? std::move(source) : std::make_unique<PacedSource>(std::move(source));
}

#ifdef BRAID_HAS_SOUND_DEVICES
// By its host API, or, where none is said, by its name.
bool isPulseInput(const SourceSpec &spec)
{
    if (!spec.host_api.empty() || spec.device.empty()) {
        return isPulseHost(spec.host_api);
    }
    const std::vector<DeviceInfo> all = listPulseSources();
    return std::any_of(all.begin(), all.end(), [&spec](const DeviceInfo &one) { return one.kind == SourceKind::Microphone && one.name == spec.device; });
}

// Names of ALSA's for "whatever the sound server has": its inputs stand in the list themselves.
bool isServersAlias(const DeviceInfo &device)
{
    static constexpr std::array<std::string_view, 5> kAliases{"pulse", "pipewire", "default", "sysdefault", "jack"};
    return device.host_api == "ALSA" && std::find(kAliases.begin(), kAliases.end(), device.name) != kAliases.end();
}
#endif

std::unique_ptr<Source> openDevice(const SourceSpec &spec)
{
#ifdef BRAID_HAS_SOUND_DEVICES
    if (spec.kind == SourceKind::Microphone && !isPulseInput(spec)) {
        return std::make_unique<LiveSource>(makePortAudioCapture(spec.device, spec.host_api), LiveSourceOptions{});
    }
    const PulseSources sources = spec.kind == SourceKind::Microphone ? PulseSources::Inputs : PulseSources::Monitors;
    return std::make_unique<LiveSource>(makePulseCapture(sources, spec.device), LiveSourceOptions{});
#else
    const std::string what = spec.kind == SourceKind::Microphone ? "microphones" : "the system's sound";
    throw Error(ErrorKind::Usage, "this build of Braid cannot listen to " + what, {},
                "Open a file, pipe sound into standard input, or build Braid with BRAID_SOUND_DEVICES");
#endif
}

}  // namespace

std::unique_ptr<Source> openSource(const SourceSpec &spec)
{
    switch (spec.kind) {
    case SourceKind::Microphone:
    case SourceKind::SystemSound:
        return openDevice(spec);
    case SourceKind::File:
        return paced(openFileSource(spec.path), spec.pace);
    case SourceKind::StandardInput:
        return paced(openPcmSource(STDIN_FILENO, {spec.stdin_rate_hz, spec.stdin_channels}, "standard input"), spec.pace);
    }
    throw Error(ErrorKind::Internal, "a source of an unknown kind was asked for");
}

std::vector<DeviceInfo> listDevices()
{
    std::vector<DeviceInfo> devices;
#ifdef BRAID_HAS_SOUND_DEVICES
    devices = listPulseSources();
    const auto monitors = std::find_if(devices.begin(), devices.end(), [](const DeviceInfo &device) { return device.kind == SourceKind::SystemSound; });
    const bool server_has_inputs = monitors != devices.begin();
    std::vector<DeviceInfo> others;
    for (DeviceInfo &input : listPortAudioInputs()) {
        if (server_has_inputs && isServersAlias(input)) {
            continue;
        }
        input.is_default = input.is_default && !server_has_inputs;
        others.push_back(std::move(input));
    }
    devices.insert(monitors, others.begin(), others.end());  // microphones first
#endif
    return devices;
}

}  // namespace braid::audio
