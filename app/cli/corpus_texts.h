// The forms texts of a manifest may have, for `align` and `synth` alike.
#pragma once

#include "app/cli/choices.h"
#include "lab/corpus/read_corpus.h"

namespace braid::cli {

inline const Choices<corpus::TextForm> kCorpusTexts = {{"training", corpus::TextForm::Training}, {"written", corpus::TextForm::Written}};

}  // namespace braid::cli
