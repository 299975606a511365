// A Whisper put together from parts of somebody's: the encoder, the decoder's blocks, or both from safetensors files of tensors by
// OpenAI's names (whole modules as published: `encoder.*`; `decoder.*` without or with its token table, which is left), and a token table of
// one's own. Sizes are read off the tensors. Torch header. Errors: Error(Model) with the file and what does not fit. Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/weights/whisper_checkpoint.h"
#include "lab/train/recipe.h"

namespace braid::train {

// The tensors of an encoder alone, and of `dims` what is the encoder's; the decoder's widths are set to the encoder's.
[[nodiscard]] weights::WhisperCheckpoint readEncoderFile(const std::filesystem::path &path);

// The whole Whisper that a recipe with `start.encoder` and `start.decoder` begins with. Its token table of `vocabulary` rows is normal
// numbers of `start.token_deviation`, drawn from `seed`. With every second frame kept, so are the encoder's positions 0, 2, 4, ...
[[nodiscard]] weights::WhisperCheckpoint readParts(const StartRecipe &start, std::int64_t vocabulary, std::uint64_t seed);

}  // namespace braid::train
