// A translation model that predicts several tokens a step: verified greedily it says what it says token by token, in every paradigm; by rank and by
// threshold it says what the equations of "Faster Speech-LLaMA with multi-token prediction" say, here written out over fresh passes.
#include <QTemporaryDir>
#include <QtTest>

#include <random>

#include <ATen/Parallel.h>

#include "core/models/decoder_lm/decoder_lm.h"
#include "core/models/models.h"
#include "core/paradigms/paradigm.h"
#include "core/text/language_tokenizer.h"
#include "core/text/translation_frame.h"
#include "lab/evaluation/translation_evaluation.h"
#include "tests/support/error_sentence.h"
#include "tests/support/small_lm_folder.h"

using namespace braid;
using namespace braid::models;
using drafting::Verification;
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kHeads = 4;

std::shared_ptr<LanguageModel> loaded(const fs::path &folder)
{
    DeviceChoice device;
    device.device = "cpu";
    device.threads = 1;
    return loadLanguageModel(folder, device);
}

// What a step of the paper is: everything computed anew from the tokens, nothing kept.
class Definition {
  public:
    Definition(const fs::path &folder, std::vector<std::int32_t> source, std::vector<std::int32_t> header)
        : m_checkpoint(weights::readLanguageModel(folder))
        , m_model(m_checkpoint, {})
        , m_source(std::move(source))
        , m_target(std::move(header))
        , m_header(m_target.size())
    {
    }

    // Section III-A with equation 9; `most` 1: strict.
    void stepByRank(std::int64_t heads, std::int64_t most)
    {
        const std::vector<at::Tensor> predicted = probabilities(heads);
        m_target.push_back(mostProbable(predicted.front()));
        for (std::size_t r = 1; r < predicted.size(); ++r) {
            const std::int32_t proposal = mostProbable(predicted[r]);
            const at::Tensor now = probabilities(1).front();
            const auto more_probable = (now > now[proposal]).sum().item<std::int64_t>();
            if (more_probable >= most) {
                break;
            }
            m_target.push_back(proposal);
        }
        ++steps;
    }

    // Equation 10.
    void stepByThreshold(std::int64_t heads, double threshold)
    {
        const std::vector<at::Tensor> predicted = probabilities(heads);
        for (std::size_t r = 0; r < predicted.size(); ++r) {
            const bool all_sure = std::all_of(predicted.begin(), predicted.begin() + static_cast<std::ptrdiff_t>(r) + 1,
                                              [&](const at::Tensor &of_head) { return of_head.max().item<double>() >= threshold; });
            if (r > 0 && !all_sure) {
                break;
            }
            m_target.push_back(mostProbable(predicted[r]));
        }
        ++steps;
    }

    [[nodiscard]] std::vector<std::int32_t> said() const { return {m_target.begin() + static_cast<std::ptrdiff_t>(m_header), m_target.end()}; }

    std::int64_t steps = 0;

  private:
    static std::int32_t mostProbable(const at::Tensor &probabilities) { return static_cast<std::int32_t>(probabilities.argmax().item<std::int64_t>()); }

    // Of head 1, 2, ... behind all of the target.
    [[nodiscard]] std::vector<at::Tensor> probabilities(std::int64_t heads) const
    {
        std::vector<std::int32_t> tokens = m_source;
        tokens.insert(tokens.end(), m_target.begin(), m_target.end());
        std::vector<paradigms::Entry> entries;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const bool is_source = i < m_source.size();
            entries.push_back({is_source ? paradigms::kSource : paradigms::kTarget, static_cast<double>(is_source ? i : i - m_source.size()), is_source ? 0 : 1,
                               paradigms::EntryKind::Token});
        }
        nn::StreamCache cache = m_model.emptyCache(64);
        const at::Tensor hidden = m_model.run(cache, tokens, entries, paradigms::sourceApart())[static_cast<std::int64_t>(tokens.size()) - 1];
        std::vector<at::Tensor> all = {at::softmax(m_model.logits(hidden), 0)};
        for (std::int64_t head = 2; head <= heads; ++head) {
            all.push_back(at::softmax(m_model.laterLogits(hidden, head, head)[0], 0));
        }
        return all;
    }

    weights::LmCheckpoint m_checkpoint;
    lm::DecoderLm m_model;
    std::vector<std::int32_t> m_source;
    std::vector<std::int32_t> m_target;
    std::size_t m_header;
};

std::vector<std::int32_t> written(translation::TranslationModel &model, std::size_t count)
{
    std::vector<std::int32_t> tokens;
    while (tokens.size() < count) {
        const std::int32_t first = model.predict(AttentionWanted::No).token.id;
        tokens.push_back(model.predict(AttentionWanted::No).token.id);
        if (tokens.back() != first) {
            return {};  // asked again it said something else
        }
        model.write(tokens.back());
    }
    return tokens;
}

}  // namespace

class tst_drafted_translator : public QObject {
    Q_OBJECT
    QTemporaryDir m_temporary;
    fs::path m_folder;
    std::shared_ptr<LanguageModel> m_model;

    [[nodiscard]] std::pair<evaluation::EvaluatedSentence, translation::TranslationCost> translated(const TranslatorOptions &options, int k,
                                                                                                    AttentionWanted attention = AttentionWanted::No) const
    {
        translation::WaitKSettings settings;
        settings.k = options.paradigm == "offline" ? translation::kMaxK : k;
        settings.max_target_tokens = 24;
        settings.attention = attention;
        evaluation::TranslationEvaluator evaluator(m_model->makeTranslator(options), settings, 1, [] { return 0.0; });
        auto sentence = evaluator.evaluate("the cat sat on the mat and the dog saw it");
        return {std::move(sentence), evaluator.cost()};
    }

  private Q_SLOTS:
    void initTestCase()
    {
        at::set_num_threads(1);
        m_folder = fs::path(m_temporary.path().toStdString()) / "small-heads";
        test::writeSmallLmFolder(m_folder, test::SmallLmKind::Framed, 512, {weights::LmHeadKind::Latent, kHeads});
        m_model = loaded(m_folder);
    }

    void theModelSaysHowManyTokensAStepItPredicts()
    {
        QCOMPARE(m_model->summary().token_heads, kHeads);
        QVERIFY(test::contains(m_model->summary().description, "4 tokens a step"));
    }

    void greedyVerificationSaysTheSame_data()
    {
        QTest::addColumn<QString>("paradigm");
        for (const paradigms::ParadigmEntry &entry : paradigms::allParadigms()) {
            QTest::newRow(entry.name.data()) << QString::fromLatin1(entry.name.data(), static_cast<qsizetype>(entry.name.size()));
        }
    }
    void greedyVerificationSaysTheSame()
    {
        QFETCH(QString, paradigm);
        TranslatorOptions options;
        options.paradigm = paradigm.toStdString();
        for (const double temperature : {0.0, 0.7}) {
            options.sampling.temperature = temperature;
            for (const int k : {2, translation::kMaxK}) {
                options.drafting = {};
                const auto [plain, plain_cost] = translated(options, k);
                for (const auto attention : {AttentionWanted::No, AttentionWanted::Yes}) {
                    options.drafting.heads = attention == AttentionWanted::Yes ? 2 : kHeads;
                    const auto [drafted, cost] = translated(options, k, attention);
                    QCOMPARE(QString::fromStdString(drafted.hypothesis), QString::fromStdString(plain.hypothesis));
                    QCOMPARE(drafted.target_tokens, plain.target_tokens);
                    QCOMPARE(drafted.end, plain.end);
                    QVERIFY(cost.target_passes <= plain_cost.target_passes);
                }
            }
        }
    }

    // By its definition, token by token; as many passes as the definition has steps (one more where the last tokens wait for their verification).
    void proposalsStandByRank_data()
    {
        QTest::addColumn<int>("most");
        for (const int most : {1, 2, 40, 320}) {
            QTest::addRow("top %d", most) << most;
        }
    }
    void proposalsStandByRank()
    {
        QFETCH(int, most);
        const auto frame = text::TranslationFrame::of(text::LanguageTokenizer::load(m_folder));
        std::mt19937 random(1);
        for (int trial = 0; trial < 4; ++trial) {
            std::vector<std::int32_t> read(1 + random() % 9);
            std::generate(read.begin(), read.end(), [&] { return static_cast<std::int32_t>(random() % 300); });
            std::vector<std::int32_t> source = frame->prompt();
            source.insert(source.end(), read.begin(), read.end());
            TranslatorOptions options;
            options.drafting = {2 + static_cast<std::int64_t>(random() % (kHeads - 1)), Verification::TopM, most, 1};
            Definition definition(m_folder, source, frame->header());
            for (int step = 0; step < 8; ++step) {
                definition.stepByRank(options.drafting.heads, most);
            }
            const auto translator = m_model->makeTranslator(options);
            translator->begin({});
            translator->read(read);
            QCOMPARE(written(*translator, definition.said().size()), definition.said());
            const std::int64_t passes = translator->cost().target_passes;
            QVERIFY2(passes == definition.steps || passes == definition.steps + 1, qPrintable(QString::number(passes)));
            QVERIFY(most < 320 || definition.said().size() == static_cast<std::size_t>(8 * options.drafting.heads));  // everything is among all
        }
    }

    void proposalsStandByThreshold_data()
    {
        QTest::addColumn<double>("threshold");
        for (const double threshold : {1e-6, 0.2, 0.5, 1.0}) {
            QTest::addRow("%g", threshold) << threshold;
        }
    }
    void proposalsStandByThreshold()
    {
        QFETCH(double, threshold);
        const auto frame = text::TranslationFrame::of(text::LanguageTokenizer::load(m_folder));
        std::mt19937 random(2);
        std::size_t said = 0;
        for (int trial = 0; trial < 4; ++trial) {
            std::vector<std::int32_t> read(1 + random() % 9);
            std::generate(read.begin(), read.end(), [&] { return static_cast<std::int32_t>(random() % 300); });
            std::vector<std::int32_t> source = frame->prompt();
            source.insert(source.end(), read.begin(), read.end());
            TranslatorOptions options;
            options.drafting = {kHeads, Verification::Threshold, 1, threshold};
            Definition definition(m_folder, source, frame->header());
            for (int step = 0; step < 8; ++step) {
                definition.stepByThreshold(kHeads, threshold);
            }
            const auto translator = m_model->makeTranslator(options);
            translator->begin({});
            translator->read(read);
            QCOMPARE(written(*translator, definition.said().size()), definition.said());
            QCOMPARE(translator->cost().target_passes, definition.steps);
            said += definition.said().size();
        }
        QCOMPARE(said > 4 * 8, threshold < 1);
    }

    // What the heads said before a read is nothing worth behind it, and neither is what stands behind a token taken back or decided on by somebody else.
    void sureTokensAreForgottenWhereTheyNoLongerFollow()
    {
        TranslatorOptions options;
        options.drafting = {kHeads, Verification::Threshold, 1, 1e-6};
        const auto passesOf = [&](const std::function<void(translation::TranslationModel &, std::int32_t predicted)> &act) {
            const auto translator = m_model->makeTranslator(options);
            translator->begin({});
            translator->read(std::vector<std::int32_t>{5, 6});
            const std::int32_t predicted = translator->predict(AttentionWanted::No).token.id;
            act(*translator, predicted);
            static_cast<void>(translator->predict(AttentionWanted::No));
            return translator->cost().target_passes;
        };
        QCOMPARE(passesOf([](auto &model, std::int32_t predicted) { model.write(predicted); }), 1);
        QCOMPARE(passesOf([](auto &model, std::int32_t predicted) { model.write(predicted == 7 ? 8 : 7); }), 2);
        QCOMPARE(passesOf([](auto &model, std::int32_t predicted) {
                     model.write(predicted);
                     model.read(std::vector<std::int32_t>{9});
                 }),
                 2);
        QCOMPARE(passesOf([](auto &model, std::int32_t predicted) {
                     model.write(predicted);
                     model.write(model.predict(AttentionWanted::No).token.id);
                     model.unwrite(1);
                 }),
                 2);
    }

    void weakerVerificationTranslatesToTheEnd()
    {
        for (const paradigms::ParadigmEntry &entry : paradigms::allParadigms()) {
            for (const auto verification : {Verification::TopM, Verification::Threshold}) {
                TranslatorOptions options;
                options.paradigm = entry.name;
                options.drafting = {kHeads, verification, 30, 0.01};
                const auto [first, cost] = translated(options, 2, AttentionWanted::Yes);
                QVERIFY(first.target_tokens > 0);
                QVERIFY(cost.target_passes > 0);
                QCOMPARE(translated(options, 2, AttentionWanted::Yes).first.hypothesis, first.hypothesis);
            }
        }
    }

    void whatCannotBeIsRefused()
    {
        const auto refusal = [](const LanguageModel &model, const drafting::DraftSettings &drafting, double temperature = 0) {
            TranslatorOptions options;
            options.drafting = drafting;
            options.sampling.temperature = temperature;
            return test::sentenceOf(ErrorKind::Usage, [&] { static_cast<void>(model.makeTranslator(options)); });
        };
        QVERIFY(test::contains(refusal(*m_model, {kHeads + 1}), "4 heads"));
        QVERIFY(!refusal(*m_model, {0}).empty());
        QVERIFY(test::contains(refusal(*m_model, {2, Verification::TopM}, 0.5), "drawn"));
        QVERIFY(refusal(*m_model, {2, Verification::Greedy}, 0.5).empty());
        QVERIFY(!refusal(*m_model, {2, Verification::Threshold, 2, 0}).empty());
        const fs::path plain = fs::path(m_temporary.path().toStdString()) / "plain";
        test::writeSmallLmFolder(plain, test::SmallLmKind::Framed);
        QVERIFY(test::contains(refusal(*loaded(plain), {2}), "no further heads"));
    }
};

QTEST_GUILESS_MAIN(tst_drafted_translator)
#include "tst_drafted_translator.moc"
