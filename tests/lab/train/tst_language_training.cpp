// Language models from recipe to folder: losses go to about zero, stopping and resuming changes nothing, adapters alone are trained, and what is exported
// is what was trained.
#include <QtTest>

#include <fstream>
#include <map>

#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/models/decoder_lm/translation_run.h"
#include "core/weights/huggingface_lm.h"
#include "lab/train/checkpoint.h"
#include "lab/train/language/language_trainer.h"
#include "lab/train/language/translation_pairs.h"
#include "tests/lab/train/language_place.h"

using namespace braid;
using namespace braid::test;
using namespace braid::train;

namespace {

std::map<std::string, at::Tensor> copyOf(const std::map<std::string, at::Tensor> &tensors)
{
    std::map<std::string, at::Tensor> out;
    for (const auto &[name, tensor] : tensors) {
        out.emplace(name, tensor.detach().clone());
    }
    return out;
}

bool areEqual(const std::map<std::string, at::Tensor> &a, const std::map<std::string, at::Tensor> &b)
{
    return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&b](const auto &item) {
               return b.count(item.first) > 0 && at::equal(item.second.detach(), b.at(item.first).detach());
           });
}

}  // namespace

class tst_language_training : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theLossGoesToZero()
    {
        const Place place;
        Watch watch;
        const LanguageRecipe recipe = place.recipe({{"schedule", {{"steps", 260}}},
                                                    {"start", {{"sizes", {{"width", 32}, {"inner_width", 64}}}}},
                                                    {"translation", {{"wait_k", {30}}, {"context", 0}}}});
        const TrainingResult result = runTraining(recipe, {place.folder / "out", TrainingStart::Fresh, 0, 0}, watch);
        QCOMPARE(result.end, TrainingEnd::Complete);
        QVERIFY2(watch.reports.back().losses.front().value < 0.05, qPrintable(QString::number(watch.reports.back().losses.front().value)));
        QCOMPARE(watch.reports.back().token_accuracy, 1.0);
        QVERIFY(watch.reports.back().amount_per_second > 0);

        // The folder, read as any model is, writes what was learnt.
        const auto folder = place.folder / "out" / "model";
        weights::LmCheckpoint checkpoint = weights::readLanguageModel(folder);
        const models::lm::DecoderLm model(checkpoint, {});
        const auto tokenizer = text::LanguageTokenizer::load(folder);
        const auto frame = text::TranslationFrame::of(tokenizer);
        QCOMPARE(checkpoint.config.end_tokens, std::vector<std::int32_t>{frame->end()});
        QVERIFY(checkpoint.config.translation && checkpoint.config.translation->source == "en" && checkpoint.config.translation->target == "fr");
        for (const PairText &pair : kPairs) {
            models::lm::TranslationRun run(model, paradigms::groupStreaming(0));
            run.read(frame->prompt());
            run.read(frame->textTokens(pair.source));
            run.read(std::vector<std::int32_t>{frame->end()});
            run.write(frame->header());
            std::vector<std::int32_t> said;
            for (int i = 0; i < 80; ++i) {
                const auto next = static_cast<std::int32_t>(run.predict().argmax().item<std::int64_t>());
                if (next == frame->end()) {
                    break;
                }
                said.push_back(next);
                run.write(std::span(&next, 1));
            }
            QCOMPARE(QString::fromStdString(tokenizer->decode(said)), QString::fromStdString(" " + pair.target));
        }
    }

    void stoppingAndResumingChangesNothing_data()
    {
        QTest::addColumn<QString>("optimizer");
        QTest::addColumn<double>("average");
        QTest::newRow("AdamW") << "adamw" << 0.0;
        QTest::newRow("Muon, every second matrix, with an average") << "muon" << 0.9;
    }
    void stoppingAndResumingChangesNothing()
    {
        QFETCH(QString, optimizer);
        QFETCH(double, average);
        const Place place;
        // Batches so small that an epoch has several, and epochs that end in between.
        const LanguageRecipe recipe = place.recipe({{"optimizer", {{"kind", optimizer.toStdString()}, {"muon_every", 2}, {"average", average}}},
                                                    {"batch", {{"tokens", 60}}},
                                                    {"losses", {{"label_smoothing", 0.1}}},
                                                    {"validation", {{"held_out", 0.3}, {"every_steps", 4}}}});
        Watch watch;
        QCOMPARE(runTraining(recipe, {place.folder / "whole", TrainingStart::Fresh, 0, 0}, watch).end, TrainingEnd::Complete);
        QCOMPARE(runTraining(recipe, {place.folder / "parts", TrainingStart::Fresh, 0, 7}, watch).end, TrainingEnd::Stopped);
        QCOMPARE(runTraining(recipe, {place.folder / "parts", TrainingStart::Resume, 0, 0}, watch).progress.steps, 12);
        const auto whole = readCheckpoint(place.folder / "whole");
        const auto parts = readCheckpoint(place.folder / "parts");
        QVERIFY(whole->progress.epochs > 1);
        QVERIFY(areEqual(whole->weights, parts->weights));
        QVERIFY(areEqual(whole->optimizer, parts->optimizer));
        QVERIFY(areEqual(whole->average, parts->average));
        QCOMPARE(whole->next.epoch, parts->next.epoch);
        QCOMPARE(whole->next.number, parts->next.number);
        QCOMPARE(readTextFile(place.folder / "whole" / "tokenizer.json"), readTextFile(place.folder / "parts" / "tokenizer.json"));
        QVERIFY(!watch.validations.empty() && watch.validations.front().examples > 0);
        QVERIFY(!watch.validations.front().word_error_rate);
    }

    void onlyAdaptersAreTrained()
    {
        const Place place;
        Watch watch;
        static_cast<void>(runTraining(place.recipe(), {place.folder / "base", TrainingStart::Fresh, 0, 0}, watch));
        nlohmann::json changes;
        changes["start"] = {{"model", "base/model"}, {"lora_rank", 4}, {"sizes", nullptr}, {"vocabulary", nullptr}};
        const LanguageRecipe recipe = place.recipe(changes);
        LanguageTrainer trainer(recipe, place.folder / "adapted", watch);
        const auto before = copyOf(trainer.network().parameters());
        for (int i = 0; i < 3; ++i) {
            QVERIFY(trainer.step().norm > 0);
        }
        for (const auto &[name, value] : trainer.network().parameters()) {
            QCOMPARE(!at::equal(value.detach(), before.at(name)), name.find(".lora_") != name.npos);
        }
        // Written as PEFT has it, it is found again beside its base.
        trainer.writeModel(place.folder / "adapter");
        weights::LmCheckpoint base = weights::readLanguageModel(place.folder / "base" / "model");
        models::lm::DecoderLm loaded(base, {});
        const weights::LmAdapter adapter = weights::readLmAdapter(place.folder / "adapter", base.config);
        loaded.weights().addAdapter(adapter);
        loaded.weights().useAdapter(adapter.name);
        const c10::NoGradGuard no_gradients;
        const at::Tensor ids = at::arange(6, at::kLong).unsqueeze(0);
        const at::Tensor positions = at::arange(6, at::kDouble).unsqueeze(0);
        const at::Tensor seen = at::ones({1, 6, 6}, at::kBool).tril();
        const at::Tensor own = trainer.network().model().runWhole(ids, positions, {}, seen);
        QVERIFY((loaded.runWhole(ids, positions, {}, seen) - own).abs().max().item<double>() < 1e-5);
    }

    void wrongRecipesAndPairsAreRefused()
    {
        const Place place;
        const auto fails = [&place](const nlohmann::json &changes) {
            try {
                static_cast<void>(place.recipe(changes));
                return QString();
            } catch (const Error &error) {
                return QString::fromStdString(error.what());
            }
        };
        QVERIFY(fails({{"kind", "captions"}}).contains("\"kind\""));
        QVERIFY(fails({{"translation", {{"paradigm", "sideways"}}}}).contains("translation.paradigm"));
        QVERIFY(fails({{"translation", {{"wait_k", nlohmann::json::array()}}}}).contains("names no k"));
        QVERIFY(fails({{"translation", {{"wait_k", {0}}}}}).contains("wait_k[0]"));
        QVERIFY(fails({{"start", {{"vocabulary", nullptr}}}}).contains("vocabulary"));
        QVERIFY(fails({{"start", {{"lora_rank", 4}}}}).contains("lora_rank"));
        QVERIFY(fails({{"start", {{"sizes", {{"heads", 5}}}}}}).contains("start.sizes"));
        QVERIFY(fails({{"pairs", nullptr}}).contains("\"pairs\""));
        QVERIFY(fails({{"chunks", 3}}).contains("is not something a recipe has"));
        const nlohmann::json plateau = {{"kind", "plateau"}};
        QVERIFY(fails({{"schedule", plateau}}).contains("set \"validation.held_out\""));
        QCOMPARE(fails({{"schedule", plateau}, {"validation", {{"held_out", 0.3}}}}), QString());
        // Conversations that are made are never short of others to validate with; one's own tables are.
        QCOMPARE(place.streamsRecipe({{"schedule", plateau}}).schedule.kind, ScheduleKind::Plateau);
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(place.streamsRecipe({{"schedule", plateau}, {"streams", {{"tables", {"own.md"}}}}})));
        QCOMPARE(place.streamsRecipe({{"schedule", plateau}, {"streams", {{"tables", {"own.md"}}, {"held_out_tables", 4}}}}).schedule.kind,
                 ScheduleKind::Plateau);
        std::ofstream(place.folder / "bad.tsv") << "A sentence\tUne phrase\nNo tab\n";
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readPairs(place.folder / "bad.tsv")));
    }
};

QTEST_GUILESS_MAIN(tst_language_training)
#include "tst_language_training.moc"
