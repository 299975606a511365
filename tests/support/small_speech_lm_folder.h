// A whole small language model that listens, in a folder, made for a test: hashed weights, the encoder and the vocabulary of the other small models.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "core/weights/safetensors.h"
#include "core/weights/speech_lm.h"
#include "tests/support/hashed_whisper.h"
#include "tests/support/small_lm_folder.h"

namespace braid::test {

inline nlohmann::json smallSpeechLmConfig(const weights::LmTokenHeads &heads = {})
{
    nlohmann::json language_model = smallLmConfig(256);
    language_model["tie_word_embeddings"] = false;  // it does not say the same token over and over
    if (heads.count > 1) {
        language_model["braid_token_heads"] = {{"kind", weights::headKindName(heads.kind)}, {"count", heads.count}};
    }
    return {{"model_type", weights::kSpeechLm},
            {"encoder",
             {{"kind", "causal-whisper"}, {"mels", 20}, {"width", 18}, {"heads", 3}, {"layers", 2}, {"mlp_width", 28}, {"frames", 150}, {"conv2_stride", 4}}},
            {"adapter", {{"stack", 3}, {"widths", {26, 24}}}},  // ten frames a segment: three, three and four rows
            {"segment_ms", 400},
            {"wait_k", 2},
            {"phi", {0.5}},
            {"languages", {"en"}},
            {"language_model", language_model}};
}

// Writes the folder; files of it may then be broken by the test.
inline void writeSmallSpeechLmFolder(const std::filesystem::path &folder, const weights::LmTokenHeads &heads = {})
{
    writeSmallLmFolder(folder, SmallLmKind::Framed);  // its tokenizer
    const std::string text = smallSpeechLmConfig(heads).dump(1);
    std::ofstream(folder / "config.json") << text;
    const weights::SpeechLmConfig config = weights::parseSpeechLmConfig(text, "config");
    weights::WhisperCheckpoint whisper = HashedWhisper("small speech/", config.encoder).take();
    weights::TensorStore store(folder.string());
    for (const weights::ExpectedTensor &tensor : weights::expectedSpeechLmTensors(config)) {
        if (tensor.name.starts_with("encoder.")) {
            store.add(tensor.name, whisper.tensors.take(tensor.name));
        } else {
            store.add(tensor.name, hashedLmTensor("small speech/", tensor.name, tensor.shape, 1));
        }
    }
    weights::writeSafetensors(folder / "model.safetensors", store);
}

}  // namespace braid::test
