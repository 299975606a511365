// "kind": "speech-lm": over a frozen causal encoder a tiny language model learns two utterances by heart, and captions them by the policy.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <fstream>

#include <ATen/Parallel.h>

#include "core/base/error.h"
#include "core/model_access/caption_policies.h"
#include "core/models/models.h"
#include "core/models/speech_lm/speech_lm.h"
#include "core/weights/safetensors.h"
#include "lab/corpus/utterance_sound.h"
#include "lab/train/speech_lm/speech_lm_trainer.h"
#include "lab/train/training.h"
#include "tests/lab/train/remembering_watch.h"
#include "tests/support/error_sentence.h"
#include "tests/support/small_whisper_folder.h"
#include "tests/support/spoken_tones.h"

using namespace braid;
using namespace braid::train;
using nlohmann::json;
namespace fs = std::filesystem;

class tst_speech_lm_training : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;
    fs::path m_folder;
    const std::vector<std::vector<std::string>> m_sentences = {{"a", "c", "b", "d"}, {"d", "a", "b"}};

    [[nodiscard]] json recipe() const
    {
        return {{"kind", "speech-lm"},
                {"about", "tones"},
                {"seed", 3},
                {"encoder", (m_folder / "causal").string()},
                {"adapter", {{"stack", 3}, {"hidden", {20}}}},
                {"start", {{"sizes", {{"width", 24}, {"inner_width", 40}, {"layers", 2}, {"heads", 2}, {"context", 256}}}, {"vocabulary", 264}}},
                {"token_heads", {{"kind", "latent"}, {"count", 3}}},
                {"speech", {{"segment_ms", 400}, {"wait_k", {1, 2}}, {"phi", 0.5}, {"languages", {"en"}}}},
                {"corpora", {{{"manifest", (m_folder / "tones.jsonl").string()}}}},
                {"optimizer", {{"kind", "adamw"}, {"learning_rate", 0.01}, {"weight_decay", 0}, {"clip", 1}}},
                {"schedule", {{"kind", "steps"}, {"steps", 300}, {"warmup_steps", 5}}},
                {"validation", {{"manifests", {(m_folder / "tones.jsonl").string()}}, {"every_steps", 150}}},
                {"export", {{"number_type", "float32"}}}};
    }
    [[nodiscard]] SpeechLmRecipe parsed(const json &values) const { return parseSpeechLmRecipe(values.dump(), m_folder, "recipe"); }

  private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        m_folder = m_place.path().toStdString();
        test::writeToneCorpus(m_folder, m_sentences);
        test::writeSmallWhisperFolder(m_folder / "causal");
        std::ifstream file(m_folder / "causal/config.json");
        json config = json::parse(file);
        config["braid_streaming"] = {{"first_chunk_ms", 400}, {"default_chunk_ms", 400}, {"chunk_ms_min", 80}, {"chunk_ms_max", 800}};
        std::ofstream(m_folder / "causal/config.json") << config.dump();
    }

    void learnsTwoUtterancesAndCaptionsThem()
    {
        test::Watch watch;
        const fs::path out = m_folder / "learnt";
        const TrainingResult result = runTraining(parsed(recipe()), {out}, watch);
        QVERIFY(result.end == TrainingEnd::Complete);
        QVERIFY2(watch.validations.back().token_accuracy > 0.99, qPrintable(QString::number(watch.validations.back().text_loss)));
        QCOMPARE(watch.reports.back().losses.size(), std::size_t(3));

        const auto model = models::makeModelLoader()->loadCaptionModel({out / "model", {"cpu", models::NumberType::Float32, 1}}, {}, {});
        const models::CaptionPolicies policies;
        const auto said = [&](std::size_t utterance, std::int64_t heads, int wait_k, int *passes) {
            models::CaptionOptions options;
            options.policy = "speech-llm";
            options.speech_llm.drafting.heads = heads;
            options.speech_llm.wait_k = wait_k;
            const auto policy = policies.make(*model, options);
            const std::vector<float> sound = corpus::readSound(m_folder / ("tones" + std::to_string(utterance) + ".wav"));
            std::vector<std::string> words;
            const auto take = [&](const captions::PolicyUpdate &update) {
                *passes += update.decoder_steps;
                for (const text::Word &word : update.committed) {
                    words.push_back(word.text);
                }
            };
            policy->beginUtterance(0);
            for (std::size_t given = 0; given < sound.size();) {
                const auto count = std::min(static_cast<std::size_t>(policy->stepSamples()), sound.size() - given);
                policy->addSound(std::span<const float>(sound).subspan(given, count));
                given += count;
                take(policy->step());
            }
            take(policy->endUtterance());
            return words;
        };
        int passes = 0;
        int drafted_passes = 0;
        for (std::size_t utterance = 0; utterance < m_sentences.size(); ++utterance) {
            for (const int wait_k : {1, 2}) {
                QCOMPARE(said(utterance, 1, wait_k, &passes), m_sentences[utterance]);
                QCOMPARE(said(utterance, 3, wait_k, &drafted_passes), m_sentences[utterance]);
            }
        }
        QVERIFY2(drafted_passes < passes, qPrintable(QString("%1 of %2").arg(drafted_passes).arg(passes)));
    }

    // The encoder of the exported model is the one it began with, to the last bit, and what was trained is not what it began with.
    void theEncoderStaysAsItIs()
    {
        const weights::SpeechLmCheckpoint learnt = weights::readSpeechLm(m_folder / "learnt/model");
        const weights::WhisperCheckpoint before = weights::readWhisperCheckpoint(m_folder / "causal");
        for (const std::string &name : learnt.encoder.tensors.names()) {
            QVERIFY2(std::ranges::equal(learnt.encoder.tensors.peek(name)->bytes, before.tensors.peek(name)->bytes), name.c_str());
        }
        QCOMPARE(learnt.config.wait_k, 1);
        QCOMPARE(learnt.config.phi, std::vector<double>{0.5});
        QCOMPARE(learnt.config.language_model.token_heads.count, 3);
        QCOMPARE(learnt.config.languages, std::vector<std::string>{"en"});
    }

    // Rows of the segments as the trainer counts them are those that a stream gives.
    void segmentsAreTheStreams()
    {
        const auto model = models::speech::loadSpeechLm(m_folder / "learnt/model", {});
        const captions::Chunking segments = models::speech::segmentsOf(model->config);
        for (const Sample samples : {1, 300, 6400, 6440, 7000, 12839, 12840, 20000, 30000}) {
            const std::vector<float> sound(static_cast<std::size_t>(samples), 0.1f);
            const auto stream = model->encoder->begin(segments);
            std::vector<std::int64_t> rows;
            std::size_t given = 0;
            for (std::size_t until = 6440; until <= sound.size(); until += 6400) {
                rows.push_back(stream->add(std::span<const float>(sound).subspan(given, until - given)).size(0));
                given = until;
            }
            std::int64_t rest = stream->add(std::span<const float>(sound).subspan(given)).size(0);
            rest += stream->finish().size(0);
            if (rest > 0) {
                rows.push_back(rest);
            }
            QCOMPARE(rowsOfSegments(samples, 6400, model->encoder->lookAheadSamples(), segments.frame_samples, model->config.adapter.stack), rows);
        }
    }

    // Stopped and gone on with, a run ends where an unbroken one does.
    void resumesExactly()
    {
        json values = recipe();
        values["schedule"]["steps"] = 8;
        values["validation"]["every_steps"] = 100;
        test::Watch watch;
        QVERIFY(runTraining(parsed(values), {m_folder / "whole"}, watch).end == TrainingEnd::Complete);
        TrainingOptions some{m_folder / "parts"};
        some.steps = 3;
        QVERIFY(runTraining(parsed(values), some, watch).end == TrainingEnd::Stopped);
        some.steps = 0;
        some.start = TrainingStart::Resume;
        QVERIFY(runTraining(parsed(values), some, watch).end == TrainingEnd::Complete);
        const weights::TensorStore whole = weights::readSafetensorsFolder(m_folder / "whole/last");
        const weights::TensorStore parts = weights::readSafetensorsFolder(m_folder / "parts/last");
        for (const std::string &name : whole.names()) {
            QVERIFY2(std::ranges::equal(whole.peek(name)->bytes, parts.peek(name)->bytes), name.c_str());
        }
    }

    void recipesThatCannotBeAreRefused_data()
    {
        QTest::addColumn<QString>("patch");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const char *patch, const char *says) { QTest::newRow(name) << QString(patch) << QString(says); };
        row("no encoder", R"({"encoder": null})", "encoder");
        row("no speech", R"({"corpora": []})", "corpora");
        row("a corpus without a manifest", R"({"corpora": [{}]})", "manifest");
        row("an unknown key", R"({"speed": 3})", "speed");
        row("a published language model", R"({"start": {"model": "x", "sizes": null, "vocabulary": null}})", "start");
        row("no k", R"({"speech": {"wait_k": []}})", "wait_k");
        row("a plateau without validation", R"({"schedule": {"kind": "plateau"}, "validation": null})", "plateau");
    }
    void recipesThatCannotBeAreRefused()
    {
        QFETCH(QString, patch);
        QFETCH(QString, says);
        json values = recipe();
        values.merge_patch(json::parse(patch.toStdString()));
        const std::string sentence = test::sentenceOf(ErrorKind::Input, [&] { static_cast<void>(parsed(values)); });
        QVERIFY2(sentence.find(says.toStdString()) != std::string::npos, sentence.c_str());
    }

    void anEncoderThatLooksAheadIsRefused()
    {
        test::writeSmallWhisperFolder(m_folder / "not-causal");
        json values = recipe();
        values["encoder"] = (m_folder / "not-causal").string();
        test::Watch watch;
        const std::string sentence = test::sentenceOf(ErrorKind::Input, [&] { static_cast<void>(runTraining(parsed(values), {m_folder / "no"}, watch)); });
        QVERIFY2(sentence.find("later sound") != std::string::npos, sentence.c_str());
    }
};

QTEST_GUILESS_MAIN(tst_speech_lm_training)
#include "tst_speech_lm_training.moc"
