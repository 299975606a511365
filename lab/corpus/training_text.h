// Texts in lower case without marks: words of a to z and apostrophes, parted by single spaces.
//
// The rules are those of tests/parity/make_training_text.py; beyond them, accents over Latin letters are taken off. Thread: any.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace braid::corpus {

// Abbreviations written out ("Mr." -> "mister", "&" -> "and"), hyphens and dashes become spaces, other signs fall away, an apostrophe
// stays inside a word and before 's, 'll, 'tis, 'twas, 'em, 'd, 're, 've, 't. Nothing where digits or letters of other alphabets make that
// impossible (they would have to be read out: which words that gives, only the speaker knows) or where no word is left.
[[nodiscard]] std::optional<std::string> trainingText(std::string_view text);

// The same words with the punctuation a synthesizer phrases by.
struct SpeakableWord {
    std::string word;
    char mark = 0;  // , . ; : ? ! after it; 0: none
};
[[nodiscard]] std::optional<std::vector<SpeakableWord>> speakableText(std::string_view text);

// "well, no. why?": nothing but a-z, apostrophes, spaces and the marks.
[[nodiscard]] std::string joined(const std::vector<SpeakableWord> &words);

}  // namespace braid::corpus
