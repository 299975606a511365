#include "ui/streams/streams_status.h"

#include <QHBoxLayout>
#include <QLabel>

#include "ui/widgets/label_text.h"
#include "ui/widgets/run_dot.h"

namespace braid::ui {

StreamsStatusText streamsStatusText(StreamsActivity activity, const engine::StreamsSnapshot &snapshot, std::int64_t rows)
{
    StreamsStatusText text;
    switch (activity) {
    case StreamsActivity::Idle:
        text.state = snapshot.state == engine::StreamsRunState::Failed ? QObject::tr("stopped by an error") : rows > 0 ? QObject::tr("not running") : QObject::tr("ready");
        break;
    case StreamsActivity::Loading:
        text.state = snapshot.activity.empty() ? QObject::tr("loading, %1 %").arg(snapshot.loading_fraction * 100, 0, 'f', 0) : QString::fromStdString(snapshot.activity);
        break;
    case StreamsActivity::Running: text.state = QObject::tr("running"); break;
    case StreamsActivity::Waiting: text.state = QObject::tr("waits for words"); break;
    case StreamsActivity::Paused: text.state = QObject::tr("paused"); break;
    case StreamsActivity::Playing: text.state = QObject::tr("replays"); break;
    case StreamsActivity::Ended: text.state = QObject::tr("ended"); break;
    }
    const sessions::StreamsStatus &status = snapshot.status;
    text.steps = QObject::tr("step %1").arg(rows);
    text.time = QObject::tr("%1 ms a step").arg(status.step_ms.median_ms > 0 ? status.step_ms.median_ms : status.last_step_ms, 0, 'f', 1);
    text.speed = QObject::tr("%1 tokens/s").arg(status.tokens_per_second, 0, 'f', 0);
    text.cache = status.most_positions > 0 ? QObject::tr("%1 in the cache, room for %2 steps").arg(status.cache_entries).arg(std::max<std::int64_t>(0, status.most_positions - rows))
                                           : QObject::tr("%1 in the cache").arg(status.cache_entries);
    return text;
}

StreamsStatusLine::StreamsStatusLine(Appearance &appearance, QWidget *parent)
    : QWidget(parent), m_appearance(appearance), m_dot(new QLabel(this)), m_state(new QLabel(this)), m_steps(new QLabel(this)), m_time(new QLabel(this)), m_speed(new QLabel(this)), m_cache(new QLabel(this)),
      m_device(new QLabel(this))
{
    setObjectName(QStringLiteral("status"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 16, 6);
    row->setSpacing(20);
    auto *state = new QHBoxLayout;
    state->setSpacing(8);
    state->addWidget(m_dot);
    state->addWidget(m_state);
    row->addLayout(state);
    for (QLabel *label : {m_steps, m_time, m_speed, m_cache}) {
        row->addWidget(label);
    }
    row->addStretch(1);
    row->addWidget(m_device);
    const QFontMetrics metrics(Appearance::interfaceFont(13));
    m_state->setMinimumWidth(metrics.horizontalAdvance(tr("waits for words")) + 4);
    m_steps->setMinimumWidth(metrics.horizontalAdvance(tr("step %1").arg(QStringLiteral("00000"))) + 4);
    m_time->setMinimumWidth(metrics.horizontalAdvance(tr("%1 ms a step").arg(QStringLiteral("000.0"))) + 4);
    m_speed->setMinimumWidth(metrics.horizontalAdvance(tr("%1 tokens/s").arg(QStringLiteral("0000"))) + 4);
    m_state->setObjectName(QStringLiteral("stateWord"));
    m_dot->setAccessibleName(tr("Whether it runs"));
    m_state->setAccessibleName(tr("State"));
    m_steps->setAccessibleName(tr("Steps made"));
    m_time->setAccessibleName(tr("Time of a step"));
    m_time->setToolTip(tr("Computing one row of tokens, one for every stream: the median of the newest steps"));
    m_speed->setAccessibleName(tr("Tokens a second"));
    m_speed->setToolTip(tr("Over all streams, of the time the newest steps took to compute; silence does not count"));
    m_cache->setAccessibleName(tr("Cache"));
    m_cache->setProperty("soft", true);
    m_device->setAccessibleName(tr("Where it runs"));
    m_device->setProperty("soft", true);
}

void StreamsStatusLine::show(const StreamsController &controller)
{
    const StreamsStatusText text = streamsStatusText(controller.activity(), controller.snapshot(), controller.lanes().rows());
    const bool runs = controller.isMoving() || controller.activity() == StreamsActivity::Loading;
    const bool failed = controller.activity() == StreamsActivity::Idle && controller.snapshot().state == engine::StreamsRunState::Failed;
    showRunDot(*m_dot, runs ? engine::RunState::Listening : failed ? engine::RunState::Failed : engine::RunState::Idle, m_appearance);
    setTextIfNew(m_state, text.state);
    setTextIfNew(m_steps, text.steps);
    setTextIfNew(m_time, text.time);
    setTextIfNew(m_speed, text.speed);
    setTextIfNew(m_cache, text.cache);
    setTextIfNew(m_device, controller.device());
    reviseRoom();
}

QString StreamsStatusLine::text() const
{
    return QStringList{m_state->text(), m_steps->text(), m_time->text(), m_speed->text(), m_cache->text()}.join(QStringLiteral("  "));
}

void StreamsStatusLine::resizeEvent(QResizeEvent *)
{
    reviseRoom();
}

// Gives way from the right: where it runs, then the cache.
void StreamsStatusLine::reviseRoom()
{
    constexpr int kSpacing = 20;
    int room = width() - 32 - 24 - m_state->minimumWidth() - m_steps->minimumWidth() - m_time->minimumWidth() - m_speed->minimumWidth() - 4 * kSpacing;
    m_cache->setVisible(room >= m_cache->sizeHint().width() + kSpacing);
    room -= m_cache->sizeHint().width() + kSpacing;
    m_device->setVisible(room >= m_device->sizeHint().width() + kSpacing);
}

}  // namespace braid::ui
