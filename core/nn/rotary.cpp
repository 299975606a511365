#include "core/nn/rotary.h"

#include <cmath>
#include <numbers>

namespace braid::nn {

namespace {

// Slow waves are stretched, fast ones kept, those between mixed.
double llama3Frequency(double frequency, const weights::RopeConfig &config)
{
    const auto context = static_cast<double>(config.original_context);
    const double wavelength = 2 * std::numbers::pi / frequency;
    if (wavelength < context / config.high_frequency_factor) {
        return frequency;
    }
    if (wavelength > context / config.low_frequency_factor) {
        return frequency / config.factor;
    }
    const double share = (context / wavelength - config.low_frequency_factor) / (config.high_frequency_factor - config.low_frequency_factor);
    return (1 - share) * frequency / config.factor + share * frequency;
}

}  // namespace

Rotary::Rotary(const weights::RopeConfig &config)
    : m_width(config.width)
    , m_original_context(static_cast<double>(config.original_context))
    , m_factor(config.scaling == weights::RopeScaling::LongRope ? config.attention_factor : 1)
{
    for (std::int64_t i = 0; i < m_width / 2; ++i) {
        // In float32 where transformers has it so: at far positions the rounding of a frequency shows.
        const float exponent = static_cast<float>(2 * i) / static_cast<float>(m_width);
        const float slowness = std::pow(static_cast<float>(config.theta), exponent);
        const auto at = static_cast<std::size_t>(i);
        switch (config.scaling) {
        case weights::RopeScaling::None:
            m_short.push_back(1.0f / slowness);
            break;
        case weights::RopeScaling::Linear:
            m_short.push_back(1.0f / slowness / static_cast<float>(config.factor));
            break;
        case weights::RopeScaling::Llama3:
            m_short.push_back(static_cast<float>(llama3Frequency(1.0f / slowness, config)));
            break;
        case weights::RopeScaling::LongRope:
            m_short.push_back(1.0f / (static_cast<float>(config.short_factors[at]) * slowness));
            m_long.push_back(1.0f / (static_cast<float>(config.long_factors[at]) * slowness));
            break;
        }
    }
}

RotaryReach Rotary::reachFor(double greatest) const noexcept
{
    return hasLongReach() && greatest + 1 > m_original_context ? RotaryReach::Long : RotaryReach::Short;
}

RotaryTable Rotary::table(std::span<const double> positions, RotaryReach reach, const at::Device &device) const
{
    const std::vector<float> &rates = frequencies(reach);
    const auto count = static_cast<std::int64_t>(positions.size());
    const auto half = static_cast<std::int64_t>(rates.size());
    RotaryTable table{at::empty({count, 1, half}, at::kFloat), at::empty({count, 1, half}, at::kFloat)};
    float *cosines = table.cosines.data_ptr<float>();
    float *sines = table.sines.data_ptr<float>();
    for (const double position : positions) {
        for (const float rate : rates) {
            const float angle = static_cast<float>(position) * rate;
            *cosines++ = std::cos(angle) * static_cast<float>(m_factor);
            *sines++ = std::sin(angle) * static_cast<float>(m_factor);
        }
    }
    return {table.cosines.to(device), table.sines.to(device)};
}

RotaryTable Rotary::table(const at::Tensor &positions, RotaryReach reach) const
{
    const std::vector<float> &rates = frequencies(reach);
    const at::Tensor rate = at::empty({static_cast<std::int64_t>(rates.size())}, at::kFloat);
    std::copy(rates.begin(), rates.end(), rate.data_ptr<float>());
    const at::Tensor angles = (positions.to(at::kFloat).unsqueeze(-1) * rate.to(positions.device())).unsqueeze(-2);
    return {at::cos(angles) * m_factor, at::sin(angles) * m_factor};
}

at::Tensor Rotary::turned(const at::Tensor &x, const RotaryTable &table) const
{
    const std::int64_t half = m_width / 2;
    const at::Tensor first = x.narrow(-1, 0, half).to(at::kFloat);
    const at::Tensor second = x.narrow(-1, half, half).to(at::kFloat);
    std::vector<at::Tensor> parts = {first * table.cosines - second * table.sines, second * table.cosines + first * table.sines};
    if (m_width < x.size(-1)) {
        parts.push_back(x.narrow(-1, m_width, x.size(-1) - m_width).to(at::kFloat));
    }
    return at::cat(parts, -1).to(x.scalar_type());
}

}  // namespace braid::nn
