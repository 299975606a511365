// Which tensors a complete model has, and the check that a file holds these and no others. Thread: any. No torch.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/tensor_store.h"

namespace braid::weights {

struct ExpectedTensor {
    std::string name;
    std::vector<std::int64_t> shape;
};

// Throws Error(Model) with the tensor's name where one is missing, has another shape, does not stand for weights, or has no place among them.
// `kind`: what the file is to be, such as "Qwen2 model".
void requireTensors(const TensorStore &tensors, const std::vector<ExpectedTensor> &expected, std::string_view kind);

}  // namespace braid::weights
