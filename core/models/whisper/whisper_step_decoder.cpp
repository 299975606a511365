#include "core/models/whisper/whisper_step_decoder.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/models/torch_errors.h"
#include "core/models/whisper/spoken_words.h"
#include "core/models/whisper/whisper_recognizer.h"
#include "core/models/whisper/word_alignment.h"

namespace braid::models::whisper {

WhisperStepDecoder::WhisperStepDecoder(std::shared_ptr<const Model> model, const CaptionOptions &options)
    : m_model(std::move(model))
    , m_options(options)
    , m_memory(m_model->resolveLanguage(options.language))
    , m_cache(m_model->decoder().emptyCache(1))
{
    requireTask(*m_model, options.task);
    // A live utterance may begin with nothing said yet: an empty transcript is allowed here. Timestamps are no text.
    std::vector<std::int32_t> never = m_model->suppressedTokens();
    if (const auto first = m_model->tokenizer().timestampBegin()) {
        for (auto id = *first; id < static_cast<std::int32_t>(m_model->dims().n_vocab); ++id) {
            never.push_back(id);
        }
    }
    m_never = tokensInOrder(*m_model, never);
}

void WhisperStepDecoder::setSound(std::span<const float> sound, Sample)
{
    const c10::InferenceMode inference;
    const auto length = static_cast<Sample>(std::min(sound.size(), static_cast<std::size_t>(maximumSamples())));
    m_sound = withPlainErrors([&] { return m_model->listen(m_model->windowMel(sound, paddingOf(*m_model, m_options))); });
    m_frames = std::clamp<std::int64_t>(m_model->framesOf(length), 1, m_sound->frames);
    m_language = m_memory.languageOf(*m_model, *m_sound, length);
    m_tokens.clear();
    m_fixed = 0;
    m_cache.truncate(0);
    m_next.reset();
}

void WhisperStepDecoder::begin(std::string_view previous_text, std::span<const std::int32_t> forced_tokens)
{
    if (!m_sound) {
        throw Error(ErrorKind::Internal, "decoding began before there was any sound");
    }
    std::vector<std::int32_t> previous;
    if (!previous_text.empty() && m_model->tokenizer().startOfPrevious()) {
        const bool spaced = previous_text.front() == ' ' || writtenWithoutSpaces(m_language);
        previous = m_model->tokenizer().encode(spaced ? std::string(previous_text) : " " + std::string(previous_text));
    }
    // The text before makes room for what is already accepted and what is still to be said.
    constexpr std::int64_t kRoomToGoOn = 64;
    const std::int64_t room = m_model->decoder().contextLength() - static_cast<std::int64_t>(forced_tokens.size()) - kRoomToGoOn;
    const auto kept = static_cast<std::size_t>(std::clamp<std::int64_t>(room, 0, static_cast<std::int64_t>(previous.size())));
    previous.erase(previous.begin(), previous.end() - static_cast<std::ptrdiff_t>(kept));
    const Task task = m_options.task == SpeechTask::Translate ? Task::Translate : Task::Transcribe;
    m_tokens = makePrompt(*m_model, m_language, task, Timestamps::Without, previous).tokens;
    m_tokens.insert(m_tokens.end(), forced_tokens.begin(), forced_tokens.end());
    m_fixed = m_tokens.size();
    m_cache.truncate(0);
    m_next.reset();
}

captions::DecodedStep WhisperStepDecoder::next()
{
    if (m_tokens.empty()) {
        throw Error(ErrorKind::Internal, "a token was asked for before decoding began");
    }
    if (m_next) {
        return *m_next;
    }
    const c10::InferenceMode inference;
    if (m_tokens.size() > static_cast<std::size_t>(m_model->decoder().contextLength())) {
        // The context is full: nothing more can be said about this sound.
        captions::DecodedStep full;
        full.is_end = true;
        full.token.id = m_model->tokenizer().endOfText();
        full.attention.assign(static_cast<std::size_t>(m_frames), 1.0f / static_cast<float>(m_frames));
        return full;
    }
    // Run what the cache has not seen; the newest token at least, for its hidden state.
    m_cache.truncate(std::min<std::int64_t>(m_cache.length(), static_cast<std::int64_t>(m_tokens.size()) - 1));
    const std::span<const std::int32_t> unseen = std::span(m_tokens).subspan(static_cast<std::size_t>(m_cache.length()));
    at::Tensor scores;
    const at::Tensor hidden = m_model->decoder().run(*m_sound, m_cache, unseen, &m_model->alignmentHeads(), &scores);
    const at::Tensor newest = scores.select(1, 0).select(1, scores.size(2) - 1).narrow(1, 0, m_frames);  // [heads, frames]
    m_next = describe(hidden.select(1, hidden.size(1) - 1), at::softmax(newest, -1).mean(0));
    return *m_next;
}

captions::DecodedStep WhisperStepDecoder::describe(const at::Tensor &hidden, const at::Tensor &attention) const
{
    const text::WhisperTokenizer &tokenizer = m_model->tokenizer();
    const nn::OutputWishes wishes{std::max(0, m_options.rival_count) + 1, m_never, {}};
    const nn::OutputSummary said = m_model->decoder().summarise(hidden, wishes).front();
    captions::DecodedStep step;
    for (const nn::OutputScore &score : said.best) {
        const auto token = static_cast<std::int32_t>(score.index);
        const float probability = std::exp(score.score - said.log_sum_exp);
        if (step.token.text.empty() && step.token.probability == 0) {
            step.token.id = token;
            step.token.text = tokenizer.tokenBytes(token);
            step.token.probability = probability;
            step.is_end = token == tokenizer.endOfText();
        } else if (probability > 0) {
            step.token.rivals.push_back({token, tokenizer.readableToken(token), probability});
        }
    }
    const at::Tensor row = attention.cpu().contiguous();
    step.attention.assign(row.data_ptr<float>(), row.data_ptr<float>() + row.numel());
    return step;
}

void WhisperStepDecoder::accept(std::int32_t token_id)
{
    if (token_id < 0 || token_id >= m_model->dims().n_vocab) {
        throw Error(ErrorKind::Internal, "a token was accepted that the model does not have");
    }
    m_tokens.push_back(token_id);
    m_next.reset();
}

void WhisperStepDecoder::retract(int count)
{
    const auto back = static_cast<std::size_t>(std::max(0, count));
    if (back > m_tokens.size() - m_fixed) {
        throw Error(ErrorKind::Internal, "more tokens were taken back than were accepted");
    }
    m_tokens.resize(m_tokens.size() - back);
    m_cache.truncate(static_cast<std::int64_t>(m_tokens.size()));
    m_next.reset();
}

std::vector<text::Word> WhisperStepDecoder::words(std::span<const text::Token> tokens) const
{
    return spokenWords(*m_model, tokens, m_language);
}

std::string WhisperStepDecoder::textOf(std::span<const std::int32_t> token_ids) const
{
    return m_model->tokenizer().decode(token_ids);
}

}  // namespace braid::models::whisper
