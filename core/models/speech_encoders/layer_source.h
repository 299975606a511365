// Where the layers of a speech encoder get their weights from: a file, or a network in training. Torch header.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "core/nn/linear.h"
#include "core/nn/placement.h"
#include "core/weights/tensor_store.h"

namespace braid::models::speech {

struct LayerSource {
    // The tensor of this name and shape; throws where it is missing or of another shape.
    std::function<at::Tensor(const std::string &name, const std::vector<std::int64_t> &shape)> find;
    // How the weights of products are kept; Floats where gradients are wanted.
    nn::WeightStorage storage = nn::WeightStorage::Floats;

    // "NAME.weight" [out, in] and "NAME.bias" [out].
    [[nodiscard]] nn::Linear linear(const std::string &name, std::int64_t in, std::int64_t out) const;
    // "NAME.weight" and "NAME.bias", both [width].
    [[nodiscard]] nn::LayerNorm norm(const std::string &name, std::int64_t width, double epsilon = 1e-5) const;
};

// Takes each tensor out of the store once. `tensors` must outlive it. The caller asks requireAllTaken() when everything is built.
[[nodiscard]] LayerSource takingFrom(weights::TensorStore &tensors, const nn::Placement &placement);

}  // namespace braid::models::speech
