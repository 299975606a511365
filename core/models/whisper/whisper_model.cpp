#include "core/models/whisper/whisper_model.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/models/whisper/streaming_mel.h"
#include "core/text/utf8.h"

namespace braid::models::whisper {

namespace {

// What a file says of mel filters and vocabulary must be what this program computes with; empty where it is.
std::string otherThanOurs(const weights::WhisperCheckpoint &checkpoint, const text::WhisperTokenizer &tokenizer)
{
    constexpr float kRounding = 1e-6f;
    const std::vector<float> filters =
        checkpoint.mel_filters.empty() ? std::vector<float>() : features::melFilterBank(static_cast<int>(checkpoint.dims.n_mels));
    if (!std::equal(filters.begin(), filters.end(), checkpoint.mel_filters.begin(), checkpoint.mel_filters.end(),
                    [](float ours, float theirs) { return std::abs(ours - theirs) <= kRounding; })) {
        return "the model was made for other mel filters than Whisper's";
    }
    for (std::size_t i = 0; i < checkpoint.pieces.size(); ++i) {
        const auto id = static_cast<std::int32_t>(i);
        const bool is_text = !checkpoint.pieces[i].empty() && id < tokenizer.size() && !tokenizer.isSpecial(id);
        if (is_text && tokenizer.tokenBytes(id) != checkpoint.pieces[i]) {
            return "its token " + std::to_string(i) + " is \"" + text::toValidUtf8(checkpoint.pieces[i]) + "\", the tokenizer's is \"" +
                   tokenizer.readableToken(id) + "\"";
        }
    }
    return {};
}

weights::WhisperCheckpoint &checked(weights::WhisperCheckpoint &checkpoint, const text::WhisperTokenizer &tokenizer)
{
    const weights::WhisperDims &dims = checkpoint.dims;
    const auto refuse = [&](const std::string &what) {
        throw Error(ErrorKind::Model, what, checkpoint.tensors.origin(), "Check that the folder holds one whole Whisper model");
    };
    for (const std::int64_t size : {dims.n_mels, dims.n_audio_ctx, dims.n_audio_state, dims.n_audio_head, dims.n_audio_layer, dims.n_vocab, dims.n_text_ctx,
                                    dims.n_text_state, dims.n_text_head, dims.n_text_layer, dims.conv1_stride, dims.conv2_stride}) {
        if (size < 1) {
            refuse("one of the model's dimensions is not positive");
        }
    }
    if (dims.n_audio_state != dims.n_text_state) {
        refuse("the encoder's width (" + std::to_string(dims.n_audio_state) + ") is not the decoder's (" + std::to_string(dims.n_text_state) + ")");
    }
    if (dims.n_audio_state % dims.n_audio_head != 0 || dims.n_text_state % dims.n_text_head != 0) {
        refuse("the model's width is no multiple of its number of attention heads");
    }
    if (tokenizer.size() > dims.n_vocab) {
        refuse("the tokenizer has " + std::to_string(tokenizer.size()) + " tokens, the model only " + std::to_string(dims.n_vocab));
    }
    if (const std::string problem = otherThanOurs(checkpoint, tokenizer); !problem.empty()) {
        refuse(problem);
    }
    return checkpoint;
}

std::vector<std::int32_t> suppressedTokens(const weights::WhisperCheckpoint &checkpoint, const text::WhisperTokenizer &tokenizer, std::int64_t n_vocab)
{
    std::set<std::int32_t> tokens;
    const auto add = [&tokens](std::optional<std::int32_t> id) {
        if (id) {
            tokens.insert(*id);
        }
    };
    add(tokenizer.startOfTranscript());
    add(tokenizer.transcribe());
    add(tokenizer.translate());
    add(tokenizer.startOfLanguageModel());
    add(tokenizer.startOfPrevious());
    add(tokenizer.noSpeech());
    if (!tokenizer.timestampBegin()) {
        add(tokenizer.noTimestamps());  // with timestamps, their rules decide about it
    }
    const bool published = tokenizer.startOfPrevious().has_value();
    const std::vector<std::int32_t> further = !checkpoint.suppressed_tokens.empty() || !published ? checkpoint.suppressed_tokens : tokenizer.nonSpeechTokens();
    tokens.insert(further.begin(), further.end());
    // Rows of the output that are no token at all (vocabularies are padded now and then).
    for (auto id = static_cast<std::int32_t>(tokenizer.size()); id < n_vocab; ++id) {
        tokens.insert(id);
    }
    std::vector<std::int32_t> sorted;
    std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(sorted),
                 [&](std::int32_t id) { return id >= 0 && id < n_vocab && id != tokenizer.endOfText(); });
    return sorted;
}

AlignmentHeads usableHeads(const weights::WhisperCheckpoint &checkpoint)
{
    const weights::WhisperDims &dims = checkpoint.dims;
    AlignmentHeads heads;
    for (const auto &[layer, head] : checkpoint.alignment_heads) {
        if (layer < 0 || layer >= dims.n_text_layer || head < 0 || head >= dims.n_text_head) {
            throw Error(ErrorKind::Model, "alignment head (" + std::to_string(layer) + ", " + std::to_string(head) + ") is outside the decoder",
                        checkpoint.tensors.origin(), "Correct alignment_heads in generation_config.json");
        }
        heads.emplace_back(layer, head);
    }
    // openai/whisper averages in this order; so do the parity numbers.
    std::sort(heads.begin(), heads.end());
    return heads;
}

AlignmentHeads upperHalf(const weights::WhisperDims &dims)
{
    AlignmentHeads heads;
    for (std::int64_t layer = dims.n_text_layer / 2; layer < dims.n_text_layer; ++layer) {
        for (std::int64_t head = 0; head < dims.n_text_head; ++head) {
            heads.emplace_back(static_cast<int>(layer), static_cast<int>(head));
        }
    }
    return heads;
}

std::vector<std::string> languagesOf(const weights::WhisperCheckpoint &checkpoint, const text::WhisperTokenizer &tokenizer)
{
    if (!checkpoint.languages.empty()) {
        return checkpoint.languages;
    }
    std::vector<std::string> codes;
    if (tokenizer.isMultilingual()) {
        for (const auto &[code, id] : tokenizer.languages()) {
            codes.push_back(code);
        }
    }
    return codes.empty() ? std::vector<std::string>{"en"} : codes;
}

}  // namespace

Model::Model(weights::WhisperCheckpoint checkpoint, std::shared_ptr<const text::WhisperTokenizer> tokenizer, const nn::Placement &placement,
             const TakeWatch &watch)
    : m_dims(checked(checkpoint, *tokenizer).dims)
    , m_padding(checkpoint.padding)
    , m_placement(placement)
    , m_parameters(checkpoint.tensors.totalElements())
    , m_has_adapters(!checkpoint.adapters.names().empty())
    , m_streaming(checkpoint.streaming)
    , m_tokenizer(std::move(tokenizer))
    , m_encoder(checkpoint, placement, watch)
    , m_decoder(checkpoint, placement, watch)
    , m_log_mel(static_cast<int>(m_dims.n_mels))
    , m_alignment_heads(usableHeads(checkpoint))
    , m_suppressed(braid::models::whisper::suppressedTokens(checkpoint, *m_tokenizer, m_dims.n_vocab))
    , m_languages(languagesOf(checkpoint, *m_tokenizer))
{
    checkpoint.tensors.requireAllTaken();
    checkpoint.adapters.requireAllTaken();
    if (m_alignment_heads.empty()) {
        m_alignment_heads = upperHalf(m_dims);
    }
    switchAdapters(nn::AdapterState::Off);
}

void Model::switchAdapters(nn::AdapterState state)
{
    m_encoder.switchAdapters(state);
    m_decoder.switchAdapters(state);
}

captions::Chunking Model::defaultChunking() const noexcept
{
    captions::Chunking chunking;
    chunking.frame_samples = frameSamples();
    if (m_streaming) {
        chunking.first_samples = samplesFromMs(m_streaming->first_chunk_ms);
        chunking.chunk_samples = samplesFromMs(m_streaming->default_chunk_ms);
        chunking.reencode_samples = samplesFromMs(m_streaming->reencode_ms);
    }
    return chunking;
}

bool Model::hasTimestamps() const noexcept
{
    return m_tokenizer->timestampBegin().has_value() && m_tokenizer->noTimestamps().has_value();
}

bool Model::hasPublishedRules() const noexcept
{
    return m_tokenizer->startOfPrevious().has_value();
}

std::string Model::resolveLanguage(std::string_view language) const
{
    if (language.empty()) {
        return m_languages.size() == 1 ? m_languages.front() : std::string();
    }
    if (std::find(m_languages.begin(), m_languages.end(), language) == m_languages.end()) {
        std::string known;
        for (const std::string &code : m_languages) {
            known += (known.empty() ? "" : ", ") + code;
        }
        throw Error(ErrorKind::Usage, "the model does not know the language \"" + std::string(language) + "\"", {}, "It knows: " + known);
    }
    return std::string(language);
}

at::Tensor Model::windowMel(std::span<const float> sound, weights::WindowPadding padding) const
{
    const std::span<const float> used = sound.first(std::min(sound.size(), static_cast<std::size_t>(windowSamples())));
    if (isCausal()) {
        const Sample wanted =
            padding == weights::WindowPadding::FullWindow ? windowSamples() : std::max<Sample>(frameSamples(), static_cast<Sample>(used.size()));
        std::vector<float> padded(used.begin(), used.end());
        padded.resize(static_cast<std::size_t>(wanted), 0.0f);
        const BlockedMel blocked = melOfWhole(m_log_mel, defaultChunking(), m_dims.strides(), padded);
        const std::int64_t wanted_frames = blocked.block_ends.back() * m_dims.strides().melFrames();
        return melTensor(blocked.mel).narrow(1, 0, std::min(wanted_frames, blocked.mel.frames));
    }
    if (padding == weights::WindowPadding::FullWindow) {
        return melTensor(m_log_mel.compute(used, windowSamples() - static_cast<std::int64_t>(used.size())));
    }
    // As in training: the sound as it is. Only what is shorter than ten encoder frames is filled up, so that the convolutions and the
    // reflection at the edges have something to see.
    const Sample shortest = std::min<Sample>(10, m_dims.n_audio_ctx) * frameSamples();
    return melTensor(m_log_mel.compute(used, std::max<Sample>(0, shortest - static_cast<Sample>(used.size()))));
}

SoundCache Model::listen(const at::Tensor &mel, const std::stop_token &stop) const
{
    if (!isCausal()) {
        return m_decoder.listen(m_encoder(mel, stop));
    }
    const std::int64_t frames = std::min(m_dims.n_audio_ctx, (mel.size(1) + m_dims.strides().melFrames() - 1) / m_dims.strides().melFrames());
    return m_decoder.listen(m_encoder.masked(mel, blockEnds(defaultChunking(), frames), stop));
}

std::int64_t Model::framesOf(Sample samples) const noexcept
{
    return std::min<std::int64_t>((samples + frameSamples() - 1) / frameSamples(), m_dims.n_audio_ctx);
}

at::Tensor melTensor(const features::MelFrames &frames)
{
    at::Tensor mel = at::empty({frames.frames, frames.bands}, at::kFloat);
    std::copy(frames.values.begin(), frames.values.end(), mel.data_ptr<float>());
    return mel.transpose(0, 1).contiguous();
}

}  // namespace braid::models::whisper
