#include "ui/shared/status_line.h"

#include <cmath>

#include "core/base/sample_clock.h"

namespace braid::ui {
namespace {

// Behind by this much, the machine does not keep up, and the line says so.
constexpr double kBehindMs = 5000;
constexpr int kRoomForMeter = 700;

QString voiceText(captions::VoiceState voice)
{
    switch (voice) {
    case captions::VoiceState::NoSound:
        return QObject::tr("no sound arrives");
    case captions::VoiceState::Silence:
        return QObject::tr("silence");
    case captions::VoiceState::NoSpeech:
        return QObject::tr("sound, but no speech");
    case captions::VoiceState::Speech:
        break;
    }
    return QObject::tr("listening");
}

}  // namespace

StatusText statusText(const captions::CaptionSnapshot &snapshot, Sample heard)
{
    StatusText text;
    const captions::Statistics &s = snapshot.statistics;
    text.state = runStateText(snapshot.state, snapshot.activity, snapshot.loading_fraction, voiceText(snapshot.voice));
    text.heard = QObject::tr("heard %1").arg(QString::fromStdString(formatClock(heard)));
    // Parts rounded first: what is shown adds up.
    const double computing_s = std::round(s.compute_lag_ms / 100) / 10;
    const double waiting_s = std::round(s.policy_lag_ms / 100) / 10;
    text.lag = QObject::tr("%1 s behind").arg(computing_s + waiting_s, 0, 'f', 1);
    text.lag_parts = QObject::tr("%1 computing, %2 waiting to be sure").arg(computing_s, 0, 'f', 1).arg(waiting_s, 0, 'f', 1);
    text.factor = QObject::tr("RTF %1").arg(s.real_time_factor, 0, 'f', 2);
    return text;
}

StatusLine::StatusLine(Appearance &appearance, QWidget *parent)
    : StatusLine(appearance, new LevelMeter(appearance, nullptr), parent)
{
}

StatusLine::StatusLine(Appearance &appearance, LevelMeter *meter, QWidget *parent)
    : StatusBar(appearance, tr("Whether it listens"), tr("listening"),
                {{tr("Sound heard"), {}, tr("heard %1").arg(QStringLiteral("00:00:00"))},
                 {tr("Lag"), tr("How far the words are behind the sound."), tr("%1 s behind").arg(QStringLiteral("00.0")) + QStringLiteral("  \u26a0")},
                 {tr("Parts of the lag"), tr("Computing: heard but not yet processed.\nWaiting: processed, but held back until the model is sure."),
                  tr("%1 computing, %2 waiting to be sure").arg(QStringLiteral("00.0"), QStringLiteral("0.0")), Room::WhereThereIs},
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
    showRun(snapshot.state, text.state, {text.heard, behind ? text.lag + QStringLiteral("  \u26a0") : text.lag, text.lag_parts, text.factor});
}

void StatusLine::resizeEvent(QResizeEvent *event)
{
    m_meter->setFixedWidth(width() < kRoomForMeter ? 60 : 120);
    StatusBar::resizeEvent(event);
}

}  // namespace braid::ui
