#include "core/audio/time_stretch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

namespace braid::audio {
namespace {

constexpr std::ptrdiff_t kHop = 240;     // 15 ms between pieces of the result
constexpr std::ptrdiff_t kPiece = 480;   // 30 ms, two or more periods of any voice
constexpr std::ptrdiff_t kSearch = 160;  // 10 ms to either side, a period of a low voice
constexpr std::ptrdiff_t kCoarseStep = 4;

// The square of a sine: with itself half a piece later it adds up to one.
const std::array<float, kPiece> &window()
{
    static const std::array<float, kPiece> weights = [] {
        std::array<float, kPiece> made{};
        for (std::size_t index = 0; index < made.size(); ++index) {
            const double sine = std::sin(std::numbers::pi * (static_cast<double>(index) + 0.5) / static_cast<double>(kPiece));
            made[index] = static_cast<float>(sine * sine);
        }
        return made;
    }();
    return weights;
}

class Stretcher {
  public:
    explicit Stretcher(std::span<const float> sound)
        : m_sound(sound)
    {
    }

    std::vector<float> run(double speed)
    {
        const auto length = static_cast<std::ptrdiff_t>(std::llround(static_cast<double>(m_sound.size()) / speed));
        std::vector<float> out(static_cast<std::size_t>(length + kPiece), 0.0F);
        std::ptrdiff_t from = -kHop;  // the first piece fades in before the sound begins
        for (std::ptrdiff_t at = -kHop; at < length; at += kHop) {
            if (at > -kHop) {
                from = nearest(static_cast<std::ptrdiff_t>(std::llround(static_cast<double>(at + kHop) * speed)) - kHop, from + kHop);
            }
            for (std::ptrdiff_t index = 0; index < kPiece; ++index) {
                const std::ptrdiff_t place = at + index;
                if (place >= 0 && place < length) {
                    out[static_cast<std::size_t>(place)] += window()[static_cast<std::size_t>(index)] * value(from + index);
                }
            }
        }
        out.resize(static_cast<std::size_t>(length));
        return out;
    }

  private:
    [[nodiscard]] float value(std::ptrdiff_t at) const
    {
        return at >= 0 && at < static_cast<std::ptrdiff_t>(m_sound.size()) ? m_sound[static_cast<std::size_t>(at)] : 0.0F;
    }
    // How much the piece at `candidate` is like the one that would follow by itself, loudness left out.
    [[nodiscard]] double likeness(std::ptrdiff_t candidate, std::ptrdiff_t natural, std::ptrdiff_t step) const
    {
        double product = 0;
        double power = 1e-9;
        for (std::ptrdiff_t index = 0; index < kPiece; index += step) {
            const auto there = static_cast<double>(value(candidate + index));
            product += there * static_cast<double>(value(natural + index));
            power += there * there;
        }
        return product / std::sqrt(power);
    }
    // The place near `wanted` whose sound continues what lies before `natural` best; where all are alike (silence), `wanted` itself.
    [[nodiscard]] std::ptrdiff_t nearest(std::ptrdiff_t wanted, std::ptrdiff_t natural) const
    {
        std::ptrdiff_t best = wanted;
        double most = likeness(wanted, natural, 2);
        const auto look = [&](std::ptrdiff_t from, std::ptrdiff_t to, std::ptrdiff_t step) {
            for (std::ptrdiff_t candidate = from; candidate <= to; candidate += step) {
                const double like = likeness(candidate, natural, 2);
                if (like > most) {
                    most = like;
                    best = candidate;
                }
            }
        };
        look(wanted - kSearch, wanted + kSearch, kCoarseStep);
        const std::ptrdiff_t coarse = best;
        look(coarse - kCoarseStep + 1, coarse + kCoarseStep - 1, 1);
        return best;
    }

    std::span<const float> m_sound;
};

}  // namespace

std::vector<float> stretchTime(std::span<const float> sound, double speed)
{
    const double bounded = std::clamp(speed, kSlowestSpeed, kFastestSpeed);
    if (bounded == 1 || sound.empty()) {
        return {sound.begin(), sound.end()};
    }
    return Stretcher(sound).run(bounded);
}

}  // namespace braid::audio
