#include "core/captions/speech_llm_policy.h"

#include <algorithm>
#include <utility>

namespace braid::captions {
namespace {

// Between two phrases; the same that lets other windows begin anew.
constexpr Sample kPause = samplesFromMs(300);

}  // namespace

SpeechLlmPolicy::SpeechLlmPolicy(std::unique_ptr<SegmentTranscriber> transcriber, SpeechLlmOptions options)
    : m_transcriber(std::move(transcriber))
    , m_options(options)
{
    beginUtterance(0);
}

Sample SpeechLlmPolicy::stepSamples() const
{
    return std::max<Sample>(1, readUntil() + m_transcriber->segmentSamples() + m_transcriber->lookAheadSamples() - m_stepped_until);
}

void SpeechLlmPolicy::beginUtterance(Sample start_sample)
{
    m_sound.restart(start_sample);
    m_loudness.restart(start_sample);
    m_stepped_until = m_words_until = start_sample;
    m_windows = 0;
    beginWindow(start_sample);
}

void SpeechLlmPolicy::beginWindow(Sample start_sample)
{
    m_transcriber->begin();
    m_window_start = m_given_until = start_sample;
    m_segments = 0;
    m_sound.dropBefore(start_sample);
    m_loudness.dropBefore(start_sample);
    ++m_windows;
}

void SpeechLlmPolicy::addSound(std::span<const float> sound)
{
    m_sound.append(sound);
    m_loudness.append(sound);
}

bool SpeechLlmPolicy::isPause() const
{
    return m_loudness.quietBefore(readUntil()) >= kPause;
}

// The transcriber gets the sound of one segment at a time, so that a window that ends has heard little of what the next one reads.
void SpeechLlmPolicy::readSegments(PolicyUpdate &update)
{
    for (;;) {
        const Sample wanted = std::min(m_sound.end(), readUntil() + m_transcriber->segmentSamples() + m_transcriber->lookAheadSamples());
        if (wanted > m_given_until) {
            m_transcriber->addSound(m_sound.until(wanted).subspan(static_cast<std::size_t>(m_given_until - m_sound.start())));
            m_given_until = wanted;
        }
        if (!m_transcriber->segmentReady()) {
            return;
        }
        SegmentStep step = m_transcriber->readSegment();
        ++m_segments;
        take(std::move(step), readUntil(), Ending::No, update);
        m_sound.dropBefore(readUntil());
        if (m_transcriber->isFull() || (readUntil() - m_window_start >= m_options.restart_after_samples && isPause())) {
            const Sample end = readUntil();
            endWindow(update, end);
            beginWindow(end);
        }
    }
}

void SpeechLlmPolicy::endWindow(PolicyUpdate &update, Sample end_sample)
{
    take(m_transcriber->finish(), end_sample, Ending::Window, update);
}

void SpeechLlmPolicy::take(SegmentStep step, Sample heard_until, Ending ending, PolicyUpdate &update)
{
    update.decoder_steps += step.decoder_passes;
    const Sample segment = m_transcriber->segmentSamples();
    const auto count = static_cast<Sample>(step.words.size());
    const Sample left = std::max<Sample>(0, heard_until - m_words_until);
    const Sample shared_from = m_words_until;
    Sample number = 0;
    for (WrittenWord &written : step.words) {
        text::Word word = std::move(written.word);
        ++number;
        if (ending == Ending::Window) {
            word.start_sample = m_words_until;
            word.end_sample = shared_from + left * number / count;
        } else {
            const Sample end = m_window_start + std::max<std::int64_t>(1, written.segments_read - m_transcriber->segmentsAhead() + 1) * segment;
            word.start_sample = std::max(m_words_until, end - segment);
            word.end_sample = std::max(word.start_sample, std::min(end, heard_until));
        }
        word.time_method = text::WordTimeMethod::ChunkArrival;
        word.first_seen_sample = word.committed_sample = m_sound.end();
        m_words_until = word.end_sample;
        update.committed.push_back(std::move(word));
    }
}

PolicyUpdate SpeechLlmPolicy::step()
{
    PolicyUpdate update;
    readSegments(update);
    m_stepped_until = m_sound.end();
    update.decoded_until_sample = readUntil();
    return update;
}

PolicyUpdate SpeechLlmPolicy::endUtterance()
{
    PolicyUpdate update;
    readSegments(update);
    const Sample until = m_sound.end();
    endWindow(update, until);
    update.decoded_until_sample = until;
    beginUtterance(until);
    return update;
}

}  // namespace braid::captions
