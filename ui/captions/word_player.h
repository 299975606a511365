// Hearing what was said: the sound of settled words of a page, with a little before and after. GUI thread.
#pragma once

#include "core/audio/player.h"

namespace braid::ui {

class CaptionController;

// Plays words `first`..`last` (at most two minutes); false where their sound is no longer there.
[[nodiscard]] bool playWords(CaptionController &controller, audio::SoundPlayer &player, int first, int last);

}  // namespace braid::ui
