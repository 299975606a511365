#include "core/text/unicode_classes.h"

#include <algorithm>

namespace braid::text {
namespace {

bool isWhiteSpace(char32_t code_point) noexcept
{
    return (code_point >= 0x9 && code_point <= 0xD) || code_point == 0x20 || code_point == 0x85 || code_point == 0xA0 || code_point == 0x1680
           || (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x2028 || code_point == 0x2029 || code_point == 0x202F || code_point == 0x205F
           || code_point == 0x3000;
}

// The part of Other_Alphabetic that is neither letter nor mark.
bool isCircledOrSquaredLetter(char32_t code_point) noexcept
{
    return (code_point >= 0x24B6 && code_point <= 0x24E9) || (code_point >= 0x1F130 && code_point <= 0x1F149) || (code_point >= 0x1F150 && code_point <= 0x1F169)
           || (code_point >= 0x1F170 && code_point <= 0x1F189);
}

}  // namespace

GeneralCategory generalCategory(char32_t code_point) noexcept
{
    if (code_point > 0x10FFFF) {
        return GeneralCategory::Unassigned;
    }
    const auto after = std::upper_bound(category_starts.begin(), category_starts.end(), static_cast<std::uint32_t>(code_point) << 5 | 31);
    return static_cast<GeneralCategory>(*std::prev(after) & 31);
}

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
    const auto category = generalCategory(code_point);
    if (category <= GeneralCategory::OtherLetter) {
        return CharacterClass::Letter;
    }
    if (category >= GeneralCategory::DecimalNumber && category <= GeneralCategory::OtherNumber) {
        return CharacterClass::Number;
    }
    return isWhiteSpace(code_point) ? CharacterClass::Space : CharacterClass::Other;
}

bool isMark(char32_t code_point) noexcept
{
    const auto category = generalCategory(code_point);
    return category >= GeneralCategory::NonspacingMark && category <= GeneralCategory::EnclosingMark;
}

bool isPunctuation(char32_t code_point) noexcept
{
    if (code_point < 0x80) {
        return (code_point >= 0x21 && code_point <= 0x2F) || (code_point >= 0x3A && code_point <= 0x40) || (code_point >= 0x5B && code_point <= 0x60)
               || (code_point >= 0x7B && code_point <= 0x7E);
    }
    const auto category = generalCategory(code_point);
    return category >= GeneralCategory::ConnectorPunctuation && category <= GeneralCategory::OtherPunctuation;
}

bool isWordCharacter(char32_t code_point) noexcept
{
    const auto category = generalCategory(code_point);
    return category <= GeneralCategory::LetterNumber || category == GeneralCategory::ConnectorPunctuation || code_point == 0x200C || code_point == 0x200D
           || isCircledOrSquaredLetter(code_point);
}

}  // namespace braid::text
