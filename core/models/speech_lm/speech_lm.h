// A language model that listens, in memory: an encoder of speech with its adapter, and a decoder-only language model with its tokenizer. Shared by what was
// made from it, and unchanged while that runs. Source: core/weights/speech_lm.h. Torch header. Thread: const; loading on any.
#pragma once

#include <filesystem>
#include <memory>

#include "core/models/decoder_lm/loaded_lm.h"
#include "core/models/speech_encoders/speech_encoder.h"
#include "core/nn/placement.h"
#include "core/weights/speech_lm.h"

namespace braid::models::speech {

// How segments of this model cut the sound: a block of the encoder each.
[[nodiscard]] captions::Chunking segmentsOf(const weights::SpeechLmConfig &config);

struct SpeechLm {
    weights::SpeechLmConfig config;
    std::shared_ptr<const SpeechEncoder> encoder;  // with its adapter: rows of the language model's width
    std::shared_ptr<const lm::LoadedLm> language_model;
};

// Strict: every tensor is taken once. `watch` is told the bytes of tensors, and may throw to stop. Errors: Error(Model).
[[nodiscard]] std::shared_ptr<const SpeechLm> loadSpeechLm(const std::filesystem::path &folder, const nn::Placement &placement,
                                                           const lm::LoadWatch &watch = {});

}  // namespace braid::models::speech
