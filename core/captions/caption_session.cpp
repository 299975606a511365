#include "core/captions/caption_session.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace braid::captions {
namespace {

double steadySeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

CaptionSession::CaptionSession(std::unique_ptr<CaptionPolicy> policy, SessionOptions options, std::function<void(SessionUpdate)> on_update)
    : m_policy(std::move(policy))
    , m_options(std::move(options))
    , m_on_update(std::move(on_update))
    , m_line(m_options.lines)
{
    if (!m_options.seconds_clock) {
        m_options.seconds_clock = steadySeconds;
    }
    askForStep();
}

void CaptionSession::beginUtterance()
{
    if (m_in_utterance) {
        return;
    }
    giveWaitingGap();
    // No pause long enough came since the utterance before: the line goes on.
    m_waiting_break.reset();
    m_policy->beginUtterance(m_position);
    m_in_utterance = true;
    m_stepped_until = m_position;
    askForStep();
}

void CaptionSession::adjust(const PolicySettings &settings)
{
    m_policy->adjust(settings);
    askForStep();
}

// A policy's steps may differ: a longer first chunk, a chunk changed by a person.
void CaptionSession::askForStep()
{
    m_step_samples = std::max<Sample>(1, m_policy->stepSamples());
}

void CaptionSession::hear(std::span<const float> sound, StepPacing pacing, std::stop_token cancel)
{
    if (!m_in_utterance) {
        skip(static_cast<Sample>(sound.size()));
        return;
    }
    while (!sound.empty() && !cancel.stop_requested()) {
        const Sample chunk = pacing == StepPacing::EveryStep ? m_step_samples : std::max(m_step_samples, m_options.catch_up_samples);
        const Sample wanted = std::max<Sample>(1, chunk - (m_position - m_stepped_until));
        const auto take = static_cast<std::size_t>(std::min(wanted, static_cast<Sample>(sound.size())));
        m_policy->addSound(sound.first(take));
        m_position += static_cast<Sample>(take);
        sound = sound.subspan(take);
        if (m_position - m_stepped_until >= chunk) {
            takeStep(StepKind::Within);
        }
    }
    if (pacing == StepPacing::CatchUp && m_position - m_stepped_until >= m_step_samples && !cancel.stop_requested()) {
        takeStep(StepKind::Within);
    }
}

void CaptionSession::endUtterance()
{
    if (!m_in_utterance) {
        return;
    }
    takeStep(StepKind::Last);
    m_revisions.clear();
    m_in_utterance = false;
    if (m_line.isEmpty()) {
        return;
    }
    if (m_line.endsWithSentence()) {
        give(text::LineBreak{m_position});
    } else {
        m_waiting_break = m_position;
    }
}

void CaptionSession::skip(Sample length_samples)
{
    if (m_in_utterance || length_samples <= 0) {
        return;
    }
    giveWaitingGap();
    m_position += length_samples;
    // The gate's hang-over before and its pre-roll after this stretch are silence too.
    const Sample needed = std::max<Sample>(0, m_options.lines.pause_samples - m_options.voice.hangover_samples - m_options.voice.preroll_samples);
    if (m_waiting_break && m_options.lines.breaksAtPauses() && m_position - *m_waiting_break > needed) {
        give(text::LineBreak{*std::exchange(m_waiting_break, std::nullopt)});
    }
}

void CaptionSession::gap(Sample length_samples, const std::string &reason)
{
    endUtterance();
    m_waiting_break.reset();  // the gap itself separates the lines
    if (length_samples <= 0) {
        return;
    }
    if (m_waiting_gap) {
        m_waiting_gap->length_samples += length_samples;
    } else {
        m_waiting_gap = text::Gap{m_position, length_samples, reason};
    }
    m_position += length_samples;
}

void CaptionSession::changePolicy(std::unique_ptr<CaptionPolicy> policy)
{
    if (m_in_utterance) {
        takeStep(StepKind::Last);
        m_revisions.clear();
    }
    m_policy = std::move(policy);
    m_encoder.reset();
    if (m_in_utterance) {
        m_policy->beginUtterance(m_position);
    }
    askForStep();
}

void CaptionSession::finish()
{
    endUtterance();
    m_waiting_break.reset();
    giveWaitingGap();
    m_finished = true;
}

SessionStatistics CaptionSession::statistics() const
{
    auto statistics = m_statistics;
    statistics.decoded_samples = m_in_utterance ? m_stepped_until : m_position;
    statistics.tail_start_sample = m_tail.empty() ? statistics.decoded_samples : m_tail.front().start_sample;
    statistics.step_times = m_finished ? m_step_times.whole() : m_step_times.recent();
    return statistics;
}

void CaptionSession::takeStep(StepKind kind)
{
    const double began = m_options.seconds_clock();
    auto result = kind == StepKind::Last ? m_policy->endUtterance() : m_policy->step();
    const double seconds = m_options.seconds_clock() - began;
    runtime::StepTiming timing{m_position, m_position - m_stepped_until, seconds * 1000, 0, 0, result.decoder_steps};
    m_stepped_until = m_position;
    askForStep();
    m_step_times.add(seconds * 1000);
    m_statistics.compute_seconds += seconds;
    m_statistics.last_step_ms = seconds * 1000;
    ++m_statistics.steps;
    m_statistics.decoder_steps += result.decoder_steps;

    SessionUpdate update;
    update.revisions = m_revisions.update(result.committed, result.tail, m_position);
    m_statistics.revisions += static_cast<std::int64_t>(update.revisions.size());
    commitWords(std::move(result.committed), update.committed);
    Sample not_before = m_last_word_end;
    for (auto &word : result.tail) {
        fitTimes(word, not_before);
        not_before = word.end_sample;
    }
    m_tail = std::move(result.tail);
    if (result.attention) {
        m_attention = std::move(result.attention);
    }
    if (result.encoder) {
        m_encoder = std::move(result.encoder);
        // A step in which nothing was encoded may still carry the state of the one before.
        if (m_encoder->encode_ms + m_encoder->decode_ms <= timing.whole_ms * 1.01) {
            timing.encode_ms = m_encoder->encode_ms;
            timing.decode_ms = m_encoder->decode_ms;
        }
    }
    update.step = timing;
    giveUpdate(std::move(update));
}

void CaptionSession::giveUpdate(SessionUpdate update)
{
    update.tail = m_tail;
    update.attention = m_attention;
    update.encoder = m_encoder;
    m_on_update(std::move(update));
}

void CaptionSession::commitWords(std::vector<text::Word> words, std::vector<text::TranscriptItem> &items)
{
    for (auto &word : words) {
        if (word.text.empty()) {
            continue;
        }
        fitTimes(word, m_last_word_end);
        if (m_line.breaksBefore(word)) {
            items.emplace_back(text::LineBreak{m_last_word_end});
            m_line.newLine();
        }
        if (word.committed_sample <= 0) {
            word.committed_sample = m_position;
        }
        m_last_word_end = word.end_sample;
        m_line.add(word);
        ++m_statistics.committed_words;
        m_statistics.revised_words += word.revision_count > 0 ? 1 : 0;
        items.emplace_back(std::move(word));
    }
}

void CaptionSession::fitTimes(text::Word &word, Sample not_before) const
{
    word.start_sample = std::clamp(word.start_sample, not_before, std::max(not_before, m_position));
    word.end_sample = std::clamp(word.end_sample, word.start_sample, std::max(word.start_sample, m_position));
    if (word.first_seen_sample <= 0) {
        word.first_seen_sample = m_position;
    }
}

void CaptionSession::give(text::TranscriptItem item)
{
    m_line.newLine();
    SessionUpdate update;
    update.committed.push_back(std::move(item));
    giveUpdate(std::move(update));
}

void CaptionSession::giveWaitingGap()
{
    if (m_waiting_gap) {
        give(*std::exchange(m_waiting_gap, std::nullopt));
    }
}

}  // namespace braid::captions
