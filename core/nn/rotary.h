// Rotary positions: pairs of dimensions turned by angles that grow with the position, so that products depend on distances alone.
// Positions are real numbers: group position encoding uses fractions (streaming-llm.md 1.3). The first half of the turned dimensions is paired with
// the second half, as in transformers. Scalings: linear, Llama 3, LongRope (transformers' modeling_rope_utils; facts in streaming-llm.md 3).
// Numbers: angles and turning in float32, whatever the type of what is turned.
// Thread: const functions from any thread.
#pragma once

#include <span>
#include <vector>

#include <ATen/ATen.h>

#include "core/weights/language_model.h"

namespace braid::nn {

// Cosines and sines [..., n, 1, width / 2], float32.
struct RotaryTable {
    at::Tensor cosines;
    at::Tensor sines;
};

// LongRope has two sets of frequencies; the long one counts as soon as a sequence reaches past the context of pretraining.
enum class RotaryReach : std::uint8_t { Short = 1, Long };

class Rotary {
  public:
    explicit Rotary(const weights::RopeConfig &config);

    // The set to use when `greatest` is the greatest position in sight.
    [[nodiscard]] RotaryReach reachFor(double greatest) const noexcept;
    // One set alone.
    [[nodiscard]] bool hasLongReach() const noexcept { return !m_long.empty(); }
    [[nodiscard]] RotaryTable table(std::span<const double> positions, RotaryReach reach, const at::Device &device) const;
    // The same for positions [...]: tables [..., 1, width / 2].
    [[nodiscard]] RotaryTable table(const at::Tensor &positions, RotaryReach reach) const;
    // x [..., n, heads, head width] -> the same, turned; the dimensions behind `width` stay.
    [[nodiscard]] at::Tensor turned(const at::Tensor &x, const RotaryTable &table) const;
    [[nodiscard]] const std::vector<float> &frequencies(RotaryReach reach) const noexcept
    {
        return reach == RotaryReach::Long && hasLongReach() ? m_long : m_short;
    }

  private:
    std::int64_t m_width = 0;
    std::vector<float> m_short;  // angles a position
    std::vector<float> m_long;   // LongRope's second set; empty without
    double m_original_context = 0;
    double m_factor = 1;  // of cosines and sines
};

}  // namespace braid::nn
