// Gradients against those of a reference implementation. Header only.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

namespace braid::test {

// `wanted`: {"norm", "first": [numbers]}. Empty where all of it is within 1e-4 of the norm; else what is not.
inline std::string gradientProblem(const at::Tensor &gradient, const nlohmann::json &wanted)
{
    const at::Tensor flat = gradient.reshape({-1});
    const double norm = wanted["norm"].get<double>();
    const double allowed = 1e-4 * (1 + norm);
    if (!(std::abs(flat.norm().item<double>() - norm) < allowed)) {
        return "its norm is " + std::to_string(flat.norm().item<double>()) + " instead of " + std::to_string(norm);
    }
    for (std::size_t i = 0; i < wanted["first"].size(); ++i) {
        const double number = flat[static_cast<std::int64_t>(i)].item<double>();
        if (!(std::abs(number - wanted["first"][i].get<double>()) < allowed)) {
            return "number " + std::to_string(i) + " is " + std::to_string(number);
        }
    }
    return {};
}

}  // namespace braid::test
