// Tensors to and from safetensors files. Torch header. Errors: Error(Storage), Error(Model). Thread: any.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <ATen/ATen.h>

#include "core/weights/tensor_store.h"

namespace braid::train {

// A copy of `tensor` as a file holds it, in `type` (float32, float16 or float64).
[[nodiscard]] weights::StoredTensor storedTensor(const at::Tensor &tensor, at::ScalarType type);
void writeTensors(const std::filesystem::path &path, const std::map<std::string, at::Tensor> &tensors, at::ScalarType type);
// On the CPU, in float32 or, where they are stored so, float64.
[[nodiscard]] std::map<std::string, at::Tensor> readTensors(const std::filesystem::path &path);

}  // namespace braid::train
