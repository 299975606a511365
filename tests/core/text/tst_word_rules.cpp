// How a person wants words written: whole words, over several, with the capitals that were said; masked words; what waits at a boundary; lists that are
// refused.
#include <QtTest>

#include "core/base/error.h"
#include "core/text/word_rules.h"

using namespace braid;
using namespace braid::text;

namespace {

std::vector<Word> wordsOf(const QString &sentence)
{
    std::vector<Word> words;
    for (const QString &part : sentence.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        Word word;
        // "lib+torch": the second is written without a space before it.
        const QStringList pieces = part.split(QLatin1Char('_'));
        for (const QString &piece : pieces) {
            word = Word();
            word.text = piece.toStdString();
            word.starts_without_space = &piece != &pieces.front();
            word.start_sample = static_cast<Sample>(words.size()) * 1000;
            word.end_sample = word.start_sample + 900;
            word.probability = 0.5F;
            word.tokens.push_back({static_cast<std::int32_t>(words.size()), word.text, 0.5F, {}});
            words.push_back(word);
        }
    }
    return words;
}

QString textOf(const std::vector<Word> &words)
{
    QString text;
    for (const Word &word : words) {
        text += (text.isEmpty() || word.starts_without_space ? QString() : QStringLiteral(" ")) + QString::fromStdString(word.text);
    }
    return text;
}

QString written(const char *list, const QString &said)
{
    std::vector<Word> words = wordsOf(said);
    return textOf(WordRules::parse(list, "list").decide(words, WordsToCome::None));
}

QString refusal(const std::string &list)
{
    try {
        static_cast<void>(WordRules::parse(list, "words.txt"));
    } catch (const Error &error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

constexpr const char *kList = "# names\n"
                              "braid -> Braid\n"
                              "lib torch -> libtorch\n"
                              "lib torch audio -> torchaudio\n"
                              "US -> United States\n"
                              "c++ -> C++\n"
                              "gonna -> going to\n"
                              "\xC3\xA9t\xC3\xA9 -> Sommer\n"
                              "* darn\n"
                              "* holy cow\n";

}  // namespace

class WordRulesTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void wordsAreWrittenSo_data()
    {
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char *name, const char *said, const char *wanted) {
            QTest::newRow(name) << QString::fromUtf8(said) << QString::fromUtf8(wanted);
        };
        row("a word", "we use braid here", "we use Braid here");
        row("with its marks", "is it \"braid\", or (braid)?", "is it \"Braid\", or (Braid)?");
        row("a possessive", "braid's and Braid\xE2\x80\x99s", "Braid's and Braid\xE2\x80\x99s");
        row("only whole words", "braids upbraid braid-like", "braids upbraid braid-like");
        row("over several words", "the lib torch, then", "the libtorch, then");
        row("the longest counts", "lib torch audio works", "torchaudio works");
        row("marks between keep words apart", "lib, torch", "lib, torch");
        row("a sentence's capital", "Lib torch is big", "Libtorch is big");
        row("all in capitals", "LIB TORCH IS BIG", "LIBTORCH IS BIG");
        row("a capital of its own stays", "BRAID", "Braid");
        row("capitals that are minded", "us and US", "us and United States");
        row("marks of the word itself", "in c++, they say", "in C++, they say");
        row("more words than were said", "it is gonna rain", "it is going to rain");
        row("letters of other scripts", "\xC3\x89T\xC3\x89 kommt", "Sommer kommt");
        row("masked", "Darn it, that darn thing", "D*** it, that d*** thing");
        row("masked over words", "Holy cow!", "H*** c**!");
        row("pieces of one word are no word", "re_braid braid_ed", "rebraid braided");
        row("nothing to write", "nothing here", "nothing here");
    }
    void wordsAreWrittenSo()
    {
        QFETCH(QString, said);
        QFETCH(QString, wanted);
        QCOMPARE(written(kList, said), wanted);
    }
    void scriptsWithoutSpacesAreFoundInTheMidst()
    {
        QCOMPARE(written("\xE6\x9D\xB1\xE4\xBA\xAC -> Tokyo", QString::fromUtf8("\xE3\x81\xAF_\xE6\x9D\xB1_\xE4\xBA\xAC_\xE3\x81\xA7")),
                 QString::fromUtf8("\xE3\x81\xAF"
                                   "Tokyo\xE3\x81\xA7"));
    }
    // One word stands for all that an entry replaces: its times from first to last, its tokens all, what was said beside it.
    void theModelsWordsStayOnRecord()
    {
        std::vector<Word> said = wordsOf(QStringLiteral("the lib torch works braid Braid"));
        said[1].revision_count = 2;
        said[2].probability = 1;
        const std::vector<Word> words = WordRules::parse(kList, "list").decide(said, WordsToCome::None);
        QVERIFY(said.empty());
        QCOMPARE(words.size(), std::size_t(5));
        QCOMPARE(words[1].text, std::string("libtorch"));
        QCOMPARE(words[1].heard, std::string("lib torch"));
        QCOMPARE(words[1].start_sample, Sample(1000));
        QCOMPARE(words[1].end_sample, Sample(2900));
        QCOMPARE(words[1].tokens.size(), std::size_t(2));
        QCOMPARE(words[1].revision_count, 2);
        QCOMPARE(words[1].probability, 0.75F);
        QCOMPARE(words[0].heard, std::string());
        QCOMPARE(words[3].heard, std::string("braid"));
        QCOMPARE(words[4].heard, std::string());  // it said so itself
    }
    void whatAPersonCorrectedStays()
    {
        std::vector<Word> words = wordsOf(QStringLiteral("braid lib torch"));
        words[0].text = "braid";
        words[0].heard = "brayed";
        words[2].heard = "porch";
        QCOMPARE(textOf(WordRules::parse(kList, "list").decide(words, WordsToCome::None)), QStringLiteral("braid lib torch"));
    }
    // What may still become part of an entry waits; nothing else does.
    void aWordAtTheBoundaryWaits()
    {
        const WordRules rules = WordRules::parse(kList, "list");
        std::vector<Word> waiting = wordsOf(QStringLiteral("we use lib"));
        QCOMPARE(textOf(rules.decide(waiting, WordsToCome::Maybe)), QStringLiteral("we use"));
        QCOMPARE(textOf(waiting), QStringLiteral("lib"));
        waiting.push_back(wordsOf(QStringLiteral("torch")).front());
        QCOMPARE(textOf(rules.decide(waiting, WordsToCome::Maybe)), QString());  // perhaps "lib torch audio"
        waiting.push_back(wordsOf(QStringLiteral("here")).front());
        QCOMPARE(textOf(rules.decide(waiting, WordsToCome::Maybe)), QStringLiteral("libtorch here"));
        QVERIFY(waiting.empty());

        waiting = wordsOf(QStringLiteral("a (Lib"));
        QCOMPARE(textOf(rules.decide(waiting, WordsToCome::Maybe)), QStringLiteral("a"));
        QCOMPARE(textOf(rules.decide(waiting, WordsToCome::None)), QStringLiteral("(Lib"));
        waiting = wordsOf(QStringLiteral("a lib, braid"));
        QCOMPARE(textOf(rules.decide(waiting, WordsToCome::Maybe)), QStringLiteral("a lib, Braid"));
    }
    // However words arrive, they are written as if they had come at once.
    void piecemealEqualsWhole()
    {
        const WordRules rules = WordRules::parse(kList, "list");
        const QStringList vocabulary{"lib", "torch", "audio", "braid", "darn", "holy", "cow", "US", "torch,", "Lib", "c++", "so", "*", "--"};
        quint32 seed = 7;
        const auto random = [&seed](quint32 below) {
            seed = seed * 1664525U + 1013904223U;
            return (seed >> 9) % below;
        };
        for (int round = 0; round < 300; ++round) {
            QStringList said;
            for (quint32 i = 0, count = 1 + random(12); i < count; ++i) {
                said << vocabulary[random(static_cast<quint32>(vocabulary.size()))];
            }
            std::vector<Word> whole = wordsOf(said.join(QLatin1Char(' ')));
            const std::vector<Word> all = whole;
            const std::vector<Word> wanted = rules.decide(whole, WordsToCome::None);
            std::vector<Word> waiting;
            std::vector<Word> committed;
            for (const Word &word : all) {
                waiting.push_back(word);
                if (random(2) == 0) {
                    for (Word &one : rules.decide(waiting, WordsToCome::Maybe)) {
                        committed.push_back(std::move(one));
                    }
                }
            }
            for (Word &one : rules.decide(waiting, WordsToCome::None)) {
                committed.push_back(std::move(one));
            }
            QCOMPARE(textOf(committed), textOf(wanted));
            QCOMPARE(committed.size(), wanted.size());
        }
    }
    void transcriptsAreWrittenLineByLine()
    {
        Transcript transcript;
        for (const Word &word : wordsOf(QStringLiteral("braid and lib"))) {
            transcript.emplace_back(word);
        }
        transcript.emplace_back(LineBreak{3000});
        for (const Word &word : wordsOf(QStringLiteral("torch darn"))) {
            transcript.emplace_back(word);
        }
        const Transcript written = WordRules::parse(kList, "list").applied(transcript);
        QCOMPARE(written.size(), transcript.size());
        QCOMPARE(std::get<Word>(written.front()).text, std::string("Braid"));
        QCOMPARE(std::get<Word>(written[2]).text, std::string("lib"));  // no entry goes over the end of a line
        QVERIFY(std::holds_alternative<LineBreak>(written[3]));
        QCOMPARE(std::get<Word>(written.back()).text, std::string("d***"));
    }
    void aPersonsEntriesComeBeforeOthers()
    {
        WordRules own = WordRules::parse("darn -> dear", "own");
        own.add(WordRules::parse("* darn\n* cow", "others"));
        std::vector<Word> words = wordsOf(QStringLiteral("darn cow"));
        QCOMPARE(textOf(own.decide(words, WordsToCome::None)), QStringLiteral("dear c**"));
        QCOMPARE(own.size(), std::size_t(2));
    }
    void listsThatAreRefused_data()
    {
        QTest::addColumn<QByteArray>("list");
        QTest::addColumn<QString>("says");
        QTest::newRow("no arrow") << QByteArray("braid -> Braid\nlib torch") << "line 2 says nothing to write";
        QTest::newRow("nothing heard") << QByteArray("-> Braid") << "line 1 has a side without words";
        QTest::newRow("nothing written") << QByteArray("# x\n\nbraid ->  ") << "line 3 has a side without words";
        QTest::newRow("nothing masked") << QByteArray("*") << "line 1 has a side without words";
        QTest::newRow("not UTF-8") << QByteArray("br\xFF"
                                                 "d -> x")
                                   << "line 1 is not UTF-8 text";
        QTest::newRow("too many words") << QByteArray("a b c d e f g h i -> x") << "line 1 is too long";
        QTest::newRow("too long") << QByteArray(300, 'a') + " -> x"
                                  << "line 1 is too long";
    }
    void listsThatAreRefused()
    {
        QFETCH(QByteArray, list);
        QFETCH(QString, says);
        const QString refused = refusal(list.toStdString());
        QVERIFY2(refused.startsWith(QStringLiteral("words.txt: ")) && refused.contains(says), qPrintable(refused));
    }
    void listsAsPeopleSaveThem()
    {
        QCOMPARE(written("\xEF\xBB\xBF"
                         "braid\t->  Braid \r\n\r\n# end\r\n",
                         QStringLiteral("braid")),
                 QStringLiteral("Braid"));
        QVERIFY(WordRules::parse("", "list").isEmpty());
        QVERIFY(WordRules::parse("# nothing\n", "list").isEmpty());
    }
};

QTEST_APPLESS_MAIN(WordRulesTest)
#include "tst_word_rules.moc"
