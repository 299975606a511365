#include "lab/corpus/training_text.h"

#include <algorithm>
#include <array>

#include "core/text/utf8.h"

namespace braid::corpus {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array kAbbreviations = std::to_array<Pair>({
    {"mr.", "mister"},
    {"mrs.", "missus"},
    {"dr.", "doctor"},
    {"st.", "saint"},
    {"etc.", "et cetera"},
    {"&", "and"},
    {"no.", "number"},
    {"messrs.", "messieurs"},
    {"jr.", "junior"},
    {"vs.", "versus"},
});
// May follow an apostrophe at a word's beginning.
constexpr std::array kAfterApostrophe = std::to_array<std::string_view>({"s", "ll", "tis", "twas", "em", "d", "re", "ve", "t"});
constexpr std::string_view kMarks = ",.;:?!";

// U+00C0 .. U+017F without their accents; "" where there is no plain letter ("ß" is "ss").
constexpr std::array kPlainLatin = std::to_array<std::string_view>({
    "a", "a", "a", "a",  "a", "a", "ae", "c",  "e", "e", "e",  "e", "i", "i", "i", "i", "",  "n", "o", "o", "o", "o", "o", "",  "o", "u", "u", "u",
    "u", "y", "",  "ss", "a", "a", "a",  "a",  "a", "a", "ae", "c", "e", "e", "e", "e", "i", "i", "i", "i", "",  "n", "o", "o", "o", "o", "o", "",
    "o", "u", "u", "u",  "u", "y", "",   "y",  "a", "a", "a",  "a", "a", "a", "c", "c", "c", "c", "c", "c", "c", "c", "d", "d", "d", "d", "e", "e",
    "e", "e", "e", "e",  "e", "e", "e",  "e",  "g", "g", "g",  "g", "g", "g", "g", "g", "h", "h", "h", "h", "i", "i", "i", "i", "i", "i", "i", "i",
    "i", "i", "",  "",   "j", "j", "k",  "k",  "",  "l", "l",  "l", "l", "l", "l", "l", "l", "l", "l", "n", "n", "n", "n", "n", "n", "n", "",  "",
    "o", "o", "o", "o",  "o", "o", "oe", "oe", "r", "r", "r",  "r", "r", "r", "s", "s", "s", "s", "s", "s", "s", "s", "t", "t", "t", "t", "t", "t",
    "u", "u", "u", "u",  "u", "u", "u",  "u",  "u", "u", "u",  "u", "w", "w", "y", "y", "y", "z", "z", "z", "z", "z", "z", "",
});

enum class Kind { Letter = 1, Apostrophe, Space, Dash, Mark, Sign, Impossible };

bool isLetter(char c)
{
    return c >= 'a' && c <= 'z';
}

// One character of the text as lower-case ASCII in `plain`.
Kind classify(char32_t c, std::string &plain)
{
    plain.clear();
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
        plain = static_cast<char>(c | 0x20U);
        return Kind::Letter;
    }
    if (c >= 0xC0 && c <= 0x17F && c != 0xD7 && c != 0xF7) {
        plain = kPlainLatin[c - 0xC0];
        return plain.empty() ? Kind::Impossible : Kind::Letter;
    }
    if (c == U'\'' || c == U'`' || c == 0x2018 || c == 0x2019) {
        plain = "'";
        return Kind::Apostrophe;
    }
    if (c == U' ' || (c >= U'\t' && c <= U'\r') || c == 0xA0 || (c >= 0x2000 && c <= 0x200B) || c == 0x202F || c == 0x3000) {
        return Kind::Space;
    }
    if (c == U'-' || c == 0x2013 || c == 0x2014 || c == U'/' || c == 0x2010 || c == 0x2011) {
        return Kind::Dash;
    }
    if (c < 0x80 && kMarks.find(static_cast<char>(c)) != kMarks.npos) {
        plain = static_cast<char>(c);
        return Kind::Mark;
    }
    if (c < 0x80) {
        return c >= '0' && c <= '9' ? Kind::Impossible : Kind::Sign;
    }
    // Quotation marks, the ellipsis and other signs of Latin-1 and of general punctuation are no sound; everything else is.
    const bool sign = (c >= 0xA1 && c <= 0xBF && c != 0xAA && c != 0xB2 && c != 0xB3 && c != 0xB5 && c != 0xB9 && c != 0xBA && !(c >= 0xBC && c <= 0xBE)) ||
                      c == 0xD7 || c == 0xF7 || (c >= 0x2012 && c <= 0x206F) || c == 0xFEFF;
    return sign ? Kind::Sign : Kind::Impossible;
}

// A piece between spaces: its characters as lower-case ASCII, spaces for dashes and other signs.
struct Piece {
    std::string plain;
    char mark = 0;  // at its end
};

std::optional<std::vector<Piece>> piecesOf(std::string_view text)
{
    std::vector<Piece> pieces(1);
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        const auto character = text::characterAt(text, at);
        at += character.length;
        switch (classify(character.state == text::Utf8State::Valid ? character.code_point : 0x0FFF, plain)) {
        case Kind::Letter:
        case Kind::Apostrophe:
            pieces.back().plain += plain;
            pieces.back().mark = plain == "'" ? pieces.back().mark : '\0';
            break;
        case Kind::Mark:
            pieces.back().plain += plain;
            pieces.back().mark = plain.front();
            break;
        case Kind::Dash:
            pieces.back().plain += ' ';
            break;
        case Kind::Sign:
            pieces.back().plain += character.code_point == U'&' ? '&' : '"';
            break;
        case Kind::Space:
            pieces.emplace_back();
            break;
        case Kind::Impossible:
            return std::nullopt;
        }
    }
    return pieces;
}

// "(mr.," -> "mr.": what stands around an abbreviation; a full stop belongs to it.
std::string_view stripped(std::string_view piece)
{
    constexpr std::string_view around = ",;:!?\"";
    const auto first = piece.find_first_not_of(around);
    return first == piece.npos ? std::string_view() : piece.substr(first, piece.find_last_not_of(around) - first + 1);
}

bool mayFollowApostrophe(std::string_view rest)
{
    const auto length = static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), isLetter) - rest.begin());
    return std::find(kAfterApostrophe.begin(), kAfterApostrophe.end(), rest.substr(0, length)) != kAfterApostrophe.end();
}

// The words of a piece: letters, and the apostrophes that belong to them.
void appendWords(std::string_view piece, std::vector<SpeakableWord> &words)
{
    std::string word;
    const auto finish = [&] {
        if (!word.empty()) {
            words.push_back({std::exchange(word, {}), '\0'});
        }
    };
    for (std::size_t i = 0; i < piece.size(); ++i) {
        const bool after_letter = i > 0 && isLetter(piece[i - 1]);
        if (isLetter(piece[i])) {
            word += piece[i];
        } else if (piece[i] == '\'' && i + 1 < piece.size() && isLetter(piece[i + 1]) && (after_letter || mayFollowApostrophe(piece.substr(i + 1)))) {
            word += '\'';
        } else {
            finish();
        }
    }
    finish();
}

}  // namespace

std::optional<std::vector<SpeakableWord>> speakableText(std::string_view text)
{
    const auto pieces = piecesOf(text);
    if (!pieces) {
        return std::nullopt;
    }
    std::vector<SpeakableWord> words;
    for (const Piece &piece : *pieces) {
        const std::size_t before = words.size();
        const std::string_view bare = stripped(piece.plain);
        const auto found = std::find_if(kAbbreviations.begin(), kAbbreviations.end(), [bare](const Pair &pair) { return pair.first == bare; });
        const bool abbreviation = found != kAbbreviations.end();
        appendWords(abbreviation ? found->second : std::string_view(piece.plain), words);
        const bool own_stop = abbreviation && piece.mark == '.';
        if (!own_stop && piece.mark != 0 && words.size() > before) {
            words.back().mark = piece.mark;
        }
    }
    if (words.empty()) {
        return std::nullopt;
    }
    return words;
}

std::optional<std::string> trainingText(std::string_view text)
{
    const auto words = speakableText(text);
    if (!words) {
        return std::nullopt;
    }
    std::string plain;
    for (const SpeakableWord &word : *words) {
        plain += (plain.empty() ? "" : " ") + word.word;
    }
    return plain;
}

std::string joined(const std::vector<SpeakableWord> &words)
{
    std::string text;
    for (const SpeakableWord &word : words) {
        text += (text.empty() ? "" : " ") + word.word;
        if (word.mark != 0) {
            text += word.mark;
        }
    }
    return text;
}

}  // namespace braid::corpus
