// A small tokenizer for tests: known words are one token each, everything else one token for each byte. Token 0 is silence, " -".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/streams/token_texts.h"

class SmallTexts : public braid::streams::TokenTexts {
  public:
    explicit SmallTexts(const std::vector<std::string> &words)
    {
        add(" -");
        for (int byte = 0; byte < 256; ++byte) {
            add(std::string(1, static_cast<char>(byte)));
        }
        for (const std::string &word : words) {
            add(word);
        }
    }
    std::vector<std::int32_t> encode(std::string_view text, Specials specials) const override
    {
        std::vector<std::int32_t> ids;
        while (!text.empty()) {
            std::size_t length = text.size();
            for (; length > 1; --length) {
                const auto piece = text.substr(0, length);
                if (m_ids.contains(std::string(piece)) && (specials == Specials::Recognised || !piece.starts_with('<'))) {
                    break;
                }
            }
            ids.push_back(m_ids.at(std::string(text.substr(0, length))));
            text.remove_prefix(length);
        }
        return ids;
    }
    std::string text(std::int32_t token) const override { return m_texts.at(static_cast<std::size_t>(token)); }
    std::int32_t size() const override { return static_cast<std::int32_t>(m_texts.size()); }
    std::int32_t id(const std::string &text) const { return m_ids.at(text); }

  private:
    void add(const std::string &text)
    {
        if (m_ids.emplace(text, static_cast<std::int32_t>(m_texts.size())).second) {
            m_texts.push_back(text);
        }
    }
    std::map<std::string, std::int32_t> m_ids;
    std::vector<std::string> m_texts;
};
