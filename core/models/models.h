// The models that this build computes with libtorch: what a program hands to core/model_access. No torch in this header.
//
// Thread: functions from any; a loaded model belongs to who loaded it.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model_access/model_access.h"

namespace braid::models {

// All of the below as the one thing that core/model_access asks for.
[[nodiscard]] std::shared_ptr<const ModelLoader> makeModelLoader();

// Models in `folders` (each sub-folder or .pt, .ckpt, .safetensors or ggml-*.bin file; of language models each sub-folder or .gguf file), cheap: reads
// configurations, not weights.
[[nodiscard]] std::vector<ModelSummary> listModels(std::span<const std::filesystem::path> folders);
[[nodiscard]] std::vector<LanguageModelSummary> listLanguageModels(std::span<const std::filesystem::path> folders);

// See ModelLoader.
[[nodiscard]] std::string describeDevice(const DeviceChoice &choice);
void useThreads(const DeviceChoice &choice);

// useThreads(), then weights and tokenizer: Hugging Face folder, OpenAI .pt, CarelessWhisper .pt/.ckpt, whisper.cpp ggml-*.bin. Strict; throws Error(Model), or
// Error(Cancelled) on `stop`.
[[nodiscard]] std::shared_ptr<CaptionModel> loadCaptionModel(const std::filesystem::path &path, const DeviceChoice &device, const Progress &progress = {},
                                                             std::stop_token stop = {});
// The same for weights, tokenizer and layout of a Hugging Face folder or a GGUF file; `adapters`: PEFT folders, the last of which is in use.
[[nodiscard]] std::shared_ptr<LanguageModel> loadLanguageModel(const std::filesystem::path &folder, const DeviceChoice &device,
                                                               std::span<const std::filesystem::path> adapters = {}, const Progress &progress = {},
                                                               std::stop_token stop = {});

}  // namespace braid::models
