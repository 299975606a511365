#include "ui/streams/streams_status.h"

namespace braid::ui {

StreamsStatusText streamsStatusText(StreamsActivity activity, const streams::StreamsSnapshot &snapshot, std::int64_t rows)
{
    StreamsStatusText text;
    switch (activity) {
    case StreamsActivity::Idle:
        text.state = snapshot.state == streams::StreamsRunState::Failed ? QObject::tr("stopped by an error")
                     : rows > 0                                         ? QObject::tr("not running")
                                                                        : QObject::tr("ready");
        break;
    case StreamsActivity::Loading:
        text.state = loadingText(snapshot.activity, snapshot.loading_fraction);
        break;
    case StreamsActivity::Running:
        text.state = QObject::tr("running");
        break;
    case StreamsActivity::Waiting:
        text.state = QObject::tr("waits for words");
        break;
    case StreamsActivity::Paused:
        text.state = QObject::tr("paused");
        break;
    case StreamsActivity::Playing:
        text.state = QObject::tr("replays");
        break;
    case StreamsActivity::Ended:
        text.state = QObject::tr("ended");
        break;
    }
    const streams::StreamsStatus &status = snapshot.status;
    text.steps = QObject::tr("step %1").arg(rows);
    text.time = QObject::tr("%1 ms a step").arg(status.step_ms.median_ms > 0 ? status.step_ms.median_ms : status.last_step_ms, 0, 'f', 1);
    text.speed = QObject::tr("%1 tokens/s").arg(status.tokens_per_second, 0, 'f', 0);
    text.cache = status.most_positions > 0
                     ? QObject::tr("%1 in the cache, room for %2 steps").arg(status.cache_entries).arg(std::max<std::int64_t>(0, status.most_positions - rows))
                     : QObject::tr("%1 in the cache").arg(status.cache_entries);
    return text;
}

StreamsStatusLine::StreamsStatusLine(Appearance &appearance, QWidget *parent)
    : StatusBar(appearance, tr("Whether it runs"), tr("waits for words"),
                {{tr("Steps made"), {}, tr("step %1").arg(QStringLiteral("00000"))},
                 {tr("Time of a step"), tr("Computing one row of tokens, one for every stream: the median of the newest steps"),
                  tr("%1 ms a step").arg(QStringLiteral("000.0"))},
                 {tr("Tokens a second"), tr("Over all streams, of the time the newest steps took to compute; silence does not count"),
                  tr("%1 tokens/s").arg(QStringLiteral("0000"))},
                 {tr("Cache"), {}, {}, Room::WhereThereIs}},
                nullptr, parent)
{
}

void StreamsStatusLine::show(const StreamsController &controller)
{
    const StreamsStatusText text = streamsStatusText(controller.activity(), controller.snapshot(), controller.lanes().rows());
    const bool runs = controller.isMoving() || controller.activity() == StreamsActivity::Loading;
    const bool failed = controller.activity() == StreamsActivity::Idle && controller.snapshot().state == streams::StreamsRunState::Failed;
    setCompute(controller.device());
    showRun(runs     ? runtime::RunState::Listening
            : failed ? runtime::RunState::Failed
                     : runtime::RunState::Idle,
            text.state, {text.steps, text.time, text.speed, text.cache});
}

QString StreamsStatusLine::text() const
{
    return QStringList{stateText(), figureText(0), figureText(1), figureText(2), figureText(3)}.join(QStringLiteral("  "));
}

}  // namespace braid::ui
