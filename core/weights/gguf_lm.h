// Language models of the families of language_model.h in one GGUF file. Its sizes go through the same strict reading as a config.json, its tensors through the
// same settling. Source: llama.cpp, gguf-py/gguf/constants.py (names) and convert_hf_to_gguf.py (what the converter changes: Llama's query and key rows are
// written in pairs for rotation, Gemma's norms have the one added, Llama 3's scaling of rotary frequencies is a tensor of factors). Errors: Error(Model).
// Thread: any.
#pragma once

#include "core/weights/gguf_file.h"
#include "core/weights/language_model.h"

namespace braid::weights {

[[nodiscard]] LmConfig ggufConfig(const GgufFile &file);
[[nodiscard]] LmCheckpoint readGgufLanguageModel(const GgufFile &file);

}  // namespace braid::weights
