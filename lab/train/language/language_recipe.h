// A training run of a language model as a file (resources/recipes/*.json, docs/formats.md): streaming translation ("kind": "translation") or
// parallel streams ("kind": "streams"). Plain values; no torch. Strict, like recipe.h. Errors: Error(Input) with the file and the key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/language_model.h"
#include "lab/train/run_recipe.h"

namespace braid::train {

enum class LanguageTask : std::uint8_t { Translation = 1, Streams };

// Sizes of a model from scratch (Qwen3's architecture with tied embeddings).
struct LanguageSizes {
    std::int64_t width = 256;
    std::int64_t inner_width = 704;
    std::int64_t layers = 4;
    std::int64_t heads = 8;
    std::int64_t key_value_heads = 8;
    std::int64_t context = 2048;
    double rope_theta = 10000;
};

struct LanguageStartRecipe {
    std::filesystem::path model;      // a Hugging Face folder to go on from; empty: from scratch
    LanguageSizes sizes;              // from scratch alone
    std::filesystem::path tokenizer;  // from scratch: a tokenizer.json; empty: one is learnt from the training texts ...
    std::int32_t vocabulary = 0;      // ... of so many tokens
    std::int64_t lora_rank = 0;       // 0: everything is trained; else adapters of all linear layers of the blocks alone
    double lora_alpha = 0;            // 0: twice the rank, as released (streaming-llm.md 1.7)
    double lora_dropout = 0;          // share of its inputs that an adapter drops in training; published: 0.1
};

struct BatchRecipe {
    std::int64_t tokens = 4096;  // of a batch, padding included
    std::int64_t longest = 128;  // longer examples are left out
};

// Texts with their translations: a line each, source TAB target (further columns are ignored), UTF-8.
struct PairsRecipe {
    std::filesystem::path file;
};

struct TranslationRecipe {
    std::vector<PairsRecipe> pairs;
    std::string source_language;  // "en"; written into the model's config.json where both are given
    std::string target_language;
    std::string paradigm = "group";          // one of paradigms::allParadigms()
    double phi = 0;                          // of group
    std::vector<std::int64_t> wait_k = {5};  // one is drawn for every example
    double context = 0;                      // share of examples that go on from another sentence, which is then learnt as offline translation
};

// Heads that predict the tokens behind the next one ("Faster Speech-LLaMA with multi-token prediction", III-B).
struct TokenHeadsRecipe {
    weights::LmTokenHeads heads;   // 1: none are trained
    std::vector<double> shares;    // of the heads in the loss, the model's own first: alpha of equation 11
    std::int64_t alone_steps = 0;  // so many steps the further heads are trained alone, and the model stays as it is
};
inline constexpr double kLaterHeadShare = 0.2;  // as published; the first head's is 1

// Conversations of lab/conversations, or of one's own.
struct StreamsRecipe {
    std::filesystem::path layout;
    std::vector<std::filesystem::path> tables;  // markdown tables (streams/table.h), one or more a file; empty: made conversations
    std::int64_t held_out_tables = 0;           // every so-manieth is not trained on but validated with; 0: none
    std::int64_t conversations = 100000;        // in an epoch
    std::int64_t distinct = 0;                  // different ones in all; 0: new ones in every epoch
    std::int64_t most_turns = 1;
    std::vector<std::string> tasks;    // empty: all
    bool is_single = false;            // collapsed to one stream: the baseline
    double silence_weight = 0.25;      // of a silent cell in the loss, against a word
    double silence_kept = 1;           // share of the skipped silence behind which silence follows that is computed at all
    std::string loss_share = "token";  // "token", "stream" (streams/packing.h)
};

struct LanguageValidationRecipe {
    double held_out = 0;          // Translation: the share of distinct source sentences that is never trained on
    std::int64_t examples = 400;  // at most
};

struct LanguageRecipe : RunRecipe {
    LanguageTask task = LanguageTask::Translation;
    LanguageStartRecipe start;
    BatchRecipe batch;
    double label_smoothing = 0;
    TranslationRecipe translation;
    TokenHeadsRecipe token_heads;  // of translation
    StreamsRecipe streams;
    LanguageValidationRecipe validation;
};

// The keys of "start" and of "token_heads", which other recipes of language models have, too.
void readLanguageStart(RecipeTable &table, LanguageStartRecipe &start);
void readTokenHeads(RecipeTable &table, TokenHeadsRecipe &recipe);

// True where the recipe's text says a kind of this header; false where it has none (captions). Throws Error(Input) for other kinds.
[[nodiscard]] bool isLanguageRecipe(const std::filesystem::path &path);

[[nodiscard]] LanguageRecipe readLanguageRecipe(const std::filesystem::path &path);
// `where` names it in errors; relative paths are taken from `folder`.
[[nodiscard]] LanguageRecipe parseLanguageRecipe(std::string_view text, const std::filesystem::path &folder, const std::string &where);

}  // namespace braid::train
