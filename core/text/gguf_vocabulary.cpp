#include "core/text/gguf_vocabulary.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/text/language_vocabulary.h"
#include "core/text/vocabulary_checks.h"

namespace braid::text {
namespace {

struct Splitting {
    std::string_view name;
    SplitPattern pattern;
    bool composes;              // NFC first, as the family's tokenizer.json has it
    bool prefers_whole_pieces;  // "ignore_merges"
    bool adds_begin;
};

const Splitting &splittingNamed(const std::string &name, const std::string &where)
{
    static constexpr std::array<Splitting, 5> kKnown = {{{"gpt-2", SplitPattern::Gpt2, false, false, false},
                                                         {"llama-bpe", SplitPattern::Cl100k, false, true, true},
                                                         {"qwen2", SplitPattern::Qwen2, true, false, false},
                                                         {"qwen35", SplitPattern::Qwen35, true, false, false},
                                                         {"gpt-4o", SplitPattern::O200k, false, false, false}}};
    const std::string_view wanted = name == "llama3" || name == "llama-v3" ? std::string_view("llama-bpe") : std::string_view(name);
    const auto found = std::find_if(kKnown.begin(), kKnown.end(), [&](const Splitting &known) { return known.name == wanted; });
    if (found == kKnown.end()) {
        refuse(name.empty() ? "it does not say how its text is cut before byte pairs are merged (tokenizer.ggml.pre)"
                            : "its way of cutting text, " + inQuotes(name) + ", is none that Braid knows",
               where);
    }
    return *found;
}

PieceKind kindOf(const GgufVocabulary &vocabulary, std::size_t id, const std::string &where)
{
    const std::int32_t kind = vocabulary.kinds.empty() ? 1 : vocabulary.kinds[id];
    // Unused ones fill the vocabulary up; as control they are never part of a text.
    static constexpr PieceKind kKinds[] = {PieceKind::Normal,      PieceKind::Unknown, PieceKind::Control,
                                           PieceKind::UserDefined, PieceKind::Control, PieceKind::Byte};
    if (kind < 1 || kind > 6) {
        refuse("the token " + inQuotes(vocabulary.tokens[id]) + " is of an unknown kind", where);
    }
    return kKinds[kind - 1];
}

void addMerges(const GgufVocabulary &from, LanguageVocabulary &vocabulary, const std::string &where)
{
    const auto id = [&](const std::string &token) {
        const auto position = vocabulary.ids.find(token);
        if (position == vocabulary.ids.end()) {
            refuse("a merge speaks of the token " + inQuotes(token) + ", which the vocabulary does not have", where);
        }
        return position->second;
    };
    for (const std::string &merge : from.merges) {
        const auto space = merge.find(' ');
        if (space == merge.npos || space == 0 || space + 1 == merge.size() || merge.find(' ', space + 1) != merge.npos) {
            refuse("a merge is not two tokens", where);
        }
        const std::string left = merge.substr(0, space);
        const std::string right = merge.substr(space + 1);
        vocabulary.merges.push_back({id(left), id(right), id(left + right)});
    }
}

LanguageVocabulary fromBytePairs(const GgufVocabulary &from, const std::string &where)
{
    const Splitting &splitting = splittingNamed(from.splitting, where);
    LanguageVocabulary vocabulary;
    for (std::size_t i = 0; i < from.tokens.size(); ++i) {
        const auto id = static_cast<std::int32_t>(i);
        const std::string &token = from.tokens[i];
        if (token.empty() || token.size() > 2 * kMaxTokenBytes) {
            refuse("token " + std::to_string(i) + " is empty or too long", where);
        }
        vocabulary.setToken(id, token, where);
        const PieceKind kind = kindOf(from, i, where);
        if (kind == PieceKind::Normal) {
            if (!vocabulary.ids.emplace(token, id).second) {
                refuse("the token " + inQuotes(token) + " is there twice", where);
            }
        } else if (kind == PieceKind::Control || kind == PieceKind::UserDefined) {
            vocabulary.added.push_back({id, token, kind == PieceKind::Control, false, false, false, false, false});
        } else {
            refuse("the token " + inQuotes(token) + " is of a kind that byte-level vocabularies do not have", where);
        }
    }
    addMerges(from, vocabulary, where);
    vocabulary.prefers_whole_pieces = splitting.prefers_whole_pieces;
    if (splitting.composes) {
        vocabulary.normalisers.emplace_back(ComposeText());
    }
    SplitAt split;
    split.pattern = splitting.pattern;
    vocabulary.pre_tokenizers.emplace_back(std::move(split));
    vocabulary.pre_tokenizers.emplace_back(AsBytes{false, false});
    if (from.begin && from.adds_begin.value_or(splitting.adds_begin)) {
        vocabulary.before_text.push_back(*from.begin);
    }
    return vocabulary;
}

LanguageVocabulary fromPieces(const GgufVocabulary &from, const std::string &where)
{
    if (from.scores.size() != from.tokens.size()) {
        refuse("its tokens and their scores are not equally many", where);
    }
    std::vector<SentencePiece> pieces;
    for (std::size_t i = 0; i < from.tokens.size(); ++i) {
        pieces.push_back({from.tokens[i], from.scores[i], kindOf(from, i, where)});
    }
    SentencePieceRules rules;
    rules.adds_dummy_prefix = from.adds_space_prefix;
    if (from.adds_begin.value_or(true)) {
        rules.begin = from.begin;
    }
    return fromSentencePieces(pieces, rules, where);
}

}  // namespace

std::shared_ptr<const LanguageTokenizer> makeTokenizer(const GgufVocabulary &vocabulary, const std::string &where)
{
    if (vocabulary.tokens.empty() || vocabulary.tokens.size() > static_cast<std::size_t>(kMaxTokens)) {
        refuse("it has no tokens, or too many", where);
    }
    if (!vocabulary.kinds.empty() && vocabulary.kinds.size() != vocabulary.tokens.size()) {
        refuse("its tokens and their kinds are not equally many", where);
    }
    if (vocabulary.begin && (*vocabulary.begin < 0 || static_cast<std::size_t>(*vocabulary.begin) >= vocabulary.tokens.size())) {
        refuse("its beginning token is not in its vocabulary", where);
    }
    if (vocabulary.model == "gpt2") {
        return std::make_shared<const LanguageTokenizer>(fromBytePairs(vocabulary, where), where);
    }
    if (vocabulary.model == "llama") {
        return std::make_shared<const LanguageTokenizer>(fromPieces(vocabulary, where), where);
    }
    refuse("its kind of tokenizer, " + inQuotes(vocabulary.model) + ", is none that Braid knows", where);
}

}  // namespace braid::text
