// Hugging Face folders of decoder-only language models: config.json, generation_config.json, *.safetensors single or sharded; and PEFT
// adapter folders. Strict: a setting that would change the numbers and is not known here is refused, not passed over; every tensor has its
// place. Files come from strangers. Errors: Error(Model). Thread: any.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/weights/language_model.h"

namespace braid::weights {

// True where config.json in a folder names one of the families, and for every GGUF file. Never throws.
[[nodiscard]] bool isLanguageModel(const std::filesystem::path &path) noexcept;

// `generation_text` may be empty. `where` names the file in error sentences.
[[nodiscard]] LmConfig parseLmConfig(std::string_view config_text, std::string_view generation_text, const std::string &where);

// config.json alone, or the head of a GGUF file, for lists of models. So may the folder of a model be a GGUF file below.
[[nodiscard]] LmConfig readLmConfig(const std::filesystem::path &folder);
[[nodiscard]] LmCheckpoint readLanguageModel(const std::filesystem::path &folder);

// Brings tensors under Hugging Face's names into the form of language_model.h: prefix off, Phi's fused tensors parted (views, no copies),
// twice-stored tied weights dropped; then requires that exactly the model's tensors are there.
void settleLmTensors(TensorStore &tensors, const LmConfig &config);

// adapter_config.json and adapter_model.safetensors, for a base model of these sizes.
[[nodiscard]] LmAdapter readLmAdapter(const std::filesystem::path &folder, const LmConfig &base);
// The same from parts: `tensors` under PEFT's names.
[[nodiscard]] LmAdapter parseLmAdapter(std::string_view adapter_config_text, TensorStore tensors, const LmConfig &base, const std::string &where);

}  // namespace braid::weights
