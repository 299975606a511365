// How far the newest words were behind their source, a bar a word: what the machine took, and above it what was waited for on purpose.
// GUI thread.
#pragma once

#include <vector>

#include <QWidget>

#include "ui/shared/appearance.h"
#include "ui/translation/bilingual_text.h"

namespace braid::ui {

inline constexpr int kLagBars = 60;

// Where the bars stand: plain numbers.
struct LagChartGeometry {
    QRectF area;
    double greatest_ms = 1;
    [[nodiscard]] double slotWidth() const noexcept { return area.width() / kLagBars; }
    [[nodiscard]] double yOf(double ms) const noexcept { return area.bottom() - std::min(1.0, ms / greatest_ms) * area.height(); }
    // The bar of the word number `index` of `count`, the newest at the right end; words older than kLagBars have none.
    [[nodiscard]] double xOf(int index, int count) const noexcept { return area.right() - (count - index) * slotWidth(); }
    [[nodiscard]] int wordAt(double x, int count) const noexcept
    {
        const int from_right = static_cast<int>((area.right() - x) / slotWidth());
        return x <= area.right() && x >= area.left() && from_right >= 0 && from_right < count ? count - 1 - from_right : -1;
    }
};

// "0.31 s behind, 0.05 of it computing; 4 units".
[[nodiscard]] QString lagText(const translation::WordWritten &word);

class LagChart : public QWidget {
    Q_OBJECT
  public:
    LagChart(const BilingualText &text, Appearance &appearance, QWidget *parent = nullptr);
    void mark(int word);
    [[nodiscard]] LagChartGeometry chartGeometry() const;
    [[nodiscard]] QString textAt(const QPointF &point) const;
    [[nodiscard]] QSize sizeHint() const override { return {240, 128}; }

  Q_SIGNALS:
    void wordPointedAt(int word);  // of the page; -1: none

  protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    bool event(QEvent *event) override;

  private:
    const BilingualText &m_text;
    Appearance &m_appearance;
    int m_marked = -1;
    int m_pointed_at = -1;
};

}  // namespace braid::ui
