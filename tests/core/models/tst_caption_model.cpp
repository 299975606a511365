// The door: models on disk, what is wrong with them in plain sentences, and what a loaded one does. A small model with hashed weights
// says nothing sensible, but everything it does must be consistent with itself. What is behind the door: tst_whisper_model.
#include <QtTest>

#include <array>
#include <filesystem>
#include <fstream>

#include <ATen/Parallel.h>
#include <QTemporaryDir>

#include "core/base/error.h"
#include "core/models/models.h"
#include "tests/support/error_sentence.h"
#include "tests/support/small_whisper_folder.h"

using namespace braid;
using namespace braid::models;
using test::contains;
using test::sentenceOf;
namespace fs = std::filesystem;

namespace {

const DeviceChoice kCpu{"cpu", NumberType::Float32, 1};

}  // namespace

class tst_caption_model : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    fs::path m_folder;

    // A fresh copy of the small model, to be broken.
    fs::path copyOf(const char *name)
    {
        const fs::path copy = fs::path(m_place.path().toStdString()) / name;
        fs::copy(m_folder, copy, fs::copy_options::recursive);
        return copy;
    }

  private Q_SLOTS:
    void initTestCase();
    void brokenModelsSaySo();
    void modelsAreListedAndFound();
    void devicesAreChosenByName();
    void loadingShowsProgressAndCanBeCancelled();
    void longSoundWithoutTimestamps();
    void transcriptionCanBeCancelled();
    void languagesAndTasksAreChecked();
    void policiesRun();
    void causalModelsChooseToStream();
};

void tst_caption_model::initTestCase()
{
    m_folder = fs::path(m_place.path().toStdString()) / "small-en";
    test::writeSmallWhisperFolder(m_folder);
}

void tst_caption_model::brokenModelsSaySo()
{
    const auto load = [](const fs::path &path) { return sentenceOf([&] { static_cast<void>(loadCaptionModel(path, kCpu)); }); };
    QVERIFY(contains(load(fs::path(m_place.path().toStdString()) / "nowhere"), "nowhere"));

    const fs::path no_tokenizer = copyOf("no-tokenizer");
    fs::remove(no_tokenizer / "tokenizer.json");
    QVERIFY(contains(load(no_tokenizer), "tokenizer"));

    const fs::path truncated = copyOf("truncated");
    fs::resize_file(truncated / "model.safetensors", fs::file_size(truncated / "model.safetensors") - 1000);
    QVERIFY(contains(load(truncated), "model.safetensors"));

    const fs::path empty = copyOf("empty");
    fs::resize_file(empty / "model.safetensors", 0);
    QVERIFY(contains(load(empty), "model.safetensors"));

    const fs::path other_sizes = copyOf("other-sizes");
    std::ifstream in(other_sizes / "config.json");
    nlohmann::json config = nlohmann::json::parse(in);
    config["d_model"] = 30;
    std::ofstream(other_sizes / "config.json") << config.dump();
    QVERIFY(!load(other_sizes).empty());

    const fs::path garbage = copyOf("garbage");
    std::ofstream(garbage / "config.json") << "{\"model_type\": \"whis";
    QVERIFY(contains(load(garbage), "config.json"));
}

void tst_caption_model::modelsAreListedAndFound()
{
    const fs::path place = fs::path(m_place.path().toStdString()) / "list";
    fs::create_directories(place / "notes");
    fs::copy(m_folder, place / "good", fs::copy_options::recursive);
    fs::copy(m_folder, place / "bad", fs::copy_options::recursive);
    std::ofstream(place / "bad" / "config.json") << "no json";
    std::ofstream(place / "readme.txt") << "not a model";
    const std::vector<fs::path> folders = {place, place / "missing", m_folder};
    const std::vector<ModelSummary> models = listModels(folders);
    QCOMPARE(models.size(), 3u);
    QCOMPARE(models[0].name, "bad");
    QVERIFY(!models[0].problem.empty());
    QCOMPARE(models[1].name, "good");
    QVERIFY2(models[1].problem.empty(), models[1].problem.c_str());
    QVERIFY(contains(models[1].description, "Whisper") && contains(models[1].description, "English"));
    QVERIFY(models[1].bytes > fs::file_size(place / "good" / "model.safetensors"));
    QCOMPARE(models[1].languages, std::vector<std::string>{"en"});
    QCOMPARE(models[2].name, "small-en");

    QCOMPARE(findModel("good", folders), place / "good");
    QCOMPARE(findModel(m_folder.string(), {}), m_folder);
    const std::string sentence = sentenceOf([&] { static_cast<void>(findModel("tiny", folders)); });
    QVERIFY2(contains(sentence, "tiny") && contains(sentence, "good") && contains(sentence, "small-en"), sentence.c_str());
}

void tst_caption_model::devicesAreChosenByName()
{
    const int before = at::get_num_threads();
    QCOMPARE(describeDevice({"cpu", NumberType::Float32, before + 1}), "cpu, " + std::to_string(before + 1) + " threads, float32");
    QCOMPARE(at::get_num_threads(), before);  // to describe is not to change
    useThreads({"cpu", NumberType::Float32, before + 1});
    QCOMPARE(at::get_num_threads(), before + 1);
    useThreads({"cpu", NumberType::Float32, before});
    QCOMPARE(describeDevice({"cpu", NumberType::Float32, 1}), "cpu, 1 thread, float32");
    QVERIFY(resolveThreads(0) >= 1);
    for (const char *nonsense : {"gpu", "cuda1", "cuda:x", "cuda:", ""}) {
        QVERIFY2(contains(sentenceOf([&] { static_cast<void>(describeDevice({nonsense, NumberType::Float32, 1})); }), "is no device"), nonsense);
    }
    QVERIFY(contains(sentenceOf([] { static_cast<void>(describeDevice({"cuda:99", NumberType::Float32, 1})); }), "GPU"));
}

void tst_caption_model::loadingShowsProgressAndCanBeCancelled()
{
    double last = -1;
    int reports = 0;
    const auto model = loadCaptionModel(m_folder, kCpu, [&](double fraction, const std::string &what) {
        QVERIFY(fraction >= last && fraction <= 1);
        QVERIFY(contains(what, "small-en"));
        last = fraction;
        ++reports;
    });
    QCOMPARE(last, 1.0);
    QVERIFY(reports > 10);
    QCOMPARE(model->summary().name, "small-en");
    QVERIFY(model->summary().bytes > 0);

    std::stop_source stop;
    try {
        static_cast<void>(loadCaptionModel(
            m_folder, kCpu,
            [&stop](double fraction, const std::string &) {
                if (fraction > 0.3) {
                    stop.request_stop();
                }
            },
            stop.get_token()));
        QFAIL("was not cancelled");
    } catch (const Error &error) {
        QCOMPARE(error.kind(), ErrorKind::Cancelled);
    }
}

void tst_caption_model::longSoundWithoutTimestamps()
{
    const auto model = loadCaptionModel(m_folder, kCpu);
    OfflineOptions options;
    options.beam_size = 2;
    options.temperatures = {0.0f};
    options.log_probability_threshold = -1000;
    const std::vector<float> sound = test::hashedSound(200000);  // 12.5 s, windows of at most 2.4 s
    double last = 0;
    const text::Transcript transcript = model->transcribe(sound, options, [&last](double fraction, const std::string &) { last = fraction; });
    QCOMPARE(last, 1.0);
    Sample before = 0;
    Sample latest = 0;
    for (const text::TranscriptItem &item : transcript) {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            QVERIFY(word->start_sample >= before && word->end_sample >= word->start_sample && word->end_sample <= 200000);
            before = word->start_sample;
            latest = word->end_sample;
        }
    }
    QVERIFY(latest > 150000);  // windows up to the end were heard
    QVERIFY(model->transcribe({}, options).empty());
    QVERIFY(model->transcribe(std::vector<float>(100000, 0.0f), options).empty());  // nothing but silence
}

void tst_caption_model::transcriptionCanBeCancelled()
{
    const auto model = loadCaptionModel(m_folder, kCpu);
    std::stop_source stop;
    try {
        static_cast<void>(model->transcribe(
            test::hashedSound(200000), {},
            [&stop](double fraction, const std::string &) {
                if (fraction > 0.2) {
                    stop.request_stop();
                }
            },
            stop.get_token()));
        QFAIL("was not cancelled");
    } catch (const Error &error) {
        QCOMPARE(error.kind(), ErrorKind::Cancelled);
    }
}

void tst_caption_model::languagesAndTasksAreChecked()
{
    const auto model = loadCaptionModel(m_folder, kCpu);
    CaptionOptions options;
    options.language = "de";
    QVERIFY(contains(sentenceOf([&] { static_cast<void>(CaptionPolicies().make(*model, options)); }), "\"de\""));
    options.language = "en";
    options.task = SpeechTask::Translate;
    QVERIFY(contains(sentenceOf([&] { static_cast<void>(CaptionPolicies().make(*model, options)); }), "translate"));
    OfflineOptions offline;
    offline.task = SpeechTask::Translate;
    QVERIFY(contains(sentenceOf([&] { static_cast<void>(model->transcribe({}, offline)); }), "translate"));
}

void tst_caption_model::policiesRun()
{
    const auto model = loadCaptionModel(m_folder, kCpu);
    for (const auto &[asked, name] :
         {std::pair{"local-agreement", "local-agreement"}, {"align-att", "align-att"}, {"streaming", "streaming"}, {"models-choice", "align-att"}}) {
        CaptionOptions options;
        options.policy = asked;
        options.step_ms = 500;
        const auto policy = CaptionPolicies().make(*model, options);
        QVERIFY(policy->stepSamples() > 0);
        QCOMPARE(policy->name(), std::string(name));
        policy->beginUtterance(0);
        const std::vector<float> sound = test::hashedSound(40000);
        for (std::size_t begin = 0; begin < sound.size(); begin += 8000) {
            policy->addSound(std::span(sound).subspan(begin, 8000));
            static_cast<void>(policy->step());
        }
        QVERIFY(policy->endUtterance().tail.empty());
    }
}

void tst_caption_model::causalModelsChooseToStream()
{
    const fs::path causal = copyOf("causal");
    std::ifstream in(causal / "config.json");
    nlohmann::json config = nlohmann::json::parse(in);
    config["braid_streaming"] = {{"first_chunk_ms", 400}, {"default_chunk_ms", 200}, {"chunk_ms_min", 100}, {"chunk_ms_max", 1000}};
    std::ofstream(causal / "config.json") << config.dump();
    const ModelSummary listed = listModels(std::vector<fs::path>{causal})[0];
    QVERIFY(listed.made_for_streaming);
    QCOMPARE((std::array{listed.least_chunk_ms, listed.most_chunk_ms, listed.own_chunk_ms, listed.first_chunk_ms}), (std::array{100, 1000, 200, 400}));
    QVERIFY(!listModels(std::vector<fs::path>{m_folder})[0].made_for_streaming);
    QCOMPARE(listModels(std::vector<fs::path>{m_folder})[0].most_chunk_ms, 0);
    const auto model = loadCaptionModel(causal, kCpu);
    QVERIFY(model->summary().made_for_streaming);
    const auto policy = CaptionPolicies().make(*model, {});
    QCOMPARE(policy->name(), std::string("streaming"));
    // It serves all policies and the whole file in turn, each as if it were alone.
    const std::vector<float> sound = test::hashedSound(30000);
    const auto wordsOf = [&](const char *name) {
        CaptionOptions options;
        options.policy = name;
        const auto one = CaptionPolicies().make(*model, options);
        one->beginUtterance(0);
        one->addSound(sound);
        static_cast<void>(one->step());
        std::string all;
        for (const text::Word &word : one->endUtterance().committed) {
            all += word.text + "|";
        }
        return all;
    };
    OfflineOptions offline;
    offline.beam_size = 1;
    offline.temperatures = {0};
    const auto whole = model->transcribe(sound, offline).size();
    const std::string streamed = wordsOf("streaming");
    const std::string aligned = wordsOf("align-att");
    QCOMPARE(model->transcribe(sound, offline).size(), whole);
    QCOMPARE(wordsOf("streaming"), streamed);
    QCOMPARE(wordsOf("align-att"), aligned);
    QVERIFY(!wordsOf("local-agreement").empty() || !aligned.empty() || !streamed.empty());
}

QTEST_GUILESS_MAIN(tst_caption_model)
#include "tst_caption_model.moc"
