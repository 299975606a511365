// A small streaming Whisper with adapters, for the tests of the causal encoder and of the recogniser above it. Hashed weights, every dimension
// different; frames of 20 ms (stride 1) or 40 ms (strides 2 and 4).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <QTemporaryDir>

#include "core/models/whisper/whisper_model.h"
#include "tests/support/small_whisper_folder.h"
#include "tests/support/strides.h"

namespace braid::test {

constexpr float kNear = 1e-5f;
constexpr float kScoreNear = 5e-5f;  // logits are tens

inline weights::WhisperDims streamingDims(int stride)
{
    weights::WhisperDims dims = smallDims();
    dims.n_mels = 20;
    dims.n_audio_ctx = stride == 1 ? 160 : 80;
    setStrides(dims, stride);
    return dims;
}

inline HashedWhisper streamingWeights(int stride)
{
    HashedWhisper weights("streaming/", streamingDims(stride));
    for (const char *name : {"encoder.blocks.0.attn.query", "encoder.blocks.0.attn.key", "encoder.blocks.1.attn.value", "encoder.blocks.1.attn.out",
                             "decoder.blocks.0.attn.query", "decoder.blocks.1.attn.out", "decoder.blocks.2.attn.value", "decoder.blocks.0.cross_attn.query",
                             "decoder.blocks.1.cross_attn.key", "decoder.blocks.2.cross_attn.value", "decoder.blocks.2.cross_attn.out"}) {
        weights.addAdapter(name, 3);
    }
    weights.checkpoint().streaming.emplace();
    weights.checkpoint().alignment_heads = {{1, 0}, {2, 1}};
    return weights;
}

inline std::shared_ptr<const text::WhisperTokenizer> smallTokenizer()
{
    const QTemporaryDir place;
    const std::filesystem::path folder(place.path().toStdString());
    writeSmallWhisperFolder(folder);
    return text::WhisperTokenizer::load(folder / "tokenizer.json", 260);
}

inline std::shared_ptr<models::whisper::Model> streamingModel(int stride)
{
    static const std::shared_ptr<const text::WhisperTokenizer> tokenizer = smallTokenizer();
    return std::make_shared<models::whisper::Model>(streamingWeights(stride).take(), tokenizer, nn::Placement{});
}

inline captions::Chunking chunkingOf(int stride, int first_ms, int chunk_ms)
{
    return {frameSamplesOf(stride), samplesFromMs(first_ms), samplesFromMs(chunk_ms)};
}

inline float distance(const at::Tensor &a, const at::Tensor &b)
{
    return (a - b).abs().max().item<float>();
}

}  // namespace braid::test
