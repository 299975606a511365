// A language model that listens as a caption policy: speech is read in segments of one length (400 ms in the paper), and after the first k of them a word is
// written for every segment read (wait-k). What is written is settled: nothing is ever taken back, and there is no tail. At the end of an utterance the model
// reads the rest and writes what it still has to say.
// Source: "LLM as Effective Streaming Processor", appendix B.1 (group positions over speech in segments); Ma et al. 2019 (wait-k).
//
// Beyond the paper, so that it runs for hours: a window gives way to a new one when the model can hold no more, or before, in a pause, once it is
// `restart_after_samples` long: the old one is written to its end first.
// Word times: the segment that wait-k pairs a word with, the newest read less k - 1; words written at the end share what is left evenly.
// Thread: the engine worker's. Ownership: the policy owns its transcriber. Errors: braid::Error of the transcriber pass through.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/captions/caption_policy.h"
#include "core/captions/loudness_track.h"
#include "core/captions/segment_transcriber.h"
#include "core/captions/sound_window.h"

namespace braid::captions {

struct SpeechLlmOptions {
    // A new window begins in a pause once the present one is so long.
    Sample restart_after_samples = samplesFromSeconds(12);
};

class SpeechLlmPolicy final : public CaptionPolicy {
  public:
    explicit SpeechLlmPolicy(std::unique_ptr<SegmentTranscriber> transcriber, SpeechLlmOptions options = {});

    [[nodiscard]] std::string name() const override { return "speech-llm"; }
    // From the newest step to the end of the next segment and what must be heard behind it.
    [[nodiscard]] Sample stepSamples() const override;
    void beginUtterance(Sample start_sample) override;
    void addSound(std::span<const float> sound) override;
    [[nodiscard]] PolicyUpdate step() override;
    [[nodiscard]] PolicyUpdate endUtterance() override;

    // Windows begun since the utterance began.
    [[nodiscard]] int windows() const noexcept { return m_windows; }

  private:
    enum class Ending : std::uint8_t { No = 1, Window };
    void beginWindow(Sample start_sample);
    void readSegments(PolicyUpdate &update);
    void endWindow(PolicyUpdate &update, Sample end_sample);
    void take(SegmentStep step, Sample heard_until, Ending ending, PolicyUpdate &update);
    [[nodiscard]] Sample readUntil() const noexcept { return m_window_start + m_segments * m_transcriber->segmentSamples(); }
    [[nodiscard]] bool isPause() const;

    std::unique_ptr<SegmentTranscriber> m_transcriber;
    SpeechLlmOptions m_options;
    SoundWindow m_sound;       // from the end of the newest segment read
    LoudnessTrack m_loudness;  // of the window
    Sample m_window_start = 0;
    Sample m_given_until = 0;  // to the transcriber
    Sample m_stepped_until = 0;
    Sample m_words_until = 0;     // where the newest word ends
    std::int64_t m_segments = 0;  // read, of the window
    int m_windows = 0;
};

}  // namespace braid::captions
