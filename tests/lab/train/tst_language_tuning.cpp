// What people already have is taught: models in the shapes of published ones, by their own chat template or none at all, learn to translate while they read and
// to speak in parallel streams, until they say what they were taught.
#include <QtTest>

#include <fstream>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/models/models.h"
#include "core/weights/huggingface_lm.h"
#include "lab/evaluation/translation_evaluation.h"
#include "lab/train/checkpoint.h"
#include "lab/train/language/language_trainer.h"
#include "tests/lab/train/published_lm.h"

using namespace braid;
using namespace braid::test;
using namespace braid::train;
using nlohmann::json;

namespace {

// Short enough to be spelled letter by letter.
constexpr const char *kTaught = "the cat sat\tle chat dort\na dog\tun chien\nyes it is\toui\n";

// For a run at k 2, which also asks whether a word goes on before it reads the next one (what a row of k 1 sees), and again behind an end that came early
// (what rows of k 3 and 4 see).
json tuning(const char *model, const json &start, int steps)
{
    json changes = {{"start", {{"model", model}, {"sizes", nullptr}, {"vocabulary", nullptr}}},
                    {"translation", {{"wait_k", {1, 2, 3, 4}}, {"context", 0}}},
                    {"batch", {{"tokens", 400}, {"longest", 400}}},
                    {"schedule", {{"steps", steps}}}};
    changes["start"].update(start);
    return changes;
}

QString translated(const std::filesystem::path &folder, const std::vector<std::filesystem::path> &adapters, const std::string &paradigm,
                   const std::string &source)
{
    models::DeviceChoice device;
    device.threads = 1;
    const auto model = models::loadLanguageModel(folder, device, adapters, {}, {});
    models::TranslatorOptions options;
    options.source_language = "en";
    options.target_language = "fr";
    options.paradigm = paradigm;
    translation::WaitKSettings settings;
    settings.k = 2;
    return QString::fromStdString(
        evaluation::TranslationEvaluator(model->makeTranslator(options), settings, 400, [] { return 0.0; }).evaluate(source).hypothesis);
}

}  // namespace

class tst_language_tuning : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void publishedModelsLearnToTranslate_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("rank");
        QTest::addColumn<QString>("paradigm");
        QTest::newRow("Qwen2 with its chat template, adapters with dropout") << int(PublishedLm::Qwen2) << 16 << "group";
        QTest::newRow("Llama with byte fallback and no template") << int(PublishedLm::Llama) << 0 << "group";
        QTest::newRow("Qwen2, written tokens move with every read") << int(PublishedLm::Qwen2) << 0 << "batch-positions";
        QTest::newRow("Qwen2, all that is written is fed again") << int(PublishedLm::Qwen2) << 0 << "batch-all";
    }
    void publishedModelsLearnToTranslate()
    {
        QFETCH(int, kind);
        QFETCH(int, rank);
        QFETCH(QString, paradigm);
        const Place place;
        writePublishedLm(place.folder / "base", static_cast<PublishedLm>(kind));
        std::ofstream(place.folder / "pairs.tsv") << kTaught;
        json changes = tuning("base", rank > 0 ? json{{"lora_rank", rank}, {"lora_dropout", 0.1}} : json::object(), rank > 0 ? 300 : 200);
        changes["translation"]["paradigm"] = paradigm.toStdString();
        Watch watch;
        static_cast<void>(runTraining(place.recipe(changes), {place.folder / "out", TrainingStart::Fresh, 0, 0}, watch));
        QVERIFY2(watch.reports.back().losses.front().value < 0.3, qPrintable(QString::number(watch.reports.back().losses.front().value)));

        const auto trained = place.folder / "out" / "model";
        if (rank > 0) {
            QCOMPARE(json::parse(readTextFile(trained / "adapter_config.json"))["lora_dropout"].get<double>(), 0.1);
        }
        for (const PairText &pair : readPairs(place.folder / "pairs.tsv")) {
            const QString said = rank > 0 ? translated(place.folder / "base", {trained}, paradigm.toStdString(), pair.source)
                                          : translated(trained, {}, paradigm.toStdString(), pair.source);
            QCOMPARE(said, QString::fromStdString(pair.target));
        }
    }

    // A step drops other numbers than the one before, and a resumed run the same as the whole.
    void dropoutIsThatOfTheWholeRun()
    {
        const Place place;
        writePublishedLm(place.folder / "base", PublishedLm::Qwen2);
        const LanguageRecipe dropping = place.recipe(tuning("base", {{"lora_rank", 4}, {"lora_dropout", 0.5}}, 6));
        Watch watch;
        static_cast<void>(runTraining(dropping, {place.folder / "whole", TrainingStart::Fresh, 0, 0}, watch));
        static_cast<void>(runTraining(dropping, {place.folder / "parts", TrainingStart::Fresh, 0, 2}, watch));
        static_cast<void>(runTraining(dropping, {place.folder / "parts", TrainingStart::Resume, 0, 0}, watch));
        static_cast<void>(runTraining(place.recipe(tuning("base", {{"lora_rank", 4}}, 6)), {place.folder / "exact", TrainingStart::Fresh, 0, 0}, watch));
        const std::string name = "layers.0.self_attn.q_proj.lora_B";
        const at::Tensor whole = readCheckpoint(place.folder / "whole")->weights.at(name);
        QVERIFY(at::equal(whole, readCheckpoint(place.folder / "parts")->weights.at(name)));
        QVERIFY(!at::allclose(whole, readCheckpoint(place.folder / "exact")->weights.at(name)));
    }

    // Adapters beside the base with nothing dropped are those that are part of it.
    void adaptersApartAreAdaptersMerged()
    {
        const Place place;
        writePublishedLm(place.folder / "base", PublishedLm::Qwen2);
        weights::LmCheckpoint checkpoint = weights::readLanguageModel(place.folder / "base");
        LanguageNetwork network(checkpoint, 1, {});
        network.addAdapters(4, 8, 1);
        shake(network);
        const c10::NoGradGuard no_gradients;
        const at::Tensor ids = at::arange(9, at::kLong).unsqueeze(0);
        const at::Tensor positions = at::arange(9, at::kFloat).unsqueeze(0);
        const at::Tensor seen = at::ones({1, 9, 9}, at::kBool).tril();
        train::Random random({1});
        const at::Tensor apart = network.droppingModel(0, random).runWhole(ids, positions, {}, seen);
        const at::Tensor merged = network.model().runWhole(ids, positions, {}, seen);
        QVERIFY((apart - merged).abs().max().item<double>() < 1e-4 * merged.abs().max().item<double>());
        QVERIFY(!at::allclose(network.droppingModel(0.5, random).runWhole(ids, positions, {}, seen), merged));
    }

    void publishedModelsLearnParallelStreams_data()
    {
        QTest::addColumn<QString>("form");
        QTest::addColumn<int>("rank");
        QTest::newRow("rows, everything") << "rows" << 0;
        QTest::newRow("blocks, adapters") << "blocks" << 8;
    }
    void publishedModelsLearnParallelStreams()
    {
        QFETCH(QString, form);
        QFETCH(int, rank);
        const Place place;
        writePublishedLm(place.folder / "base", PublishedLm::Qwen2);
        const json layout = {{"format", "braid-streams-layout"},
                             {"version", 1},
                             {"name", "two"},
                             {"visibility", {{"form", form.toStdString()}}},
                             {"silence", {{"rule", "skipped"}, {"text", " -"}}},
                             {"streams", {{{"name", "User"}, {"role", "user"}}, {{"name", "Answer"}, {"role", "assistant"}}}}};
        std::ofstream(place.folder / "two.json") << layout.dump();
        std::ofstream(place.folder / "tables.md") << "| User | Answer |\n|---|---|\n| one | - |\n| two | one |\n| three | two |\n| - | three |\n";
        json changes = {{"start", {{"model", "base"}, {"sizes", nullptr}, {"vocabulary", nullptr}, {"lora_rank", rank}}},
                        {"streams", {{"layout", "two.json"}, {"tables", {"tables.md"}}, {"conversations", 4}}},
                        {"schedule", {{"steps", 120}}}};
        Watch watch;
        const LanguageRecipe recipe = place.streamsRecipe(changes);
        static_cast<void>(runTraining(recipe, {place.folder / "out", TrainingStart::Fresh, 0, 0}, watch));
        QVERIFY2(watch.reports.back().losses.front().value < 0.2, qPrintable(QString::number(watch.reports.back().losses.front().value)));
        // A whole model, whatever was trained, since the base has no stream embedding.
        weights::LmCheckpoint trained = weights::readLanguageModel(place.folder / "out" / "model");
        QCOMPARE(trained.config.streams, std::int64_t{2});
        QVERIFY(models::lm::DecoderLm(trained, {}).weights().streamEmbedding().size(0) == 2);
    }

    void whatCannotBeTaughtIsRefused()
    {
        const Place place;
        writePublishedLm(place.folder / "base", PublishedLm::Llama);
        Watch watch;
        const auto refused = [&](const json &changes) {
            try {
                const LanguageTrainer trainer(place.recipe(changes), place.folder / "out", watch);
                return QString();
            } catch (const Error &error) {
                return QString::fromStdString(error.what());
            }
        };
        QVERIFY(refused(tuning("base", {{"lora_rank", 4}}, 1)).contains("no chat template"));
        json changes = tuning("base", json::object(), 1);
        changes["translation"]["context"] = 0.5;
        QVERIFY(refused(changes).contains("translation.context"));
        changes = tuning("base", json::object(), 1);
        changes["translation"]["source"] = nullptr;
        changes["translation"]["target"] = nullptr;
        QVERIFY(refused(changes).contains("names no languages"));
        QVERIFY(refused(tuning("base", {{"lora_dropout", 0.1}}, 1)).contains("lora_rank"));
    }
};

QTEST_GUILESS_MAIN(tst_language_tuning)
#include "tst_language_tuning.moc"
