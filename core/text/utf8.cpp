#include "core/text/utf8.h"

namespace braid::text {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// What may follow a lead byte: the range of the second byte decides about overlong forms, surrogates and the upper end.
struct Lead {
    std::size_t length;  // 0: no lead byte
    unsigned char second_least;
    unsigned char second_most;
};

Lead leadOf(unsigned char byte) noexcept
{
    if (byte < 0x80) {
        return {1, 0, 0};
    }
    if (byte >= 0xC2 && byte <= 0xDF) {
        return {2, 0x80, 0xBF};
    }
    if (byte >= 0xE0 && byte <= 0xEF) {
        return {3, static_cast<unsigned char>(byte == 0xE0 ? 0xA0 : 0x80), static_cast<unsigned char>(byte == 0xED ? 0x9F : 0xBF)};
    }
    if (byte >= 0xF0 && byte <= 0xF4) {
        return {4, static_cast<unsigned char>(byte == 0xF0 ? 0x90 : 0x80), static_cast<unsigned char>(byte == 0xF4 ? 0x8F : 0xBF)};
    }
    return {0, 0, 0};
}

}  // namespace

Utf8Character characterAt(std::string_view text, std::size_t offset) noexcept
{
    if (offset >= text.size()) {
        return {0xFFFD, 0, Utf8State::Incomplete};
    }
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[offset + i]); };
    const auto lead = leadOf(byte(0));
    if (lead.length == 0) {
        return {0xFFFD, 1, Utf8State::Broken};
    }
    if (lead.length == 1) {
        return {byte(0), 1, Utf8State::Valid};
    }
    char32_t code_point = byte(0) & (0x7Fu >> lead.length);
    for (std::size_t i = 1; i < lead.length; ++i) {
        if (offset + i >= text.size()) {
            return {0xFFFD, i, Utf8State::Incomplete};
        }
        const auto least = i == 1 ? lead.second_least : 0x80;
        const auto most = i == 1 ? lead.second_most : 0xBF;
        if (byte(i) < least || byte(i) > most) {
            return {0xFFFD, i, Utf8State::Broken};
        }
        code_point = code_point << 6 | (byte(i) & 0x3Fu);
    }
    return {code_point, lead.length, Utf8State::Valid};
}

bool isValidUtf8(std::string_view text) noexcept
{
    for (std::size_t offset = 0; offset < text.size();) {
        const auto character = characterAt(text, offset);
        if (character.state != Utf8State::Valid) {
            return false;
        }
        offset += character.length;
    }
    return true;
}

std::string toValidUtf8(std::string_view text)
{
    std::string valid;
    valid.reserve(text.size());
    for (std::size_t offset = 0; offset < text.size();) {
        const auto character = characterAt(text, offset);
        valid += character.state == Utf8State::Valid ? text.substr(offset, character.length) : kReplacement;
        offset += character.length;
    }
    return valid;
}

std::vector<std::size_t> characterBoundaries(std::string_view text)
{
    std::vector<std::size_t> boundaries;
    boundaries.reserve(text.size() + 1);
    std::size_t offset = 0;
    while (offset < text.size()) {
        boundaries.push_back(offset);
        offset += characterAt(text, offset).length;
    }
    boundaries.push_back(offset);
    return boundaries;
}

std::size_t completeLength(std::string_view text) noexcept
{
    // An incomplete character is at most three bytes long.
    for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
        const auto start = text.size() - back;
        const auto byte = static_cast<unsigned char>(text[start]);
        if ((byte & 0xC0) != 0x80) {
            const auto character = characterAt(text, start);
            return character.state == Utf8State::Incomplete ? start : text.size();
        }
    }
    return text.size();
}

std::size_t characterCount(std::string_view text) noexcept
{
    std::size_t count = 0;
    for (std::size_t offset = 0; offset < text.size(); ++count) {
        offset += characterAt(text, offset).length;
    }
    return count;
}

void appendUtf8(std::string &text, char32_t code_point)
{
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0 | code_point >> 6);
        put(0x80 | (code_point & 0x3F));
    } else if (code_point < 0x10000) {
        if (code_point >= 0xD800 && code_point < 0xE000) {
            text += kReplacement;
            return;
        }
        put(0xE0 | code_point >> 12);
        put(0x80 | (code_point >> 6 & 0x3F));
        put(0x80 | (code_point & 0x3F));
    } else if (code_point < 0x110000) {
        put(0xF0 | code_point >> 18);
        put(0x80 | (code_point >> 12 & 0x3F));
        put(0x80 | (code_point >> 6 & 0x3F));
        put(0x80 | (code_point & 0x3F));
    } else {
        text += kReplacement;
    }
}

}  // namespace braid::text
