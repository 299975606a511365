// What the newest tokens attended to: rows are tokens, columns are time; the scale stands beside it, the numbers show on hover.
// The map is drawn once into an image. GUI thread.
#pragma once

#include <optional>

#include <QImage>
#include <QWidget>

#include "core/captions/caption_policy.h"
#include "core/text/transcript.h"
#include "ui/inspector/attention_geometry.h"
#include "ui/shared/appearance.h"
#include "ui/state/caption_controller.h"

namespace braid::ui {

// The columns worth showing: from the first to the last that any row looks at with at least a hundredth of its weight, with a margin.
struct ColumnRange {
    int first = 0;
    int count = 0;
    friend bool operator==(const ColumnRange &, const ColumnRange &) = default;
};
[[nodiscard]] ColumnRange usedColumns(const captions::AttentionMap &map);

class AttentionView : public QWidget {
    Q_OBJECT
  public:
    explicit AttentionView(Appearance &appearance, QWidget *parent = nullptr);
    // `word`: its rows and its time are marked; may be null.
    void show(const AttentionRecord &record, const text::Word *word);
    [[nodiscard]] bool isEmpty() const noexcept { return m_record.map == nullptr; }
    [[nodiscard]] AttentionGeometry cellGeometry() const;
    [[nodiscard]] QString textAt(const QPointF &point) const;
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

  private:
    void drawImage();
    void drawScale(class QPainter &painter, const QRectF &area);

    Appearance &m_appearance;
    AttentionRecord m_record;
    ColumnRange m_range;
    QImage m_image;
    float m_greatest = 0;
    std::vector<int> m_word_rows;
    Sample m_word_start = 0;
    Sample m_word_end = 0;
};

}  // namespace braid::ui
