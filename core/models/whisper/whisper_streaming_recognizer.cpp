#include "core/models/whisper/whisper_streaming_recognizer.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "core/base/error.h"
#include "core/models/torch_errors.h"
#include "core/models/whisper/decode_window.h"
#include "core/models/whisper/spoken_words.h"
#include "core/models/whisper/whisper_recognizer.h"
#include "core/models/whisper/word_alignment.h"

namespace braid::models::whisper {

namespace {

class Stopwatch {
  public:
    [[nodiscard]] double ms() const { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_begin).count(); }

  private:
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

// The released decoders let languages and timestamps through (shared/reference/streaming-asr.md 1.6), which are never text.
std::vector<std::int32_t> neverSaid(const Model &model, captions::StabilityRule rule)
{
    std::vector<std::int32_t> tokens = model.suppressedTokens();
    if (rule == captions::StabilityRule::Braid) {
        for (std::int32_t id = 0; id < static_cast<std::int32_t>(model.dims().n_vocab); ++id) {
            if (id >= model.tokenizer().size() || (model.tokenizer().isSpecial(id) && id != model.tokenizer().endOfText())) {
                tokens.push_back(id);
            }
        }
    }
    return tokens;
}

std::vector<std::int32_t> neverSaidFirst(const Model &model, captions::StabilityRule rule)
{
    std::vector<std::int32_t> tokens = neverSaid(model, rule);
    const std::vector<std::int32_t> blank = model.tokenizer().encode(" ");
    tokens.insert(tokens.end(), blank.begin(), blank.end());
    tokens.push_back(model.tokenizer().endOfText());
    return tokens;
}

// The authors' models were trained on one language and are asked for it; others find out.
std::string languageAtFirst(const Model &model, const std::string &wanted)
{
    std::string language = model.resolveLanguage(wanted);
    const std::vector<std::string> &known = model.languages();
    const bool has_english = std::find(known.begin(), known.end(), "en") != known.end();
    return language.empty() && model.hasAdapters() && has_english ? "en" : language;
}

}  // namespace

WhisperStreamingRecognizer::WhisperStreamingRecognizer(std::shared_ptr<Model> model, const CaptionOptions &options)
    : m_model(std::move(model))
    , m_options(options)
    , m_memory(languageAtFirst(*m_model, options.language))
    , m_never(tokensInOrder(*m_model, neverSaid(*m_model, options.stability)))
    , m_never_while_empty(tokensInOrder(*m_model, neverSaidFirst(*m_model, options.stability)))
    , m_encoder_cache(m_model->encoder().emptyCache(m_model->dims().n_audio_ctx))
    , m_sound(m_model->decoder().emptySound(m_model->dims().n_audio_ctx))
    , m_tokens(m_model->decoder(), m_model->alignmentHeads(), options.token_cache)
{
    requireTask(*m_model, options.task);
}

void WhisperStreamingRecognizer::begin(const captions::Chunking &chunking, Sample start_sample)
{
    captions::Chunking ours = chunking;
    ours.frame_samples = frameSamples();
    m_mel.emplace(m_model->logMel(), ours, m_model->dims().strides());
    m_start_sample = start_sample;
    m_reencoded_frames = std::max<Sample>(0, ours.reencode_samples) / ours.frame_samples;
    m_encoder_cache.clear();
    m_encoder_cache.revisable = m_reencoded_frames;
    m_sound.memory.clear();
    m_sound.frames = 0;
    m_tokens.clear();
    m_block_ends.clear();
    m_decoded_since_block = false;
    m_encode_ms = m_decode_ms = 0;
}

void WhisperStreamingRecognizer::setChunk(Sample chunk_samples)
{
    if (!m_mel) {
        throw Error(ErrorKind::Internal, "a stream's chunk was changed before the stream began");
    }
    m_mel->setChunk(chunk_samples);
}

void WhisperStreamingRecognizer::addSound(std::span<const float> sound)
{
    if (!m_mel) {
        throw Error(ErrorKind::Internal, "a stream was given sound before it began");
    }
    m_mel->add(sound);
}

int WhisperStreamingRecognizer::blocksReady() const
{
    return m_mel ? static_cast<int>(m_mel->blocksReady()) : 0;
}

void WhisperStreamingRecognizer::encodeBlock()
{
    if (blocksReady() < 1) {
        throw Error(ErrorKind::Internal, "a block of sound was to be encoded before it was heard");
    }
    encode(m_mel->next());
}

void WhisperStreamingRecognizer::encodeRest()
{
    if (!m_mel || frames() >= maximumFrames()) {
        return;
    }
    if (const std::optional<StreamingMel::Block> block = m_mel->rest()) {
        encode(*block);
    }
}

void WhisperStreamingRecognizer::takeBack(std::int64_t end_frame)
{
    const std::int64_t kept = std::max<std::int64_t>(0, end_frame - m_reencoded_frames);
    if (kept >= frames()) {
        return;
    }
    m_encoder_cache.truncate(kept);
    Decoder::forgetAfter(m_sound, kept);
    while (!m_block_ends.empty() && m_block_ends.back() > kept) {
        m_block_ends.pop_back();
    }
    if (kept > (m_block_ends.empty() ? 0 : m_block_ends.back())) {
        m_block_ends.push_back(static_cast<std::int32_t>(kept));
    }
}

void WhisperStreamingRecognizer::encode(const StreamingMel::Block &block)
{
    const Stopwatch watch;
    // What goes beyond the window is left out.
    const std::int64_t end_frame = std::min(block.end_frame, maximumFrames());
    if (end_frame <= frames()) {
        throw Error(ErrorKind::Internal, "a window of sound was to hold more than the model takes");
    }
    withPlainErrors([&] {
        const c10::InferenceMode inference;
        const AdapterScope adapters(*m_model);
        takeBack(end_frame);
        const std::int64_t count = end_frame - m_encoder_cache.frames();
        m_model->decoder().hear(m_sound, m_model->encoder().extend(m_encoder_cache, melTensor(block.mel), count));
        m_tokens.soundGrew();
        static_cast<void>(m_memory.languageOf(*m_model, m_sound, m_sound.frames * frameSamples()));
    });
    m_block_ends.push_back(static_cast<std::int32_t>(frames()));
    if (m_decoded_since_block) {
        m_decoded_since_block = false;
        m_encode_ms = m_decode_ms = 0;
    }
    m_encode_ms += watch.ms();
}

captions::EncoderState WhisperStreamingRecognizer::encoderState() const
{
    const weights::WhisperDims &dims = m_model->dims();
    const auto entry_bytes = static_cast<std::uint64_t>(2 * dims.n_audio_state) * c10::elementSize(m_model->placement().type);
    const auto heard = static_cast<std::uint64_t>(frames());
    captions::EncoderState state;
    state.window_start_sample = m_start_sample;
    state.frame_samples = frameSamples();
    state.block_ends = m_block_ends;
    state.encoder_layers = static_cast<std::int32_t>(dims.n_audio_layer);
    state.maximum_frames = static_cast<std::int32_t>(maximumFrames());
    state.encoder_cache_bytes = entry_bytes * heard * static_cast<std::uint64_t>(dims.n_audio_layer);
    state.sound_cache_bytes = entry_bytes * heard * static_cast<std::uint64_t>(dims.n_text_layer);
    state.token_cache_bytes = entry_bytes * static_cast<std::uint64_t>(m_tokens.cachedTokens() * dims.n_text_layer);
    state.encode_ms = m_encode_ms;
    state.decode_ms = m_decode_ms;
    return state;
}

std::vector<captions::RowScores> WhisperStreamingRecognizer::score(const captions::ScoreRequest &request)
{
    if (frames() == 0) {
        throw Error(ErrorKind::Internal, "text was to be scored before there was any sound");
    }
    if (request.first_positions.size() != request.rows.size()) {
        throw Error(ErrorKind::Internal, "rows were to be scored without saying from which position on");
    }
    for (const std::vector<std::int32_t> &row : request.rows) {
        const auto is_token = [this](std::int32_t id) { return id >= 0 && id < m_model->dims().n_vocab; };
        if (row.empty() || !std::all_of(row.begin(), row.end(), is_token)) {
            throw Error(ErrorKind::Internal, "a row to be scored is empty, or holds a token that the model does not have");
        }
    }
    const Stopwatch watch;
    std::vector<captions::RowScores> result = withPlainErrors([&] { return scoreRows(request); });
    m_decode_ms += watch.ms();
    m_decoded_since_block = true;
    return result;
}

std::vector<captions::RowScores> WhisperStreamingRecognizer::scoreRows(const captions::ScoreRequest &request)
{
    const c10::InferenceMode inference;
    const AdapterScope adapters(*m_model);
    const std::vector<std::vector<std::int32_t>> paths = m_tokens.run(m_sound, request.rows, request.first_positions, request.attention);
    // Rows share most of their positions: each is scored once, and what the rows have there next is asked for.
    std::vector<std::int32_t> nodes;
    std::vector<std::vector<std::int64_t>> asked;
    std::map<std::int32_t, std::size_t> place_of;
    for (std::size_t row = 0; row < paths.size(); ++row) {
        for (std::size_t position = request.first_positions[row]; position < paths[row].size(); ++position) {
            const auto [known, is_new] = place_of.try_emplace(paths[row][position], nodes.size());
            if (is_new) {
                nodes.push_back(paths[row][position]);
                asked.emplace_back();
            }
            if (position + 1 < paths[row].size()) {
                asked[known->second].push_back(request.rows[row][position + 1]);
            }
        }
    }
    std::vector<captions::RowScores> result(paths.size());
    for (std::size_t row = 0; row < paths.size(); ++row) {
        result[row].first_position = request.first_positions[row];
    }
    if (nodes.empty()) {
        return result;
    }
    for (std::vector<std::int64_t> &tokens : asked) {
        std::sort(tokens.begin(), tokens.end());
        tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    }
    const bool is_empty = request.blank == captions::BlankRule::ForbiddenWhileEmpty;
    const nn::OutputWishes wishes{std::max(1, request.best), is_empty ? m_never_while_empty : m_never, asked};
    const std::vector<nn::OutputSummary> said = m_model->decoder().summarise(m_tokens.hidden(nodes), wishes);
    const auto scoreOf = [&said](std::size_t place, std::int64_t id, float logit) {
        return captions::TokenScore{static_cast<std::int32_t>(id), logit, logit - said[place].log_sum_exp};
    };
    std::vector<std::vector<captions::TokenScore>> best(nodes.size());
    for (std::size_t place = 0; place < nodes.size(); ++place) {
        for (const nn::OutputScore &token : said[place].best) {
            best[place].push_back(scoreOf(place, token.index, token.score));
        }
    }
    const bool with_attention = request.attention == AttentionWanted::Yes;
    const at::Tensor attention = with_attention ? m_tokens.attention(nodes).cpu().contiguous() : at::Tensor();
    for (std::size_t row = 0; row < paths.size(); ++row) {
        for (std::size_t position = request.first_positions[row]; position < paths[row].size(); ++position) {
            const std::size_t place = place_of[paths[row][position]];
            captions::NextScores next;
            next.best = best[place];
            next.actual.id = TokenTree::kNone;
            if (position + 1 < paths[row].size()) {
                const std::int64_t id = request.rows[row][position + 1];
                const std::vector<std::int64_t> &ids = asked[place];
                const auto index = static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
                next.actual = scoreOf(place, id, said[place].asked[index]);
            }
            result[row].next.push_back(std::move(next));
            if (with_attention) {
                const float *weights = attention.data_ptr<float>() + static_cast<std::int64_t>(place) * attention.size(1);
                result[row].attention.insert(result[row].attention.end(), weights, weights + attention.size(1));
            }
        }
    }
    return result;
}

std::vector<std::int32_t> WhisperStreamingRecognizer::prompt(std::string_view previous_text)
{
    m_language = m_memory.present();
    if (m_language.empty()) {
        const std::vector<std::string> &known = m_model->languages();
        m_language = std::find(known.begin(), known.end(), "en") != known.end() ? "en" : known.front();
    }
    std::vector<std::int32_t> previous;
    // The authors trained their adapters without text before.
    if (!previous_text.empty() && m_model->tokenizer().startOfPrevious() && !m_model->hasAdapters()) {
        const bool spaced = previous_text.front() == ' ' || writtenWithoutSpaces(m_language);
        previous = m_model->tokenizer().encode(spaced ? std::string(previous_text) : " " + std::string(previous_text));
    }
    const Task task = m_options.task == SpeechTask::Translate ? Task::Translate : Task::Transcribe;
    return makePrompt(*m_model, m_language, task, Timestamps::Without, previous).tokens;
}

std::vector<text::Word> WhisperStreamingRecognizer::words(std::span<const text::Token> tokens) const
{
    return spokenWords(*m_model, tokens, m_language);
}

std::string WhisperStreamingRecognizer::textOf(std::int32_t token_id) const
{
    return m_model->tokenizer().isSpecial(token_id) ? std::string() : m_model->tokenizer().tokenBytes(token_id);
}

}  // namespace braid::models::whisper
