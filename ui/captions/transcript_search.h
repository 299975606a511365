// Finding text in the settled transcript. Plain functions.
#pragma once

#include <functional>
#include <vector>

#include <QString>

#include "ui/state/transcript_model.h"

namespace braid::ui {

// One place found: from a character of one word to a character of the same or a later word.
struct TextMatch {
    int first_word = 0;
    int first_character = 0;
    int last_word = 0;
    int last_character = 0;  // one behind the end, inside last_word
    friend bool operator==(const TextMatch &, const TextMatch &) = default;
};

// Words one behind the other, as they are searched.
struct SearchedRun {
    int first_word = 0;
    int word_count = 0;
    std::function<QString(int)> text_of;
    std::function<bool(int)> is_joined;  // no space before it
};
// Appends the places of `needle` that begin in `from_word` or later, without regard to case, in order. Runs of spaces in `needle` count as one.
void findInRun(const SearchedRun &run, const QString &needle, int from_word, std::vector<TextMatch> &matches);

// Places of `needle` in settled words from `from_word` on, without regard to case, in order, never across paragraphs. Runs of spaces in `needle` count as one.
[[nodiscard]] std::vector<TextMatch> findText(const TranscriptModel &model, const QString &needle, int from_word = 0);

}  // namespace braid::ui
