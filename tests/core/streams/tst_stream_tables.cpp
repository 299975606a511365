// Tables: markdown and JSON come back as they were, whatever is in the cells; ragged and hostile ones are refused with their line.
#include <QtTest>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/streams/table.h"
#include "tests/core/streams/small_texts.h"
#include "tests/core/streams/streams_of.h"

using namespace braid;
using namespace braid::streams;

class TestStreamTables : public QObject {
    Q_OBJECT

    template <typename Call>
    static std::string refusal(Call call)
    {
        try {
            (void)call();
        } catch (const Error &error) {
            return error.kind() == ErrorKind::Input ? error.what() : "wrong kind";
        }
        return "accepted";
    }

  private Q_SLOTS:
    void theTableOfThePaperIsRead()
    {
        const TextTable table =
            parseMarkdownTable("| User | Output | Skeptical |\n|---|:---:|---|\n| what | - | - |\n| is | - | careful |\n\n| it | well |  |\n", "t.md");
        QCOMPARE(table.streams, (std::vector<std::string>{"User", "Output", "Skeptical"}));
        QCOMPARE(table.rows.size(), std::size_t(3));
        QCOMPARE(table.rows[1], (std::vector<std::string>{" is", "", " careful"}));
        QCOMPARE(table.textOf(0), std::string(" what is it"));
        QCOMPARE(table.wordsOf(2), std::size_t(1));
    }

    void everyTextComesBack()
    {
        const std::vector<std::string> parts{"|", "\\", "-", "\n", "\t", "\r", " ", "a", "\xC3\xA9", "---", "\\c", "\\n", ":", "<br>"};
        Random random(7, "cells");
        for (int round = 0; round < 300; ++round) {
            TextTable table;
            table.streams = {"A|b", "x\\y", "-"};
            for (int r = 0; r < 5; ++r) {
                std::vector<std::string> row;
                for (int c = 0; c < 3; ++c) {
                    std::string cell;
                    for (auto n = random.below(4); n > 0; --n) {
                        cell += parts[random.below(parts.size())];
                    }
                    row.push_back(cell);
                }
                table.rows.push_back(row);
            }
            const TextTable again = parseMarkdownTable(markdownTable(table), "again");
            QVERIFY2(again == table, markdownTable(table).c_str());
        }
    }

    void raggedRowsAreRefusedOrFilled()
    {
        const std::string text = "| A | B |\n| --- | --- |\n| a | b |\n| a |\n";
        const std::string sentence = refusal([&] { return parseMarkdownTable(text, "t.md"); });
        QVERIFY2(sentence.starts_with("t.md, line 4: has 1 cells, but there are 2 streams"), sentence.c_str());
        QCOMPARE(parseMarkdownTable(text, "t.md", Ragged::Filled).rows[1], (std::vector<std::string>{" a", ""}));
        const std::string wide = refusal([] { return parseMarkdownTable("| A |\n| --- |\n| a | b |\n", "t.md", Ragged::Filled); });
        QVERIFY2(wide.starts_with("t.md, line 3: has 2 cells"), wide.c_str());
        const std::string columns = refusal([] { return parseTokenTable(R"({"token_ids":[[1,2],[1]]})", "t.json", 0, 9); });
        QVERIFY2(columns.find("stream 2 has 1 rows, but there are 2") != columns.npos, columns.c_str());
        QCOMPARE(parseTokenTable(R"({"token_ids":[[1,2],[1]]})", "t", 0, 9, Ragged::Filled).columns[1], (std::vector<std::int32_t>{1, TokenTable::kSilent}));
    }

    void hostileTablesAreRefused()
    {
        const auto markdown = [](const char *text) { return refusal([text] { return parseMarkdownTable(text, "t.md"); }); };
        QVERIFY(markdown("").find("holds no table") != std::string::npos);
        QVERIFY(markdown("| A | B |\n| a | b |\n").find("line 2: the row under the names") != std::string::npos);
        QVERIFY(markdown("some words\n").find("line 1: is not a row") != std::string::npos);
        QVERIFY(markdown("| A | A |\n").find("or that of another") != std::string::npos);
        QVERIFY(markdown("| A |\n|---|\n| a \\|\n").find("line 3: does not end with |") != std::string::npos);
        QVERIFY(markdown("| A |\n|---|\n| \\q |\n").find("unknown escape \\q") != std::string::npos);
        QVERIFY(markdown("| A |\n|---|\n| \xFF |\n").find("not valid UTF-8") != std::string::npos);
        QVERIFY(refusal([] { return parseMarkdownTable("|" + std::string(200, '|'), "t.md"); }).find("more than 64 streams") != std::string::npos);
        QVERIFY(refusal([] { return parseMarkdownTable("| A |\n|---|\n| " + std::string(kMostCellBytes + 1, 'x') + " |", "t.md"); }).find("longer than") !=
                std::string::npos);
        const auto json = [](const char *text) { return refusal([text] { return parseTokenTable(text, "t.json", 0, 9); }); };
        QVERIFY(json("[]").find("token_ids") != std::string::npos);
        QVERIFY(json(R"({"token_ids":[[9]]})").find("token 1 of stream 1 is not 0 to 8") != std::string::npos);
        QVERIFY(json(R"({"token_ids":[[-1]]})").find("is not 0 to 8") != std::string::npos);
        QVERIFY(json(R"({"token_ids":[[18446744073709551615]]})").find("is not 0 to 8") != std::string::npos);
        QVERIFY(json(R"({"token_ids":[[1.5]]})").find("is not 0 to 8") != std::string::npos);
        QVERIFY(json(R"({"token_ids":[[1]],"num_rows":0})").find("num_rows") != std::string::npos);
        QVERIFY(json(R"({"token_ids":[[1]],"num_rows":99999999999})").find("num_rows") != std::string::npos);
        QVERIFY(json(R"({"token_ids":[[1]],"streams":["a","b"]})").find("one name for each") != std::string::npos);
        QVERIFY(json(R"({"token_ids":[[1]],"silence":12})").find("silence") != std::string::npos);
    }

    void tokensOfEveryStreamComeBack()
    {
        const TokenTable table = parseTokenTable(R"({"num_rows":3,"token_ids":[[5,0,6],[0,0,7]],"made_by":"somebody"})", "t", 0, 9);
        QCOMPARE(table.columns[0], (std::vector<std::int32_t>{5, TokenTable::kSilent, 6}));
        QVERIFY(parseTokenTable(tokenTableJson(table, 0), "t", 3, 9) == table);  // the file's own word for silence counts
        TokenTable named = table;
        named.streams = {"User", "\"Out\""};
        QVERIFY(parseTokenTable(tokenTableJson(named, 8), "t", 0, 9) == named);
    }

    void aCellOfSeveralTokensMakesTheOthersWait()
    {
        const SmallTexts texts({" cat", " sat"});
        TextTable table{{"A", "B"}, {{" cat", " sat"}, {"xyz", ""}, {"", " cat"}}};
        const TokenTable tokens = toTokens(table, texts);
        QCOMPARE(tokens.rows(), std::size_t(5));
        QCOMPARE(tokens.columns[0], (std::vector<std::int32_t>{texts.id(" cat"), texts.id("x"), texts.id("y"), texts.id("z"), -1}));
        QCOMPARE(tokens.columns[1], (std::vector<std::int32_t>{texts.id(" sat"), -1, -1, -1, texts.id(" cat")}));
        QCOMPARE(toTexts(tokens, texts).textOf(0), table.textOf(0));
    }

    void columnsAreOrderedByName()
    {
        Layout layout;
        layout.name = "three";
        layout.streams = {streamOf("User", StreamRole::User), streamOf("Answer", StreamRole::Assistant), streamOf("Audit", StreamRole::Assistant)};
        const TextTable table{{"Audit", "User"}, {{" a", " u"}}};
        QCOMPARE(inOrderOf(layout, table, "t").rows[0], (std::vector<std::string>{" u", "", " a"}));
        const TextTable other{{"Nobody"}, {}};
        QVERIFY(refusal([&] { return inOrderOf(layout, other, "t"); }).find("\"Nobody\"") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestStreamTables)
#include "tst_stream_tables.moc"
