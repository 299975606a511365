// Shares of a whole as bars, each with its own colour beside its name: how a token's attention falls on the lanes. GUI thread.
#pragma once

#include <vector>

#include <QColor>
#include <QString>
#include <QWidget>

#include "ui/shared/appearance.h"

namespace braid::ui {

struct ShareBar {
    QString label;
    QColor colour;
    double share = 0;  // 0..1
    friend bool operator==(const ShareBar &, const ShareBar &) = default;
};

class ShareBars : public QWidget {
    Q_OBJECT
  public:
    explicit ShareBars(Appearance &appearance, QWidget *parent = nullptr);
    void show(std::vector<ShareBar> bars);
    [[nodiscard]] const std::vector<ShareBar> &bars() const noexcept { return m_bars; }
    [[nodiscard]] QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    Appearance &m_appearance;
    std::vector<ShareBar> m_bars;
};

}  // namespace braid::ui
