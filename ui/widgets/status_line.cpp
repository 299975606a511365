#include "ui/widgets/status_line.h"

#include <QHBoxLayout>
#include <QLabel>

#include "core/base/sample_clock.h"
#include "ui/widgets/label_text.h"
#include "ui/widgets/run_dot.h"

namespace braid::ui {
namespace {

// Behind by this much, the machine does not keep up, and the line says so.
constexpr double kBehindMs = 5000;

}  // namespace

StatusText statusText(const engine::CaptionSnapshot &snapshot, Sample heard)
{
    StatusText text;
    const engine::Statistics &s = snapshot.statistics;
    switch (snapshot.state) {
    case engine::RunState::Idle: text.state = QObject::tr("ready"); break;
    case engine::RunState::Loading:
        text.state = snapshot.activity.empty() ? QObject::tr("loading, %1 %").arg(snapshot.loading_fraction * 100, 0, 'f', 0) : QString::fromStdString(snapshot.activity);
        break;
    case engine::RunState::Listening:
        text.state = snapshot.voice == engine::VoiceState::Speech ? QObject::tr("listening")
            : snapshot.voice == engine::VoiceState::Silence     ? QObject::tr("silence")
                                                                : QObject::tr("no sound");
        break;
    case engine::RunState::Draining: text.state = QObject::tr("finishing"); break;
    case engine::RunState::Finished: text.state = QObject::tr("finished"); break;
    case engine::RunState::Failed: text.state = QObject::tr("stopped by an error"); break;
    }
    text.heard = QObject::tr("heard %1").arg(QString::fromStdString(formatClock(heard)));
    const double lag_ms = s.compute_lag_ms + s.policy_lag_ms;
    text.lag = QObject::tr("lag %1 s = %2 compute + %3 policy").arg(lag_ms / 1000, 0, 'f', 2).arg(s.compute_lag_ms / 1000, 0, 'f', 2).arg(s.policy_lag_ms / 1000, 0, 'f', 2);
    text.factor = QObject::tr("RTF %1").arg(s.real_time_factor, 0, 'f', 2);
    return text;
}

StatusLine::StatusLine(Appearance &appearance, QWidget *parent)
    : QWidget(parent), m_appearance(appearance), m_meter(new LevelMeter(appearance, this)), m_dot(new QLabel(this)), m_state(new QLabel(this)), m_heard(new QLabel(this)),
      m_lag(new QLabel(this)), m_factor(new QLabel(this)), m_compute(new QLabel(this))
{
    setObjectName(QStringLiteral("status"));
    setAttribute(Qt::WA_StyledBackground);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 6, 16, 6);
    layout->setSpacing(20);
    auto *state_row = new QHBoxLayout;
    state_row->setSpacing(8);
    m_dot->setText(QStringLiteral("\u25cb"));
    m_dot->setAccessibleName(tr("Whether it listens"));
    state_row->addWidget(m_dot);
    state_row->addWidget(m_state);
    layout->addLayout(state_row);
    m_meter->setFixedWidth(120);
    layout->addWidget(m_meter);
    layout->addWidget(m_heard);
    layout->addWidget(m_lag);
    layout->addWidget(m_factor);
    layout->addStretch(1);
    layout->addWidget(m_compute);
    const QFontMetrics metrics(Appearance::interfaceFont(13));
    m_state->setMinimumWidth(metrics.horizontalAdvance(tr("listening")) + 4);
    m_heard->setMinimumWidth(metrics.horizontalAdvance(tr("heard %1").arg(QStringLiteral("00:00:00"))) + 4);
    m_lag->setMinimumWidth(metrics.horizontalAdvance(tr("lag %1 s = %2 compute + %3 policy").arg(QStringLiteral("00.00"), QStringLiteral("00.00"), QStringLiteral("0.00"))));
    m_factor->setMinimumWidth(metrics.horizontalAdvance(tr("RTF %1").arg(QStringLiteral("00.00"))));
    m_state->setObjectName(QStringLiteral("stateWord"));
    m_state->setAccessibleName(tr("State"));
    m_heard->setAccessibleName(tr("Sound heard"));
    m_lag->setAccessibleName(tr("Lag"));
    m_lag->setToolTip(tr("How far the words are behind the sound.\nCompute: heard but not yet processed.\nPolicy: processed, but held back until it is sure."));
    m_factor->setAccessibleName(tr("Real-time factor"));
    m_factor->setToolTip(tr("Real-time factor: seconds of computing for a second of sound. Below 1 keeps up."));
    m_compute->setAccessibleName(tr("Where it runs"));
    m_compute->setProperty("soft", true);
    show({}, 0);
}

void StatusLine::show(const engine::CaptionSnapshot &snapshot, Sample heard)
{
    const StatusText text = statusText(snapshot, heard);
    const bool runs = snapshot.state == engine::RunState::Listening || snapshot.state == engine::RunState::Loading || snapshot.state == engine::RunState::Draining;
    showRunDot(*m_dot, snapshot.state, m_appearance);
    setTextIfNew(m_state, text.state);
    setTextIfNew(m_heard, text.heard);
    const bool behind = snapshot.statistics.compute_lag_ms > kBehindMs && runs;
    setTextIfNew(m_lag, behind ? text.lag + QStringLiteral("  \u26a0") : text.lag);
    setTextIfNew(m_factor, text.factor);
    reviseRoom();
}

void StatusLine::setCompute(const QString &where, const QString &warning)
{
    m_compute->setText(warning.isEmpty() ? where : QStringLiteral("\u26a0 ") + where);
    m_compute->setToolTip(warning.isEmpty() ? where : warning);
    reviseRoom();
}

QString StatusLine::stateText() const
{
    return m_state->text();
}

QString StatusLine::lagText() const
{
    return m_lag->text();
}

void StatusLine::resizeEvent(QResizeEvent *)
{
    reviseRoom();
}

// Gives way from the right: where it runs, then the real-time factor, then the level's width; state, heard and lag always stay.
void StatusLine::reviseRoom()
{
    constexpr int kSpacing = 20;
    int room = width() - 32 - m_state->sizeHint().width() - 24 - m_heard->minimumWidth() - m_lag->minimumWidth() - m_meter->width() - 4 * kSpacing;
    room -= m_factor->minimumWidth() + kSpacing;
    m_factor->setVisible(room >= 0);
    m_compute->setVisible(room >= m_compute->sizeHint().width() + kSpacing);
    m_meter->setFixedWidth(width() < 700 ? 60 : 120);
}

}  // namespace braid::ui
