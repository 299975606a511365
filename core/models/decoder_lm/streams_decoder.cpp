#include "core/models/decoder_lm/streams_decoder.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/models/decoder_lm/candidates.h"
#include "core/models/torch_errors.h"

namespace braid::models::lm {

using paradigms::Entry;

namespace {

constexpr std::int64_t kFirstCapacity = 512;
constexpr std::int64_t kLeastForgotten = 64;  // what stands behind moves up: not for every row
constexpr std::int64_t kRowsBehind = 64;      // kept though no new row sees them: to look at the newest rows, and to go back to them

class TokenizerTexts final : public streams::TokenTexts {
  public:
    explicit TokenizerTexts(std::shared_ptr<const text::LanguageTokenizer> tokenizer)
        : m_tokenizer(std::move(tokenizer))
    {
    }
    [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text, Specials specials) const override
    {
        text::LanguageTokenizer::EncodeOptions options;
        options.special = specials == Specials::Recognised ? text::SpecialTexts::Recognised : text::SpecialTexts::PlainText;
        options.position = text::TextPosition::Continues;  // its leading space stands in the text or is not wanted
        return m_tokenizer->encode(text, options);
    }
    [[nodiscard]] std::string text(std::int32_t token) const override
    {
        return m_tokenizer->isSpecial(token) ? std::string(m_tokenizer->writtenToken(token)) : m_tokenizer->tokenBytes(token);
    }
    [[nodiscard]] std::int32_t size() const override { return m_tokenizer->size(); }

  private:
    std::shared_ptr<const text::LanguageTokenizer> m_tokenizer;
};

// Silence is always among the candidates: a rule may raise or lower it.
void addSilence(streams::Prediction &prediction, std::int32_t silence, const at::Tensor &logits)
{
    const bool is_there =
        std::any_of(prediction.candidates.begin(), prediction.candidates.end(), [silence](const streams::Candidate &c) { return c.token == silence; });
    if (silence >= 0 && !is_there) {
        prediction.candidates.push_back({silence, logits[silence].item<float>()});
    }
}

std::int64_t oneOf(std::optional<int> wanted, std::int64_t count, const char *what)
{
    if (wanted && (*wanted < 0 || *wanted >= count)) {
        throw Error(ErrorKind::Usage, "the model has no " + std::string(what) + " " + std::to_string(*wanted), {},
                    "There are 0 to " + std::to_string(count - 1));
    }
    return wanted.value_or(-1);
}

}  // namespace

StreamsDecoder::StreamsDecoder(std::shared_ptr<const DecoderLm> model, std::int64_t tokens, std::string name)
    : m_model(std::move(model))
    , m_tokens(std::min(tokens, m_model->config().vocabulary))
    , m_name(std::move(name))
    , m_cache(m_model->emptyCache(kFirstCapacity))
{
}

void StreamsDecoder::begin(const paradigms::Visibility &visibility, std::size_t streams)
{
    const std::int64_t most = m_model->config().streams;
    if (most > 0 && static_cast<std::int64_t>(streams) > most) {
        throw Error(ErrorKind::Model, m_name + " was trained for " + std::to_string(most) + " streams, not for " + std::to_string(streams), {},
                    "Choose a layout with fewer streams, or another model");
    }
    m_visibility = visibility;
    m_cache.truncate(0);
    m_forgotten = 0;
}

std::vector<streams::Prediction> StreamsDecoder::feed(std::span<const streams::StreamInput> inputs, const streams::PredictionRequest &request)
{
    std::vector<std::int32_t> tokens;
    std::vector<Entry> entries;
    for (const streams::StreamInput &input : inputs) {
        tokens.push_back(input.token);
        entries.push_back(input.entry);
    }
    std::vector<std::int64_t> rows;
    for (const int stream : request.streams) {
        const auto last = std::find_if(entries.rbegin(), entries.rend(), [stream](const Entry &entry) { return entry.stream == stream; });
        if (last == entries.rend()) {
            throw Error(ErrorKind::Internal, "a stream was asked for its next token without being fed one");
        }
        rows.push_back(entries.rend() - last - 1);
    }
    return withPlainErrors([&] {
        const c10::InferenceMode inference;
        const at::Tensor hidden = m_model->run(m_cache, tokens, entries, m_visibility);
        forgetGone(entries.back().step + 1);
        std::vector<streams::Prediction> predictions;
        if (rows.empty()) {
            return predictions;
        }
        const at::Tensor chosen = at::from_blob(rows.data(), {static_cast<std::int64_t>(rows.size())}, at::kLong).to(hidden.device());
        const at::Tensor logits = m_model->logits(hidden.index_select(0, chosen)).narrow(1, 0, m_tokens).to(at::kCPU);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const at::Tensor of_stream = logits[static_cast<std::int64_t>(i)];
            streams::Prediction prediction = predictionOf(of_stream, request.most_candidates);
            prediction.stream = request.streams[i];
            addSilence(prediction, request.silence_token, of_stream);
            predictions.push_back(std::move(prediction));
        }
        return predictions;
    });
}

// Entries stand in the order of their steps: what is gone is one piece behind the steps that are kept for ever.
void StreamsDecoder::forgetGone(std::int64_t next_step)
{
    if (m_visibility.window_steps == 0) {
        return;
    }
    const auto entries = m_cache.entries();
    const auto isGone = [&](const Entry &entry) { return paradigms::isGone(m_visibility, entry, next_step - kRowsBehind); };
    const auto first = std::find_if(entries.begin(), entries.end(), isGone);
    const auto last = std::find_if_not(first, entries.end(), isGone);
    const std::int64_t count = last - first;
    if (count >= std::max<std::int64_t>(kLeastForgotten, static_cast<std::int64_t>(entries.size()) / 4)) {
        m_forgotten_until = std::prev(last)->step;
        m_cache.erase(first - entries.begin(), count);
        m_forgotten += count;
    }
}

bool StreamsDecoder::hasAllFor(std::int64_t step) const noexcept
{
    return m_forgotten == 0 || m_forgotten_until <= step - m_visibility.window_steps;
}

streams::StreamsModel::Rewinding StreamsDecoder::rewind(Mark mark)
{
    const std::int64_t length = mark - m_forgotten;
    if (length >= m_cache.length()) {
        return Rewinding::Done;
    }
    // The next row is later than the last that stays; how much later is not known here.
    const std::int64_t next_step = length > 0 ? m_cache.entries()[static_cast<std::size_t>(length - 1)].step + 1 : 0;
    if (length < 0 || !hasAllFor(next_step)) {
        return Rewinding::Forgotten;
    }
    m_cache.truncate(length);
    return Rewinding::Done;
}

std::vector<streams::AttendedEntry> StreamsDecoder::look(const streams::StreamInput &query, const streams::LookOptions &options)
{
    const weights::LmConfig &config = m_model->config();
    nn::AttentionLook look;
    if (const std::int64_t layer = oneOf(options.layer, config.layers, "layer"); layer >= 0) {
        look.layer = layer;
    }
    if (const std::int64_t head = oneOf(options.head, config.heads, "head"); head >= 0) {
        look.head = head;
    }
    look.summary = options.summary == streams::LookSummary::Mean ? nn::AttentionSummary::Mean : nn::AttentionSummary::Max;
    if (!hasAllFor(query.entry.step)) {
        return {};
    }
    // The token is fed once more, behind everything: what came at its step or later is not visible to it by the tags, itself of then included.
    const std::int64_t before = m_cache.length();
    std::vector<Entry> entries(m_cache.entries().begin(), m_cache.entries().end());
    std::vector<std::int32_t> tokens(m_cache.tokens().begin(), m_cache.tokens().end());
    entries.push_back(query.entry);
    tokens.push_back(query.token);
    withPlainErrors([&] {
        static_cast<void>(m_model->run(m_cache, std::span(&query.token, 1), std::span(&query.entry, 1), m_visibility, &look));
        m_cache.truncate(before);
    });
    std::vector<streams::AttendedEntry> attended;
    const float *const weights = look.weights.data_ptr<float>();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (paradigms::sees(m_visibility, entries, entries.size() - 1, i)) {
            attended.push_back({entries[i], tokens[i], weights[i]});
        }
    }
    return attended;
}

std::shared_ptr<const streams::TokenTexts> tokenTextsOf(std::shared_ptr<const text::LanguageTokenizer> tokenizer)
{
    return std::make_shared<TokenizerTexts>(std::move(tokenizer));
}

}  // namespace braid::models::lm
