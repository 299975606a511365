#include "ui/translation/translation_panel.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

namespace braid::ui {
namespace {

constexpr double kMostTemperature = 2;

QDoubleSpinBox *addNumber(QWidget &panel, QGridLayout &grid, const QString &title, double most, double step, int decimals)
{
    const int at = grid.rowCount();
    auto *label = new QLabel(title, &panel);
    auto *number = new QDoubleSpinBox(&panel);
    number->setAccessibleName(title);
    number->setRange(0, most);
    number->setSingleStep(step);
    number->setDecimals(decimals);
    number->setKeyboardTracking(false);
    number->setFixedWidth(112);
    label->setBuddy(number);
    grid.addWidget(label, at, 0);
    grid.addWidget(number, at, 2);
    return number;
}

}  // namespace

TranslationPanel::TranslationPanel(QWidget *parent)
    : QFrame(parent)
    , m_whole(new QCheckBox(tr("Read whole sentences"), this))
{
    setObjectName(QStringLiteral("tuningPanel"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("How it reads and writes"));
    setFixedWidth(kTuningPanelWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    auto *title = new QLabel(tr("How it reads and writes"), this);
    title->setObjectName(QStringLiteral("section"));
    column->addWidget(title);
    QGridLayout *grid = addSliderGrid(*column);
    m_k = addSliderRow(*this, *grid, {tr("k"), {}, 1, kMostWaitK, 1, 2});
    grid->addWidget(m_whole, grid->rowCount(), 1, 1, 2);
    m_catch_up = addSliderRow(*this, *grid, {tr("Catch up"), {}, 0, kMostCatchUp, 1, 5});
    m_phi = addNumber(*this, *grid, tr("\u03c6 (phi)"), kMostPhi, 0.5, 1);
    m_phi_explanation = addExplanation(*this, *grid, grid->rowCount());
    m_temperature = addNumber(*this, *grid, tr("Chance"), kMostTemperature, 0.1, 1);
    m_temperature_explanation = addExplanation(*this, *grid, grid->rowCount());
    m_k.explanation->setText(tr("Units of the source read before the first word is written. Fewer is sooner, more errs less. Holds at once."));
    m_catch_up.explanation->setText(tr("When more units than this wait, all are read in one go. 0 never does."));
    m_temperature_explanation->setText(tr("Temperature of the choice among words; 0 always takes the most probable. From the next sentence on."));
    for (const SliderRow &row : {m_k, m_catch_up}) {
        connect(row.number, &QSpinBox::valueChanged, this, &TranslationPanel::take);
    }
    connect(m_whole, &QCheckBox::toggled, this, &TranslationPanel::take);
    connect(m_phi, &QDoubleSpinBox::valueChanged, this, &TranslationPanel::take);
    connect(m_temperature, &QDoubleSpinBox::valueChanged, this, &TranslationPanel::take);
    fill();
}

void TranslationPanel::fit()
{
    for (QLabel *explanation : {m_k.explanation, m_catch_up.explanation, m_phi_explanation, m_temperature_explanation}) {
        fitExplanation(*explanation);
    }
    adjustSize();
}

void TranslationPanel::show(const TranslationTuning &tuning)
{
    if (!(tuning == m_tuning)) {
        m_tuning = tuning;
        fill();
    }
}

void TranslationPanel::fill()
{
    m_filling = true;
    const bool offline = m_tuning.paradigm == QLatin1String("offline");
    const bool whole = waitsForSentence(m_tuning);
    m_whole->setChecked(whole);
    m_whole->setEnabled(!offline);
    m_k.number->setValue(m_tuning.k == kWholeSentence ? kMostWaitK : m_tuning.k);
    m_k.slider->setEnabled(!whole);
    m_k.number->setEnabled(!whole);
    m_catch_up.number->setValue(m_tuning.catch_up_units);
    const bool has_offset = m_tuning.paradigm == QLatin1String("group");
    m_phi->setEnabled(has_offset);
    m_phi->setValue(m_tuning.phi);
    m_phi_explanation->setText(has_offset ? tr("Where the translation's positions begin; fractions too. From the next sentence on.")
                                          : tr("Only group streaming gives the translation positions of its own."));
    m_temperature->setValue(m_tuning.temperature);
    m_filling = false;
}

void TranslationPanel::take()
{
    if (m_filling) {
        return;
    }
    TranslationTuning tuning = m_tuning;
    if (m_whole->isEnabled()) {
        tuning.k = m_whole->isChecked() ? kWholeSentence : m_k.number->value();
    }
    tuning.catch_up_units = m_catch_up.number->value();
    tuning.phi = m_phi->value();
    tuning.temperature = m_temperature->value();
    if (!(tuning == m_tuning)) {
        m_tuning = tuning;
        fill();
        Q_EMIT changed(tuning);
    }
}

}  // namespace braid::ui
