// The bar below the words that plays the page: play and pause, the position with its time, speed, one line over and over. GUI thread.
#pragma once

#include <QWidget>

#include "ui/shared/appearance.h"
#include "ui/state/playback.h"

class QLabel;
class QSlider;
class QToolButton;

namespace braid::ui {

class ChoiceBox;

class PlayerBar : public QWidget {
    Q_OBJECT
  public:
    // Both outlive it.
    PlayerBar(Playback &playback, Appearance &appearance, QWidget *parent = nullptr);
    // "0:12 / 10:31"
    [[nodiscard]] QString timeText() const;
    // The page has become longer, or another one.
    void reviseLength();

  private:
    void reviseState();
    void revisePosition();

    Playback &m_playback;
    Appearance &m_appearance;
    QToolButton *m_play;
    QSlider *m_place;  // in tenths of a second
    QLabel *m_time;
    ChoiceBox *m_speed;
    QToolButton *m_loop;
};

}  // namespace braid::ui
