// The attention of one sentence of a translation, for drawing: who looked at whom, and how much. Plain functions.
#pragma once

#include <optional>
#include <vector>

#include "core/translation/translation_attention.h"
#include "ui/translation/bilingual_text.h"

namespace braid::ui {

// Rows: the words written so far; columns: the units that arrived and, once it was read, the end. Without weights where none were kept.
[[nodiscard]] translation::AttentionTable attentionOf(const BilingualText &text, int sentence);
[[nodiscard]] bool hasAttention(const BilingualText &text, int sentence);

// What lights up for a piece: pieces of the other side from `first` on, each with a weight from 0 to 1.
struct LitPieces {
    TextSide side = TextSide::Source;
    int first = 0;
    std::vector<float> weights;
    friend bool operator==(const LitPieces &, const LitPieces &) = default;
};
// A word lights the units it looked at; a unit the words that looked at it.
[[nodiscard]] LitPieces litBy(const BilingualText &text, std::optional<PieceRef> ref);

}  // namespace braid::ui
