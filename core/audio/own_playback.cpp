#include "core/audio/own_playback.h"

#include <utility>

namespace braid::audio {
namespace {

class WithoutOwnPlayback final : public Source {
  public:
    WithoutOwnPlayback(std::unique_ptr<Source> inner, std::shared_ptr<const OwnPlayback> playback)
        : m_inner(std::move(inner))
        , m_playback(std::move(playback))
    {
    }
    void start() override { m_inner->start(); }
    ReadResult read(std::span<float> sound, std::chrono::milliseconds timeout) override
    {
        ReadResult result = m_inner->read(sound, timeout);
        if (result.state != ReadState::Sound) {
            return result;
        }
        if (!m_playback->isAudible()) {
            m_is_left_out = false;
            return result;
        }
        result.state = ReadState::Gap;
        result.gap_samples = static_cast<Sample>(std::exchange(result.samples, 0));
        if (!std::exchange(m_is_left_out, true)) {  // the pieces that follow belong to the same gap
            result.notice = "What Braid plays itself is not captioned.";
        }
        return result;
    }
    void stop() override { m_inner->stop(); }
    SourceDescription description() const override { return m_inner->description(); }

  private:
    std::unique_ptr<Source> m_inner;
    std::shared_ptr<const OwnPlayback> m_playback;
    bool m_is_left_out = false;
};

}  // namespace

std::unique_ptr<Source> withoutOwnPlayback(std::unique_ptr<Source> source, std::shared_ptr<const OwnPlayback> playback)
{
    return std::make_unique<WithoutOwnPlayback>(std::move(source), std::move(playback));
}

}  // namespace braid::audio
