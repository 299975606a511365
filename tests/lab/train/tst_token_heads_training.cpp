// Heads that learn to predict the tokens behind the next one: loss and gradients are PyTorch's, rows learn what a step will be asked, the heads alone leave the
// model as it is, and what was learnt saves passes.
#include <QtTest>

#include <map>

#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/models/decoder_lm/translation_run.h"
#include "core/weights/huggingface_lm.h"
#include "lab/train/checkpoint.h"
#include "lab/train/language/language_batch.h"
#include "lab/train/language/language_trainer.h"
#include "lab/train/language/translation_source.h"
#include "tests/lab/train/gradients.h"
#include "tests/lab/train/language_place.h"
#include "tests/support/error_sentence.h"
#include "tests/support/hashed_lm.h"

using namespace braid;
using namespace braid::test;
using namespace braid::train;
using nlohmann::json;

namespace {

// A text in one queue: head h of row u learns token u + h.
Sequence plainSequence(const std::vector<std::int32_t> &tokens, std::size_t later)
{
    Sequence sequence;
    const std::size_t count = tokens.size() - 1;
    sequence.later = later;
    for (std::size_t row = 0; row < count; ++row) {
        sequence.tokens.push_back(tokens[row]);
        sequence.positions.push_back(static_cast<double>(row));
        sequence.streams.push_back(0);
        sequence.labels.push_back(tokens[row + 1]);
        sequence.weights.push_back(1);
        for (std::size_t column = 0; column < count; ++column) {
            sequence.seen.push_back(column <= row ? 1 : 0);
        }
        for (std::size_t head = 0; head < later; ++head) {
            sequence.later_labels.push_back(row + head + 2 < tokens.size() ? tokens[row + head + 2] : Sequence::kNoLabel);
        }
    }
    return sequence;
}

bool isHead(const std::string &name)
{
    return name.starts_with("token_heads.");
}

json headsRecipe(const json &token_heads)
{
    return {{"token_heads", token_heads}};
}

}  // namespace

class tst_token_heads_training : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // tests/parity/make_token_heads_parity.py
    void lossAndGradientsArePyTorchs()
    {
        const auto expected = json::parse(readTextFile(BRAID_SOURCE_DIR "/tests/parity/token_heads_parity.json"))["learning"];
        QCOMPARE(expected.size(), std::size_t{2});
        for (const auto &example : expected) {
            const weights::LmConfig config = weights::parseLmConfig(example["config"].dump(), {}, "parity");
            weights::LmCheckpoint checkpoint = hashedLm(example["tag"].get<std::string>(), config);
            const LanguageNetwork network(checkpoint, 1, {});
            const auto shares = example["shares"].get<std::vector<double>>();
            const Sequence sequence = plainSequence(example["tokens"].get<std::vector<std::int32_t>>(), shares.size() - 1);
            const LanguageBatch batch = makeBatch(std::span(&sequence, 1), at::kCPU);
            const double smoothing = example["smoothing"].get<double>();
            for (const auto learning : {Learning::Everything, Learning::HeadsAlone}) {
                const LanguageLoss loss = computeLoss(network.model(learning), batch, smoothing, shares);
                QVERIFY(std::abs(loss.total.item<double>() - example["total"].get<double>()) < 1e-4);
                QVERIFY(std::abs(loss.text - example["of_heads"][0].get<double>()) < 1e-4);
                QCOMPARE(loss.later.size(), shares.size() - 1);
                for (std::size_t head = 0; head < loss.later.size(); ++head) {
                    QVERIFY(std::abs(loss.later[head] - example["of_heads"][head + 1].get<double>()) < 1e-4);
                }
                loss.total.backward();
                QCOMPARE(example["gradients"].size(), network.parameters().size());
                for (const auto &[name, value] : network.parameters()) {
                    if (learning == Learning::HeadsAlone && !isHead(name)) {
                        QVERIFY(!value.grad().defined());
                        continue;
                    }
                    const std::string problem = test::gradientProblem(value.grad(), example["gradients"].at(name));
                    QVERIFY2(problem.empty(), (name + ": " + problem).c_str());
                    value.mutable_grad().reset();
                }
            }
        }
    }

    // Whatever the paradigm, a row learns the target tokens that follow its own, up to the end of the sentence they belong to.
    void rowsLearnTheTokensThatFollow_data()
    {
        QTest::addColumn<QString>("paradigm");
        for (const char *name : {"group", "batch", "interleaved", "offline", "batch-all"}) {
            QTest::newRow(name) << QString(name);
        }
    }
    void rowsLearnTheTokensThatFollow()
    {
        QFETCH(QString, paradigm);
        const Place place;
        const auto tokenizer = place.tokenizer();
        const auto frame = text::TranslationFrame::of(tokenizer);
        json changes = headsRecipe({{"count", 4}});
        changes["translation"] = {{"paradigm", paradigm.toStdString()}};
        const TranslationSource source(place.recipe(changes), kPairs, tokenizer);
        const TokenPair tokens = tokenised(kPairs[1], *frame, *tokenizer);
        const TokenPair before = tokenised(kPairs[0], *frame, *tokenizer);
        const bool goes_on = paradigm != "batch-all";
        std::vector<std::int32_t> wanted = goes_on ? before.target : std::vector<std::int32_t>{};
        if (goes_on) {
            wanted.push_back(frame->end());
        }
        wanted.insert(wanted.end(), tokens.target.begin(), tokens.target.end());
        wanted.push_back(frame->end());
        std::size_t at = 0;
        for (const Sequence &sequence : source.sequences(tokens, goes_on ? &before : nullptr, 2)) {
            QCOMPARE(sequence.later, std::size_t{3});
            QCOMPARE(sequence.later_labels.size(), sequence.size() * 3);
            for (std::size_t row = 0; row < sequence.size(); ++row) {
                const bool has_label = sequence.labels[row] != Sequence::kNoLabel;
                bool goes = has_label;
                for (std::size_t head = 0; head < 3; ++head) {
                    goes = goes && wanted[at + head] != frame->end();
                    QCOMPARE(sequence.later_labels[row * 3 + head], goes ? wanted[at + head + 1] : Sequence::kNoLabel);
                }
                if (has_label) {
                    QCOMPARE(sequence.labels[row], wanted[at]);
                    ++at;
                }
            }
        }
        QCOMPARE(at, wanted.size());
    }

    void theHeadsAloneLeaveTheModelAsItIs_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::newRow("latent") << "latent";
        QTest::newRow("independent") << "independent";
    }
    void theHeadsAloneLeaveTheModelAsItIs()
    {
        QFETCH(QString, kind);
        const Place place;
        Watch watch;
        static_cast<void>(runTraining(place.recipe(), {place.folder / "base", TrainingStart::Fresh, 0, 0}, watch));
        json changes = headsRecipe({{"count", 3}, {"kind", kind.toStdString()}, {"alone_steps", 4}});
        changes["start"] = {{"model", "base/model"}, {"sizes", nullptr}, {"vocabulary", nullptr}};
        LanguageTrainer trainer(place.recipe(changes), place.folder / "heads", watch);
        std::map<std::string, at::Tensor> before;
        for (const auto &[name, value] : trainer.network().parameters()) {
            before.emplace(name, value.detach().clone());
        }
        const auto haveMoved = [&](bool heads) {
            return std::all_of(before.begin(), before.end(), [&](const auto &item) {
                return isHead(item.first) != heads || !at::equal(trainer.network().parameters().at(item.first).detach(), item.second);
            });
        };
        const auto haveStayed = [&] {
            return std::all_of(before.begin(), before.end(), [&](const auto &item) {
                return isHead(item.first) || at::equal(trainer.network().parameters().at(item.first).detach(), item.second);
            });
        };
        for (int step = 0; step < 4; ++step) {
            const Learner::Step done = trainer.step();
            QVERIFY(done.norm > 0);
            QCOMPARE(done.losses.size(), std::size_t{3});
        }
        QVERIFY(haveMoved(true) && haveStayed());
        trainer.writeModel(place.folder / "with-heads");
        // Read as any model is, and started from again: the same heads go on.
        weights::LmCheckpoint written = weights::readLanguageModel(place.folder / "with-heads");
        QCOMPARE(written.config.token_heads.count, 3);
        QCOMPARE(QString::fromStdString(std::string(weights::headKindName(written.config.token_heads.kind))), kind);
        const LanguageNetwork again(written, 1, {});
        for (const auto &[name, value] : trainer.network().parameters()) {
            QVERIFY(at::equal(again.parameters().at(name).detach(), value.detach()));
        }
        static_cast<void>(trainer.step());
        static_cast<void>(trainer.step());
        QVERIFY(haveMoved(false));
    }

    void stoppingAndResumingAcrossTheStagesChangesNothing()
    {
        const Place place;
        json changes = headsRecipe({{"count", 3}, {"alone_steps", 5}});
        changes["batch"] = {{"tokens", 60}};
        changes["optimizer"] = {{"average", 0.9}};
        const LanguageRecipe recipe = place.recipe(changes);
        Watch watch;
        QCOMPARE(runTraining(recipe, {place.folder / "whole", TrainingStart::Fresh, 0, 0}, watch).end, TrainingEnd::Complete);
        QCOMPARE(runTraining(recipe, {place.folder / "parts", TrainingStart::Fresh, 0, 3}, watch).end, TrainingEnd::Stopped);
        QCOMPARE(runTraining(recipe, {place.folder / "parts", TrainingStart::Resume, 0, 4}, watch).end, TrainingEnd::Stopped);
        QCOMPARE(runTraining(recipe, {place.folder / "parts", TrainingStart::Resume, 0, 0}, watch).end, TrainingEnd::Complete);
        const auto whole = readCheckpoint(place.folder / "whole");
        const auto parts = readCheckpoint(place.folder / "parts");
        for (const auto &[name, value] : whole->weights) {
            QVERIFY2(at::equal(value, parts->weights.at(name)), name.c_str());
            QVERIFY2(at::equal(whole->average.at(name), parts->average.at(name)), name.c_str());
        }
    }

    // A few sentences learnt by heart, with four heads: the same text in less than half of the decoder calls.
    void whatWasLearntSavesPasses()
    {
        const Place place;
        Watch watch;
        json changes = headsRecipe({{"count", 4}, {"shares", {1, 1, 1, 1}}});
        changes["schedule"] = {{"steps", 200}};
        changes["start"] = {{"sizes", {{"width", 32}, {"inner_width", 64}}}};
        changes["translation"] = {{"wait_k", {30}}, {"context", 0}};
        static_cast<void>(runTraining(place.recipe(changes), {place.folder / "out", TrainingStart::Fresh, 0, 0}, watch));
        const auto folder = place.folder / "out" / "model";
        weights::LmCheckpoint checkpoint = weights::readLanguageModel(folder);
        const models::lm::DecoderLm model(checkpoint, {});
        const auto tokenizer = text::LanguageTokenizer::load(folder);
        const auto frame = text::TranslationFrame::of(tokenizer);
        const auto passesOf = [&](const PairText &pair, std::int64_t heads, std::vector<std::int32_t> &said) {
            models::lm::TranslationRun run(model, paradigms::groupStreaming(0), 256, {heads});
            run.read(frame->prompt());
            run.read(frame->textTokens(pair.source));
            run.read(std::vector<std::int32_t>{frame->end()});
            run.write(frame->header());
            while (said.size() < 80 && (said.empty() || said.back() != frame->end())) {
                said.push_back(static_cast<std::int32_t>(run.predict().argmax().item<std::int64_t>()));
                run.write(std::span(&said.back(), 1));
            }
            return run.targetPasses();
        };
        std::int64_t one = 0;
        std::int64_t four = 0;
        for (const PairText &pair : kPairs) {
            std::vector<std::int32_t> said;
            std::vector<std::int32_t> said_at_once;
            one += passesOf(pair, 1, said);
            four += passesOf(pair, 4, said_at_once);
            QCOMPARE(said_at_once, said);
        }
        QVERIFY2(2 * four < one, qPrintable(QString("%1 of %2").arg(four).arg(one)));
    }

    void recipesThatCannotBeAreRefused()
    {
        const Place place;
        const auto problem = [&](const json &token_heads, const json &more = json::object()) {
            json changes = headsRecipe(token_heads);
            changes.update(more);
            return sentenceOf(ErrorKind::Input, [&] { static_cast<void>(place.recipe(changes)); });
        };
        QCOMPARE(place.recipe(headsRecipe({{"count", 3}})).token_heads.shares, (std::vector<double>{1, 0.2, 0.2}));
        QVERIFY(contains(problem({{"count", 7}}), "token_heads.count"));
        QVERIFY(contains(problem({{"count", 1}}), "token_heads.count"));
        QVERIFY(contains(problem({{"kind", "residual"}}), "token_heads.kind"));
        QVERIFY(contains(problem({{"count", 3}, {"shares", {1, 0.2}}}), "token_heads.shares"));
        QVERIFY(contains(problem({{"count", 2}, {"shares", {1, -1}}}), "token_heads.shares"));
        QVERIFY(contains(problem({{"alone_steps", -1}}), "token_heads.alone_steps"));
        QVERIFY(contains(problem({{"layers", 2}}), "token_heads.layers"));
        QVERIFY(contains(problem({{"count", 2}}, {{"start", {{"model", "base"}, {"lora_rank", 2}, {"sizes", nullptr}, {"vocabulary", nullptr}}}}), "adapters"));
        QVERIFY(!sentenceOf(ErrorKind::Input, [&] { static_cast<void>(place.streamsRecipe(headsRecipe({{"count", 2}}))); }).empty());

        // A model that has other heads already.
        Watch watch;
        static_cast<void>(runTraining(place.recipe(headsRecipe({{"count", 2}})), {place.folder / "two", TrainingStart::Fresh, 0, 2}, watch));
        json three = headsRecipe({{"count", 3}});
        three["start"] = {{"model", "two/last"}, {"sizes", nullptr}, {"vocabulary", nullptr}};
        const LanguageRecipe recipe = place.recipe(three);
        QVERIFY(contains(sentenceOf(ErrorKind::Input, [&] { LanguageTrainer(recipe, place.folder / "three", watch); }), "2 latent heads already"));
    }
};

QTEST_GUILESS_MAIN(tst_token_heads_training)
#include "tst_token_heads_training.moc"
