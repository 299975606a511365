// Whether a pass of a decoder is to say what it looked at, which costs time and memory.
#pragma once

#include <cstdint>

namespace braid {

enum class AttentionWanted : std::uint8_t { No = 1, Yes };

}  // namespace braid
