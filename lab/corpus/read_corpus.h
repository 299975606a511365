// A corpus in any of the forms people have: Braid's manifest, "PATH<TAB>TEXT" lists, Praat TextGrids and TIMIT .wrd files beside their
// sounds, or a folder of these. What it is given is recognised by its content.
//
// Sounds are only looked for, not opened. Files come from strangers: sizes, counts and folder depths are limited. Errors: Error(Input). Thread: any.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lab/corpus/utterance.h"

namespace braid::corpus {

enum class TextForm {
    AsWritten = 1,  // for measurement: digits and capitals stay
    Training,       // trainingText(); what has none is left out and told in a notice
    Written,        // writtenText(), of the same utterances; times of words stay with the words they had
};

struct Corpus {
    std::vector<Utterance> utterances;
    std::vector<std::string> notices;  // what was left out, a sentence each; at most 1000
};

// `path`: a file of any of these forms; a folder with a transcripts.tsv; or a folder with .TextGrid or .wrd files below it.
//
// Lists: a third column is the source. A path is relative to the list; one that is no file by itself is looked for with the extensions of
// sounds, and then by its name in the folders below the list ("84-121550-0000" finds mp3/84-121550-0000.mp3).
// TextGrids: the text is that of the word tier. .wrd: "START END WORD" in samples at 16 kHz.
[[nodiscard]] Corpus readCorpus(const std::filesystem::path &path, TextForm form);

// One .wrd file's words.
[[nodiscard]] std::vector<TimedWord> parseTimitWords(std::string_view text, const std::string &where);

}  // namespace braid::corpus
