#include "ui/captions/word_player.h"

#include <algorithm>
#include <vector>

#include "ui/state/caption_controller.h"

namespace braid::ui {
namespace {

// A word cut out exactly sounds clipped.
constexpr Sample kPlayBefore = samplesFromMs(60);
constexpr Sample kPlayAfter = samplesFromMs(120);
constexpr Sample kLongestPlay = samplesFromSeconds(120);

}  // namespace

bool playWords(CaptionController &controller, audio::SoundPlayer &player, int first, int last)
{
    const TranscriptModel &model = controller.transcript();
    const Sample start = std::max<Sample>(0, model.word(first).start_sample - kPlayBefore);
    const Sample end = std::min(model.word(last).end_sample + kPlayAfter, start + kLongestPlay);
    std::vector<float> sound;
    while (start + static_cast<Sample>(sound.size()) < end) {
        const std::vector<float> piece = controller.sound(start + static_cast<Sample>(sound.size()), end - start - static_cast<Sample>(sound.size()));
        if (piece.empty()) {
            break;
        }
        sound.insert(sound.end(), piece.begin(), piece.end());
    }
    if (sound.empty()) {
        return false;
    }
    player.play(std::move(sound), start);
    controller.requestFrames();
    return true;
}

}  // namespace braid::ui
