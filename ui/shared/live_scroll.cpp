#include "ui/shared/live_scroll.h"

#include <algorithm>
#include <cmath>

#include <QAbstractScrollArea>
#include <QPushButton>
#include <QScrollBar>
#include <QWheelEvent>

namespace braid::ui {
namespace {

constexpr int kGlideMs = 140;
constexpr int kCentreMargin = 16;
constexpr int kCornerMargin = 12;

}  // namespace

LiveScroll::LiveScroll(QAbstractScrollArea &view, QScrollBar &bar, Button button)
    : m_view(view)
    , m_bar(bar)
    , m_texts(std::move(button))
    , m_button(new QPushButton(tr("Live"), view.viewport()))
{
    m_button->setObjectName(QStringLiteral("pill"));
    m_button->setAccessibleName(m_texts.name);
    m_button->setToolTip(m_texts.tip);
    m_button->setCursor(Qt::ArrowCursor);
    m_button->hide();
    connect(m_button, &QPushButton::clicked, this, &LiveScroll::liveRequested);
    m_glide.setDuration(kGlideMs);
    m_glide.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_glide, &QVariantAnimation::valueChanged, this, [this](const QVariant &value) { byItself([&] { m_bar.setValue(value.toInt()); }); });
}

void LiveScroll::setFollowing(Following following)
{
    if (following == m_following) {
        return;
    }
    m_following = following;
    m_count_when_left = m_texts.count ? m_texts.count() : 0;
    m_glide.stop();
    reviseButton();
    Q_EMIT followingChanged();
}

void LiveScroll::scrolled(bool sees_live)
{
    if (!m_moving_by_itself) {
        setFollowing(sees_live ? Following::Live : Following::Stopped);
    }
}

void LiveScroll::moveTo(int value, ScrollMotion motion)
{
    m_glide.stop();
    if (motion == ScrollMotion::Glide) {
        m_glide.setStartValue(m_bar.value());
        m_glide.setEndValue(value);
        m_glide.start();
    } else {
        byItself([&] { m_bar.setValue(value); });
    }
}

void LiveScroll::setRange(double content, int page)
{
    byItself([&] {
        m_bar.setPageStep(page);
        m_bar.setRange(0, std::max(0, static_cast<int>(std::ceil(content)) - page));
    });
}

void LiveScroll::byItself(const std::function<void()> &move)
{
    m_moving_by_itself = true;
    move();
    m_moving_by_itself = false;
}

void LiveScroll::reviseButton()
{
    const bool shown = m_following == Following::Stopped;
    if (shown) {
        if (m_texts.count) {
            const int news = m_texts.count() - m_count_when_left;
            m_button->setText(news > 0 ? tr("Live  \u2193  %1").arg(m_texts.news(news)) : tr("Live  \u2193"));
        }
        m_button->adjustSize();
        const QSize room = m_view.viewport()->size() - m_button->size();
        m_button->move(m_texts.place == ButtonPlace::BottomCentre ? QPoint(room.width() / 2, room.height() - kCentreMargin)
                                                                  : QPoint(room.width() - kCornerMargin, room.height() - kCornerMargin));
    }
    m_button->setVisible(shown);
}

bool LiveScroll::isButtonShown() const
{
    return m_button->isVisible();
}

void LiveScroll::reveal(const QRectF &place, double margin)
{
    if (place.top() - margin < m_bar.value()) {
        m_bar.setValue(static_cast<int>(place.top() - margin));
    } else if (place.bottom() + margin > m_bar.value() + m_view.viewport()->height()) {
        m_bar.setValue(static_cast<int>(place.bottom() + margin - m_view.viewport()->height()));
    }
}

bool LiveScroll::takesKey(int key)
{
    switch (key) {
    case Qt::Key_Up:
        m_bar.triggerAction(QAbstractSlider::SliderSingleStepSub);
        return true;
    case Qt::Key_Down:
        m_bar.triggerAction(QAbstractSlider::SliderSingleStepAdd);
        return true;
    case Qt::Key_PageUp:
        m_bar.triggerAction(QAbstractSlider::SliderPageStepSub);
        return true;
    case Qt::Key_PageDown:
        m_bar.triggerAction(QAbstractSlider::SliderPageStepAdd);
        return true;
    case Qt::Key_Home:
        m_bar.triggerAction(QAbstractSlider::SliderToMinimum);
        return true;
    case Qt::Key_End:
        Q_EMIT liveRequested();
        return true;
    default:
        return false;
    }
}

std::optional<int> sizeSteps(const QWheelEvent &event)
{
    if (!event.modifiers().testFlag(Qt::ControlModifier)) {
        return {};
    }
    const int delta = event.angleDelta().y();
    return delta > 0 ? 1 : delta < 0 ? -1 : 0;
}

}  // namespace braid::ui
