// Word error rate: the fewest substitutions, insertions and deletions that turn the reference into the hypothesis, per reference word.
// Words are compared as they are: normalise first (text_normaliser.h). Plain functions. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace braid::metrics {

struct WordErrors {
    std::int64_t substitutions = 0;
    std::int64_t insertions = 0;
    std::int64_t deletions = 0;
    std::int64_t reference_words = 0;

    [[nodiscard]] std::int64_t total() const noexcept { return substitutions + insertions + deletions; }
    // Errors per reference word; may exceed 1. Without reference words: 0 when nothing was said either, else infinite.
    [[nodiscard]] double rate() const noexcept;
    // Of many utterances: sums of errors over sums of words, as word error rates are given.
    WordErrors &operator+=(const WordErrors &other) noexcept;
    bool operator==(const WordErrors &) const = default;
};

enum class EditKind : std::uint8_t { Same = 1, Substitution, Insertion, Deletion };

struct Edit {
    EditKind kind = EditKind::Same;
    std::size_t reference_index = 0;   // for Insertion: of the next reference word
    std::size_t hypothesis_index = 0;  // for Deletion: of the next hypothesis word
    bool operator==(const Edit &) const = default;
};

// Memory: two rows of the hypothesis's length.
[[nodiscard]] WordErrors countWordErrors(std::span<const std::string> reference, std::span<const std::string> hypothesis);

// Whether texts of so many words can be aligned: a byte of memory for every pair of words, 10^9 at most (some three hours of speech).
[[nodiscard]] bool canAlignWords(std::size_t reference_words, std::size_t hypothesis_words) noexcept;

// One cheapest alignment, in order; where several cost the same, the same one every time. Throws Error(Usage) where canAlignWords() says no.
[[nodiscard]] std::vector<Edit> alignWords(std::span<const std::string> reference, std::span<const std::string> hypothesis);

}  // namespace braid::metrics
