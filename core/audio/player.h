// Plays a short piece of sound back: a word that somebody clicked on.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/audio/own_playback.h"
#include "core/base/sample_clock.h"

namespace braid::audio {

// Thread: the window's. No function waits for the sound system: it is opened, fed and closed on a thread of the player's own.
class SoundPlayer {
  public:
    virtual ~SoundPlayer() = default;
    // Plays `sound` (16 kHz mono), which lies at `start` in the session; whatever plays already is broken off.
    virtual void play(std::vector<float> sound, Sample start) = 0;
    // Falls silent at once. Idempotent.
    virtual void stop() = 0;
    // Where in the session it is playing; none when silent. Cheap: ask every frame.
    [[nodiscard]] virtual std::optional<Sample> position() const = 0;
    // What went wrong since the last call, as a sentence; empty where nothing did ("No loudspeaker was found ...").
    [[nodiscard]] virtual std::string takeTrouble() = 0;
};

// On the default output. In a build without sound devices the player is there too, and says so when asked to play.
// `own`: told while it plays; may be null.
[[nodiscard]] std::unique_ptr<SoundPlayer> makeSoundPlayer(std::shared_ptr<OwnPlayback> own = {});

}  // namespace braid::audio
