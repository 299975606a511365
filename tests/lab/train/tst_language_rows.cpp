// What a language model learns translation from: a training row sees what a run of wait-k sees, loss and gradients are PyTorch's, and batches are full
// without changing them.
#include <QtTest>

#include <map>
#include <random>

#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/models/decoder_lm/translation_run.h"
#include "core/translation/wait_k.h"
#include "lab/train/language/language_batch.h"
#include "lab/train/language/language_folder.h"
#include "lab/train/language/translation_source.h"
#include "tests/lab/train/gradients.h"
#include "tests/lab/train/language_place.h"
#include "tests/support/hashed_lm.h"

using namespace braid;
using namespace braid::test;
using namespace braid::train;

namespace {

// A translation model that says what it is told to, over a real run; keeps the prediction before every target token, as it last was.
class Forced : public translation::TranslationModel {
  public:
    Forced(const models::lm::DecoderLm &model, const paradigms::Paradigm &paradigm, const text::LanguageTokenizer &tokenizer,
           const text::TranslationFrame &frame, std::vector<std::int32_t> target)
        : m_model(model)
        , m_paradigm(paradigm)
        , m_tokenizer(tokenizer)
        , m_frame(frame)
        , m_target(std::move(target))
    {
    }

    void begin(const translation::TranslationContext &context) override
    {
        m_run = std::make_unique<models::lm::TranslationRun>(m_model, m_paradigm);
        predictions.clear();
        m_run->read(m_frame.prompt(context.source));
        m_run->write(m_frame.header(context.target));
        m_header = m_run->target().size();
    }
    std::vector<std::int32_t> sourceTokens(std::string_view text) const override { return m_frame.textTokens(text); }
    std::vector<std::int32_t> endOfSource() const override { return {m_frame.end()}; }
    void read(std::span<const std::int32_t> tokens) override { m_run->read(tokens); }
    translation::PredictedToken predict(AttentionWanted) override
    {
        const std::size_t number = m_run->target().size() - m_header;
        predictions[number] = m_run->predict();
        translation::PredictedToken next;
        next.is_end = number == m_target.size();
        next.token.id = next.is_end ? m_frame.end() : m_target[number];
        next.token.text = next.is_end ? std::string() : m_tokenizer.tokenBytes(next.token.id);
        return next;
    }
    void write(std::int32_t token) override { m_run->write(std::span(&token, 1)); }
    void unwrite(int count) override { m_run->unwrite(count); }
    std::int64_t room() const override { return 1000; }
    std::int64_t promptTokens() const override { return 1; }
    translation::TranslationCost cost() const override { return {}; }

    std::map<std::size_t, at::Tensor> predictions;  // by the number of the target token they predict

  private:
    const models::lm::DecoderLm &m_model;
    paradigms::Paradigm m_paradigm;
    const text::LanguageTokenizer &m_tokenizer;
    const text::TranslationFrame &m_frame;
    std::vector<std::int32_t> m_target;
    std::unique_ptr<models::lm::TranslationRun> m_run;
    std::size_t m_header = 0;
};

}  // namespace

class tst_language_rows : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // Every word is predicted in training from what wait-k has read when it writes it: the same logits, row by row.
    void aTrainingRowSeesWhatARunSees_data()
    {
        QTest::addColumn<QString>("paradigm");
        QTest::addColumn<double>("phi");
        QTest::newRow("group, phi 0") << "group" << 0.0;
        QTest::newRow("group, phi 0.5") << "group" << 0.5;
        QTest::newRow("batch, no re-encoding") << "batch" << 0.0;
        QTest::newRow("interleaved") << "interleaved" << 0.0;
        QTest::newRow("batch, positions re-encoded") << "batch-positions" << 0.0;
        QTest::newRow("no source positions") << "no-source-positions" << 0.0;
        QTest::newRow("no target positions") << "no-target-positions" << 0.0;
        QTest::newRow("no positions") << "no-positions" << 0.0;
    }
    void aTrainingRowSeesWhatARunSees()
    {
        QFETCH(QString, paradigm);
        QFETCH(double, phi);
        const Place place;
        const auto tokenizer = place.tokenizer();
        const auto frame = text::TranslationFrame::of(tokenizer);
        const LanguageRecipe recipe = place.recipe({{"translation", {{"paradigm", paradigm.toStdString()}, {"phi", phi}}}});
        const TranslationSource source(recipe, kPairs, tokenizer);
        LanguageNetwork network(weights::parseLmConfig(configJson(recipe.start.sizes, {tokenizer->size(), frame->end(), 0, {}}), {}, "test"), 3, {});
        shake(network);
        const c10::NoGradGuard no_gradients;
        const models::lm::DecoderLm model = network.model();
        for (std::size_t number = 0; number < kPairs.size(); ++number) {
            const PairText &pair = kPairs[number];
            const PairText &before = kPairs[(number + 1) % kPairs.size()];
            const TokenPair tokens = tokenised(pair, *frame, *tokenizer);
            const TokenPair tokens_before = tokenised(before, *frame, *tokenizer);
            QCOMPARE(tokens_before.source, frame->textTokens(before.source));  // a context is tokenised as a whole
            for (const int k : {1, 2, 5, 30}) {
                for (const bool goes_on : {false, true}) {
                    translation::WaitKSettings settings;
                    settings.k = k;
                    Forced forced(model, paradigms::paradigmNamed(recipe.translation.paradigm, phi), *tokenizer, *frame, tokens.target);
                    translation::WaitKTranslator translator(forced, settings);
                    translator.beginSentence(goes_on ? translation::TranslationContext{before.source, before.target} : translation::TranslationContext{});
                    translator.addSource(pair.source);
                    translator.endSource();
                    while (!translator.isFinished()) {
                        static_cast<void>(translator.step());
                    }
                    const std::vector<Sequence> sequences = source.sequences(tokens, goes_on ? &tokens_before : nullptr, k);
                    QCOMPARE(sequences.size(), std::size_t{1});
                    const LanguageBatch batch = makeBatch(sequences, at::kCPU);
                    const at::Tensor hidden = model.runWhole(batch.tokens, batch.positions, batch.streams, batch.seen, batch.across);
                    const at::Tensor logits = model.logits(hidden[0].index_select(0, batch.rows));
                    // The last rows are the sentence's own; those before them are the context's translation.
                    const auto own = static_cast<std::int64_t>(tokens.target.size()) + 1;
                    const std::int64_t first = logits.size(0) - own;
                    QCOMPARE(first, goes_on ? static_cast<std::int64_t>(tokens_before.target.size()) + 1 : 0);
                    QCOMPARE(static_cast<std::int64_t>(forced.predictions.size()), own);
                    for (std::int64_t row = 0; row < own; ++row) {
                        const double difference = (logits[first + row] - forced.predictions.at(static_cast<std::size_t>(row))).abs().max().item<double>();
                        QVERIFY2(difference < 2e-4, qPrintable(QString("sentence %1, k %2, token %3: %4").arg(number).arg(k).arg(row).arg(difference)));
                        QCOMPARE(batch.labels[first + row].item<std::int64_t>(), row + 1 == own ? frame->end() : tokens.target[static_cast<std::size_t>(row)]);
                    }
                }
            }
        }
    }

    // Loss and gradients are PyTorch's (tests/parity/make_language_training_parity.py, where what a row sees is written out from the rule).
    void lossAndGradientsArePyTorchs()
    {
        const auto expected = nlohmann::json::parse(readTextFile(BRAID_SOURCE_DIR "/tests/parity/language_training_parity.json"));
        const weights::LmConfig config = weights::parseLmConfig(expected["config"].dump(), {}, "parity");
        const auto sideOf = [](const nlohmann::json &segments) {
            std::pair<std::vector<std::int32_t>, std::vector<std::int64_t>> side;
            for (const auto &segment : segments) {
                side.second.push_back(static_cast<std::int64_t>(segment.size()));
                for (const auto &token : segment) {
                    side.first.push_back(token.get<std::int32_t>());
                }
            }
            return side;
        };
        const auto source = sideOf(expected["source"]);
        const auto target = sideOf(expected["target"]);
        for (const auto &example : expected["cases"]) {
            weights::LmCheckpoint checkpoint = test::hashedLm(expected["tag"].get<std::string>(), config);
            const LanguageNetwork network(checkpoint, 1, {});
            const paradigms::Paradigm group = paradigms::groupStreaming(example["phi"].get<double>());
            const Sequence sequence = translationSequence(
                group.visibility,
                paradigms::waitKTokens(group, source.second, target.second, example["k"].get<std::int64_t>(), paradigms::HeaderTime::AfterInstruction, 1),
                source.first, target.first);
            const LanguageLoss loss = computeLoss(network.model(), makeBatch(std::span(&sequence, 1), at::kCPU), example["smoothing"].get<double>());
            QVERIFY2(std::abs(loss.text - example["loss"].get<double>()) < 1e-5, qPrintable(QString::number(loss.text)));
            loss.total.backward();
            QCOMPARE(example["gradients"].size(), network.parameters().size());
            for (const auto &[name, value] : network.parameters()) {
                const std::string problem = test::gradientProblem(value.grad(), example["gradients"].at(name));
                QVERIFY2(problem.empty(), (name + ": " + problem).c_str());
            }
        }
    }

    // Full re-encoding has an example for every state of the source; together they predict every word once.
    void reencodingHasAnExampleForEveryState()
    {
        const Place place;
        const auto tokenizer = place.tokenizer();
        const TranslationSource source(place.recipe({{"translation", {{"paradigm", "batch-all"}}}}), kPairs, tokenizer);
        const auto frame = text::TranslationFrame::of(tokenizer);
        const TokenPair tokens = tokenised(kPairs[0], *frame, *tokenizer);
        std::vector<std::int32_t> predicted;
        const std::vector<Sequence> sequences = source.sequences(tokens, nullptr, 1);
        QVERIFY(sequences.size() > 1);
        for (const Sequence &sequence : sequences) {
            std::copy_if(sequence.labels.begin(), sequence.labels.end(), std::back_inserter(predicted),
                         [](std::int32_t label) { return label != Sequence::kNoLabel; });
        }
        std::vector<std::int32_t> wanted = tokens.target;
        wanted.push_back(frame->end());
        QCOMPARE(predicted, wanted);
    }

    // The same sequences alone and padded side by side give the same loss.
    void paddingChangesNothing()
    {
        const Place place;
        const auto tokenizer = place.tokenizer();
        const LanguageRecipe recipe = place.recipe();
        const TranslationSource source(recipe, kPairs, tokenizer);
        LanguageNetwork network(weights::parseLmConfig(configJson(recipe.start.sizes, {tokenizer->size(), 0, 0, {}}), {}, "test"), 3, {});
        shake(network);
        std::vector<Sequence> sequences;
        double sum = 0;
        double count = 0;
        for (const SequenceItem &item : source.epoch(0)) {
            sequences.push_back(source.make(item, train::Random({1})).front());
            const LanguageLoss alone = computeLoss(network.model(), makeBatch(std::span(&sequences.back(), 1), at::kCPU), 0);
            sum += alone.text * alone.weight;
            count += alone.weight;
        }
        const LanguageLoss together = computeLoss(network.model(), makeBatch(sequences, at::kCPU), 0);
        QCOMPARE(together.weight, count);
        QVERIFY(std::abs(together.text - sum / count) < 1e-4);
    }

    void everyBatchIsFullAndEveryItemOnce()
    {
        std::mt19937 random(5);
        std::vector<SequenceItem> items;
        for (std::int64_t i = 0; i < 500; ++i) {
            items.push_back({i, -1, 4 + static_cast<std::int64_t>(random() % 60)});
        }
        std::vector<int> seen(items.size(), 0);
        std::int64_t cells = 0;
        std::int64_t tokens = 0;
        for (const auto &batch : planBatches(items, 400, train::Random({3}))) {
            std::int64_t longest = 0;
            for (const SequenceItem &item : batch) {
                ++seen[static_cast<std::size_t>(item.example)];
                longest = std::max(longest, item.tokens);
                tokens += item.tokens;
            }
            QVERIFY(longest * static_cast<std::int64_t>(batch.size()) <= 400);
            cells += longest * static_cast<std::int64_t>(batch.size());
        }
        QVERIFY(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
        QVERIFY2(static_cast<double>(tokens) / static_cast<double>(cells) > 0.9,
                 qPrintable(QString::number(static_cast<double>(tokens) / static_cast<double>(cells))));
    }
};

QTEST_GUILESS_MAIN(tst_language_rows)
#include "tst_language_rows.moc"
