// What the trainer reads and plans, without libtorch: recipes, the cache on disk, tokens with times, epochs, schedules.
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>
#include <set>

#include "core/audio/pcm16.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "lab/train/feature_library.h"
#include "lab/train/keyed_store.h"
#include "lab/train/language/language_recipe.h"
#include "lab/train/recipe.h"
#include "lab/train/schedule.h"
#include "lab/train/speech.h"
#include "lab/train/window_plan.h"
#include "tests/lab/train/tone_speech.h"

using namespace braid;
using namespace braid::train;
using test::ToneSpeech;

namespace {

std::string sentenceOf(const nlohmann::json &recipe)
{
    try {
        (void)parseRecipe(recipe.dump(), "/somewhere", "test.json");
    } catch (const Error &error) {
        return error.kind() == ErrorKind::Input ? error.sentence() : "another kind: " + error.sentence();
    }
    return {};
}

std::span<const std::byte> bytesOf(const std::string &text)
{
    return std::as_bytes(std::span(text));
}

std::string textOf(const std::optional<std::span<const std::byte>> &bytes)
{
    return bytes ? std::string(reinterpret_cast<const char *>(bytes->data()), bytes->size()) : "nothing";
}

}  // namespace

class tst_train_data : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void recipesOfTheProjectAreRead();
    void recipePathsAreRelativeToIt();
    void badRecipesAreRefusedWithASentence_data();
    void badRecipesAreRefusedWithASentence();
    void storeKeepsWhatWasAdded();
    void tornEndOfAStoreIsCutOff();
    void featuresComeInUnitsOfDeviation();
    void wordTimesAreSharedOutByLetters();
    void soundIsDecodedOnce();
    void soundIsKeptBitForBit();
    void missingSoundIsANotice();
    void epochsAreThePlanOfTheirSeed();
    void windowsAreNeverLongerThanTheRecipeSays();
    void cutsFallBetweenWords();
    void corpusWeightsAreKept();
    void stepSchedule();
    void plateauSchedule();
};

void tst_train_data::recipesOfTheProjectAreRead()
{
    int count = 0;
    for (const auto &entry : std::filesystem::directory_iterator(BRAID_SOURCE_DIR "/resources/recipes")) {
        const std::string about = isLanguageRecipe(entry.path()) ? readLanguageRecipe(entry.path()).about : readRecipe(entry.path()).about;
        QVERIFY2(!about.empty(), entry.path().c_str());
        ++count;
    }
    QVERIFY(count > 0);
}

void tst_train_data::recipePathsAreRelativeToIt()
{
    nlohmann::json values = test::toneRecipe("/t", "/m");
    values["corpora"][0]["manifest"] = "a/../b.jsonl";
    values["noise"] = {"/n.jsonl", "n.jsonl"};
    const Recipe recipe = parseRecipe(values.dump(), "/somewhere", "test.json");
    QCOMPARE(recipe.corpora[0].manifest, std::filesystem::path("/somewhere/b.jsonl"));
    QCOMPARE(recipe.noise[0], std::filesystem::path("/n.jsonl"));
    QCOMPARE(recipe.noise[1], std::filesystem::path("/somewhere/n.jsonl"));
    QCOMPARE(recipe.chunks.chunk_ms, (std::vector<std::int64_t>{80, 120, 200}));
    QCOMPARE(recipe.export_type, std::string("float32"));
    QCOMPARE(recipe.schedule.steps, 12);
}

void tst_train_data::badRecipesAreRefusedWithASentence_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<QString>("words");
    QTest::newRow("misspelt key") << R"({"sed": 1})"
                                  << "\"sed\" is not something a recipe has";
    QTest::newRow("misspelt inner key") << R"({"losses": {"text": 1, "frame": 1}})"
                                        << "\"losses.frame\" is not something";
    QTest::newRow("text for a number") << R"({"seed": "one"})"
                                       << "\"seed\" is not a whole number";
    QTest::newRow("fraction for a whole") << R"({"threads": 1.5})"
                                          << "\"threads\" is not a whole number";
    QTest::newRow("replicas on a GPU") << R"({"replicas": 2, "device": "cuda"})"
                                       << "\"replicas\" is for a processor";
    QTest::newRow("no replica") << R"({"replicas": 0})"
                                << "\"replicas\" is not a whole number from 1";
    QTest::newRow("out of range") << R"({"points": {"fraction": 1.5}})"
                                  << "\"points.fraction\" is not between 0 and 1";
    QTest::newRow("negative") << R"({"seed": -1})"
                              << "\"seed\"";
    QTest::newRow("most below least") << R"({"points": {"least": 3, "most": 1}})"
                                      << "\"points.most\"";
    QTest::newRow("an end of neither kind") << R"({"points": {"end": "never"}})"
                                            << "\"points.end\" is neither \"always\" nor \"drawn\"";
    QTest::newRow("no point at all") << R"({"points": {"end": "drawn", "least": 0, "most": 0}})"
                                     << "\"points.most\" is 0";
    QTest::newRow("steps of neither kind") << R"({"points": {"steps": "some"}})"
                                           << "\"points.steps\" is neither \"together\" nor \"each\"";
    QTest::newRow("a memory without end") << R"({"optimizer": {"beta2": 1}})"
                                          << "\"optimizer.beta2\" is not between 0 and 0.999999";
    QTest::newRow("no start") << R"({"start": null})"
                              << "\"start\" is missing";
    QTest::newRow("two starts") << R"({"start": {"sizes": {}, "tokenizer": "t"}})"
                                << "either \"model\"";
    QTest::newRow("adapters from scratch") << R"({"start": {"model": null, "sizes": {"width": 8}, "tokenizer": "t", "lora_rank": 4}})"
                                           << "can have no \"lora_rank\"";
    QTest::newRow("no corpus") << R"({"corpora": []})"
                               << "names no corpus";
    QTest::newRow("corpus without manifest") << R"({"corpora": [{"weight": 1}]})"
                                             << "without \"manifest\"";
    QTest::newRow("features without teacher") << R"({"corpora": [{"manifest": "m", "features": true}]})"
                                              << "\"teacher\" is missing";
    QTest::newRow("noise without noise") << R"({"disturbance": {"noise": 0.5}})"
                                         << "\"noise\" names none";
    QTest::newRow("chunks and weights") << R"({"chunks": {"chunk_ms": [100, 200], "weights": [1]}})"
                                        << "as many \"weights\"";
    QTest::newRow("no chunk") << R"({"chunks": {"chunk_ms": []}})"
                              << "at least one size";
    QTest::newRow("attention without heads") << R"({"losses": {"attention": 0.5}})"
                                             << "need each other";
    QTest::newRow("heads that are no pairs") << R"({"losses": {"attention": 0.5, "attention_heads": [1]}})"
                                             << "is not a pair";
    QTest::newRow("unknown optimizer") << R"({"optimizer": {"kind": "sgd"}})"
                                       << "neither \"adamw\" nor \"muon\"";
    QTest::newRow("plateau of nothing") << R"({"schedule": {"kind": "plateau"}})"
                                        << "nothing to validate with: set \"validation.manifests\", or choose \"steps\" or \"minutes\"";
    QTest::newRow("plateau of an empty list") << R"({"schedule": {"kind": "plateau"}, "validation": {"manifests": []}})"
                                              << "\"schedule.kind\" is \"plateau\"";
    QTest::newRow("schedule without end") << R"({"schedule": {"kind": "minutes", "steps": null}})"
                                          << "\"schedule.kind\"";
    QTest::newRow("unknown number type") << R"({"export": {"number_type": "int8"}})"
                                         << "\"export.number_type\"";
    QTest::newRow("list for a table") << R"({"windows": [1]})"
                                      << "\"windows\" is not a table";
}

void tst_train_data::badRecipesAreRefusedWithASentence()
{
    QFETCH(QString, change);
    QFETCH(QString, words);
    nlohmann::json values = test::toneRecipe("/t", "/m");
    QCOMPARE(sentenceOf(values), std::string());
    values.merge_patch(nlohmann::json::parse(change.toStdString()));
    const std::string sentence = sentenceOf(values);
    QVERIFY2(QString::fromStdString(sentence).contains(words) && sentence.starts_with("test.json"), sentence.c_str());
}

void tst_train_data::storeKeepsWhatWasAdded()
{
    const QTemporaryDir place;
    const std::filesystem::path path = place.filePath("deep/down/store").toStdString();
    {
        KeyedStore store(path);
        store.add(1, bytesOf("one"));
        store.add(2, {});
        QVERIFY_THROWS_EXCEPTION(Error, store.add(1, bytesOf("again")));
    }
    KeyedStore store(path);
    QVERIFY(store.contains(1) && store.contains(2) && !store.contains(3));
    store.add(3, bytesOf("three"));
    store.finishAdding();
    QCOMPARE(textOf(store.find(1)), std::string("one"));
    QCOMPARE(textOf(store.find(2)), std::string());
    QCOMPARE(textOf(store.find(3)), std::string("three"));
    QCOMPARE(textOf(store.find(4)), std::string("nothing"));
    QVERIFY_THROWS_EXCEPTION(Error, store.add(5, bytesOf("late")));
}

void tst_train_data::tornEndOfAStoreIsCutOff()
{
    const QTemporaryDir place;
    const std::filesystem::path path = place.filePath("store").toStdString();
    {
        KeyedStore store(path);
        store.add(1, bytesOf("one"));
        store.add(2, bytesOf("second"));
    }
    // The power went while the second block was written: its bytes are half there; and once more while the third's line was.
    std::filesystem::resize_file(path.string() + ".data", 5);
    {
        KeyedStore store(path);
        QVERIFY(store.contains(1) && !store.contains(2));
        store.add(2, bytesOf("anew"));
    }
    std::ofstream(path.string() + ".index", std::ios::app) << "3 7";
    KeyedStore store(path);
    QVERIFY(!store.contains(3));
    store.add(3, bytesOf("third"));
    store.finishAdding();
    QCOMPARE(textOf(store.find(1)), std::string("one"));
    QCOMPARE(textOf(store.find(2)), std::string("anew"));
    QCOMPARE(textOf(store.find(3)), std::string("third"));
}

void tst_train_data::featuresComeInUnitsOfDeviation()
{
    const QTemporaryDir place;
    const std::filesystem::path path = place.filePath("features").toStdString();
    const std::vector<std::uint16_t> rows = {0x3C00, 0xC000, 0x4200, 0x0000, 0x4000, 0x3800};  // (1, -2), (3, 0), (2, 0.5)
    {
        KeyedStore store(path);
        store.add(9, std::as_bytes(std::span(rows)));
    }
    const std::vector<float> statistics = {1, 0, 2, 0.5f};  // means, then deviations
    writeFileAtomically(path.string() + ".stats", {reinterpret_cast<const char *>(statistics.data()), 16});
    const FeatureLibrary library(path, 2);
    QCOMPARE(library.rows(9, 0, 2), (std::vector<float>{0, -4, 1, 0}));
    QCOMPARE(library.rows(9, 1, 100), (std::vector<float>{1, 0, 0.5f, 1}));
    QVERIFY(library.rows(8, 0, 2).empty());
    QVERIFY_THROWS_EXCEPTION(Error, FeatureLibrary(path, 3));
    QCOMPARE(floatFromHalf(0x0001), std::ldexp(1.0f, -24));
    QVERIFY(std::isinf(floatFromHalf(0x7C00)));
}

void tst_train_data::wordTimesAreSharedOutByLetters()
{
    const ToneSpeech tones;
    corpus::Utterance utterance;
    utterance.text = "abc d";
    utterance.words = {{"abc", 1000, 5000}, {"d", 6000, 6500}};
    // The vocabulary has single bytes alone: " abc" is four tokens, " d" two.
    const auto tokens = spokenTokens(utterance, *tones.tokenizer);
    QCOMPARE(tokens.size(), std::size_t{6});
    const std::vector<Sample> starts = {1000, 2000, 3000, 4000, 6000, 6250};
    const std::vector<std::int32_t> words = {0, 0, 0, 0, 1, 1};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        QCOMPARE(tokens[i].start, starts[i]);
        QCOMPARE(tokens[i].word, words[i]);
    }
    QCOMPARE(tokens[3].end, 5000);
    QCOMPARE(tokens[5].end, 6500);
    std::vector<std::int32_t> ids;
    for (const SpokenToken &token : tokens) {
        ids.push_back(token.id);
    }
    QCOMPARE(ids, tones.tokenizer->encode(" abc d"));
    utterance.words.clear();
    QCOMPARE(spokenTokens(utterance, *tones.tokenizer).size(), std::size_t{6});
}

void tst_train_data::soundIsDecodedOnce()
{
    const ToneSpeech tones;
    const Recipe recipe = tones.recipe();
    int first = 0;
    int second = 0;
    const SpeechLibrary library(recipe, *tones.tokenizer, [&first](const std::string &, double) { ++first; });
    QCOMPARE(first, 5);
    const SpeechLibrary again(recipe, *tones.tokenizer, [&second](const std::string &, double) { ++second; });
    QCOMPARE(second, 0);
    QCOMPARE(again.corpora()[0].speech.size(), std::size_t{5});
    const Speech &speech = again.corpora()[0].speech[1];
    QCOMPARE(speech.text, std::string("b c"));
    QCOMPARE(static_cast<Sample>(speech.sound.size()), samplesFromMs(120 + 2 * 360));
    QVERIFY(speech.has_times);
    // The tone of "b" is there, and silence before it.
    QVERIFY(std::abs(speech.sound[0]) < 2);
    QVERIFY(*std::max_element(speech.sound.begin(), speech.sound.end()) > 10000);
    QVERIFY(std::abs(again.hours() * 3600 - (5 * 0.12 + 16 * 0.36)) < 0.01);
}

void tst_train_data::soundIsKeptBitForBit()
{
    const ToneSpeech tones;
    const std::vector<std::int16_t> loudest = {0, 1, -1, 12345, -20000, 20001, 32766, 32767, -32767, -32768};
    const SpeechLibrary library(tones.recipe({{"noise", tones.noise(loudest)}}), *tones.tokenizer, {});
    QCOMPARE(library.noise().size(), std::size_t{1});
    QCOMPARE(std::vector(library.noise()[0].begin(), library.noise()[0].end()), loudest);
    QCOMPARE(audio::floatsOf(std::vector<std::int16_t>{-32768, -1, 16384}), (std::vector<float>{-1, -0x1p-15f, 0.5f}));
    // What no file of 16 bits can hold: too loud is as loud as can be, no number is silence.
    QCOMPARE(audio::pcm16Of(std::vector<float>{1, 7, -7, std::nanf(""), -INFINITY}), (std::vector<std::int16_t>{32767, 32767, -32768, 0, 0}));
}

void tst_train_data::missingSoundIsANotice()
{
    const ToneSpeech tones;
    std::ofstream(tones.folder / "tones.jsonl", std::ios::app) << R"({"sound": "gone.wav", "text": "a"})"
                                                               << "\n";
    const SpeechLibrary library(tones.recipe(), *tones.tokenizer, {});
    QCOMPARE(library.corpora()[0].speech.size(), std::size_t{5});
    QCOMPARE(library.notices().size(), std::size_t{1});
    QVERIFY2(library.notices()[0].find("gone.wav") != std::string::npos, library.notices()[0].c_str());
    std::ofstream(tones.folder / "none.jsonl") << R"({"sound": "gone.wav", "text": "a"})"
                                               << "\n";
    const Recipe nothing = tones.recipe({{"corpora", {{{"manifest", "none.jsonl"}}}}});
    QVERIFY_THROWS_EXCEPTION(Error, SpeechLibrary(nothing, *tones.tokenizer, {}));
}

void tst_train_data::epochsAreThePlanOfTheirSeed()
{
    const ToneSpeech tones;
    const Recipe recipe = tones.recipe({{"windows", {{"join", 0.5}, {"cut", 0.5}, {"silence", 0.2}}}});
    const SpeechLibrary library(recipe, *tones.tokenizer, {});
    const auto flat = [](const std::vector<PlannedBatch> &plan) {
        std::vector<std::pair<std::string, Sample>> out;
        for (const PlannedBatch &batch : plan) {
            for (const PlannedWindow &window : batch) {
                for (const Segment &segment : window.segments) {
                    out.emplace_back(segment.speech->text, segment.from * 100000 + segment.to);
                }
                out.emplace_back("window", window.silence_samples);
            }
        }
        return out;
    };
    QCOMPARE(flat(planEpoch(library, recipe, 640, 4)), flat(planEpoch(library, recipe, 640, 4)));
    QVERIFY(flat(planEpoch(library, recipe, 640, 4)) != flat(planEpoch(library, recipe, 640, 5)));
}

void tst_train_data::windowsAreNeverLongerThanTheRecipeSays()
{
    const ToneSpeech tones;
    const Recipe recipe = tones.recipe({{"windows", {{"longest_s", 1.8}, {"batch_s", 4}, {"join", 0.8}, {"cut", 0.3}}}});
    const SpeechLibrary library(recipe, *tones.tokenizer, {});
    for (std::uint64_t epoch = 0; epoch < 20; ++epoch) {
        for (const PlannedBatch &batch : planEpoch(library, recipe, 640, epoch)) {
            QVERIFY(!batch.empty());
            for (const PlannedWindow &window : batch) {
                Sample length = 0;
                for (const Segment &segment : window.segments) {
                    QVERIFY(segment.from >= 0 && segment.to > segment.from && segment.to <= static_cast<Sample>(segment.speech->sound.size()));
                    QCOMPARE(segment.from % 640, 0);
                    length += segment.to - segment.from;
                }
                QVERIFY(length <= samplesFromSeconds(1.8));
            }
        }
    }
}

void tst_train_data::cutsFallBetweenWords()
{
    const ToneSpeech tones;
    const Recipe recipe = tones.recipe({{"windows", {{"cut", 1.0}, {"longest_s", 2.4}}}});
    const SpeechLibrary library(recipe, *tones.tokenizer, {});
    int cut_starts = 0;
    for (std::uint64_t epoch = 0; epoch < 40; ++epoch) {
        for (const PlannedBatch &batch : planEpoch(library, recipe, 640, epoch)) {
            for (const PlannedWindow &window : batch) {
                for (const Segment &segment : window.segments) {
                    cut_starts += segment.from > 0 ? 1 : 0;
                    for (const SpokenToken &token : segment.speech->tokens) {
                        // A cut at the beginning never falls inside a word (pauses are 120 ms; a frame of 40 ms is the grid).
                        QVERIFY(!(token.start < segment.from && segment.from < token.end));
                    }
                }
            }
        }
    }
    QVERIFY(cut_starts > 20);
}

void tst_train_data::corpusWeightsAreKept()
{
    const ToneSpeech tones;
    nlohmann::json change;
    change["corpora"] = {{{"manifest", "tones.jsonl"}, {"weight", 2.4}}};
    change["windows"] = {{"longest_s", 4}};  // long enough for all of them
    const Recipe recipe = tones.recipe(change);
    const SpeechLibrary library(recipe, *tones.tokenizer, {});
    std::size_t windows = 0;
    for (const PlannedBatch &batch : planEpoch(library, recipe, 640, 0)) {
        windows += batch.size();
    }
    QCOMPARE(windows, std::size_t{12});  // 5 x 2.4
}

void tst_train_data::stepSchedule()
{
    ScheduleRecipe recipe;
    recipe.steps = 100;
    recipe.warmup_steps = 10;
    recipe.hold = 0.5;
    const Schedule schedule(recipe, 2.0);
    Progress progress;
    QCOMPARE(schedule.rate(progress), 0.2);
    progress.steps = 30;
    QCOMPARE(schedule.rate(progress), 2.0);
    progress.steps = 75;
    QCOMPARE(schedule.rate(progress), 1.0);
    progress.steps = 100;
    QCOMPARE(schedule.rate(progress), 0.0);
    QCOMPARE(schedule.done(progress), 1.0);
}

void tst_train_data::plateauSchedule()
{
    // Appendix C: half the rate after two validations in a row that brought nothing... and a third.
    ScheduleRecipe recipe;
    recipe.kind = ScheduleKind::Plateau;
    recipe.factor = 0.5;
    recipe.patience = 2;
    recipe.epochs = 10;
    const Schedule schedule(recipe, 1e-5);
    Progress progress;
    QVERIFY(schedule.judge(progress, 3.0));
    QVERIFY(!schedule.judge(progress, 3.1));
    QVERIFY(!schedule.judge(progress, 3.0));
    QCOMPARE(schedule.rate(progress), 1e-5);
    QVERIFY(!schedule.judge(progress, 3.2));
    QCOMPARE(schedule.rate(progress), 0.5e-5);
    QVERIFY(schedule.judge(progress, 2.9));
    progress.epochs = 5;
    QCOMPARE(schedule.done(progress), 0.5);
}

QTEST_GUILESS_MAIN(tst_train_data)
#include "tst_train_data.moc"
