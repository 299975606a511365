// The numbers behind the attention view: columns scaled as the paper does, gamma, the sink, and the staircase of reading and writing.
#include <QtTest>

#include <cmath>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/translation/translation_attention.h"

using namespace braid;
using namespace braid::translation;

namespace {

TranslatedWord word(std::string text, std::int64_t read_units, std::vector<float> attention)
{
    TranslatedWord made;
    made.text = std::move(text);
    made.read_units = read_units;
    made.attention = std::move(attention);
    return made;
}

bool near(float a, double b)
{
    return std::abs(static_cast<double>(a) - b) < 1e-5;
}

// Three words of a wait-2 run over three units and the end.
std::vector<TranslatedWord> threeWords()
{
    return {word("un", 2, {0.6F, 0.2F}), word("deux", 3, {0.1F, 0.5F, 0.2F}), word("trois", 4, {0.2F, 0.1F, 0.3F, 0.1F})};
}

}  // namespace

class TstTranslationAttention : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aTableHasARowForEachWordAndNothingWhereNothingWasRead();
    void columnsAreScaledOverTheWordsThatHadReadThem();
    void rowsAreScaledOverTheUnitsRead();
    void gammaBelowOneBringsSmallWeightsOut();
    void equalWeightsTellNothing();
    void theSinkIsFoundAndItsWeightGoesToTheOthers();
    void anOrdinaryFirstWordIsNoSink();
    void theStaircaseGoesRightForReadsAndDownForWrites();
    void strangeSettingsAreRefused();
    void theJsonHoldsEverything();
    void anEmptyTranslationIsAnEmptyTable();
};

void TstTranslationAttention::aTableHasARowForEachWordAndNothingWhereNothingWasRead()
{
    const auto table = attentionTable(threeWords(), 4);
    QCOMPARE(table.rows, 3);
    QCOMPARE(table.columns, 4);
    QCOMPARE(table.at(0, 0), 0.6F);
    QCOMPARE(table.at(0, 2), 0.0F);
    QCOMPARE(table.at(2, 3), 0.1F);
    QCOMPARE(table.read_units, (std::vector<std::int64_t>{2, 3, 4}));
}

void TstTranslationAttention::columnsAreScaledOverTheWordsThatHadReadThem()
{
    const auto shown = readable(attentionTable(threeWords(), 4), {AttentionScale::PerColumn, 1, AttentionSink::Kept});
    // (A - min) / (max - min) down each column, over the rows that had read it.
    const double expected[3][4] = {{1, 0.25, 0, 0}, {0, 1, 0, 0}, {0.2, 0, 1, 1}};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            QVERIFY2(near(shown.at(row, column), expected[row][column]), qPrintable(QString("%1 %2: %3").arg(row).arg(column).arg(shown.at(row, column))));
        }
    }
}

void TstTranslationAttention::rowsAreScaledOverTheUnitsRead()
{
    const auto shown = readable(attentionTable(threeWords(), 4), {AttentionScale::PerRow, 1, AttentionSink::Kept});
    const double expected[3][4] = {{1, 0, 0, 0}, {0, 1, 0.25, 0}, {0.5, 0, 1, 0}};
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column) {
            QVERIFY(near(shown.at(row, column), expected[row][column]));
        }
    }
}

void TstTranslationAttention::gammaBelowOneBringsSmallWeightsOut()
{
    const auto table = attentionTable(threeWords(), 4);
    const auto shown = readable(table, {AttentionScale::PerColumn, 0.5, AttentionSink::Kept});
    QVERIFY(near(shown.at(0, 1), 0.5));  // 0.25 ^ 0.5
    QVERIFY(near(shown.at(2, 0), std::sqrt(0.2)));
    QVERIFY(near(shown.at(0, 0), 1));
    const auto dark = readable(table, {AttentionScale::PerColumn, 2, AttentionSink::Kept});
    QVERIFY(near(dark.at(0, 1), 0.0625));
}

void TstTranslationAttention::equalWeightsTellNothing()
{
    const auto shown = readable(attentionTable(std::vector{word("a", 2, {0.5F, 0}), word("b", 2, {0.5F, 0})}, 2), {});
    QCOMPARE(shown.weights, (std::vector<float>{1, 0, 1, 0}));
}

void TstTranslationAttention::theSinkIsFoundAndItsWeightGoesToTheOthers()
{
    std::vector<TranslatedWord> words;
    for (int row = 0; row < 4; ++row) {
        std::vector<float> attention = {0.8F, 0.02F, 0.02F, 0.02F, 0.02F};
        attention[static_cast<std::size_t>(row + 1)] = 0.14F;
        words.push_back(word("w", 5, attention));
    }
    const auto table = attentionTable(words, 5);
    QCOMPARE(sinkColumn(table), 0);
    const auto shown = readable(table, {AttentionScale::AsIs, 1, AttentionSink::Removed});
    for (int row = 0; row < 4; ++row) {
        QCOMPARE(shown.at(row, 0), 0.0F);
        double sum = 0;
        for (int column = 0; column < 5; ++column) {
            sum += shown.at(row, column);
        }
        QVERIFY(std::abs(sum - 1) < 1e-5);
        QVERIFY(near(shown.at(row, row + 1), 0.14 / 0.2));
    }
    QCOMPARE(readable(table, {AttentionScale::AsIs, 1, AttentionSink::Kept}).weights, table.weights);
}

void TstTranslationAttention::anOrdinaryFirstWordIsNoSink()
{
    QCOMPARE(sinkColumn(attentionTable(threeWords(), 4)), -1);
    const auto table = attentionTable(threeWords(), 4);
    QCOMPARE(readable(table, {AttentionScale::AsIs, 1, AttentionSink::Removed}).weights, table.weights);
}

void TstTranslationAttention::theStaircaseGoesRightForReadsAndDownForWrites()
{
    // wait-2 over four units and the end, five words: the last two are written after everything was read.
    const std::vector<std::int64_t> read = {2, 3, 4, 5, 5};
    const std::vector<StaircaseStep> expected = {{0, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {4, 2}, {4, 3}, {5, 3}, {5, 5}};
    QCOMPARE(staircase(read, 5).size(), expected.size());
    QVERIFY(staircase(read, 5) == expected);
    // While it runs: one more unit is read, nothing written for it yet.
    QVERIFY((staircase(std::vector<std::int64_t>{2}, 3) == std::vector<StaircaseStep>{{0, 0}, {2, 0}, {2, 1}, {3, 1}}));
    QVERIFY((staircase({}, 0) == std::vector<StaircaseStep>{{0, 0}}));
    QVERIFY((staircase({}, 2) == std::vector<StaircaseStep>{{0, 0}, {2, 0}}));
}

void TstTranslationAttention::strangeSettingsAreRefused()
{
    for (const double gamma : {0.0, -1.0, 6.0, std::nan(""), HUGE_VAL}) {
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(readable({}, {AttentionScale::PerColumn, gamma, AttentionSink::Kept})));
    }
}

void TstTranslationAttention::theJsonHoldsEverything()
{
    const std::vector<SentenceAttention> sentences = {{{"one", "two", "th\"ree"}, threeWords()}};
    const auto json = nlohmann::json::parse(attentionJson(sentences, {}));
    QCOMPARE(json["format"].get<std::string>(), std::string("braid-translation-attention"));
    QCOMPARE(json["view"]["gamma"].get<double>(), 0.5);
    const auto &sentence = json["sentences"][0];
    QCOMPARE(sentence["source"].get<std::vector<std::string>>(), (std::vector<std::string>{"one", "two", "th\"ree"}));
    QCOMPARE(sentence["target"].get<std::vector<std::string>>(), (std::vector<std::string>{"un", "deux", "trois"}));
    QCOMPARE(sentence["weights"].get<std::vector<std::vector<double>>>(),
             (std::vector<std::vector<double>>{{0.6, 0.2, 0, 0}, {0.1, 0.5, 0.2, 0}, {0.2, 0.1, 0.3, 0.1}}));
    QCOMPARE(sentence["readable"][0][1].get<double>(), 0.5);
    QCOMPARE(sentence["staircase"].get<std::vector<std::vector<int>>>(),
             (std::vector<std::vector<int>>{{0, 0}, {2, 0}, {2, 1}, {3, 1}, {3, 2}, {4, 2}, {4, 3}}));
}

void TstTranslationAttention::anEmptyTranslationIsAnEmptyTable()
{
    const auto table = readable(attentionTable({}, 0), {});
    QCOMPARE(table.rows, 0);
    QCOMPARE(table.columns, 0);
    QCOMPARE(sinkColumn(table), -1);
}

QTEST_APPLESS_MAIN(TstTranslationAttention)
#include "tst_translation_attention.moc"
