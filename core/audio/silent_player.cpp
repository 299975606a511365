// The player of a build without sound devices.
#include <utility>

#include "core/audio/player.h"

namespace braid::audio {
namespace {

class SilentPlayer final : public SoundPlayer {
  public:
    void play(std::vector<float>, Sample) override { m_trouble = "This build of Braid cannot play sound."; }
    void stop() override {}
    std::optional<Sample> position() const override { return {}; }
    std::string takeTrouble() override { return std::exchange(m_trouble, {}); }

  private:
    std::string m_trouble;
};

}  // namespace

std::unique_ptr<SoundPlayer> makeSoundPlayer(std::shared_ptr<OwnPlayback>)
{
    return std::make_unique<SilentPlayer>();
}

}  // namespace braid::audio
