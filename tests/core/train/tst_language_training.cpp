// Language models from recipe to folder: what a training row sees is what a run of wait-k sees, losses go to about zero, stopping and
// resuming changes nothing, adapters alone are trained, and what is exported is what was trained.
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>
#include <map>
#include <random>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/decoding/wait_k.h"
#include "core/models/decoder_lm/translation_run.h"
#include "core/streams/data/conversations.h"
#include "core/streams/visibility.h"
#include "core/text/tokenizer_learner.h"
#include "core/train/language/language_batch.h"
#include "core/train/language/language_trainer.h"
#include "core/train/language/streams_source.h"
#include "core/train/language/translation_source.h"
#include "core/train/training.h"
#include "core/weights/huggingface_lm.h"
#include "tests/support/hashed_lm.h"

using namespace braid;
using namespace braid::train;

namespace {

class Watch : public TrainingWatch {
  public:
    void preparing(const std::string &, double) override {}
    void notice(const std::string &sentence) override { notices.push_back(sentence); }
    void progress(const StepReport &report) override { reports.push_back(report); }
    void validated(const ValidationReport &report) override { validations.push_back(report); }
    bool stopAsked() override { return false; }

    std::vector<std::string> notices;
    std::vector<StepReport> reports;
    std::vector<ValidationReport> validations;
};

const std::vector<PairText> kPairs = {{"The cat sleeps.", "Le chat dort."},
                                      {"Is the 10 o'clock train late, Tom?", "Le train de 10 heures est en retard, Tom ?"},
                                      {"Yes!", "Oui !"},
                                      {"I do not know where the old house was.", "Je ne sais pas o\u00f9 \u00e9tait la vieille maison."},
                                      {"She said \"no\" twice.", "Elle a dit \u00ab non \u00bb deux fois."}};

// A folder with sentence pairs and recipes over them.
struct Place {
    Place()
        : folder(temporary.path().toStdString())
    {
        at::set_num_threads(1);
        std::ofstream out(folder / "pairs.tsv");
        for (const PairText &pair : kPairs) {
            out << pair.source << "\t" << pair.target << "\t(further columns do not count)\n";
        }
    }

    [[nodiscard]] LanguageRecipe recipe(const nlohmann::json &changes = nlohmann::json::object()) const
    {
        nlohmann::json values = {{"kind", "translation"},
                                 {"pairs", {{{"file", "pairs.tsv"}}}},
                                 {"start", {{"sizes", {{"width", 24}, {"inner_width", 40}, {"layers", 2}, {"heads", 2}}}, {"vocabulary", 300}}},
                                 {"translation", {{"source", "en"}, {"target", "fr"}, {"wait_k", {1, 2, 3, 9}}, {"context", 0.4}}},
                                 {"batch", {{"tokens", 200}, {"longest", 200}}},
                                 {"optimizer", {{"kind", "muon"}, {"learning_rate", 0.01}}},
                                 {"schedule", {{"kind", "steps"}, {"steps", 12}}},
                                 {"export", {{"number_type", "float32"}}}};
        values.merge_patch(changes);
        const auto path = folder / "recipe.json";
        std::ofstream(path) << values.dump();
        return readLanguageRecipe(path);
    }

    [[nodiscard]] LanguageRecipe streamsRecipe(const nlohmann::json &changes = nlohmann::json::object()) const
    {
        nlohmann::json values = {{"kind", "streams"},
                                 {"start", {{"sizes", {{"width", 24}, {"inner_width", 40}, {"layers", 2}, {"heads", 2}}}, {"vocabulary", 3000}}},
                                 {"streams", {{"layout", BRAID_SOURCE_DIR "/resources/layouts/box.json"}, {"conversations", 20}}},
                                 {"batch", {{"tokens", 2000}, {"longest", 1000}}},
                                 {"optimizer", {{"kind", "muon"}, {"learning_rate", 0.01}}},
                                 {"schedule", {{"kind", "steps"}, {"steps", 12}}},
                                 {"validation", {{"examples", 5}}},
                                 {"export", {{"number_type", "float32"}}}};
        values.merge_patch(changes);
        const auto path = folder / "streams.json";
        std::ofstream(path) << values.dump();
        return readLanguageRecipe(path);
    }

    [[nodiscard]] std::shared_ptr<const text::LanguageTokenizer> streamsTokenizer(const streams::Layout &layout) const
    {
        const auto path = folder / "streams-tokenizer.json";
        std::ofstream(path) << streamsTokenizerJson(layout, {}, 1, 3000);
        return text::LanguageTokenizer::load(path);
    }

    [[nodiscard]] std::shared_ptr<const text::LanguageTokenizer> tokenizer() const
    {
        text::TokenizerLearner learner;
        for (const PairText &pair : kPairs) {
            learner.add(" " + pair.source);
            learner.add(" " + pair.target);
        }
        const auto path = folder / "tokenizer.json";
        std::ofstream(path) << learner.json(300, {"<|source|>", "<|target|>", "<|end|>"});
        return text::LanguageTokenizer::load(path);
    }

    QTemporaryDir temporary;
    std::filesystem::path folder;
};

// A translation model that says what it is told to, over a real run; keeps the prediction before every target token, as it last was.
class Forced : public decoding::TranslationModel {
  public:
    Forced(const models::lm::DecoderLm &model, const paradigms::Paradigm &paradigm, const text::LanguageTokenizer &tokenizer, const text::TranslationFrame &frame,
           std::vector<std::int32_t> target)
        : m_model(model)
        , m_paradigm(paradigm)
        , m_tokenizer(tokenizer)
        , m_frame(frame)
        , m_target(std::move(target))
    {
    }

    void begin(const decoding::TranslationContext &context) override
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
    decoding::PredictedToken predict(decoding::AttentionWanted) override
    {
        const std::size_t number = m_run->target().size() - m_header;
        predictions[number] = m_run->predict();
        decoding::PredictedToken next;
        next.is_end = number == m_target.size();
        next.token.id = next.is_end ? m_frame.end() : m_target[number];
        next.token.text = next.is_end ? std::string() : m_tokenizer.tokenBytes(next.token.id);
        return next;
    }
    void write(std::int32_t token) override { m_run->write(std::span(&token, 1)); }
    void unwrite(int count) override { m_run->unwrite(count); }
    std::int64_t room() const override { return 1000; }
    std::int64_t promptTokens() const override { return 1; }
    decoding::TranslationCost cost() const override { return {}; }

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
    return a.size() == b.size() && std::all_of(a.begin(), a.end(), [&b](const auto &item) { return b.count(item.first) > 0 && at::equal(item.second.detach(), b.at(item.first).detach()); });
}

// Random numbers everywhere, so that what a block adds is not zero.
void shake(const LanguageNetwork &network)
{
    const c10::NoGradGuard no_gradients;
    train::Random random({7});
    for (const auto &[name, value] : network.parameters()) {
        at::Tensor tensor = value.detach();
        for (std::int64_t i = 0; i < tensor.numel(); ++i) {
            tensor.view({-1})[i] += 0.4 * random.uniform(-1, 1);
        }
    }
}

}  // namespace

class tst_language_training : public QObject {
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
                    decoding::WaitKSettings settings;
                    settings.k = k;
                    Forced forced(model, paradigms::paradigmNamed(recipe.translation.paradigm, phi), *tokenizer, *frame, tokens.target);
                    decoding::WaitKTranslator translator(forced, settings);
                    translator.beginSentence(goes_on ? decoding::TranslationContext{before.source, before.target} : decoding::TranslationContext{});
                    translator.addSource(pair.source);
                    translator.endSource();
                    while (!translator.isFinished()) {
                        static_cast<void>(translator.step());
                    }
                    const std::vector<Sequence> sequences = source.sequences(tokens, goes_on ? &tokens_before : nullptr, k);
                    QCOMPARE(sequences.size(), std::size_t{1});
                    const LanguageBatch batch = makeBatch(sequences, at::kCPU);
                    const at::Tensor hidden = model.runWhole(batch.tokens, batch.positions, batch.streams, batch.seen);
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
            const LanguageNetwork network(checkpoint, {});
            const paradigms::Paradigm group = paradigms::groupStreaming(example["phi"].get<double>());
            const Sequence sequence = translationSequence(
                group.visibility, paradigms::waitKTokens(group, source.second, target.second, example["k"].get<std::int64_t>(), paradigms::HeaderTime::AfterInstruction, 1), source.first,
                target.first);
            const LanguageLoss loss = computeLoss(network.model(), makeBatch(std::span(&sequence, 1), at::kCPU), example["smoothing"].get<double>());
            QVERIFY2(std::abs(loss.text - example["loss"].get<double>()) < 1e-5, qPrintable(QString::number(loss.text)));
            loss.total.backward();
            QCOMPARE(example["gradients"].size(), network.parameters().size());
            for (const auto &[name, value] : network.parameters()) {
                const auto &wanted = example["gradients"].at(name);
                const at::Tensor gradient = value.grad().reshape({-1});
                const double norm = wanted["norm"].get<double>();
                QVERIFY2(std::abs(gradient.norm().item<double>() - norm) < 1e-4 * (1 + norm), qPrintable(QString::fromStdString(name)));
                for (std::size_t i = 0; i < wanted["first"].size(); ++i) {
                    QVERIFY2(std::abs(gradient[static_cast<std::int64_t>(i)].item<double>() - wanted["first"][i].get<double>()) < 1e-4 * (1 + norm), qPrintable(QString::fromStdString(name)));
                }
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
            std::copy_if(sequence.labels.begin(), sequence.labels.end(), std::back_inserter(predicted), [](std::int32_t label) { return label != Sequence::kNoLabel; });
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
        QVERIFY2(static_cast<double>(tokens) / static_cast<double>(cells) > 0.9, qPrintable(QString::number(static_cast<double>(tokens) / static_cast<double>(cells))));
    }

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
            const streams::TextTable table = streams::makeConversation(5, number, {}).table;
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
            const streams::TextTable table = streams::makeConversation(5, number, {}).table;
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
        const streams::TextTable table = streams::makeConversation(5, 1, {}).table;
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
        QVERIFY2(text.contains("<|User|>") && text.indexOf("<|User|>") < text.indexOf("<|Answer|>") && text.indexOf("<|Working|>") < text.indexOf("<|Answer|>"), qPrintable(text));
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

    void theLossGoesToZero()
    {
        const Place place;
        Watch watch;
        const LanguageRecipe recipe = place.recipe({{"schedule", {{"steps", 260}}}, {"start", {{"sizes", {{"width", 32}, {"inner_width", 64}}}}}, {"translation", {{"wait_k", {30}}, {"context", 0}}}});
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
        std::ofstream(place.folder / "bad.tsv") << "A sentence\tUne phrase\nNo tab\n";
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readPairs(place.folder / "bad.tsv")));
    }
};

QTEST_GUILESS_MAIN(tst_language_training)
#include "tst_language_training.moc"
