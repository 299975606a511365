#include "core/audio/source_spec.h"

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

std::unique_ptr<Source> openDevice(const SourceSpec &spec)
{
#ifdef BRAID_HAS_SOUND_DEVICES
    if (spec.kind == SourceKind::Microphone) {
        return std::make_unique<LiveSource>(makePortAudioCapture(spec.device, spec.host_api), LiveSourceOptions{});
    }
    return std::make_unique<LiveSource>(makePulseCapture(spec.device), LiveSourceOptions{});
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
    devices = listPortAudioInputs();
    for (DeviceInfo &monitor : listPulseMonitors()) {
        devices.push_back(std::move(monitor));
    }
#endif
    return devices;
}

}  // namespace braid::audio
