#include "core/metrics/python_text.h"

#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"

namespace braid::metrics {

std::u32string codePoints(std::string_view valid_utf8)
{
    std::u32string points;
    points.reserve(valid_utf8.size());
    for (std::size_t offset = 0; offset < valid_utf8.size();) {
        const auto character = text::characterAt(valid_utf8, offset);
        points += character.code_point;
        offset += character.length;
    }
    return points;
}

std::string utf8(std::u32string_view points)
{
    std::string bytes;
    for (const auto point : points) {
        text::appendUtf8(bytes, point);
    }
    return bytes;
}

bool isPythonSpace(char32_t point) noexcept
{
    return text::characterClass(point) == text::CharacterClass::Space || (point >= 0x1C && point <= 0x1F);
}

std::vector<std::string> splitAtSpace(std::u32string_view points)
{
    std::vector<std::string> words;
    std::string word;
    for (const auto point : points) {
        if (!isPythonSpace(point)) {
            text::appendUtf8(word, point);
        } else if (!word.empty()) {
            words.push_back(std::move(word));
            word.clear();
        }
    }
    if (!word.empty()) {
        words.push_back(std::move(word));
    }
    return words;
}

}  // namespace braid::metrics
