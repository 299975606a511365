#include "core/audio/port_audio.h"

#include <dlfcn.h>
#include <portaudio.h>

#include "core/base/error.h"

namespace braid::audio {
namespace {

// ALSA and JACK print a screenful on stderr for every device that is configured but not there. Both offer a hook for that; they are
// looked up among what PortAudio has loaded, so that neither needs to be there.
void ignoreAlsa(const char *, int, const char *, int, const char *, ...) {}
void ignoreJack(const char *) {}

void silenceLibraries()
{
    using AlsaHandler = void (*)(const char *, int, const char *, int, const char *, ...);
    if (auto *set = reinterpret_cast<int (*)(AlsaHandler)>(::dlsym(RTLD_DEFAULT, "snd_lib_error_set_handler"))) {
        set(ignoreAlsa);
    }
    for (const char *name : {"jack_set_error_function", "jack_set_info_function"}) {
        if (auto *set = reinterpret_cast<void (*)(void (*)(const char *))>(::dlsym(RTLD_DEFAULT, name))) {
            set(ignoreJack);
        }
    }
}

std::string withoutCardNumber(const std::string &name)
{
    return name.substr(0, name.rfind(" (hw:"));
}

}  // namespace

std::unique_lock<std::mutex> PortAudioSession::lock()
{
    static std::mutex mutex;
    return std::unique_lock(mutex);
}

PortAudioSession::PortAudioSession()
{
    const auto guard = lock();
    silenceLibraries();
    const PaError error = Pa_Initialize();
    if (error != paNoError) {
        throw Error(ErrorKind::Device, std::string("the sound system could not be started: ") + Pa_GetErrorText(error), {},
                    "Check that sound works in other programs");
    }
}

PortAudioSession::~PortAudioSession()
{
    const auto guard = lock();
    Pa_Terminate();
}

std::vector<PortAudioDevice> PortAudioSession::devices(StreamDirection direction) const
{
    const auto guard = lock();
    const bool input = direction == StreamDirection::Input;
    const PaDeviceIndex preferred = input ? Pa_GetDefaultInputDevice() : Pa_GetDefaultOutputDevice();
    std::vector<PortAudioDevice> devices;
    for (PaDeviceIndex index = 0; index < Pa_GetDeviceCount(); ++index) {
        const PaDeviceInfo *info = Pa_GetDeviceInfo(index);
        const int channels = info == nullptr ? 0 : (input ? info->maxInputChannels : info->maxOutputChannels);
        if (channels <= 0) {
            continue;
        }
        const PaHostApiInfo *api = Pa_GetHostApiInfo(info->hostApi);
        devices.push_back({index, info->name != nullptr ? info->name : "", api != nullptr ? api->name : "", channels, info->defaultSampleRate,
                           input ? info->defaultHighInputLatency : info->defaultHighOutputLatency, index == preferred});
    }
    return devices;
}

const PortAudioDevice *findDevice(const std::vector<PortAudioDevice> &devices, const std::string &name, const std::string &host_api)
{
    const auto matches = [&](const PortAudioDevice &device) { return host_api.empty() || device.host_api == host_api; };
    for (const PortAudioDevice &device : devices) {
        if (matches(device) && device.name == name) {
            return &device;
        }
    }
    for (const PortAudioDevice &device : devices) {
        if (matches(device) && withoutCardNumber(device.name) == withoutCardNumber(name)) {
            return &device;
        }
    }
    return nullptr;
}

}  // namespace braid::audio
