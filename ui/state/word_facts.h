// What is known about a word, in words. Plain functions; used by the tool tip, the Inspector and screen readers.
#pragma once

#include <QString>

#include "core/text/transcript.h"
#include "ui/state/revision_history.h"

namespace braid::ui {

// "0:12.34 to 0:12.61 (0.27 s)".
[[nodiscard]] QString wordTimeText(const text::Word &word);
// "from cross-attention (dynamic time warping)".
[[nodiscard]] QString timeMethodText(text::WordTimeMethod method);
// "first seen 0.41 s after it was said, settled after 1.20 s".
[[nodiscard]] QString wordLagText(const text::Word &word);
// "changed twice; said \"fellow\" before", "never changed".
[[nodiscard]] QString revisionText(const text::Word &word);
// What the word was before, oldest first: "rise, from 0:12.10 rice". "never changed" where it did not.
[[nodiscard]] QString historyOf(const std::vector<SaidBefore> &chain, const text::Word &word);
// "0:12.34" of a session time.
[[nodiscard]] QString clockText(Sample sample);
// A token as it can be shown: a leading space as a middle dot, bytes that are no whole character as hexadecimal; no text: the end mark.
[[nodiscard]] QString tokenText(const std::string &bytes);

}  // namespace braid::ui
