// The streaming decoders as slow, obvious programs, written from the paper (CarelessWhisper, Algorithms 1 and 2, Definitions 1 and 3) and
// from the facts about the two released versions (shared/reference/streaming-asr.md, 1.6 to 1.8): whole rows, every probability computed
// anew by a plain function. They share nothing with core/captions but the name of the rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <QString>

#include "core/captions/streaming_recognizer.h"

namespace braid::test {

using Tokens = std::vector<std::int32_t>;
// The logits of the token behind `row`, over the whole vocabulary, given the first `frames` encoded frames; -infinity for suppressed tokens.
using LogitsFunction = std::function<std::vector<float>(const Tokens &row, std::int64_t frames)>;

inline Tokens withPrompt(const Tokens &prompt, std::span<const captions::RowToken> text)
{
    Tokens row = prompt;
    for (const captions::RowToken &token : text) {
        row.push_back(token.id);
    }
    return row;
}

inline QString shown(const Tokens &row)
{
    QString text;
    for (const std::int32_t token : row) {
        text += QString::number(token) + ' ';
    }
    return text;
}

struct ReferenceSettings {
    captions::StabilityRule rule = captions::StabilityRule::Paper;
    int look_back = 2;  // n
    int beam = 5;       // b; of the beam decoder alone
    Tokens prompt;
    std::int32_t end_token = 0;
    Tokens blank_tokens;            // what the released decoders forbid, with the end token, while nothing is said
    int most_calls = 28;            // decoder calls a chunk may take
    std::size_t most_tokens = 448;  // a row's, prompt included
};

inline std::vector<float> referenceLogProbabilities(const std::vector<float> &logits)
{
    const double greatest = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const float logit : logits) {
        sum += std::exp(static_cast<double>(logit) - greatest);
    }
    std::vector<float> result;
    for (const float logit : logits) {
        result.push_back(static_cast<float>(static_cast<double>(logit) - greatest - std::log(sum)));
    }
    return result;
}

// The `count` most probable tokens, best first; of equals the lower number first.
inline Tokens referenceTopK(const std::vector<float> &scores, int count)
{
    Tokens order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&scores](std::int32_t a, std::int32_t b) { return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)]; });
    order.resize(std::min(order.size(), static_cast<std::size_t>(count)));
    return order;
}

// What both decoders share: the filtered logits.
class ReferenceModel {
  public:
    enum class Blank { Allowed = 1, Forbidden };

    ReferenceModel(LogitsFunction function, const ReferenceSettings &settings)
        : m_function(std::move(function))
        , m_settings(settings)
    {
    }

    // Behind the first `length` tokens of `row`.
    [[nodiscard]] std::vector<float> logits(const Tokens &row, std::size_t length, std::int64_t frames, Blank blank = Blank::Allowed) const
    {
        std::vector<float> logits = m_function(Tokens(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(length)), frames);
        if (blank == Blank::Forbidden) {
            logits[static_cast<std::size_t>(m_settings.end_token)] = -std::numeric_limits<float>::infinity();
            for (const std::int32_t token : m_settings.blank_tokens) {
                logits[static_cast<std::size_t>(token)] = -std::numeric_limits<float>::infinity();
            }
        }
        return logits;
    }
    [[nodiscard]] float logitOf(const Tokens &row, std::size_t index, std::int64_t frames, Blank blank = Blank::Allowed) const
    {
        return logits(row, index, frames, blank)[static_cast<std::size_t>(row[index])];
    }
    [[nodiscard]] float logProbabilityOf(const Tokens &row, std::size_t index, std::int64_t frames) const
    {
        return referenceLogProbabilities(logits(row, index, frames))[static_cast<std::size_t>(row[index])];
    }
    [[nodiscard]] std::int32_t mostProbable(const Tokens &row, std::size_t length, std::int64_t frames, Blank blank = Blank::Allowed) const
    {
        return referenceTopK(logits(row, length, frames, blank), 1).front();
    }

  private:
    LogitsFunction m_function;
    ReferenceSettings m_settings;
};

// Algorithm 1, and the released greedy decoders.
class ReferenceGreedy {
  public:
    ReferenceGreedy(LogitsFunction function, ReferenceSettings settings)
        : m_settings(std::move(settings))
        , m_model(std::move(function), m_settings)
        , m_row(m_settings.prompt)
    {
    }

    // A new chunk has been encoded, `frames` in all. Returns the row with its prompt.
    const Tokens &chunk(std::int64_t frames)
    {
        if (m_settings.rule == captions::StabilityRule::Paper) {
            paper(frames);
        } else {
            released(frames);
        }
        m_frames_before = frames;
        return m_row;
    }

  private:
    void paper(std::int64_t frames)
    {
        const auto spoken = m_row.size() - m_settings.prompt.size();
        for (std::size_t index = m_row.size() - std::min(spoken, static_cast<std::size_t>(m_settings.look_back)); index < m_row.size(); ++index) {
            const bool no_less_probable = m_model.logProbabilityOf(m_row, index, frames) >= m_model.logProbabilityOf(m_row, index, m_frames_before);  // (18)
            const bool most_probable = m_model.mostProbable(m_row, index, frames) == m_row[index];                                                    // (19)
            if (!no_less_probable && !most_probable) {
                m_row.resize(index);
            }
        }
        for (int call = 0; call < m_settings.most_calls && m_row.size() < m_settings.most_tokens; ++call) {
            const std::int32_t next = m_model.mostProbable(m_row, m_row.size(), frames);
            if (next == m_settings.end_token) {
                return;
            }
            m_row.push_back(next);
        }
    }

    void released(std::int64_t frames)
    {
        const bool first_chunk = m_frames_before == 0;
        bool completed = false;
        std::size_t length_at_last_call = m_row.size();
        for (int call = 0; call < m_settings.most_calls && !completed && m_row.size() < m_settings.most_tokens; ++call) {
            const std::size_t length = length_at_last_call = m_row.size();
            const auto blank = length == m_settings.prompt.size() ? ReferenceModel::Blank::Forbidden : ReferenceModel::Blank::Allowed;
            const std::int32_t next = m_model.mostProbable(m_row, length, frames, blank);
            completed = next == m_settings.end_token;
            bool stable = true;
            if (!first_chunk && call == 0) {
                const std::size_t n = static_cast<std::size_t>(m_settings.look_back);
                for (std::size_t index = std::max<std::size_t>(1, length > n ? length - n : 0); index < length && stable; ++index) {
                    const bool rose = m_model.logitOf(m_row, index, m_frames_before) <= m_model.logitOf(m_row, index, frames, blank);
                    stable = rose || m_model.mostProbable(m_row, index, frames, blank) == m_row[index];
                    if (!stable) {
                        m_row.resize(index);
                    }
                }
            }
            if (stable && !completed) {
                m_row.push_back(next);
            }
        }
        if (m_settings.rule == captions::StabilityRule::ReleasedV1 && !completed) {
            m_row.resize(std::min(m_row.size(), length_at_last_call));
        }
    }

    ReferenceSettings m_settings;
    ReferenceModel m_model;
    Tokens m_row;
    std::int64_t m_frames_before = 0;
};

// Algorithm 2, and the released beam decoders.
class ReferenceBeam {
  public:
    ReferenceBeam(LogitsFunction function, ReferenceSettings settings)
        : m_settings(std::move(settings))
        , m_model(std::move(function), m_settings)
        , m_rows{{m_settings.prompt, 0}}
        , m_width(m_settings.prompt.size())
    {
    }

    // Returns the best row with its prompt, without an end token.
    Tokens chunk(std::int64_t frames)
    {
        Tokens best = m_settings.rule == captions::StabilityRule::Paper ? paper(frames) : released(frames);
        m_frames_before = frames;
        return best;
    }
    [[nodiscard]] std::vector<Tokens> rows() const
    {
        std::vector<Tokens> rows;
        for (const Scored &row : m_rows) {
            rows.push_back(row.tokens);
        }
        return rows;
    }

  private:
    struct Scored {
        Tokens tokens;
        double score = 0;
    };

    Tokens paper(std::int64_t frames)
    {
        for (Scored &row : m_rows) {  // Definition 3
            const auto spoken = row.tokens.size() - m_settings.prompt.size();
            for (std::size_t index = row.tokens.size() - std::min(spoken, static_cast<std::size_t>(m_settings.look_back)); index < row.tokens.size(); ++index) {
                if (!isAmongBest(row.tokens, index, frames)) {
                    row.tokens.resize(index);
                }
            }
        }
        dropRepeated(m_rows);
        bool completed = false;
        for (int call = 0; call < m_settings.most_calls && !completed && longest() < m_settings.most_tokens; ++call) {
            std::vector<Scored> candidates;
            for (const Scored &row : m_rows) {
                double sum = 0;
                for (std::size_t index = m_settings.prompt.size(); index < row.tokens.size(); ++index) {
                    sum += m_model.logProbabilityOf(row.tokens, index, frames);
                }
                addCandidates(candidates, row.tokens, row.tokens.size(), sum, m_settings.beam, frames, ReferenceModel::Blank::Allowed);
            }
            m_rows = best(std::move(candidates));
            completed = std::any_of(m_rows.begin(), m_rows.end(), [this](const Scored &row) { return row.tokens.back() == m_settings.end_token; });
        }
        for (Scored &row : m_rows) {
            std::erase(row.tokens, m_settings.end_token);
        }
        const Tokens most_probable = m_rows.front().tokens;  // best() has put them in order; the first chunk's lone row is the best too
        dropRepeated(m_rows);
        return most_probable;
    }

    Tokens released(std::int64_t frames)
    {
        const bool first_chunk = m_frames_before == 0;
        bool completed = false;
        std::size_t width_at_last_call = m_width;
        for (int call = 0; call < m_settings.most_calls && !completed && m_width < m_settings.most_tokens; ++call) {
            const auto blank = m_width == m_settings.prompt.size() ? ReferenceModel::Blank::Forbidden : ReferenceModel::Blank::Allowed;
            std::vector<Scored> candidates;
            for (const Scored &row : m_rows) {
                std::size_t last = lastSpoken(row.tokens);
                if (!first_chunk && call == 0) {
                    const std::size_t n = static_cast<std::size_t>(m_settings.look_back), least = m_settings.prompt.size() - 1;
                    for (std::size_t p = std::max(last > n ? last - n : 0, least); p < last; ++p) {
                        const bool fell = m_model.logitOf(row.tokens, p + 1, m_frames_before) > m_model.logitOf(row.tokens, p + 1, frames);
                        if (!isAmongBest(row.tokens, p + 1, frames) || (m_settings.rule == captions::StabilityRule::ReleasedV2 && fell)) {
                            last = p;
                        }
                    }
                }
                double sum = 0;  // the token at `last` itself is left out, as released
                for (std::size_t index = m_settings.prompt.size(); index + 1 <= last; ++index) {
                    sum += m_model.logProbabilityOf(row.tokens, index, frames);
                }
                addCandidates(candidates, row.tokens, last + 1, sum, m_settings.beam + 1, frames, blank);
            }
            m_rows = best(std::move(candidates));
            width_at_last_call = m_width;
            m_width = std::max(m_width, longest());
            completed = std::any_of(m_rows.begin(), m_rows.end(), [this](const Scored &row) { return row.tokens.back() == m_settings.end_token; });
        }
        if (m_settings.rule == captions::StabilityRule::ReleasedV1) {
            for (Scored &row : m_rows) {
                row.tokens.resize(std::min(row.tokens.size(), width_at_last_call));
            }
            m_width = width_at_last_call;
        }
        const auto mean = [this](const Scored &row) {
            return row.score / static_cast<double>(std::max<std::size_t>(1, lastSpoken(row.tokens) + 1 - m_settings.prompt.size()));
        };
        const Scored *chosen = &m_rows.front();
        for (const Scored &row : m_rows) {
            if (mean(row) > mean(*chosen)) {
                chosen = &row;
            }
        }
        return Tokens(chosen->tokens.begin(), chosen->tokens.begin() + static_cast<std::ptrdiff_t>(lastSpoken(chosen->tokens) + 1));
    }

    [[nodiscard]] bool isAmongBest(const Tokens &row, std::size_t index, std::int64_t frames) const
    {
        const Tokens top = referenceTopK(m_model.logits(row, index, frames), m_settings.beam);
        return std::find(top.begin(), top.end(), row[index]) != top.end();
    }
    // The index of the last token before an end token; never before the prompt's last.
    [[nodiscard]] std::size_t lastSpoken(const Tokens &row) const
    {
        const auto end = std::find(row.begin() + static_cast<std::ptrdiff_t>(m_settings.prompt.size()), row.end(), m_settings.end_token);
        return static_cast<std::size_t>(end - row.begin()) - 1;
    }
    [[nodiscard]] std::size_t longest() const
    {
        std::size_t length = 0;
        for (const Scored &row : m_rows) {
            length = std::max(length, row.tokens.size());
        }
        return length;
    }
    void addCandidates(std::vector<Scored> &candidates, const Tokens &row, std::size_t length, double sum, int count, std::int64_t frames,
                       ReferenceModel::Blank blank) const
    {
        const std::vector<float> log_probabilities = referenceLogProbabilities(m_model.logits(row, length, frames, blank));
        for (const std::int32_t token : referenceTopK(log_probabilities, count)) {
            const double log_probability = log_probabilities[static_cast<std::size_t>(token)];
            if (std::isinf(log_probability)) {
                continue;
            }
            Tokens longer(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(length));
            longer.push_back(token);
            candidates.push_back({std::move(longer), sum + log_probability});
        }
    }
    static void dropRepeated(std::vector<Scored> &rows)
    {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            for (std::size_t k = rows.size() - 1; k > i; --k) {
                if (rows[k].tokens == rows[i].tokens) {
                    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(k));
                }
            }
        }
    }
    [[nodiscard]] std::vector<Scored> best(std::vector<Scored> candidates) const
    {
        dropRepeated(candidates);
        std::stable_sort(candidates.begin(), candidates.end(), [](const Scored &a, const Scored &b) { return a.score > b.score; });
        candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(m_settings.beam)));
        return candidates;
    }

    ReferenceSettings m_settings;
    ReferenceModel m_model;
    std::vector<Scored> m_rows;
    std::size_t m_width;
    std::int64_t m_frames_before = 0;
};

}  // namespace braid::test
