#include "core/model_access/device_choice.h"

#include <algorithm>

#include "core/base/cpu.h"

namespace braid::models {

std::string_view nameOf(NumberType type)
{
    return std::find_if(kNumberTypes.begin(), kNumberTypes.end(), [type](const auto &entry) { return entry.second == type; })->first;
}

NumberType numberTypeNamed(std::string_view name)
{
    const auto found = std::find_if(kNumberTypes.begin(), kNumberTypes.end(), [name](const auto &entry) { return entry.first == name; });
    return found != kNumberTypes.end() ? found->second : NumberType::Float32;
}

int resolveThreads(int threads)
{
    return threads > 0 ? std::min(threads, 256) : std::max(1, usableCores() - 1);
}

}  // namespace braid::models
