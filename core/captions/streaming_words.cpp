// The streaming policy: tokens become words with times, some of them settle.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/captions/doubt_guard.h"
#include "core/captions/streaming_state.h"
#include "core/captions/word_guards.h"

namespace braid::captions {

namespace {

// Rows of a beam that still disagree about what is so long ago are not heard any more.
constexpr Sample kLongestDispute = samplesFromSeconds(2);

std::size_t tokensOf(std::span<const text::Word> words)
{
    std::size_t tokens = 0;
    for (const text::Word &word : words) {
        tokens += word.tokens.size();
    }
    return tokens;
}

}  // namespace

text::Token StreamingPolicy::State::plainToken(const RowToken &token) const
{
    text::Token plain{token.id, recognizer->textOf(token.id), std::exp(token.log_probability), {}};
    if (token.look) {
        for (const TokenScore &rival : token.look->rivals) {
            plain.rivals.push_back({rival.id, recognizer->textOf(rival.id), std::exp(rival.log_probability)});
        }
    }
    return plain;
}

std::vector<text::Word> StreamingPolicy::State::wordsOf(std::span<const RowToken> tokens, Sample earliest) const
{
    std::vector<text::Token> plain;
    for (const RowToken &token : tokens) {
        plain.push_back(plainToken(token));
    }
    std::vector<text::Word> words = recognizer->words(plain);
    // Behind settled text, what begins without a space goes on with it ("-known" of "well-known").
    if (!words.empty() && settled_tokens > 0 && !plain.front().text.empty() && plain.front().text.front() != ' ') {
        words.front().starts_without_space = true;
    }
    for (text::Word &word : words) {
        word.probability = 0;
        for (const text::Token &token : word.tokens) {
            word.probability += token.probability / static_cast<float>(word.tokens.size());
        }
    }
    if (options.word_times == WordTimeRule::Paper) {
        setArrivalTimes(words, tokens, clock, earliest, looked_until);
    } else {
        setTimes(words, tokens, clock, loudness, earliest, looked_until);
    }
    return words;
}

// How probable it is that nobody has said anything in the window. What the decoder computed for this look is used again.
float StreamingPolicy::State::silenceProbability()
{
    const std::vector<std::vector<std::int32_t>> rows = {prompt};
    ScoreRequest request;
    request.rows = rows;
    request.first_positions = {prompt.size() - 1};
    request.best = candidatesForSilence(options.doubt);
    const std::vector<RowScores> scores = recognizer->score(request);
    const std::vector<TokenScore> &best = scores.front().next.front().best;
    const auto end_token = std::find_if(best.begin(), best.end(), [this](const TokenScore &token) { return token.id == recognizer->endToken(); });
    return end_token == best.end() ? 0 : std::exp(end_token->log_probability);
}

// The words behind the settled ones. At a join with overlap, those that only say again what is settled are left out.
void StreamingPolicy::State::takeTail()
{
    const std::span<const RowToken> text = decoder->text();
    std::vector<text::Word> words;
    repeated_tokens = 0;
    if (join != Join::Closed) {
        words = wordsOf(text.subspan(settled_tokens), clock.start_sample);
        const std::size_t repeated = join == Join::Open ? repeatedCount(book.settled(), words, clock.start_sample) : saidAgainCount(book.settled(), words);
        repeated_tokens = tokensOf(std::span(words).first(repeated));
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(repeated));
        makeRoom(words, settledUntil(), std::max(settledUntil(), looked_until));  // behind what is settled; none may go
    } else {
        words = wordsOf(text.subspan(settled_tokens), settledUntil());
    }
    std::size_t plausible = words.size();
    if (!isReleased(options.stability)) {
        const std::size_t in_place = inPlaceCount(words, text.subspan(tailBase()), clock, toldUntil(text.first(tailBase()), clock));
        tells_again = in_place < words.size();
        plausible = std::min(in_place, plausibleCount(book.settled(), words, settledUntil()));
    }
    implausible_looks = plausible < words.size() ? implausible_looks + 1 : 0;
    words.resize(plausible);
    if (!has_settled && options.stability == StabilityRule::Braid && !words.empty() && isDoubtful(text, silenceProbability(), options.doubt)) {
        words.clear();
    }
    book.setTail(std::move(words), heardUntil());
}

void StreamingPolicy::State::publishAttention()
{
    auto map = std::make_shared<AttentionMap>();
    map->first_column_sample = clock.start_sample;
    map->column_samples = clock.frame_samples;
    map->columns = static_cast<int>(recognizer->frames());
    std::vector<Sample> starts;  // of the words of the tokens shown: a guard may hide words behind those on the screen
    for (const text::Word &word : book.tail()) {
        starts.insert(starts.end(), word.tokens.size(), word.start_sample);
    }
    const std::span<const RowToken> rest = decoder->text().subspan(std::min(tailBase(), decoder->text().size()));
    for (std::size_t i = 0; i < std::min(starts.size(), rest.size()); ++i) {
        const RowToken &token = rest[i];
        if (!token.look || token.look->attention.empty()) {
            continue;
        }
        std::vector<float> row = token.look->attention;
        row.resize(static_cast<std::size_t>(map->columns), 0.0f);
        map->row_labels.push_back(recognizer->textOf(token.id));
        map->row_starts.push_back(starts[i]);
        map->weights.insert(map->weights.end(), row.begin(), row.end());
        ++map->rows;
    }
    if (map->rows > 0) {
        attention = std::move(map);
    }
}

// Settles the words that can no longer change: all their tokens are firm, and the token that shows where they end.
void StreamingPolicy::State::commitFirm(PolicyUpdate &update)
{
    std::size_t firm = decoder->firmTokens();
    if (options.beam_size > 1 && !isReleased(options.stability)) {
        std::size_t token = tailBase();
        for (const text::Word &word : book.tail()) {
            if (word.end_sample > looked_until - kLongestDispute) {
                break;
            }
            token += word.tokens.size();
        }
        const std::size_t reach = static_cast<std::size_t>(options.look_back_tokens);
        firm = std::max(firm, std::min(token + 1, decoder->text().size() - std::min(decoder->text().size(), reach)));
    }
    std::size_t words = 0;
    std::size_t token = tailBase();
    while (words < book.tail().size() && token + book.tail()[words].tokens.size() < firm) {
        token += book.tail()[words++].tokens.size();
    }
    commit(words, update);
}

void StreamingPolicy::State::commit(std::size_t words, PolicyUpdate &update)
{
    if (words == 0) {
        return;
    }
    const std::size_t token = tailBase() + tokensOf(std::span(book.tail()).first(words));
    book.commit(words, heardUntil(), update);
    decoder->settle(token);
    settled_tokens = token;
    repeated_tokens = 0;
    join = Join::Closed;
    has_settled = true;
}

}  // namespace braid::captions
