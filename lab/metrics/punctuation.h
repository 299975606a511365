// How well a text is punctuated and capitalised: precision and recall of full stops, commas, question marks and capitals of a hypothesis
// against a reference that has them. The words of both are aligned as the word error rate aligns them (normalised, word_error_rate.h);
// then the mark behind each word and whether it begins with a capital are compared pair by pair, words that were misheard included.
// What stands at a word that the other text lacks counts, too: against recall at a missing word, against precision at an inserted one.
//
// "!" is a full stop, as it ends a sentence; ":", ";", dashes, quotes and "..." are none of the three marks; the full stop of a title ("Mr.")
// belongs to its word and is not counted. A capital counts at the first of the words into which a written word is normalised ("Don't" is
// "do not"), a mark at the last. Plain functions. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace braid::metrics {

// Of one mark. No rate is known where there is nothing to count: 0.
struct MarkCounts {
    std::int64_t right = 0;      // in both texts at the same word
    std::int64_t given = 0;      // in the hypothesis
    std::int64_t reference = 0;  // in the reference

    [[nodiscard]] double precision() const noexcept { return given == 0 ? 0 : static_cast<double>(right) / static_cast<double>(given); }
    [[nodiscard]] double recall() const noexcept { return reference == 0 ? 0 : static_cast<double>(right) / static_cast<double>(reference); }
    // Harmonic mean of both.
    [[nodiscard]] double f1() const noexcept { return given + reference == 0 ? 0 : 2 * static_cast<double>(right) / static_cast<double>(given + reference); }
    MarkCounts &operator+=(const MarkCounts &other) noexcept;
    bool operator==(const MarkCounts &) const = default;
};

struct PunctuationScore {
    std::int64_t texts = 0;  // references that have marks or capitals
    MarkCounts full_stops;
    MarkCounts commas;
    MarkCounts question_marks;
    MarkCounts capitals;

    // Of many utterances: sums, as for word errors.
    PunctuationScore &operator+=(const PunctuationScore &other) noexcept;
    bool operator==(const PunctuationScore &) const = default;
};

// Whether a reference can say anything about marks and capitals: it has one of . , ? ! ; : behind a word, or small letters and capitals.
// False for texts in small letters or capitals alone without marks, as LibriSpeech has them.
[[nodiscard]] bool hasMarksOrCapitals(std::string_view written);

// How the word error rate makes a text comparable: englishWords() or normalisedWords().
using WordNormaliser = std::function<std::vector<std::string>(std::string_view)>;

// One utterance; all zeros where !hasMarksOrCapitals(reference) or where the texts are too long to be aligned (canAlignWords()).
[[nodiscard]] PunctuationScore scorePunctuation(std::string_view reference, std::string_view hypothesis, const WordNormaliser &normaliser);

}  // namespace braid::metrics
