#include "core/text/token_decoder.h"

#include <charconv>

#include "core/text/byte_alphabet.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

constexpr std::string_view kReplacement = "\uFFFD";

void replaceAll(std::string &text, std::string_view from, std::string_view to)
{
    std::string out;
    std::size_t start = 0;
    for (auto at = text.find(from); at != text.npos; at = text.find(from, start)) {
        out.append(text, start, at - start);
        out += to;
        start = at + from.size();
    }
    text = start == 0 ? std::move(text) : out + text.substr(start);
}

const ByteAlphabet &byteAlphabet()
{
    static const ByteAlphabet alphabet;
    return alphabet;
}

std::string repeatedReplacement(std::size_t count)
{
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        text += kReplacement;
    }
    return text;
}

}  // namespace

std::optional<unsigned char> byteOfToken(std::string_view token) noexcept
{
    if (token.size() != 6 || !token.starts_with("<0x") || token.back() != '>') {
        return std::nullopt;
    }
    unsigned value = 0;
    const auto [end, problem] = std::from_chars(token.data() + 3, token.data() + 5, value, 16);
    return problem == std::errc() && end == token.data() + 5 ? std::optional(static_cast<unsigned char>(value)) : std::nullopt;
}

DecodedToken decodeToken(const DecodeRules &rules, std::string_view written, bool is_first)
{
    if (rules.writing == TokenWriting::ByteAlphabet) {
        auto bytes = byteAlphabet().bytesOf(written);
        return {bytes ? std::move(*bytes) : std::string(written), false};
    }
    std::string text(written);
    for (const auto &[from, to] : rules.replacements) {
        replaceAll(text, from, is_first && from == rules.first_token_mark ? std::string_view() : to);
    }
    if (const auto byte = rules.has_byte_tokens ? byteOfToken(text) : std::nullopt) {
        return {std::string(1, static_cast<char>(*byte)), true};
    }
    return {std::move(text), false};
}

std::string decodeAll(const DecodeRules &rules, const std::vector<std::string_view> &written)
{
    std::string text;
    std::string run;  // of byte tokens
    const auto endRun = [&] {
        text += isValidUtf8(run) ? run : repeatedReplacement(run.size());
        run.clear();
    };
    bool is_first = true;
    for (const auto token : written) {
        const auto decoded = decodeToken(rules, token, is_first);
        is_first = false;
        if (decoded.is_byte) {
            run += decoded.bytes;
        } else {
            endRun();
            text += decoded.bytes;
        }
    }
    endRun();
    text = toValidUtf8(text);
    std::size_t start = 0;
    for (int i = 0; i < rules.leading_strip && std::string_view(text).substr(start).starts_with(rules.strip_text); ++i) {
        start += rules.strip_text.size();
    }
    return text.substr(start);
}

TokenStream::TokenStream(DecodeRules rules)
    : m_rules(std::move(rules))
    , m_to_strip(m_rules.leading_strip)
{
}

std::string TokenStream::push(std::string_view written)
{
    auto decoded = decodeToken(m_rules, written, m_is_first);
    m_is_first = false;
    if (m_rules.writing == TokenWriting::Pieces && !decoded.is_byte) {
        return released(drained(true) + toValidUtf8(decoded.bytes));
    }
    m_pending += decoded.bytes;
    return released(drained(false));
}

std::string TokenStream::finish()
{
    return released(drained(true));
}

// What of the pending bytes can be shown: all that can no longer change, or simply all.
std::string TokenStream::drained(bool is_all)
{
    if (m_rules.writing == TokenWriting::ByteAlphabet) {
        const auto length = is_all ? m_pending.size() : completeLength(m_pending);
        auto text = toValidUtf8(std::string_view(m_pending).substr(0, length));
        m_pending.erase(0, length);
        return text;
    }
    std::string text;
    std::size_t offset = 0;
    while (offset < m_pending.size()) {
        const auto character = characterAt(m_pending, offset);
        if (character.state == Utf8State::Incomplete && !is_all) {
            break;
        }
        text += character.state == Utf8State::Valid ? m_pending.substr(offset, character.length) : repeatedReplacement(character.length);
        offset += character.length;
    }
    m_pending.erase(0, offset);
    return text;
}

std::string TokenStream::released(std::string text)
{
    while (m_to_strip > 0 && !text.empty()) {
        if (!text.starts_with(m_rules.strip_text)) {
            m_to_strip = 0;
            break;
        }
        text.erase(0, m_rules.strip_text.size());
        --m_to_strip;
    }
    return text;
}

}  // namespace braid::text
