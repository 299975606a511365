#include "core/models/whisper/word_alignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <unordered_set>

#include "core/models/whisper/time_warping.h"

namespace braid::models::whisper {

namespace {

constexpr std::size_t kMedianWidth = 7;
constexpr double kLongestMedian_s = 0.7;
constexpr std::string_view kSentenceEnds = ".。!！?？";
constexpr std::string_view kJoinsNext = "\"'“¿([{-";
constexpr std::string_view kJoinsPrevious = "\"'.。,，!！?？:：”)]}、";

// As in the published rule, a word "is" one of the marks when it is a stretch of their list; an empty one always is.
bool isAmong(std::string_view word, std::string_view marks)
{
    return marks.find(word) != std::string_view::npos;
}

std::string_view strip(std::string_view word)
{
    const auto begin = word.find_first_not_of(" \t\n\r");
    return begin == std::string_view::npos ? std::string_view() : word.substr(begin, word.find_last_not_of(" \t\n\r") - begin + 1);
}

std::vector<text::Token> describeTokens(const Model &model, const at::Tensor &hidden, std::span<const std::int32_t> ids, int rival_count)
{
    const text::WhisperTokenizer &tokenizer = model.tokenizer();
    const std::unordered_set<std::int32_t> suppressed(model.suppressedTokens().begin(), model.suppressedTokens().end());
    // Probabilities among text alone.
    std::vector<std::int64_t> no_text(static_cast<std::size_t>(model.dims().n_vocab - tokenizer.endOfText()));
    std::iota(no_text.begin(), no_text.end(), tokenizer.endOfText());
    std::vector<std::vector<std::int64_t>> asked;
    std::transform(ids.begin(), ids.end(), std::back_inserter(asked), [](std::int32_t id) { return std::vector<std::int64_t>{id}; });
    // Suppressed tokens are seldom among the best: a few more than asked for are enough.
    const std::vector<nn::OutputSummary> said = model.decoder().summarise(hidden, {rival_count > 0 ? rival_count + 8 : 0, no_text, asked});
    std::vector<text::Token> tokens;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        text::Token token;
        token.id = ids[i];
        token.text = tokenizer.tokenBytes(ids[i]);
        token.probability = std::exp(said[i].asked.front() - said[i].log_sum_exp);
        for (const nn::OutputScore &other : said[i].best) {
            const auto rival = static_cast<std::int32_t>(other.index);
            if (rival != ids[i] && !suppressed.contains(rival) && token.rivals.size() < static_cast<std::size_t>(rival_count)) {
                token.rivals.push_back({rival, tokenizer.readableToken(rival), std::exp(other.score - said[i].log_sum_exp)});
            }
        }
        tokens.push_back(std::move(token));
    }
    return tokens;
}

// Durations beyond twice the median, next to a sentence end, are pauses: they are cut off the word.
void cutLongWords(std::vector<TimedWord> &words, double longest_s)
{
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i].end_s - words[i].start_s > longest_s) {
            if (isAmong(words[i].text, kSentenceEnds)) {
                words[i].end_s = words[i].start_s + longest_s;
            } else if (isAmong(words[i - 1].text, kSentenceEnds)) {
                words[i].start_s = words[i].end_s - longest_s;
            }
        }
    }
}

double medianDuration(const std::vector<TimedWord> &words)
{
    std::vector<double> durations;
    for (const TimedWord &word : words) {
        if (word.end_s != word.start_s) {
            durations.push_back(word.end_s - word.start_s);
        }
    }
    if (durations.empty()) {
        return 0;
    }
    std::sort(durations.begin(), durations.end());
    const std::size_t middle = durations.size() / 2;
    const double median = durations.size() % 2 == 1 ? durations[middle] : (durations[middle - 1] + durations[middle]) / 2;
    return std::min(kLongestMedian_s, median);
}

}  // namespace

Alignment alignWords(const Model &model, const SoundCache &sound, std::span<const std::int32_t> text_tokens, std::int64_t frames,
                     const AlignmentOptions &options)
{
    const c10::InferenceMode inference;
    Alignment alignment;
    alignment.frames = std::clamp<std::int64_t>(frames, 1, sound.frames);
    std::vector<std::int32_t> tokens = makePrompt(model, options.language, options.task, Timestamps::Without, {}).tokens;
    const auto prompt = static_cast<std::int64_t>(tokens.size());
    // A longer text than the context holds cannot come from a window; what does not fit is left out rather than refused.
    const auto room = static_cast<std::size_t>(std::max<std::int64_t>(0, model.dims().n_text_ctx - prompt - 1));
    text_tokens = text_tokens.first(std::min(text_tokens.size(), room));
    if (text_tokens.empty()) {
        return alignment;
    }
    const auto count = static_cast<std::int64_t>(text_tokens.size());
    tokens.insert(tokens.end(), text_tokens.begin(), text_tokens.end());
    tokens.push_back(model.tokenizer().endOfText());

    nn::SelfCache cache = model.decoder().emptyCache(1);
    at::Tensor scores;
    const at::Tensor hidden = model.decoder().run(sound, cache, tokens, &model.alignmentHeads(), &scores);
    alignment.tokens = describeTokens(model, hidden.squeeze(0).narrow(0, prompt - 1, count), text_tokens, options.rival_count);

    // [heads, tokens, frames of real sound]
    at::Tensor weights = at::softmax(scores.select(1, 0).narrow(2, 0, alignment.frames), -1);
    if (options.keep_attention) {
        const at::Tensor mean = weights.mean(0).narrow(0, prompt - 1, count).cpu().contiguous();
        alignment.attention.assign(mean.data_ptr<float>(), mean.data_ptr<float>() + mean.numel());
    }
    const auto [deviation, mean] = at::std_mean(weights, at::IntArrayRef{-2}, false, true);
    // A single frame has no deviation: 0/0 must not reach the sorting below.
    weights = at::nan_to_num((weights - mean) / deviation, 0.0, 0.0, 0.0).cpu().contiguous();
    medianFilter({weights.data_ptr<float>(), static_cast<std::size_t>(weights.numel())}, static_cast<std::size_t>(alignment.frames), kMedianWidth);
    // The row of a token is the step that predicted it; the last row is the step that predicted end of text.
    const at::Tensor costs = weights.mean(0).narrow(0, prompt - 1, count + 1).neg().contiguous();
    const std::vector<std::size_t> entered = warpRows({costs.data_ptr<float>(), static_cast<std::size_t>(costs.numel())}, static_cast<std::size_t>(count + 1),
                                                      static_cast<std::size_t>(alignment.frames));

    // Rounded once, as a quotient: the published rules compare durations that are often exactly equal.
    const auto secondsOf = [&model](std::size_t frame) { return secondsFromSamples(static_cast<Sample>(frame) * model.frameSamples()); };
    std::size_t token = 0;
    for (text::WhisperTokenizer::WordPiece &piece : model.tokenizer().splitIntoWords(text_tokens, options.language)) {
        TimedWord word;
        word.start_s = secondsOf(entered[token]);
        double probability = 0;
        for (std::size_t i = 0; i < piece.ids.size(); ++i) {
            probability += alignment.tokens[token + i].probability;
        }
        word.probability = piece.ids.empty() ? 0.0f : static_cast<float>(probability / static_cast<double>(piece.ids.size()));
        token += piece.ids.size();
        word.end_s = secondsOf(entered[token]);
        word.text = std::move(piece.text);
        word.ids = std::move(piece.ids);
        alignment.words.push_back(std::move(word));
    }
    alignment.median_duration_s = medianDuration(alignment.words);
    return alignment;
}

void tidyWords(Alignment &alignment)
{
    cutLongWords(alignment.words, 2 * alignment.median_duration_s);
    mergePunctuation(alignment.words);
}

void mergePunctuation(std::vector<TimedWord> &words)
{
    // Opening marks go to the word after them, from the end backwards.
    for (std::size_t i = words.size(), following = words.empty() ? 0 : words.size() - 1; i-- > 1;) {
        TimedWord &previous = words[i - 1];
        if (!previous.text.empty() && previous.text.front() == ' ' && isAmong(strip(previous.text), kJoinsNext)) {
            words[following].text = previous.text + words[following].text;
            words[following].ids.insert(words[following].ids.begin(), previous.ids.begin(), previous.ids.end());
            previous.text.clear();
            previous.ids.clear();
        } else {
            following = i - 1;
        }
    }
    // Closing marks go to the word before them.
    for (std::size_t i = 1, previous = 0; i < words.size(); ++i) {
        TimedWord &target = words[previous];
        const bool ends_with_space = !target.text.empty() && target.text.back() == ' ';
        if (!ends_with_space && isAmong(words[i].text, kJoinsPrevious)) {
            target.text += words[i].text;
            target.ids.insert(target.ids.end(), words[i].ids.begin(), words[i].ids.end());
            words[i].text.clear();
            words[i].ids.clear();
        } else {
            previous = i;
        }
    }
}

std::shared_ptr<const captions::AttentionMap> attentionMap(const Model &model, const Alignment &alignment, Sample start_sample)
{
    if (alignment.attention.empty()) {
        return nullptr;
    }
    auto map = std::make_shared<captions::AttentionMap>();
    map->first_column_sample = start_sample;
    map->column_samples = model.frameSamples();
    map->rows = static_cast<int>(alignment.tokens.size());
    map->columns = static_cast<int>(alignment.frames);
    map->weights = alignment.attention;
    for (const text::Token &token : alignment.tokens) {
        map->row_labels.push_back(model.tokenizer().readableToken(token.id));
    }
    for (const TimedWord &word : alignment.words) {
        map->row_starts.insert(map->row_starts.end(), word.ids.size(), start_sample + samplesFromSeconds(word.start_s));
    }
    map->row_starts.resize(static_cast<std::size_t>(map->rows), map->row_starts.empty() ? start_sample : map->row_starts.back());
    return map;
}

bool writtenWithoutSpaces(std::string_view language) noexcept
{
    constexpr std::array<std::string_view, 6> kLanguages = {"zh", "ja", "th", "lo", "my", "yue"};
    return std::find(kLanguages.begin(), kLanguages.end(), language) != kLanguages.end();
}

std::vector<text::Word> sessionWords(const std::vector<TimedWord> &words, std::span<const text::Token> tokens, std::string_view language, Sample start_sample,
                                     Sample length_samples)
{
    std::vector<text::Word> result;
    Sample earliest = start_sample;
    std::size_t next_token = 0;
    for (const TimedWord &timed : words) {
        text::Word word;
        for (std::size_t i = 0; i < timed.ids.size() && next_token < tokens.size(); ++i) {
            word.tokens.push_back(tokens[next_token++]);
        }
        word.text = std::string(strip(timed.text));
        if (word.text.empty()) {
            continue;
        }
        word.starts_without_space = timed.text.front() != ' ' && (writtenWithoutSpaces(language) || !result.empty());
        word.start_sample = std::clamp(start_sample + samplesFromSeconds(timed.start_s), earliest, start_sample + length_samples);
        word.end_sample = std::clamp(start_sample + samplesFromSeconds(timed.end_s), word.start_sample, start_sample + length_samples);
        earliest = word.start_sample;
        word.probability = timed.probability;
        word.time_method = text::WordTimeMethod::CrossAttention;
        result.push_back(std::move(word));
    }
    return result;
}

}  // namespace braid::models::whisper
