// The translation engine: source goes in at any time, words come out in order, settings change while it runs, and nobody waits for the model.
#include <QtTest>

#include <QTemporaryDir>
#include <atomic>
#include <filesystem>
#include <unistd.h>

#include "core/base/error.h"
#include "core/runtime/done_flag.h"
#include "core/translation/translation_engine.h"
#include "core/translation/translation_journal.h"
#include "core/translation/translation_json.h"
#include "tests/core/translation/scripted_translator.h"
#include "tests/support/faults.h"
#include "tests/support/interrupted_run.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::runtime;
using namespace braid::translation;
using namespace std::chrono_literals;
using test::sayInCapitals;
using test::ScriptedTranslator;

namespace {

Translator translator(std::string name = "capitals", ScriptedTranslator::Script script = sayInCapitals)
{
    return {[script = std::move(script)](const auto &, std::stop_token) { return std::make_unique<ScriptedTranslator>(script); }, std::move(name)};
}

// Says a word for every unit read, always the same.
ScriptedTranslator::Script saysAlways(std::string word)
{
    return [word = std::move(word)](const ScriptedTranslator::State &state) {
        return state.target.size() < state.source.size() ? " " + word : state.has_end ? std::string(ScriptedTranslator::kEnd) : std::string(" x");
    };
}

TranslationRunConfig runOf(Translator made, int k = 2)
{
    TranslationRunConfig config;
    config.translator = std::move(made);
    config.settings.wait_k.k = k;
    config.source_name = "test";
    return config;
}

struct Told {
    std::vector<TranslationEvent> events;

    template <typename Body>
    std::vector<Body> all() const
    {
        std::vector<Body> found;
        for (const auto &event : events) {
            if constexpr (std::is_constructible_v<translation::TranslationSessionEvent, Body>) {
                if (const auto *session = std::get_if<translation::TranslationSessionEvent>(&event.body);
                    session != nullptr && std::holds_alternative<Body>(*session)) {
                    found.push_back(std::get<Body>(*session));
                }
            } else if (const auto *body = std::get_if<Body>(&event.body)) {
                found.push_back(*body);
            }
        }
        return found;
    }
    std::string text() const
    {
        std::string text;
        for (const auto &written : all<translation::WordWritten>()) {
            text += (text.empty() ? "" : " ") + written.word.text;
        }
        return text;
    }
};

Told finished(TranslationEngine &engine)
{
    Told told;
    if (!engine.waitUntilFinished(30)) {
        qFatal("the run does not end");
    }
    told.events = engine.takeEvents();
    return told;
}

// Waits until so many words were told; events gather in `told`.
bool waitForWords(TranslationEngine &engine, Told &told, std::size_t words)
{
    for (int i = 0; i < 3000; ++i) {
        for (auto &event : engine.takeEvents()) {
            told.events.push_back(std::move(event));
        }
        if (told.all<translation::WordWritten>().size() >= words) {
            return true;
        }
        std::this_thread::sleep_for(5ms);
    }
    return false;
}

text::Word spoken(std::string word, int from_ms, int to_ms)
{
    text::Word made;
    made.text = std::move(word);
    made.start_sample = samplesFromMs(from_ms);
    made.end_sample = samplesFromMs(to_ms);
    return made;
}

}  // namespace

class TstTranslationEngine : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aRunTellsFromItsStartToItsEnd();
    void sourceMayComeBeforeTheModelIsThere();
    void wordsComeWhileTheSourceGrows();
    void captionsAreTranslatedAsTheyAreCommitted();
    void aSilentSourceEndsItsSentence();
    void aGrowingWordKeepsTheSentenceOpen();
    void kChangesWhileItRuns();
    void theTranslatorChangesWithTheNextSentence();
    void aTranslatorThatCannotBeMadeIsTold();
    void aModelThatFailsEndsTheRunWithASentence();
    void aModelThatCannotBeLoadedEndsTheRunWithASentence();
    void cancellingEndsAtOnce();
    void aNewRunReplacesTheOldOne();
    void aRunIsKeptAsItWas();
    void killedAtAnyMomentNothingToldIsLost();
    void aFolderThatCannotBeMadeIsSaidOnceAndTheRunGoesOn();
    void theSnapshotShowsTheStateOfTheMoment();
    void twoEnginesOverOneSourceSayTheSame();
    void nothingIsAcceptedAfterTheEnd();
    void settingsThatCannotBeAreRefusedAtOnce();
};

void TstTranslationEngine::aRunTellsFromItsStartToItsEnd()
{
    TranslationEngine engine;
    const auto generation = engine.start(runOf(translator()));
    engine.addText("one two. three");
    engine.endSource();
    const Told told = finished(engine);
    QCOMPARE(told.text(), std::string("ONE TWO. THREE"));
    QVERIFY(std::holds_alternative<TranslationStarted>(told.events.front().body));
    QVERIFY(std::holds_alternative<TranslationFinished>(told.events.back().body));
    QCOMPARE(told.all<TranslationStarted>()[0].source, std::string("test"));
    QCOMPARE(told.all<TranslationStarted>()[0].translator, std::string("capitals"));
    QCOMPARE(told.all<TranslationFinished>()[0].statistics.target_words, 3);
    for (const auto &event : told.events) {
        QCOMPARE(event.generation, generation);
    }
}

void TstTranslationEngine::sourceMayComeBeforeTheModelIsThere()
{
    const auto gate = std::make_shared<DoneFlag>();
    TranslationEngine engine;
    engine.start(runOf({[gate](const auto &, std::stop_token) {
                            gate->wait();
                            return std::make_unique<ScriptedTranslator>(sayInCapitals);
                        },
                        "late"}));
    engine.addText("one tw");
    engine.addText("o.");
    engine.endSource();
    QCOMPARE(engine.snapshot()->state, RunState::Loading);
    gate->set();
    QCOMPARE(finished(engine).text(), std::string("ONE TWO."));
}

void TstTranslationEngine::wordsComeWhileTheSourceGrows()
{
    TranslationEngine engine;
    engine.start(runOf(translator(), 1));
    Told told;
    engine.addText("one two three ");
    QVERIFY(waitForWords(engine, told, 2));
    QCOMPARE(told.all<translation::SentenceEnded>().size(), 0U);
    engine.endSentence();
    QVERIFY(waitForWords(engine, told, 3));
    engine.endSource();
    const Told rest = finished(engine);
    told.events.insert(told.events.end(), rest.events.begin(), rest.events.end());
    QCOMPARE(told.text(), std::string("ONE TWO THREE"));
}

void TstTranslationEngine::captionsAreTranslatedAsTheyAreCommitted()
{
    TranslationEngine engine;
    engine.start(runOf(translator()));
    engine.addCaptions(std::vector<text::TranscriptItem>{spoken("good", 0, 300), spoken("morning", 300, 700)});
    engine.addCaptions(
        std::vector<text::TranscriptItem>{text::LineBreak{samplesFromMs(1000)}, text::Gap{samplesFromMs(1000), 16000, "lost"}, spoken("bye", 3000, 3300)});
    engine.endSource();
    const Told told = finished(engine);
    QCOMPARE(told.text(), std::string("GOOD MORNING BYE"));
    const auto sentences = told.all<translation::SentenceBegan>();
    QCOMPARE(sentences.size(), 2U);
    QCOMPARE(sentences[1].line, 1);
    QCOMPARE(told.all<translation::UnitsArrived>().back().units[0].sound->start_sample, samplesFromMs(3000));
}

void TstTranslationEngine::aSilentSourceEndsItsSentence()
{
    TranslationEngine engine;
    auto config = runOf(translator(), 5);
    config.idle_ends_sentence_ms = 60;
    engine.start(config);
    Told told;
    engine.addText("one two ");
    QVERIFY(waitForWords(engine, told, 2));
    engine.addText("three ");
    QVERIFY(waitForWords(engine, told, 3));
    QCOMPARE(told.text(), std::string("ONE TWO THREE"));
}

void TstTranslationEngine::aGrowingWordKeepsTheSentenceOpen()
{
    TranslationEngine engine;
    auto config = runOf(translator(), 5);
    config.idle_ends_sentence_ms = 30;
    engine.start(config);
    engine.addText("one tw");
    // Another run, given its words later, has waited as long when it ends its sentence.
    TranslationEngine other;
    other.start(config);
    other.addText("one two ");
    Told told;
    QVERIFY(waitForWords(other, told, 2));
    told.events = engine.takeEvents();
    QCOMPARE(told.text(), std::string());
    engine.addText("o. ");
    QVERIFY(waitForWords(engine, told, 2));
    QCOMPARE(told.text(), std::string("ONE TWO."));
}

void TstTranslationEngine::kChangesWhileItRuns()
{
    TranslationEngine engine;
    auto config = runOf(translator(), 6);
    engine.start(config);
    engine.addText("a b c d e ");
    const auto has_taken_all = [&engine] {
        const auto now = engine.snapshot();
        return now->progress.units_read + now->progress.units_waiting == 5 && now->activity == "waiting for more source";
    };
    QTRY_VERIFY(has_taken_all());
    Told told;
    told.events = engine.takeEvents();
    QCOMPARE(told.text(), std::string());
    config.settings.wait_k.k = 1;
    engine.adjust(config.settings);
    QVERIFY(waitForWords(engine, told, 4));
    engine.cancel();
    QVERIFY(engine.waitUntilFinished(30));
}

void TstTranslationEngine::theTranslatorChangesWithTheNextSentence()
{
    TranslationEngine engine;
    engine.start(runOf(translator("first", saysAlways("old")), 1));
    engine.addText("a b c ");
    Told told;
    QVERIFY(waitForWords(engine, told, 2));
    engine.changeTranslator(translator("second", saysAlways("new")));
    engine.addText("dd. ee ff.");
    engine.endSource();
    const Told rest = finished(engine);
    told.events.insert(told.events.end(), rest.events.begin(), rest.events.end());
    QCOMPARE(told.text(), std::string("old old old old new new"));
    const auto changed = told.all<TranslatorChanged>();
    QCOMPARE(changed.size(), 1U);
    QCOMPARE(changed[0].translator, std::string("second"));
    QCOMPARE(changed[0].first_sentence, 1);
    QCOMPARE(engine.snapshot()->translator, std::string("second"));
}

void TstTranslationEngine::aTranslatorThatCannotBeMadeIsTold()
{
    TranslationEngine engine;
    engine.start(runOf(translator("first", saysAlways("old")), 1));
    engine.changeTranslator(
        {[](const auto &, std::stop_token) -> std::unique_ptr<translation::TranslationModel> { throw Error(ErrorKind::Model, "it is made of cheese", "moon"); },
         "second"});
    engine.addText("aa. bb.");
    Told told;
    QVERIFY(waitForWords(engine, told, 1));
    engine.endSource();
    const Told rest = finished(engine);
    told.events.insert(told.events.end(), rest.events.begin(), rest.events.end());
    QCOMPARE(told.text(), std::string("old old"));
    QCOMPARE(told.all<Notice>().size(), 1U);
    QVERIFY(told.all<Notice>()[0].sentence.find("cheese") != std::string::npos);
    QVERIFY(told.all<TranslatorChanged>().empty());
}

void TstTranslationEngine::aModelThatFailsEndsTheRunWithASentence()
{
    TranslationEngine engine;
    engine.start(runOf(translator("breaks", [](const ScriptedTranslator::State &state) -> std::string {
        if (state.target.size() >= 2) {
            throw std::runtime_error("no more memory in the drawer");
        }
        return saysAlways("fine")(state);
    })));
    engine.addText("a b c d ee.");
    engine.endSource();
    const Told told = finished(engine);
    QCOMPARE(told.all<Failed>().size(), 1U);
    QVERIFY(told.all<Failed>()[0].sentence.find("drawer") != std::string::npos);
    QVERIFY(std::holds_alternative<TranslationFinished>(told.events.back().body));
    QCOMPARE(engine.snapshot()->state, RunState::Failed);
    // What was told stays told, and the engine goes on with another run.
    QVERIFY(!told.text().empty());
    engine.start(runOf(translator()));
    engine.addText("again.");
    engine.endSource();
    QCOMPARE(finished(engine).text(), std::string("AGAIN."));
}

void TstTranslationEngine::aModelThatCannotBeLoadedEndsTheRunWithASentence()
{
    TranslationEngine engine;
    engine.start(runOf(
        {[](const auto &, std::stop_token) -> std::unique_ptr<translation::TranslationModel> { throw Error(ErrorKind::Model, "there is no such folder", "x"); },
         "none"}));
    engine.addText("a.");
    const Told told = finished(engine);
    QCOMPARE(told.all<Failed>().size(), 1U);
    QCOMPARE(told.all<Failed>()[0].kind, ErrorKind::Model);
}

void TstTranslationEngine::cancellingEndsAtOnce()
{
    TranslationEngine engine;
    engine.start(runOf(translator("endless", [](const ScriptedTranslator::State &state) { return " more" + std::to_string(state.target.size()); })));
    auto settings = translation::TranslationSettings();
    settings.wait_k.max_target_tokens = 10000000;
    settings.wait_k.max_words_ahead = 1000000;
    engine.adjust(settings);
    engine.addText("a b c d ee.");
    engine.endSource();
    Told told;
    QVERIFY(waitForWords(engine, told, 10));
    engine.cancel();
    QVERIFY(engine.waitUntilFinished(30));
    told.events = engine.takeEvents();
    QVERIFY(told.all<Failed>().empty());
    QVERIFY(std::holds_alternative<TranslationFinished>(told.events.back().body));
}

void TstTranslationEngine::aNewRunReplacesTheOldOne()
{
    TranslationEngine engine;
    const auto first = engine.start(runOf(translator()));
    engine.addText("one two three ");
    const auto second = engine.start(runOf(translator("other", saysAlways("new"))));
    QVERIFY(second > first);
    engine.addText("aa bb.");
    engine.endSource();
    Told told = finished(engine);
    std::erase_if(told.events, [&](const TranslationEvent &event) { return event.generation != second; });
    QCOMPARE(told.text(), std::string("new new"));
}

void TstTranslationEngine::theSnapshotShowsTheStateOfTheMoment()
{
    TranslationEngine engine;
    QCOMPARE(engine.snapshot()->state, RunState::Idle);
    engine.start(runOf(translator(), 2));
    engine.addText("one two three fo");
    Told told;
    QVERIFY(waitForWords(engine, told, 1));
    std::shared_ptr<const TranslationSnapshot> now;
    for (int i = 0; i < 1000; ++i) {
        now = engine.snapshot();
        if (now->progress.units_read == 3 && now->activity == "waiting for more source") {
            break;
        }
        std::this_thread::sleep_for(5ms);
    }
    QCOMPARE(now->state, RunState::Listening);
    QCOMPARE(now->progress.units_read, 3);
    QCOMPARE(now->progress.growing_unit, std::string("fo"));
    QCOMPARE(now->progress.sentence, 0);
    QVERIFY(now->statistics.cost.tokens_fed > 0);
    engine.endSource();
    QVERIFY(engine.waitUntilFinished(30));
    QCOMPARE(engine.snapshot()->state, RunState::Finished);
}

void TstTranslationEngine::twoEnginesOverOneSourceSayTheSame()
{
    TranslationEngine left;
    TranslationEngine right;
    left.start(runOf(translator(), 1));
    right.start(runOf(translator(), 7));
    for (int i = 0; i < 50; ++i) {
        for (TranslationEngine *engine : {&left, &right}) {
            engine->addText("some more words. ");
        }
    }
    left.endSource();
    right.endSource();
    QCOMPARE(finished(left).text(), finished(right).text());
}

void TstTranslationEngine::nothingIsAcceptedAfterTheEnd()
{
    TranslationEngine engine;
    engine.addText("before any run");
    engine.endSource();
    engine.start(runOf(translator()));
    engine.addText("one.");
    engine.endSource();
    engine.addText(" two.");
    engine.endSource();
    QCOMPARE(finished(engine).text(), std::string("ONE."));
    engine.addText("late");
    engine.cancel();
    QCOMPARE(engine.snapshot()->state, RunState::Finished);
}

void TstTranslationEngine::settingsThatCannotBeAreRefusedAtOnce()
{
    TranslationEngine engine;
    QVERIFY_THROWS_EXCEPTION(Error, engine.start(runOf(translator(), 0)));
    engine.start(runOf(translator()));
    translation::TranslationSettings settings;
    settings.wait_k.k = 1001;
    QVERIFY_THROWS_EXCEPTION(Error, engine.adjust(settings));
    engine.addText("fine.");
    engine.endSource();
    QCOMPARE(finished(engine).text(), std::string("FINE."));
}

// --- the journal -----------------------------------------------------------------------------------------------------------------

namespace {

// What a journal keeps of it, line by line.
std::string keptLine(const TranslationEventBody &event)
{
    const bool is_kept = std::holds_alternative<translation::TranslationSessionEvent>(event) || std::holds_alternative<TranslatorChanged>(event);
    return is_kept ? eventToJsonLine(event) + "\n" : std::string();
}

// The child of the kill test: tells every event through the pipe as soon as the engine has given it out.
void translateUntilKilled(const std::filesystem::path &journals, int pipe)
{
    TranslationEngine engine;
    TranslationRunConfig config = runOf(translator());
    config.journal_folder = journals;
    engine.start(std::move(config));
    for (int turn = 0;; ++turn) {
        engine.addText(turn % 5 == 4 ? "the end.\n" : "one two three ");
        for (const TranslationEvent &event : engine.takeEvents()) {
            const std::string line = keptLine(event.body);
            if (::write(pipe, line.data(), line.size()) < 0) {
                ::_exit(1);
            }
        }
        std::this_thread::sleep_for(1ms);
    }
}

}  // namespace

void TstTranslationEngine::aRunIsKeptAsItWas()
{
    const QTemporaryDir parent;
    const std::filesystem::path journals = parent.path().toStdString();
    TranslationEngine engine;
    TranslationRunConfig config = runOf(translator());
    config.journal_folder = journals;
    engine.start(std::move(config));
    engine.addText("one two three. four five six");
    Told told;
    QVERIFY(waitForWords(engine, told, 4));
    QVERIFY(findInterruptedRuns(journals).empty());  // it runs
    engine.changeTranslator(translator("another"));
    engine.addCaptions(std::vector<text::TranscriptItem>{spoken("seven.", 100, 300), spoken("Eight.", 400, 900)});
    engine.endSource();
    for (TranslationEvent &event : finished(engine).events) {
        told.events.push_back(std::move(event));
    }
    QVERIFY(told.all<Notice>().empty());
    std::string lines;
    for (const TranslationEvent &event : told.events) {
        lines += keptLine(event.body);
    }
    const RecoveredTranslation kept = readTranslationJournal(testing::onlyJournal(journals));
    std::string kept_lines;
    for (const TranslationEventBody &event : kept.events) {
        kept_lines += keptLine(event);
    }
    QCOMPARE(kept_lines, lines);
    QCOMPARE(kept.state, JournalState::Finished);
    QCOMPARE(kept.info.source, std::string("test"));
    QCOMPARE(kept.info.model, std::string("capitals"));
}

void TstTranslationEngine::killedAtAnyMomentNothingToldIsLost()
{
    testing::killAtAnyMoment(translateUntilKilled, [](const std::filesystem::path &folder) {
        std::string lines;
        for (const TranslationEventBody &event : readTranslationJournal(folder).events) {
            lines += keptLine(event);
        }
        return lines;
    });
}

void TstTranslationEngine::aFolderThatCannotBeMadeIsSaidOnceAndTheRunGoesOn()
{
    TranslationEngine engine;
    TranslationRunConfig config = runOf(translator());
    config.journal_folder = "/proc/no/such/place";
    engine.start(std::move(config));
    engine.addText("one two three.");
    engine.endSource();
    const Told told = finished(engine);
    QCOMPARE(told.all<Notice>().size(), std::size_t(1));
    QCOMPARE(told.text(), std::string("ONE TWO THREE."));
}

QTEST_GUILESS_MAIN(TstTranslationEngine)
#include "tst_translation_engine.moc"
