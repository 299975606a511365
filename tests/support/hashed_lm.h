// Decoder-only language models with hashed weights: what tests/parity/make_decoder_lm_parity.py makes of the same tag, names and shapes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/weights/huggingface_lm.h"
#include "tests/support/hashed_numbers.h"

namespace braid::test {

inline weights::StoredTensor hashedLmTensor(const std::string &tag, const std::string &name, std::vector<std::int64_t> shape, float norm_offset)
{
    std::size_t count = 1;
    for (const std::int64_t size : shape) {
        count *= static_cast<std::size_t>(size);
    }
    auto values = std::make_shared<std::vector<float>>(hashedNumbers(tag + name, count));
    const bool norm = name.ends_with("norm.weight");
    const float scale = norm ? 0.25f : name.ends_with(".bias") ? 0.125f : name.find("embed") != std::string::npos ? 1.5f : 0.5f;
    for (float &value : *values) {
        value = (norm ? norm_offset : 0.0f) + value * scale;
    }
    weights::StoredTensor tensor;
    tensor.shape = std::move(shape);
    tensor.bytes = std::as_bytes(std::span(*values));
    tensor.owner = values;
    return tensor;
}

// A model of these sizes; its tensors are named as transformers names them when they are hashed.
inline weights::LmCheckpoint hashedLm(const std::string &tag, const weights::LmConfig &config)
{
    weights::LmCheckpoint checkpoint("hashed weights " + tag);
    checkpoint.config = config;
    for (const weights::ExpectedTensor &tensor : weights::expectedLmTensors(config)) {
        const std::string name = tensor.name.starts_with("lm_head") ? tensor.name : "model." + tensor.name;
        checkpoint.tensors.add(tensor.name, hashedLmTensor(tag, name, tensor.shape, config.norm_adds_one ? 0.0f : 1.0f));
    }
    return checkpoint;
}

}  // namespace braid::test
