#include "core/text/unicode_classes.h"

#include <algorithm>

namespace braid::text {
namespace {

bool isIn(std::span<const CodePointRange> ranges, char32_t code_point) noexcept
{
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), code_point, [](char32_t value, const CodePointRange &range) { return value < range.first; });
    return after != ranges.begin() && code_point <= std::prev(after)->last;
}

}  // namespace

CharacterClass characterClass(char32_t code_point) noexcept
{
    if (code_point < 0x80) {
        if ((code_point >= 'a' && code_point <= 'z') || (code_point >= 'A' && code_point <= 'Z')) {
            return CharacterClass::Letter;
        }
        if (code_point >= '0' && code_point <= '9') {
            return CharacterClass::Number;
        }
        return code_point == ' ' || (code_point >= 0x9 && code_point <= 0xD) ? CharacterClass::Space : CharacterClass::Other;
    }
    if (isIn(letter_ranges, code_point)) {
        return CharacterClass::Letter;
    }
    if (isIn(number_ranges, code_point)) {
        return CharacterClass::Number;
    }
    return isIn(white_space_ranges, code_point) ? CharacterClass::Space : CharacterClass::Other;
}

}  // namespace braid::text
