// How far a tensor is from the numbers of a parity file.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

namespace braid::test {

// The greatest difference; infinite where the counts differ or something is no number.
inline double distance(const at::Tensor &ours, const nlohmann::json &theirs)
{
    const at::Tensor flat = ours.to(at::kFloat).contiguous().view({-1});
    if (flat.numel() != static_cast<std::int64_t>(theirs.size())) {
        return INFINITY;
    }
    double greatest = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        const double difference = std::abs(static_cast<double>(flat.data_ptr<float>()[i]) - theirs[i].get<double>());
        greatest = std::isnan(difference) ? INFINITY : std::max(greatest, difference);
    }
    return greatest;
}

}  // namespace braid::test
