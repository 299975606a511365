// A trained network as people load it: a Hugging Face folder (config.json, generation_config.json, model.safetensors, the tokenizer)
// for a fully trained one. Torch header. Errors: Error(Storage), Error(Model). Thread: any.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <ATen/ATen.h>

#include "core/text/whisper_tokenizer.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::train {

// What a folder says beside its weights.
struct ModelDescription {
    weights::WhisperDims dims;
    weights::WindowPadding padding = weights::WindowPadding::None;
    std::vector<std::string> languages;
    std::vector<std::pair<int, int>> alignment_heads;
    std::filesystem::path tokenizer;      // copied
    std::filesystem::path source_folder;  // its config.json and generation_config.json are kept where it has them; may be empty
    std::int64_t first_chunk_ms = 400;
    std::int64_t default_chunk_ms = 300;
    std::int64_t chunk_ms_min = 100;
    std::int64_t chunk_ms_max = 1000;
};

// Tensors whose names begin with "heads." are left out. Files are written one by one, the weights last.
void writeModelFolder(const std::filesystem::path &folder, const ModelDescription &description, const std::map<std::string, at::Tensor> &parameters,
                      at::ScalarType type);

// "encoder.blocks.0.attn.query.weight" -> "model.encoder.layers.0.self_attn.q_proj.weight"; the reverse of weights::openAiNameOf.
// Throws Error(Internal) for a name that is not a Whisper's.
[[nodiscard]] std::string huggingFaceNameOf(std::string_view name);

}  // namespace braid::train
