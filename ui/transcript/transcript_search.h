// Finding text in the settled transcript. Plain functions.
#pragma once

#include <vector>

#include <QString>

#include "ui/transcript/transcript_model.h"

namespace braid::ui {

// One place found: from a character of one word to a character of the same or a later word.
struct TextMatch {
    int first_word = 0;
    int first_character = 0;
    int last_word = 0;
    int last_character = 0;  // one behind the end, inside last_word
    friend bool operator==(const TextMatch &, const TextMatch &) = default;
};

// Places of `needle` in settled words from `from_word` on, without regard to case, in order, never across paragraphs. Runs of spaces in `needle` count as one.
[[nodiscard]] std::vector<TextMatch> findText(const TranscriptModel &model, const QString &needle, int from_word = 0);

}  // namespace braid::ui
