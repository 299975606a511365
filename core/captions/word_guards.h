// Guards against what speech models say when they lose the thread: the same words over and over, more words than fit in the sound,
// words after the end of it. The join between what is committed and what a new hypothesis says again. And where to cut a window that
// has become too long. Plain functions over words; words are compared by their letters and digits alone (metrics/text_normaliser.h).
// Thread: any.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/text/transcript.h"

namespace braid::captions {

enum class Reliability { Sound = 1, Doubtful };

// Letters and digits in lower case; the text itself where it has none, so that a word of punctuation equals only itself.
[[nodiscard]] std::string wordKey(const text::Word &word);
[[nodiscard]] bool sameWord(const text::Word &a, const text::Word &b);

// Puts words inside [earliest, until], in order: what begins at or after `until` goes, the rest is clipped, and no word begins before
// the one before it ends.
void putInOrder(std::vector<text::Word> &words, Sample earliest, Sample until);

// How many words from the front are plausible; words.size() when all are. A loop (a phrase of up to eight words, over and over, faster
// than people speak or longer than they go on) ends after its second round, or a single word after the fourth; a word that is a loop
// of tokens in itself ends it; and there are never more words than a fast speaker can say in the time. `before`: words committed just
// before. `start`: where the sound of `words` begins.
[[nodiscard]] std::size_t plausibleCount(std::span<const text::Word> before, std::span<const text::Word> words, Sample start);

// How many words at the front of `hypothesis` only repeat what is already committed: an alignment of the last five committed words with
// every place in the hypothesis, weighed with how far each place lies from where the committed words end.
// `window_start`: committed words before it are hardly expected to be heard again.
[[nodiscard]] std::size_t repeatedCount(std::span<const text::Word> committed, std::span<const text::Word> hypothesis, Sample window_start);

// The same where the committed words were given to the model to go on from: only words that are the newest committed ones once more, and end
// where these do, repeat them.
[[nodiscard]] std::size_t saidAgainCount(std::span<const text::Word> committed, std::span<const text::Word> hypothesis);

// Where to cut a window at about `target`, so that no word is cut in two: the first `words` words are to be committed as they stand, the
// sound before `sample` to be dropped. `sample` is always after `window_start`; `target` must be.
struct Cut {
    std::size_t words = 0;
    Sample sample = 0;
};
[[nodiscard]] Cut planCut(std::span<const text::Word> words, Sample window_start, Sample target);

}  // namespace braid::captions
