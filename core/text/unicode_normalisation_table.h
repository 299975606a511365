// The tables behind unicode_normalisation.h (unicode_normalisation_table.cpp, generated). Internal to core/text.
#pragma once

#include <cstdint>
#include <span>

namespace braid::text {

struct Decomposition {
    char32_t composed;
    char32_t first;
    char32_t second;  // 0: none
};
struct Composition {
    char32_t first;
    char32_t second;
    char32_t composed;
};
struct CombiningRange {
    char32_t first;
    char32_t last;  // inclusive
    std::uint8_t combining_class;
};
struct LowerCaseRange {
    char32_t first;
    char32_t last;  // inclusive
    std::int32_t step;
    std::int32_t delta;  // from capital to small letter
};

extern const std::span<const Decomposition> decompositions;      // sorted by composed
extern const std::span<const Composition> compositions;          // sorted by first, second
extern const std::span<const CombiningRange> combining_ranges;   // sorted; every other code point has class 0
extern const std::span<const LowerCaseRange> lower_case_ranges;  // sorted by first

}  // namespace braid::text
