// Conversations of parallel streams as a language model learns them: a row is predicted from what it is predicted from when it runs, silence is thinned
// without changing the loss, and the baseline's one queue is one causal text.
#include <QtTest>

#include <map>

#include <c10/core/GradMode.h>

#include "core/streams/visibility.h"
#include "core/weights/huggingface_lm.h"
#include "lab/conversations/conversations.h"
#include "lab/train/language/language_batch.h"
#include "lab/train/language/language_folder.h"
#include "lab/train/language/streams_source.h"
#include "tests/lab/train/language_place.h"

using namespace braid;
using namespace braid::test;
using namespace braid::train;

class tst_language_streams : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    // Parallel streams: what a row of the table is predicted from in training is what it is predicted from when the rows are fed one by one.
    void aConversationIsLearntAsItRuns()
    {
        const Place place;
        const LanguageRecipe recipe = place.streamsRecipe();
        streams::Layout layout = streams::readLayout(recipe.streams.layout);
        const auto tokenizer = place.streamsTokenizer(layout);
        LanguageNetwork network(weights::parseLmConfig(configJson(recipe.start.sizes, {tokenizer->size(), 0, 7, {}}), {}, "test"), 3, {});
        shake(network);
        const c10::NoGradGuard no_gradients;
        const models::lm::DecoderLm model = network.model();
        const StreamsSource source(recipe, layout, {}, tokenizer);
        const paradigms::Visibility visibility = streams::visibilityOf(layout);
        const std::int32_t silence = tokenizer->encode(" -").front();
        for (std::uint64_t number = 0; number < 4; ++number) {
            const streams::TextTable table = conversations::makeConversation(5, number, {}).table;
            const Sequence sequence = source.sequenceOf(table, train::Random({1}));
            const LanguageBatch batch = makeBatch(std::span(&sequence, 1), at::kCPU);
            const at::Tensor hidden = model.runWhole(batch.tokens, batch.positions, batch.streams, batch.seen);
            const at::Tensor trained = model.logits(hidden[0].index_select(0, batch.rows));
            nn::StreamCache cache = model.emptyCache(64);
            std::int64_t label = 0;
            for (std::size_t row = 0; row < table.rows.size(); ++row) {
                std::vector<std::int32_t> tokens;
                std::vector<paradigms::Entry> entries;
                for (std::size_t stream = 0; stream < layout.size(); ++stream) {
                    const std::string &cell = table.rows[row][stream];
                    tokens.push_back(cell.empty() ? silence : tokenizer->encode(cell).front());
                    entries.push_back({static_cast<std::int32_t>(stream), static_cast<double>(row), static_cast<std::int64_t>(row),
                                       cell.empty() ? paradigms::EntryKind::Silent : paradigms::EntryKind::Token});
                }
                const at::Tensor fed = model.logits(model.run(cache, tokens, entries, visibility));
                for (std::size_t stream = 0; stream < layout.size() && row + 1 < table.rows.size(); ++stream) {
                    if (!layout.streams[stream].isSampled()) {
                        continue;
                    }
                    const std::string &next = table.rows[row + 1][stream];
                    QCOMPARE(batch.labels[label].item<std::int64_t>(), next.empty() ? silence : tokenizer->encode(next).front());
                    QVERIFY((trained[label] - fed[static_cast<std::int64_t>(stream)]).abs().max().item<double>() < 2e-4);
                    ++label;
                }
            }
            QCOMPARE(label, batch.labels.size(0));
        }
    }

    // Of silence that nobody hears only a share is computed: words keep their rows and weights, silence its weight on average.
    void silenceIsThinnedWithoutChangingTheLoss()
    {
        const Place place;
        const LanguageRecipe whole = place.streamsRecipe();
        const LanguageRecipe thinned = place.streamsRecipe({{"streams", {{"silence_kept", 0.2}}}});
        const streams::Layout layout = streams::readLayout(whole.streams.layout);
        const auto tokenizer = place.streamsTokenizer(layout);
        const std::int32_t silence = tokenizer->encode(" -").front();
        std::map<bool, double> weights[2];  // by whether the label is silence, whole and thinned
        std::size_t tokens[2] = {0, 0};
        for (std::uint64_t number = 0; number < 60; ++number) {
            const streams::TextTable table = conversations::makeConversation(5, number, {}).table;
            for (const bool is_thinned : {false, true}) {
                const Sequence sequence = StreamsSource(is_thinned ? thinned : whole, layout, {}, tokenizer).sequenceOf(table, train::Random({number}));
                tokens[is_thinned ? 1 : 0] += sequence.size();
                for (std::size_t i = 0; i < sequence.size(); ++i) {
                    weights[is_thinned ? 1 : 0][sequence.labels[i] == silence] += sequence.weights[i];
                }
            }
        }
        QVERIFY2(tokens[1] * 10 < tokens[0] * 6, qPrintable(QString("%1 of %2").arg(tokens[1]).arg(tokens[0])));
        QCOMPARE(weights[1][false], weights[0][false]);
        QVERIFY(std::abs(weights[1][true] / weights[0][true] - 1) < 0.05);
    }

    // The baseline: marks and cells one after the other, what is fed is read only.
    void theCollapsedFormIsOneCausalText()
    {
        const Place place;
        const LanguageRecipe recipe = place.streamsRecipe({{"streams", {{"single", true}}}});
        const streams::Layout layout = streams::readLayout(recipe.streams.layout);
        const auto tokenizer = place.streamsTokenizer(layout);
        const streams::TextTable table = conversations::makeConversation(5, 1, {}).table;
        const Sequence sequence = StreamsSource(recipe, layout, {}, tokenizer).sequenceOf(table, train::Random({1}));
        std::vector<std::int32_t> said;
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            for (std::size_t j = 0; j < sequence.size(); ++j) {
                QCOMPARE(sequence.seen[i * sequence.size() + j] != 0, j <= i);
            }
            if (sequence.labels[i] != Sequence::kNoLabel) {
                said.push_back(sequence.labels[i]);
                QVERIFY(i + 1 == sequence.size() || sequence.tokens[i + 1] == sequence.labels[i]);
            }
        }
        const QString text = QString::fromStdString(tokenizer->decode(sequence.tokens, text::SpecialTokens::Shown));
        QVERIFY2(text.contains("<|User|>") && text.indexOf("<|User|>") < text.indexOf("<|Answer|>") && text.indexOf("<|Working|>") < text.indexOf("<|Answer|>"),
                 qPrintable(text));
        const QString learnt = QString::fromStdString(tokenizer->decode(said, text::SpecialTokens::Shown));
        QVERIFY2(learnt.startsWith("<|Working|>") && learnt.endsWith("<|end|>") && !learnt.contains("<|User|>"), qPrintable(learnt));
    }

    void conversationsAreLearnt_data()
    {
        QTest::addColumn<bool>("single");
        QTest::newRow("parallel streams") << false;
        QTest::newRow("one queue") << true;
    }
    void conversationsAreLearnt()
    {
        QFETCH(bool, single);
        const Place place;
        Watch watch;
        const LanguageRecipe recipe = place.streamsRecipe({{"streams", {{"single", single}, {"conversations", 3}, {"distinct", 3}}},
                                                           {"start", {{"sizes", {{"width", 32}, {"inner_width", 64}}}}},
                                                           {"optimizer", {{"learning_rate", 0.01}}},
                                                           {"schedule", {{"steps", 150}}}});
        const auto out = place.folder / "streams";
        static_cast<void>(runTraining(recipe, {out, TrainingStart::Fresh, 0, 0}, watch));
        QVERIFY2(watch.reports.back().losses.front().value < 0.1, qPrintable(QString::number(watch.reports.back().losses.front().value)));
        weights::LmCheckpoint checkpoint = weights::readLanguageModel(out / "model");
        QCOMPARE(checkpoint.config.streams, single ? 0 : 7);
        QVERIFY(!watch.validations.empty());
    }
};

QTEST_GUILESS_MAIN(tst_language_streams)
#include "tst_language_streams.moc"
