#include "core/models/speech_lm/segment_writer.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/models/torch_errors.h"

namespace braid::models::speech {
namespace {

// A model that has lost its way says no more than a person could.
constexpr int kMostWordsAhead = 40;
constexpr int kMostTokensPerWord = 24;

TranslatorOptions translatorOptions(const weights::SpeechLmConfig &config, const CaptionOptions &options)
{
    const auto &paradigms = paradigms::allParadigms();
    const auto entry =
        std::find_if(paradigms.begin(), paradigms.end(), [&options](const paradigms::ParadigmEntry &one) { return one.name == options.speech_llm.paradigm; });
    if (entry != paradigms.end() && entry->offered != paradigms::Offered::Everywhere) {
        throw Error(ErrorKind::Usage, "speech cannot be read in the paradigm \"" + options.speech_llm.paradigm + "\": without positions its order is lost", {},
                    "Choose group, which the model was made for");
    }
    if (options.speech_llm.paradigm == "offline") {
        throw Error(ErrorKind::Usage, "captions cannot wait in the paradigm \"offline\", which reads the whole source before its first word", {},
                    "Choose group, or another that goes on reading");
    }
    TranslatorOptions translator;
    translator.paradigm = options.speech_llm.paradigm;
    translator.phi = options.speech_llm.phi >= 0 ? options.speech_llm.phi : config.phi.front();
    translator.rivals = options.rival_count;
    translator.drafting = options.speech_llm.drafting;
    return translator;
}

translation::WaitKSettings waitK(const weights::SpeechLmConfig &config, const CaptionOptions &options)
{
    translation::WaitKSettings settings;
    settings.k = options.speech_llm.wait_k > 0 ? options.speech_llm.wait_k : static_cast<int>(config.wait_k);
    settings.source_unit = translation::ReadingUnit::Segments;
    settings.max_words_ahead = kMostWordsAhead;
    settings.max_tokens_per_word = kMostTokensPerWord;
    return settings;
}

lm::TranslationLayout layoutOf(const SpeechLm &model)
{
    return lm::TranslationLayout::of(model.language_model->summary.path, model.language_model->tokenizer, "en", "en");
}

std::shared_ptr<const SpeechLm> checked(std::shared_ptr<const SpeechLm> model, const CaptionOptions &options)
{
    const std::string name = model->language_model->summary.name;
    const std::vector<std::string> &known = model->config.languages;
    if (!options.language.empty() && !known.empty() && std::find(known.begin(), known.end(), options.language) == known.end()) {
        throw Error(ErrorKind::Usage, name + " does not understand \"" + options.language + "\"", {}, "Leave the language out");
    }
    if (options.task != SpeechTask::Transcribe) {
        throw Error(ErrorKind::Usage, name + " does not translate what it hears", {}, "Choose the task transcribe");
    }
    return model;
}

}  // namespace

SegmentWriter::SegmentWriter(std::shared_ptr<const SpeechLm> model, const CaptionOptions &options)
    : m_model(checked(std::move(model), options))
    , m_chunking(segmentsOf(m_model->config))
    , m_wait_k(waitK(m_model->config, options))
    , m_translator(m_model->language_model, layoutOf(*m_model), translatorOptions(m_model->config, options))
    , m_waiting(m_translator, m_wait_k)
{
    begin();
}

void SegmentWriter::begin()
{
    m_waiting.beginSentence({});
    m_stream = withPlainErrors([&] { return m_model->encoder->begin(m_chunking); });
    m_sound.clear();
    m_given = 0;
    m_segments = 0;
}

void SegmentWriter::addSound(std::span<const float> sound)
{
    m_sound.insert(m_sound.end(), sound.begin(), sound.end());
}

bool SegmentWriter::segmentReady() const
{
    return m_given + static_cast<Sample>(m_sound.size()) >= (m_segments + 1) * segmentSamples() + lookAheadSamples();
}

bool SegmentWriter::isFull() const
{
    // Room for what stands behind a last segment: frames of its look-ahead, and words that are still owed.
    constexpr std::int64_t kTokensOwed = 6;  // for a segment by which the text is behind
    const weights::SpeechLmConfig &config = m_model->config;
    const std::int64_t frames = config.segment_ms / config.frameMs();
    const std::int64_t rows = (frames + 1) / config.adapter.stack + 2;
    const bool encoder_is = (m_segments + 1) * frames + 1 > config.encoder.n_audio_ctx;
    return m_waiting.isFinished() || encoder_is || m_translator.room() < rows + kTokensOwed * std::min<std::int64_t>(m_wait_k.k, m_segments + 1);
}

void SegmentWriter::addUnit(const at::Tensor &rows)
{
    if (rows.size(0) > 0) {
        m_translator.addRows(rows);
    }
    m_waiting.addUnitTokens(std::vector<std::int32_t>(static_cast<std::size_t>(rows.size(0)), nn::kRow));
}

captions::SegmentStep SegmentWriter::readSegment()
{
    if (!segmentReady() || m_waiting.isFinished()) {
        throw Error(ErrorKind::Internal, "a segment of speech was to be read before it was heard, or behind the end of its window");
    }
    ++m_segments;
    const auto count = static_cast<std::size_t>(m_segments * segmentSamples() + lookAheadSamples() - m_given);
    addUnit(withPlainErrors([&] { return m_stream->add(std::span<const float>(m_sound).first(count)); }));
    m_sound.erase(m_sound.begin(), m_sound.begin() + static_cast<std::ptrdiff_t>(count));
    m_given += static_cast<Sample>(count);
    return write();
}

captions::SegmentStep SegmentWriter::finish()
{
    captions::SegmentStep all;
    const auto take = [&all](captions::SegmentStep step) {
        std::move(step.words.begin(), step.words.end(), std::back_inserter(all.words));
        all.decoder_passes += step.decoder_passes;
    };
    while (segmentReady() && !isFull()) {
        take(readSegment());
    }
    if (!m_waiting.isFinished()) {
        const at::Tensor rest = withPlainErrors([&] { return at::cat({m_stream->add(m_sound), m_stream->finish()}); });
        if (rest.size(0) > 0) {
            ++m_segments;
            addUnit(rest);
        }
        m_sound.clear();
        m_waiting.endSource();
        take(write());
    }
    return all;
}

captions::SegmentStep SegmentWriter::write()
{
    captions::SegmentStep written;
    const std::int64_t before = m_translator.cost().target_passes;
    for (;;) {
        translation::TranslationStep step = m_waiting.step();
        if (step.word) {
            captions::WrittenWord &word = written.words.emplace_back();
            word.word.text = std::move(step.word->text);
            word.word.probability = step.word->probability;
            word.word.tokens = std::move(step.word->tokens);
            word.word.starts_without_space = step.word->starts_without_space;
            word.segments_read = step.word->read_units;
        }
        if (step.action == translation::TranslationAction::Waiting || step.action == translation::TranslationAction::Finished) {
            break;
        }
    }
    written.decoder_passes = static_cast<int>(m_translator.cost().target_passes - before);
    return written;
}

}  // namespace braid::models::speech
