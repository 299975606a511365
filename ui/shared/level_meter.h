// The sound level as a bar from -60 to 0 dB with a peak mark. GUI thread.
#pragma once

#include <QElapsedTimer>
#include <QWidget>

#include "ui/shared/appearance.h"
#include "ui/shared/level_ballistics.h"

namespace braid::ui {

class LevelMeter : public QWidget {
    Q_OBJECT
  public:
    explicit LevelMeter(Appearance &appearance, QWidget *parent = nullptr);
    // Called every frame while sound comes in or the bar still falls; repaints only when a pixel changes.
    void setLevel(double rms, double peak);
    [[nodiscard]] bool isAtRest() const noexcept { return m_ballistics.isAtRest(); }
    [[nodiscard]] double levelDb() const noexcept { return m_ballistics.levelDb(); }
    [[nodiscard]] QSize sizeHint() const override { return {120, 14}; }

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    Appearance &m_appearance;
    LevelBallistics m_ballistics;
    QElapsedTimer m_clock;
    int m_shown_level = -1;
    int m_shown_peak = -1;
};

}  // namespace braid::ui
