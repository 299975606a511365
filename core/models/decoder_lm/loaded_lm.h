// A language model in memory with all that belongs to it: shared by everything that was made from it, and unchanged while it runs.
#pragma once

#include <memory>

#include "core/model_access/language_model.h"
#include "core/models/decoder_lm/decoder_lm.h"
#include "core/text/language_tokenizer.h"

namespace braid::models::lm {

struct LoadedLm {
    DecoderLm model;
    std::shared_ptr<const text::LanguageTokenizer> tokenizer;
    LanguageModelSummary summary;
};

}  // namespace braid::models::lm
