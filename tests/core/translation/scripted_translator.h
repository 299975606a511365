// A translation model made of a function: what it says next depends on what was read and what was written, as a real one's does.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/translation/translation_model.h"

namespace braid::test {

class ScriptedTranslator : public translation::TranslationModel {
  public:
    struct State {
        std::vector<std::string> source;  // units read, as given, with the space before them
        bool has_end = false;             // the end of the source was read
        std::vector<std::string> target;  // tokens written
    };
    static constexpr const char *kEnd = "</s>";
    using Script = std::function<std::string(const State &)>;

    explicit ScriptedTranslator(Script script)
        : m_script(std::move(script))
    {
    }

    void begin(const translation::TranslationContext &context) override
    {
        state = {};
        columns = 0;
        contexts.push_back(context);
    }
    std::vector<std::int32_t> sourceTokens(std::string_view text) const override { return {idOf(std::string(text)), kFiller}; }  // two tokens a unit
    std::vector<std::int32_t> endOfSource() const override { return {kSourceEnd}; }
    void read(std::span<const std::int32_t> tokens) override
    {
        ++passes;
        for (const auto token : tokens) {
            if (token == kSourceEnd) {
                state.has_end = true;
            } else if (token != kFiller) {
                state.source.push_back(m_texts.at(token));
            }
        }
        columns += static_cast<std::int64_t>(tokens.size());
    }
    translation::PredictedToken predict(AttentionWanted wanted) override
    {
        ++predictions;
        translation::PredictedToken next;
        next.token.text = m_script(state);
        next.token.id = idOf(next.token.text);
        next.token.probability = 0.5F;
        next.is_end = next.token.text == kEnd;
        if (wanted == AttentionWanted::Yes) {
            // Prompt first, then all on the newest column.
            next.attention.assign(static_cast<std::size_t>(promptTokens() + columns), 0.0F);
            next.attention[0] = 0.25F;
            next.attention.back() += 0.75F;
        }
        return next;
    }
    void write(std::int32_t token) override { state.target.push_back(m_texts.at(token)); }
    void unwrite(int count) override
    {
        taken_back += count;
        state.target.resize(state.target.size() - static_cast<std::size_t>(count));
    }
    std::int64_t room() const override
    {
        return (contexts.back().source.empty() ? capacity : std::min(capacity, capacity_with_context)) - columns -
               static_cast<std::int64_t>(state.target.size());
    }
    std::int64_t promptTokens() const override { return 3; }
    translation::TranslationCost cost() const override
    {
        return {.tokens_fed = columns + static_cast<std::int64_t>(state.target.size()),
                .passes = passes + predictions,
                .cache_entries = columns + static_cast<std::int64_t>(state.target.size()),
                .cache_bytes = 0};
    }

    State state;
    std::vector<translation::TranslationContext> contexts;
    std::int64_t columns = 0;
    std::int64_t capacity = 1 << 20;
    std::int64_t capacity_with_context = 1 << 20;
    int passes = 0;
    int predictions = 0;
    int taken_back = 0;

  private:
    static constexpr std::int32_t kFiller = -1;
    static constexpr std::int32_t kSourceEnd = -2;
    std::int32_t idOf(const std::string &text) const
    {
        const auto id = m_ids.try_emplace(text, static_cast<std::int32_t>(m_ids.size())).first->second;
        m_texts[id] = text;
        return id;
    }
    Script m_script;
    mutable std::map<std::string, std::int32_t> m_ids;
    mutable std::map<std::int32_t, std::string> m_texts;
};

// Says every source word again in capitals, in two tokens (its first letter, its rest), each comma or full stop a token of its own. Where it
// has said all it has read, it would go on with a word made up.
inline std::string sayInCapitals(const ScriptedTranslator::State &state)
{
    std::vector<std::string> tokens;
    for (const auto &unit : state.source) {
        auto word = unit;
        std::string mark;
        if (word.back() == ',' || word.back() == '.') {
            mark = word.back();
            word.pop_back();
        }
        for (auto &c : word) {
            c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        }
        const std::size_t first = word[0] == ' ' ? 2 : 1;
        tokens.push_back(word.substr(0, first));
        if (word.size() > first) {
            tokens.push_back(word.substr(first));
        }
        if (!mark.empty()) {
            tokens.push_back(mark);
        }
    }
    if (state.target.size() < tokens.size()) {
        return tokens[state.target.size()];
    }
    return state.has_end ? ScriptedTranslator::kEnd : " MADEUP";
}

}  // namespace braid::test
