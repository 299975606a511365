// Fakes at the engine's edges: a detector that knows loud from quiet, a policy whose words can be told beforehand, sources that
// misbehave. With them a run is decided by its script alone.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/audio/source.h"
#include "core/audio/voice_activity.h"
#include "core/base/error.h"
#include "core/captions/caption_policy.h"

namespace braid::testing {

// Loud is speech: scripts decide where voice is. A little sound may be speech and is no voice.
class LoudnessDetector final : public audio::VoiceDetector {
  public:
    [[nodiscard]] audio::FrameKind judge(std::span<const float> frame) override
    {
        float peak = 0;
        for (const float value : frame) {
            peak = std::max(peak, std::abs(value));
        }
        return peak > 0.15f ? audio::FrameKind::Voice : peak > 0.1f ? audio::FrameKind::PossibleSpeech : audio::FrameKind::NoSpeech;
    }
    void reset() override {}
};

// "Speech": loud, and different everywhere, so that shifted or doubled sound shows in the words.
inline std::vector<float> speech(double seconds, unsigned seed = 1)
{
    std::vector<float> sound(static_cast<std::size_t>(samplesFromSeconds(seconds)));
    for (auto &value : sound) {
        seed = seed * 1664525u + 1013904223u;
        value = 0.2f + 0.6f * static_cast<float>(seed >> 8) / 16777216.0f;
    }
    return sound;
}

inline std::vector<float> silence(double seconds)
{
    return std::vector<float>(static_cast<std::size_t>(samplesFromSeconds(seconds)), 0.0f);
}

inline std::vector<float> joined(std::vector<std::vector<float>> parts)
{
    std::vector<float> whole;
    for (const auto &part : parts) {
        whole.insert(whole.end(), part.begin(), part.end());
    }
    return whole;
}

// What a fake policy did, for the test that outlives it.
struct PolicyLog {
    std::atomic<int> utterances = 0;
    std::atomic<int> steps = 0;
    std::atomic<std::int64_t> heard_samples = 0;
    std::atomic<Sample> longest_step_samples = 0;
};

// A word every half second of sound: "w3:17" is the fourth of its utterance, and 17 is made of the sound under it. A word is
// committed when half a second more was heard after it; before that it stands in the tail, with another text while it is incomplete.
class HalfSecondWords : public captions::CaptionPolicy {
  public:
    explicit HalfSecondWords(std::shared_ptr<PolicyLog> log = std::make_shared<PolicyLog>(), Sample step_samples = samplesFromMs(300))
        : m_log(std::move(log))
        , m_step_samples(step_samples)
    {
    }

    [[nodiscard]] std::string name() const override { return "half-second-words"; }
    [[nodiscard]] Sample stepSamples() const override { return m_step_samples; }
    void beginUtterance(Sample start_sample) override
    {
        ++m_log->utterances;
        m_start = start_sample;
        m_sums.clear();
        m_heard = 0;
        m_committed = 0;
        m_stepped = 0;
    }
    void addSound(std::span<const float> sound) override
    {
        for (const float value : sound) {
            const auto slot = static_cast<std::size_t>(m_heard / kWord);
            m_sums.resize(slot + 1);
            m_sums[slot] += std::lround(value * 1000) * (m_heard % 97);
            ++m_heard;
        }
        m_log->heard_samples += static_cast<std::int64_t>(sound.size());
    }
    [[nodiscard]] captions::PolicyUpdate step() override
    {
        beforeStep();
        return look(m_heard - kWord);
    }
    [[nodiscard]] captions::PolicyUpdate endUtterance() override
    {
        beforeStep();
        return look(m_heard + kWord);
    }

  protected:
    virtual void beforeStep()
    {
        ++m_log->steps;
        m_log->longest_step_samples = std::max(m_log->longest_step_samples.load(), m_heard - m_stepped);
        m_stepped = m_heard;
    }

  private:
    static constexpr Sample kWord = samplesFromMs(500);

    [[nodiscard]] text::Word word(std::size_t slot) const
    {
        text::Word word;
        word.start_sample = m_start + static_cast<Sample>(slot) * kWord;
        word.end_sample = m_start + std::min(m_heard, static_cast<Sample>(slot + 1) * kWord);
        word.text = "w" + std::to_string(slot) + ":" + std::to_string(m_sums[slot] % 1000);
        word.probability = 0.5f;
        return word;
    }
    [[nodiscard]] captions::PolicyUpdate look(Sample commit_until)
    {
        captions::PolicyUpdate update;
        update.decoder_steps = 1;
        update.decoded_until_sample = m_start + m_heard;
        for (std::size_t slot = m_committed; slot < m_sums.size(); ++slot) {
            if (std::min(m_heard, static_cast<Sample>(slot + 1) * kWord) <= commit_until) {
                update.committed.push_back(word(slot));
                m_committed = slot + 1;
            } else {
                update.tail.push_back(word(slot));
            }
        }
        return update;
    }

    std::shared_ptr<PolicyLog> m_log;
    Sample m_step_samples;
    Sample m_start = 0;
    Sample m_heard = 0;
    Sample m_stepped = 0;
    std::size_t m_committed = 0;
    std::vector<long> m_sums;
};

// The same, but every step does something first: takes time, waits, throws.
class DisturbedPolicy final : public HalfSecondWords {
  public:
    DisturbedPolicy(std::shared_ptr<PolicyLog> log, std::function<void()> disturbance)
        : HalfSecondWords(std::move(log))
        , m_disturbance(std::move(disturbance))
    {
    }

  protected:
    void beforeStep() override
    {
        HalfSecondWords::beforeStep();
        m_disturbance();
    }

  private:
    std::function<void()> m_disturbance;
};

// A source whose every part is a function.
class FunctionSource final : public audio::Source {
  public:
    using Read = std::function<audio::ReadResult(std::span<float>, std::chrono::milliseconds)>;
    FunctionSource(audio::SourceDescription description, Read read, std::function<void()> on_stop = {})
        : m_description(std::move(description))
        , m_read(std::move(read))
        , m_on_stop(std::move(on_stop))
    {
    }
    void start() override {}
    [[nodiscard]] audio::ReadResult read(std::span<float> sound, std::chrono::milliseconds timeout) override { return m_read(sound, timeout); }
    void stop() override
    {
        if (m_on_stop) {
            m_on_stop();
        }
    }
    [[nodiscard]] audio::SourceDescription description() const override { return m_description; }

  private:
    audio::SourceDescription m_description;
    Read m_read;
    std::function<void()> m_on_stop;
};

}  // namespace braid::testing
