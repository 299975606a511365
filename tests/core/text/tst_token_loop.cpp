// What a text says over and over at its end is found, with the shortest phrase that makes it.
#include <QtTest>

#include <numeric>
#include <vector>

#include "core/text/token_loop.h"

using namespace braid::text;

using Tokens = std::vector<std::int32_t>;

class TokenLoopTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void loopsAtTheEnd_data()
    {
        QTest::addColumn<Tokens>("tokens");
        QTest::addColumn<std::size_t>("phrase");
        QTest::addColumn<std::size_t>("run");
        QTest::newRow("nothing") << Tokens{} << std::size_t{0} << std::size_t{0};
        QTest::newRow("two rounds are allowed") << Tokens{1, 7, 7} << std::size_t{0} << std::size_t{0};
        QTest::newRow("a token") << Tokens{1, 7, 7, 7} << std::size_t{1} << std::size_t{3};
        QTest::newRow("a phrase, its last round begun") << Tokens{9, 1, 2, 1, 2, 1, 2, 1} << std::size_t{2} << std::size_t{7};
        QTest::newRow("behind it comes something else") << Tokens{7, 7, 7, 7, 1} << std::size_t{0} << std::size_t{0};
        QTest::newRow("the shortest phrase") << Tokens{3, 3, 3, 3, 3, 3} << std::size_t{1} << std::size_t{6};
    }
    void loopsAtTheEnd()
    {
        QFETCH(Tokens, tokens);
        QFETCH(std::size_t, phrase);
        QFETCH(std::size_t, run);
        const TokenLoop loop = loopAtEnd(tokens, 2);
        QCOMPARE(loop.phrase_tokens, phrase);
        QCOMPARE(loop.run_tokens, run);
    }

    void phrasesOfUpToTwelveTokens()
    {
        for (const std::size_t length : {kLongestLoopedPhrase, kLongestLoopedPhrase + 1}) {
            Tokens phrase(length);
            std::iota(phrase.begin(), phrase.end(), 0);
            Tokens tokens;
            for (int round = 0; round < 3; ++round) {
                tokens.insert(tokens.end(), phrase.begin(), phrase.end());
            }
            QCOMPARE(loopAtEnd(tokens, 2).phrase_tokens, length <= kLongestLoopedPhrase ? length : 0);
        }
    }
};

QTEST_APPLESS_MAIN(TokenLoopTest)
#include "tst_token_loop.moc"
