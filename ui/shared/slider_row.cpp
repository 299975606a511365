#include "ui/shared/slider_row.h"

#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

namespace braid::ui {
namespace {

constexpr int kTitleWidth = 116;
constexpr int kExplanationWidth = kTuningPanelWidth - 32 - kTitleWidth - 12;

}  // namespace

QGridLayout *addSliderGrid(QVBoxLayout &column)
{
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    column.addLayout(grid);
    return grid;
}

SliderRow addSliderRow(QWidget &panel, QGridLayout &grid, const SliderRange &range)
{
    SliderRow row;
    const int at = grid.rowCount();
    auto *label = new QLabel(range.title, &panel);
    label->setFixedWidth(kTitleWidth);
    row.slider = new QSlider(Qt::Horizontal, &panel);
    row.slider->setAccessibleName(range.title);
    row.slider->setRange(range.least, range.most);
    row.slider->setSingleStep(range.step);
    row.slider->setPageStep(range.page);
    row.number = new QSpinBox(&panel);
    row.number->setAccessibleName(range.title);
    row.number->setSuffix(range.unit);
    row.number->setKeyboardTracking(false);
    row.number->setFixedWidth(112);
    row.number->setRange(range.least, range.most);
    row.number->setSingleStep(range.step);
    label->setBuddy(row.slider);
    grid.addWidget(label, at, 0);
    grid.addWidget(row.slider, at, 1);
    grid.addWidget(row.number, at, 2);
    row.explanation = addExplanation(panel, grid, at + 1);
    QObject::connect(row.slider, &QSlider::valueChanged, row.number, &QSpinBox::setValue);
    QObject::connect(row.number, &QSpinBox::valueChanged, row.slider, &QSlider::setValue);
    return row;
}

QLabel *addExplanation(QWidget &panel, QGridLayout &grid, int row)
{
    auto *explanation = new QLabel(&panel);
    explanation->setProperty("soft", true);
    explanation->setWordWrap(true);
    explanation->setFixedWidth(kExplanationWidth);
    explanation->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    grid.addWidget(explanation, row, 1, 1, 2);
    return explanation;
}

void fitExplanation(QLabel &explanation)
{
    explanation.ensurePolished();
    explanation.setFixedHeight(explanation.heightForWidth(kExplanationWidth) + 8);
}

}  // namespace braid::ui
