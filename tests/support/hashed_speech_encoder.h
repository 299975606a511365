// Speech encoders with hashed weights: what tests/parity/make_speech_encoders_parity.py makes of the same tag, names and shapes.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/models/speech_encoders/conformer_encoder.h"
#include "core/models/speech_encoders/wav2vec2_encoder.h"
#include "tests/support/hashed_numbers.h"

namespace braid::test {

inline weights::StoredTensor hashedSpeechTensor(const std::string &tag, const std::string &name, std::vector<std::int64_t> shape)
{
    std::size_t count = 1;
    for (const std::int64_t size : shape) {
        count *= static_cast<std::size_t>(size);
    }
    auto values = std::make_shared<std::vector<float>>(hashedNumbers(tag + name, count));
    const bool around_one = name.ends_with("norm.weight") || name.ends_with("original0") || name.ends_with("variance") ||
                            (name.find(".norms.") != std::string::npos && name.ends_with(".weight"));
    const bool small = name.ends_with(".bias") || name.ends_with("_bias") || name.ends_with("mean");
    for (float &value : *values) {
        value = around_one ? 1.0f + value * 0.25f : value * (small ? 0.125f : 0.5f);
    }
    weights::StoredTensor tensor;
    tensor.shape = std::move(shape);
    tensor.bytes = std::as_bytes(std::span(*values));
    tensor.owner = values;
    return tensor;
}

// Tensors of these names and shapes; each is stored under prefix + name.
inline weights::TensorStore hashedSpeechTensors(const std::string &tag, const nlohmann::json &shapes, const std::string &prefix = {})
{
    weights::TensorStore store("hashed weights " + tag);
    for (const auto &[name, shape] : shapes.items()) {
        store.add(prefix + name, hashedSpeechTensor(tag, name, shape.get<std::vector<std::int64_t>>()));
    }
    return store;
}

inline nlohmann::json speechEncoderNumbers()
{
    std::ifstream file(BRAID_SOURCE_DIR "/tests/parity/speech_encoders_parity.json");
    return nlohmann::json::parse(file);
}

// A model of the parity file. `config`: may differ from the file's in what needs no other tensors.
inline weights::Wav2Vec2Checkpoint hashedWav2Vec2(const std::string &name, const nlohmann::json &numbers, const nlohmann::json &config,
                                                  const std::string &preprocessor = {})
{
    weights::Wav2Vec2Checkpoint checkpoint{weights::parseWav2Vec2Config(config.dump(), preprocessor, name),
                                           hashedSpeechTensors(name + "/", numbers.at("shapes"))};
    weights::settleWav2Vec2Tensors(checkpoint.tensors);
    return checkpoint;
}

inline weights::ConformerCheckpoint hashedConformer(const std::string &name, const nlohmann::json &numbers, const nlohmann::json &config)
{
    nlohmann::json shapes = numbers.at("shapes");
    if (!config.contains("braid_adapter")) {
        for (const char *tensor : {"adapter.0.weight", "adapter.0.bias", "adapter.1.weight", "adapter.1.bias"}) {
            shapes.erase(tensor);
        }
    }
    return {weights::parseConformerConfig(config.dump(), name), hashedSpeechTensors(name + "/", shapes)};
}

}  // namespace braid::test
