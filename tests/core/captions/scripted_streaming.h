// A causal model with a script, for the streaming policy: it says a word's tokens once the word has ended, may mishear the newest ones until
// more is heard, and hears only what its window holds. And the speaker's sound: loud in words, nearly silent between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/captions/streaming_recognizer.h"
#include "tests/core/captions/scripted_speech.h"
#include "tests/core/captions/scripted_tokens.h"

namespace braid::test {

// What the model makes of a word of which its window holds less than half.
enum class CutWord { Unheard = 1, SecondHalf, Whole };

struct StreamingHearing {
    Sample unsure_samples = 0;     // words that ended so shortly ago may be misheard
    double wrong_probability = 0;  // each of those, anew with every chunk
    Sample delay_samples = 0;      // how long after its end a word is said
    CutWord cut_word = CutWord::SecondHalf;
    Sample maximum_samples = samplesFromSeconds(30);
    Sample frame_samples = 320;  // 640 with every second frame, as in the models that ship
    std::int64_t maximum_tokens = 448;
    float log_probability = -0.01f;       // of every token it says
    float silence_log_probability = -20;  // of having nothing to say at all, where there is something
};

class ScriptedStreamingRecognizer final : public captions::StreamingRecognizer {
  public:
    static constexpr std::int32_t kEnd = 0, kStart = 2;

    explicit ScriptedStreamingRecognizer(Script script, StreamingHearing hearing_now = {})
        : hearing(hearing_now)
        , m_script(std::move(script))
    {
    }

    void begin(const captions::Chunking &chunking, Sample start) override
    {
        m_chunking = chunking;
        m_start = start;
        m_heard = m_boundary = m_frames = 0;
        m_ends.clear();
        ++windows;
        starts.push_back(start);
    }
    void setChunk(Sample chunk_samples) override { m_chunking.chunk_samples = chunk_samples; }
    void addSound(std::span<const float> sound) override { m_heard += static_cast<Sample>(sound.size()); }
    int blocksReady() const override
    {
        int blocks = 0;
        for (Sample boundary = nextAfter(m_boundary); boundary / frameSamples() * frameSamples() + lookAheadSamples() <= m_heard;
             boundary += m_chunking.chunk_samples) {
            ++blocks;
        }
        return blocks;
    }
    void encodeBlock() override
    {
        if (blocksReady() < 1) {
            throw std::logic_error("a block was asked for before it was heard");
        }
        m_boundary = nextAfter(m_boundary);
        encodeUntil(m_boundary / frameSamples());
    }
    void encodeRest() override
    {
        const std::int64_t end = (m_heard + frameSamples() - 1) / frameSamples();
        if (end > m_frames) {
            encodeUntil(end);
        }
    }
    std::int64_t frames() const override { return m_frames; }
    std::int64_t maximumFrames() const override { return hearing.maximum_samples / frameSamples(); }
    std::int64_t maximumTokens() const override { return hearing.maximum_tokens; }
    Sample frameSamples() const override { return hearing.frame_samples; }
    Sample lookAheadSamples() const override { return 360; }
    captions::Chunking defaultChunking() const override { return {frameSamples(), samplesFromMs(600), samplesFromMs(300), own_reencode_samples}; }
    [[nodiscard]] const captions::Chunking &chunking() const { return m_chunking; }  // it was begun with
    captions::EncoderState encoderState() const override
    {
        captions::EncoderState state;
        state.window_start_sample = m_start;
        state.block_ends = m_ends;
        state.maximum_frames = static_cast<std::int32_t>(maximumFrames());
        return state;
    }

    std::vector<captions::RowScores> score(const captions::ScoreRequest &request) override
    {
        ++m_passes;
        const std::vector<Planned> plan = planned();
        std::vector<captions::RowScores> all;
        for (std::size_t r = 0; r < request.rows.size(); ++r) {
            const std::vector<std::int32_t> &row = request.rows[r];
            if (static_cast<std::int64_t>(row.size()) > maximumTokens()) {
                throw std::logic_error("a row holds more than the model takes");
            }
            const std::vector<std::size_t> places = placesOf(row, plan);
            captions::RowScores scores;
            scores.first_position = request.first_positions[r];
            for (std::size_t p = scores.first_position; p < row.size(); ++p) {
                const std::size_t place = p == 0 ? 0 : places[p];
                const std::int32_t next = place < plan.size() ? plan[place].id : kEnd;
                captions::NextScores at;
                at.best.push_back({next, 8, next == kEnd ? -0.01f : hearing.log_probability});
                if (p == 0 && next != kEnd && request.best > 1 && hearing.silence_log_probability > -7) {
                    at.best.push_back({kEnd, 2, hearing.silence_log_probability});
                }
                for (std::int32_t other = 3; static_cast<int>(at.best.size()) < request.best; ++other) {
                    if (other != next) {
                        at.best.push_back({other, 1, -7});
                    }
                }
                at.actual = {-1, 0, 0};
                if (p + 1 < row.size()) {
                    at.actual = row[p + 1] == next ? at.best.front() : captions::TokenScore{row[p + 1], 0, -9};
                }
                scores.next.push_back(std::move(at));
                if (request.attention == AttentionWanted::Yes) {
                    std::vector<float> attention(static_cast<std::size_t>(m_frames), 0.0f);
                    const Sample attended = place < plan.size() ? plan[place].attended_sample - m_start : m_frames * frameSamples() - 1;
                    attention[static_cast<std::size_t>(std::clamp<Sample>(attended / frameSamples(), 0, m_frames - 1))] = 1;
                    scores.attention.insert(scores.attention.end(), attention.begin(), attention.end());
                }
            }
            all.push_back(std::move(scores));
        }
        return all;
    }
    int decoderPasses() const override { return m_passes; }

    std::vector<std::int32_t> prompt(std::string_view previous_text) override
    {
        prompts.emplace_back(previous_text);
        return {kStart};
    }
    std::int32_t endToken() const override { return kEnd; }
    std::vector<text::Word> words(std::span<const text::Token> tokens) const override { return wordsAtSpaces(tokens); }
    std::string textOf(std::int32_t token_id) const override { return m_tokens.textOf(token_id); }

    Sample own_reencode_samples = 0;
    StreamingHearing hearing;  // may change on the way
    int windows = 0;
    std::vector<Sample> starts;
    std::vector<std::string> prompts;
    std::int64_t encoded_frames = 0;  // in all windows
    bool loops = false;               // says " uh" for ever in place of what is said
    bool silent = false;              // says nothing
    int numb_window = -1;             // in this window it says no word that ends after `numb_from`
    Sample numb_from = 0;
    int retelling_window = -1;  // in this window, from `retelling_from` on, it tells once more what it heard up to eight seconds before, and nothing new
    Sample retelling_from = 0;

  private:
    struct Planned {
        std::int32_t id = 0;
        Sample attended_sample = 0;
    };

    [[nodiscard]] Sample nextAfter(Sample boundary) const { return boundary == 0 ? m_chunking.first_samples : boundary + m_chunking.chunk_samples; }
    void encodeUntil(std::int64_t end)
    {
        if (end > maximumFrames()) {
            throw std::logic_error("a window was to hold more than the model takes");
        }
        encoded_frames += end - m_frames;
        m_frames = end;
        m_ends.push_back(static_cast<std::int32_t>(end));
    }

    // What the model would say of this window's sound.
    std::vector<Planned> planned()
    {
        std::vector<Planned> plan;
        if (silent) {
            return plan;
        }
        const Sample until = m_start + m_frames * frameSamples();
        if (loops) {
            return std::vector<Planned>(1000, {m_tokens.idOf(" uh"), until - 1});
        }
        auto word = std::lower_bound(m_script.begin(), m_script.end(), m_start,
                                     [](const SpokenWord &spoken_word, Sample sample) { return spoken_word.end_sample <= sample; });
        for (; word != m_script.end() && word->end_sample + hearing.delay_samples <= until; ++word) {
            if ((windows == numb_window && word->end_sample > numb_from) || (windows == retelling_window && word->end_sample > retelling_from)) {
                break;
            }
            std::string text = " " + word->text;
            const Sample inside = word->end_sample - std::max(m_start, word->start_sample);
            if (2 * inside < word->end_sample - word->start_sample) {
                if (hearing.cut_word == CutWord::Unheard) {
                    continue;
                }
                if (hearing.cut_word == CutWord::SecondHalf) {
                    text = " " + word->text.substr(word->text.size() / 2);
                }
            }
            const bool is_unsure = word->end_sample > until - hearing.unsure_samples;
            if (is_unsure && chance(word->start_sample, m_frames) < hearing.wrong_probability) {
                plan.push_back({3 + static_cast<std::int32_t>(word->start_sample % 3), word->end_sample - 1});
                continue;
            }
            for (const ScriptedPiece &piece : piecesOf(text, word->start_sample, word->end_sample)) {
                plan.push_back({m_tokens.idOf(piece.text), piece.attended_sample});
            }
        }
        if (windows == retelling_window && until > retelling_from) {
            std::vector<Planned> again;  // from the beginning of a word on
            for (const Planned &token : plan) {
                const bool is_heard_then =
                    token.attended_sample > retelling_from - samplesFromSeconds(8) && token.attended_sample < retelling_from - samplesFromSeconds(3);
                if (is_heard_then && (!again.empty() || m_tokens.textOf(token.id).starts_with(' '))) {
                    again.push_back(token);
                }
            }
            plan.insert(plan.end(), again.begin(), again.end());
        }
        return plan;
    }

    // For every prefix of the row (without its prompt): how much of the plan it has told, by the cheapest alignment.
    std::vector<std::size_t> placesOf(const std::vector<std::int32_t> &row, const std::vector<Planned> &plan) const
    {
        std::vector<std::size_t> places = {0};
        bool follows = true;  // the usual case: the row is the beginning of the plan
        for (std::size_t i = 1; follows && i < row.size(); ++i) {
            follows = i - 1 < plan.size() && plan[i - 1].id == row[i];
            if (follows) {
                places.push_back(i);
            }
        }
        if (follows) {
            return places;
        }
        places = {0};
        std::vector<int> cost(plan.size() + 1);
        for (std::size_t k = 0; k < cost.size(); ++k) {
            cost[k] = static_cast<int>(k);
        }
        for (std::size_t i = 1; i < row.size(); ++i) {
            int diagonal = cost[0]++;
            for (std::size_t k = 1; k < cost.size(); ++k) {
                const int best = std::min({diagonal + (plan[k - 1].id == row[i] ? 0 : 1), cost[k] + 1, cost[k - 1] + 1});
                diagonal = std::exchange(cost[k], best);
            }
            std::size_t place = 0;
            for (std::size_t k = 1; k < cost.size(); ++k) {
                place = cost[k] <= cost[place] ? k : place;
            }
            places.push_back(place);
        }
        return places;
    }

    static double chance(Sample word, std::int64_t frames)
    {
        std::uint64_t x = static_cast<std::uint64_t>(word) * 0x9E3779B97F4A7C15ull + static_cast<std::uint64_t>(frames) * 0xBF58476D1CE4E5B9ull;
        x = (x ^ (x >> 29)) * 0x94D049BB133111EBull;
        return static_cast<double>((x ^ (x >> 32)) & 0xFFFFFF) / 0x1000000;
    }

    Script m_script;
    captions::Chunking m_chunking;
    Sample m_start = 0;
    Sample m_heard = 0;
    Sample m_boundary = 0;
    std::int64_t m_frames = 0;
    std::vector<std::int32_t> m_ends;
    int m_passes = 0;
    ScriptedTokens m_tokens{{"<end>", "<pad>", "<start>", " uh", " er", " hm"}};
};

// The sound of [from, until): a tone in words, a faint one between them.
inline std::vector<float> soundOf(const Script &script, Sample from, Sample until)
{
    std::vector<float> sound(static_cast<std::size_t>(until - from), 0.0f);
    for (std::size_t i = 0; i < sound.size(); ++i) {
        sound[i] = (i % 2 == 0 ? 0.0005f : -0.0005f);
    }
    auto word =
        std::lower_bound(script.begin(), script.end(), from, [](const SpokenWord &spoken_word, Sample sample) { return spoken_word.end_sample <= sample; });
    for (; word != script.end() && word->start_sample < until; ++word) {
        for (Sample at = std::max(from, word->start_sample); at < std::min(until, word->end_sample); ++at) {
            sound[static_cast<std::size_t>(at - from)] = at % 8 < 4 ? 0.1f : -0.1f;
        }
    }
    return sound;
}

}  // namespace braid::test
