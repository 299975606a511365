// A number of a tuning panel: its name, a slider, the number itself and a sentence below. Slider and number say the same. GUI thread.
#pragma once

#include <QString>

class QGridLayout;
class QLabel;
class QSlider;
class QSpinBox;
class QVBoxLayout;
class QWidget;

namespace braid::ui {

inline constexpr int kTuningPanelWidth = 420;

struct SliderRow {
    QSlider *slider = nullptr;
    QSpinBox *number = nullptr;
    QLabel *explanation = nullptr;
};

struct SliderRange {
    QString title;
    QString unit;  // behind the number, with its space
    int least = 0;
    int most = 1;
    int step = 1;
    int page = 1;
};

[[nodiscard]] QGridLayout *addSliderGrid(QVBoxLayout &column);
// A row at the end of `grid`, whose panel is kTuningPanelWidth wide.
[[nodiscard]] SliderRow addSliderRow(QWidget &panel, QGridLayout &grid, const SliderRange &range);
// A sentence below a row of `grid`.
[[nodiscard]] QLabel *addExplanation(QWidget &panel, QGridLayout &grid, int row);
// Gives a sentence the height it needs; a wrapped label in a grid is given too little.
void fitExplanation(QLabel &explanation);

}  // namespace braid::ui
