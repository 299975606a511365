// Spelled-out numbers as digits, with currencies, percent signs, signs and suffixes, as Whisper's English normaliser has them ("two hundred
// and one dollars" -> "$201", "nineteen eighties" -> "1980s", "double oh seven" -> "007"). Internal to core/metrics.
#pragma once

#include <string>
#include <string_view>

namespace braid::metrics {

[[nodiscard]] std::u32string numbersAsDigits(std::u32string_view text);

}  // namespace braid::metrics
