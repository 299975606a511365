#include "core/captions/local_agreement.h"

#include <algorithm>
#include <utility>

#include "core/text/sentence_ends.h"

namespace braid::captions {

namespace {

// When the machine is so far behind that the sound outgrows the model, what lies this far before the end of a full window is taken as it stands.
constexpr Sample kCatchUpMargin = samplesFromSeconds(2);
// At the end of an utterance a hypothesis that had to be cut short is followed by another look at the sound behind it, a few times.
constexpr int kMostLooksAtTheEnd = 4;
constexpr Sample kShortestSoundWorthALook = samplesFromMs(300);

}  // namespace

LocalAgreementPolicy::LocalAgreementPolicy(std::unique_ptr<WindowRecognizer> recognizer, LocalAgreementOptions options)
    : m_recognizer(std::move(recognizer))
    , m_options(options)
    , m_book(options.prompt)
{
}

Sample LocalAgreementPolicy::windowLimit() const
{
    return std::min(m_options.window_limit_samples, m_recognizer->maximumSamples() * 3 / 4);
}

void LocalAgreementPolicy::beginUtterance(Sample start_sample)
{
    m_window.restart(start_sample);
    m_book.begin();
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
        const std::vector<text::Word> previous = m_book.tail();
        const std::vector<Sample> segment_ends = lookAt(until, update);
        const std::vector<text::Word> &words = m_book.tail();
        std::size_t agreed = 0;
        if (m_reliability == Reliability::Sound) {
            const Sample safe_until = until - m_options.commit_guard_samples;
            while (agreed < std::min(previous.size(), words.size()) && words[agreed].end_sample <= safe_until && sameWord(previous[agreed], words[agreed])) {
                ++agreed;
            }
        }
        m_book.commit(agreed, until, update);
        trim(segment_ends, until, update);
    }
    update.tail = m_book.tail();
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
        if (until > m_looked_until || looks > 0) {
            static_cast<void>(lookAt(until, update));
        }
        m_book.commit(m_book.tail().size(), until, update);
        if (m_reliability == Reliability::Sound) {
            break;
        }
        // The hypothesis was cut short: what is behind the last plausible word may still hold speech.
        dropSoundBefore(std::max(m_book.settledUntil(0), m_window.start() + m_window.length() / kMostLooksAtTheEnd));
        if (m_window.length() < kShortestSoundWorthALook) {
            break;
        }
    }
    update.attention = m_attention;
    update.decoded_until_sample = until;
    beginUtterance(until);
    return update;
}

// Recognises the window up to `until` and takes off what is committed already and what cannot be.
std::vector<Sample> LocalAgreementPolicy::lookAt(Sample until, PolicyUpdate &update)
{
    Hypothesis hypothesis = m_recognizer->recognize({m_window.until(until), m_window.start(), m_book.prompt().before(m_window.start())});
    update.decoder_steps += hypothesis.decoder_steps;
    m_attention = std::move(hypothesis.attention);
    m_looked_until = until;

    std::vector<text::Word> words = std::move(hypothesis.words);
    if (hypothesis.no_speech_probability > m_options.no_speech_limit && hypothesis.average_log_probability < m_options.no_speech_log_probability) {
        words.clear();
    }
    const std::size_t repeated = repeatedCount(m_book.settled(), words, m_window.start());
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(repeated));
    const Sample earliest = m_book.settledUntil(m_window.start());
    putInOrder(words, earliest, until);

    const std::size_t plausible = plausibleCount(m_book.settled(), words, earliest);
    const bool is_cut_short = plausible < words.size();
    words.resize(plausible);
    m_reliability = is_cut_short || hypothesis.compression_ratio > m_options.compression_ratio_limit ? Reliability::Doubtful : Reliability::Sound;
    m_book.setTail(std::move(words), until);
    return std::move(hypothesis.segment_ends);
}

// More sound than the model takes at once: the machine has fallen behind. A full window is looked at once, and what is said in it commits without
// a second opinion; it has had more sound after it than agreement would have waited for.
void LocalAgreementPolicy::catchUp(PolicyUpdate &update)
{
    const Sample maximum = m_recognizer->maximumSamples();
    while (m_window.length() > maximum) {
        const Sample until = m_window.start() + maximum;
        static_cast<void>(lookAt(until, update));
        const Cut cut = planCut(m_book.tail(), m_window.start(), until - std::min(kCatchUpMargin, maximum / 4));
        m_book.commit(cut.words, until, update);
        dropSoundBefore(cut.sample);
    }
}

// Keeps the window below its limit: at the last settled sentence end, else where the model ended a segment, else after the last
// settled word. And when nothing has settled for too long, the older half settles as it stands, because nothing said may be lost.
void LocalAgreementPolicy::trim(std::span<const Sample> segment_ends, Sample until, PolicyUpdate &update)
{
    const Sample limit = windowLimit();
    if (m_window.length() <= limit) {
        return;
    }
    const std::vector<text::Word> &settled = m_book.settled();
    const Sample settled_until = m_book.settledUntil(m_window.start());
    const auto sentence = std::find_if(settled.rbegin(), settled.rend(), [](const text::Word &word) { return text::endsSentence(word.text); });
    if (sentence != settled.rend()) {
        dropSoundBefore(sentence->end_sample);
    }
    if (m_window.length() > limit) {
        const auto segment = std::find_if(segment_ends.rbegin(), segment_ends.rend(), [settled_until](Sample end) { return end <= settled_until; });
        if (segment != segment_ends.rend()) {
            dropSoundBefore(*segment);
        }
    }
    if (m_window.length() > limit) {
        dropSoundBefore(settled_until);
    }
    if (m_window.length() > limit + limit / 3) {
        const Cut cut = planCut(m_book.tail(), m_window.start(), until - m_window.length() / 2);
        m_book.commit(cut.words, until, update);
        dropSoundBefore(cut.sample);
    }
}

void LocalAgreementPolicy::dropSoundBefore(Sample sample)
{
    m_window.dropBefore(sample);
    m_book.forgetBefore(m_window.start());
}

}  // namespace braid::captions
