#include "ui/captions/tuning_panel.h"

#include <algorithm>

#include <QCheckBox>
#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

namespace braid::ui {
namespace {

constexpr int kWhereUnknownMs = 300;  // the slider's place while the model's own chunk is not known

}  // namespace

QString tuningText(const CaptionTuning &tuning, const TuningRange &range)
{
    const QString chunk = tuning.chunk_ms > 0      ? QObject::tr("%1 ms").arg(tuning.chunk_ms)
                          : range.own_chunk_ms > 0 ? QObject::tr("%1 ms").arg(range.own_chunk_ms)
                                                   : QObject::tr("Model's own");
    return range.streams && tuning.beam_size > 1 ? QObject::tr("%1, %n reading(s)", nullptr, tuning.beam_size).arg(chunk) : chunk;
}

TuningPanel::TuningPanel(QWidget *parent)
    : QFrame(parent)
    , m_own_chunk(new QCheckBox(tr("As the model likes it"), this))
{
    setObjectName(QStringLiteral("tuningPanel"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Fine-tuning"));
    setFixedWidth(kTuningPanelWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    auto *title = new QLabel(tr("Fine-tuning"), this);
    title->setObjectName(QStringLiteral("section"));
    column->addWidget(title);
    QGridLayout *grid = addSliderGrid(*column);
    m_chunk = addSliderRow(*this, *grid, {tr("Piece of sound"), tr(" ms"), m_range.least_chunk_ms, m_range.most_chunk_ms, 20, 100});
    m_own_chunk->setAccessibleName(tr("Piece of sound as the model likes it"));
    grid->addWidget(m_own_chunk, grid->rowCount(), 1, 1, 2);
    m_beam = addSliderRow(*this, *grid, {tr("Readings"), {}, 1, kMostBeams, 1, 2});
    m_look_back = addSliderRow(*this, *grid, {tr("May take back"), {}, 0, kMostLookBack, 1, 2});
    connect(m_chunk.number, &QSpinBox::valueChanged, this, &TuningPanel::take);
    connect(m_beam.number, &QSpinBox::valueChanged, this, &TuningPanel::take);
    connect(m_look_back.number, &QSpinBox::valueChanged, this, &TuningPanel::take);
    connect(m_own_chunk, &QCheckBox::toggled, this, &TuningPanel::take);
    setRange({});
    fill();
}

void TuningPanel::setRange(const TuningRange &range)
{
    m_range = range;
    m_filling = true;
    m_chunk.slider->setRange(range.least_chunk_ms, range.most_chunk_ms);
    m_chunk.number->setRange(range.least_chunk_ms, range.most_chunk_ms);
    m_filling = false;
    const QString chunk = range.least_chunk_ms < range.most_chunk_ms
                              ? tr("How much new sound is awaited each time. Shorter pieces answer sooner, longer ones err less.")
                              : tr("How much new sound is awaited each time. This model was made for %1\u00a0ms alone.").arg(range.least_chunk_ms);
    m_chunk.explanation->setText(range.first_chunk_ms > 0 ? tr("%1 The first takes %2\u00a0ms or more.").arg(chunk).arg(range.first_chunk_ms) : chunk);
    m_beam.explanation->setText(range.streams ? tr("How many readings of the sound are kept side by side. More cost more, and err a little less.")
                                              : tr("Only where words stream: this method makes one reading."));
    m_look_back.explanation->setText(range.streams ? tr("How many of the newest pieces of words may still be taken back. 0 settles at once, more revise more.")
                                                   : tr("Only where words stream: this method settles in its own way."));
    for (const SliderRow &row : {m_beam, m_look_back}) {
        row.slider->setEnabled(range.streams);
        row.number->setEnabled(range.streams);
    }
    fill();
}

void TuningPanel::fit()
{
    for (const SliderRow &row : {m_chunk, m_beam, m_look_back}) {
        fitExplanation(*row.explanation);
    }
    adjustSize();
}

void TuningPanel::show(const CaptionTuning &tuning)
{
    if (!(tuning == m_tuning)) {
        m_tuning = tuning;
        fill();
    }
}

void TuningPanel::fill()
{
    m_filling = true;
    const int own = m_range.own_chunk_ms > 0 ? m_range.own_chunk_ms : kWhereUnknownMs;
    m_own_chunk->setChecked(m_tuning.chunk_ms == 0);
    m_chunk.number->setValue(m_tuning.chunk_ms > 0 ? m_tuning.chunk_ms : own);
    const bool is_free = m_tuning.chunk_ms > 0 && m_range.least_chunk_ms < m_range.most_chunk_ms;
    m_chunk.slider->setEnabled(is_free);
    m_chunk.number->setEnabled(is_free);
    m_beam.number->setValue(m_tuning.beam_size);
    m_look_back.number->setValue(m_tuning.look_back_tokens);
    m_filling = false;
}

void TuningPanel::take()
{
    if (m_filling) {
        return;
    }
    CaptionTuning tuning = m_tuning;
    tuning.chunk_ms = m_own_chunk->isChecked() ? 0 : m_chunk.number->value();
    tuning.beam_size = m_beam.number->value();
    tuning.look_back_tokens = m_look_back.number->value();
    if (!(tuning == m_tuning)) {
        m_tuning = tuning;
        fill();
        Q_EMIT changed(tuning);
    }
}

}  // namespace braid::ui
