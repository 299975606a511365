#include "core/models/whisper/decode_window.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <random>

#include "core/base/error.h"
#include "core/models/whisper/beam_search.h"
#include "core/models/whisper/compression_ratio.h"

namespace braid::models::whisper {

namespace {

// Scores on the CPU, where the rules work on them: float32 [rows, n_vocab].
at::Tensor scoresOf(const Decoder &decoder, const at::Tensor &hidden)
{
    const at::Tensor scores = decoder.logits(hidden).cpu();
    return scores.reshape({-1, scores.size(-1)}).contiguous();
}

std::span<float> rowOf(const at::Tensor &scores, std::size_t row)
{
    const auto width = static_cast<std::size_t>(scores.size(1));
    return {scores.data_ptr<float>() + row * width, width};
}

struct Decoding {
    const Model &model;
    const SoundCache &sound;
    const DecodeOptions &options;
    TokenRules rules;
    Prompt prompt;
    std::size_t longest;  // tokens after the prompt
    int steps = 0;

    void refuseIfStopped() const
    {
        if (options.stop.stop_requested()) {
            throw Error(ErrorKind::Cancelled, "the work was cancelled");
        }
    }

    [[nodiscard]] at::Tensor continueWith(nn::SelfCache &cache, std::span<const std::int32_t> newest)
    {
        refuseIfStopped();
        ++steps;
        return scoresOf(model.decoder(), model.decoder().run(sound, cache, newest));
    }

    [[nodiscard]] std::vector<ScoredTokens> beam(nn::SelfCache &cache, at::Tensor scores)
    {
        BeamSearch search(options.beam_size, options.patience, rules.end_of_text);
        for (std::size_t length = 0; length < longest; ++length) {
            std::vector<std::vector<NextToken>> next(search.live().size());
            for (std::size_t row = 0; row < next.size(); ++row) {
                rules.apply(rowOf(scores, row), search.live()[row].tokens);
                const nn::OutputSummary summary = nn::summariseScores(rowOf(scores, row), static_cast<std::int64_t>(search.candidates()));
                for (const nn::OutputScore &token : summary.best) {
                    next[row].push_back({static_cast<std::int32_t>(token.index), token.score - summary.log_sum_exp});
                }
            }
            const std::vector<std::int64_t> sources = search.advance(next);
            if (search.done() || length + 1 == longest) {
                break;
            }
            cache.reorder(sources);
            std::vector<std::int32_t> newest;
            for (const ScoredTokens &live : search.live()) {
                newest.push_back(live.tokens.back());
            }
            scores = continueWith(cache, newest);
        }
        return search.results();
    }

    // One hypothesis at temperature 0, best_of samples above; finished rows leave the batch.
    [[nodiscard]] std::vector<ScoredTokens> choose(nn::SelfCache &cache, const at::Tensor &first_scores)
    {
        const std::size_t count = options.temperature > 0 ? static_cast<std::size_t>(std::max(1, options.best_of)) : 1;
        std::mt19937_64 random(options.seed);
        std::vector<ScoredTokens> all(count);
        std::vector<std::size_t> active(count);
        at::Tensor scores = first_scores.repeat({static_cast<std::int64_t>(count), 1});
        std::iota(active.begin(), active.end(), std::size_t{0});
        cache.reorder(std::vector<std::int64_t>(count, 0));
        for (std::size_t length = 0; length < longest && !active.empty(); ++length) {
            std::vector<std::size_t> still;
            std::vector<std::int64_t> sources;
            std::vector<std::int32_t> newest;
            for (std::size_t row = 0; row < active.size(); ++row) {
                ScoredTokens &hypothesis = all[active[row]];
                const std::span<float> row_scores = rowOf(scores, row);
                rules.apply(row_scores, hypothesis.tokens);
                const nn::OutputSummary summary = nn::summariseScores(row_scores, 1);
                const std::size_t id = options.temperature > 0 ? sample(row_scores, random) : static_cast<std::size_t>(summary.best.front().index);
                hypothesis.log_probability += static_cast<double>(row_scores[id] - summary.log_sum_exp);
                if (static_cast<std::int32_t>(id) == rules.end_of_text) {
                    continue;
                }
                hypothesis.tokens.push_back(static_cast<std::int32_t>(id));
                still.push_back(active[row]);
                sources.push_back(static_cast<std::int64_t>(row));
                newest.push_back(static_cast<std::int32_t>(id));
            }
            active = std::move(still);
            if (active.empty() || length + 1 == longest) {
                break;
            }
            cache.reorder(sources);
            scores = continueWith(cache, newest);
        }
        return all;
    }

    [[nodiscard]] std::size_t sample(std::span<const float> scores, std::mt19937_64 &random) const
    {
        const float highest = *std::max_element(scores.begin(), scores.end());
        std::vector<double> heights(scores.size());
        double total = 0;
        for (std::size_t i = 0; i < heights.size(); ++i) {
            total += std::exp((scores[i] - highest) / options.temperature);
            heights[i] = total;
        }
        // 53 random bits: the same on every platform, unlike the standard distributions.
        const double place = static_cast<double>(random() >> 11) * 0x1p-53 * total;
        return static_cast<std::size_t>(std::upper_bound(heights.begin(), heights.end() - 1, place) - heights.begin());
    }
};

std::string trimmed(const std::string &text)
{
    const auto begin = text.find_first_not_of(" \t\n\r\f\v");
    return begin == std::string::npos ? std::string() : text.substr(begin, text.find_last_not_of(" \t\n\r\f\v") - begin + 1);
}

}  // namespace

Prompt makePrompt(const Model &model, const std::string &language, Task task, Timestamps timestamps, std::span<const std::int32_t> previous_tokens)
{
    const text::WhisperTokenizer &tokenizer = model.tokenizer();
    Prompt prompt;
    if (tokenizer.startOfPrevious() && !previous_tokens.empty()) {
        const auto room = static_cast<std::size_t>(std::max<std::int64_t>(0, model.dims().n_text_ctx / 2 - 1));
        prompt.tokens.push_back(*tokenizer.startOfPrevious());
        const auto kept = previous_tokens.last(std::min(room, previous_tokens.size()));
        prompt.tokens.insert(prompt.tokens.end(), kept.begin(), kept.end());
    }
    prompt.start_index = prompt.tokens.size();
    const std::vector<std::int32_t> start = tokenizer.prompt(language, task, model.hasTimestamps() ? timestamps : Timestamps::Without);
    prompt.tokens.insert(prompt.tokens.end(), start.begin(), start.end());
    return prompt;
}

TokenRules makeRules(const Model &model, Timestamps timestamps, float max_initial_timestamp_s)
{
    const text::WhisperTokenizer &tokenizer = model.tokenizer();
    TokenRules rules;
    rules.end_of_text = tokenizer.endOfText();
    rules.suppressed = model.suppressedTokens();
    if (model.hasPublishedRules()) {
        rules.suppressed_at_start = tokenizer.encode(" ");
        rules.suppressed_at_start.push_back(rules.end_of_text);
    }
    if (timestamps == Timestamps::With && model.hasTimestamps()) {
        const double step_s = secondsFromSamples(model.frameSamples());
        rules.timestamps =
            TimestampRules{*tokenizer.timestampBegin(), *tokenizer.noTimestamps(), static_cast<int>(std::lround(max_initial_timestamp_s / step_s))};
    }
    return rules;
}

std::vector<std::int64_t> tokensInOrder(const Model &model, std::span<const std::int32_t> tokens)
{
    std::vector<std::int64_t> ids;
    std::copy_if(tokens.begin(), tokens.end(), std::back_inserter(ids), [&model](std::int32_t id) { return id >= 0 && id < model.dims().n_vocab; });
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

DecodedWindow decodeWindow(const Model &model, const SoundCache &sound, const DecodeOptions &options)
{
    const c10::InferenceMode inference;
    const text::WhisperTokenizer &tokenizer = model.tokenizer();
    Decoding decoding{model,
                      sound,
                      options,
                      makeRules(model, options.timestamps, options.max_initial_timestamp_s),
                      makePrompt(model, options.language, options.task, options.timestamps, options.previous_tokens),
                      0};
    // Published Whisper keeps half its context for the text before; the token after the last place of the context is still chosen.
    const std::int64_t context = model.dims().n_text_ctx;
    const std::int64_t room = context + 1 - static_cast<std::int64_t>(decoding.prompt.tokens.size());
    std::int64_t longest = model.hasPublishedRules() ? std::min(room, context / 2) : room - 2;
    if (options.max_tokens > 0) {
        longest = std::min<std::int64_t>(longest, options.max_tokens);
    }
    decoding.longest = static_cast<std::size_t>(std::max<std::int64_t>(0, longest));

    const bool by_beam = options.temperature <= 0 && options.beam_size > 1;
    const int rows = by_beam ? options.beam_size : options.temperature > 0 ? std::max(1, options.best_of) : 1;
    nn::SelfCache cache = model.decoder().emptyCache(rows);
    cache.reorder(std::vector<std::int64_t>{0});
    decoding.refuseIfStopped();
    const at::Tensor hidden = model.decoder().run(sound, cache, decoding.prompt.tokens);
    ++decoding.steps;

    DecodedWindow window;
    if (tokenizer.noSpeech()) {
        const std::vector<std::vector<std::int64_t>> no_speech = {{*tokenizer.noSpeech()}};
        const at::Tensor at_start = hidden.select(1, static_cast<std::int64_t>(decoding.prompt.start_index));
        const nn::OutputSummary summary = model.decoder().summarise(at_start, {0, {}, no_speech}).front();
        window.no_speech_probability = std::exp(summary.asked.front() - summary.log_sum_exp);
    }
    at::Tensor first = scoresOf(model.decoder(), hidden.select(1, hidden.size(1) - 1));
    const std::vector<ScoredTokens> candidates = by_beam ? decoding.beam(cache, std::move(first)) : decoding.choose(cache, first);
    const EndCounts end_counts = model.hasPublishedRules() ? EndCounts::No : EndCounts::Yes;
    const ScoredTokens &best = bestOf(candidates, options.length_penalty, end_counts);

    window.tokens = best.tokens;
    window.text = trimmed(tokenizer.decode(best.tokens));
    window.average_log_probability = static_cast<float>(best.log_probability / (static_cast<double>(best.tokens.size()) + 1));
    window.compression_ratio = compressionRatio(window.text);
    window.temperature = options.temperature;
    window.decoder_steps = decoding.steps;
    return window;
}

std::vector<std::pair<std::string, float>> detectLanguage(const Model &model, const SoundCache &sound)
{
    const c10::InferenceMode inference;
    const auto languages = model.tokenizer().languages();
    if (languages.empty() || !model.tokenizer().isMultilingual()) {
        return {};
    }
    nn::SelfCache cache = model.decoder().emptyCache(1);
    const std::int32_t start = model.tokenizer().startOfTranscript();
    const at::Tensor all = scoresOf(model.decoder(), model.decoder().run(sound, cache, std::span(&start, 1)));
    std::vector<float> scores;
    for (const auto &[code, id] : languages) {
        scores.push_back(rowOf(all, 0)[static_cast<std::size_t>(id)]);
    }
    logSoftmax(scores);
    std::vector<std::pair<std::string, float>> probabilities;
    for (std::size_t i = 0; i < languages.size(); ++i) {
        probabilities.emplace_back(languages[i].first, std::exp(scores[i]));
    }
    std::stable_sort(probabilities.begin(), probabilities.end(), [](const auto &a, const auto &b) { return a.second > b.second; });
    return probabilities;
}

}  // namespace braid::models::whisper
