#include "ui/captions/player_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QToolButton>

#include "core/base/sample_clock.h"
#include "ui/shared/choice_box.h"
#include "ui/shared/icons.h"
#include "ui/shared/label_text.h"

namespace braid::ui {
namespace {

constexpr Sample kTick = kSampleRateHz / 10;
constexpr int kSliderHeight = 26;  // its handle is whole
constexpr int kStepTicks = 50;     // a key moves five seconds
constexpr int kPageTicks = 300;    // half a minute

QString shortClock(Sample sample)
{
    const auto seconds = static_cast<int>(sample / kSampleRateHz);
    const QString minutes =
        QStringLiteral("%1:%2").arg(seconds / 60 % 60, seconds < 3600 ? 1 : 2, 10, QLatin1Char('0')).arg(seconds % 60, 2, 10, QLatin1Char('0'));
    return seconds < 3600 ? minutes : QStringLiteral("%1:%2").arg(seconds / 3600).arg(minutes);
}

QString speedText(double speed)
{
    return QStringLiteral("%1\u00d7").arg(speed);
}

// A click anywhere on it goes there.
class PlaceSlider : public QSlider {
  public:
    using QSlider::QSlider;

  protected:
    void mousePressEvent(QMouseEvent *event) override
    {
        QStyleOptionSlider option;
        initStyleOption(&option);
        const QRect handle = style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, this);
        if (event->button() == Qt::LeftButton && !handle.contains(event->pos())) {
            const int span = width() - handle.width();
            setValue(QStyle::sliderValueFromPosition(minimum(), maximum(), event->pos().x() - handle.width() / 2, span));
        }
        QSlider::mousePressEvent(event);
    }
};

}  // namespace

PlayerBar::PlayerBar(Playback &playback, Appearance &appearance, QWidget *parent)
    : QWidget(parent)
    , m_playback(playback)
    , m_appearance(appearance)
    , m_play(new QToolButton(this))
    , m_place(new PlaceSlider(Qt::Horizontal, this))
    , m_time(new QLabel(this))
    , m_speed(new ChoiceBox(tr("Speed"), tr("How fast it is played, at the same pitch (< and >)"), this))
    , m_loop(new QToolButton(this))
{
    setObjectName(QStringLiteral("playerBar"));
    setAttribute(Qt::WA_StyledBackground);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 4, 16, 4);
    row->setSpacing(12);
    m_play->setObjectName(QStringLiteral("play"));
    m_place->setAccessibleName(tr("Position"));
    m_place->setSingleStep(kStepTicks);
    m_place->setPageStep(kPageTicks);
    m_place->setMinimumSize(80, kSliderHeight);
    m_loop->setObjectName(QStringLiteral("loop"));
    m_loop->setText(tr("Repeat line"));
    m_loop->setCheckable(true);
    m_loop->setAccessibleName(tr("Repeat the line"));
    m_loop->setToolTip(tr("The line that plays, over and over (R)"));
    for (const double speed : Playback::speeds()) {
        m_speed->addItem(speedText(speed), speed);
    }
    row->addWidget(m_play);
    row->addWidget(m_place, 1);
    row->addWidget(m_time);
    row->addWidget(m_speed);
    row->addWidget(m_loop);

    connect(m_play, &QToolButton::clicked, &playback, &Playback::playOrPause);
    connect(m_loop, &QToolButton::clicked, this, [this](bool checked) { m_playback.setLoop(checked ? PlaybackLoop::Line : PlaybackLoop::Off); });
    connect(m_speed, &ChoiceBox::activated, this, [this] { m_playback.setSpeed(m_speed->currentData().toDouble()); });
    // What it is dragged over is not played.
    connect(m_place, &QSlider::sliderReleased, this, [this] { m_playback.seek(m_place->value() * kTick); });
    connect(m_place, &QSlider::sliderMoved, this, &PlayerBar::revisePosition);
    connect(m_place, &QSlider::actionTriggered, this, [this](int action) {
        if (action != QAbstractSlider::SliderMove) {
            m_playback.seek(m_place->sliderPosition() * kTick);
        }
    });
    connect(&playback, &Playback::changed, this, &PlayerBar::reviseState);
    connect(&playback, &Playback::moved, this, &PlayerBar::revisePosition);
    connect(&appearance, &Appearance::changed, this, &PlayerBar::reviseState);
    reviseLength();
    reviseState();
}

QString PlayerBar::timeText() const
{
    return m_time->text();
}

void PlayerBar::reviseLength()
{
    m_place->setRange(0, static_cast<int>(m_playback.length() / kTick));
    // Room for the longest it will say, so that the slider does not dance.
    const QString longest = shortClock(m_playback.length());
    m_time->setMinimumWidth(m_time->fontMetrics().horizontalAdvance(QStringLiteral("%1 / %1").arg(longest)) + 4);
    revisePosition();
}

void PlayerBar::revisePosition()
{
    if (!m_place->isSliderDown()) {
        m_place->setValue(static_cast<int>(m_playback.position() / kTick));
    }
    const Sample place = m_place->isSliderDown() ? m_place->sliderPosition() * kTick : m_playback.position();
    setTextIfNew(m_time, QStringLiteral("%1 / %2").arg(shortClock(place), shortClock(m_playback.length())));
}

void PlayerBar::reviseState()
{
    const bool plays = m_playback.state() == PlaybackState::Playing;
    m_play->setIcon(colouredIcon(plays ? QStringLiteral("pause") : QStringLiteral("play"), m_appearance.colour(ColourToken::Ink)));
    m_play->setAccessibleName(plays ? tr("Pause") : tr("Play"));
    m_play->setToolTip(plays ? tr("Pause (K)") : tr("Play (K)"));
    m_speed->choose(m_playback.speed());
    m_loop->setChecked(m_playback.loop() == PlaybackLoop::Line);
}

}  // namespace braid::ui
