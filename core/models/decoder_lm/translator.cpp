#include "core/models/decoder_lm/translator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/models/decoder_lm/candidates.h"
#include "core/models/torch_errors.h"
#include "core/streams/sampling.h"

namespace braid::models::lm {
namespace {

constexpr int kMostRivals = 100;
constexpr std::int64_t kFirstEntries = 256;

void requireUsable(const TranslatorOptions &options, const weights::LmConfig &config)
{
    const streams::Sampling &sampling = options.sampling;
    if (!(sampling.temperature >= 0) || !std::isfinite(sampling.temperature)) {
        throw Error(ErrorKind::Usage, "the temperature of sampling cannot be " + std::to_string(sampling.temperature), {},
                    "0 takes the most probable; 1 draws as the model says");
    }
    if (sampling.top_k < 0) {
        throw Error(ErrorKind::Usage, "top-k cannot be below 0", {}, "0 keeps all tokens");
    }
    if (!(sampling.top_p > 0 && sampling.top_p <= 1)) {
        throw Error(ErrorKind::Usage, "top-p cannot be " + std::to_string(sampling.top_p), {}, "It is above 0 and at most 1");
    }
    if (options.rivals < 0 || options.rivals > kMostRivals) {
        throw Error(ErrorKind::Usage, "so many rivals cannot be told", {}, "0 to 100");
    }
    if (!(options.phi >= 0 && options.phi <= static_cast<double>(config.context))) {
        throw Error(ErrorKind::Usage, "phi cannot be " + std::to_string(options.phi), {}, "It is 0 to " + std::to_string(config.context) + " for this model");
    }
    const auto requireIndex = [](const char *what, const std::optional<std::int64_t> &index, std::int64_t count) {
        if (index && (*index < 0 || *index >= count)) {
            throw Error(ErrorKind::Usage, std::string("there is no ") + what + " " + std::to_string(*index) + " to look at", {},
                        "This model has " + std::to_string(count) + ", counted from 0");
        }
    };
    drafting::requireUsable(options.drafting, config.token_heads.count);
    if (options.drafting.verification != drafting::Verification::Greedy && sampling.temperature > 0) {
        throw Error(ErrorKind::Usage, "what heads propose cannot be accepted by rank or by threshold while tokens are drawn", {},
                    "Leave --temperature at 0, or choose --verify greedy, which changes nothing of what is drawn");
    }
    requireIndex("layer", options.attention.layer, config.layers);
    requireIndex("head", options.attention.head, config.heads);
}

}  // namespace

Translator::Translator(std::shared_ptr<const LoadedLm> lm, TranslationLayout layout, const TranslatorOptions &options)
    : m_lm(std::move(lm))
    , m_layout(std::move(layout))
    , m_options(options)
    , m_paradigm(paradigms::paradigmNamed(options.paradigm, options.phi))
{
    requireUsable(options, m_lm->model.config());
    begin({});
}

void Translator::addRows(const at::Tensor &rows)
{
    withPlainErrors([&] { m_rows = m_rows.defined() ? at::cat({m_rows, rows}) : rows; });
}

void Translator::begin(const translation::TranslationContext &context)
{
    m_rows = at::Tensor();
    if (m_run) {
        m_cost_before.tokens_fed += m_run->tokensFed();
        m_cost_before.passes += m_run->passes();
        m_cost_before.target_passes += m_run->targetPasses();
        ++m_sentence;
    }
    const TranslationLayout::Beginning beginning = m_layout.beginning(context);
    m_prompt_tokens = static_cast<std::int64_t>(beginning.source.size());
    m_header_tokens = static_cast<std::int64_t>(beginning.target.size());
    withPlainErrors([&] {
        m_sure = {};
        m_run.emplace(m_lm->model, m_paradigm, kFirstEntries, m_options.drafting);
        m_run->read(beginning.source);
    });
    m_header = beginning.target;
    const bool reads_all_first = m_paradigm.target.counting == paradigms::Counting::AfterSource && m_paradigm.reencoding == paradigms::Reencoding::None;
    if (!reads_all_first) {
        writeHeader();
    }
}

void Translator::writeHeader()
{
    m_run->write(std::exchange(m_header, {}));
}

std::vector<std::int32_t> Translator::sourceTokens(std::string_view text) const
{
    return m_layout.unitTokens(text);
}

void Translator::read(std::span<const std::int32_t> tokens)
{
    m_sure = {};  // the heads had not seen this
    const std::int64_t count = std::count(tokens.begin(), tokens.end(), nn::kRow);
    const std::int64_t given = m_rows.defined() ? m_rows.size(0) : 0;
    if (count > given) {
        throw Error(ErrorKind::Internal, "speech was to be read before it was given");
    }
    withPlainErrors([&] {
        m_run->read({tokens, count > 0 ? m_rows.narrow(0, 0, count) : at::Tensor()});
        m_rows = count < given ? m_rows.narrow(0, count, given - count) : at::Tensor();
    });
}

translation::PredictedToken Translator::predict(AttentionWanted attention)
{
    writeHeader();
    if (m_sure.expected < 0 && !m_sure.tokens.empty()) {
        return m_sure.tokens.front();
    }
    return withPlainErrors([&] { return predicted(attention); });
}

translation::PredictedToken Translator::tokenOf(const streams::Choice &choice) const
{
    const text::LanguageTokenizer &tokenizer = *m_lm->tokenizer;
    translation::PredictedToken next;
    next.is_end = m_layout.isEnd(choice.token);
    next.token.id = choice.token;
    next.token.text = next.is_end ? std::string() : tokenizer.tokenBytes(choice.token);
    next.token.probability = static_cast<float>(choice.probability);
    for (const streams::Rival &rival : choice.rivals) {
        next.token.rivals.push_back({rival.token, tokenizer.readableToken(rival.token), static_cast<float>(rival.probability)});
    }
    return next;
}

translation::PredictedToken Translator::predicted(AttentionWanted attention)
{
    nn::AttentionLook look;
    look.layer = m_options.attention.layer;
    look.head = m_options.attention.head;
    look.summary = m_options.attention.pooling == AttentionPooling::Max ? nn::AttentionSummary::Max : nn::AttentionSummary::Mean;
    const bool looks = attention == AttentionWanted::Yes;
    const auto rivals = static_cast<std::size_t>(m_options.rivals);
    const drafting::DraftSettings &drafting = m_options.drafting;
    std::size_t needed = streams::candidatesNeeded(m_options.sampling, rivals);
    if (drafting.verification == drafting::Verification::TopM && needed > 0) {
        needed = std::max(needed, static_cast<std::size_t>(drafting.top_m));
    }
    const streams::Prediction prediction = predictionOf(m_run->predict(looks ? &look : nullptr), needed);
    // Drawn from the place alone, so that asking again gives the same.
    const auto place = static_cast<std::uint64_t>(m_sentence) * 0x100000001ULL + (m_run->source().size() << 24U) + m_run->target().size();
    Random random(m_options.seed, "translation", place);
    streams::Choice choice = streams::choose(prediction, m_options.sampling, 0, -1, rivals, random);
    if (const std::optional<std::int32_t> proposed = m_run->proposed(); proposed && drafting.verification == drafting::Verification::TopM) {
        std::vector<std::int32_t> ranked;
        for (const streams::Candidate &candidate : prediction.candidates) {
            ranked.push_back(candidate.token);
        }
        if (drafting::standsByRank(ranked, *proposed, drafting.top_m)) {
            choice = streams::judged(prediction, *proposed, rivals);
        }
    }
    translation::PredictedToken next = tokenOf(choice);
    if (looks) {
        next.attention = sourceAttention(look);
    }
    if (drafting.verification == drafting::Verification::Threshold && drafting.heads > 1) {
        noteSureTokens(next);
    }
    return next;
}

void Translator::noteSureTokens(const translation::PredictedToken &next)
{
    const auto rivals = static_cast<std::size_t>(m_options.rivals);
    const at::Tensor later = m_run->laterLogits();
    std::vector<double> probabilities = {static_cast<double>(next.token.probability)};
    std::vector<translation::PredictedToken> tokens;
    for (std::int64_t head = 0; head < later.size(0); ++head) {
        const streams::Prediction prediction = predictionOf(later[head], rivals + 1);
        tokens.push_back(tokenOf(streams::judged(prediction, prediction.candidates.front().token, rivals)));
        tokens.back().attention = next.attention;  // one pass predicted them all
        probabilities.push_back(static_cast<double>(tokens.back().token.probability));
    }
    const std::size_t standing = drafting::standByProbability(probabilities, m_options.drafting.threshold);
    m_sure.expected = next.token.id;
    m_sure.tokens.assign(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(standing) - 1);
}

// The last row is the one that predicts.
std::vector<float> Translator::sourceAttention(const nn::AttentionLook &look) const
{
    const at::Tensor row = look.weights[look.weights.size(0) - 1].contiguous();
    const float *const weights = row.data_ptr<float>();
    std::vector<float> over_source;
    for (const std::int64_t column : m_run->sourceColumns()) {
        over_source.push_back(weights[column]);
    }
    return over_source;
}

void Translator::write(std::int32_t token_id)
{
    writeHeader();
    if (m_sure.expected < 0 && !m_sure.tokens.empty()) {
        m_sure.expected = m_sure.tokens.front().token.id;
        m_sure.tokens.pop_front();
    }
    m_sure = token_id == m_sure.expected ? Sure{std::move(m_sure.tokens), -1} : Sure{};
    m_run->write(std::span(&token_id, 1));
}

void Translator::unwrite(int count)
{
    m_sure = {};
    m_run->unwrite(std::min<std::int64_t>(count, static_cast<std::int64_t>(m_run->target().size()) - m_header_tokens));
}

std::int64_t Translator::room() const
{
    return m_lm->model.config().context - static_cast<std::int64_t>(m_run->source().size() + m_header.size() + m_run->target().size());
}

translation::TranslationCost Translator::cost() const
{
    translation::TranslationCost cost = m_cost_before;
    cost.tokens_fed += m_run->tokensFed();
    cost.passes += m_run->passes();
    cost.target_passes += m_run->targetPasses();
    cost.cache_entries = m_run->cache().length();
    cost.cache_bytes = m_run->cache().bytes();
    return cost;
}

}  // namespace braid::models::lm
