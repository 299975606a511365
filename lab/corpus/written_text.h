// Texts as people write them, with capitals and marks, for models that are to write so, too. What can be learned from is decided by
// trainingText(): its words are what is spoken. Thread: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/corpus/utterance.h"

namespace braid::corpus {

// `text` as it is, single spaces between its words; what has no small letter (LibriSpeech is all capitals) as trainingText() has it, since its
// capitals say nothing. Nothing where there is no training text.
[[nodiscard]] std::optional<std::string> writtenText(std::string_view text);

// The words of a written text, as they stand between spaces, with the times of its spoken words (those of trainingText(), in order): "coal-hole."
// is spoken as two words and lasts from the first to the second. A mark on its own belongs to the word before it. Joined by spaces they
// are the text. Empty where the numbers of words do not fit.
[[nodiscard]] std::vector<TimedWord> writtenWords(std::string_view written, const std::vector<TimedWord> &spoken);

}  // namespace braid::corpus
