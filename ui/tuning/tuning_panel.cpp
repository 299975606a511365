#include "ui/tuning/tuning_panel.h"

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
constexpr int kPanelWidth = 420;
constexpr int kTitleWidth = 72;
constexpr int kExplanationWidth = kPanelWidth - 32 - kTitleWidth - 12;

}  // namespace

QString tuningText(const CaptionTuning &tuning, const TuningRange &range)
{
    const QString chunk = tuning.chunk_ms > 0 ? QObject::tr("%1 ms").arg(tuning.chunk_ms)
        : range.own_chunk_ms > 0              ? QObject::tr("%1 ms").arg(range.own_chunk_ms)
                                              : QObject::tr("Own chunk");
    return range.streams && tuning.beam_size > 1 ? QObject::tr("%1, beam %2").arg(chunk).arg(tuning.beam_size) : chunk;
}

TuningPanel::TuningPanel(QWidget *parent) : QFrame(parent), m_own_chunk(new QCheckBox(tr("As the model likes it"), this))
{
    setObjectName(QStringLiteral("tuningPanel"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("How it decodes"));
    setFixedWidth(kPanelWidth);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    auto *title = new QLabel(tr("How it decodes"), this);
    title->setObjectName(QStringLiteral("section"));
    column->addWidget(title);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(1, 1);
    column->addLayout(grid);
    m_chunk = addRow(*grid, tr("Chunk"), tr(" ms"), m_range.least_chunk_ms, m_range.most_chunk_ms, 20, 100);
    m_own_chunk->setAccessibleName(tr("Chunk as the model likes it"));
    grid->addWidget(m_own_chunk, grid->rowCount(), 1, 1, 2);
    m_beam = addRow(*grid, tr("Beam"), {}, 1, kMostBeams, 1, 2);
    m_look_back = addRow(*grid, tr("Look-back"), {}, 0, kMostLookBack, 1, 2);
    connect(m_own_chunk, &QCheckBox::toggled, this, &TuningPanel::take);
    setRange({});
    fill();
}

TuningPanel::Row TuningPanel::addRow(QGridLayout &grid, const QString &title, const QString &unit, int least, int most, int step, int page)
{
    Row row;
    const int at = grid.rowCount();
    auto *label = new QLabel(title, this);
    row.slider = new QSlider(Qt::Horizontal, this);
    row.slider->setAccessibleName(title);
    row.number = new QSpinBox(this);
    row.number->setAccessibleName(title);
    row.number->setSuffix(unit);
    row.number->setKeyboardTracking(false);
    row.number->setFixedWidth(112);
    label->setFixedWidth(kTitleWidth);
    row.slider->setRange(least, most);
    row.slider->setSingleStep(step);
    row.slider->setPageStep(page);
    row.number->setRange(least, most);
    row.number->setSingleStep(step);
    label->setBuddy(row.slider);
    row.explanation = new QLabel(this);
    row.explanation->setProperty("soft", true);
    row.explanation->setWordWrap(true);
    row.explanation->setFixedWidth(kExplanationWidth);
    row.explanation->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    grid.addWidget(label, at, 0);
    grid.addWidget(row.slider, at, 1);
    grid.addWidget(row.number, at, 2);
    grid.addWidget(row.explanation, at + 1, 1, 1, 2);
    connect(row.slider, &QSlider::valueChanged, row.number, &QSpinBox::setValue);
    connect(row.number, &QSpinBox::valueChanged, row.slider, &QSlider::setValue);
    connect(row.number, &QSpinBox::valueChanged, this, &TuningPanel::take);
    return row;
}

void TuningPanel::setRange(const TuningRange &range)
{
    m_range = range;
    m_filling = true;
    m_chunk.slider->setRange(range.least_chunk_ms, range.most_chunk_ms);
    m_chunk.number->setRange(range.least_chunk_ms, range.most_chunk_ms);
    m_filling = false;
    const QString chunk = range.least_chunk_ms < range.most_chunk_ms ? tr("New sound a step waits for. Shorter answers sooner, longer errs less.")
                                                                     : tr("New sound a step waits for. This model was made for %1 ms alone.").arg(range.least_chunk_ms);
    m_chunk.explanation->setText(range.first_chunk_ms > 0 ? tr("%1 The first waits for %2 ms or more.").arg(chunk).arg(range.first_chunk_ms) : chunk);
    m_beam.explanation->setText(range.streams ? tr("Hypotheses kept side by side; 1 is greedy. More costs more, and errs a little less.") : tr("Only where words stream: this policy has no beams."));
    m_look_back.explanation->setText(range.streams ? tr("Newest tokens that may still be taken back. 0 settles at once, more revises more.") : tr("Only where words stream: this policy settles its own way."));
    for (const Row &row : {m_beam, m_look_back}) {
        row.slider->setEnabled(range.streams);
        row.number->setEnabled(range.streams);
    }
    fill();
}

void TuningPanel::fit()
{
    // A wrapped label in a grid is given too little height: each has what its sentence needs.
    for (const Row &row : {m_chunk, m_beam, m_look_back}) {
        row.explanation->ensurePolished();
        row.explanation->setFixedHeight(row.explanation->heightForWidth(kExplanationWidth) + 8);
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
