#include "ui/streams/typed_words.h"

#include <algorithm>

namespace braid::ui {
namespace {

constexpr std::size_t kResyncBytes = 256;
constexpr std::size_t kForgetBytes = 1u << 20;
constexpr std::size_t kLongestPiece = 1000;  // of a word that does not end

bool isSpace(char c) noexcept
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// Where a cut at or before `at` leaves no character in halves.
std::size_t characterStart(std::string_view text, std::size_t at)
{
    while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) {
        --at;
    }
    return at;
}

std::size_t countWords(std::string_view text, std::size_t from, std::size_t to)
{
    std::size_t words = 0;
    for (std::size_t at = from; at < to; ++at) {
        words += !isSpace(text[at]) && (at == from || isSpace(text[at - 1])) ? 1 : 0;
    }
    return words;
}

}  // namespace

std::size_t TypedWords::add(std::string_view words)
{
    const std::size_t room = kMostTypedBytes - std::min(kMostTypedBytes, bytesWaiting() + 1);
    const std::size_t taken = words.size() <= room ? words.size() : characterStart(words, room);
    if (taken > 0) {
        if (!m_text.empty() && !isSpace(m_text.back())) {
            m_text += ' ';
        }
        m_text += words.substr(0, taken);
        m_counted_from = std::string::npos;
    }
    return words.size() - taken;
}

void TypedWords::endTurn()
{
    m_turn_ends.push_back(m_text.size());
}

std::string TypedWords::clear()
{
    std::string waiting = m_text.substr(m_entered);
    *this = {};
    return waiting;
}

TypedWords::Piece TypedWords::give()
{
    Piece piece;
    const std::size_t on_the_way = m_given - m_entered;
    const std::size_t turn_end = m_turn_ends.empty() ? m_text.size() : m_turn_ends.front();
    if (on_the_way < kMostGivenBytes / 2 && m_given < turn_end) {
        std::size_t stop = std::min(turn_end, m_given + kMostGivenBytes - on_the_way);
        if (stop < turn_end) {
            const std::size_t limit = stop;
            while (stop > m_given && !isSpace(m_text[stop - 1])) {
                --stop;
            }
            if (stop == m_given) {  // one word without an end
                stop = characterStart(m_text, std::min(limit, m_given + kLongestPiece));
            }
        }
        piece.words = m_text.substr(m_given, stop - m_given);
        m_given = stop;
    }
    if (!m_turn_ends.empty() && m_given >= turn_end) {
        m_turn_ends.pop_front();
        piece.end = TurnEnd::Yes;
    }
    return piece;
}

void TypedWords::entered(std::string_view token)
{
    while (!token.empty() && isSpace(token.front())) {
        token.remove_prefix(1);
    }
    std::size_t at = m_entered;
    while (at < m_given && isSpace(m_text[at])) {
        ++at;
    }
    if (token.empty() || at >= m_given) {
        return;
    }
    // A tokenizer may change what it reads (accents, broken bytes): then the next place where they agree.
    const std::string_view ahead = std::string_view(m_text).substr(at, std::min(kResyncBytes, m_given - at));
    const std::size_t found = ahead.find(token);
    if (found != std::string_view::npos) {
        m_entered = at + found + token.size();
        while (m_entered < m_given && isSpace(m_text[m_entered])) {
            ++m_entered;
        }
        forgetEntered();
    }
}

void TypedWords::forgetEntered()
{
    if (m_entered < kForgetBytes) {
        return;
    }
    m_text.erase(0, m_entered);
    m_given -= m_entered;
    for (std::size_t &end : m_turn_ends) {
        end -= std::min(end, m_entered);
    }
    m_entered = 0;
    m_counted_from = std::string::npos;
}

std::vector<std::string> TypedWords::firstWords(std::size_t most) const
{
    std::vector<std::string> words;
    std::size_t at = m_entered;
    while (words.size() < most && at < m_text.size()) {
        while (at < m_text.size() && isSpace(m_text[at])) {
            ++at;
        }
        std::size_t stop = at;
        while (stop < m_text.size() && !isSpace(m_text[stop]) && stop - at < kLongestPiece) {
            ++stop;
        }
        if (stop > at) {
            words.push_back(m_text.substr(at, stop - at));
        }
        at = stop;
    }
    return words;
}

std::size_t TypedWords::wordsWaiting() const
{
    if (m_counted_from == std::string::npos || m_counted_to != m_text.size() || m_counted_from > m_entered) {
        m_words = countWords(m_text, m_entered, m_text.size());
    } else {
        m_words -= std::min(m_words, countWords(m_text, m_counted_from, m_entered));
        const bool is_within_word = m_entered > m_counted_from && m_entered < m_text.size() && !isSpace(m_text[m_entered - 1]) && !isSpace(m_text[m_entered]);
        m_words += is_within_word ? 1 : 0;  // what is left of it
    }
    m_counted_from = m_entered;
    m_counted_to = m_text.size();
    return m_words;
}

}  // namespace braid::ui
