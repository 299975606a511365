#include "ui/shared/status_line.h"

#include "core/base/sample_clock.h"

namespace braid::ui {
namespace {

// Behind by this much, the machine does not keep up, and the line says so.
constexpr double kBehindMs = 5000;
constexpr int kRoomForMeter = 700;

}  // namespace

StatusText statusText(const captions::CaptionSnapshot &snapshot, Sample heard)
{
    StatusText text;
    const captions::Statistics &s = snapshot.statistics;
    const QString listening = snapshot.voice == captions::VoiceState::Speech    ? QObject::tr("listening")
                              : snapshot.voice == captions::VoiceState::Silence ? QObject::tr("silence")
                                                                                : QObject::tr("no sound");
    text.state = runStateText(snapshot.state, snapshot.activity, snapshot.loading_fraction, listening);
    text.heard = QObject::tr("heard %1").arg(QString::fromStdString(formatClock(heard)));
    const double lag_ms = s.compute_lag_ms + s.policy_lag_ms;
    text.lag = QObject::tr("lag %1 s = %2 compute + %3 policy")
                   .arg(lag_ms / 1000, 0, 'f', 2)
                   .arg(s.compute_lag_ms / 1000, 0, 'f', 2)
                   .arg(s.policy_lag_ms / 1000, 0, 'f', 2);
    text.factor = QObject::tr("RTF %1").arg(s.real_time_factor, 0, 'f', 2);
    return text;
}

StatusLine::StatusLine(Appearance &appearance, QWidget *parent)
    : StatusLine(appearance, new LevelMeter(appearance, nullptr), parent)
{
}

StatusLine::StatusLine(Appearance &appearance, LevelMeter *meter, QWidget *parent)
    : StatusBar(
          appearance, tr("Whether it listens"), tr("listening"),
          {{tr("Sound heard"), {}, tr("heard %1").arg(QStringLiteral("00:00:00"))},
           {tr("Lag"), tr("How far the words are behind the sound.\nCompute: heard but not yet processed.\nPolicy: processed, but held back until it is sure."),
            tr("lag %1 s = %2 compute + %3 policy").arg(QStringLiteral("00.00"), QStringLiteral("00.00"), QStringLiteral("0.00"))},
           {tr("Real-time factor"), tr("Real-time factor: seconds of computing for a second of sound. Below 1 keeps up."),
            tr("RTF %1").arg(QStringLiteral("00.00")), Room::WhereThereIs}},
          meter, parent)
    , m_meter(meter)
{
    m_meter->setFixedWidth(120);
    show({}, 0);
}

void StatusLine::show(const captions::CaptionSnapshot &snapshot, Sample heard)
{
    const StatusText text = statusText(snapshot, heard);
    const bool runs =
        snapshot.state == runtime::RunState::Listening || snapshot.state == runtime::RunState::Loading || snapshot.state == runtime::RunState::Draining;
    const bool behind = snapshot.statistics.compute_lag_ms > kBehindMs && runs;
    showRun(snapshot.state, text.state, {text.heard, behind ? text.lag + QStringLiteral("  \u26a0") : text.lag, text.factor});
}

void StatusLine::resizeEvent(QResizeEvent *event)
{
    m_meter->setFixedWidth(width() < kRoomForMeter ? 60 : 120);
    StatusBar::resizeEvent(event);
}

}  // namespace braid::ui
