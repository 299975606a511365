// wav2vec 2 (Baevski et al. 2020) as Hugging Face folders hold it: config.json, preprocessor_config.json where there is one, and model.safetensors or
// its shards. The encoder alone: what only training needs (quantizer, masked embedding) and a head for letters ("lm_head") are passed over by name,
// everything else must have its place. Weights of the positional convolution in both spellings of weight norm.
// Beyond the published format: "braid_streaming" (with "causal_positions") and "braid_adapter" in config.json (speech_encoder_config.h, docs/formats.md).
// Files come from strangers. Errors: Error(Model). Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/weights/speech_encoder_config.h"
#include "core/weights/tensor_store.h"

namespace braid::weights {

// One convolution of the feature extractor.
struct Wav2Vec2Convolution {
    std::int64_t channels = 512;
    std::int64_t kernel = 3;
    std::int64_t stride = 2;
};

// What follows the extractor's convolutions. GroupOnFirst ("base"): the first one's channels are normalised over the whole sound, so that no part of it can be
// known before the end. LayerOnAll ("large"): every frame by itself.
enum class Wav2Vec2FeatureNorm { GroupOnFirst = 1, LayerOnAll };
// Where a block of the transformer normalises: what it has added to ("base"), or what goes into its parts ("large", "do_stable_layer_norm").
enum class Wav2Vec2BlockNorm { After = 1, Before };
// What the positional convolution of a frame looks at: as many frames on both sides, as published, or earlier ones only (shared/seeds/000, B.1).
enum class Wav2Vec2Positions { Centred = 1, Causal };
// How sound becomes the extractor's input: as it is, or with its mean taken off and its variance brought to one ("do_normalize").
enum class Wav2Vec2Loudness { AsItIs = 1, Normalised };

struct Wav2Vec2Config {
    std::vector<Wav2Vec2Convolution> convolutions;
    bool convolution_bias = false;
    Wav2Vec2FeatureNorm feature_norm = Wav2Vec2FeatureNorm::GroupOnFirst;
    Wav2Vec2BlockNorm block_norm = Wav2Vec2BlockNorm::After;
    Wav2Vec2Positions positions = Wav2Vec2Positions::Centred;
    Wav2Vec2Loudness loudness = Wav2Vec2Loudness::AsItIs;
    std::int64_t width = 768;
    std::int64_t layers = 12;
    std::int64_t heads = 12;
    std::int64_t mlp_width = 3072;
    std::int64_t position_kernel = 128;
    std::int64_t position_groups = 16;
    double norm_epsilon = 1e-5;
    SpeechStreaming streaming;
    std::optional<SpeechAdapterConfig> adapter;

    // Samples from one frame to the next, and samples that a frame reads: 320 and 400 in every published model.
    [[nodiscard]] std::int64_t hopSamples() const noexcept;
    [[nodiscard]] std::int64_t fieldSamples() const noexcept;
};

struct Wav2Vec2Checkpoint {
    Wav2Vec2Config config;
    TensorStore tensors;  // Hugging Face's names without "wav2vec2."; the positional convolution's weight as "weight_g" and "weight_v"
};

// `preprocessor_text` may be empty. `where` names the file in error sentences.
[[nodiscard]] Wav2Vec2Config parseWav2Vec2Config(std::string_view config_text, std::string_view preprocessor_text, const std::string &where);
// Brings tensors under Hugging Face's names into the checkpoint's form. Throws naming one that is there in both spellings, or a pair that is not whole.
void settleWav2Vec2Tensors(TensorStore &tensors);
[[nodiscard]] Wav2Vec2Checkpoint readWav2Vec2(const std::filesystem::path &folder);

}  // namespace braid::weights
