#include "core/metrics/word_error_rate.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/base/error.h"

namespace braid::metrics {

double WordErrors::rate() const noexcept
{
    if (reference_words == 0) {
        return total() == 0 ? 0.0 : std::numeric_limits<double>::infinity();
    }
    return static_cast<double>(total()) / static_cast<double>(reference_words);
}

WordErrors &WordErrors::operator+=(const WordErrors &other) noexcept
{
    substitutions += other.substitutions;
    insertions += other.insertions;
    deletions += other.deletions;
    reference_words += other.reference_words;
    return *this;
}

WordErrors countWordErrors(std::span<const std::string> reference, std::span<const std::string> hypothesis)
{
    // Each cell carries the counts of a cheapest path to it, so no way back through a table is needed.
    std::vector<WordErrors> above(hypothesis.size() + 1);
    std::vector<WordErrors> row(hypothesis.size() + 1);
    for (std::size_t h = 0; h < above.size(); ++h) {
        above[h].insertions = static_cast<std::int64_t>(h);
    }
    for (const std::string &word : reference) {
        row[0] = above[0];
        ++row[0].deletions;
        for (std::size_t h = 0; h < hypothesis.size(); ++h) {
            WordErrors best = above[h];
            if (word != hypothesis[h]) {
                ++best.substitutions;
            }
            if (above[h + 1].total() + 1 < best.total()) {
                best = above[h + 1];
                ++best.deletions;
            }
            if (row[h].total() + 1 < best.total()) {
                best = row[h];
                ++best.insertions;
            }
            row[h + 1] = best;
        }
        std::swap(above, row);
    }
    WordErrors errors = above.back();
    errors.reference_words = static_cast<std::int64_t>(reference.size());
    return errors;
}

bool canAlignWords(std::size_t reference_words, std::size_t hypothesis_words) noexcept
{
    constexpr std::size_t kMostPairs = 1'000'000'000;
    return reference_words + 1 <= kMostPairs / (hypothesis_words + 1);
}

std::vector<Edit> alignWords(std::span<const std::string> reference, std::span<const std::string> hypothesis)
{
    const std::size_t width = hypothesis.size() + 1;
    if (!canAlignWords(reference.size(), hypothesis.size())) {
        throw Error(ErrorKind::Usage, "the two texts are too long to be aligned word by word", {}, "Split them into utterances");
    }

    std::vector<EditKind> came_by((reference.size() + 1) * width, EditKind::Insertion);
    std::vector<std::size_t> above(width);
    std::vector<std::size_t> row(width);
    std::iota(above.begin(), above.end(), std::size_t{0});
    for (std::size_t r = 0; r < reference.size(); ++r) {
        row[0] = r + 1;
        came_by[(r + 1) * width] = EditKind::Deletion;
        for (std::size_t h = 0; h < hypothesis.size(); ++h) {
            const bool same = reference[r] == hypothesis[h];
            std::size_t best = above[h] + (same ? 0 : 1);
            EditKind kind = same ? EditKind::Same : EditKind::Substitution;
            if (above[h + 1] + 1 < best) {
                best = above[h + 1] + 1;
                kind = EditKind::Deletion;
            }
            if (row[h] + 1 < best) {
                best = row[h] + 1;
                kind = EditKind::Insertion;
            }
            row[h + 1] = best;
            came_by[(r + 1) * width + h + 1] = kind;
        }
        std::swap(above, row);
    }

    std::vector<Edit> edits;
    std::size_t r = reference.size();
    std::size_t h = hypothesis.size();
    while (r > 0 || h > 0) {
        const EditKind kind = came_by[r * width + h];
        r -= kind == EditKind::Insertion ? 0 : 1;
        h -= kind == EditKind::Deletion ? 0 : 1;
        edits.push_back({kind, r, h});
    }
    std::reverse(edits.begin(), edits.end());
    return edits;
}

}  // namespace braid::metrics
