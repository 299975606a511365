// A language model on disk becomes a translation model: laid out as it was trained, in every paradigm, greedy or sampled, with attention on demand; and
// folders that are damaged or of another kind are refused with a sentence.
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <numeric>

#include "core/base/error.h"
#include "core/models/models.h"
#include "core/text/language_tokenizer.h"
#include "core/text/translation_frame.h"
#include "lab/evaluation/translation_evaluation.h"
#include "tests/support/small_lm_folder.h"

using namespace braid;
using namespace braid::models;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<LanguageModel> loaded(const fs::path &folder)
{
    DeviceChoice device;
    device.device = "cpu";
    device.threads = 1;
    return loadLanguageModel(folder, device);
}

// Reads a few words and the end.
void readSource(translation::TranslationModel &model, std::string_view words)
{
    translation::UnitReader reader(translation::ReadingUnit::Words);
    auto units = reader.add(words);
    const auto rest = reader.finish();
    units.insert(units.end(), rest.begin(), rest.end());
    bool is_first = true;
    for (const auto &unit : units) {
        model.read(model.sourceTokens((is_first ? "" : " ") + unit.text));
        is_first = false;
    }
    model.read(model.endOfSource());
}

std::vector<std::int32_t> written(translation::TranslationModel &model, int count)
{
    std::vector<std::int32_t> tokens;
    for (int i = 0; i < count; ++i) {
        tokens.push_back(model.predict(AttentionWanted::No).token.id);
        model.write(tokens.back());
    }
    return tokens;
}

std::string refusal(const std::function<void()> &work)
{
    try {
        work();
    } catch (const Error &error) {
        return error.sentence();
    }
    return {};
}

void cutFile(const fs::path &path, std::uintmax_t size)
{
    fs::resize_file(path, size);
}

}  // namespace

class TstTranslator : public QObject {
    Q_OBJECT
    QTemporaryDir m_temporary;
    fs::path m_folder;
    std::shared_ptr<LanguageModel> m_model;

  private Q_SLOTS:
    void initTestCase();
    void theModelIsListedWithWhatItIs();
    void predictionsArePureAndWholeDistributions();
    void writingAndTakingBackComesToTheSamePrediction();
    void attentionIsOverTheSourceReadSoFar();
    void everyParadigmTranslates_data();
    void everyParadigmTranslates();
    void aSentenceReadWholeIsTheSameWithAndWithoutReencoding();
    void reencodingCostsAndGroupStreamingDoesNot();
    void samplingIsRepeatedBySeed();
    void roomIsTheContextOfTheModel();
    void contextIsReadBeforeTheFirstUnit();
    void anyKGivesSaneOutput_data();
    void anyKGivesSaneOutput();
    void chatModelsAreToldWhatToDo();
    void marksInTheSourceArePlainText();
    void optionsThatCannotBeAreRefused();
    void damagedFoldersAreRefused_data();
    void damagedFoldersAreRefused();
    void captionModelsAreNoLanguageModels();
};

void TstTranslator::initTestCase()
{
    m_folder = fs::path(m_temporary.path().toStdString()) / "small-en-fr";
    test::writeSmallLmFolder(m_folder, test::SmallLmKind::Framed);
    m_model = loaded(m_folder);
}

void TstTranslator::theModelIsListedWithWhatItIs()
{
    const std::vector<fs::path> folders = {m_folder.parent_path()};
    const auto models = listLanguageModels(folders);
    QCOMPARE(models.size(), 1U);
    QCOMPARE(models[0].name, std::string("small-en-fr"));
    QCOMPARE(models[0].source_language, std::string("en"));
    QCOMPARE(models[0].target_language, std::string("fr"));
    QVERIFY(models[0].translates);
    QCOMPARE(models[0].layers, 3);
    QCOMPARE(models[0].context, 512);
    QVERIFY2(models[0].description.find("English to French") != std::string::npos, models[0].description.c_str());
    QVERIFY(models[0].problem.empty());
    QCOMPARE(findLanguageModel("small-en-fr", folders), m_folder);
    QVERIFY(refusal([&] { static_cast<void>(findLanguageModel("other", folders)); }).find("small-en-fr") != std::string::npos);
}

void TstTranslator::predictionsArePureAndWholeDistributions()
{
    TranslatorOptions options;
    options.rivals = 5;
    const auto translator = m_model->makeTranslator(options);
    translator->begin({});
    readSource(*translator, "the cat sat");
    const auto first = translator->predict(AttentionWanted::No);
    const auto again = translator->predict(AttentionWanted::No);
    QCOMPARE(first.token.id, again.token.id);
    QCOMPARE(first.token.probability, again.token.probability);
    QCOMPARE(first.token.rivals.size(), 5U);
    QVERIFY(first.token.probability > 0 && first.token.probability <= 1);
    for (std::size_t i = 0; i < first.token.rivals.size(); ++i) {
        QVERIFY(first.token.rivals[i].token_id != first.token.id);
        QVERIFY(first.token.rivals[i].probability <= (i == 0 ? first.token.probability : first.token.rivals[i - 1].probability));
    }
}

void TstTranslator::writingAndTakingBackComesToTheSamePrediction()
{
    const auto translator = m_model->makeTranslator({});
    translator->begin({});
    readSource(*translator, "the dog saw");
    static_cast<void>(written(*translator, 3));
    const auto before = translator->predict(AttentionWanted::No);
    translator->write(before.token.id);
    static_cast<void>(translator->predict(AttentionWanted::No));
    translator->write(7);
    translator->unwrite(2);
    const auto after = translator->predict(AttentionWanted::No);
    QCOMPARE(after.token.id, before.token.id);
    QVERIFY(std::abs(after.token.probability - before.token.probability) < 1e-5F);
}

void TstTranslator::attentionIsOverTheSourceReadSoFar()
{
    for (const auto pooling : {AttentionPooling::Mean, AttentionPooling::Max}) {
        TranslatorOptions options;
        options.attention.pooling = pooling;
        const auto translator = m_model->makeTranslator(options);
        translator->begin({});
        const auto tokens = translator->sourceTokens("the");
        translator->read(tokens);
        const auto plain = translator->predict(AttentionWanted::No);
        const auto looked = translator->predict(AttentionWanted::Yes);
        QCOMPARE(looked.token.id, plain.token.id);
        QVERIFY(plain.attention.empty());
        QCOMPARE(static_cast<std::int64_t>(looked.attention.size()), translator->promptTokens() + static_cast<std::int64_t>(tokens.size()));
        const float sum = std::accumulate(looked.attention.begin(), looked.attention.end(), 0.0F);
        QVERIFY(sum > 0);
        // The rest of a mean goes to the target's own tokens.
        QVERIFY(pooling == AttentionPooling::Max || sum <= 1.0001F);
    }
    TranslatorOptions one_head;
    one_head.attention = {2, 3, AttentionPooling::Mean};
    const auto translator = m_model->makeTranslator(one_head);
    translator->begin({});
    readSource(*translator, "cat");
    QVERIFY(!translator->predict(AttentionWanted::Yes).attention.empty());
}

void TstTranslator::everyParadigmTranslates_data()
{
    QTest::addColumn<QString>("paradigm");
    for (const char *name : {"interleaved", "batch", "batch-positions", "batch-all", "group", "offline"}) {
        QTest::newRow(name) << QString(name);
    }
}

void TstTranslator::everyParadigmTranslates()
{
    QFETCH(QString, paradigm);
    TranslatorOptions options;
    options.paradigm = paradigm.toStdString();
    translation::WaitKSettings settings;
    settings.k = options.paradigm == "offline" ? translation::kMaxK : 2;
    settings.max_target_tokens = 30;
    settings.attention = AttentionWanted::Yes;
    evaluation::TranslationEvaluator evaluator(m_model->makeTranslator(options), settings, 1, [] { return 0.0; });
    const auto first = evaluator.evaluate("the cat sat on the mat");
    const auto second = evaluator.evaluate("the cat sat on the mat");
    QCOMPARE(first.hypothesis, second.hypothesis);  // a sentence leaves nothing behind
    QCOMPARE(first.source_units, 6);
    QVERIFY(first.target_tokens > 0);
}

void TstTranslator::aSentenceReadWholeIsTheSameWithAndWithoutReencoding()
{
    // Nothing is read once it writes: positions that move, and tokens that are fed again, come to the same.
    const auto text = [&](const char *paradigm) {
        TranslatorOptions options;
        options.paradigm = paradigm;
        translation::WaitKSettings settings;
        settings.k = translation::kMaxK;
        settings.max_target_tokens = 12;
        return evaluation::TranslationEvaluator(m_model->makeTranslator(options), settings, 1, [] { return 0.0; }).evaluate("the dog saw the cat").hypothesis;
    };
    QCOMPARE(text("batch-positions"), text("batch-all"));
}

void TstTranslator::reencodingCostsAndGroupStreamingDoesNot()
{
    constexpr int kWords = 20;
    const auto fed = [&](const char *paradigm) {
        TranslatorOptions options;
        options.paradigm = paradigm;
        const auto translator = m_model->makeTranslator(options);
        translator->begin({});
        const auto before = translator->cost().tokens_fed;
        std::int64_t source_tokens = 0;
        for (int i = 0; i < kWords; ++i) {
            const auto tokens = translator->sourceTokens(" cat");
            source_tokens += static_cast<std::int64_t>(tokens.size());
            translator->read(tokens);
            static_cast<void>(translator->predict(AttentionWanted::No));
            translator->write(7);
        }
        return translator->cost().tokens_fed - before - source_tokens;
    };
    // The header once, then each target token once where it is fed after the read that follows it; everything again after every read: 1 + 2 + ... + n.
    QCOMPARE(fed("group"), kWords);
    QCOMPARE(fed("batch-positions"), kWords);
    QCOMPARE(fed("batch-all"), kWords * (kWords + 1) / 2);
}

void TstTranslator::samplingIsRepeatedBySeed()
{
    const auto text = [&](std::uint64_t seed, double temperature) {
        TranslatorOptions options;
        options.sampling.temperature = temperature;
        options.sampling.top_p = 0.95;
        options.seed = seed;
        const auto translator = m_model->makeTranslator(options);
        translator->begin({});
        readSource(*translator, "the cat");
        return written(*translator, 12);
    };
    QCOMPARE(text(1, 1.0), text(1, 1.0));
    QVERIFY(text(1, 1.0) != text(2, 1.0));
    QCOMPARE(text(1, 0), text(2, 0));
}

void TstTranslator::roomIsTheContextOfTheModel()
{
    const auto translator = m_model->makeTranslator({});
    translator->begin({});
    const auto empty = translator->room();
    QVERIFY(empty < 512 && empty > 500);
    const auto tokens = translator->sourceTokens(" mat");
    translator->read(tokens);
    translator->write(5);
    QCOMPARE(translator->room(), empty - static_cast<std::int64_t>(tokens.size()) - 1);
}

void TstTranslator::contextIsReadBeforeTheFirstUnit()
{
    const auto frame = text::TranslationFrame::of(text::LanguageTokenizer::load(m_folder));
    QVERIFY(frame.has_value());
    const auto translator = m_model->makeTranslator({});
    translator->begin({"the cat sat.", "le chat dort."});
    QCOMPARE(translator->promptTokens(), static_cast<std::int64_t>(frame->prompt("the cat sat.").size()));
    readSource(*translator, "the dog");
    const auto with = translator->predict(AttentionWanted::No);
    translator->begin({});
    QCOMPARE(translator->promptTokens(), 1);
    readSource(*translator, "the dog");
    const auto without = translator->predict(AttentionWanted::No);
    QVERIFY(with.token.probability != without.token.probability);
}

void TstTranslator::anyKGivesSaneOutput_data()
{
    QTest::addColumn<int>("k");
    for (const int k : {1, 2, 7, 1000}) {
        QTest::newRow(qPrintable(QString::number(k))) << k;
    }
}

void TstTranslator::anyKGivesSaneOutput()
{
    QFETCH(int, k);
    translation::WaitKSettings settings;
    settings.k = k;
    settings.max_target_tokens = 60;
    evaluation::TranslationEvaluator evaluator(m_model->makeTranslator({}), settings, 1, [] { return 0.0; });
    for (const std::string source : {"", " ", "cat", "\xff\xfe", "the cat sat on the mat", "\xE4\xBD\xA0\xE5\xA5\xBD <|end|> <|source|>"}) {
        const auto sentence = evaluator.evaluate(source);
        QVERIFY(sentence.target_tokens <= 60 * std::max<std::int64_t>(sentence.source_units, 1));  // a limit ends a part of the sentence, at least one unit
        QVERIFY(sentence.hypothesis.find("<|") == std::string::npos);
    }
}

void TstTranslator::chatModelsAreToldWhatToDo()
{
    const fs::path folder = fs::path(m_temporary.path().toStdString()) / "chat" / "small-chat";
    test::writeSmallLmFolder(folder, test::SmallLmKind::Chat);
    const auto model = loaded(folder);
    QVERIFY(model->summary().translates);
    QVERIFY(model->summary().source_language.empty());
    TranslatorOptions options;
    options.source_language = "en";
    options.target_language = "de";
    const auto translator = model->makeTranslator(options);
    translator->begin({});
    const auto tokenizer = text::LanguageTokenizer::load(folder);
    const auto prompt = tokenizer->encode("<|im_start|>system\nTranslate the following English paragraph to German<|im_end|>\n<|im_start|>user\n");
    QCOMPARE(translator->promptTokens(), static_cast<std::int64_t>(prompt.size()));
    QCOMPARE(translator->endOfSource(), tokenizer->encode("<|im_end|>\n"));
    readSource(*translator, "the cat");
    QCOMPARE(written(*translator, 4).size(), 4U);
    options.target_language = "xx";
    QVERIFY(refusal([&] { static_cast<void>(model->makeTranslator(options)); }).find("xx") != std::string::npos);
}

void TstTranslator::marksInTheSourceArePlainText()
{
    const auto translator = m_model->makeTranslator({});
    const auto tokenizer = text::LanguageTokenizer::load(m_folder);
    for (const std::int32_t token : translator->sourceTokens("<|end|>")) {
        QVERIFY(!tokenizer->isSpecial(token));
    }
}

void TstTranslator::optionsThatCannotBeAreRefused()
{
    const auto refused = [&](const std::function<void(TranslatorOptions &)> &spoil) {
        TranslatorOptions options;
        spoil(options);
        return refusal([&] { static_cast<void>(m_model->makeTranslator(options)); });
    };
    QVERIFY(!refused([](auto &o) { o.paradigm = "sideways"; }).empty());
    QVERIFY(!refused([](auto &o) { o.phi = -1; }).empty());
    QVERIFY(!refused([](auto &o) { o.phi = 1e9; }).empty());
    QVERIFY(!refused([](auto &o) { o.phi = std::nan(""); }).empty());
    QVERIFY(!refused([](auto &o) { o.sampling.temperature = -0.1; }).empty());
    QVERIFY(!refused([](auto &o) { o.sampling.top_k = -1; }).empty());
    QVERIFY(!refused([](auto &o) { o.sampling.top_p = 0; }).empty());
    QVERIFY(!refused([](auto &o) { o.rivals = 101; }).empty());
    QVERIFY(!refused([](auto &o) { o.attention.layer = 3; }).empty());
    QVERIFY(!refused([](auto &o) { o.attention.head = -1; }).empty());
    QVERIFY(refused([](auto &o) { o.target_language = "de"; }).find("French") != std::string::npos);
    QVERIFY(refused([](auto &o) { o.phi = 0.5; }).empty());
}

void TstTranslator::damagedFoldersAreRefused_data()
{
    QTest::addColumn<QString>("damage");
    for (const char *damage : {"no config", "half a config", "hostile config", "no tokenizer", "half a tokenizer", "half the weights", "other weights",
                               "larger tokenizer", "odd languages", "many offsets"}) {
        QTest::newRow(damage) << QString(damage);
    }
}

void TstTranslator::damagedFoldersAreRefused()
{
    QFETCH(QString, damage);
    QTemporaryDir temporary;
    const fs::path folder = fs::path(temporary.path().toStdString()) / "broken";
    test::writeSmallLmFolder(folder, test::SmallLmKind::Framed);
    const auto change = [&](const std::function<void(nlohmann::json &)> &spoil) {
        nlohmann::json config = nlohmann::json::parse(std::ifstream(folder / "config.json"));
        spoil(config);
        std::ofstream(folder / "config.json") << config.dump();
    };
    if (damage == "no config") {
        fs::remove(folder / "config.json");
    } else if (damage == "half a config") {
        cutFile(folder / "config.json", 200);
    } else if (damage == "hostile config") {
        change([](auto &c) { c["hidden_size"] = std::uint64_t{1} << 62U; });
    } else if (damage == "no tokenizer") {
        fs::remove(folder / "tokenizer.json");
    } else if (damage == "half a tokenizer") {
        cutFile(folder / "tokenizer.json", 500);
    } else if (damage == "half the weights") {
        cutFile(folder / "model.safetensors", fs::file_size(folder / "model.safetensors") / 2);
    } else if (damage == "other weights") {
        change([](auto &c) { c["num_hidden_layers"] = 4; });
    } else if (damage == "larger tokenizer") {
        change([](auto &c) {
            c["vocab_size"] = 300;
            c["eos_token_id"] = 299;
        });
    } else if (damage == "odd languages") {
        change([](auto &c) { c["braid_translation"]["source"] = "../../etc"; });
    } else {
        change([](auto &c) { c["braid_translation"]["phi"] = std::vector<int>(1000, 1); });
    }
    const std::string sentence = refusal([&] { static_cast<void>(loaded(folder)); });
    QVERIFY2(!sentence.empty(), "it was loaded");
    QVERIFY2(sentence.find("broken") != std::string::npos, sentence.c_str());
}

void TstTranslator::captionModelsAreNoLanguageModels()
{
    const std::vector<fs::path> folders = {BRAID_SOURCE_DIR "/resources/models"};
    for (const auto &model : listLanguageModels(folders)) {
        QVERIFY(model.name != "captions-en");
        QVERIFY2(model.problem.empty(), model.problem.c_str());
    }
    for (const auto &model : listModels(folders)) {
        QVERIFY2(model.problem.empty(), model.problem.c_str());
    }
    QVERIFY(!refusal([] { static_cast<void>(loaded(BRAID_SOURCE_DIR "/resources/models/captions-en")); }).empty());
}

QTEST_GUILESS_MAIN(TstTranslator)
#include "tst_translator.moc"
