#include "core/streams/word_queue.h"

#include <utility>

#include "core/text/utf8.h"

namespace braid::streams {
namespace {

constexpr std::size_t kLongestWord = 1000;  // bytes; what is longer is cut, as no person types it

bool isSpace(char c) noexcept
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

}  // namespace

bool WordQueue::take(std::string_view word, const TokenTexts &texts)
{
    if (m_tokens.size() >= m_most) {
        return false;
    }
    const bool spaced = m_has_words || m_first == FirstWord::Spaced;
    const auto tokens = texts.encode((spaced ? " " : "") + text::toValidUtf8(word), TokenTexts::Specials::PlainText);
    if (m_tokens.size() + tokens.size() > m_most) {
        return false;  // half a word would be another word
    }
    m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    m_has_words = true;
    return true;
}

std::size_t WordQueue::push(std::string_view text, TextEnd end, const TokenTexts &texts)
{
    std::size_t done = 0;
    while (done < text.size()) {
        std::size_t stop = done;
        while (stop < text.size() && !isSpace(text[stop]) && m_unfinished.size() + stop - done < kLongestWord) {
            ++stop;
        }
        const std::string word = m_unfinished + std::string(text.substr(done, stop - done));
        if (stop == text.size() && end == TextEnd::Open) {
            m_unfinished = word;
            return 0;
        }
        if (!word.empty() && !take(word, texts)) {
            m_unfinished.clear();
            return text.size() - done;
        }
        m_unfinished.clear();
        done = stop < text.size() && isSpace(text[stop]) ? stop + 1 : stop;
    }
    if (end == TextEnd::Whole && !m_unfinished.empty()) {
        const std::string word = std::exchange(m_unfinished, {});
        return take(word, texts) ? 0 : word.size();
    }
    return 0;
}

void WordQueue::pushText(std::string_view text, TokenTexts::Specials specials, const TokenTexts &texts)
{
    const auto tokens = texts.encode(text, specials);
    m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
    m_has_words = true;
}

std::int32_t WordQueue::pop()
{
    if (m_tokens.empty()) {
        return -1;
    }
    const std::int32_t token = m_tokens.front();
    m_tokens.pop_front();
    return token;
}

std::size_t WordQueue::clear()
{
    const std::size_t count = m_tokens.size();
    m_tokens.clear();
    m_unfinished.clear();
    return count;
}

}  // namespace braid::streams
