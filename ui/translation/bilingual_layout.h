// Where every unit and word of a translation stands, as plain numbers (tested by data rows and properties; no widget, no painter).
//
// A sentence is a row: its source and its translation begin at the same height, side by side or, where there is no room for two columns,
// interlinear: a line of the source, below it a line of the translation, and so on. Within a sentence a piece's place depends only on those of
// its side before it. A sentence begins below the one before it, so what follows a sentence that is being written may still move: that is
// source that nobody has read yet; what was read or written never moves.
// Of the sentences that wait only the next few are placed, so that a book costs no more than a line. GUI thread.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QRectF>
#include <QString>

#include "ui/captions/word_flow.h"
#include "ui/translation/bilingual_text.h"

namespace braid::ui {

enum class PairArrangement : std::uint8_t { SideBySide = 1, Interlinear };

struct BilingualShape {
    PairArrangement arrangement = PairArrangement::SideBySide;
    double left = 24;
    double column_width = 400;
    double band_width = 88;
    double gutter = 20;  // at both sides of the band
    double line_height = 31;
    double sentence_space = 6;
    double line_space = 14;  // more between lines of the source
    double pair_space = 6;   // between a line of the translation and the next one of the source, interlinear
    double top = 16;
    double space_width = 6;
    double hanging = 12;
    friend bool operator==(const BilingualShape &, const BilingualShape &) = default;

    [[nodiscard]] double columnLeft(TextSide side) const
    {
        const bool one_column = arrangement == PairArrangement::Interlinear;
        return left + (one_column ? band_width + gutter : side == TextSide::Source ? 0 : column_width + 2 * gutter + band_width);
    }
    [[nodiscard]] double bandLeft() const { return arrangement == PairArrangement::Interlinear ? left : left + column_width + gutter; }
    [[nodiscard]] double rowPitch() const { return arrangement == PairArrangement::Interlinear ? 2 * line_height + pair_space : line_height; }
    // Of a line of a side, below its sentence's top.
    [[nodiscard]] double rowTop(TextSide side, int row) const
    {
        return row * rowPitch() + (arrangement == PairArrangement::Interlinear && side == TextSide::Target ? line_height : 0);
    }
};

inline constexpr int kWaitingSentencesPlaced = 24;

class BilingualLayout {
  public:
    using Measure = std::function<double(const QString &)>;

    // Another width, font or margins: every place is computed anew; widths are measured anew only when `measure` is given.
    void reshape(const BilingualShape &shape, Measure measure = {});
    void clear();
    // Places what the text has more than at the last call.
    void place(const BilingualText &text);

    [[nodiscard]] const BilingualShape &shape() const noexcept { return m_shape; }
    [[nodiscard]] int sentenceCount() const noexcept { return static_cast<int>(m_sentences.size()); }
    [[nodiscard]] QRectF sentenceRect(int sentence) const;  // the whole row
    [[nodiscard]] QRectF bandRect(int sentence) const;
    // Empty for a piece that is not placed.
    [[nodiscard]] QRectF pieceRect(PieceRef ref) const;
    [[nodiscard]] std::optional<PieceRef> pieceAt(const QPointF &point) const;
    // The nearest piece of a side, for selecting by dragging.
    [[nodiscard]] std::optional<PieceRef> nearest(TextSide side, const QPointF &point) const;
    // Which column a point is in or nearest to; interlinear: which line.
    [[nodiscard]] TextSide sideAt(const QPointF &point) const;
    // First sentence that reaches below `y`.
    [[nodiscard]] int firstSentenceBelow(double y) const;
    // Of the word being written; empty where none is.
    [[nodiscard]] QRectF openWordRect() const { return m_open_word; }
    [[nodiscard]] double contentHeight() const;

  private:
    struct PiecePlace {
        float left = 0;  // from the column's left, in reading direction
        float width = 0;
        int row = 0;  // of its side, in its sentence
    };
    struct Column {  // one side of one sentence
        LinePen pen;
        int rows = 0;
        int first = 0;  // piece
        int count = 0;
        bool right_to_left = false;
    };
    struct SentencePlace {
        double top = 0;
        int line = 0;
        Column source;
        Column target;
        int tail_rows = 0;  // of the target with the word being written
    };
    struct Side {
        std::vector<PiecePlace> places;
        std::vector<float> widths;   // measured; survive reshape
        std::vector<int> sentences;  // which each piece is in
    };
    void placeSentence(const BilingualText &text, int index);
    void placeColumn(const BilingualText &text, TextSide side, int sentence, int first, int count);
    void placeOpenWord(const BilingualText &text);
    [[nodiscard]] double heightOf(const SentencePlace &sentence) const;
    [[nodiscard]] QRectF rectOf(const PiecePlace &place, const SentencePlace &sentence, TextSide side) const;
    [[nodiscard]] Side &sideOf(TextSide side) { return side == TextSide::Source ? m_source : m_target; }
    [[nodiscard]] const Side &sideOf(TextSide side) const { return side == TextSide::Source ? m_source : m_target; }

    BilingualShape m_shape;
    Measure m_measure;
    std::vector<SentencePlace> m_sentences;
    Side m_source;
    Side m_target;
    QRectF m_open_word;
    int m_open_sentence = -1;  // that the word being written widens
    int m_unfinished = 0;      // the first sentence that may still grow
};

}  // namespace braid::ui
