#include "core/text/unicode_normalisation.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "core/text/unicode_normalisation_table.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

// Hangul syllables are composed by arithmetic (The Unicode Standard, 3.12).
constexpr char32_t kSyllables = 0xAC00;
constexpr char32_t kLeads = 0x1100;
constexpr char32_t kVowels = 0x1161;
constexpr char32_t kTrails = 0x11A7;  // one before the first: "none" counts
constexpr char32_t kLeadCount = 19;
constexpr char32_t kVowelCount = 21;
constexpr char32_t kTrailCount = 28;
constexpr char32_t kSyllableCount = kLeadCount * kVowelCount * kTrailCount;

// Broken bytes are carried as numbers beyond Unicode, which no table knows.
constexpr char32_t kBrokenByte = 0x200000;

std::uint8_t combiningClass(char32_t code_point) noexcept
{
    if (code_point < 0x300) {
        return 0;
    }
    const auto after = std::upper_bound(combining_ranges.begin(), combining_ranges.end(), code_point,
                                        [](char32_t value, const CombiningRange &range) { return value < range.first; });
    return after != combining_ranges.begin() && code_point <= std::prev(after)->last ? std::prev(after)->combining_class : std::uint8_t{0};
}

void decompose(char32_t code_point, std::vector<char32_t> &out)
{
    if (code_point >= kSyllables && code_point < kSyllables + kSyllableCount) {
        const auto index = code_point - kSyllables;
        out.push_back(kLeads + index / (kVowelCount * kTrailCount));
        out.push_back(kVowels + index % (kVowelCount * kTrailCount) / kTrailCount);
        if (index % kTrailCount != 0) {
            out.push_back(kTrails + index % kTrailCount);
        }
        return;
    }
    const auto entry = std::lower_bound(decompositions.begin(), decompositions.end(), code_point,
                                        [](const Decomposition &candidate, char32_t value) { return candidate.composed < value; });
    if (code_point < 0xC0 || entry == decompositions.end() || entry->composed != code_point) {
        out.push_back(code_point);
        return;
    }
    decompose(entry->first, out);
    if (entry->second != 0) {
        decompose(entry->second, out);
    }
}

// 0: the two do not compose.
char32_t compose(char32_t first, char32_t second) noexcept
{
    if (first >= kLeads && first < kLeads + kLeadCount && second >= kVowels && second < kVowels + kVowelCount) {
        return kSyllables + ((first - kLeads) * kVowelCount + (second - kVowels)) * kTrailCount;
    }
    if (first >= kSyllables && first < kSyllables + kSyllableCount && (first - kSyllables) % kTrailCount == 0 && second > kTrails &&
        second < kTrails + kTrailCount) {
        return first + (second - kTrails);
    }
    const auto entry = std::lower_bound(compositions.begin(), compositions.end(), std::pair(first, second), [](const Composition &candidate, const auto &pair) {
        return std::tie(candidate.first, candidate.second) < std::tie(pair.first, pair.second);
    });
    return entry != compositions.end() && entry->first == first && entry->second == second ? entry->composed : 0;
}

std::vector<char32_t> decomposedPoints(std::string_view text)
{
    std::vector<char32_t> points;
    points.reserve(text.size());
    for (std::size_t offset = 0; offset < text.size();) {
        const auto character = characterAt(text, offset);
        if (character.state == Utf8State::Valid) {
            decompose(character.code_point, points);
            offset += character.length;
        } else {
            points.push_back(kBrokenByte + static_cast<unsigned char>(text[offset]));
            ++offset;
        }
    }
    for (auto start = points.begin(); start != points.end();) {
        start = std::find_if(start, points.end(), [](char32_t point) { return combiningClass(point) != 0; });
        const auto end = std::find_if(start, points.end(), [](char32_t point) { return combiningClass(point) == 0; });
        std::stable_sort(start, end, [](char32_t left, char32_t right) { return combiningClass(left) < combiningClass(right); });
        start = end;
    }
    return points;
}

std::string textOf(const std::vector<char32_t> &points)
{
    std::string text;
    for (const auto point : points) {
        if (point >= kBrokenByte) {
            text += static_cast<char>(point - kBrokenByte);
        } else {
            appendUtf8(text, point);
        }
    }
    return text;
}

// Below U+0300 nothing combines, and what is composed there stays so.
bool isComposedAlready(std::string_view text) noexcept
{
    return std::all_of(text.begin(), text.end(), [](unsigned char byte) { return byte < 0xCC; });
}

}  // namespace

std::string decomposed(std::string_view text)
{
    return textOf(decomposedPoints(text));
}

std::string composed(std::string_view text)
{
    if (isComposedAlready(text)) {
        return std::string(text);
    }
    const auto points = decomposedPoints(text);
    std::vector<char32_t> out;
    out.reserve(points.size());
    std::size_t starter = points.size();  // in `out`; none yet
    int last_class = -1;                  // of the last point kept after the starter; -1: none kept
    for (const auto point : points) {
        const int point_class = combiningClass(point);
        if (starter < points.size() && last_class < point_class) {
            if (const auto merged = compose(out[starter], point)) {
                out[starter] = merged;
                continue;
            }
        }
        if (point_class == 0) {
            starter = out.size();
            last_class = -1;
        } else {
            last_class = point_class;
        }
        out.push_back(point);
    }
    return textOf(out);
}

char32_t lowerCase(char32_t code_point) noexcept
{
    auto range = std::upper_bound(lower_case_ranges.begin(), lower_case_ranges.end(), code_point,
                                  [](char32_t value, const LowerCaseRange &candidate) { return value < candidate.first; });
    if (range == lower_case_ranges.begin()) {
        return code_point;
    }
    --range;
    const bool is_member = code_point <= range->last && (code_point - range->first) % static_cast<char32_t>(range->step) == 0;
    return static_cast<char32_t>(static_cast<std::int32_t>(code_point) + (is_member ? range->delta : 0));
}

char32_t upperCase(char32_t code_point) noexcept
{
    for (const LowerCaseRange &range : lower_case_ranges) {
        const auto capital = static_cast<std::int64_t>(code_point) - range.delta;
        if (capital >= static_cast<std::int64_t>(range.first) && capital <= static_cast<std::int64_t>(range.last) &&
            (capital - range.first) % range.step == 0) {
            return static_cast<char32_t>(capital);
        }
    }
    return code_point;
}

std::string lowerCased(std::string_view text)
{
    std::string lower;
    lower.reserve(text.size());
    for (std::size_t offset = 0; offset < text.size();) {
        const auto character = characterAt(text, offset);
        const auto point = character.code_point;
        if (character.state != Utf8State::Valid) {
            lower += text[offset++];
            continue;
        }
        offset += character.length;
        if (point == 0x130) {  // the only letter whose small form has two characters
            lower += "i\u0307";
            continue;
        }
        appendUtf8(lower, lowerCase(point));
    }
    return lower;
}

}  // namespace braid::text
