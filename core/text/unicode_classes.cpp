#include "core/text/unicode_classes.h"

#include <algorithm>

namespace braid::text {
namespace {

bool isWhiteSpace(char32_t code_point) noexcept
{
    return (code_point >= 0x9 && code_point <= 0xD) || code_point == 0x20 || code_point == 0x85 || code_point == 0xA0 || code_point == 0x1680 ||
           (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x2028 || code_point == 0x2029 || code_point == 0x202F || code_point == 0x205F ||
           code_point == 0x3000;
}

// The part of Other_Alphabetic that is neither letter nor mark.
bool isCircledOrSquaredLetter(char32_t code_point) noexcept
{
    return (code_point >= 0x24B6 && code_point <= 0x24E9) || (code_point >= 0x1F130 && code_point <= 0x1F149) ||
           (code_point >= 0x1F150 && code_point <= 0x1F169) || (code_point >= 0x1F170 && code_point <= 0x1F189);
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
        return (code_point >= 0x21 && code_point <= 0x2F) || (code_point >= 0x3A && code_point <= 0x40) || (code_point >= 0x5B && code_point <= 0x60) ||
               (code_point >= 0x7B && code_point <= 0x7E);
    }
    const auto category = generalCategory(code_point);
    return category >= GeneralCategory::ConnectorPunctuation && category <= GeneralCategory::OtherPunctuation;
}

bool isWordCharacter(char32_t code_point) noexcept
{
    const auto category = generalCategory(code_point);
    return category <= GeneralCategory::LetterNumber || category == GeneralCategory::ConnectorPunctuation || code_point == 0x200C || code_point == 0x200D ||
           isCircledOrSquaredLetter(code_point);
}

bool isWrittenWithoutSpaces(char32_t c) noexcept
{
    if (c < 0x0E00) {
        return false;
    }
    struct Range {
        char32_t first;
        char32_t last;
    };
    static constexpr Range ranges[] = {
        {0x0E00, 0x0FFF},                                                        // Thai, Lao, Tibetan
        {0x1000, 0x109F}, {0x1780, 0x17FF}, {0x19E0, 0x19FF}, {0x1A20, 0x1AAF},  // Myanmar, Khmer, Tai Tham
        {0x2E80, 0x2FDF}, {0x3005, 0x3007}, {0x3021, 0x3029}, {0x3031, 0x3035}, {0x3038, 0x30FF}, {0x3105, 0x312F},   {0x31A0, 0x31FF},
        {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xA000, 0xA4CF}, {0xF900, 0xFAFF}, {0xFF66, 0xFF9F}, {0x1B000, 0x1B16F}, {0x20000, 0x3FFFF},
    };
    const bool is_inside = std::any_of(std::begin(ranges), std::end(ranges), [c](const auto &range) { return c >= range.first && c <= range.last; });
    const auto kind = characterClass(c);
    return is_inside && (kind == CharacterClass::Letter || kind == CharacterClass::Number);
}

}  // namespace braid::text
