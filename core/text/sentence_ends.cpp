#include "core/text/sentence_ends.h"

#include <algorithm>
#include <string>

#include "core/text/unicode_classes.h"
#include "core/text/unicode_normalisation.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

// What comes before the full stop, in lower case. English, French and German; "etc." and "usw." may end a sentence and are left out.
constexpr std::string_view kAbbreviations[] = {
    "mr",     "mrs", "ms",   "dr",   "prof", "st",  "sr",  "jr",   "vs", "cf",  "e.g",  "i.e", "no",   "fig", "vol", "pp",
    "approx", "inc", "ltd",  "dept", "gen",  "col", "sgt", "capt", "lt", "rev", "hon",  "mme", "mlle", "mm",  "av",  "env",
    "ex",     "art", "chap", "z.b",  "d.h",  "u.a", "bzw", "ca",   "nr", "vgl", "evtl", "ggf", "inkl", "abs", "hr",  "fr",
};

bool isSpace(char32_t c)
{
    return characterClass(c) == CharacterClass::Space;
}

// Opening quotes too: what opens a quotation in English and French closes it in German and Danish.
bool closesSomething(char32_t c)
{
    const auto category = generalCategory(c);
    return category == GeneralCategory::ClosePunctuation || category == GeneralCategory::FinalPunctuation || category == GeneralCategory::InitialPunctuation ||
           c == '"' || c == '\'';
}

// The full stop is not among them: it has other uses. Unicode's Sentence_Terminal, of scripts that speech is written in, and the ellipsis.
bool isFullEnd(char32_t c)
{
    static constexpr std::u32string_view ends =
        U"!?\u2026\u3002\uFF01\uFF0E\uFF1F\uFF61\u0589\u0964\u0965\u061F\u06D4\u104A\u104B\u1362\u1367\u17D4\u203C\u2047\u2048\u2049";
    return ends.find(c) != ends.npos;
}

bool isClauseEnd(char32_t c)
{
    static constexpr std::u32string_view ends = U",;:\uFF0C\u3001\uFF1B\uFF1A\u060C\u061B";
    return ends.find(c) != ends.npos;
}

// The last word of `text` without closing quotes and brackets at its end; a quote may stand by itself, as in French.
std::u32string lastWord(std::string_view text)
{
    std::u32string points;
    for (std::size_t offset = 0; offset < text.size();) {
        const auto character = characterAt(text, offset);
        points += character.code_point;
        offset += character.length;
    }
    while (!points.empty() && (closesSomething(points.back()) || isSpace(points.back()))) {
        points.pop_back();
    }
    points.erase(points.begin(), std::find_if(points.rbegin(), points.rend(), isSpace).base());
    return points;
}

bool isAsciiDigit(char32_t c)
{
    return c >= '0' && c <= '9';
}

// "Dr." "J." "3." "z.B.": a point that ends no sentence.
bool isAbbreviated(std::u32string points)
{
    points.pop_back();  // the point
    while (!points.empty() && isPunctuation(points.front())) {
        points.erase(points.begin());
    }
    if (points.size() == 1 && characterClass(points[0]) == CharacterClass::Letter && !isWrittenWithoutSpaces(points[0])) {
        return true;
    }
    if (!points.empty() && points.size() <= 2 && std::all_of(points.begin(), points.end(), isAsciiDigit)) {
        return true;
    }
    std::string bytes;
    for (const auto point : points) {
        appendUtf8(bytes, point);
    }
    return std::find(std::begin(kAbbreviations), std::end(kAbbreviations), lowerCased(bytes)) != std::end(kAbbreviations);
}

}  // namespace

bool endsSentence(std::string_view text)
{
    const auto word = lastWord(text);
    if (word.empty()) {
        return false;
    }
    if (word.back() != '.') {
        return isFullEnd(word.back());
    }
    const bool is_ellipsis = word.size() >= 2 && word[word.size() - 2] == '.';
    return is_ellipsis || !isAbbreviated(word);
}

bool endsClause(std::string_view text)
{
    const auto word = lastWord(text);
    return !word.empty() && isClauseEnd(word.back());
}

}  // namespace braid::text
