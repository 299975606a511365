// The sizes of a Whisper small enough for gradients by finite differences.
#pragma once

#include "core/weights/whisper_checkpoint.h"
#include "tests/support/strides.h"

namespace braid::test {

inline weights::WhisperDims tinyDims(int stride)
{
    weights::WhisperDims dims;
    dims.n_mels = 5;
    dims.n_audio_ctx = 20;
    dims.n_audio_state = dims.n_text_state = 12;
    dims.n_audio_head = 3;
    dims.n_audio_layer = 2;
    dims.n_vocab = 17;
    dims.n_text_ctx = 14;
    dims.n_text_head = 2;
    dims.n_text_layer = 2;
    dims.n_audio_mlp = 22;
    dims.n_text_mlp = 26;
    setStrides(dims, stride);
    return dims;
}

}  // namespace braid::test
