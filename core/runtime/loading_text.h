// What people are told while a model loads: "loading captions-en: opening (40 %)". Thread: any.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

namespace braid::runtime {

[[nodiscard]] inline std::string loadingText(const std::string &what, double fraction, const std::string &detail)
{
    char percent[16];
    std::snprintf(percent, sizeof percent, " (%.0f %%)", std::clamp(fraction, 0.0, 1.0) * 100);
    return what + (detail.empty() ? "" : ": " + detail) + percent;
}

}  // namespace braid::runtime
