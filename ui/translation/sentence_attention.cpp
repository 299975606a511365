#include "ui/translation/sentence_attention.h"

#include <algorithm>

namespace braid::ui {
namespace {

constexpr double kLightGamma = 0.8;

}  // namespace

bool hasAttention(const BilingualText &text, int sentence)
{
    const SentencePair &pair = text.sentences()[static_cast<std::size_t>(sentence)];
    for (int index = 0; index < pair.word_count; ++index) {
        if (!text.word(pair.first_word + index).word.attention.empty()) {
            return true;
        }
    }
    return false;
}

translation::AttentionTable attentionOf(const BilingualText &text, int sentence)
{
    const SentencePair &pair = text.sentences()[static_cast<std::size_t>(sentence)];
    std::vector<translation::TranslatedWord> words;
    for (int index = 0; index < pair.word_count; ++index) {
        const translation::TranslatedWord &written = text.word(pair.first_word + index).word;
        translation::TranslatedWord word;  // without its tokens: only what the table is made of
        word.read_units = written.read_units;
        word.attention = written.attention;
        words.push_back(std::move(word));
    }
    const std::int64_t end_was_read = pair.read_units > pair.unit_count ? 1 : 0;
    return translation::attentionTable(words, pair.unit_count + end_was_read);
}

LitPieces litBy(const BilingualText &text, std::optional<PieceRef> ref)
{
    if (!ref || !text.contains(*ref)) {
        return {};
    }
    const int sentence = text.sentenceOf(*ref);
    if (!hasAttention(text, sentence)) {
        return {};
    }
    const SentencePair &pair = text.sentences()[static_cast<std::size_t>(sentence)];
    const bool is_word = ref->side == TextSide::Target;
    translation::AttentionView view;
    view.scale = is_word ? translation::AttentionScale::PerRow : translation::AttentionScale::PerColumn;
    view.gamma = kLightGamma;
    view.sink = translation::AttentionSink::Removed;
    const translation::AttentionTable table = translation::readable(attentionOf(text, sentence), view);
    LitPieces lit;
    if (is_word) {
        lit.side = TextSide::Source;
        lit.first = pair.first_unit;
        const std::int64_t row = ref->index - pair.first_word;
        for (std::int64_t column = 0; column < std::min<std::int64_t>(table.columns, pair.unit_count); ++column) {
            lit.weights.push_back(table.at(row, column));
        }
    } else {
        lit.side = TextSide::Target;
        lit.first = pair.first_word;
        const std::int64_t column = ref->index - pair.first_unit;
        for (std::int64_t row = 0; row < table.rows && column < table.columns; ++row) {
            lit.weights.push_back(table.at(row, column));
        }
    }
    return lit;
}

}  // namespace braid::ui
