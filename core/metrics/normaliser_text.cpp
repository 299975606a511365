#include "core/metrics/normaliser_text.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/metrics/normaliser_tables.h"
#include "core/text/unicode_classes.h"
#include "core/text/unicode_normalisation.h"
#include "core/text/utf8.h"

namespace braid::metrics {

namespace {

using text::GeneralCategory;

bool isLetter(char32_t c) noexcept
{
    const GeneralCategory category = text::generalCategory(c);
    return category >= GeneralCategory::UppercaseLetter && category <= GeneralCategory::OtherLetter;
}

// Letters that decomposition leaves whole.
constexpr std::array<std::pair<char32_t, std::u32string_view>, 16> kWholeLetters = {{{U'œ', U"oe"},
                                                                                     {U'Œ', U"OE"},
                                                                                     {U'ø', U"o"},
                                                                                     {U'Ø', U"O"},
                                                                                     {U'æ', U"ae"},
                                                                                     {U'Æ', U"AE"},
                                                                                     {U'ß', U"ss"},
                                                                                     {U'ẞ', U"SS"},
                                                                                     {U'đ', U"d"},
                                                                                     {U'Đ', U"D"},
                                                                                     {U'ð', U"d"},
                                                                                     {U'Ð', U"D"},
                                                                                     {U'þ', U"th"},
                                                                                     {U'Þ', U"th"},
                                                                                     {U'ł', U"l"},
                                                                                     {U'Ł', U"L"}}};

void appendClean(std::u32string &out, char32_t c, std::u32string_view kept)
{
    const auto whole = std::find_if(kWholeLetters.begin(), kWholeLetters.end(), [c](const auto &letter) { return letter.first == c; });
    const GeneralCategory category = text::generalCategory(c);
    if (kept.find(c) != std::u32string_view::npos) {
        out += c;
    } else if (whole != kWholeLetters.end()) {
        out += whole->second;
    } else if (category == GeneralCategory::NonspacingMark) {
        return;
    } else if ((category >= GeneralCategory::SpacingMark && category <= GeneralCategory::EnclosingMark) ||
               (category >= GeneralCategory::ConnectorPunctuation && category <= GeneralCategory::OtherSymbol)) {
        out += U' ';
    } else {
        out += c;
    }
}

}  // namespace

std::u32string codePoints(std::string_view utf8)
{
    std::u32string result;
    for (std::size_t at = 0; at < utf8.size();) {
        const text::Utf8Character character = text::characterAt(utf8, at);
        result += character.state == text::Utf8State::Valid ? character.code_point : U'\uFFFD';
        at += std::max<std::size_t>(1, character.length);
    }
    return result;
}

std::string utf8Of(std::u32string_view text)
{
    std::string result;
    for (const char32_t c : text) {
        text::appendUtf8(result, c);
    }
    return result;
}

bool isSpace(char32_t c) noexcept
{
    return text::characterClass(c) == text::CharacterClass::Space || (c >= 0x1C && c <= 0x1F);
}

bool isWordLetter(char32_t c) noexcept
{
    const GeneralCategory category = text::generalCategory(c);
    return isLetter(c) || (category >= GeneralCategory::DecimalNumber && category <= GeneralCategory::OtherNumber) || c == U'_';
}

int digitValue(char32_t c) noexcept
{
    if (c < 0x80) {
        return isAsciiDigit(c) ? static_cast<int>(c - U'0') : -1;
    }
    if (text::generalCategory(c) != GeneralCategory::DecimalNumber) {
        return -1;
    }
    char32_t zero = c;  // digits stand in rows of ten
    while (zero > 0 && text::generalCategory(zero - 1) == GeneralCategory::DecimalNumber) {
        --zero;
    }
    return static_cast<int>((c - zero) % 10);
}

bool isBoundary(std::u32string_view text, std::size_t at) noexcept
{
    const bool before = at > 0 && isWordLetter(text[at - 1]);
    const bool behind = at < text.size() && isWordLetter(text[at]);
    return before != behind;
}

std::u32string lowered(std::string_view utf8)
{
    const std::u32string capitals = codePoints(utf8);
    std::u32string result;
    for (std::size_t i = 0; i < capitals.size(); ++i) {
        if (capitals[i] == U'\u0130') {
            result += U"i\u0307";
        } else if (capitals[i] == U'\u03A3') {  // a sigma at the end of a word looks different
            const bool follows = i > 0 && isLetter(capitals[i - 1]), goes_on = i + 1 < capitals.size() && isLetter(capitals[i + 1]);
            result += follows && !goes_on ? U'\u03C2' : U'\u03C3';
        } else {
            result += codePoints(text::lowerCased(utf8Of(std::u32string_view(capitals).substr(i, 1))));
        }
    }
    return result;
}

std::u32string withoutSymbols(std::u32string_view text, std::u32string_view kept)
{
    std::u32string out;
    for (const char32_t c : text) {
        const auto entry = std::lower_bound(compatibility_entries.begin(), compatibility_entries.end(), c,
                                            [](const CompatibilityEntry &e, char32_t code) { return e.code_point < code; });
        if (c < 0x80) {
            appendClean(out, c, kept);
        } else if (entry != compatibility_entries.end() && entry->code_point == c) {
            for (const char32_t part : compatibility_characters.subspan(entry->first, entry->count)) {
                appendClean(out, part, kept);
            }
        } else {
            for (const char32_t part : codePoints(text::decomposed(utf8Of(std::u32string_view(&c, 1))))) {
                appendClean(out, part, kept);
            }
        }
    }
    return out;
}

std::vector<std::u32string> split(std::u32string_view text)
{
    std::vector<std::u32string> words;
    for (std::size_t at = 0; at < text.size();) {
        if (isSpace(text[at])) {
            ++at;
            continue;
        }
        const std::size_t from = at;
        while (at < text.size() && !isSpace(text[at])) {
            ++at;
        }
        words.emplace_back(text.substr(from, at - from));
    }
    return words;
}

std::u32string joined(const std::vector<std::u32string> &words)
{
    std::u32string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += (i == 0 ? U"" : U" ") + words[i];
    }
    return text;
}

std::u32string replaced(std::u32string_view text, const Rule &rule)
{
    std::u32string out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t taken = rule(text, at, out);
        if (taken == 0) {
            out += text[at];
        }
        at += std::max<std::size_t>(1, taken);
    }
    return out;
}

}  // namespace braid::metrics
