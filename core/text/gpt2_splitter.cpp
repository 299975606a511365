#include "core/text/gpt2_splitter.h"

#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

struct Character {
    CharacterClass kind = CharacterClass::Other;
    std::size_t length = 0;  // 0 at the end
};

Character lookAt(std::string_view text, std::size_t offset)
{
    if (offset >= text.size()) {
        return {};
    }
    const auto character = characterAt(text, offset);
    return character.state == Utf8State::Valid ? Character{characterClass(character.code_point), character.length} : Character{CharacterClass::Other, 1};
}

// The end of the run of characters of one class that starts at `offset`.
std::size_t endOfRun(std::string_view text, std::size_t offset, CharacterClass kind)
{
    for (;;) {
        const auto character = lookAt(text, offset);
        if (character.length == 0 || character.kind != kind) {
            return offset;
        }
        offset += character.length;
    }
}

// 's 't 're 've 'm 'll 'd, in lower case only; 0 where there is none.
std::size_t contractionLength(std::string_view text)
{
    for (const std::string_view contraction : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
        if (text.starts_with(contraction)) {
            return contraction.size();
        }
    }
    return 0;
}

std::size_t pieceEnd(std::string_view text, std::size_t start)
{
    if (const auto length = contractionLength(text.substr(start, 3)); length > 0) {
        return start + length;
    }
    // A single space joins the run after it.
    const auto run_start = start + (text[start] == ' ' ? 1 : 0);
    const auto first = lookAt(text, run_start);
    if (first.length > 0 && first.kind != CharacterClass::Space) {
        return endOfRun(text, run_start, first.kind);
    }
    // White space: all of it at the end of the text; before anything else its last character is left to that.
    std::size_t end = start;
    std::size_t last = start;
    for (auto space = lookAt(text, end); space.length > 0 && space.kind == CharacterClass::Space; space = lookAt(text, end)) {
        last = end;
        end += space.length;
    }
    return end == text.size() || last == start ? end : last;
}

}  // namespace

std::vector<std::string_view> splitLikeGpt2(std::string_view text)
{
    std::vector<std::string_view> pieces;
    for (std::size_t start = 0; start < text.size();) {
        const auto end = pieceEnd(text, start);
        pieces.push_back(text.substr(start, end - start));
        start = end;
    }
    return pieces;
}

}  // namespace braid::text
