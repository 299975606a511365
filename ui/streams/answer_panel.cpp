#include "ui/streams/answer_panel.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/captions/transcript_view.h"
#include "ui/shared/choice_box.h"
#include "ui/streams/lanes_painter.h"

namespace braid::ui {

AnswerPanel::AnswerPanel(const LanesModel &lanes, Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_lanes(lanes)
    , m_appearance(appearance)
    , m_answer(lanes)
    , m_heading(new QWidget(this))
    , m_stream(new ChoiceBox(tr("In large type"), tr("The stream that stands alone in large type"), this))
    , m_view(new TranscriptView(m_answer.transcript(), appearance, this))
{
    setObjectName(QStringLiteral("paper"));
    setAttribute(Qt::WA_StyledBackground);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(5, 0, 0, 0);
    column->setSpacing(0);
    auto *row = new QHBoxLayout(m_heading);
    row->setContentsMargins(12, 10, 12, 0);
    row->addWidget(m_stream);
    row->addStretch(1);
    column->addWidget(m_heading);
    column->addWidget(m_view, 1);
    m_view->setTimesInMargin(TimesInMargin::Hidden);
    m_view->setAccessibleName(tr("The answer in large type"));
    m_view->setMinimumHeight(60);
    connect(&lanes, &LanesModel::wasReset, this, &AnswerPanel::fill);
    connect(&lanes, &LanesModel::looksChanged, this, &AnswerPanel::fill);
    connect(m_stream, &ChoiceBox::activated, this, [this] {
        setStream(m_stream->currentData().toInt());
        Q_EMIT streamChanged();
    });
    connect(m_view, &TranscriptView::wordActivated, this, [this](int word) { Q_EMIT rowActivated(m_answer.rowOf(word)); });
    connect(m_view, &TranscriptView::captionSizeRequested, this, &AnswerPanel::captionSizeRequested);
    connect(&appearance, &Appearance::changed, this, [this] { update(); });
    fill();
}

void AnswerPanel::fill()
{
    m_stream->clear();
    for (int stream = 0; stream < m_lanes.streams(); ++stream) {
        m_stream->addItem(m_lanes.nameOf(stream), stream);
    }
    m_stream->choose(m_answer.stream());
    m_stream->setVisible(m_lanes.streams() > 0);
    update();
}

void AnswerPanel::setStream(int stream)
{
    m_answer.setStream(stream);
    m_stream->choose(stream);
    update();
}

void AnswerPanel::setHeadingVisible(bool visible)
{
    m_heading->setVisible(visible);
    update();
}

void AnswerPanel::paintEvent(QPaintEvent *)
{
    const int stream = m_answer.stream();
    if (m_heading->isVisible() && stream >= 0 && stream < m_lanes.streams()) {
        QPainter painter(this);
        painter.fillRect(QRect(0, 14, 4, 26), laneColour(m_lanes.colourOf(stream), m_appearance.theme()));
    }
}

}  // namespace braid::ui
