// Tokens of scripted recognisers: pieces of three letters, ids in the order in which they were first asked for, words where a space begins.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/text/transcript.h"

namespace braid::test {

class ScriptedTokens {
  public:
    explicit ScriptedTokens(std::vector<std::string> known = {})
        : m_texts(std::move(known))
    {
        for (std::size_t i = 0; i < m_texts.size(); ++i) {
            m_ids[m_texts[i]] = static_cast<std::int32_t>(i);
        }
    }

    std::int32_t idOf(const std::string &text)
    {
        const auto [place, is_new] = m_ids.try_emplace(text, static_cast<std::int32_t>(m_texts.size()));
        if (is_new) {
            m_texts.push_back(text);
        }
        return place->second;
    }
    [[nodiscard]] const std::string &textOf(std::int32_t id) const { return m_texts.at(static_cast<std::size_t>(id)); }

  private:
    std::map<std::string, std::int32_t> m_ids;
    std::vector<std::string> m_texts;
};

struct ScriptedPiece {
    std::string text;
    Sample attended_sample = 0;  // the middle of its part of the word
};

// `spaced`: a word with its leading space, said from `start` to `end`.
inline std::vector<ScriptedPiece> piecesOf(const std::string &spaced, Sample start, Sample end)
{
    constexpr std::size_t kLetters = 3;
    const std::size_t count = (spaced.size() + kLetters - 1) / kLetters;
    std::vector<ScriptedPiece> pieces;
    for (std::size_t i = 0; i < count; ++i) {
        pieces.push_back({spaced.substr(i * kLetters, kLetters), start + static_cast<Sample>(2 * i + 1) * (end - start) / static_cast<Sample>(2 * count)});
    }
    return pieces;
}

inline std::vector<text::Word> wordsAtSpaces(std::span<const text::Token> tokens)
{
    std::vector<text::Word> words;
    for (const text::Token &token : tokens) {
        const bool begins = token.text.starts_with(' ');
        if (begins || words.empty()) {
            words.emplace_back();
            words.back().starts_without_space = !begins;
        }
        words.back().text += begins ? token.text.substr(1) : token.text;
        words.back().tokens.push_back(token);
    }
    return words;
}

}  // namespace braid::test
