// What the trainer reads and plans, without libtorch: recipes, the cache on disk, tokens with times, epochs, disturbances, schedules.
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>
#include <set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/train/feature_library.h"
#include "core/train/keyed_store.h"
#include "core/train/language/language_recipe.h"
#include "core/train/recipe.h"
#include "core/train/schedule.h"
#include "core/train/sound_disturbance.h"
#include "core/train/speech.h"
#include "core/train/window_plan.h"
#include "tests/support/small_whisper_folder.h"
#include "tests/support/spoken_tones.h"

using namespace braid;
using namespace braid::train;

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

std::span<const std::byte> bytesOf(const std::string &text) { return std::as_bytes(std::span(text)); }

std::string textOf(const std::optional<std::span<const std::byte>> &bytes)
{
    return bytes ? std::string(reinterpret_cast<const char *>(bytes->data()), bytes->size()) : "nothing";
}

// Tones of a few lengths, with a recipe over them.
struct ToneSpeech {
    ToneSpeech()
        : folder(place.path().toStdString())
    {
        std::filesystem::create_directories(folder / "model");
        std::ofstream(folder / "model" / "tokenizer.json") << test::byteTokenizerJson();
        tokenizer = text::WhisperTokenizer::load(folder / "model" / "tokenizer.json", 260);
        test::writeToneCorpus(folder, {{"a"}, {"b", "c"}, {"c", "a", "d"}, {"d", "b", "a", "c"}, {"a", "b", "c", "d", "a", "b"}});
    }
    [[nodiscard]] Recipe recipe(const nlohmann::json &changes = nlohmann::json::object()) const
    {
        nlohmann::json values = test::toneRecipe(folder, folder / "model");
        values.merge_patch(changes);
        return parseRecipe(values.dump(), folder, "tones.json");
    }
    QTemporaryDir place;
    std::filesystem::path folder;
    std::shared_ptr<const text::WhisperTokenizer> tokenizer;
};

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
    void missingSoundIsANotice();
    void epochsAreThePlanOfTheirSeed();
    void windowsAreNeverLongerThanTheRecipeSays();
    void cutsFallBetweenWords();
    void corpusWeightsAreKept();
    void stretchingKeepsEnds();
    void masksKeepTheMean();
    void noiseHasItsLevel();
    void quietIsAsQuietAsTheQuietest();
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
    QTest::newRow("misspelt key") << R"({"sed": 1})" << "\"sed\" is not something a recipe has";
    QTest::newRow("misspelt inner key") << R"({"losses": {"text": 1, "frame": 1}})" << "\"losses.frame\" is not something";
    QTest::newRow("text for a number") << R"({"seed": "one"})" << "\"seed\" is not a whole number";
    QTest::newRow("fraction for a whole") << R"({"threads": 1.5})" << "\"threads\" is not a whole number";
    QTest::newRow("replicas on a GPU") << R"({"replicas": 2, "device": "cuda"})" << "\"replicas\" is for a processor";
    QTest::newRow("no replica") << R"({"replicas": 0})" << "\"replicas\" is not a whole number from 1";
    QTest::newRow("out of range") << R"({"points": {"fraction": 1.5}})" << "\"points.fraction\" is not between 0 and 1";
    QTest::newRow("negative") << R"({"seed": -1})" << "\"seed\"";
    QTest::newRow("most below least") << R"({"points": {"least": 3, "most": 1}})" << "\"points.most\"";
    QTest::newRow("no start") << R"({"start": null})" << "\"start\" is missing";
    QTest::newRow("two starts") << R"({"start": {"sizes": {}, "tokenizer": "t"}})" << "either \"model\"";
    QTest::newRow("adapters from scratch") << R"({"start": {"model": null, "sizes": {"width": 8}, "tokenizer": "t", "lora_rank": 4}})" << "can have no \"lora_rank\"";
    QTest::newRow("no corpus") << R"({"corpora": []})" << "names no corpus";
    QTest::newRow("corpus without manifest") << R"({"corpora": [{"weight": 1}]})" << "without \"manifest\"";
    QTest::newRow("features without teacher") << R"({"corpora": [{"manifest": "m", "features": true}]})" << "\"teacher\" is missing";
    QTest::newRow("noise without noise") << R"({"disturbance": {"noise": 0.5}})" << "\"noise\" names none";
    QTest::newRow("chunks and weights") << R"({"chunks": {"chunk_ms": [100, 200], "weights": [1]}})" << "as many \"weights\"";
    QTest::newRow("no chunk") << R"({"chunks": {"chunk_ms": []}})" << "at least one size";
    QTest::newRow("attention without heads") << R"({"losses": {"attention": 0.5}})" << "need each other";
    QTest::newRow("heads that are no pairs") << R"({"losses": {"attention": 0.5, "attention_heads": [1]}})" << "is not a pair";
    QTest::newRow("unknown optimizer") << R"({"optimizer": {"kind": "sgd"}})" << "neither \"adamw\" nor \"muon\"";
    QTest::newRow("schedule without end") << R"({"schedule": {"kind": "minutes", "steps": null}})" << "\"schedule.kind\"";
    QTest::newRow("unknown number type") << R"({"export": {"number_type": "int8"}})" << "\"export.number_type\"";
    QTest::newRow("list for a table") << R"({"windows": [1]})" << "\"windows\" is not a table";
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

void tst_train_data::missingSoundIsANotice()
{
    const ToneSpeech tones;
    std::ofstream(tones.folder / "tones.jsonl", std::ios::app) << R"({"sound": "gone.wav", "text": "a"})" << "\n";
    const SpeechLibrary library(tones.recipe(), *tones.tokenizer, {});
    QCOMPARE(library.corpora()[0].speech.size(), std::size_t{5});
    QCOMPARE(library.notices().size(), std::size_t{1});
    QVERIFY2(library.notices()[0].find("gone.wav") != std::string::npos, library.notices()[0].c_str());
    std::ofstream(tones.folder / "none.jsonl") << R"({"sound": "gone.wav", "text": "a"})" << "\n";
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

void tst_train_data::stretchingKeepsEnds()
{
    const std::vector<float> values = {0, 10, 1, 20, 2, 30};
    QCOMPARE(stretched(values, 2, 5), (std::vector<float>{0, 10, 0.5f, 15, 1, 20, 1.5f, 25, 2, 30}));
    QCOMPARE(stretched(values, 2, 3), values);
    QCOMPARE(stretched(values, 2, 2), (std::vector<float>{0, 10, 2, 30}));
    QCOMPARE(stretched({7}, 1, 3), (std::vector<float>{7, 7, 7}));
}

void tst_train_data::masksKeepTheMean()
{
    features::MelFrames mel{8, 300, std::vector<float>(8 * 300)};
    train::Random values({1});
    double sum = 0;
    for (float &value : mel.values) {
        value = static_cast<float>(values.uniform(-1, 1));
        sum += value;
    }
    const auto mean = static_cast<float>(sum / static_cast<double>(mel.values.size()));
    std::size_t masked = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        features::MelFrames one = mel;
        train::Random random({seed});
        maskMel(one, random);
        for (std::size_t i = 0; i < mel.values.size(); ++i) {
            QVERIFY(one.values[i] == mel.values[i] || std::abs(one.values[i] - mean) < 1e-6f);
            masked += one.values[i] != mel.values[i] ? 1 : 0;
        }
    }
    QVERIFY2(masked > 2000 && masked < 20 * mel.values.size(), qPrintable(QString::number(masked)));
}

void tst_train_data::noiseHasItsLevel()
{
    const ToneSpeech tones;
    // A steady tone as noise, a louder one as speech.
    std::vector<std::int16_t> hum(16000);
    for (std::size_t i = 0; i < hum.size(); ++i) {
        hum[i] = static_cast<std::int16_t>(3000 * std::sin(2 * std::numbers::pi * 50 * static_cast<double>(i) / 16000));
    }
    test::writeWave(tones.folder / "hum.wav", hum);
    std::ofstream(tones.folder / "noise.jsonl") << R"({"sound": "hum.wav", "text": ""})" << "\n";
    const Recipe recipe = tones.recipe({{"noise", {"noise.jsonl"}}, {"disturbance", {{"noise", 1.0}, {"least_snr_db", 10}, {"most_snr_db", 10}}}});
    const SpeechLibrary library(recipe, *tones.tokenizer, {});
    std::vector<float> sound(32000);
    for (std::size_t i = 0; i < sound.size(); ++i) {
        sound[i] = 0.5f * static_cast<float>(std::sin(2 * std::numbers::pi * 440 * static_cast<double>(i) / 16000));
    }
    const std::vector<float> before = sound;
    train::Random random({3});
    disturbSound(sound, library, recipe.disturbance, random);
    double added = 0;
    for (std::size_t i = 0; i < sound.size(); ++i) {
        added += std::pow(sound[i] - before[i], 2);
    }
    const double snr_db = 10 * std::log10(0.5 * 0.5 / 2 / (added / static_cast<double>(sound.size())));
    QVERIFY2(std::abs(snr_db - 10) < 0.2, qPrintable(QString::number(snr_db)));
}

void tst_train_data::quietIsAsQuietAsTheQuietest()
{
    std::vector<float> sound(16000, 0.3f);
    std::fill_n(sound.begin(), 8000, 0.001f);
    train::Random random({4});
    const auto quiet = quietLike(sound, 3200, random);
    QCOMPARE(quiet.size(), std::size_t{3200});
    double sum = 0;
    for (const float value : quiet) {
        sum += static_cast<double>(value) * value;
    }
    const double level = std::sqrt(sum / 3200);
    QVERIFY2(level > 0.0005 && level < 0.0014, qPrintable(QString::number(level)));
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
