#include "lab/metrics/punctuation.h"

#include <algorithm>
#include <array>

#include "core/metrics/word_error_rate.h"
#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"

namespace braid::metrics {

namespace {

enum class Mark : std::uint8_t { None = 1, FullStop, Comma, QuestionMark };
enum class Letter : std::uint8_t { Small = 1, Capital };

// What stands between two spaces or dashes.
struct WrittenWord {
    std::string text;
    Mark mark = Mark::None;
    Letter begin = Letter::Small;
};

// Normalised words, each with what stood at it.
struct MarkedWords {
    std::vector<std::string> words;
    std::vector<Mark> marks;
    std::vector<Letter> begins;
};

// What may stand before a full stop that is no sentence's end, in lower case; for texts of speech, where other abbreviations are rare.
constexpr std::array<std::u32string_view, 17> kTitles = {U"mr",  U"mrs", U"ms", U"dr", U"prof", U"st",  U"messrs", U"capt", U"lt",
                                                         U"col", U"gen", U"jr", U"sr", U"rev",  U"hon", U"gov",    U"sgt"};

std::u32string codePoints(std::string_view text)
{
    std::u32string out;
    for (std::size_t at = 0; at < text.size();) {
        const text::Utf8Character character = text::characterAt(text, at);
        out += character.code_point;
        at += std::max<std::size_t>(1, character.length);
    }
    return out;
}

bool isMarkCharacter(char32_t c)
{
    return std::u32string_view(U".,;:!?\u2026").find(c) != std::u32string_view::npos;
}

// The marks at a word's end, what closes a quotation or a bracket around them left out: "done.)" has ".".
std::u32string marksBehind(const std::u32string &word)
{
    std::u32string marks;
    for (std::size_t i = word.size(); i > 0; --i) {
        const char32_t c = word[i - 1];
        if (isMarkCharacter(c)) {
            marks.insert(marks.begin(), c);
        } else if (text::characterClass(c) == text::CharacterClass::Letter || text::characterClass(c) == text::CharacterClass::Number) {
            break;
        }
    }
    return marks;
}

bool isTitle(const std::u32string &word)
{
    std::u32string letters;
    for (const char32_t c : word) {
        if (text::characterClass(c) == text::CharacterClass::Letter) {
            letters += c >= U'A' && c <= U'Z' ? c + (U'a' - U'A') : c;
        }
    }
    return std::find(kTitles.begin(), kTitles.end(), letters) != kTitles.end();
}

Mark markBehind(const std::string &word)
{
    const std::u32string characters = codePoints(word);
    const std::u32string marks = marksBehind(characters);
    if (marks.empty()) {
        return Mark::None;
    }
    if (marks.find(U'?') != marks.npos) {
        return Mark::QuestionMark;
    }
    if (marks.back() == U',') {
        return Mark::Comma;
    }
    const bool is_ellipsis = marks.find(U'\u2026') != marks.npos || marks.find(U"..") != marks.npos;
    const bool is_stop = marks.back() == U'!' || (marks.back() == U'.' && !is_ellipsis);
    return is_stop && !(marks == U"." && isTitle(characters)) ? Mark::FullStop : Mark::None;
}

Letter beginOf(const std::string &word)
{
    for (const char32_t c : codePoints(word)) {
        if (text::characterClass(c) == text::CharacterClass::Letter) {
            const text::GeneralCategory category = text::generalCategory(c);
            return category == text::GeneralCategory::UppercaseLetter || category == text::GeneralCategory::TitlecaseLetter ? Letter::Capital : Letter::Small;
        }
        if (text::characterClass(c) == text::CharacterClass::Number) {
            break;
        }
    }
    return Letter::Small;
}

bool isDash(char32_t c)
{
    return c >= 0x2012 && c <= 0x2015;
}

std::vector<WrittenWord> writtenWords(std::string_view written)
{
    std::vector<WrittenWord> words;
    std::string word;
    const auto finish = [&] {
        if (!word.empty()) {
            words.push_back({word, markBehind(word), beginOf(word)});
            word.clear();
        }
    };
    for (std::size_t at = 0; at < written.size();) {
        const text::Utf8Character character = text::characterAt(written, at);
        const bool is_double_hyphen = written.substr(at, 2) == "--";
        if (is_double_hyphen || isDash(character.code_point) || text::characterClass(character.code_point) == text::CharacterClass::Space) {
            finish();
            at += is_double_hyphen ? 2 : character.length;
            continue;
        }
        const std::size_t length = std::max<std::size_t>(1, character.length);
        word += written.substr(at, length);
        at += length;
    }
    finish();
    return words;
}

// Where each word of `parts` stands among `words`, which are the same text normalised as a whole ("twenty one" is one word there).
struct Place {
    std::size_t for_mark = 0;
    std::size_t for_capital = 0;
};

std::vector<Place> placesOf(const std::vector<std::string> &parts, const std::vector<std::string> &words)
{
    std::vector<Place> places(parts.size());
    for (const Edit &edit : alignWords(words, parts)) {
        if (edit.kind == EditKind::Insertion) {
            places[edit.hypothesis_index] = {std::max<std::size_t>(1, edit.reference_index) - 1, std::min(edit.reference_index, words.size() - 1)};
        } else if (edit.kind != EditKind::Deletion) {
            places[edit.hypothesis_index] = {edit.reference_index, edit.reference_index};
        }
    }
    return places;
}

MarkedWords markedWords(std::string_view written, const WordNormaliser &normaliser)
{
    MarkedWords marked;
    marked.words = normaliser(written);
    marked.marks.assign(marked.words.size(), Mark::None);
    marked.begins.assign(marked.words.size(), Letter::Small);
    std::vector<std::string> parts;
    struct Span {
        std::size_t first = 0;
        std::size_t last = 0;
        Mark mark = Mark::None;
        Letter begin = Letter::Small;
    };
    std::vector<Span> spans;
    for (const WrittenWord &word : writtenWords(written)) {
        const std::vector<std::string> normal = normaliser(word.text);
        if (!normal.empty()) {
            spans.push_back({parts.size(), parts.size() + normal.size() - 1, word.mark, word.begin});
            parts.insert(parts.end(), normal.begin(), normal.end());
        } else if (word.mark != Mark::None && !spans.empty()) {
            spans.back().mark = word.mark;  // a mark behind a space
        }
    }
    if (marked.words.empty() || !canAlignWords(marked.words.size(), parts.size())) {
        return marked;
    }
    const std::vector<Place> places = placesOf(parts, marked.words);
    for (const Span &span : spans) {
        if (span.mark != Mark::None) {
            marked.marks[places[span.last].for_mark] = span.mark;
        }
        if (span.begin == Letter::Capital) {
            marked.begins[places[span.first].for_capital] = Letter::Capital;
        }
    }
    return marked;
}

}  // namespace

MarkCounts &MarkCounts::operator+=(const MarkCounts &other) noexcept
{
    right += other.right;
    given += other.given;
    reference += other.reference;
    return *this;
}

PunctuationScore &PunctuationScore::operator+=(const PunctuationScore &other) noexcept
{
    texts += other.texts;
    full_stops += other.full_stops;
    commas += other.commas;
    question_marks += other.question_marks;
    capitals += other.capitals;
    return *this;
}

bool hasMarksOrCapitals(std::string_view written)
{
    bool has_small = false;
    bool has_capital = false;
    for (const WrittenWord &word : writtenWords(written)) {
        const std::u32string characters = codePoints(word.text);
        if (!marksBehind(characters).empty()) {
            return true;
        }
        for (const char32_t c : characters) {
            has_small = has_small || text::generalCategory(c) == text::GeneralCategory::LowercaseLetter;
            has_capital = has_capital || text::generalCategory(c) == text::GeneralCategory::UppercaseLetter;
        }
    }
    return has_small && has_capital;
}

PunctuationScore scorePunctuation(std::string_view reference, std::string_view hypothesis, const WordNormaliser &normaliser)
{
    PunctuationScore score;
    if (!hasMarksOrCapitals(reference)) {
        return score;
    }
    const MarkedWords expected = markedWords(reference, normaliser);
    const MarkedWords found = markedWords(hypothesis, normaliser);
    if (!canAlignWords(expected.words.size(), found.words.size())) {
        return score;
    }
    score.texts = 1;
    const auto count = [](MarkCounts &counts, bool in_reference, bool in_hypothesis) {
        counts.reference += in_reference ? 1 : 0;
        counts.given += in_hypothesis ? 1 : 0;
        counts.right += in_reference && in_hypothesis ? 1 : 0;
    };
    for (const Edit &edit : alignWords(expected.words, found.words)) {
        const bool is_expected = edit.kind != EditKind::Insertion;
        const bool is_found = edit.kind != EditKind::Deletion;
        const auto has = [&](Mark mark, MarkCounts &counts) {
            count(counts, is_expected && expected.marks[edit.reference_index] == mark, is_found && found.marks[edit.hypothesis_index] == mark);
        };
        has(Mark::FullStop, score.full_stops);
        has(Mark::Comma, score.commas);
        has(Mark::QuestionMark, score.question_marks);
        count(score.capitals, is_expected && expected.begins[edit.reference_index] == Letter::Capital,
              is_found && found.begins[edit.hypothesis_index] == Letter::Capital);
    }
    return score;
}

}  // namespace braid::metrics
