#include "core/metrics/text_normaliser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace braid::metrics {

namespace {

constexpr char32_t kBrokenByte = 0x110000;  // beyond Unicode: a byte that belongs to no character

struct Character {
    char32_t code = 0;
    std::size_t bytes = 1;
};

Character characterAt(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t first = byte(at);
    if (first < 0x80) {
        return {first, 1};
    }
    const std::size_t length = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first >= 0xF5 || at + length > text.size()) {
        return {kBrokenByte, 1};
    }
    char32_t code = first & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(at + i) & 0xC0) != 0x80) {
            return {kBrokenByte, 1};
        }
        code = (code << 6) | (byte(at + i) & 0x3Fu);
    }
    const char32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;  // longer forms than needed are no UTF-8
    return code < least || code > 0x10FFFF ? Character{kBrokenByte, 1} : Character{code, length};
}

void appendCharacter(std::string &out, char32_t code)
{
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xC0 | (code >> 6));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        out += static_cast<char>(0xE0 | (code >> 12));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | (code >> 18));
        out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
        out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
        out += static_cast<char>(0x80 | (code & 0x3F));
    }
}

constexpr bool within(char32_t code, char32_t first, char32_t last)
{
    return code >= first && code <= last;
}

char32_t lowerCase(char32_t code)
{
    if (within(code, 'A', 'Z') || (within(code, 0xC0, 0xDE) && code != 0xD7) || (within(code, 0x391, 0x3A9) && code != 0x3A2) || within(code, 0x410, 0x42F)) {
        return code + 0x20;
    }
    if (within(code, 0x400, 0x40F)) {
        return code + 0x50;
    }
    if (within(code, 0x531, 0x556)) {
        return code + 0x30;
    }
    // Blocks in which capital and small letters alternate, the capital at the even or at the odd place.
    const bool even_capitals = within(code, 0x100, 0x12F) || within(code, 0x132, 0x137) || within(code, 0x14A, 0x177) || within(code, 0x218, 0x21F) ||
                               within(code, 0x460, 0x481) || within(code, 0x48A, 0x4BF) || within(code, 0x4D0, 0x52F) || within(code, 0x1E00, 0x1E95) ||
                               within(code, 0x1EA0, 0x1EFF);
    const bool odd_capitals = within(code, 0x139, 0x148) || within(code, 0x179, 0x17E) || within(code, 0x4C1, 0x4CE);
    if (even_capitals && code % 2 == 0) {
        return code + 1;
    }
    if (odd_capitals && code % 2 == 1) {
        return code + 1;
    }
    switch (code) {
    case 0x178:
        return 0xFF;  // Y with diaeresis
    case 0x386:
        return 0x3AC;  // Greek capitals with an accent
    case 0x388:
    case 0x389:
    case 0x38A:
        return code + 0x25;
    case 0x38C:
        return 0x3CC;
    case 0x38E:
    case 0x38F:
        return code + 0x3F;
    case 0x1E9E:
        return 0xDF;  // capital sharp s
    default:
        return code;
    }
}

// Letters, digits and the marks that combine with them; told by what they are not, which holds for every script.
bool belongsToAWord(char32_t code)
{
    if (code < 0x80) {
        return within(code, 'a', 'z') || within(code, 'A', 'Z') || within(code, '0', '9');
    }
    if (code == kBrokenByte) {
        return true;
    }
    if (within(code, 0x80, 0xBF)) {
        return code == 0xAA || code == 0xB2 || code == 0xB3 || code == 0xB5 || code == 0xB9 || code == 0xBA || within(code, 0xBC, 0xBE);
    }
    if (code == 0xD7 || code == 0xF7 || code == 0x37E || code == 0x387 || within(code, 0x55A, 0x55F) || code == 0x589 || code == 0x58A || code == 0x5BE ||
        code == 0x5C0 || code == 0x5C3 || code == 0x5C6 || code == 0x5F3 || code == 0x5F4 || within(code, 0x609, 0x60D) || within(code, 0x61B, 0x61F) ||
        within(code, 0x66A, 0x66D) || code == 0x6D4 || code == 0x964 || code == 0x965 || code == 0xE3F || code == 0xE4F || code == 0xE5A || code == 0xE5B) {
        return false;
    }
    // General punctuation up to arrows, technical signs, shapes and dingbats, but not the superscripts and letter-like signs among them.
    if (within(code, 0x2000, 0x2BFF)) {
        return within(code, 0x200C, 0x200D) || within(code, 0x2070, 0x209C) || within(code, 0x20D0, 0x20F0) || within(code, 0x2100, 0x218B);
    }
    if (within(code, 0x2E00, 0x2E7F) || within(code, 0x3000, 0x3004) || within(code, 0x3008, 0x3020) || code == 0x3030 || code == 0x303D || code == 0x30A0 ||
        code == 0x30FB) {
        return false;
    }
    if (within(code, 0xE000, 0xF8FF) || within(code, 0xFD3E, 0xFD3F) || within(code, 0xFE10, 0xFE1F) || within(code, 0xFE30, 0xFE6F) || code == 0xFEFF) {
        return false;
    }
    if (within(code, 0xFF01, 0xFF0F) || within(code, 0xFF1A, 0xFF20) || within(code, 0xFF3B, 0xFF40) || within(code, 0xFF5B, 0xFF65) ||
        within(code, 0xFFE0, 0xFFFF)) {
        return false;
    }
    return !within(code, 0x1F000, 0x1FAFF);  // pictures
}

bool isApostrophe(char32_t code)
{
    return code == '\'' || code == 0x2019 || code == 0x2BC || code == 0xFF07;
}

}  // namespace

std::string normalised(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    bool space_due = false;
    bool apostrophe_due = false;  // written only when a letter follows the letter before it
    for (std::size_t at = 0; at < text.size();) {
        const Character character = characterAt(text, at);
        if (isApostrophe(character.code) && !out.empty() && !space_due && !apostrophe_due) {
            apostrophe_due = true;
        } else if (belongsToAWord(character.code) && !isApostrophe(character.code)) {
            if (space_due && !out.empty()) {
                out += ' ';
            } else if (apostrophe_due) {
                out += '\'';
            }
            space_due = apostrophe_due = false;
            if (character.code == kBrokenByte) {
                out += text[at];
            } else {
                appendCharacter(out, lowerCase(character.code));
            }
        } else {
            space_due = true;
            apostrophe_due = false;
        }
        at += character.bytes;
    }
    return out;
}

std::vector<std::string> normalisedWords(std::string_view text)
{
    const std::string clean = normalised(text);
    std::vector<std::string> words;
    for (std::size_t from = 0; from < clean.size();) {
        const std::size_t to = std::min(clean.find(' ', from), clean.size());
        words.push_back(clean.substr(from, to - from));
        from = to + 1;
    }
    return words;
}

}  // namespace braid::metrics
