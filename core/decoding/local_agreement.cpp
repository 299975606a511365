#include "core/decoding/local_agreement.h"

#include <algorithm>
#include <utility>

namespace braid::decoding {

namespace {

// Committed words kept although their sound is gone: the join with the next hypothesis and the guard against loops look at them.
constexpr std::size_t kRememberedWords = 16;
// When the machine is so far behind that the sound outgrows the model, what lies this far before the end of a full window is taken as it stands.
constexpr Sample kCatchUpMargin = samplesFromSeconds(2);
// At the end of an utterance a hypothesis that had to be cut short is followed by another look at the sound behind it, a few times.
constexpr int kMostLooksAtTheEnd = 4;
constexpr Sample kShortestSoundWorthALook = samplesFromMs(300);

}  // namespace

LocalAgreementPolicy::LocalAgreementPolicy(std::unique_ptr<WindowRecognizer> recognizer, LocalAgreementOptions options)
    : m_recognizer(std::move(recognizer)), m_options(options), m_prompt(options.prompt)
{
}

Sample LocalAgreementPolicy::windowLimit() const
{
    return std::min(m_options.window_limit_samples, m_recognizer->maximumSamples() * 3 / 4);
}

void LocalAgreementPolicy::beginUtterance(Sample start_sample)
{
    m_window.restart(start_sample);
    m_tracker.clear();
    m_settled.clear();
    m_unsettled.clear();
    m_attention.reset();
    m_looked_until = start_sample;
    m_reliability = Reliability::Sound;
}

void LocalAgreementPolicy::addSound(std::span<const float> sound)
{
    m_window.append(sound);
}

PolicyUpdate LocalAgreementPolicy::step()
{
    PolicyUpdate update;
    catchUp(update);
    const Sample until = m_window.end();
    if (until > m_looked_until) {
        const std::vector<text::Word> previous = std::exchange(m_unsettled, {});
        Look look = lookAt(until, update);
        std::size_t agreed = 0;
        if (m_reliability == Reliability::Sound) {
            const Sample safe_until = until - m_options.commit_guard_samples;
            while (agreed < std::min(previous.size(), look.words.size()) && look.words[agreed].end_sample <= safe_until && sameWord(previous[agreed], look.words[agreed]))
                ++agreed;
        }
        commit(look.words, agreed, until, update);
        m_unsettled = std::move(look.words);
        trim(look.segment_ends, until, update);
    }
    update.tail = m_unsettled;
    update.attention = m_attention;
    update.decoded_until_sample = m_looked_until;
    return update;
}

PolicyUpdate LocalAgreementPolicy::endUtterance()
{
    PolicyUpdate update;
    catchUp(update);
    const Sample until = m_window.end();
    for (int looks = 0; looks < kMostLooksAtTheEnd; ++looks) {
        if (until > m_looked_until || looks > 0)
            m_unsettled = lookAt(until, update).words;
        commit(m_unsettled, m_unsettled.size(), until, update);
        if (m_reliability == Reliability::Sound)
            break;
        // The hypothesis was cut short: what is behind the last plausible word may still hold speech.
        const Sample settled_until = m_settled.empty() ? 0 : m_settled.back().end_sample;
        dropSoundBefore(std::max(settled_until, m_window.start() + m_window.length() / kMostLooksAtTheEnd));
        if (m_window.length() < kShortestSoundWorthALook)
            break;
    }
    update.attention = m_attention;
    update.decoded_until_sample = until;
    beginUtterance(until);
    return update;
}

// Recognises the window up to `until` and takes off what is committed already and what cannot be.
LocalAgreementPolicy::Look LocalAgreementPolicy::lookAt(Sample until, PolicyUpdate &update)
{
    Hypothesis hypothesis = m_recognizer->recognize({m_window.until(until), m_window.start(), m_prompt.before(m_window.start())});
    update.decoder_steps += hypothesis.decoder_steps;
    m_attention = std::move(hypothesis.attention);
    m_looked_until = until;

    Look look{std::move(hypothesis.words), std::move(hypothesis.segment_ends)};
    if (hypothesis.no_speech_probability > m_options.no_speech_limit && hypothesis.average_log_probability < m_options.no_speech_log_probability)
        look.words.clear();
    const std::size_t repeated = repeatedCount(m_settled, look.words, m_window.start());
    look.words.erase(look.words.begin(), look.words.begin() + static_cast<std::ptrdiff_t>(repeated));
    const Sample earliest = m_settled.empty() ? m_window.start() : std::max(m_window.start(), m_settled.back().end_sample);
    putInOrder(look.words, earliest, until);

    const std::size_t plausible = plausibleCount(m_settled, look.words, earliest);
    const bool is_cut_short = plausible < look.words.size();
    look.words.resize(plausible);
    m_reliability = is_cut_short || hypothesis.compression_ratio > m_options.compression_ratio_limit ? Reliability::Doubtful : Reliability::Sound;
    m_tracker.update(look.words, until);
    return look;
}

// Moves the first `count` of `words` to the committed ones, for ever.
void LocalAgreementPolicy::commit(std::vector<text::Word> &words, std::size_t count, Sample heard, PolicyUpdate &update)
{
    const auto end = words.begin() + static_cast<std::ptrdiff_t>(count);
    for (auto word = words.begin(); word != end; ++word) {
        word->committed_sample = heard;
        m_prompt.append(*word);
        update.committed.push_back(*word);
        m_settled.push_back(std::move(*word));
    }
    words.erase(words.begin(), end);
    m_tracker.commit(count);
}

// More sound than the model takes at once: the machine has fallen behind. A full window is looked at once, and what is said in it commits without
// a second opinion; it has had more sound after it than agreement would have waited for.
void LocalAgreementPolicy::catchUp(PolicyUpdate &update)
{
    const Sample maximum = m_recognizer->maximumSamples();
    while (m_window.length() > maximum) {
        const Sample until = m_window.start() + maximum;
        Look look = lookAt(until, update);
        const Cut cut = planCut(look.words, m_window.start(), until - std::min(kCatchUpMargin, maximum / 4));
        commit(look.words, cut.words, until, update);
        m_unsettled = std::move(look.words);
        dropSoundBefore(cut.sample);
    }
}

// Keeps the window below its limit: at the last settled sentence end, else where the model ended a segment, else after the last
// settled word. And when nothing has settled for too long, the older half settles as it stands, because nothing said may be lost.
void LocalAgreementPolicy::trim(std::span<const Sample> segment_ends, Sample until, PolicyUpdate &update)
{
    const Sample limit = windowLimit();
    if (m_window.length() <= limit)
        return;
    const auto sentence = std::find_if(m_settled.rbegin(), m_settled.rend(), endsSentence);
    if (sentence != m_settled.rend())
        dropSoundBefore(sentence->end_sample);
    const Sample settled_until = m_settled.empty() ? m_window.start() : m_settled.back().end_sample;
    if (m_window.length() > limit) {
        const auto segment = std::find_if(segment_ends.rbegin(), segment_ends.rend(), [settled_until](Sample end) { return end <= settled_until; });
        if (segment != segment_ends.rend())
            dropSoundBefore(*segment);
    }
    if (m_window.length() > limit)
        dropSoundBefore(settled_until);
    if (m_window.length() > limit + limit / 3) {
        const Cut cut = planCut(m_unsettled, m_window.start(), until - m_window.length() / 2);
        commit(m_unsettled, cut.words, until, update);
        dropSoundBefore(cut.sample);
    }
}

void LocalAgreementPolicy::dropSoundBefore(Sample sample)
{
    m_window.dropBefore(sample);
    // Words whose sound is still there, and a few before.
    const auto gone = std::find_if(m_settled.begin(), m_settled.end(), [this](const text::Word &word) { return word.end_sample > m_window.start(); }) - m_settled.begin();
    const auto dispensable = std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(m_settled.size()) - static_cast<std::ptrdiff_t>(kRememberedWords));
    m_settled.erase(m_settled.begin(), m_settled.begin() + std::min(gone, dispensable));
}

}  // namespace braid::decoding
