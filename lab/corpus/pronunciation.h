// How a word that no dictionary knows may sound, in the phones of CMU's American English (ARPAbet without stress, space between them):
// good enough to find where the word lies in its sound. Thread: any.
#pragma once

#include <string>
#include <string_view>

namespace braid::corpus {

// From the International Phonetic Alphabet as eSpeak NG writes American English. Signs it does not know are left out; empty where nothing is left.
[[nodiscard]] std::string phonesFromIpa(std::string_view ipa);

// By plain rules of English spelling. Never empty for a word with a letter in it.
[[nodiscard]] std::string phonesFromLetters(std::string_view word);

}  // namespace braid::corpus
