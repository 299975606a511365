#include "core/captions/caption_board.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/audio/voice_activity.h"

namespace braid::captions {
namespace {

// Voice activity settles up to this much after the sound, and while nobody speaks later by what waits for a voice: no sign of a slow machine.
constexpr Sample kSettlingSamples = samplesFromMs(600);
constexpr Sample kSettlingInNoiseSamples = kSettlingSamples + audio::kLongestWaitForVoice;
// A live source that says nothing for so long gives no sound at all (not even silence).
constexpr std::chrono::milliseconds kNoSoundAfter{1000};

// The newest `limit` of `kept` and `more`, for the board and as a value that never changes again.
template <typename Item>
std::shared_ptr<const std::vector<Item>> keepNewest(std::deque<Item> &kept, std::span<const Item> more, std::size_t limit)
{
    kept.insert(kept.end(), more.begin(), more.end());
    if (kept.size() > limit) {
        kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(limit));
    }
    return std::make_shared<const std::vector<Item>>(kept.begin(), kept.end());
}

}  // namespace

void CaptionBoard::soundOpened(audio::Pace pace)
{
    change([&](CaptionSnapshot &now) {
        m_pace = pace;
        countLags(now.statistics);
    });
}

void CaptionBoard::soundHeard(Sample heard, float peak, float rms, VoiceState voice)
{
    change([&](CaptionSnapshot &now) {
        now.statistics.heard_samples = heard;
        now.level_peak = peak;
        now.level_rms = rms;
        m_heard_voice = voice;
        m_last_sound = std::chrono::steady_clock::now();
        countLags(now.statistics);
    });
}

void CaptionBoard::soundEnded()
{
    change([&](CaptionSnapshot &now) {
        now.level_peak = 0;
        now.level_rms = 0;
        m_heard_voice = VoiceState::NoSound;
        countLags(now.statistics);
    });
}

void CaptionBoard::session(const SessionStatistics &statistics, Sample step_samples)
{
    change([&](CaptionSnapshot &now) {
        Statistics &out = now.statistics;
        if (statistics.steps != m_session.steps) {
            m_lag_after_step = std::max<Sample>(0, out.heard_samples - statistics.decoded_samples);
        }
        m_session = statistics;
        m_step_samples = step_samples;
        out.decoded_samples = statistics.decoded_samples;
        out.real_time_factor = statistics.decoded_samples > 0 ? statistics.compute_seconds / secondsFromSamples(statistics.decoded_samples) : 0;
        out.step_ms_median = statistics.step_times.median_ms;
        out.step_ms_p95 = statistics.step_times.p95_ms;
        out.steps = statistics.steps;
        out.decoder_steps = statistics.decoder_steps;
        out.committed_words = statistics.committed_words;
        out.revised_words = statistics.revised_words;
        countLags(out);
    });
}

void CaptionBoard::update(const SessionUpdate &update)
{
    change([&](CaptionSnapshot &now) {
        now.tail = update.tail;
        now.attention = update.attention;
        now.encoder = update.encoder;
        if (update.step) {
            now.steps = keepNewest<runtime::StepTiming>(m_steps, std::span<const runtime::StepTiming>(&*update.step, 1), kStepsShown);
        }
        if (!update.revisions.empty()) {
            now.revisions = keepNewest<Revision>(m_revisions, update.revisions, kRevisionsShown);
            now.statistics.revisions += static_cast<std::int64_t>(update.revisions.size());
        }
    });
}

void CaptionBoard::policy(std::string name)
{
    change([&](CaptionSnapshot &now) {
        now.policy = std::move(name);
        now.encoder.reset();
    });
}

void CaptionBoard::clearTail()
{
    change([](CaptionSnapshot &now) { now.tail.clear(); });
}

std::shared_ptr<const CaptionSnapshot> CaptionBoard::look()
{
    return runtime::Latest<CaptionSnapshot>::look([this](CaptionSnapshot &now) {
        const bool silent_device = m_pace == audio::Pace::Live && std::chrono::steady_clock::now() - m_last_sound > kNoSoundAfter;
        return std::exchange(now.voice, silent_device ? VoiceState::NoSound : m_heard_voice) != now.voice;
    });
}

void CaptionBoard::countLags(Statistics &out) const
{
    out.policy_lag_ms = static_cast<double>(m_session.decoded_samples - m_session.tail_start_sample) * 1000 / kSampleRateHz;
    if (m_pace == audio::Pace::Fast) {
        // Nobody waits for a file that is read ahead: what counts is how long a step takes.
        out.compute_lag_ms = m_session.last_step_ms;
        return;
    }
    // The worker may be told of sound a moment before the board is.
    const Sample waiting = std::max<Sample>(0, out.heard_samples - out.decoded_samples);
    const bool is_speech = m_heard_voice == VoiceState::Speech;
    const bool overdue = waiting > std::max(m_step_samples, is_speech ? kSettlingSamples : kSettlingInNoiseSamples);
    const Sample speaking_lag = is_speech ? m_lag_after_step : 0;
    out.compute_lag_ms = static_cast<double>(overdue ? waiting : std::min(speaking_lag, waiting)) * 1000 / kSampleRateHz;
}

}  // namespace braid::captions
