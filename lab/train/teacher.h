// A published Whisper encoder as a teacher: its output on every utterance that wants it, pooled to the frames of the model in training,
// computed once and kept in the cache (feature_library.h). It hears each utterance whole and undisturbed, as Whisper's offline path
// does but without the padding to 30 s. Torch header for what uses it; this header itself names none. Thread: one.
// Errors: Error(Model), Error(Storage).
#pragma once

#include <cstdint>
#include <filesystem>

#include "lab/train/recipe.h"
#include "lab/train/speech.h"

namespace braid::train {

// Where the teacher's features of a recipe lie, without ending, for a model of these strides.
[[nodiscard]] std::filesystem::path featurePath(const Recipe &recipe, weights::ConvStrides strides);
// The width of the teacher's output. `teacher`: a safetensors file of an encoder by OpenAI's names, or a Whisper folder or file.
[[nodiscard]] std::int64_t teacherWidth(const std::filesystem::path &teacher);
// Computes what the cache lacks, and the statistics where there are none. `strides` of the model in training: where it keeps every second frame
// of a Whisper, so it is with the teacher's; where its frames are 40 ms otherwise, the teacher's are pooled (1/4, 1/2, 1/4 around every second one).
void makeFeatures(const Recipe &recipe, const SpeechLibrary &library, weights::ConvStrides strides, const PreparationWatch &watch);

}  // namespace braid::train
