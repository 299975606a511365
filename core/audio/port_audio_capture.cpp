#include "core/audio/port_audio_capture.h"

#include <algorithm>
#include <optional>
#include <portaudio.h>

#include "core/audio/port_audio.h"
#include "core/audio/resampler.h"
#include "core/base/error.h"
#include "core/base/log.h"

namespace braid::audio {
namespace {

// PortAudio's thread: copies and counts, nothing else.
int onSound(const void *input, void *, unsigned long frames, const PaStreamCallbackTimeInfo *, PaStreamCallbackFlags flags, void *sink) noexcept
{
    auto &to = *static_cast<CaptureSink *>(sink);
    if ((flags & paInputOverflow) != 0) {
        to.noteOverflow();
    }
    if (input != nullptr) {
        to.deliver(static_cast<const float *>(input), frames);
    }
    return paContinue;
}

class PortAudioCapture final : public CaptureBackend {
  public:
    PortAudioCapture(std::string device, std::string host_api)
        : m_wanted(std::move(device))
        , m_host_api(std::move(host_api))
        , m_follows_default(m_wanted.empty())
    {
    }
    ~PortAudioCapture() override { PortAudioCapture::close(); }

    CaptureFormat open() override
    {
        close();
        m_session.emplace();  // a new session sees devices that came since the last one
        try {
            m_device = choose(m_session->devices(StreamDirection::Input));
            m_format = chooseFormat();
        } catch (...) {
            m_session.reset();
            throw;
        }
        m_wanted = m_device.name;
        m_host_api = m_device.host_api;
        return m_format;
    }

    void start(CaptureSink &sink) override
    {
        PaError error = paNoError;
        {
            const auto guard = PortAudioSession::lock();
            const PaStreamParameters parameters = parametersFor(m_format.channels);
            error = Pa_OpenStream(&m_stream, &parameters, nullptr, m_format.rate_hz, paFramesPerBufferUnspecified, paClipOff | paDitherOff, onSound, &sink);
            if (error == paNoError) {
                error = Pa_StartStream(m_stream);
            } else {
                m_stream = nullptr;
            }
        }
        if (error != paNoError) {
            const std::string reason = Pa_GetErrorText(error);
            close();
            throw Error(ErrorKind::Device, "the microphone could not be started: " + reason, m_device.name,
                        "Another program may be using it; close that, or choose another one");
        }
    }

    void close() override
    {
        if (m_stream != nullptr) {
            const auto guard = PortAudioSession::lock();
            Pa_AbortStream(m_stream);
            Pa_CloseStream(m_stream);
            m_stream = nullptr;
        }
        m_session.reset();
    }

    CaptureHealth health() override { return m_stream != nullptr && Pa_IsStreamActive(m_stream) == 1 ? CaptureHealth::Alive : CaptureHealth::Lost; }
    SilencePolicy silencePolicy() const override { return SilencePolicy::MeansLost; }
    std::string noun() const override { return "The microphone"; }

  private:
    PortAudioDevice choose(const std::vector<PortAudioDevice> &devices) const
    {
        if (!m_wanted.empty()) {
            if (const PortAudioDevice *found = findDevice(devices, m_wanted, m_host_api)) {
                return *found;
            }
            if (!m_follows_default) {
                std::string names;
                for (const PortAudioDevice &device : devices) {
                    names += (names.empty() ? "Present are: " : ", ") + device.name;
                }
                throw Error(ErrorKind::Device, "there is no such microphone", m_wanted, names.empty() ? "No microphone is present at all" : names);
            }
        }
        for (const PortAudioDevice &device : devices) {
            if (device.is_default && (m_follows_default || m_host_api.empty() || device.host_api == m_host_api)) {
                return device;
            }
        }
        if (!devices.empty()) {
            return devices.front();
        }
        throw Error(ErrorKind::Device, "no microphone was found on this computer", {}, "Plug one in, or open a recording instead");
    }

    PaStreamParameters parametersFor(int channels) const { return {m_device.index, channels, paFloat32, m_device.latency_seconds, nullptr}; }

    // What the device does by itself if it can: its default rate, and one or two channels. Virtual devices claim up to 128 channels that
    // they make up; many-channel interfaces may offer nothing but all of theirs.
    CaptureFormat chooseFormat() const
    {
        const auto guard = PortAudioSession::lock();
        for (const double rate_hz : {m_device.default_rate_hz, 48000.0, 44100.0, 16000.0}) {
            for (const int channels : {std::min(m_device.channels, 2), m_device.channels, 1}) {
                const PaStreamParameters parameters = parametersFor(channels);
                if (channels <= kMaxChannels && rate_hz >= kMinRateHz && Pa_IsFormatSupported(&parameters, nullptr, rate_hz) == paFormatIsSupported) {
                    return {m_device.name, rate_hz, channels};
                }
            }
        }
        throw Error(ErrorKind::Device, "the microphone cannot be opened", m_device.name, "Another program may be using it; close that, or choose another one");
    }

    std::string m_wanted;
    std::string m_host_api;
    bool m_follows_default;
    std::optional<PortAudioSession> m_session;
    PortAudioDevice m_device;
    CaptureFormat m_format;
    PaStream *m_stream = nullptr;
};

}  // namespace

std::unique_ptr<CaptureBackend> makePortAudioCapture(std::string device, std::string host_api)
{
    return std::make_unique<PortAudioCapture>(std::move(device), std::move(host_api));
}

std::vector<DeviceInfo> listPortAudioInputs()
{
    std::vector<DeviceInfo> infos;
    try {
        const PortAudioSession session;
        for (const PortAudioDevice &device : session.devices(StreamDirection::Input)) {
            infos.push_back({SourceKind::Microphone, device.name, device.host_api, device.channels, device.default_rate_hz, device.is_default});
        }
    } catch (const Error &error) {
        spdlog::debug("{}", error.what());  // no sound system is a normal state
    }
    return infos;
}

}  // namespace braid::audio
