#include "core/models/whisper/whisper_recognizer.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/models/torch_errors.h"
#include "core/models/whisper/word_alignment.h"

namespace braid::models::whisper {

void requireTask(const Model &model, SpeechTask task)
{
    if (task == SpeechTask::Translate && !model.tokenizer().translate()) {
        throw Error(ErrorKind::Usage, "this model cannot translate", {}, "Choose a multilingual Whisper, or the task \"transcribe\"");
    }
}

weights::WindowPadding paddingOf(const Model &model, const CaptionOptions &options)
{
    return options.window_padding == captions::WindowPadding::FullWindow ? weights::WindowPadding::FullWindow : model.padding();
}

WhisperRecognizer::WhisperRecognizer(std::shared_ptr<const Model> model, const CaptionOptions &options)
    : m_model(std::move(model))
    , m_options(options)
    , m_language(m_model->resolveLanguage(options.language))
{
    requireTask(*m_model, options.task);
}

captions::Hypothesis WhisperRecognizer::recognize(const captions::RecognitionRequest &request)
{
    return withPlainErrors([&] { return look(request); });
}

captions::Hypothesis WhisperRecognizer::look(const captions::RecognitionRequest &request)
{
    const c10::InferenceMode inference;
    captions::Hypothesis hypothesis;
    if (request.sound.empty()) {
        return hypothesis;
    }
    const std::span<const float> heard = request.sound.first(std::min(request.sound.size(), static_cast<std::size_t>(maximumSamples())));
    const auto length = static_cast<Sample>(heard.size());
    const SoundCache sound = m_model->listen(m_model->windowMel(heard, paddingOf(*m_model, m_options)));

    DecodeOptions decode;
    decode.language = m_language.languageOf(*m_model, sound, length);
    decode.task = m_options.task == SpeechTask::Translate ? Task::Translate : Task::Transcribe;
    decode.timestamps = m_model->hasTimestamps() ? Timestamps::With : Timestamps::Without;
    decode.beam_size = m_options.beam_size;
    if (!request.previous_text.empty() && m_model->tokenizer().startOfPrevious()) {
        const bool spaced = request.previous_text.front() == ' ' || writtenWithoutSpaces(decode.language);
        decode.previous_tokens = m_model->tokenizer().encode(spaced ? request.previous_text : " " + request.previous_text);
    }
    const DecodedWindow window = decodeWindow(*m_model, sound, decode);
    hypothesis.average_log_probability = window.average_log_probability;
    hypothesis.no_speech_probability = window.no_speech_probability;
    hypothesis.compression_ratio = window.compression_ratio;
    hypothesis.decoder_steps = window.decoder_steps;

    std::vector<std::int32_t> text_tokens;
    bool open = false;
    for (const std::int32_t id : window.tokens) {
        if (id < m_model->tokenizer().endOfText()) {
            text_tokens.push_back(id);
            open = true;
        } else if (open && m_model->hasTimestamps() && id >= *m_model->tokenizer().timestampBegin()) {
            // A timestamp behind text closes a segment.
            const Sample end = request.start_sample + (id - *m_model->tokenizer().timestampBegin()) * m_model->frameSamples();
            hypothesis.segment_ends.push_back(std::min(end, request.start_sample + length));
            open = false;
        }
    }
    if (text_tokens.empty()) {
        return hypothesis;
    }
    Alignment alignment =
        alignWords(*m_model, sound, text_tokens, m_model->framesOf(length), {decode.language, decode.task, m_options.rival_count, m_options.capture_attention});
    ++hypothesis.decoder_steps;
    tidyWords(alignment);
    hypothesis.words = sessionWords(alignment.words, alignment.tokens, decode.language, request.start_sample, length);
    hypothesis.attention = attentionMap(*m_model, alignment, request.start_sample);
    return hypothesis;
}

}  // namespace braid::models::whisper
