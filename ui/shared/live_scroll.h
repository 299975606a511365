// Keeps a view of text that comes at its newest place until a person scrolls away, and offers the way back on a button over the view. It also does what
// views scroll by: keys, and bringing a place onto the page. The view says what content there is and where live is. GUI thread; part of the view.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <QObject>
#include <QRectF>
#include <QVariantAnimation>

class QAbstractScrollArea;
class QPushButton;
class QScrollBar;
class QWheelEvent;

namespace braid::ui {

enum class Following : std::uint8_t { Live = 1, Stopped };
enum class ScrollMotion : std::uint8_t { Jump = 1, Glide };

class LiveScroll : public QObject {
    Q_OBJECT
  public:
    enum class ButtonPlace : std::uint8_t { BottomCentre = 1, BottomRight };
    struct Button {
        QString name;  // for screen readers
        QString tip;
        ButtonPlace place = ButtonPlace::BottomCentre;
        // What comes is counted while nobody follows, and the button says how much: "5 new lines". Both may be empty: it says "Live" alone.
        std::function<int()> count;
        std::function<QString(int)> news;
    };
    // `bar` is the one along which new text comes.
    LiveScroll(QAbstractScrollArea &view, QScrollBar &bar, Button button);

    [[nodiscard]] Following following() const noexcept { return m_following; }
    void setFollowing(Following following);
    // To be called when the view was scrolled: away from live by a person, following ends; back there, it begins.
    void scrolled(bool sees_live);
    // Whether the bar moves because the view says so, and not because a person scrolls.
    [[nodiscard]] bool isMovingByItself() const noexcept { return m_moving_by_itself; }
    // Moves of the view itself: they do not end following.
    void moveTo(int value, ScrollMotion motion = ScrollMotion::Jump);
    void setRange(double content, int page);
    void byItself(const std::function<void()> &move);
    void stopGliding() { m_glide.stop(); }
    // The button's words and place; to be called when the view's size or what came has changed.
    void reviseButton();
    [[nodiscard]] bool isButtonShown() const;

    // Scrolls as a person does until `place` (content coordinates, along a vertical bar) is on the page with `margin` beside it.
    void reveal(const QRectF &place, double margin);
    // Up, Down, Page Up, Page Down and Home scroll, End asks for live. True when it was one of them.
    [[nodiscard]] bool takesKey(int key);

  Q_SIGNALS:
    void followingChanged();
    void liveRequested();  // by the button or the End key

  private:
    QAbstractScrollArea &m_view;
    QScrollBar &m_bar;
    Button m_texts;
    QPushButton *m_button;
    QVariantAnimation m_glide;
    Following m_following = Following::Live;
    bool m_moving_by_itself = false;
    int m_count_when_left = 0;
};

// Ctrl and the wheel change the size of what is read: 1 or -1 step, 0 for a wheel that does not turn up or down. Nothing without Ctrl.
[[nodiscard]] std::optional<int> sizeSteps(const QWheelEvent &event);

}  // namespace braid::ui
