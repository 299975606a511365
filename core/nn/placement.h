// Where tensors live and in which number type; and the way from a file's bytes to a tensor.
// Torch header: include only from core/nn, core/models and what is above them.
#pragma once

#include <ATen/ATen.h>

#include "core/weights/tensor_store.h"

namespace braid::nn {

// How the weights of products are kept.
enum class WeightStorage {
    AsGiven = 1,  // in eight bits (int8_rows.h) where that loses nothing
    Int8,         // rounded to eight bits where their rows are whole blocks; on the CPU, in float32
    Floats,       // never in eight bits: gradients flow
};

struct Placement {
    at::Device device = at::kCPU;
    at::ScalarType type = at::kFloat;  // of weights and activations: float32, bfloat16 or float16
    WeightStorage storage = WeightStorage::AsGiven;

    [[nodiscard]] at::TensorOptions options() const { return at::TensorOptions().device(device).dtype(type); }
};

// A copy of `stored` on the device and in the number type of `placement`; contiguous, owns its memory.
// Blocks and rows with scales become the numbers they stand for.
// Errors: Error(Model) where the stored type is none of numbers to compute with or its bytes do not fit its shape.
[[nodiscard]] at::Tensor tensorFrom(const weights::StoredTensor &stored, const Placement &placement);

// Throws Error(Device) with a sentence when this libtorch cannot compute what the models need in this type on this device
// (libtorch 1.13 has no float16 arithmetic on the CPU). Tries it out; costs milliseconds.
void requireUsable(const Placement &placement);

}  // namespace braid::nn
