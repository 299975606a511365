// Where every word of the transcript stands, as plain numbers (tested by data rows and properties; no widget, no painter).
//
// Under every row of words lies room for a row of their translation, kept free from the first, so that a translation that comes late moves nothing. Only
// one that needs more rows than its paragraph has moves what stands below it.
//
// Words are placed one after the other and never again: a word's place depends only on the words before it, so neither the tail
// nor later words can move it. Only clear() and reshape() (another width or font) place words anew. Widths are measured once per
// font, so that reshape() is arithmetic even for hours of text. GUI thread.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QRectF>
#include <QString>

#include "ui/captions/word_flow.h"
#include "ui/state/transcript_model.h"

namespace braid::ui {

struct TranscriptShape {
    double text_left = 80;  // margin with times is left of it
    double text_width = 600;
    double line_height = 31;
    double translation_height = 0;  // kept free under every row of words for its translation; 0: none is shown
    double paragraph_space = 10;
    double top = 24;
    double space_width = 6;
    friend bool operator==(const TranscriptShape &, const TranscriptShape &) = default;
};

struct TranscriptRow {
    double top = 0;
    int paragraph = 0;  // index in the model; of tail rows: number of paragraphs where the tail starts its own
    int first_word = 0;
    int word_count = 0;
    double height = 0;  // with the room for translation below
};

struct WordPlace {
    float left = 0;  // from text_left, in reading direction
    float width = 0;
    int row = 0;
};

class TranscriptLayout {
  public:
    using Measure = std::function<double(const QString &)>;

    // Another width, font or margins: every place is computed anew; widths are measured anew only when `measure` is given.
    void reshape(const TranscriptShape &shape, Measure measure = {});
    void clear();
    // Places what the model has more than at the last call.
    void placeSettled(const TranscriptModel &model);
    void placeTail(const TranscriptModel &model);
    // How many rows the translation of a paragraph needs. True where paragraphs below it have to move: then call reshape(shape()) and place all again.
    [[nodiscard]] bool setTranslatedRows(int paragraph, int rows);
    // A settled word that was corrected: call reshape(shape()) and place all again.
    void measureAnew(int word, const QString &text);

    [[nodiscard]] const TranscriptShape &shape() const noexcept { return m_shape; }
    [[nodiscard]] const std::vector<TranscriptRow> &rows() const noexcept { return m_rows; }
    [[nodiscard]] const std::vector<TranscriptRow> &tailRows() const noexcept { return m_tail_rows; }
    [[nodiscard]] QRectF wordRect(WordRef ref) const;
    [[nodiscard]] std::optional<WordRef> wordAt(const QPointF &point) const;
    // The settled word nearest to `point`, for selecting by dragging; nothing in an empty transcript.
    [[nodiscard]] std::optional<int> nearestSettled(const QPointF &point) const;
    // First row of `rows` that reaches below `y`.
    [[nodiscard]] std::size_t firstRowBelow(double y) const;
    [[nodiscard]] QRectF tailRect() const;
    // Height of settled text and tail together.
    [[nodiscard]] double contentHeight() const;
    [[nodiscard]] bool isRightToLeft(int row, WordPart part) const;

  private:
    struct Pen {  // where the next word would go
        LinePen line;
        double bottom = 0;  // below the newest row
        bool right_to_left = false;
    };
    struct Placed {
        WordPlace place;
        bool new_row = false;
    };
    [[nodiscard]] Placed place(Pen &pen, double width, bool joined) const;
    [[nodiscard]] double pitch() const noexcept { return m_shape.line_height + m_shape.translation_height; }
    // What the translation of a paragraph needs below the paragraph's own rows.
    [[nodiscard]] double overflowOf(std::size_t paragraph) const;
    [[nodiscard]] QRectF rectOf(const WordPlace &place, const TranscriptRow &row, bool right_to_left) const;

    TranscriptShape m_shape;
    Measure m_measure;
    std::vector<WordPlace> m_places;
    std::vector<TranscriptRow> m_rows;
    std::vector<bool> m_row_right_to_left;
    std::vector<WordPlace> m_tail_places;
    std::vector<TranscriptRow> m_tail_rows;
    std::vector<bool> m_tail_row_right_to_left;
    std::vector<float> m_widths;          // measured, of settled words; survives reshape
    std::size_t m_paragraphs_placed = 0;  // paragraphs begun
    std::vector<int> m_paragraph_rows;    // rows of words of each
    std::vector<int> m_translated_rows;   // rows of translation of each; may be shorter; survives reshape
    Pen m_pen;
};

}  // namespace braid::ui
