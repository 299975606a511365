// A Whisper with adapters as CarelessWhisper's authors keep theirs: a file of torch.save {"dims", "cfg", "state_dict"} with the base and
// its adapters apart (shared/reference/streaming-asr.md 1.1), which this program and theirs can load. Torch header.
// Errors: Error(Usage) for a model that this layout cannot hold, Error(Storage). Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <ATen/ATen.h>

#include "lab/train/model_folder.h"

namespace braid::train {

// True for OpenAI's own shapes: 20 ms frames, inner widths of four times the state.
[[nodiscard]] bool carelessLayoutFits(const weights::WhisperDims &dims) noexcept;

// `type`: float32 or float16. At most 4 GB in all.
void writeCarelessFile(const std::filesystem::path &path, const ModelDescription &description, std::int64_t rank,
                       const std::map<std::string, at::Tensor> &parameters, at::ScalarType type);

// "encoder.blocks.0.attn.query.weight" -> "encoder.blocks.0.attn.query.base_layer.weight", "...query.lora_A" -> "...query.lora_layer.lora_A".
[[nodiscard]] std::string carelessNameOf(std::string_view name);

// Adapters added to the weights they adapt (W + (A B)'), and gone.
[[nodiscard]] std::map<std::string, at::Tensor> mergedAdapters(const std::map<std::string, at::Tensor> &parameters);

}  // namespace braid::train
