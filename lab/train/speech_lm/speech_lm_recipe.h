// A training run of a language model that listens as a file ("kind": "speech-lm", docs/formats.md): a causal encoder that stays as it is, an adapter and a
// small decoder-only language model with its heads that learn. Plain values; no torch. Strict, like recipe.h. Errors: Error(Input) with the file and the key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "lab/train/language/language_recipe.h"
#include "lab/train/run_recipe.h"

namespace braid::train {

struct SpeechLmRecipe : RunRecipe {
    std::filesystem::path encoder;     // a causal Whisper's folder; its encoder alone is taken, and never changed
    std::int64_t stack = 2;            // frames in a row
    std::vector<std::int64_t> hidden;  // widths between the adapter's layers; empty: one layer
    LanguageStartRecipe start;         // sizes, and a tokenizer or the size of a vocabulary to learn
    TokenHeadsRecipe token_heads;
    std::int64_t segment_ms = 400;
    std::vector<std::int64_t> wait_k = {3};  // one is drawn for every utterance; the first is written into the model
    double phi = 0;
    std::vector<std::string> languages;          // codes, written into the model
    std::vector<std::filesystem::path> corpora;  // manifests; words with times are waited for
    std::int64_t batch_tokens = 4096;            // rows and tokens of a batch, padding included
    double longest_s = 30;                       // longer utterances are left out
    double label_smoothing = 0;
    std::vector<std::filesystem::path> validation;
    std::int64_t validation_utterances = 200;  // at most, evenly drawn
};

// Whether the recipe's text says so. Throws Error(Input) where it is no JSON.
[[nodiscard]] bool isSpeechLmRecipe(const std::filesystem::path &path);
[[nodiscard]] SpeechLmRecipe readSpeechLmRecipe(const std::filesystem::path &path);
[[nodiscard]] SpeechLmRecipe parseSpeechLmRecipe(std::string_view text, const std::filesystem::path &folder, const std::string &where);

}  // namespace braid::train
