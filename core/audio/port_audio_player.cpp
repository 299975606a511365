// Playing through PortAudio's default output, or whichever output opens.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <portaudio.h>
#include <thread>
#include <utility>

#include "core/audio/player.h"
#include "core/audio/port_audio.h"
#include "core/audio/resampler.h"
#include "core/base/error.h"

namespace braid::audio {
namespace {

constexpr std::chrono::milliseconds kPoll{10};

// What the callback reads: fixed before the stream starts, but for the atomic.
struct Playback {
    std::vector<float> sound;  // mono, at the output's rate
    int channels = 1;
    std::atomic<std::size_t> played{0};
};

// PortAudio's thread: copies and counts, nothing else.
int onWanted(const void *, void *output, unsigned long frames, const PaStreamCallbackTimeInfo *, PaStreamCallbackFlags, void *pointer) noexcept
{
    auto &playback = *static_cast<Playback *>(pointer);
    auto *out = static_cast<float *>(output);
    const std::size_t at = playback.played.load(std::memory_order_relaxed);
    const std::size_t left = playback.sound.size() - at;
    const std::size_t count = std::min<std::size_t>(left, frames);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const float value = frame < count ? playback.sound[at + frame] : 0.0f;
        for (int channel = 0; channel < playback.channels; ++channel) {
            *out++ = value;
        }
    }
    playback.played.store(at + count, std::memory_order_relaxed);
    return count < frames ? paComplete : paContinue;
}

class PortAudioPlayer final : public SoundPlayer {
  public:
    explicit PortAudioPlayer(std::shared_ptr<OwnPlayback> own)
        : m_own(std::move(own))
        , m_thread([this] { run(); })
    {
    }
    ~PortAudioPlayer() override
    {
        {
            const std::lock_guard guard(m_mutex);
            m_quit = true;
            ++m_generation;
        }
        m_wake.notify_one();
        m_thread.join();
    }
    PortAudioPlayer(const PortAudioPlayer &) = delete;
    PortAudioPlayer &operator=(const PortAudioPlayer &) = delete;

    void play(std::vector<float> sound, Sample start) override
    {
        {
            const std::lock_guard guard(m_mutex);
            m_next = std::move(sound);
            m_next_start = start;
            m_position = kSilent;
            ++m_generation;
        }
        m_wake.notify_one();
    }
    void stop() override
    {
        {
            const std::lock_guard guard(m_mutex);
            m_next.reset();
            m_position = kSilent;
            ++m_generation;
        }
        m_wake.notify_one();
    }
    std::optional<Sample> position() const override
    {
        const Sample position = m_position;
        return position == kSilent ? std::nullopt : std::optional(position);
    }
    std::string takeTrouble() override
    {
        const std::lock_guard guard(m_mutex);
        return std::exchange(m_trouble, {});
    }

  private:
    static constexpr Sample kSilent = INT64_MIN;

    void run()
    {
        std::unique_lock guard(m_mutex);
        while (!m_quit) {
            m_wake.wait(guard, [this] { return m_quit || m_next.has_value(); });
            if (m_quit) {
                return;
            }
            const std::vector<float> sound = std::move(*std::exchange(m_next, {}));
            const Sample start = m_next_start;
            const std::uint64_t generation = m_generation;
            guard.unlock();
            std::string trouble;
            m_own->begin();
            try {
                playOne(sound, start, generation);
            } catch (const std::exception &error) {
                trouble = error.what();
            }
            m_own->end();
            guard.lock();
            if (m_generation == generation) {
                m_trouble = trouble;
            }
            m_position = kSilent;
        }
    }

    // Notes how far it is; false once something else is asked for.
    [[nodiscard]] bool goOn(std::uint64_t generation, Sample position)
    {
        const std::lock_guard guard(m_mutex);
        if (m_generation != generation) {
            return false;
        }
        m_position = position;
        return true;
    }

    // Opens the output, plays to the end or until something else is asked for, closes it.
    void playOne(const std::vector<float> &sound, Sample start, std::uint64_t generation)
    {
        const PortAudioSession session;
        const std::vector<PortAudioDevice> outputs = session.devices(StreamDirection::Output);
        const auto preferred = std::find_if(outputs.begin(), outputs.end(), [](const PortAudioDevice &device) { return device.is_default; });
        if (preferred == outputs.end()) {
            throw Error(ErrorKind::Device, "no loudspeaker or headphones were found on this computer", {}, "Connect some to hear a word");
        }
        Playback playback;
        PaStream *stream = nullptr;
        double rate_hz = 0;
        PaError error = paInvalidSampleRate;
        for (const double candidate_hz : {preferred->default_rate_hz, 48000.0, static_cast<double>(kSampleRateHz)}) {
            playback.channels = std::min(preferred->channels, 2);
            playback.sound.clear();
            Resampler resampler(kSampleRateHz, candidate_hz);
            resampler.push(sound, playback.sound);
            resampler.flush(playback.sound);
            rate_hz = candidate_hz;
            const PaStreamParameters parameters{preferred->index, playback.channels, paFloat32, preferred->latency_seconds, nullptr};
            const auto lock = PortAudioSession::lock();
            error = Pa_OpenStream(&stream, nullptr, &parameters, candidate_hz, paFramesPerBufferUnspecified, paDitherOff, onWanted, &playback);
            if (error == paNoError) {
                error = Pa_StartStream(stream);
                if (error == paNoError) {
                    break;
                }
                Pa_CloseStream(stream);
            }
            stream = nullptr;
        }
        if (stream == nullptr) {
            throw Error(ErrorKind::Device, std::string("the sound could not be played: ") + Pa_GetErrorText(error), preferred->name);
        }
        while (Pa_IsStreamActive(stream) == 1) {
            if (!goOn(generation, start + static_cast<Sample>(static_cast<double>(playback.played.load()) * kSampleRateHz / rate_hz))) {
                break;
            }
            std::this_thread::sleep_for(kPoll);
        }
        const auto lock = PortAudioSession::lock();
        Pa_AbortStream(stream);
        Pa_CloseStream(stream);
    }

    std::shared_ptr<OwnPlayback> m_own;
    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    std::optional<std::vector<float>> m_next;
    Sample m_next_start = 0;
    std::uint64_t m_generation = 0;  // grows with every play() and stop(): what began under an older one breaks off
    std::string m_trouble;
    bool m_quit = false;
    std::atomic<Sample> m_position{kSilent};
    std::thread m_thread;
};

}  // namespace

std::unique_ptr<SoundPlayer> makeSoundPlayer(std::shared_ptr<OwnPlayback> own)
{
    return std::make_unique<PortAudioPlayer>(own ? std::move(own) : std::make_shared<OwnPlayback>());
}

}  // namespace braid::audio
