// What happens to the sound of one training window before the model hears it: rooms, noise, level, telephone on the samples; warped
// bands, microphone colour, tempo and masks on the log-mel. Every choice comes from the window's own random generator.
// Pure functions; no torch. Thread: any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/features/log_mel.h"
#include "lab/train/random.h"
#include "lab/train/recipe.h"
#include "lab/train/speech.h"

namespace braid::train {

// Room, noise, level and telephone (lab/corpus/augment.h), in this order. `sound` keeps its length and its times.
void disturbSound(std::vector<float> &sound, const SpeechLibrary &library, const DisturbanceRecipe &recipe, Random &random);

// Colour and warp of a window's log-mel (in Whisper's scale), in place.
void disturbMel(features::MelFrames &mel, const DisturbanceRecipe &recipe, Random &random);
// SpecAugment (lab/corpus/spec_augment.h): one stretch of bands, and one of time for every 2.5 s.
void maskMel(features::MelFrames &mel, Random &random);

// Rows by linear interpolation to `count` rows: `values` is [rows, width].
[[nodiscard]] std::vector<float> stretched(const std::vector<float> &values, std::int64_t width, std::int64_t count);

// Noise about as loud as the quietest tenth of `sound` (corpus::quietLevel): what stands before, after and between utterances.
[[nodiscard]] std::vector<float> quietLike(std::span<const float> sound, Sample length, Random &random);

}  // namespace braid::train
