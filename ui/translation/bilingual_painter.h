// Draws a translation from plain values; keeps nothing. The same call paints the screen, a picture for a test, and a print.
#pragma once

#include <optional>
#include <vector>

#include <QFont>
#include <QPainter>

#include "ui/captions/transcript_painter.h"
#include "ui/captions/transcript_search.h"
#include "ui/shared/theme.h"
#include "ui/translation/bilingual_layout.h"
#include "ui/translation/bilingual_text.h"
#include "ui/translation/sentence_attention.h"
#include "ui/translation/staircase_geometry.h"

namespace braid::ui {

// A place found, on a side.
struct PieceMatch {
    TextSide side = TextSide::Source;
    TextMatch place;
};

struct BilingualMarks {
    std::optional<PieceRef> hovered;
    std::optional<PieceRef> pinned;
    std::optional<PieceRef> cursor;  // keyboard's, drawn with the focus ring
    LitPieces lit;                   // by the attention of the piece that is looked at
    TextSide selected_side = TextSide::Target;
    int selected_first = -1;
    int selected_last = -1;
    const std::vector<PieceMatch> *matches = nullptr;
    int current_match = -1;
    LowProbability low_probability = LowProbability::Hidden;
};

// Where the staircase of a sentence stands in its band.
[[nodiscard]] StaircaseGeometry staircaseGeometry(const SentencePair &sentence, const QRectF &band);

// Paints what of the translation lies in `visible` (content coordinates; the painter is translated to them already).
void paintBilingual(QPainter &painter, const QRectF &visible, const BilingualText &text, const BilingualLayout &layout, const BilingualMarks &marks,
                    const Theme &theme, const QFont &font);

}  // namespace braid::ui
