// Whole runs of the trainer on a language of four tones: every loss goes to about zero, stopping and resuming changes nothing,
// adapters alone are trained, and what is exported streams to the tokens that the trainer itself says.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "core/audio/pcm16.h"
#include "core/base/error.h"
#include "core/models/whisper/whisper_model.h"
#include "core/models/whisper/whisper_streaming_recognizer.h"
#include "core/weights/whisper_names.h"
#include "lab/corpus/manifest.h"
#include "lab/train/careless_file.h"
#include "lab/train/greedy.h"
#include "lab/train/model_folder.h"
#include "lab/train/trainer.h"
#include "lab/train/training.h"
#include "tests/lab/train/fresh_model.h"
#include "tests/lab/train/remembering_watch.h"
#include "tests/support/faults.h"
#include "tests/support/small_whisper_folder.h"
#include "tests/support/spoken_tones.h"

using namespace braid;
using namespace braid::train;
using test::Watch;

namespace {

const std::vector<std::vector<std::string>> kSentences = {{"a", "b"}, {"c", "d", "a"}, {"b"}, {"d", "c", "b", "a"}};

double lossOf(const Trainer::Step &step, std::string_view name)
{
    const auto found = std::find_if(step.losses.begin(), step.losses.end(), [&](const NamedLoss &loss) { return loss.name == name; });
    return found == step.losses.end() ? std::numeric_limits<double>::quiet_NaN() : found->value;
}

// A folder with tones, a small model to start from, and recipes over them.
struct Place {
    Place()
        : folder(temporary.path().toStdString())
        , start(folder / "start")
    {
        at::set_num_threads(1);
        test::writeToneCorpus(folder, kSentences);
        test::writeFreshModel(start);
    }

    [[nodiscard]] Recipe recipe(const nlohmann::json &changes = nlohmann::json::object()) const
    {
        nlohmann::json values = test::toneRecipe(folder, start);
        values.merge_patch(changes);
        const auto path = folder / "recipe.json";
        std::ofstream(path) << values.dump();
        return readRecipe(path);
    }

    QTemporaryDir temporary;
    std::filesystem::path folder;
    std::filesystem::path start;
};

// A teacher with hashed weights, as a file of an encoder alone.
std::filesystem::path writeTeacher(const std::filesystem::path &folder)
{
    weights::WhisperDims dims = test::smallDims();
    dims.n_audio_state = dims.n_text_state = 64;
    dims.n_audio_head = dims.n_text_head = 1;
    dims.n_audio_ctx = 200;
    dims.conv1_stride = 1;
    weights::WhisperCheckpoint checkpoint = test::HashedWhisper("teacher/", dims).take();
    weights::TensorStore store("teacher");
    for (const std::string &name : checkpoint.tensors.names()) {
        if (name.starts_with("encoder.")) {
            store.add(name, checkpoint.tensors.take(name));
        }
    }
    const auto path = folder / "teacher.safetensors";
    weights::writeSafetensors(path, store);
    return path;
}

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
    if (a.size() != b.size()) {
        return false;
    }
    for (const auto &[name, tensor] : a) {
        if (b.count(name) == 0 || !at::equal(tensor.detach(), b.at(name).detach())) {
            return false;
        }
    }
    return true;
}

}  // namespace

class tst_training_run : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyLossGoesToZero();
    void anExportedModelStreamsWhatTheTrainerSays();
    void stoppingAndResumingChangesNothing_data();
    void stoppingAndResumingChangesNothing();
    void onAPlateauTheRateFallsWhereValidationGetsNoBetter_data();
    void onAPlateauTheRateFallsWhereValidationGetsNoBetter();
    void aFullDiskAtACheckpointEndsNothing();
    void aRunEndsWhenAsked();
    void aRunIsNotOverwritten();
    void onlyAdaptersAreTrained();
    void theAverageIsWhatIsExported();
    void loaderThreadsDoNotMatter();
    void everyHuggingFaceNameIsReversible();
    void attentionHeadsMustExist();
    void adaptersAreWrittenAsTheirAuthorsDo();
    void mergedAdaptersComputeTheSame();
};

void tst_training_run::everyLossGoesToZero()
{
    const Place place;
    nlohmann::json changes;
    changes["teacher"] = writeTeacher(place.folder).string();
    changes["corpora"] = {{{"manifest", (place.folder / "tones.jsonl").string()}, {"features", true}}};
    changes["losses"] = {{"text", 1}, {"frames", 1}, {"attention", 0.2}, {"attention_heads", {{0, 1}, {2, 0}}}, {"features_first", 1}, {"features_last", 1}};
    changes["optimizer"] = {{"kind", "muon"}, {"learning_rate", 0.01}};
    changes["schedule"] = {{"kind", "steps"}, {"steps", 260}, {"hold", 0.3}};
    Watch watch;
    Trainer trainer(place.recipe(changes), watch);
    Trainer::Step first;
    Trainer::Step last;
    while (trainer.schedule().done(trainer.progress()) < 1) {
        last = trainer.step();
        if (trainer.progress().steps == 1) {
            first = last;
        }
    }
    QVERIFY(lossOf(first, "text") > 3 && lossOf(first, "frames") > 3 && lossOf(first, "features") > 0.5);
    QVERIFY2(lossOf(last, "text") < 0.03, qPrintable(QString::number(lossOf(last, "text"))));
    QVERIFY2(lossOf(last, "frames") < 0.08, qPrintable(QString::number(lossOf(last, "frames"))));
    QVERIFY2(lossOf(last, "features") < 0.12 * lossOf(first, "features"), qPrintable(QString::number(lossOf(last, "features"))));
    // The bell around a token has an entropy of its own, below which its cross-entropy cannot go; at a window's edge it is a half one.
    const double entropy = 0.5 * std::log(2 * std::numbers::pi * std::numbers::e * 2 * 2);
    QVERIFY2(lossOf(last, "attention") < entropy + 0.1, qPrintable(QString::number(lossOf(last, "attention"))));
    QCOMPARE(last.correct_tokens, last.tokens);
}

void tst_training_run::anExportedModelStreamsWhatTheTrainerSays()
{
    const Place place;
    Watch watch;
    nlohmann::json changes;
    changes["schedule"] = {{"kind", "steps"}, {"steps", 120}};
    changes["optimizer"] = {{"kind", "muon"}, {"learning_rate", 0.01}};
    const Recipe recipe = place.recipe(changes);
    Trainer trainer(recipe, watch);
    while (trainer.schedule().done(trainer.progress()) < 1) {
        (void)trainer.step();
    }
    trainer.writeModel(place.folder / "model");
    const weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(place.folder / "model");
    QVERIFY(checkpoint.streaming.has_value());
    QCOMPARE(checkpoint.streaming->first_chunk_ms, 120);
    QCOMPARE(checkpoint.streaming->chunk_ms_max, 200);
    const auto tokenizer = text::WhisperTokenizer::load(checkpoint.tokenizer_path, checkpoint.dims.n_vocab);
    const auto model = std::make_shared<models::whisper::Model>(weights::readWhisperCheckpoint(place.folder / "model"), tokenizer, nn::Placement{});
    models::whisper::WhisperStreamingRecognizer recognizer(model, {});

    WindowMaker maker(trainer.library(), nullptr, recipe, checkpoint.dims, 256, 38);
    const captions::Chunking chunking = maker.chunking(120);
    int said = 0;
    for (const Speech &speech : trainer.library().corpora()[0].speech) {
        const Batch batch = maker.makePlain({&speech}, chunking, 0);
        const auto own = greedyTexts(trainer.network(), batch, {{257, 258}, 256}, 30)[0];
        recognizer.begin(chunking, 0);
        recognizer.addSound(audio::floatsOf(speech.sound));
        while (recognizer.blocksReady() > 0) {
            recognizer.encodeBlock();
        }
        recognizer.encodeRest();
        QCOMPARE(recognizer.frames(), batch.frames);
        std::vector<std::int32_t> row = recognizer.prompt("");
        const std::size_t prompt = row.size();
        while (row.size() < prompt + 30) {
            captions::ScoreRequest request;
            const std::vector<std::vector<std::int32_t>> rows = {row};
            request.rows = rows;
            request.first_positions = {row.size() - 1};
            const std::int32_t best = recognizer.score(request)[0].next[0].best[0].id;
            if (best == recognizer.endToken()) {
                break;
            }
            row.push_back(best);
        }
        QCOMPARE(std::vector<std::int32_t>(row.begin() + static_cast<std::ptrdiff_t>(prompt), row.end()), own);
        said += static_cast<int>(own.size());
    }
    QVERIFY(said > 0);
}

void tst_training_run::stoppingAndResumingChangesNothing_data()
{
    QTest::addColumn<QString>("optimizer");
    QTest::addColumn<double>("average");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<QString>("point_steps");
    QTest::newRow("AdamW") << "adamw" << 0.0 << 1 << "together";
    QTest::newRow("Muon, every second matrix, with an average") << "muon" << 0.9 << 1 << "together";
    QTest::newRow("every batch in three parts at the same time") << "muon" << 0.9 << 3 << "together";
    QTest::newRow("a step for each time point") << "adamw" << 0.9 << 1 << "each";
}

void tst_training_run::stoppingAndResumingChangesNothing()
{
    QFETCH(QString, optimizer);
    QFETCH(double, average);
    QFETCH(int, replicas);
    QFETCH(QString, point_steps);
    const Place place;
    nlohmann::json changes;
    changes["replicas"] = replicas;
    changes["points"] = {{"steps", point_steps.toStdString()}};
    changes["optimizer"] = {{"kind", optimizer.toStdString()}, {"muon_every", 2}, {"average", average}};
    changes["losses"] = {{"encoder_dropout", 0.1}, {"decoder_dropout", 0.1}, {"token_replacement", 0.2}, {"frames", 0.5}};
    changes["disturbance"] = {{"gain_db", 6}, {"tempo", 0.5}, {"band_warp", 0.1}, {"colour", 0.1}, {"masks", 0.5}};
    changes["windows"] = {{"batch_s", 2.5}, {"cut", 0.5}, {"lead", 0.5}};  // several batches an epoch
    changes["validation"] = {{"manifests", {(place.folder / "tones.jsonl").string()}}, {"every_steps", 5}};
    const Recipe recipe = place.recipe(changes);
    Watch watch;
    QCOMPARE(runTraining(recipe, {place.folder / "whole", TrainingStart::Fresh, 0, 0}, watch).end, TrainingEnd::Complete);
    QCOMPARE(runTraining(recipe, {place.folder / "parts", TrainingStart::Fresh, 0, 7}, watch).end, TrainingEnd::Stopped);
    const TrainingResult end = runTraining(recipe, {place.folder / "parts", TrainingStart::Resume, 0, 0}, watch);
    QCOMPARE(end.end, TrainingEnd::Complete);
    // A batch is learnt to its end, also where each of its time points takes a step.
    QVERIFY(end.progress.steps == 12 || (end.progress.steps == 13 && recipe.points.steps == PointSteps::Each));
    const auto whole = readCheckpoint(place.folder / "whole");
    const auto parts = readCheckpoint(place.folder / "parts");
    QVERIFY(areEqual(whole->weights, parts->weights));
    QVERIFY(areEqual(whole->optimizer, parts->optimizer));
    QVERIFY(areEqual(whole->average, parts->average));
    QCOMPARE(whole->next.epoch, parts->next.epoch);
    QCOMPARE(whole->next.number, parts->next.number);
    QCOMPARE(whole->progress.best_loss, parts->progress.best_loss);
    // And it did learn something in between.
    QVERIFY(!areEqual(readCheckpoint(place.folder / "whole")->weights, copyOf(Network(weights::readWhisperCheckpoint(place.start), {}).parameters())));
    QVERIFY(std::filesystem::exists(place.folder / "whole" / "model" / "model.safetensors"));
    QVERIFY(watch.notices.empty());
}

void tst_training_run::onAPlateauTheRateFallsWhereValidationGetsNoBetter_data()
{
    QTest::addColumn<QString>("said");
    QTest::addColumn<bool>("falls");
    QTest::newRow("what is learned gets better") << "b" << false;
    QTest::newRow("letters that nobody ever says soon get worse") << "xxxxxxxxxxxx" << true;
}

void tst_training_run::onAPlateauTheRateFallsWhereValidationGetsNoBetter()
{
    QFETCH(QString, said);
    QFETCH(bool, falls);
    const Place place;
    corpus::Utterance check = test::speakTones(place.folder / "check.wav", {"b"});
    check.text = said.toStdString();
    check.words.clear();
    corpus::ManifestWriter(place.folder / "check.jsonl", corpus::ManifestOpening::Replace).append(check);
    nlohmann::json changes;
    changes["schedule"] = {{"kind", "plateau"}, {"epochs", 100}, {"factor", 0.5}, {"patience", 1}};
    changes["validation"] = {{"manifests", {(place.folder / "check.jsonl").string()}}};
    const Recipe recipe = place.recipe(changes);
    // An epoch is one batch. Stopped after each, the run tells the rate of each, and must keep what it knows of the plateau.
    constexpr std::size_t kEpochs = 8;
    Watch watch;
    for (std::size_t epoch = 0; epoch < kEpochs; ++epoch) {
        (void)runTraining(recipe, {place.folder / "out", epoch == 0 ? TrainingStart::Fresh : TrainingStart::Resume, 0, 1}, watch);
    }
    QCOMPARE(watch.reports.size(), kEpochs);
    QCOMPARE(watch.validations.size(), kEpochs);
    double wanted = recipe.optimizer.learning_rate;
    double best = std::numeric_limits<double>::infinity();
    int without_better = 0;
    for (std::size_t epoch = 0; epoch < kEpochs; ++epoch) {
        QCOMPARE(watch.reports[epoch].learning_rate, wanted);
        const train::ValidationReport &validation = watch.validations[epoch];
        QCOMPARE(validation.is_best, validation.text_loss < best);
        best = std::min(best, validation.text_loss);
        without_better = validation.is_best ? 0 : without_better + 1;
        if (without_better == 2) {  // one more than the patience
            wanted /= 2;
            without_better = 0;
        }
    }
    QCOMPARE(watch.reports.back().learning_rate < recipe.optimizer.learning_rate, falls);
}

// Every step is saved, and the disk has no room until somebody was told of it.
void tst_training_run::aFullDiskAtACheckpointEndsNothing()
{
    class MakesRoom : public Watch {
      public:
        void notice(const std::string &sentence) override
        {
            Watch::notice(sentence);
            m_full.reset();
        }
        bool stopAsked() override
        {
            if (++m_asked == 25) {  // the speech is prepared by then
                m_full.emplace(5000);
            }
            return false;
        }

      private:
        int m_asked = 0;
        std::optional<testing::FullDisk> m_full;
    };
    const Place place;
    MakesRoom watch;
    Recipe recipe = place.recipe({{"schedule", {{"steps", 30}}}});
    recipe.checkpoint_minutes = 0;
    const TrainingResult result = runTraining(recipe, {place.folder / "out", TrainingStart::Fresh, 0, 0}, watch);
    QCOMPARE(result.end, TrainingEnd::Complete);
    QVERIFY(std::any_of(watch.notices.begin(), watch.notices.end(),
                        [](const std::string &sentence) { return sentence.find("training goes on") != std::string::npos; }));
    QCOMPARE(readCheckpoint(place.folder / "out")->progress.steps, result.progress.steps);
    QVERIFY(!std::filesystem::exists(place.folder / "out" / "checkpoint.next"));
}

void tst_training_run::aRunEndsWhenAsked()
{
    const Place place;
    Watch watch;
    watch.stop_after = 20;  // some of them while the speech is prepared
    const TrainingResult result = runTraining(place.recipe({{"schedule", {{"steps", 1000}}}}), {place.folder / "out", TrainingStart::Fresh, 0, 0}, watch);
    QCOMPARE(result.end, TrainingEnd::Stopped);
    QVERIFY(result.progress.steps > 0 && result.progress.steps < 25);
    QCOMPARE(readCheckpoint(place.folder / "out")->progress.steps, result.progress.steps);
    QVERIFY(!watch.reports.empty() && watch.reports.back().losses.front().value > 0 && watch.reports.back().amount_per_second > 0);
}

void tst_training_run::aRunIsNotOverwritten()
{
    const Place place;
    Watch watch;
    const Recipe recipe = place.recipe();
    QVERIFY_THROWS_EXCEPTION(Error, (void)runTraining(recipe, {place.folder / "out", TrainingStart::Resume, 0, 0}, watch));
    (void)runTraining(recipe, {place.folder / "out", TrainingStart::Fresh, 0, 2}, watch);
    QVERIFY_THROWS_EXCEPTION(Error, (void)runTraining(recipe, {place.folder / "out", TrainingStart::Fresh, 0, 2}, watch));
    // A changed recipe goes on, and says so.
    (void)runTraining(place.recipe({{"optimizer", {{"learning_rate", 0.001}}}}), {place.folder / "out", TrainingStart::Resume, 0, 1}, watch);
    QCOMPARE(watch.notices.size(), std::size_t{1});
    QCOMPARE(readCheckpoint(place.folder / "out")->progress.steps, 3);
}

void tst_training_run::onlyAdaptersAreTrained()
{
    const Place place;
    Watch watch;
    nlohmann::json changes;
    changes["start"] = {{"model", place.start.string()}, {"lora_rank", 2}};
    Trainer trainer(place.recipe(changes), watch);
    const auto before = copyOf(trainer.network().parameters());
    for (int i = 0; i < 3; ++i) {
        (void)trainer.step();
    }
    int changed = 0;
    for (const auto &[name, value] : trainer.network().parameters()) {
        const bool is_same = at::equal(value.detach(), before.at(name));
        changed += is_same ? 0 : 1;
        QVERIFY2(is_same || name.find(".lora_") != std::string::npos, name.c_str());
    }
    QVERIFY(changed > 20);
}

void tst_training_run::theAverageIsWhatIsExported()
{
    const Place place;
    Watch watch;
    Trainer trainer(place.recipe({{"optimizer", {{"average", 0.5}}}}), watch);
    for (int i = 0; i < 4; ++i) {
        (void)trainer.step();
    }
    trainer.writeModel(place.folder / "model");
    const Checkpoint checkpoint = trainer.checkpoint();
    const auto written = weights::readWhisperCheckpoint(place.folder / "model");
    const char *name = "encoder.blocks.0.mlp.0.weight";
    const at::Tensor stored = nn::tensorFrom(*written.tensors.peek(name), {});
    QVERIFY(at::equal(stored, checkpoint.average.at(name)));
    QVERIFY(!at::equal(stored, checkpoint.weights.at(name).to(at::kFloat)));
}

void tst_training_run::loaderThreadsDoNotMatter()
{
    const Place place;
    const auto tokenizer = text::WhisperTokenizer::load(place.start / "tokenizer.json", 260);
    nlohmann::json changes;
    changes["windows"] = {{"batch_s", 2.5}, {"cut", 0.5}, {"lead", 0.5}};
    changes["disturbance"] = {{"gain_db", 6}, {"tempo", 0.5}, {"colour", 0.1}, {"masks", 0.5}};
    std::vector<std::vector<float>> mels[2];
    for (const int threads : {1, 3}) {
        changes["loader_threads"] = threads;
        const Recipe recipe = place.recipe(changes);
        const SpeechLibrary library(recipe, *tokenizer, {});
        const WindowMaker maker(library, nullptr, recipe, test::smallDims(), 256, 38);
        Loader loader(library, maker, recipe, {1, 1});
        for (int i = 0; i < 9; ++i) {
            mels[threads == 1 ? 0 : 1].push_back(loader.next().batch.mel);
        }
    }
    QCOMPARE(mels[0], mels[1]);
}

void tst_training_run::everyHuggingFaceNameIsReversible()
{
    const Network network(test::smallDims(), 1, {});
    for (const auto &[name, tensor] : network.parameters()) {
        QCOMPARE(weights::openAiNameOf(huggingFaceNameOf(name)), std::optional(name));
    }
    QCOMPARE(huggingFaceNameOf("decoder.blocks.1.cross_attn_ln.bias"), std::string("model.decoder.layers.1.encoder_attn_layer_norm.bias"));
    QVERIFY_THROWS_EXCEPTION(Error, (void)huggingFaceNameOf("heads.frames.weight"));
}

void tst_training_run::attentionHeadsMustExist()
{
    const Place place;
    Watch watch;
    nlohmann::json changes;
    changes["losses"] = {{"attention", 0.5}, {"attention_heads", {{0, 7}}}};
    QVERIFY_THROWS_EXCEPTION(Error, Trainer(place.recipe(changes), watch));
}

void tst_training_run::adaptersAreWrittenAsTheirAuthorsDo()
{
    const Place place;
    ModelDescription description;
    description.dims = test::smallDims();
    description.dims.conv1_stride = 1;
    description.dims.n_audio_mlp = description.dims.n_text_mlp = 4 * description.dims.n_audio_state;
    description.first_chunk_ms = 600;
    description.default_chunk_ms = 200;
    Network network(description.dims, 4, {});
    network.addAdapters(3, 8);
    network.addHead("frames", 24, 260, 1);
    writeCarelessFile(place.folder / "model.pt", description, 3, network.parameters(), at::kFloat);
    const auto read = weights::readWhisperCheckpoint(place.folder / "model.pt");
    QCOMPARE(read.dims.n_text_ctx, description.dims.n_text_ctx);
    QVERIFY(read.streaming.has_value());
    QCOMPARE(read.streaming->chunk_frames, 10);
    QCOMPARE(read.streaming->rank, 3);
    QCOMPARE(read.streaming->extra_first_chunks, 2);
    std::size_t count = 0;
    for (const auto &[name, value] : network.parameters()) {
        if (name.starts_with("heads.")) {
            continue;
        }
        const auto *stored = (name.find(".lora_") != std::string::npos ? read.adapters : read.tensors).peek(name);
        QVERIFY2(stored != nullptr, name.c_str());
        QVERIFY2(at::equal(nn::tensorFrom(*stored, {}), value.detach()), name.c_str());
        ++count;
    }
    QCOMPARE(read.tensors.names().size() + read.adapters.names().size(), count);
    description.dims.conv1_stride = 2;
    QVERIFY_THROWS_EXCEPTION(Error, writeCarelessFile(place.folder / "other.pt", description, 3, network.parameters(), at::kFloat));
}

void tst_training_run::mergedAdaptersComputeTheSame()
{
    const c10::NoGradGuard no_gradients;
    const NetworkTypes types{at::kCPU, at::kDouble, at::kDouble};
    Network network(test::smallDims(), 4, types);
    network.addAdapters(3, 8);
    for (const auto &[name, value] : network.parameters()) {
        if (name.ends_with(".lora_B")) {
            at::Tensor into = value.detach();
            into.copy_(at::sin(at::arange(into.numel(), at::kDouble)).view(into.sizes()) * 0.2);
        }
    }
    Network merged(test::smallDims(), 4, types);
    for (const auto &[name, value] : mergedAdapters(network.parameters())) {
        at::Tensor into = merged.parameters().at(name).detach();
        into.copy_(value);
    }
    const at::Tensor mel = at::cos(at::arange(40 * 80, at::kDouble)).view({1, 40, 80});
    const std::vector<std::int64_t> frames = {10};
    const captions::Chunking chunking{640, 1280, 1920};
    const at::Tensor a = network.encode(mel, frames, chunking);
    QVERIFY((a - merged.encode(mel, frames, chunking)).abs().max().item<double>() < 1e-12);
    const at::Tensor tokens = at::arange(6, at::kLong).view({1, 6});
    const std::vector<std::int64_t> row = {0};
    const at::Tensor b = network.decode(a, tokens, row, frames).hidden;
    QVERIFY((b - merged.decode(a, tokens, row, frames).hidden).abs().max().item<double>() < 1e-12);
}

QTEST_GUILESS_MAIN(tst_training_run)
#include "tst_training_run.moc"
