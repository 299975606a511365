// The parts of WhisperTokenizer that look at what tokens say: words, and tokens that are no speech.
#include <algorithm>
#include <set>

#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"
#include "core/text/whisper_tokenizer.h"

namespace braid::text {
namespace {

// Python's string.punctuation, in its order: openai/whisper asks whether a piece is found inside it.
constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

bool isWrittenWithoutSpaces(std::string_view language)
{
    static constexpr std::string_view languages[] = {"zh", "ja", "th", "lo", "my", "yue"};
    return std::find(std::begin(languages), std::end(languages), language) != std::end(languages);
}

std::string_view withoutSurroundingSpace(std::string_view text)
{
    const auto isSpace = [](const Utf8Character &character) {
        return character.state == Utf8State::Valid &&
               (characterClass(character.code_point) == CharacterClass::Space || (character.code_point >= 0x1C && character.code_point <= 0x1F));
    };
    const auto boundaries = characterBoundaries(text);
    std::size_t first = 0;
    std::size_t last = boundaries.size() - 1;
    while (first < last && isSpace(characterAt(text, boundaries[first]))) {
        ++first;
    }
    while (first < last && isSpace(characterAt(text, boundaries[last - 1]))) {
        --last;
    }
    return text.substr(boundaries[first], boundaries[last] - boundaries[first]);
}

}  // namespace

std::vector<std::int32_t> WhisperTokenizer::nonSpeechTokens() const
{
    // Symbols that people do not say, kept where they are one token; notes are made of several bytes and lose their first token.
    static constexpr std::string_view symbols[] = {"\"",  "#",  "(",  ")",  "*",   "+",  "/",  ":",   ";",   "<",  "=",  ">",  "@",  "[",   "\\",  "]",
                                                   "^",   "_",  "`",  "{",  "|",   "}",  "~",  "「",  "」",  "『", "』", "<<", ">>", "<<<", ">>>", "--",
                                                   "---", "-(", "-[", "('", "(\"", "((", "))", "(((", ")))", "[[", "]]", "{{", "}}", "♪♪",  "♪♪♪"};
    static constexpr std::string_view notes[] = {"♩", "♪", "♫", "♬", "♭", "♮", "♯"};
    std::set<std::int32_t> ids;
    // A hyphen or an apostrophe may stand inside a word, but not begin one.
    for (const std::string_view beginning : {" -", " '"}) {
        ids.insert(encode(beginning).front());
    }
    for (const auto symbol : symbols) {
        for (const auto &written : {std::string(symbol), " " + std::string(symbol)}) {
            if (const auto tokens = encode(written); tokens.size() == 1) {
                ids.insert(tokens.front());
            }
        }
    }
    for (const auto note : notes) {
        ids.insert(encode(note).front());
        ids.insert(encode(" " + std::string(note)).front());
    }
    return {ids.begin(), ids.end()};
}

std::vector<WhisperTokenizer::WordPiece> WhisperTokenizer::splitIntoWords(std::span<const std::int32_t> ids, std::string_view language) const
{
    const auto all = decodeBytes(ids);
    const auto boundaries = characterBoundaries(all);
    // Pieces that begin and end with a character.
    std::vector<WordPiece> pieces;
    WordPiece piece;
    std::size_t start = 0;
    std::size_t end = 0;
    for (const auto id : ids) {
        if (isSpecial(id)) {
            continue;
        }
        piece.ids.push_back(id);
        end += tokenBytes(id).size();
        if (std::binary_search(boundaries.begin(), boundaries.end(), end)) {
            piece.text = toValidUtf8(std::string_view(all).substr(start, end - start));
            pieces.push_back(std::move(piece));
            piece = {};
            start = end;
        }
    }
    if (isWrittenWithoutSpaces(language)) {
        return pieces;
    }
    std::vector<WordPiece> words;
    for (auto &next : pieces) {
        const bool has_space = next.text.starts_with(' ');
        const bool is_punctuation = kPunctuation.find(withoutSurroundingSpace(next.text)) != kPunctuation.npos;
        if (words.empty() || has_space || is_punctuation) {
            words.push_back(std::move(next));
        } else {
            words.back().text += next.text;
            words.back().ids.insert(words.back().ids.end(), next.ids.begin(), next.ids.end());
        }
    }
    return words;
}

}  // namespace braid::text
