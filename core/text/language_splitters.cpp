#include "core/text/language_splitters.h"

#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

struct Character {
    char32_t code_point = 0;
    std::size_t length = 0;  // 0 at the end
    CharacterClass kind = CharacterClass::Other;

    [[nodiscard]] bool isLineEnd() const noexcept { return length > 0 && (code_point == '\r' || code_point == '\n'); }
    [[nodiscard]] bool isMark() const noexcept { return length > 0 && kind == CharacterClass::Other && text::isMark(code_point); }
    // [^\r\n\p{L}\p{N}]: what may stand before the letters of a piece.
    [[nodiscard]] bool mayLead() const noexcept { return length > 0 && kind != CharacterClass::Letter && kind != CharacterClass::Number && !isLineEnd(); }
};

Character lookAt(std::string_view text, std::size_t offset)
{
    if (offset >= text.size()) {
        return {};
    }
    const auto character = characterAt(text, offset);
    if (character.state != Utf8State::Valid) {
        return {0xFFFD, 1, CharacterClass::Other};
    }
    return {character.code_point, character.length, characterClass(character.code_point)};
}

template <typename Wanted>
std::size_t endOfRun(std::string_view text, std::size_t offset, const Wanted &wanted)
{
    for (auto character = lookAt(text, offset); character.length > 0 && wanted(character); character = lookAt(text, offset)) {
        offset += character.length;
    }
    return offset;
}

// (?i:'s|'t|'re|'ve|'m|'ll|'d); the long s is an s to a pattern without case.
std::size_t contractionLength(std::string_view text)
{
    if (text.size() < 2 || text[0] != '\'') {
        return 0;
    }
    if (text.substr(1).starts_with("\u017F")) {
        return 3;
    }
    const auto lower = [&](std::size_t at) {
        const char c = at < text.size() ? text[at] : '\0';
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    };
    const char first = lower(1);
    const char second = lower(2);
    if (first == 's' || first == 't' || first == 'm' || first == 'd') {
        return 2;
    }
    const bool is_long = ((first == 'r' || first == 'v') && second == 'e') || (first == 'l' && second == 'l');
    return is_long ? 3 : 0;
}

// \p{N}{1,most}; `start` where there is none.
std::size_t endOfNumber(std::string_view text, std::size_t start, int most)
{
    auto end = start;
    for (int i = 0; i < most; ++i) {
        const auto character = lookAt(text, end);
        if (character.length == 0 || character.kind != CharacterClass::Number) {
            break;
        }
        end += character.length;
    }
    return end;
}

enum class LineEnds : std::uint8_t { AreSpaces = 1, EndPieces };

// \s*[\r\n]+|\s+(?!\S)|\s+, without the first where line ends are spaces like others.
std::size_t endOfSpace(std::string_view text, std::size_t start, LineEnds line_ends)
{
    auto end = start;
    auto last = start;  // where the last character of the run begins
    auto after_line_end = start;
    for (auto space = lookAt(text, end); space.length > 0 && space.kind == CharacterClass::Space; space = lookAt(text, end)) {
        last = end;
        end += space.length;
        after_line_end = space.isLineEnd() ? end : after_line_end;
    }
    if (line_ends == LineEnds::EndPieces && after_line_end > start) {
        return after_line_end;
    }
    return end == text.size() || last == start ? end : last;
}

// ` ?[^\s\p{L}\p{N}]+` and the line ends (and what else `follows`) after it; `start` where it does not match.
template <typename Symbol, typename Follows>
std::size_t endOfSymbols(std::string_view text, std::size_t start, const Symbol &is_symbol, const Follows &follows)
{
    const auto first = start + (text[start] == ' ' ? 1 : 0);
    const auto end = endOfRun(text, first, is_symbol);
    return end == first ? start : endOfRun(text, end, follows);
}

bool isLineEnd(const Character &character)
{
    return character.isLineEnd();
}

enum class Marks : std::uint8_t { AreSymbols = 1, AreLetters };

//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
// Source: openai/gpt-2 encoder.py; openai/whisper tokenizer.py.
std::size_t gpt2End(std::string_view text, std::size_t start)
{
    for (const std::string_view contraction : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
        if (text.substr(start).starts_with(contraction)) {
            return start + contraction.size();
        }
    }
    const auto run_start = start + (text[start] == ' ' ? 1 : 0);
    const auto first = lookAt(text, run_start);
    if (first.length > 0 && first.kind != CharacterClass::Space) {
        return endOfRun(text, run_start, [&](const Character &c) { return c.kind == first.kind; });
    }
    return endOfSpace(text, start, LineEnds::AreSpaces);
}

//   (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
std::size_t cl100kEnd(std::string_view text, std::size_t start, int digits, Marks marks)
{
    if (const auto length = contractionLength(text.substr(start)); length > 0) {
        return start + length;
    }
    const auto is_letter = [&](const Character &c) { return c.kind == CharacterClass::Letter || (marks == Marks::AreLetters && c.isMark()); };
    const auto first = lookAt(text, start);
    if (is_letter(first)) {
        return endOfRun(text, start, is_letter);
    }
    if (first.mayLead()) {
        const auto end = endOfRun(text, start + first.length, is_letter);
        if (end > start + first.length) {
            return end;
        }
    }
    if (const auto end = endOfNumber(text, start, digits); end > start) {
        return end;
    }
    const auto is_symbol = [&](const Character &c) { return c.kind == CharacterClass::Other && !is_letter(c); };
    if (const auto end = endOfSymbols(text, start, is_symbol, isLineEnd); end > start) {
        return end;
    }
    return endOfSpace(text, start, LineEnds::EndPieces);
}

// Letters as the o200k pattern sees them: [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] may begin a word, [\p{Ll}\p{Lm}\p{Lo}\p{M}] may go on.
bool mayBegin(const Character &c)
{
    if (c.kind == CharacterClass::Letter) {
        return generalCategory(c.code_point) != GeneralCategory::LowercaseLetter;
    }
    return c.isMark();
}

bool mayGoOn(const Character &c)
{
    if (c.kind == CharacterClass::Letter) {
        const auto category = generalCategory(c.code_point);
        return category != GeneralCategory::UppercaseLetter && category != GeneralCategory::TitlecaseLetter;
    }
    return c.isMark();
}

// begin*go_on+ from `start`, giving back what was taken too greedily; `start` where it does not match.
std::size_t endOfLowerWord(std::string_view text, std::size_t start)
{
    auto end = start;
    auto last_shared_end = start;  // the end of the last character that is of both kinds
    for (auto c = lookAt(text, end); c.length > 0 && mayBegin(c); c = lookAt(text, end)) {
        end += c.length;
        last_shared_end = mayGoOn(c) ? end : last_shared_end;
    }
    const auto word_end = endOfRun(text, end, mayGoOn);
    return word_end > end ? word_end : last_shared_end;
}

// begin+go_on*
std::size_t endOfUpperWord(std::string_view text, std::size_t start)
{
    const auto end = endOfRun(text, start, mayBegin);
    return end == start ? start : endOfRun(text, end, mayGoOn);
}

//   [^\r\n\p{L}\p{N}]?begin*go_on+contraction?|[^\r\n\p{L}\p{N}]?begin+go_on*contraction?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
std::size_t o200kEnd(std::string_view text, std::size_t start)
{
    const auto first = lookAt(text, start);
    for (const auto end_of_word : {endOfLowerWord, endOfUpperWord}) {
        for (const auto word_start : {start + first.length, start}) {
            if (word_start > start && !first.mayLead()) {
                continue;
            }
            if (const auto end = end_of_word(text, word_start); end > word_start) {
                return end + contractionLength(text.substr(end));
            }
        }
    }
    if (const auto end = endOfNumber(text, start, 3); end > start) {
        return end;
    }
    const auto is_symbol = [](const Character &c) { return c.kind == CharacterClass::Other; };
    const auto follows = [](const Character &c) { return c.isLineEnd() || c.code_point == '/'; };
    if (const auto end = endOfSymbols(text, start, is_symbol, follows); end > start) {
        return end;
    }
    return endOfSpace(text, start, LineEnds::EndPieces);
}

std::size_t pieceEnd(SplitPattern pattern, std::string_view text, std::size_t start)
{
    switch (pattern) {
    case SplitPattern::Qwen2:
        return cl100kEnd(text, start, 1, Marks::AreSymbols);
    case SplitPattern::Qwen35:
        return cl100kEnd(text, start, 1, Marks::AreLetters);
    case SplitPattern::O200k:
        return o200kEnd(text, start);
    case SplitPattern::Gpt2:
        return gpt2End(text, start);
    case SplitPattern::Cl100k:
        break;
    }
    return cl100kEnd(text, start, 3, Marks::AreSymbols);
}

struct KnownPattern {
    std::string_view regular_expression;
    SplitPattern pattern;
};

constexpr KnownPattern kKnownPatterns[] = {
    {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", SplitPattern::Gpt2},
    {R"('(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)", SplitPattern::Gpt2},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)", SplitPattern::Cl100k},
    {R"('(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]++[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+)", SplitPattern::Cl100k},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)", SplitPattern::Qwen2},
    {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)", SplitPattern::Qwen35},
    {R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|)"
     R"(\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
     SplitPattern::O200k},
};

}  // namespace

std::optional<SplitPattern> knownSplitPattern(std::string_view regular_expression)
{
    for (const auto &known : kKnownPatterns) {
        if (known.regular_expression == regular_expression) {
            return known.pattern;
        }
    }
    return std::nullopt;
}

std::vector<std::string_view> splitBy(SplitPattern pattern, std::string_view text)
{
    std::vector<std::string_view> pieces;
    for (std::size_t start = 0; start < text.size();) {
        const auto end = pieceEnd(pattern, text, start);
        pieces.push_back(text.substr(start, end - start));
        start = end;
    }
    return pieces;
}

}  // namespace braid::text
