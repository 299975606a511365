// A speaker with a script, and two recognisers that hear it: what the caption policies are tested with. The sound itself is silent; the
// recognisers know from its place on the session clock what is said there.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/captions/recognizer.h"
#include "core/metrics/text_normaliser.h"
#include "core/metrics/word_error_rate.h"
#include "tests/core/captions/scripted_tokens.h"

namespace braid::test {

struct SpokenWord {
    std::string text;
    Sample start_sample = 0;
    Sample end_sample = 0;
};
using Script = std::vector<SpokenWord>;

// "one two  three": words of 300 ms, 100 ms apart, from `start`; a further space is a further pause of 500 ms.
inline Script spoken(const std::string &text, Sample start = samplesFromMs(200), Sample word_samples = samplesFromMs(300), Sample pause = samplesFromMs(100))
{
    Script script;
    std::string word;
    const auto finish = [&] {
        if (word.empty()) {
            start += samplesFromMs(500);
            return;
        }
        script.push_back({word, start, start + word_samples});
        start += word_samples + pause;
        word.clear();
    };
    for (const char c : text) {
        if (c == ' ') {
            finish();
        } else {
            word += c;
        }
    }
    finish();
    return script;
}

// A random talk of few different words, so that the same ones often stand side by side.
inline Script randomTalk(std::mt19937 &random, std::size_t words, Sample start, std::size_t vocabulary = 6)
{
    Script script;
    const std::vector<std::string> known = {"that", "you", "can", "ask", "country", "fellow", "what", "Americans", "do", "for", "and", "it's"};
    for (std::size_t i = 0; i < words; ++i) {
        std::string text = known[random() % std::min(vocabulary, known.size())];
        if (random() % 9 == 0) {
            text += random() % 2 == 0 ? "." : ",";
        }
        const Sample length = samplesFromMs(120 + random() % 400);
        script.push_back({text, start, start + length});
        start += length + samplesFromMs(random() % 4 == 0 ? 300 + random() % 400 : random() % 80);
    }
    return script;
}

// Spoken words of which at least half lies inside [start, until).
inline Script heardWords(const Script &script, Sample start, Sample until)
{
    Script heard;
    auto word =
        std::lower_bound(script.begin(), script.end(), start, [](const SpokenWord &spoken_word, Sample sample) { return spoken_word.end_sample < sample; });
    for (; word != script.end() && word->start_sample < until; ++word) {
        if (2 * (std::min(word->end_sample, until) - std::max(word->start_sample, start)) >= word->end_sample - word->start_sample) {
            heard.push_back(*word);
        }
    }
    return heard;
}

// How well the recognisers hear.
struct Hearing {
    Sample unsure_samples = 0;            // words that end within this of the end of the sound may come out wrong
    double wrong_probability = 0;         // each of those
    double inserted_probability = 0;      // a word that nobody said, behind an unsure one
    double changed_case_probability = 0;  // the same word in capitals and with a comma
    Sample time_jitter_samples = 0;
};

class ScriptedWindowRecognizer final : public captions::WindowRecognizer {
  public:
    ScriptedWindowRecognizer(Script script, Hearing hearing = {}, Sample maximum_samples = samplesFromSeconds(30), unsigned seed = 1)
        : m_script(std::move(script))
        , m_hearing(hearing)
        , m_maximum(maximum_samples)
        , m_random(seed)
    {
    }

    captions::Hypothesis recognize(const captions::RecognitionRequest &request) override
    {
        requests.push_back({request.start_sample, static_cast<Sample>(request.sound.size()), request.previous_text});
        captions::Hypothesis hypothesis;
        hypothesis.decoder_steps = 1;
        const Sample until = request.start_sample + static_cast<Sample>(request.sound.size());
        for (const SpokenWord &spoken_word : heardWords(m_script, request.start_sample, until)) {
            const bool unsure = spoken_word.end_sample > until - m_hearing.unsure_samples;
            std::string text = spoken_word.text;
            if (unsure && chance(m_hearing.wrong_probability)) {
                text = "wrong" + std::to_string(m_made_up++);
            } else if (chance(m_hearing.changed_case_probability)) {
                text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
            }
            hypothesis.words.push_back(word(text, spoken_word.start_sample + jitter(), spoken_word.end_sample + jitter(), request.start_sample, until));
        }
        if (!hypothesis.words.empty() && hypothesis.words.back().end_sample > until - m_hearing.unsure_samples && chance(m_hearing.inserted_probability)) {
            hypothesis.words.push_back(word("extra" + std::to_string(m_made_up++), until - samplesFromMs(150), until, request.start_sample, until));
        }
        for (std::size_t i = 1; i < hypothesis.words.size(); ++i) {  // in order, as the interface promises
            hypothesis.words[i].start_sample = std::max(hypothesis.words[i].start_sample, hypothesis.words[i - 1].start_sample);
        }
        return hypothesis;
    }

    Sample maximumSamples() const override { return m_maximum; }

    struct Request {
        Sample start_sample = 0;
        Sample length = 0;
        std::string previous_text;
    };
    std::vector<Request> requests;

  private:
    static text::Word word(const std::string &text, Sample start, Sample end, Sample earliest, Sample until)
    {
        text::Word word;
        word.text = text;
        word.start_sample = std::clamp(start, earliest, until - 1);
        word.end_sample = std::clamp(end, word.start_sample, until);
        word.probability = 0.9f;
        return word;
    }
    bool chance(double probability) { return std::uniform_real_distribution<>(0, 1)(m_random) < probability; }
    Sample jitter()
    {
        return m_hearing.time_jitter_samples == 0
                   ? 0
                   : static_cast<Sample>(m_random() % static_cast<unsigned>(2 * m_hearing.time_jitter_samples)) - m_hearing.time_jitter_samples;
    }

    Script m_script;
    Hearing m_hearing;
    Sample m_maximum;
    std::mt19937 m_random;
    int m_made_up = 0;
};

// Says the script token by token (three letters each) and attends to where each token is said.
class ScriptedStepDecoder final : public captions::StepDecoder {
  public:
    explicit ScriptedStepDecoder(Script script, Hearing hearing = {}, Sample maximum_samples = samplesFromSeconds(30), unsigned seed = 1)
        : m_script(std::move(script))
        , m_hearing(hearing)
        , m_maximum(maximum_samples)
        , m_random(seed)
    {
    }

    void setSound(std::span<const float> sound, Sample start_sample) override
    {
        ++encodings;
        longest_sound = std::max(longest_sound, static_cast<Sample>(sound.size()));
        m_start = start_sample;
        m_until = start_sample + static_cast<Sample>(sound.size());
        m_plan.clear();
        for (const SpokenWord &word : heardWords(m_script, m_start, m_until)) {
            const bool unsure = word.end_sample > m_until - m_hearing.unsure_samples;
            planWord(unsure && chance(m_hearing.wrong_probability) ? "wrong" + std::to_string(m_made_up++) : word.text, word.start_sample, word.end_sample);
        }
        if (!m_plan.empty() && m_plan.back().attended_sample > m_until - m_hearing.unsure_samples && chance(m_hearing.inserted_probability)) {
            planWord("extra" + std::to_string(m_made_up++), m_until - samplesFromMs(100), m_until);
        }
    }

    void begin(std::string_view previous_text, std::span<const std::int32_t> forced_tokens) override
    {
        prompts.emplace_back(previous_text);
        m_tokens.assign(forced_tokens.begin(), forced_tokens.end());
        m_forced = forced_tokens.size();
    }

    captions::DecodedStep next() override
    {
        captions::DecodedStep step;
        step.attention.assign(static_cast<std::size_t>(frames()), 0.0f);
        if (m_tokens.size() >= m_plan.size()) {
            step.is_end = true;
            return step;
        }
        const ScriptedPiece &planned = m_plan[m_tokens.size()];
        step.token = {m_token_texts.idOf(planned.text), planned.text, 0.5f, {}};
        if (!step.attention.empty()) {
            const Sample frame = (attended_override >= 0 ? attended_override : planned.attended_sample - m_start) / frameSamples();
            step.attention[static_cast<std::size_t>(std::clamp<Sample>(frame, 0, frames() - 1))] = 1.0f;
        }
        return step;
    }

    void accept(std::int32_t token_id) override { m_tokens.push_back(token_id); }
    void retract(int count) override { m_tokens.resize(std::max(m_forced, m_tokens.size() - static_cast<std::size_t>(count))); }
    int frames() const override { return static_cast<int>((m_until - m_start) / frameSamples()); }
    Sample frameSamples() const override { return 320; }
    Sample maximumSamples() const override { return m_maximum; }

    std::vector<text::Word> words(std::span<const text::Token> tokens) const override { return wordsAtSpaces(tokens); }

    std::string textOf(std::span<const std::int32_t> token_ids) const override
    {
        std::string text;
        for (const std::int32_t id : token_ids) {
            text += m_token_texts.textOf(id);
        }
        return text;
    }

    int encodings = 0;
    Sample longest_sound = 0;
    std::vector<std::string> prompts;
    Sample attended_override = -1;  // every token attends here, counted from the start of the sound

  private:
    void planWord(const std::string &word, Sample start, Sample end)
    {
        const std::vector<ScriptedPiece> pieces = piecesOf(" " + word, start, end);
        m_plan.insert(m_plan.end(), pieces.begin(), pieces.end());
    }

    bool chance(double probability) { return std::uniform_real_distribution<>(0, 1)(m_random) < probability; }

    Script m_script;
    Hearing m_hearing;
    Sample m_maximum;
    std::mt19937 m_random;
    int m_made_up = 0;
    Sample m_start = 0;
    Sample m_until = 0;
    std::vector<ScriptedPiece> m_plan;
    std::vector<std::int32_t> m_tokens;
    std::size_t m_forced = 0;
    ScriptedTokens m_token_texts;
};

// What a policy said in the end, and whether it kept its promises on the way.
struct Listener {
    std::vector<text::Word> committed;
    std::vector<text::Word> tail;
    std::string broken_promise;  // empty: none

    void take(const captions::PolicyUpdate &update, Sample utterance_start, Sample heard)
    {
        Sample at = committed.empty() ? utterance_start : std::max(utterance_start, committed.back().end_sample);
        const auto check = [&](const text::Word &word, const char *where) {
            if (word.start_sample < at || word.end_sample < word.start_sample || word.end_sample > heard) {
                broken_promise = std::string(where) + " \"" + word.text + "\" out of order or outside the sound";
            }
            if (word.first_seen_sample > heard || word.first_seen_sample < utterance_start) {
                broken_promise = std::string(where) + " \"" + word.text + "\" first seen when nobody could have seen it";
            }
            at = word.end_sample;
        };
        for (const text::Word &word : update.committed) {
            check(word, "committed");
            if (word.committed_sample <= 0 || word.committed_sample > heard || word.committed_sample < word.first_seen_sample) {
                broken_promise = "committed \"" + word.text + "\" at an impossible time";
            }
            committed.push_back(word);
        }
        for (const text::Word &word : update.tail) {
            check(word, "tail");
            if (word.committed_sample != 0) {
                broken_promise = "a tail word says it is committed";
            }
        }
        if (update.decoded_until_sample > heard) {
            broken_promise = "has decoded what was not heard";
        }
        tail = update.tail;
    }

    [[nodiscard]] std::string text() const { return joined(committed); }
    [[nodiscard]] std::string tailText() const { return joined(tail); }

    static std::string joined(const std::vector<text::Word> &words)
    {
        std::string text;
        for (const text::Word &word : words) {
            text += (text.empty() || word.starts_without_space ? "" : " ") + word.text;
        }
        return text;
    }
};

inline std::string joined(const Script &script)
{
    std::string text;
    for (const SpokenWord &word : script) {
        text += (text.empty() ? "" : " ") + word.text;
    }
    return text;
}

// How the committed words differ from the spoken ones, each difference with the words around it; empty: not at all (but for case and punctuation).
inline std::string difference(const Script &script, const std::vector<text::Word> &committed)
{
    const std::vector<std::string> spoken_words = metrics::normalisedWords(joined(script)), heard_words = metrics::normalisedWords(Listener::joined(committed));
    std::string out;
    if (spoken_words == heard_words) {
        return out;
    }
    for (const metrics::Edit &edit : metrics::alignWords(spoken_words, heard_words)) {
        if (edit.kind == metrics::EditKind::Same) {
            continue;
        }
        out += edit.kind == metrics::EditKind::Insertion ? "\ninserted" : edit.kind == metrics::EditKind::Deletion ? "\ndeleted" : "\nreplaced";
        out += " at word " + std::to_string(edit.reference_index) + ":";
        const auto around = [&](const std::vector<std::string> &words, std::size_t at) {
            for (std::size_t i = at < 4 ? 0 : at - 4; i < std::min(words.size(), at + 4); ++i) {
                out += (i == at ? " >" : " ") + words[i];
            }
        };
        around(spoken_words, edit.reference_index);
        out += " |";
        around(heard_words, edit.hypothesis_index);
    }
    return out;
}

// Speaks from `start` to `until` in steps of the policy, as the engine does.
inline void listen(captions::CaptionPolicy &policy, Listener &listener, Sample utterance_start, Sample from, Sample until, Sample step = 0)
{
    if (step == 0) {
        step = policy.stepSamples();
    }
    const std::vector<float> silence(static_cast<std::size_t>(step), 0.0f);
    for (Sample at = from; at < until;) {
        const Sample piece = std::min(step, until - at);
        policy.addSound(std::span(silence).first(static_cast<std::size_t>(piece)));
        at += piece;
        if (piece == step) {
            listener.take(policy.step(), utterance_start, at);
        }
    }
}

inline Listener hearAll(captions::CaptionPolicy &policy, Sample start, Sample until, Sample step = 0)
{
    Listener listener;
    policy.beginUtterance(start);
    listen(policy, listener, start, start, until, step);
    listener.take(policy.endUtterance(), start, until);
    return listener;
}

}  // namespace braid::test
