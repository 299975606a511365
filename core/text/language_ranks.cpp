// Ranks alone (tiktoken's format) say neither how text is cut nor which special tokens there are: the families are known by their size.
#include <algorithm>

#include "core/text/byte_alphabet.h"
#include "core/text/language_vocabulary.h"
#include "core/text/tokenizer_files.h"
#include "core/text/vocabulary_checks.h"

namespace braid::text {
namespace {

struct SpecialToken {
    std::int32_t id;
    const char *name;
};

struct Family {
    std::size_t ranks;
    SplitPattern pattern;
    bool composes;  // NFC first
    std::vector<SpecialToken> special;
    std::int32_t begin = -1;
};

const std::vector<Family> &families()
{
    static const std::vector<Family> all = {
        {50256, SplitPattern::Gpt2, false, {{50256, "<|endoftext|>"}}},
        {100256,
         SplitPattern::Cl100k,
         false,
         {{100257, "<|endoftext|>"}, {100258, "<|fim_prefix|>"}, {100259, "<|fim_middle|>"}, {100260, "<|fim_suffix|>"}, {100276, "<|endofprompt|>"}}},
        {128000,
         SplitPattern::Cl100k,
         false,
         {{128000, "<|begin_of_text|>"}, {128001, "<|end_of_text|>"}, {128006, "<|start_header_id|>"}, {128007, "<|end_header_id|>"}, {128009, "<|eot_id|>"}},
         128000},
        {151643, SplitPattern::Qwen2, true, {{151643, "<|endoftext|>"}, {151644, "<|im_start|>"}, {151645, "<|im_end|>"}}},
        {199998, SplitPattern::O200k, false, {{199999, "<|endoftext|>"}, {200018, "<|endofprompt|>"}}},
    };
    return all;
}

}  // namespace

LanguageVocabulary readLanguageRanks(std::string_view file, const std::string &where)
{
    auto ranks = readTiktoken(file, where);
    const auto family = std::find_if(families().begin(), families().end(), [&](const Family &candidate) { return candidate.ranks == ranks.bytes.size(); });
    if (family == families().end()) {
        const auto count = std::to_string(ranks.bytes.size());
        refuse("it has " + count + " ranks, and Braid does not know how a model with so many cuts its text; use its tokenizer.json instead", where);
    }
    LanguageVocabulary vocabulary;
    const ByteAlphabet alphabet;
    for (std::size_t id = 0; id < ranks.bytes.size(); ++id) {
        std::string written;
        for (const char byte : ranks.bytes[id]) {
            written += alphabet.written(static_cast<unsigned char>(byte));
        }
        vocabulary.setToken(static_cast<std::int64_t>(id), written, where);
        vocabulary.ids.emplace(std::move(written), static_cast<std::int32_t>(id));
    }
    vocabulary.merges = ranks.merges;
    vocabulary.prefers_whole_pieces = true;
    if (family->composes) {
        vocabulary.normalisers.emplace_back(ComposeText());
    }
    SplitAt split;
    split.pattern = family->pattern;
    vocabulary.pre_tokenizers.emplace_back(std::move(split));
    vocabulary.pre_tokenizers.emplace_back(AsBytes{false, false});
    for (const auto &token : family->special) {
        vocabulary.setToken(token.id, token.name, where);
        vocabulary.added.push_back({token.id, token.name, true, false, false, false, false, false});
    }
    if (family->begin >= 0) {
        vocabulary.before_text.push_back(family->begin);
    }
    return vocabulary;
}

}  // namespace braid::text
