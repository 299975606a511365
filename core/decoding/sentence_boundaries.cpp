#include "core/decoding/sentence_boundaries.h"

#include <algorithm>
#include <utility>

#include "core/decoding/reading_units.h"
#include "core/text/unicode_classes.h"
#include "core/text/unicode_normalisation.h"
#include "core/text/utf8.h"

namespace braid::decoding {
namespace {

// What comes before the full stop, in lower case. English, French and German; "etc." and "usw." may end a sentence and are left out.
constexpr std::string_view kAbbreviations[] = {
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "vs", "cf", "e.g", "i.e", "no", "fig", "vol", "pp", "approx",
    "inc", "ltd", "dept", "gen", "col", "sgt", "capt", "lt", "rev", "hon",
    "mme", "mlle", "mm", "av", "env", "ex", "art", "chap", "z.b", "d.h", "u.a", "bzw", "ca", "nr", "vgl", "evtl", "ggf", "inkl", "abs", "hr", "fr",
};

std::u32string pointsOf(std::string_view text)
{
    std::u32string points;
    for (std::size_t offset = 0; offset < text.size();) {
        const auto character = text::characterAt(text, offset);
        points += character.code_point;
        offset += character.length;
    }
    return points;
}

bool closesSomething(char32_t c)
{
    const auto category = text::generalCategory(c);
    return category == text::GeneralCategory::ClosePunctuation || category == text::GeneralCategory::FinalPunctuation || c == '"' || c == '\'';
}

bool isFullEnd(char32_t c)
{
    static constexpr std::u32string_view ends = U"!?\u2026\u3002\uFF01\uFF1F\uFF61\u0964\u0965\u061F\u06D4\u104A\u104B\u1362\u17D4\u203C\u2047\u2048\u2049";
    return ends.find(c) != ends.npos;
}

bool isClauseEnd(char32_t c)
{
    static constexpr std::u32string_view ends = U",;:\uFF0C\u3001\uFF1B\uFF1A\u060C\u061B";
    return ends.find(c) != ends.npos;
}

// Without closing quotes and brackets at its end.
std::u32string core(std::string_view word)
{
    auto points = pointsOf(word);
    while (!points.empty() && closesSomething(points.back())) {
        points.pop_back();
    }
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
    while (!points.empty() && text::isPunctuation(points.front())) {
        points.erase(points.begin());
    }
    if (points.size() == 1 && text::characterClass(points[0]) == text::CharacterClass::Letter && !isWrittenWithoutSpaces(points[0])) {
        return true;
    }
    if (!points.empty() && points.size() <= 2 && std::all_of(points.begin(), points.end(), isAsciiDigit)) {
        return true;
    }
    std::string bytes;
    for (const auto point : points) {
        text::appendUtf8(bytes, point);
    }
    return std::find(std::begin(kAbbreviations), std::end(kAbbreviations), text::lowerCased(bytes)) != std::end(kAbbreviations);
}

std::int64_t unitsOf(std::string_view sentence)
{
    UnitReader reader(ReadingUnit::Characters);
    const auto units = reader.add(sentence).size();
    return static_cast<std::int64_t>(units + reader.finish().size());
}

}  // namespace

bool endsSentence(std::string_view word)
{
    const auto points = core(word);
    if (points.empty()) {
        return false;
    }
    if (points.back() != '.') {
        return isFullEnd(points.back());
    }
    const bool is_ellipsis = points.size() >= 2 && points[points.size() - 2] == '.';
    return is_ellipsis || !isAbbreviated(points);
}

SentenceBoundaries::SentenceBoundaries(const SentenceLimits &limits)
    : m_limits(limits)
{
}

SentenceCut SentenceBoundaries::add(std::string_view word, std::int64_t pause_before_ms)
{
    const bool is_long = m_units >= m_limits.soft_units;
    const bool is_after_pause = pause_before_ms >= m_limits.long_pause_ms || (is_long && pause_before_ms >= m_limits.short_pause_ms);
    const bool begins = m_units > 0 && (m_after_line_break || is_after_pause);
    m_after_line_break = false;
    if (begins) {
        m_units = 0;
    }
    ++m_units;
    const auto points = core(word);
    const bool ends_clause = !points.empty() && isClauseEnd(points.back());
    const bool ends = endsSentence(word) || m_units >= m_limits.most_units || (m_units >= m_limits.soft_units && ends_clause);
    if (ends) {
        m_units = 0;
        return begins ? SentenceCut::BeforeAndAfterWord : SentenceCut::AfterWord;
    }
    return begins ? SentenceCut::BeforeWord : SentenceCut::None;
}

SentenceHistory::SentenceHistory(std::size_t most_sentences, std::int64_t most_units)
    : m_most_sentences(most_sentences)
    , m_most_units(most_units)
{
}

void SentenceHistory::limit(std::size_t most_sentences, std::int64_t most_units)
{
    m_most_sentences = most_sentences;
    m_most_units = most_units;
    while (m_pairs.size() > m_most_sentences) {
        m_pairs.pop_front();
    }
}

void SentenceHistory::add(std::string source, std::string target)
{
    m_pairs.push_back({std::move(source), std::move(target)});
    limit(m_most_sentences, m_most_units);
}

TranslationContext SentenceHistory::context() const
{
    auto first = m_pairs.end();
    std::int64_t source_units = 0;
    std::int64_t target_units = 0;
    while (first != m_pairs.begin()) {
        const auto &pair = *std::prev(first);
        source_units += unitsOf(pair.source);
        target_units += unitsOf(pair.target);
        if (source_units > m_most_units || target_units > m_most_units) {
            break;
        }
        --first;
    }
    TranslationContext context;
    for (auto pair = first; pair != m_pairs.end(); ++pair) {
        context.source += (context.source.empty() ? "" : " ") + pair->source;
        context.target += (context.target.empty() ? "" : " ") + pair->target;
    }
    return context;
}

}  // namespace braid::decoding
