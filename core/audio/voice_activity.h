// Voice activity: which part of the sound is speech, so that silence gives no text. Behind an interface of ours; the detector is
// WebRTC's where the build has it, else an energy detector.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::audio {

enum class FrameKind { NoSpeech = 1, PossibleSpeech, Voice };  // Voice: speech, and with the pitch of one

// Decides frame by frame. Thread: the pump's.
class VoiceDetector {
  public:
    virtual ~VoiceDetector() = default;
    // `frame`: exactly kVoiceFrameSamples at 16 kHz, directly behind the one before.
    [[nodiscard]] virtual FrameKind judge(std::span<const float> frame) = 0;
    virtual void reset() = 0;
};
inline constexpr Sample kVoiceFrameSamples = samplesFromMs(20);
// What may be speech waits so long for a voice; what has gone on for longer (a saw) is not part of what is said then.
inline constexpr Sample kLongestWaitForVoice = samplesFromSeconds(1);

// The best detector of this build.
[[nodiscard]] std::unique_ptr<VoiceDetector> makeVoiceDetector();

struct VoiceGateOptions {
    Sample preroll_samples = samplesFromMs(400);         // sound before the first speech frame that belongs to the utterance
    Sample hangover_samples = samplesFromMs(700);        // an utterance ends after this much non-speech
    Sample minimum_speech_samples = samplesFromMs(100);  // shorter bursts (clicks) start no utterance
    Sample minimum_voice_samples = samplesFromMs(80);    // nor does a burst with less of a voice in the last half second (a bark, rain)
};

enum class VoiceEventKind { UtteranceBegins = 1, UtteranceEnds };

struct VoiceEvent {
    VoiceEventKind kind = VoiceEventKind::UtteranceBegins;
    Sample sample = 0;  // session time: where the utterance begins (pre-roll included) or ends (hang-over included)
};

// Turns frame decisions into utterances with pre-roll and hang-over. Deterministic in the sound alone, not in how it is cut up:
// the same sound in other pieces gives the same events. Thread: the pump's.
class VoiceGate {
  public:
    VoiceGate(std::unique_ptr<VoiceDetector> detector, VoiceGateOptions options, Sample start_sample = 0);
    ~VoiceGate();
    VoiceGate(const VoiceGate &) = delete;
    VoiceGate &operator=(const VoiceGate &) = delete;

    // Sound that directly follows what was pushed before. UtteranceBegins comes as soon as it is decided, and lies before the sound
    // that decided it: the caller keeps the sound from settledUntil() on.
    [[nodiscard]] std::vector<VoiceEvent> push(std::span<const float> sound);
    // A gap of session time: ends an open utterance at the gap's start.
    [[nodiscard]] std::vector<VoiceEvent> gap(Sample length_samples);
    // The sound is over: ends an open utterance.
    [[nodiscard]] std::vector<VoiceEvent> finish();
    [[nodiscard]] bool inUtterance() const noexcept;
    // No later event can lie before this sample.
    [[nodiscard]] Sample settledUntil() const noexcept;

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace braid::audio
