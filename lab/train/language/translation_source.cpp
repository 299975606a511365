#include "lab/train/language/translation_source.h"

#include <optional>
#include <utility>

#include "core/base/error.h"

namespace braid::train {

namespace {

constexpr std::uint64_t kOrderStream = 101;
constexpr std::uint64_t kValidationStream = 103;

// One side as it is fed: prompt or header (perhaps with a sentence and its end), units, end.
struct Side {
    std::vector<std::int32_t> tokens;
    std::vector<std::int64_t> lengths;
};

Side sideOf(const std::vector<std::int32_t> &beginning, const std::vector<std::int32_t> &between, std::span<const std::int32_t> end,
            const std::vector<std::int32_t> *before, const std::vector<std::int32_t> &tokens, const std::vector<std::uint8_t> &lengths)
{
    Side side;
    side.tokens = beginning;
    const auto append = [&side](std::span<const std::int32_t> more) { side.tokens.insert(side.tokens.end(), more.begin(), more.end()); };
    if (before != nullptr) {
        append(*before);
        append(between);
    }
    side.lengths.push_back(static_cast<std::int64_t>(side.tokens.size()));
    append(tokens);
    side.lengths.insert(side.lengths.end(), lengths.begin(), lengths.end());
    append(end);
    side.lengths.push_back(static_cast<std::int64_t>(end.size()));
    return side;
}

// `from_label`: the target from the row's label on; its last token is an end, and nothing is predicted across one.
void addLaterLabels(Sequence &sequence, std::size_t row, std::span<const std::int32_t> from_label)
{
    const std::int32_t end = from_label.back();
    for (std::size_t head = 0; head < sequence.later && head + 1 < from_label.size() && from_label[head] != end; ++head) {
        sequence.later_labels[row * sequence.later + head] = from_label[head + 1];
    }
}

TranslationSpelling spellingWithMarks(std::shared_ptr<const text::LanguageTokenizer> tokenizer, const LanguageRecipe &recipe)
{
    const std::optional<text::TranslationFrame> frame = text::TranslationFrame::of(std::move(tokenizer));
    if (!frame) {
        throw Error(ErrorKind::Input, "the tokenizer has not the marks <|source|>, <|target|> and <|end|>", recipe.start.tokenizer.string(),
                    "Let the recipe learn one (\"vocabulary\")");
    }
    return spellingOf(*frame);
}

}  // namespace

Sequence translationSequence(const paradigms::Visibility &visibility, paradigms::TrainingTokens tokens, std::span<const std::int32_t> source,
                             std::span<const std::int32_t> target, std::int64_t heads)
{
    const auto tokenAt = [&](std::int64_t index) {
        const auto at = static_cast<std::size_t>(index);
        return at < source.size() ? source[at] : target[at - source.size()];
    };
    Sequence sequence;
    const std::size_t count = tokens.entries.size();
    sequence.labels.assign(count, Sequence::kNoLabel);
    sequence.weights.assign(count, 0.0f);
    sequence.later = static_cast<std::size_t>(heads - 1);
    sequence.later_labels.assign(count * sequence.later, Sequence::kNoLabel);
    for (std::size_t row = 0; row < count; ++row) {
        sequence.tokens.push_back(tokenAt(tokens.token_of[row]));
        sequence.positions.push_back(tokens.entries[row].position);
        sequence.streams.push_back(tokens.entries[row].stream);
        if (tokens.counts[row] != 0) {
            sequence.labels[row] = tokenAt(tokens.token_of[row + 1]);
            sequence.weights[row] = 1;
            addLaterLabels(sequence, row, target.subspan(static_cast<std::size_t>(tokens.token_of[row + 1]) - source.size()));
        }
    }
    // The closing end is predicted but predicts nothing: where it stands last, nobody needs its row.
    if (tokens.token_of.back() == static_cast<std::int64_t>(source.size() + target.size()) - 1) {
        tokens.entries.pop_back();
        sequence.tokens.pop_back();
        sequence.positions.pop_back();
        sequence.streams.pop_back();
        sequence.labels.pop_back();
        sequence.weights.pop_back();
        sequence.later_labels.resize(sequence.later_labels.size() - sequence.later);
    }
    static_cast<void>(paradigms::visibleEntries(visibility, tokens.entries, 0, 0, sequence.seen));
    return sequence;
}

std::vector<double> positionsBehindSource(const Sequence &sequence)
{
    std::vector<double> across = sequence.positions;
    const std::size_t count = sequence.size();
    for (std::size_t row = 0; row < count; ++row) {
        for (std::size_t column = 0; column < count && sequence.streams[row] == paradigms::kTarget; ++column) {
            across[row] += sequence.streams[column] == paradigms::kSource && sequence.seen[row * count + column] != 0 ? 1 : 0;
        }
    }
    return across;
}

TranslationSource::TranslationSource(const LanguageRecipe &recipe, const std::vector<PairText> &pairs, std::shared_ptr<const text::LanguageTokenizer> tokenizer)
    : TranslationSource(recipe, pairs, *tokenizer, spellingWithMarks(tokenizer, recipe))
{
}

TranslationSource::TranslationSource(const LanguageRecipe &recipe, const std::vector<PairText> &pairs, const text::LanguageTokenizer &tokenizer,
                                     TranslationSpelling spelling)
    : m_recipe(recipe)
    , m_paradigm(paradigms::paradigmNamed(recipe.translation.paradigm, recipe.translation.phi))
    , m_spelling(std::move(spelling))
{
    for (const PairText &pair : pairs) {
        TokenPair tokens = tokenised(pair, m_spelling, tokenizer);
        if (tokens.tokens() == 0 || tokens.tokens() + m_spelling.marks() > recipe.batch.longest) {
            ++m_left_out;
            continue;
        }
        const bool is_held_out = isHeldOut(pair.source, recipe.validation.held_out);
        (is_held_out ? m_held_out : m_trained).push_back(static_cast<std::int64_t>(m_pairs.size()));
        m_pairs.push_back(std::move(tokens));
    }
    if (m_trained.empty()) {
        throw Error(ErrorKind::Input, "no pair of sentences is left to learn from", recipe.path.string(),
                    "Raise \"batch.longest\", or lower \"validation.held_out\"");
    }
    if (static_cast<std::int64_t>(m_held_out.size()) > recipe.validation.examples) {
        Random random({recipe.seed, kValidationStream});
        random.shuffle(m_held_out);
        m_held_out.resize(static_cast<std::size_t>(recipe.validation.examples));
    }
}

SequenceItem TranslationSource::itemOf(std::int64_t example, std::int64_t before) const
{
    const auto tokensOf = [this](std::int64_t index) { return m_pairs[static_cast<std::size_t>(index)].tokens(); };
    return {example, before,
            tokensOf(example) + m_spelling.marks() - 1 + (before < 0 ? 0 : tokensOf(before) + 2 * static_cast<std::int64_t>(m_spelling.between.size()))};
}

std::vector<SequenceItem> TranslationSource::epoch(std::uint64_t number) const
{
    Random random({m_recipe.seed, kOrderStream, number});
    std::vector<std::int64_t> order = m_trained;
    random.shuffle(order);
    std::vector<SequenceItem> items;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool goes_on = i + 1 < order.size() && random.chance(m_recipe.translation.context);
        SequenceItem item = itemOf(order[i], -1);
        if (goes_on && itemOf(order[i + 1], order[i]).tokens <= m_recipe.batch.longest) {
            item = itemOf(order[i + 1], order[i]);
            ++i;
        }
        items.push_back(item);
    }
    return items;
}

std::vector<SequenceItem> TranslationSource::validation() const
{
    std::vector<SequenceItem> items;
    for (const std::int64_t example : m_held_out) {
        items.push_back(itemOf(example, -1));
    }
    return items;
}

std::vector<Sequence> TranslationSource::sequences(const TokenPair &pair, const TokenPair *before, std::int64_t k) const
{
    const Side source = sideOf(m_spelling.before_source, m_spelling.between, m_spelling.end_of_source, before != nullptr ? &before->source : nullptr,
                               pair.source, pair.source_units);
    const Side target = sideOf(m_spelling.before_target, m_spelling.between, {&m_spelling.end_of_target, 1}, before != nullptr ? &before->target : nullptr,
                               pair.target, pair.target_words);
    const std::int64_t heads = m_recipe.token_heads.heads.count;
    std::vector<Sequence> out;
    if (m_paradigm.reencoding == paradigms::Reencoding::All) {
        for (paradigms::TrainingTokens &tokens : paradigms::reencodedTokens(source.lengths, target.lengths, k)) {
            out.push_back(translationSequence(paradigms::offlineBatch().visibility, std::move(tokens), source.tokens, target.tokens, heads));
        }
        return out;
    }
    const bool reads_all_first = m_paradigm == paradigms::offlineBatch();
    const std::int64_t wait = reads_all_first ? static_cast<std::int64_t>(source.lengths.size()) : k;
    const bool moves = m_paradigm.reencoding == paradigms::Reencoding::Positions;
    const paradigms::Paradigm counted = moves ? paradigms::groupStreaming(0) : m_paradigm;
    // All but the beginning is learnt; behind it stands what was said before, its translation written having seen all of it.
    out.push_back(translationSequence(counted.visibility,
                                      paradigms::waitKTokens(counted, source.lengths, target.lengths, wait, paradigms::HeaderTime::AfterInstruction,
                                                             static_cast<std::int64_t>(m_spelling.before_target.size())),
                                      source.tokens, target.tokens, heads));
    if (moves) {
        out.back().across = positionsBehindSource(out.back());
    }
    return out;
}

std::vector<Sequence> TranslationSource::make(const SequenceItem &item, Random random) const
{
    const std::vector<std::int64_t> &waits = m_recipe.translation.wait_k;
    const std::int64_t k = waits[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(waits.size())))];
    const TokenPair *before = item.before < 0 ? nullptr : &m_pairs[static_cast<std::size_t>(item.before)];
    return sequences(m_pairs[static_cast<std::size_t>(item.example)], before, k);
}

}  // namespace braid::train
