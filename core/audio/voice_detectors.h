// The detectors behind VoiceDetector, for those who want a particular one (tests, measurements).
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>

#include "core/audio/voice_activity.h"

namespace braid::audio {

// Follows the level of what is always there (a fan, hiss), so that it can be told from what comes and goes. Deterministic.
// The floor is the quietest of the short-time levels of the last seconds (minimum statistics, after R. Martin, "Noise power spectral
// density estimation based on optimal smoothing and minimum statistics", IEEE Trans. SAP 9(5), 2001, without its spectral part).
class NoiseFloor {
  public:
    // Takes the level of one frame and returns how far it stands out of the floor, in dB.
    float riseOver(float level_db);
    void reset();

  private:
    struct Minimum {
        long frame;
        float level_db;
    };
    std::deque<Minimum> m_minima;  // falling window of candidates, the smallest first
    float m_smoothed_db = 0;
    long m_frame = 0;
};

// How strong a pitch is, as the largest normalised autocorrelation of the newest 40 ms: 0 none, 1 perfect.
struct Pitch {
    float of_voices = 0;     // at the lags of voices, 70 to 400 Hz
    float above_voices = 0;  // at 470 to 1000 Hz
    // Of a bark at 600 Hz every second period looks like a voice's, and a rumble is like itself at any short lag: there the shorter lags do as well.
    [[nodiscard]] bool isOfVoice() const noexcept;
};

// Whether a frame has a pitch: vowels do, rain, taps, clatter and hiss mostly do not. Speech has a vowel within its first syllable;
// the pre-roll brings back the consonants before it. Deterministic.
class PitchFinder {
  public:
    Pitch pitchOf(std::span<const float> frame);
    void reset();

  private:
    std::array<float, static_cast<std::size_t>(kVoiceFrameSamples)> m_history{};  // 40 ms at 8 kHz
};

// 10 log10 of the mean square; full-scale square wave is 0 dB; at least -120.
[[nodiscard]] float frameLevelDb(std::span<const float> frame);

// Both detectors call Voice what they call speech, has a voice's pitch itself and is not far softer than the half second before.

// Stands out of the noise floor and has had a pitch lately; for builds without the WebRTC library.
[[nodiscard]] std::unique_ptr<VoiceDetector> makeEnergyDetector();

// WebRTC's Gaussian mixture detector, and the frame must stand out of the noise floor and have had a pitch lately. Null where the build has no WebRTC.
[[nodiscard]] std::unique_ptr<VoiceDetector> makeWebRtcDetector();

}  // namespace braid::audio
