// A translator that speaks French by heart, for the Translation page: it knows some English sentences with their word order, writes a word only from
// what it has read, and looks where the word comes from. And a source of translation events for tests without an engine.
#pragma once

#include <chrono>
#include <cmath>
#include <map>
#include <random>
#include <thread>

#include "tests/core/translation/scripted_translator.h"
#include "tests/ui/fakes.h"
#include "ui/translation/bilingual_text.h"

namespace braid::ui::test {

struct LearntWord {
    std::string text;
    int from = 0;  // unit of the source it comes from
};
struct LearntSentence {
    std::string source;
    std::vector<LearntWord> target;
};

inline const std::vector<LearntSentence> &learntSentences()
{
    static const std::vector<LearntSentence> sentences = {
        {"The birch canoe slid on the smooth planks.",
         {{"Le", 0}, {"cano\u00eb", 2}, {"de", 1}, {"bouleau", 1}, {"glissait", 3}, {"sur", 4}, {"les", 5}, {"planches", 7}, {"lisses.", 6}}},
        {"Glue the sheet to the dark blue background.",
         {{"Collez", 0}, {"la", 1}, {"feuille", 2}, {"sur", 3}, {"le", 4}, {"fond", 7}, {"bleu", 6}, {"fonc\u00e9.", 5}}},
        {"It is easy to tell the depth of a well, even for those who have never seen one before.",
         {{"Il", 0},
          {"est", 1},
          {"facile", 2},
          {"de", 3},
          {"dire", 4},
          {"la", 5},
          {"profondeur", 6},
          {"d\u2019un", 8},
          {"puits,", 9},
          {"m\u00eame", 10},
          {"pour", 11},
          {"ceux", 12},
          {"qui", 13},
          {"n\u2019en", 17},
          {"ont", 14},
          {"jamais", 15},
          {"vu", 16},
          {"auparavant.", 18}}},
        {"These days a chicken leg is a rare dish.",
         {{"De", 0}, {"nos", 0}, {"jours,", 1}, {"une", 2}, {"cuisse", 4}, {"de", 3}, {"poulet", 3}, {"est", 5}, {"un", 6}, {"plat", 8}, {"rare.", 7}}},
        {"Rice is often served in round bowls.",
         {{"Le", 0}, {"riz", 0}, {"est", 1}, {"souvent", 2}, {"servi", 3}, {"dans", 4}, {"des", 5}, {"bols", 6}, {"ronds.", 5}}},
        {"The juice of lemons makes fine punch.", {{"Le", 0}, {"jus", 1}, {"de", 2}, {"citron", 3}, {"fait", 4}, {"un", 5}, {"bon", 5}, {"punch.", 6}}},
    };
    return sentences;
}

class FrenchByHeart : public braid::test::ScriptedTranslator {
  public:
    // `cost_of_rereading`: how often every written token is fed again for each unit read, as re-encoding does.
    explicit FrenchByHeart(int cost_of_rereading = 0)
        : ScriptedTranslator([this](const State &now) { return next(now); })
        , m_rereads(cost_of_rereading)
    {
    }

    translation::PredictedToken predict(AttentionWanted wanted) override
    {
        translation::PredictedToken told = ScriptedTranslator::predict(wanted);
        feed(1);
        const LearntSentence *sentence = learnt();
        const auto position = static_cast<std::size_t>(state.target.size());
        told.token.probability = 0.4F + 0.55F * static_cast<float>(std::fmod(static_cast<double>(position) * 0.37 + 0.2, 1.0));
        told.token.rivals = {{9001, " rival", 0.21F}, {9002, " autre", 0.07F}};
        if (wanted == AttentionWanted::Yes && sentence != nullptr) {
            const int from = position < sentence->target.size() ? sentence->target[position].from : static_cast<int>(state.source.size());
            double sum = 0;
            for (std::size_t column = 0; column < told.attention.size(); ++column) {
                const int unit = static_cast<int>(column) < promptTokens() ? -9 : (static_cast<int>(column) - static_cast<int>(promptTokens())) / 2;
                const double away = unit - from;
                told.attention[column] = static_cast<float>((unit == 0 ? 0.06 : 0.015) + std::exp(-away * away * 1.1));
                sum += static_cast<double>(told.attention[column]);
            }
            for (float &weight : told.attention) {
                weight = static_cast<float>(static_cast<double>(weight) / sum);
            }
        }
        return told;
    }
    void read(std::span<const std::int32_t> tokens) override
    {
        ScriptedTranslator::read(tokens);
        feed(static_cast<std::int64_t>(tokens.size()) + m_rereads * static_cast<std::int64_t>(state.target.size()));
    }
    translation::TranslationCost cost() const override
    {
        translation::TranslationCost cost = ScriptedTranslator::cost();
        cost.tokens_fed = m_fed;
        cost.cache_bytes = static_cast<std::uint64_t>(cost.cache_entries) * 4096;
        return cost;
    }

  private:
    [[nodiscard]] const LearntSentence *learnt() const
    {
        if (state.source.empty()) {
            return nullptr;
        }
        std::string first = state.source.front();
        first.erase(0, first.find_first_not_of(' '));
        const std::string second = state.source.size() > 1 ? state.source[1].substr(1) : std::string();
        for (const LearntSentence &sentence : learntSentences()) {
            if (sentence.source.starts_with(first + " " + second)) {
                return &sentence;
            }
        }
        return nullptr;
    }
    [[nodiscard]] std::string next(const State &now) const
    {
        const LearntSentence *sentence = learnt();
        if (sentence == nullptr) {
            return braid::test::sayInCapitals(now);
        }
        return now.target.size() < sentence->target.size() ? " " + sentence->target[now.target.size()].text : kEnd;
    }
    // A token takes its time, as in a model.
    void feed(std::int64_t tokens)
    {
        m_fed += tokens;
        std::this_thread::sleep_for(std::chrono::microseconds(500) * tokens);
    }
    int m_rereads;
    std::int64_t m_fed = 0;
};

inline std::vector<TranslationModelEntry> translationModels()
{
    return {{QStringLiteral("translate-en-fr"),
             "/models/translate-en-fr",
             QStringLiteral("Qwen3, 4.2 M parameters, English to French"),
             QStringLiteral("en"),
             QStringLiteral("fr"),
             {}},
            {QStringLiteral("half-a-model"),
             "/models/half-a-model",
             QStringLiteral("Llama"),
             {},
             {},
             QStringLiteral("/models/half-a-model: the weights are missing. Fetch the folder again.")}};
}

// The real engine over the translator above; paradigms that re-encode feed more.
inline void addFrench(Services &services)
{
    services.list_translation_models = translationModels;
    services.make_translation_kit = [] {
        TranslationKit kit;
        kit.backend = std::make_unique<TranslationEngineBackend>();
        kit.make_translator = [](const TranslatorChoices &choices) {
            const int rereads = choices.tuning.paradigm.startsWith(QLatin1String("batch-")) ? 1 : 0;
            return translation::Translator{[rereads](const auto &, std::stop_token) { return std::make_unique<FrenchByHeart>(rereads); },
                                           choices.model_name.toStdString() + ", " + describe(choices.tuning).toStdString()};
        };
        return kit;
    };
}

// Remembers what it is told; says nothing by itself.
class ScriptedTranslation : public TranslationBackend {
  public:
    std::uint64_t start(translation::TranslationRunConfig config) override
    {
        settings = config.settings;
        ++starts;
        auto fresh = std::make_shared<translation::TranslationSnapshot>();
        fresh->generation = ++generation;
        fresh->state = runtime::RunState::Loading;
        current = fresh;
        return generation;
    }
    void addText(std::string_view piece) override { text += piece; }
    void addCaptions(std::span<const text::TranscriptItem> items) override { captions += items.size(); }
    void endSentence() override { ++sentence_ends; }
    void endSource() override { ++source_ends; }
    void cancel() override { ++cancels; }
    void adjust(const translation::TranslationSettings &wanted) override { settings = wanted; }
    void changeTranslator(translation::Translator translator) override { translators.push_back(translator.name); }
    [[nodiscard]] std::vector<translation::TranslationEvent> takeEvents() override { return std::exchange(events, {}); }
    [[nodiscard]] std::shared_ptr<const translation::TranslationSnapshot> snapshot() const override { return current; }

    void say(translation::TranslationEventBody body) { events.push_back({generation, std::move(body)}); }
    template <typename Change>
    void show(Change change)
    {
        auto next = std::make_shared<translation::TranslationSnapshot>(*current);
        change(*next);
        current = next;
    }

    int starts = 0;
    int cancels = 0;
    int source_ends = 0;
    int sentence_ends = 0;
    std::size_t captions = 0;
    std::string text;
    translation::TranslationSettings settings;
    std::vector<std::string> translators;
    std::uint64_t generation = 0;
    std::vector<translation::TranslationEvent> events;
    std::shared_ptr<const translation::TranslationSnapshot> current = std::make_shared<translation::TranslationSnapshot>();
};

inline translation::ArrivedUnit unitOf(const std::string &text)
{
    translation::ArrivedUnit unit;
    unit.text = text;
    return unit;
}

// The events of sentences translated with wait-k, `k` units ahead, in the order a session tells them. Some sentences wait behind.
inline std::vector<translation::TranslationSessionEvent> storyOf(int sentences, int waiting, int k = 3, unsigned seed = 7)
{
    std::mt19937 random(seed);
    std::vector<translation::TranslationSessionEvent> story;
    std::vector<int> units;
    for (int sentence = 0; sentence < sentences + waiting; ++sentence) {
        units.push_back(3 + static_cast<int>(random() % 12));
    }
    const auto tellSource = [&](int sentence, int from, int to) {
        if (from == 0) {
            story.emplace_back(translation::SentenceBegan{sentence, sentence / 3});
        }
        translation::UnitsArrived arrived;
        arrived.sentence = sentence;
        for (int unit = from; unit < to; ++unit) {
            arrived.units.push_back(unitOf(std::string(1 + random() % 9, static_cast<char>('a' + unit % 26))));
        }
        story.emplace_back(std::move(arrived));
        if (to == units[static_cast<std::size_t>(sentence)]) {
            story.emplace_back(translation::SourceClosed{sentence});
        }
    };
    // The first sentence grows as it is read; the others are there before their turn.
    tellSource(0, 0, 2);
    tellSource(0, 2, units[0]);
    for (int sentence = 1; sentence < sentences + waiting; ++sentence) {
        tellSource(sentence, 0, units[static_cast<std::size_t>(sentence)]);
    }
    for (int sentence = 0; sentence < sentences; ++sentence) {
        const int end = units[static_cast<std::size_t>(sentence)] + 1;
        const int words = 2 + static_cast<int>(random() % 16);
        int read = 0;
        for (int word = 0; word < words; ++word) {
            while (read < std::min(end, k + word)) {
                story.emplace_back(translation::UnitsRead{sentence, ++read, 0});
            }
            translation::WordWritten written;
            written.sentence = sentence;
            written.word.text = std::string(1 + random() % 11, static_cast<char>('A' + word % 26));
            written.word.read_units = read;
            written.word.attention.assign(static_cast<std::size_t>(read), 0.1F);
            written.word.attention[static_cast<std::size_t>(std::min(word, read - 1))] = 0.8F;
            story.emplace_back(std::move(written));
        }
        story.emplace_back(translation::SentenceEnded{sentence, translation::TranslationEnd::Said, {}, "a translation"});
    }
    return story;
}

inline void takeAll(BilingualText &text, const std::vector<translation::TranslationSessionEvent> &events)
{
    for (const auto &event : events) {
        text.take(event);
    }
    text.announce();
}

}  // namespace braid::ui::test
