// Training that begins with parts of somebody's Whisper, part by part and stage by stage: what is loaded is what the running model computes, a
// frozen part does not move by a bit, rates are per part, the encoder's cached output is its output, and stopping anywhere changes nothing.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "core/base/error.h"
#include "core/models/whisper/whisper_model.h"
#include "core/weights/safetensors.h"
#include "lab/train/trainer.h"
#include "lab/train/training.h"
#include "tests/lab/train/remembering_watch.h"
#include "tests/support/error_sentence.h"
#include "tests/support/small_whisper_folder.h"
#include "tests/support/spoken_tones.h"

using namespace braid;
using namespace braid::train;
using test::Watch;
namespace fs = std::filesystem;

namespace {

const std::vector<std::vector<std::string>> kSentences = {{"a", "b"}, {"c", "d", "a"}, {"b"}, {"d", "c", "b", "a"}, {"a", "c"}};

// "Somebody's Whisper": 20 ms frames, one head as wide as published ones.
weights::WhisperDims theirDims()
{
    weights::WhisperDims dims = test::smallDims();
    dims.n_audio_ctx = 120;
    dims.n_audio_state = dims.n_text_state = 64;
    dims.n_audio_head = dims.n_text_head = 1;
    dims.n_text_layer = 2;
    dims.n_text_ctx = 50;
    dims.conv1_stride = 1;
    return dims;
}

struct Place {
    Place()
        : folder(temporary.path().toStdString())
    {
        at::set_num_threads(1);
        test::writeToneCorpus(folder, kSentences);
        std::ofstream(folder / "tokenizer.json") << test::byteTokenizerJson();
        for (const char *part : {"encoder.", "decoder."}) {
            weights::WhisperCheckpoint theirs = test::HashedWhisper("theirs/", theirDims()).take();
            weights::TensorStore store("theirs");
            for (const std::string &name : theirs.tensors.names()) {
                if (name.starts_with(part) && name != "decoder.token_embedding.weight") {
                    store.add(name, theirs.tensors.take(name));
                }
            }
            weights::writeSafetensors(folder / (std::string(part) + "safetensors"), store);
        }
    }

    [[nodiscard]] nlohmann::json values() const
    {
        nlohmann::json values = test::toneRecipe(folder, {});
        values["start"] = {{"encoder", (folder / "encoder.safetensors").string()},
                           {"decoder", (folder / "decoder.safetensors").string()},
                           {"tokenizer", (folder / "tokenizer.json").string()},
                           {"every_second_frame", true},
                           {"text_positions", 30},
                           {"alignment_heads", {{1, 0}}}};
        values["optimizer"] = {{"kind", "adamw"}, {"learning_rate", 1e-3}, {"weight_decay", 0}};
        return values;
    }

    [[nodiscard]] Recipe recipe(const nlohmann::json &changes = nlohmann::json::object()) const
    {
        nlohmann::json all = values();
        all.merge_patch(changes);
        const auto path = folder / "recipe.json";
        std::ofstream(path) << all.dump();
        return readRecipe(path);
    }

    QTemporaryDir temporary;
    fs::path folder;
};

using Tensors = std::map<std::string, at::Tensor>;

Tensors copyOf(const Tensors &tensors)
{
    Tensors out;
    for (const auto &[name, tensor] : tensors) {
        out.emplace(name, tensor.detach().clone());
    }
    return out;
}

// The first name of which the tensors differ; empty where none does.
std::string firstDifference(const Tensors &a, const Tensors &b)
{
    for (const auto &[name, tensor] : a) {
        if (b.count(name) == 0 || !at::equal(tensor.detach(), b.at(name).detach())) {
            return name;
        }
    }
    return a.size() == b.size() ? std::string() : "their number";
}

float furthest(const at::Tensor &a, const at::Tensor &b)
{
    return (a.detach() - b.detach()).abs().max().item<float>();
}

double textLossOf(const Learner::Step &step)
{
    const auto found = std::find_if(step.losses.begin(), step.losses.end(), [](const NamedLoss &loss) { return loss.name == "text"; });
    return found == step.losses.end() ? std::numeric_limits<double>::quiet_NaN() : found->value;
}

// Whole utterances on a frozen encoder's output; the encoder made causal with itself as teacher; everything together.
nlohmann::json threeStages(const Place &place)
{
    nlohmann::json changes;
    changes["teacher"] = (place.folder / "encoder.safetensors").string();
    changes["teacher_head"] = "own";
    changes["corpora"] = {{{"manifest", (place.folder / "tones.jsonl").string()}, {"features", true}}};
    changes["windows"] = {{"batch_s", 2.5}};
    changes["losses"] = {{"text", 1}, {"label_smoothing", 0.05}, {"token_replacement", 0.1}};
    changes["stages"] = {{{"about", "tokens"},
                          {"encoder_output", "cached"},
                          {"chunks", {{"full_attention", 1}}},
                          {"schedule", {{"kind", "steps"}, {"steps", 4}}},
                          {"parts", {{"encoder", {{"train", "frozen"}}}, {"decoder", {{"rate", 1e-4}}}}}},
                         {{"about", "causal"},
                          {"losses", {{"text", 0}, {"features_first", 1}, {"features_last", 1}}},
                          {"schedule", {{"kind", "steps"}, {"steps", 3}}},
                          {"parts", {{"encoder", {{"train", "lora"}, {"rank", 2}}}, {"decoder", {{"train", "frozen"}}}, {"tokens", {{"train", "frozen"}}}}}},
                         {{"about", "all"},
                          {"optimizer", {{"average", 0.5}}},
                          {"windows", {{"cut", 0.5}}},
                          {"schedule", {{"kind", "steps"}, {"steps", 4}}},
                          {"parts", {{"encoder", {{"train", "lora"}, {"rank", 3}}}, {"decoder", {{"train", "lora"}, {"rank", 2}, {"rate", 1e-4}}}}}}};
    return changes;
}

}  // namespace

class tst_training_stages : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsLoadedIsWhatTheRunningModelComputes();
    void aFrozenPartStaysAndRatesArePerPart();
    void theCachedOutputIsTheOutput();
    void stagesGoOnWithWhatTheOneBeforeMade();
    void stoppingAnywhereChangesNothing_data();
    void stoppingAnywhereChangesNothing();
    void whatDoesNotFitIsRefused_data();
    void whatDoesNotFitIsRefused();
    void brokenFilesAreRefused();
};

void tst_training_stages::whatIsLoadedIsWhatTheRunningModelComputes()
{
    const c10::NoGradGuard no_gradients;
    const Place place;
    Watch watch;
    const Recipe recipe = place.recipe();
    const Trainer trainer(recipe, watch);
    const Network &network = trainer.network();
    const weights::WhisperCheckpoint theirs = test::HashedWhisper("theirs/", theirDims()).take();
    const auto ours = [&](const char *name) { return network.parameters().at(name).detach(); };
    const auto their = [&](const char *name) { return nn::tensorFrom(*theirs.tensors.peek(name), {}); };
    QVERIFY(at::equal(ours("encoder.blocks.1.mlp.0.weight"), their("encoder.blocks.1.mlp.0.weight")));
    QVERIFY(at::equal(ours("decoder.blocks.1.cross_attn.key.weight"), their("decoder.blocks.1.cross_attn.key.weight")));
    QVERIFY(at::equal(ours("encoder.positional_embedding"), their("encoder.positional_embedding").slice(0, 0, 120, 2)));
    QVERIFY(at::equal(ours("decoder.positional_embedding"), their("decoder.positional_embedding").narrow(0, 0, 30)));
    const at::Tensor table = ours("decoder.token_embedding.weight");
    QCOMPARE(table.sizes().vec(), (std::vector<std::int64_t>{260, 64}));
    QVERIFY(std::abs(std::sqrt(at::square(table).mean().item<double>()) - 0.004) < 1e-4 && std::abs(table.mean().item<double>()) < 1e-4);

    trainer.writeModel(place.folder / "model");
    weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(place.folder / "model");
    QCOMPARE(checkpoint.dims.strides(), (weights::ConvStrides{1, 4}));
    QCOMPARE(checkpoint.dims.n_audio_ctx, 60);
    QCOMPARE(checkpoint.alignment_heads, (std::vector<std::pair<int, int>>{{1, 0}}));
    const auto tokenizer = text::WhisperTokenizer::load(checkpoint.tokenizer_path, checkpoint.dims.n_vocab);
    const models::whisper::Model model(std::move(checkpoint), tokenizer, nn::Placement{});
    QVERIFY(model.isCausal());
    const WindowMaker maker(trainer.library(), nullptr, recipe, model.dims(), 256, 28);
    const Speech &speech = trainer.library().corpora()[0].speech[3];
    const captions::Chunking chunking = maker.chunking(120);
    const Batch batch = maker.makePlain({&speech}, chunking, 0);
    const at::Tensor mel = at::from_blob(const_cast<float *>(batch.mel.data()), {1, batch.mel_frames, batch.bands}, at::kFloat);
    const at::Tensor encoded = network.encode(mel, batch.window_frames, chunking);
    const at::Tensor heard = model.encoder().masked(mel.squeeze(0).t(), models::whisper::blockEnds(chunking, batch.frames));
    QVERIFY2(furthest(encoded.squeeze(0), heard) < 1e-4f, qPrintable(QString::number(furthest(encoded.squeeze(0), heard))));
    const std::vector<std::int32_t> row = {257, 258, 'a', ' ', 'b'};
    nn::SelfCache cache = model.decoder().emptyCache(1);
    const at::Tensor said = model.decoder().logits(model.decoder().run(model.decoder().listen(heard), cache, row)).squeeze(0);
    const at::Tensor tokens = at::tensor(std::vector<std::int64_t>(row.begin(), row.end()), at::kLong).unsqueeze(0);
    const std::vector<std::int64_t> window = {0};
    const at::Tensor logits = network.logits(network.decode(encoded, tokens, window, batch.window_frames).hidden).squeeze(0);
    QCOMPARE(said.sizes(), logits.sizes());
    QVERIFY2(furthest(logits, said) < 1e-4f, qPrintable(QString::number(furthest(logits, said))));
}

void tst_training_stages::aFrozenPartStaysAndRatesArePerPart()
{
    const Place place;
    Watch watch;
    nlohmann::json changes;
    changes["parts"] = {{"encoder", {{"train", "frozen"}}}, {"decoder", {{"rate", 1e-5}}}, {"tokens", {{"train", "whole"}}}};
    Trainer trainer(place.recipe(changes), watch);
    const Tensors before = copyOf(trainer.network().parameters());
    (void)trainer.step();
    double decoder = 0;
    for (const auto &[name, value] : trainer.network().parameters()) {
        const float moved = furthest(value, before.at(name));
        if (name.starts_with("encoder.")) {
            QVERIFY2(at::equal(value.detach(), before.at(name)), name.c_str());
        } else if (name == "decoder.token_embedding.weight") {
            QVERIFY(moved > 0.9e-3f && moved < 1.1e-3f);  // Adam's first step is the rate itself
        } else {
            QVERIFY2(moved < 1.1e-5f, name.c_str());
            decoder = std::max(decoder, static_cast<double>(moved));
        }
    }
    QVERIFY(decoder > 0.9e-5);
    for (int i = 0; i < 3; ++i) {
        (void)trainer.step();
    }
    for (const auto &[name, value] : trainer.network().parameters()) {
        QVERIFY2(!name.starts_with("encoder.") || at::equal(value.detach(), before.at(name)), name.c_str());
    }
}

void tst_training_stages::theCachedOutputIsTheOutput()
{
    const Place place;
    nlohmann::json changes;
    changes["parts"] = {{"encoder", {{"train", "frozen"}}}};
    changes["chunks"] = {{"full_attention", 1}};
    changes["windows"] = {{"batch_s", 2.5}};
    std::vector<double> losses[2];
    for (const bool cached : {false, true}) {
        Watch watch;
        changes["encoder_output"] = cached ? "cached" : "computed";
        Trainer trainer(place.recipe(changes), watch);
        for (int i = 0; i < 6; ++i) {
            losses[cached ? 1 : 0].push_back(textLossOf(trainer.step()));
        }
    }
    for (std::size_t i = 0; i < losses[0].size(); ++i) {
        QVERIFY2(std::abs(losses[0][i] - losses[1][i]) < 2e-3, qPrintable(QString("%1 and %2").arg(losses[0][i]).arg(losses[1][i])));
    }
    QVERIFY(losses[1].back() < losses[1].front());
}

void tst_training_stages::stagesGoOnWithWhatTheOneBeforeMade()
{
    const Place place;
    Watch watch;
    Trainer trainer(place.recipe(threeStages(place)), watch);
    const auto finishStage = [&trainer] {
        Learner::Step last;
        while (trainer.schedule().done(trainer.progress()) < 1) {
            last = trainer.step();
        }
        return last;
    };
    const auto startsWith = [](const char *beginning) { return [beginning](const auto &entry) { return entry.first.starts_with(beginning); }; };
    const auto partOfAll = [&](const Tensors &all, const char *beginning) {
        Tensors out;
        std::copy_if(all.begin(), all.end(), std::inserter(out, out.end()), startsWith(beginning));
        return out;
    };
    const Tensors began = copyOf(trainer.network().parameters());
    QVERIFY(textLossOf(finishStage()) > 0);
    const Tensors first = copyOf(trainer.network().parameters());
    QCOMPARE(firstDifference(partOfAll(began, "encoder."), partOfAll(first, "encoder.")), std::string());
    QVERIFY(!firstDifference(partOfAll(began, "decoder."), partOfAll(first, "decoder.")).empty());

    QVERIFY(trainer.hasNextStage());
    trainer.beginNextStage(watch);
    QCOMPARE(trainer.progress().stage_steps, 4);
    QVERIFY(trainer.network().hasParameter("encoder.blocks.0.attn.query.lora_A") && !trainer.network().hasParameter("decoder.blocks.0.attn.query.lora_A"));
    const Learner::Step causal = finishStage();
    QCOMPARE(textLossOf(causal), 0.0);
    const auto features = std::find_if(causal.losses.begin(), causal.losses.end(), [](const NamedLoss &loss) { return loss.name == "features"; });
    QVERIFY(features->value > 0 && std::isfinite(features->value));
    const Tensors second = copyOf(trainer.network().parameters());
    QCOMPARE(firstDifference(partOfAll(first, "decoder."), partOfAll(second, "decoder.")), std::string());

    trainer.beginNextStage(watch);
    QVERIFY(!trainer.hasNextStage());
    // The adapters of the stage before are in the weights now; the new ones do nothing yet.
    const at::Tensor merged = second.at("encoder.blocks.1.attn.value.weight") +
                              at::matmul(second.at("encoder.blocks.1.attn.value.lora_A"), second.at("encoder.blocks.1.attn.value.lora_B")).t();
    QVERIFY(at::equal(trainer.network().parameters().at("encoder.blocks.1.attn.value.weight").detach(), merged));
    QVERIFY(!at::equal(merged, first.at("encoder.blocks.1.attn.value.weight")));
    QCOMPARE(trainer.network().parameters().at("encoder.blocks.1.attn.value.lora_A").size(1), 3);
    QCOMPARE(trainer.network().parameters().at("decoder.blocks.1.cross_attn.value.lora_A").size(1), 2);
    QVERIFY(textLossOf(finishStage()) > 0);
    trainer.writeModel(place.folder / "model");
    const weights::WhisperCheckpoint written = weights::readWhisperCheckpoint(place.folder / "model");
    QVERIFY(written.adapters.names().empty() && written.streaming.has_value());
    QCOMPARE(watch.notices.size(), std::size_t{2});
}

void tst_training_stages::stoppingAnywhereChangesNothing_data()
{
    QTest::addColumn<std::vector<int>>("stops");
    QTest::newRow("inside the first stage and the last") << std::vector<int>{2, 7};
    QTest::newRow("between stages") << std::vector<int>{4, 3};
    QTest::newRow("in every stage") << std::vector<int>{1, 5, 3};
}

void tst_training_stages::stoppingAnywhereChangesNothing()
{
    QFETCH(const std::vector<int>, stops);
    const Place place;
    const Recipe recipe = place.recipe(threeStages(place));
    Watch watch;
    QCOMPARE(runTraining(recipe, {place.folder / "whole", TrainingStart::Fresh, 0, 0}, watch).end, TrainingEnd::Complete);
    TrainingStart start = TrainingStart::Fresh;
    for (const int steps : stops) {
        QCOMPARE(runTraining(recipe, {place.folder / "parts", start, 0, steps}, watch).end, TrainingEnd::Stopped);
        start = TrainingStart::Resume;
    }
    const TrainingResult end = runTraining(recipe, {place.folder / "parts", start, 0, 0}, watch);
    QCOMPARE(end.end, TrainingEnd::Complete);
    QCOMPARE(end.progress.steps, 11);
    QCOMPARE(end.progress.stage, 2);
    const auto whole = readCheckpoint(place.folder / "whole");
    const auto parts = readCheckpoint(place.folder / "parts");
    QCOMPARE(firstDifference(whole->weights, parts->weights), std::string());
    QCOMPARE(firstDifference(whole->optimizer, parts->optimizer), std::string());
    QCOMPARE(firstDifference(whole->average, parts->average), std::string());
    QVERIFY(!whole->average.empty());
    QCOMPARE(whole->next.epoch, parts->next.epoch);
    QCOMPARE(whole->next.number, parts->next.number);
    QCOMPARE(whole->progress.stage_steps, parts->progress.stage_steps);
}

void tst_training_stages::whatDoesNotFitIsRefused_data()
{
    QTest::addColumn<QByteArray>("changes");
    QTest::addColumn<QString>("part");
    const auto row = [](const char *changes, const char *part) { QTest::newRow(changes) << QByteArray(changes) << part; };
    row(R"({"start": {"encoder": null}})", "needs both");
    row(R"({"start": {"model": "x"}})", "needs either");
    row(R"({"start": {"lora_rank": 2}})", "no \"lora_rank\"");
    row(R"({"start": {"tokenizer": null}})", "tokenizer");
    row(R"({"start": {"text_positions": 51}})", "only 50 positions");
    row(R"({"start": {"alignment_heads": [[1, 1]]}})", "a head that the model does not have");
    row(R"({"start": {"encoder": "missing.safetensors"}})", "missing.safetensors");
    row(R"({"parts": {"tokens": {"train": "lora", "rank": 2}}})", "cannot be \"lora\"");
    row(R"({"parts": {"encoder": {"train": "lora"}}})", "need each other");
    row(R"({"parts": {"encoder": {"train": "frozen", "rate": 0.1}}})", "of no use");
    row(R"({"parts": {"encoder": {"train": "half"}}})", "is none of");
    row(R"({"parts": {"encoder": {"train": "frozen"}, "decoder": {"train": "frozen"}, "tokens": {"train": "frozen"}}})", "freezes everything");
    row(R"({"encoder_output": "cached"})", "parts.encoder.train");
    row(R"({"encoder_output": "cached", "parts": {"encoder": {"train": "frozen"}}})", "full_attention");
    row(R"({"encoder_output": "cached", "parts": {"encoder": {"train": "frozen"}}, "chunks": {"full_attention": 1}, "windows": {"cut": 0.1}})", "\"cut\"");
    row(R"({"encoder_output": "cached", "parts": {"encoder": {"train": "frozen"}}, "chunks": {"full_attention": 1}, "disturbance": {"masks": 0.1}})",
        "disturbance");
    row(R"({"stages": []})", "not a list");
    row(R"({"stages": [7]})", "stage 1 of 1");
    row(R"({"stages": [{}, {"start": {}}]})", "nothing that a stage can change");
    row(R"({"stages": [{}, {"chunks": {"first_ms": 1}}]})", "stage 2 of 2");
}

void tst_training_stages::whatDoesNotFitIsRefused()
{
    QFETCH(const QByteArray, changes);
    QFETCH(const QString, part);
    const Place place;
    Watch watch;
    const auto sentence = QString::fromStdString(test::sentenceOf([&] { Trainer(place.recipe(nlohmann::json::parse(changes.toStdString())), watch); }));
    QVERIFY2(sentence.contains(part), qPrintable("\"" + sentence + "\" should speak of \"" + part + "\""));
}

void tst_training_stages::brokenFilesAreRefused()
{
    const Place place;
    Watch watch;
    const auto problem = [&] { return QString::fromStdString(test::sentenceOf([&] { Trainer(place.recipe(), watch); })); };
    const fs::path encoder = place.folder / "encoder.safetensors";
    const fs::path kept = place.folder / "kept.safetensors";
    QCOMPARE(problem(), QString());
    fs::rename(encoder, kept);
    fs::copy_file(place.folder / "decoder.safetensors", encoder);
    QVERIFY2(problem().contains("no usable \"encoder.conv1.weight\""), qPrintable(problem()));
    const auto rewrite = [&](const std::string &name, const weights::StoredTensor *tensor) {
        auto file = weights::readSafetensors(kept);
        file.tensors.remove(name);
        if (tensor != nullptr) {
            file.tensors.add(name, *tensor);
        }
        weights::writeSafetensors(encoder, file.tensors);
    };
    rewrite("encoder.blocks.1.attn.key.weight", nullptr);
    QVERIFY2(problem().contains("encoder.blocks.1.attn.key.weight"), qPrintable(problem()));
    const auto numbers = std::make_shared<std::vector<float>>(64, std::numeric_limits<float>::quiet_NaN());
    weights::StoredTensor broken{weights::DType::Float32, {64}, std::as_bytes(std::span(*numbers)), numbers};
    rewrite("encoder.ln_post.bias", &broken);
    QVERIFY2(problem().contains("no numbers"), qPrintable(problem()));
    broken.shape = {32, 2};
    rewrite("encoder.ln_post.weight", &broken);
    QVERIFY(!problem().isEmpty());
}

QTEST_GUILESS_MAIN(tst_training_stages)
#include "tst_training_stages.moc"
