// The pump thread of a run: reads the source, measures the level, finds the voice, keeps the sound and its journal, and tells the
// worker how far things are. It never waits for the worker, except with a source that loses nothing by waiting (Pace::Fast).
#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/audio/level.h"
#include "core/audio/source.h"
#include "core/audio/voice_activity.h"
#include "core/captions/caption_work.h"

namespace braid::captions {
namespace {

// What a muted source sends: zeros, or the last bit of 16.
constexpr float kMutedPeak = 4e-5F;
// Louder than a quiet room by a microphone: -40 dB of full scale.
constexpr float kAudibleRms = 0.01F;

constexpr std::chrono::milliseconds kReadTimeout{100};
constexpr std::size_t kLivePieceSamples = samplesFromMs(100);
constexpr std::size_t kFastPieceSamples = samplesFromMs(500);
constexpr Sample kLongestGapSamples = samplesFromSeconds(7 * 24 * 3600);

// "The microphone was lost." as a clause.
std::string gapReason(std::string notice)
{
    while (!notice.empty() && notice.back() == '.') {
        notice.pop_back();
    }
    return notice.empty() ? "sound was lost" : notice;
}

class Pump {
  public:
    explicit Pump(CaptionWork &run)
        : m_run(run)
        , m_gate(run.config.make_detector ? run.config.make_detector() : audio::makeVoiceDetector(), run.config.voice)
    {
    }

    void open()
    {
        m_source = m_run.config.open_source();
        m_source->start();
        const auto description = m_source->description();
        m_pace = description.pace;
        m_run.board.soundOpened(m_pace);
        m_run.journal.begin({.kind = runtime::RunKind::Captions, .source = description.name, .model = m_run.config.model_name});
        m_run.feed.opened(description);
    }

    void readToEnd()
    {
        std::vector<float> buffer(m_pace == audio::Pace::Fast ? kFastPieceSamples : kLivePieceSamples);
        // The worker's part of the store must never be overwritten by a source that could have waited.
        const Sample read_ahead = std::clamp<Sample>(m_run.config.read_ahead_samples, kFastPieceSamples, kSoundKeptSamples / 2);
        while (!m_run.cancelled() && !m_run.sourceIsStuck()) {
            if (m_run.stop_requested && !std::exchange(m_stopping, true)) {
                m_source->stop();
            }
            if (m_pace == audio::Pace::Fast) {
                m_run.feed.waitForRoom(read_ahead);
                m_run.journal.waitForRoom();
            }
            const auto asked_at = std::chrono::steady_clock::now();
            auto result = m_source->read(buffer, kReadTimeout);
            if (result.state == audio::ReadState::End) {
                giveNotice(result.notice);
                break;
            }
            take(std::move(result), buffer);
            if (result.state == audio::ReadState::Nothing && std::chrono::steady_clock::now() - asked_at < std::chrono::milliseconds(1)) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a source that does not wait itself must not take a whole core
            }
        }
    }

    // Settles voice activity; the worker may then go to the very end.
    void finish()
    {
        tell(m_gate.finish());
        m_run.board.soundEnded();
    }

    void close()
    {
        if (m_source) {
            m_source->stop();
            m_source.reset();
        }
    }

  private:
    void take(audio::ReadResult result, std::span<const float> buffer)
    {
        if (result.state == audio::ReadState::Gap) {
            takeGap(std::clamp<Sample>(result.gap_samples, 0, kLongestGapSamples), result.notice);
        } else if (result.state == audio::ReadState::Sound) {
            takeSound(buffer.first(std::min(result.samples, buffer.size())));
        }
        giveNotice(result.notice);
    }

    void takeSound(std::span<const float> sound)
    {
        m_run.store.append(sound);
        m_run.journal.postSound(sound);
        m_heard += static_cast<Sample>(sound.size());
        tell(m_gate.push(sound));
        m_level.push(sound);
        const auto level = m_level.level();
        m_run.board.soundHeard(m_heard, level.peak, level.rms, voiceState(level));
    }

    [[nodiscard]] VoiceState voiceState(const audio::Level &level) const
    {
        return m_gate.inUtterance()       ? VoiceState::Speech
               : level.peak <= kMutedPeak ? VoiceState::NoSound
               : level.rms < kAudibleRms  ? VoiceState::Silence
                                          : VoiceState::NoSpeech;
    }

    void takeGap(Sample length, const std::string &notice)
    {
        if (length == 0) {
            return;
        }
        const auto events = m_gate.gap(length);
        m_marks.insert(m_marks.end(), events.begin(), events.end());
        m_marks.emplace_back(text::Gap{m_heard, length, gapReason(notice)});
        m_level.reset();
        m_run.store.appendSilence(length);
        m_run.journal.postSilence(length);
        m_heard += length;
        tell({});
    }

    void tell(const std::vector<audio::VoiceEvent> &events)
    {
        m_marks.insert(m_marks.end(), events.begin(), events.end());
        m_run.feed.advance(m_heard, m_gate.settledUntil(), m_marks);
        m_marks.clear();
    }

    void giveNotice(const std::string &notice)
    {
        if (!notice.empty()) {
            m_run.notice(notice);
        }
    }

    CaptionWork &m_run;
    audio::VoiceGate m_gate;
    audio::LevelMeter m_level;
    std::unique_ptr<audio::Source> m_source;
    audio::Pace m_pace = audio::Pace::Live;
    Sample m_heard = 0;
    bool m_stopping = false;
    std::vector<FeedMark> m_marks;
};

}  // namespace

void runPump(CaptionWork &run)
{
    try {
        Pump pump(run);
        try {
            pump.open();
            pump.readToEnd();
            pump.finish();
            run.feed.end();
        } catch (...) {
            const auto failure = runtime::describeException("The source of sound");
            try {
                pump.finish();
            } catch (...) {
                // The sentence about the first trouble is the one that counts.
            }
            run.feed.fail(failure);
        }
        // Closing may take its time (a stuck device): the worker need not wait for it.
        pump.close();
    } catch (...) {
        run.feed.fail(runtime::describeException("The source of sound"));
    }
    if (run.feed.failure()) {
        run.stop_loading.request_stop();
    }
}

}  // namespace braid::captions
