// How long the newest steps took, a bar a step: encoder, decoder, the rest. The dashed line is the sound a step was for: above it the
// machine falls behind. GUI thread.
#pragma once

#include <memory>
#include <vector>

#include <QPainter>
#include <QWidget>

#include "core/runtime/step_times.h"
#include "ui/shared/appearance.h"

namespace braid::ui {

// Where the bars stand: plain numbers.
struct StepChartGeometry {
    QRectF area;
    int slots = 0;  // room for so many steps; the newest stands at the right end
    double greatest_ms = 0;

    [[nodiscard]] double slotWidth() const noexcept { return slots > 0 ? area.width() / slots : 0; }
    [[nodiscard]] double yOf(double ms) const noexcept { return area.bottom() - (greatest_ms > 0 ? ms / greatest_ms : 0) * area.height(); }
    [[nodiscard]] double xOf(int index, int count) const noexcept { return area.right() - (count - index) * slotWidth(); }
    // Index of the step at `x` among `count`; -1 where there is none.
    [[nodiscard]] int stepAt(double x, int count) const noexcept
    {
        const int from_right = slotWidth() > 0 ? static_cast<int>((area.right() - x) / slotWidth()) : count;
        return x <= area.right() && from_right >= 0 && from_right < count ? count - 1 - from_right : -1;
    }
};

void paintStepChart(QPainter &painter, const StepChartGeometry &geometry, const std::vector<runtime::StepTiming> &steps, const Theme &theme);
[[nodiscard]] QString stepText(const runtime::StepTiming &step, Sample offset);

class StepChart : public QWidget {
    Q_OBJECT
  public:
    explicit StepChart(Appearance &appearance, QWidget *parent = nullptr);
    void show(std::shared_ptr<const std::vector<runtime::StepTiming>> steps, Sample offset);
    [[nodiscard]] StepChartGeometry chartGeometry() const;
    [[nodiscard]] QString textAt(const QPointF &point) const;
    [[nodiscard]] QSize sizeHint() const override { return {240, 128}; }

  protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;

  private:
    Appearance &m_appearance;
    std::shared_ptr<const std::vector<runtime::StepTiming>> m_steps = std::make_shared<const std::vector<runtime::StepTiming>>();
    Sample m_offset = 0;
};

}  // namespace braid::ui
