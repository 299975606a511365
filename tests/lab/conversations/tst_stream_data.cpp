// The data pipeline: wait-k and its causal verification, the collapsed baseline, quality filters.
#include <QtTest>

#include "core/base/error.h"
#include "core/streams/collapse.h"
#include "lab/conversations/causality.h"
#include "lab/conversations/quality.h"
#include "lab/conversations/wait_k_tables.h"
#include "tests/core/streams/streams_of.h"

using namespace braid;
using namespace braid::conversations;
using namespace braid::streams;

static const QuestionAnswer kPair{"Where did the old sailor hide, the one with the parrot?", "The sailor hid below. The parrot told us so."};

class TestStreamData : public QObject {
    Q_OBJECT

    static std::vector<StreamRole> roles() { return {StreamRole::User, StreamRole::Assistant}; }
    static Layout layout()
    {
        Layout layout;
        layout.name = "three";
        layout.silence_text = " -";
        layout.streams = {streamOf("User", StreamRole::User, {0, 1, 2}), streamOf("Answer", StreamRole::Assistant, {0, 1, 2}),
                          streamOf("Check", StreamRole::Assistant, {0, 1, 2})};
        return layout;
    }
    static std::set<Flaw> flaws(const TextTable &table, const QualityRules &rules = {})
    {
        std::set<Flaw> found;
        for (const Finding &finding : findFlaws(layout(), table, rules)) {
            found.insert(finding.flaw);
        }
        return found;
    }
    static TextTable tableOf(const std::string &user, const std::string &answer, const std::string &check = {})
    {
        const std::vector<std::vector<std::string>> columns{cellsOfText(user), cellsOfText(answer), cellsOfText(check)};
        TextTable table{{"User", "Answer", "Check"}, {}};
        for (std::size_t row = 0; row < std::max({columns[0].size(), columns[1].size(), columns[2].size()}); ++row) {
            std::vector<std::string> cells;
            for (const auto &column : columns) {
                cells.push_back(row < column.size() ? column[row] : "");
            }
            table.rows.push_back(cells);
        }
        return table;
    }

  private Q_SLOTS:
    void textBecomesACellAWordAndAMark()
    {
        QCOMPARE(cellsOfText(" The cat,\n sat... on 3.5 "), (std::vector<std::string>{" The", " cat", ",", " sat", ".", ".", ".", " on", " 3.5"}));
        QVERIFY(cellsOfText("").empty());
    }

    void theAnswerWaitsForKWords()
    {
        const TextTable table = waitK({"a b c d", "x y"}, 3);
        QCOMPARE(table.rows.size(), std::size_t(5));
        QCOMPARE(table.rows[2], (std::vector<std::string>{" c", ""}));
        QCOMPARE(table.rows[3], (std::vector<std::string>{" d", " x"}));
        QCOMPARE(waitK({"a b", "x"}, 9).rows[2][1], std::string(" x"));  // no longer than the question
        QCOMPARE(waitK({"a b", "x"}, 0).rows[0][1], std::string(" x"));
        QVERIFY_EXCEPTION_THROWN((void)waitK({"a", "b"}, -1), Error);
    }

    void whatIsNamedTooEarlyIsFound()
    {
        const auto early = wordsTooEarly(waitK(kPair, 2), roles());
        QCOMPARE(early.size(), std::size_t(2));
        QCOMPARE(early[0].word, std::string("sailor"));
        QCOMPARE(early[0].row, std::size_t(3));
        QCOMPARE(early[0].read_at, std::size_t(4));
        QCOMPARE(early[1].word, std::string("parrot"));
        QVERIFY(wordsTooEarly(waitK(kPair, 2), roles(), {"sailor", "parrot"}).empty());
        // A word that is being read in this very row has not been seen yet.
        QCOMPARE(wordsTooEarly(waitK({"alpha beta", "beta"}, 1), roles()).size(), std::size_t(1));
        QVERIFY(wordsTooEarly(waitK({"alpha beta", "beta"}, 2), roles()).empty());
        // Several cells may make one word.
        const TextTable pieces{{"User", "Assistant"}, {{" un", ""}, {"happy", " un"}, {"", "happy"}}};
        QCOMPARE(wordsTooEarly(pieces, roles()).size(), std::size_t(1));
    }

    void theSmallestCausalKIsTheSmallest()
    {
        const int k = smallestCausalK(kPair);
        QVERIFY(wordsTooEarly(waitK(kPair, k), roles()).empty());
        QVERIFY(!wordsTooEarly(waitK(kPair, k - 1), roles()).empty());
        QCOMPARE(smallestCausalK({"what is it", "blue"}), 0);
    }

    void segmentsWaitUntilTheirWordsAreRead()
    {
        const TextTable table = waitK(kPair, 0, Early::Delayed, "Well:");
        QVERIFY(wordsTooEarly(table, roles()).empty());
        QCOMPARE(table.rows[0][1], std::string(" Well"));  // something is said at once
        QCOMPARE(plainWord(table.textOf(1)), std::string("well: the sailor hid below. the parrot told us so"));
        // No later than it must: "The" stands so that "sailor" follows in the row after it was read.
        QCOMPARE(table.rows[5][1], std::string(" sailor"));
    }

    void theBaselineIsTheSameWordsOneAfterTheOther()
    {
        const TextTable table{{"User", "Answer", "Check"}, {{" two", "", ""}, {" and", " so", ""}, {" three", "", " 3"}, {"", " five", ""}}};
        const TextTable collapsed = collapsedTable(layout(), table, {"Check", "Answer"});
        std::vector<std::string> cells;
        for (const auto &row : collapsed.rows) {
            cells.push_back(row[0]);
        }
        QCOMPARE(cells, (std::vector<std::string>{"<|User|>", " two", " and", " three", "<|Check|>", " 3", "<|Answer|>", " so", " five", "<|end|>"}));
        QVERIFY(segmentsOf(layout(), collapsed) == collapse(layout(), table, {"Check", "Answer"}));
        QCOMPARE(learntRows(layout(), collapsed), (std::vector<bool>{false, false, false, false, true, true, true, true, true, true}));
        QCOMPARE(collapse(layout(), table)[1].text, std::string(" so five"));
        QVERIFY_EXCEPTION_THROWN((void)collapse(layout(), table, {"User"}), Error);
        QVERIFY_EXCEPTION_THROWN((void)segmentsOf(layout(), TextTable{{"Text"}, {{" word"}}}), Error);
    }

    void goodTablesHaveNoFlaws() { QVERIFY(flaws(tableOf("tell me about the sea , please .", "it is wide and deep .", "sounds right .")).empty()); }

    void flawsAreFound()
    {
        QualityRules strict;
        strict.must_complete = {"Answer"};
        strict.must_speak = {"Answer", "Check"};
        strict.least_words = 2;
        strict.most_words = 50;
        QCOMPARE(flaws(tableOf("hello you there", "it goes on and", "fine ."), strict), (std::set<Flaw>{Flaw::Incomplete}));
        QCOMPARE(flaws(tableOf("hello you there", "yes it is .", ""), strict), (std::set<Flaw>{Flaw::Empty}));
        QCOMPARE(flaws(tableOf("hello you there", "yes it is .", "ok"), strict), (std::set<Flaw>{Flaw::TooShort}));
        std::string loop;
        for (int i = 0; i < 12; ++i) {
            loop += "and so on ";
        }
        QCOMPARE(flaws(tableOf("hello you there", loop + ".")), (std::set<Flaw>{Flaw::Loops}));
        QVERIFY(flaws(tableOf("a b", loop + loop), strict).contains(Flaw::TooLong));
        QVERIFY(flaws(tableOf("hello you", "a bad \xEF\xBF\xBD token .")).contains(Flaw::Malformed));
        QVERIFY(flaws(tableOf("hello you", "a <|user|> token .")).contains(Flaw::Malformed));
        QVERIFY(flaws(tableOf("hello you", "a\x01 token .")).contains(Flaw::Malformed));
        QVERIFY(flaws(tableOf("hello", "the wide blue sea is deep and cold .", "well the wide blue sea is deep and cold .")).contains(Flaw::Echo));
        QCOMPARE(flaws(tableOf("one two elephant", "elephant .")), (std::set<Flaw>{Flaw::TooEarly}));
        TextTable apart{{"User", "Answer"}, {{" hello", ""}, {" you", ""}, {"", " yes"}, {"", "."}}};
        QCOMPARE(flaws(apart), (std::set<Flaw>{Flaw::NotParallel}));
        QCOMPARE(nameOf(Flaw::TooEarly), std::string_view("too early"));
    }
};

QTEST_GUILESS_MAIN(TestStreamData)
#include "tst_stream_data.moc"
