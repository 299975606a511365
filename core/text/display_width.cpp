#include "core/text/display_width.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/utf8.h"

namespace braid::text {
namespace {

using Range = std::pair<char32_t, char32_t>;

// The blocks that matter, not every code point: subtitles and a status line, not typesetting.
constexpr std::array<Range, 14> kZeroWidth = {{
    {0x0000, 0x001F},
    {0x007F, 0x009F},
    {0x0300, 0x036F},
    {0x0483, 0x0489},
    {0x0591, 0x05BD},
    {0x0610, 0x061A},
    {0x064B, 0x065F},
    {0x093C, 0x093C},
    {0x0E34, 0x0E3A},
    {0x0E47, 0x0E4E},
    {0x1AB0, 0x1AFF},
    {0x200B, 0x200F},
    {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F},
}};
constexpr std::array<Range, 11> kWide = {{
    {0x1100, 0x115F},
    {0x2E80, 0x303E},
    {0x3041, 0x33FF},
    {0x3400, 0x4DBF},
    {0x4E00, 0x9FFF},
    {0xA000, 0xA4CF},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60},
    {0x1F300, 0x1FAFF},
}};

template <std::size_t Count>
bool contains(const std::array<Range, Count> &ranges, char32_t character)
{
    return std::any_of(ranges.begin(), ranges.end(), [character](const Range &range) { return character >= range.first && character <= range.second; });
}

}  // namespace

int columnsOf(char32_t character) noexcept
{
    if (contains(kZeroWidth, character)) {
        return 0;
    }
    const bool wide = contains(kWide, character) || (character >= 0x20000 && character <= 0x3FFFD);
    return wide ? 2 : 1;
}

std::size_t displayWidth(std::string_view text) noexcept
{
    std::size_t columns = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto character = characterAt(text, at);
        columns += static_cast<std::size_t>(columnsOf(character.code_point));
        at += std::max<std::size_t>(1, character.length);
    }
    return columns;
}

std::size_t bytesThatFit(std::string_view text, std::size_t columns) noexcept
{
    std::size_t used = 0;
    std::size_t bytes = 0;
    while (bytes < text.size()) {
        const auto character = characterAt(text, bytes);
        used += static_cast<std::size_t>(columnsOf(character.code_point));
        if (used > columns) {
            break;
        }
        bytes += std::max<std::size_t>(1, character.length);
    }
    return bytes;
}

}  // namespace braid::text
