// A trained language model as people load it: a Hugging Face folder (config.json, generation_config.json, model.safetensors, tokenizer.json), or,
// where adapters were trained, a PEFT folder (adapter_config.json, adapter_model.safetensors). Torch header. Errors: Error(Storage). Thread: any.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/weights/language_model.h"
#include "lab/train/language/language_recipe.h"

namespace braid::train {

struct LanguageUse {
    std::int64_t vocabulary = 0;
    std::int32_t end = 0;                               // the token that ends a text
    std::int64_t streams = 0;                           // rows of the stream embedding; 0: none
    std::optional<weights::LmTranslation> translation;  // "braid_translation"
};

// config.json of a model of these sizes.
[[nodiscard]] std::string configJson(const LanguageSizes &sizes, const LanguageUse &use);

// config.json's text with the entry for these heads; without further ones as it is.
[[nodiscard]] std::string withTokenHeads(const std::string &config, const weights::LmTokenHeads &heads);

struct LanguageFolder {
    std::string config;                         // config.json's text
    std::string generation;                     // generation_config.json's; may be empty
    std::filesystem::path tokenizer;            // tokenizer.json; copied
    std::vector<std::filesystem::path> others;  // a chat template and what belongs to it; copied
};

// `parameters` under the names of weights::expectedLmTensors(). Files are written one by one, the weights last.
void writeLanguageFolder(const std::filesystem::path &folder, const LanguageFolder &files, const std::map<std::string, at::Tensor> &parameters,
                         at::ScalarType type);

// The text of a config.json with so many rows of a stream embedding, or with what it translates.
[[nodiscard]] std::string withStreams(const std::string &config, std::int64_t streams);
[[nodiscard]] std::string withTranslation(const std::string &config, const weights::LmTranslation &translation);

// The adapters among `parameters` ("layers.0.self_attn.q_proj.lora_A", ...); `base`: the model they are for.
void writeAdapterFolder(const std::filesystem::path &folder, const std::string &base, std::int64_t rank, double scale, double dropout,
                        const std::map<std::string, at::Tensor> &parameters, at::ScalarType type);

}  // namespace braid::train
