// What each target word of a sentence attended to: rows are target words, columns source units, darker means more; over it the staircase of what
// had been read. The pointer on a cell looks at its word; the numbers show on hover. Drawn once into an image. GUI thread.
#pragma once

#include <optional>
#include <vector>

#include <QImage>
#include <QStringList>
#include <QWidget>

#include "core/translation/translation_attention.h"
#include "ui/inspector/attention_geometry.h"
#include "ui/shared/appearance.h"
#include "ui/translation/bilingual_text.h"

namespace braid::ui {

class AlignmentMap : public QWidget {
    Q_OBJECT
  public:
    explicit AlignmentMap(Appearance &appearance, QWidget *parent = nullptr);
    // Of the sentence that `marked` is in; its row or column is marked.
    void show(const BilingualText &text, std::optional<PieceRef> marked);
    using QWidget::show;
    void setView(const translation::AttentionView &view);
    [[nodiscard]] const translation::AttentionView &attentionView() const noexcept { return m_view; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_table.rows == 0 || m_table.columns == 0; }
    [[nodiscard]] const translation::AttentionTable &table() const noexcept { return m_table; }
    [[nodiscard]] AttentionGeometry cellGeometry() const;
    [[nodiscard]] QString textAt(const QPointF &point) const;
    [[nodiscard]] QSize sizeHint() const override;

  Q_SIGNALS:
    void wordPointedAt(int word);  // of the page; -1: none
    void wordClicked(int word);

  protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *) override { updateGeometry(); }

  private:
    void drawImage();
    void drawLabels(QPainter &painter, const AttentionGeometry &cells) const;
    void drawStaircase(QPainter &painter, const AttentionGeometry &cells) const;
    [[nodiscard]] int wordAt(const QPointF &point) const;

    Appearance &m_appearance;
    translation::AttentionView m_view;
    translation::AttentionTable m_table;     // as it is
    translation::AttentionTable m_readable;  // as it is drawn
    QImage m_image;
    QStringList m_units;  // the sentence's end is the last one, where it was read
    QStringList m_words;
    int m_sentence = -1;
    int m_first_word = 0;
    int m_marked_row = -1;
    int m_marked_column = -1;
    std::int64_t m_read_units = 0;
    int m_pointed_at = -1;
};

}  // namespace braid::ui
