// Hearing a page again, from any place on: its position, pausing, speed at the same pitch, one line over and over. What is long is played in stretches that
// end in a pause of the speech. GUI thread; what is not played at its own speed is computed elsewhere.
#pragma once

#include <optional>
#include <vector>

#include <QObject>

#include "core/audio/player.h"
#include "ui/state/caption_controller.h"

namespace braid::ui {

enum class PlaybackState : std::uint8_t { Stopped = 1, Playing };
enum class PlaybackLoop : std::uint8_t { Off = 1, Line };

class Playback : public QObject {
    Q_OBJECT
  public:
    Playback(CaptionController &captions, audio::SoundPlayer &player, QObject *parent = nullptr);

    [[nodiscard]] PlaybackState state() const noexcept { return m_state; }
    // Where it plays, or will go on; of what cannot be played any more 0.
    [[nodiscard]] Sample position() const noexcept { return m_position; }
    // The place that sounds; nothing while it is silent.
    [[nodiscard]] std::optional<Sample> sounding() const;
    // Of the whole page.
    [[nodiscard]] Sample length() const;
    [[nodiscard]] double speed() const noexcept { return m_speed; }
    [[nodiscard]] PlaybackLoop loop() const noexcept { return m_loop; }

    // Plays a stretch of the page; then it stands at the stretch's end.
    void play(Sample from, Sample until);
    // On from where it stands, to the end of the page; from the beginning, where it stands at its end.
    void playOrPause();
    void pause();
    // Goes on there where it plays.
    void seek(Sample position);
    void setSpeed(double speed);
    // To the next of the speeds that are offered.
    void stepSpeed(int direction);
    // The line in which it stands, until it is switched off or another place is asked for.
    void setLoop(PlaybackLoop loop);
    [[nodiscard]] static const std::vector<double> &speeds();

  Q_SIGNALS:
    void changed();       // state, speed or loop
    void moved();         // the position
    void soundMissing();  // of this place nothing was kept

  private:
    void onFrame();
    void playStretch(Sample from);
    void begin(std::vector<float> sound, Sample from, Sample until);
    void stopSound();
    void setState(PlaybackState state);
    [[nodiscard]] std::vector<float> soundOf(Sample from, Sample until) const;
    [[nodiscard]] Sample stretchEnd(Sample from) const;
    // Start and end of the line at a place, or of the nearest one before it.
    [[nodiscard]] std::optional<std::pair<Sample, Sample>> lineAt(Sample position) const;

    CaptionController &m_captions;
    audio::SoundPlayer &m_player;
    PlaybackState m_state = PlaybackState::Stopped;
    PlaybackLoop m_loop = PlaybackLoop::Off;
    double m_speed = 1;
    Sample m_position = 0;
    Sample m_until = 0;  // where it stops
    Sample m_stretch_start = 0;
    Sample m_stretch_end = 0;
    std::uint64_t m_request = 0;  // grows with all that is asked for: what was computed for an older one is dropped
    bool m_has_begun = false;     // the player has been heard of this stretch
};

}  // namespace braid::ui
