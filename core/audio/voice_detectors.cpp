#include "core/audio/voice_detectors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>

#include "core/audio/pcm16.h"
#include "core/base/error.h"

#ifdef BRAID_HAS_SOUND_DEVICES
// Debian's libwebrtc-audio-processing 0.3 exports these plain C functions but ships no header for them.
extern "C" {
typedef struct WebRtcVadInst VadInst;
VadInst *WebRtcVad_Create(void);
void WebRtcVad_Free(VadInst *handle);
int WebRtcVad_Init(VadInst *handle);
int WebRtcVad_set_mode(VadInst *handle, int mode);
int WebRtcVad_Process(VadInst *handle, int rate_hz, const std::int16_t *frame, std::size_t length);
}
#endif

namespace braid::audio {
namespace {

constexpr float kSilenceDb = -120.0f;
constexpr float kInaudibleDb = -66.0f;   // below this nothing is speech: far below a whisper at a badly set microphone
constexpr long kFloorFrames = 150;       // 3 s: longer than speech goes on without a pause between words
constexpr float kFloorSmoothing = 0.3f;  // weight of the newest frame

// Pitch is looked for at half the rate.
struct LagRange {
    std::size_t shortest, longest;
};
constexpr LagRange kLagsOfVoices{kSampleRateHz / 2 / 400, kSampleRateHz / 2 / 70};
constexpr LagRange kLagsAboveVoices{kSampleRateHz / 2 / 1000, kSampleRateHz / 2 / 470};
constexpr float kPitchStrength = 0.6f;
constexpr float kNearlyAsStrong = 0.9f;

// What every detector asks for besides its own opinion: louder than what is always there, and a pitch within the last moments.
class Evidence {
  public:
    [[nodiscard]] FrameKind judge(std::span<const float> frame, float rise_db)
    {
        const float level_db = frameLevelDb(frame);
        const bool stands_out = m_floor.riseOver(level_db) > rise_db && level_db > kInaudibleDb;
        const Pitch pitch = m_pitch.pitchOf(frame);
        m_frames_since_pitch = pitch.of_voices >= kPitchStrength ? 0 : std::min(m_frames_since_pitch + 1, kPitchFrames + 1);
        std::shift_left(m_levels_db.begin(), m_levels_db.end(), 1);
        m_levels_db.back() = level_db;
        if (!stands_out || m_frames_since_pitch > kPitchFrames) {
            return FrameKind::NoSpeech;
        }
        const bool is_loud = level_db >= *std::max_element(m_levels_db.begin(), m_levels_db.end()) - kFarSofterDb;
        return is_loud && pitch.isOfVoice() ? FrameKind::Voice : FrameKind::PossibleSpeech;
    }
    void reset() { *this = {}; }

  private:
    static constexpr int kPitchFrames = 30;           // 0.6 s: longer than any run of consonants
    static constexpr std::size_t kRecentFrames = 25;  // half a second
    static constexpr float kFarSofterDb = 18.0f;      // what rings after a bark, gliding down into a voice's range

    NoiseFloor m_floor;
    PitchFinder m_pitch;
    int m_frames_since_pitch = kPitchFrames + 1;
    std::vector<float> m_levels_db = std::vector<float>(kRecentFrames, kSilenceDb);  // the newest last
};

class EnergyDetector final : public VoiceDetector {
  public:
    FrameKind judge(std::span<const float> frame) override { return m_evidence.judge(frame, kRiseDb); }
    void reset() override { m_evidence.reset(); }

  private:
    static constexpr float kRiseDb = 9.0f;
    Evidence m_evidence;
};

#ifdef BRAID_HAS_SOUND_DEVICES

class WebRtcDetector final : public VoiceDetector {
  public:
    WebRtcDetector()
        : m_handle(WebRtcVad_Create())
    {
        if (m_handle == nullptr) {
            throw std::bad_alloc();
        }
        reset();
    }
    ~WebRtcDetector() override { WebRtcVad_Free(m_handle); }
    WebRtcDetector(const WebRtcDetector &) = delete;
    WebRtcDetector &operator=(const WebRtcDetector &) = delete;

    FrameKind judge(std::span<const float> frame) override
    {
        std::array<std::int16_t, kVoiceFrameSamples> quantised;
        if (frame.size() != quantised.size()) {
            throw Error(ErrorKind::Internal, "voice activity was asked about a frame of " + std::to_string(frame.size()) + " samples");
        }
        std::transform(frame.begin(), frame.end(), quantised.begin(), [](float value) { return pcm16Of(value); });
        const FrameKind kind = m_evidence.judge(frame, kRiseDb);
        const bool sounds_like_speech = WebRtcVad_Process(m_handle, kSampleRateHz, quantised.data(), quantised.size()) == 1;
        return sounds_like_speech ? kind : FrameKind::NoSpeech;
    }
    void reset() override
    {
        WebRtcVad_Init(m_handle);
        WebRtcVad_set_mode(m_handle, kMode);
        m_evidence.reset();
    }

  private:
    static constexpr int kMode = 2;  // 0 calls most things speech, 3 the fewest
    static constexpr float kRiseDb = 5.0f;

    VadInst *m_handle;
    Evidence m_evidence;
};

#endif

}  // namespace

float NoiseFloor::riseOver(float level_db)
{
    m_smoothed_db = m_frame == 0 ? level_db : m_smoothed_db + kFloorSmoothing * (level_db - m_smoothed_db);
    while (!m_minima.empty() && m_minima.back().level_db >= m_smoothed_db) {
        m_minima.pop_back();
    }
    m_minima.push_back({m_frame, m_smoothed_db});
    if (m_minima.front().frame <= m_frame - kFloorFrames) {
        m_minima.pop_front();
    }
    // Until the window is full the floor is not known; what might be speech from the first moment on must not become its own floor.
    const bool known = ++m_frame >= kFloorFrames;
    const float floor_db = known ? m_minima.front().level_db : std::min(m_minima.front().level_db, kInaudibleDb);
    return level_db - floor_db;
}

void NoiseFloor::reset()
{
    *this = {};
}

bool Pitch::isOfVoice() const noexcept
{
    return of_voices >= kPitchStrength && above_voices <= kNearlyAsStrong * of_voices;
}

Pitch PitchFinder::pitchOf(std::span<const float> frame)
{
    // Half the rate is enough for pitch and a quarter of the work.
    const std::size_t fresh = std::min(frame.size(), m_history.size()) / 2;
    std::move(m_history.begin() + static_cast<std::ptrdiff_t>(fresh), m_history.end(), m_history.begin());
    float *to = m_history.data() + (m_history.size() - fresh);
    for (std::size_t index = 0; index < fresh; ++index) {
        to[index] = 0.5f * (frame[2 * index] + frame[2 * index + 1]);
    }
    const double mean = std::accumulate(m_history.begin(), m_history.end(), 0.0) / static_cast<double>(m_history.size());
    const auto strongestWithin = [&](LagRange lags) {
        double strongest = 0;
        for (std::size_t lag = lags.shortest; lag <= lags.longest; ++lag) {
            double product = 0;
            double early = 1e-9;
            double late = 1e-9;
            for (std::size_t index = 0; index + lag < m_history.size(); ++index) {
                const double one = m_history[index] - mean;
                const double other = m_history[index + lag] - mean;
                product += one * other;
                early += one * one;
                late += other * other;
            }
            strongest = std::max(strongest, product / std::sqrt(early * late));
        }
        return static_cast<float>(strongest);
    };
    return {strongestWithin(kLagsOfVoices), strongestWithin(kLagsAboveVoices)};
}

void PitchFinder::reset()
{
    *this = {};
}

float frameLevelDb(std::span<const float> frame)
{
    double sum = 0;
    for (const float value : frame) {
        sum += static_cast<double>(value) * value;
    }
    const double mean = frame.empty() ? 0 : sum / static_cast<double>(frame.size());
    return mean > 1e-12 ? static_cast<float>(10.0 * std::log10(mean)) : kSilenceDb;
}

std::unique_ptr<VoiceDetector> makeEnergyDetector()
{
    return std::make_unique<EnergyDetector>();
}

std::unique_ptr<VoiceDetector> makeWebRtcDetector()
{
#ifdef BRAID_HAS_SOUND_DEVICES
    return std::make_unique<WebRtcDetector>();
#else
    return nullptr;
#endif
}

std::unique_ptr<VoiceDetector> makeVoiceDetector()
{
    auto best = makeWebRtcDetector();
    return best != nullptr ? std::move(best) : makeEnergyDetector();
}

}  // namespace braid::audio
