#include "core/text/added_tokens.h"

#include <algorithm>

#include "core/text/unicode_classes.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

// Where the last character before `end` begins.
std::size_t previousStart(std::string_view text, std::size_t end)
{
    const auto floor = end - std::min<std::size_t>(end, 4);
    for (auto start = end; start-- > floor;) {
        const auto character = characterAt(text.substr(0, end), start);
        if (character.state == Utf8State::Valid && start + character.length == end) {
            return start;
        }
    }
    return end - 1;
}

bool isSpaceAt(std::string_view text, std::size_t start)
{
    const auto character = characterAt(text, start);
    return character.state == Utf8State::Valid && character.length > 0 && characterClass(character.code_point) == CharacterClass::Space;
}

bool isWordAt(std::string_view text, std::size_t start)
{
    const auto character = characterAt(text, start);
    return character.state == Utf8State::Valid && character.length > 0 && isWordCharacter(character.code_point);
}

// At or after `floor`.
std::size_t startOfSpaceBefore(std::string_view text, std::size_t end, std::size_t floor)
{
    while (end > floor) {
        const auto start = previousStart(text, end);
        if (!isSpaceAt(text, start)) {
            break;
        }
        end = start;
    }
    return end;
}

std::size_t endOfSpaceAfter(std::string_view text, std::size_t start)
{
    while (start < text.size() && isSpaceAt(text, start)) {
        start += characterAt(text, start).length;
    }
    return start;
}

bool touches(std::span<const TextRange> ranges, std::size_t start, std::size_t end)
{
    const auto range = std::partition_point(ranges.begin(), ranges.end(), [&](const TextRange &candidate) { return candidate.end <= start; });
    return range != ranges.end() && range->start < end;
}

}  // namespace

void AddedTokenMatcher::add(const AddedToken &token, std::string_view as)
{
    if (as.empty()) {
        return;
    }
    std::uint32_t node = 0;
    for (const char byte : as) {
        const auto edge = std::uint64_t{node} << 8 | static_cast<unsigned char>(byte);
        const auto [position, is_new] = m_edges.try_emplace(edge, static_cast<std::uint32_t>(m_token_of_node.size()));
        if (is_new) {
            m_token_of_node.push_back(-1);
        }
        node = position->second;
    }
    if (m_token_of_node[node] < 0) {
        m_token_of_node[node] = static_cast<std::int32_t>(m_tokens.size());
        m_tokens.push_back(token);
    }
}

const AddedToken *AddedTokenMatcher::longestAt(std::string_view text, std::size_t offset, std::size_t &length) const
{
    const AddedToken *longest = nullptr;
    std::uint32_t node = 0;
    for (auto at = offset; at < text.size(); ++at) {
        const auto edge = m_edges.find(std::uint64_t{node} << 8 | static_cast<unsigned char>(text[at]));
        if (edge == m_edges.end()) {
            break;
        }
        node = edge->second;
        if (const auto token = m_token_of_node[node]; token >= 0) {
            longest = &m_tokens[static_cast<std::size_t>(token)];
            length = at + 1 - offset;
        }
    }
    return longest;
}

std::vector<AddedTokenMatcher::Part> AddedTokenMatcher::split(std::string_view text, Special special, std::span<const TextRange> plain) const
{
    std::vector<Part> parts;
    if (text.empty() || m_tokens.empty()) {
        parts.push_back({0, text.size(), -1});
        return parts;
    }
    std::size_t done = 0;
    std::size_t space_end = 0;  // of the white space looked at last, so that a row of tokens in it does not look at it again and again
    for (std::size_t offset = 0; offset < text.size();) {
        std::size_t length = 0;
        const auto *token = longestAt(text, offset, length);
        if (token == nullptr) {
            ++offset;
            continue;
        }
        auto start = offset;
        auto end = offset + length;
        offset = end;  // the next match begins after this one, even where it is passed over
        if (token->is_special && (special == Special::AsText || touches(plain, start, end))) {
            continue;
        }
        const bool has_word_beside = (start > 0 && isWordAt(text, previousStart(text, start))) || (end < text.size() && isWordAt(text, end));
        if (token->is_single_word && has_word_beside) {
            continue;
        }
        if (token->takes_left) {
            start = std::max(startOfSpaceBefore(text, start, done), done);
        }
        if (token->takes_right) {
            space_end = end < space_end ? space_end : endOfSpaceAfter(text, end);
            end = space_end;
        }
        if (done < start) {
            parts.push_back({done, start, -1});
        }
        parts.push_back({start, end, token->id});
        done = end;
    }
    if (done < text.size()) {
        parts.push_back({done, text.size(), -1});
    }
    return parts;
}

}  // namespace braid::text
