// Where sentences and clauses end: scripts, closing quotes, and the points that end nothing.
#include <QtTest>

#include "core/text/sentence_ends.h"

using namespace braid::text;

class SentenceEndsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void endings_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("sentence");
        QTest::addColumn<bool>("clause");
        const auto add = [](const QStringList &texts, bool sentence, bool clause) {
            for (const auto &text : texts) {
                QTest::newRow(qPrintable('"' + text + '"')) << text << sentence << clause;
            }
        };
        add({"end.", "end!", "end?", "end?!", "end\u2026", "wait...", "1999."}, true, false);
        // Chinese, Japanese (full-width and half-width), Hindi, Arabic, Urdu, Armenian, Burmese, Amharic, Khmer
        add({"\u597d\u3002", "\u597d.", "\u597d\uff01", "\u597d\uff1f", "\u306f\u3044\uff0e", "\uff8a\uff72\uff61", "\u0905\u0964", "\u0905\u0965",
             "\u0646\u0639\u0645\u061f", "\u06c1\u06d2\u06d4", "\u0561\u0575\u0578\u0589", "\u1000\u104b", "\u12a0\u1362", "\u12a0\u1367", "\u1780\u17d4"},
            true, false);
        add({"end?\"", "end.')", "(end.)", "[end.]", "{end.}", "end.\u201d", "end.\u2019", "end\u00a0!\u00a0\u00bb", "\u597d\uff1f\u300d", "\u597d\u3002\u300f",
             "\u201eEnde.\u201c", "\u00bbEnde.\u00ab"},
            true, false);
        add({"a whole line of it.", "\u00e7a va ?", "il dit \u00ab oui. \u00bb", "?"}, true, false);  // the last word counts; French has its marks apart
        add({"end", "a sentence. And more", "3.14", "3.5", "v1.2", "", " ", "\"", ")", "\u2014", "good-"}, false, false);
        add({"Dr.", "by Dr.", "(e.g.", "J.", "\u042e.", "3.", "31.", "am 3.", "z.B.", "Mme.", "MR."}, false, false);
        add({"end,", "end;", "end:", "end,\"", "\u597d\uff0c", "\u597d\u3001", "\u0646\u0639\u0645\u060c"}, false, true);
    }
    void endings()
    {
        QFETCH(QString, text);
        QTEST(endsSentence(text.toStdString()), "sentence");
        QTEST(endsClause(text.toStdString()), "clause");
    }

    void brokenBytesEndNothing()
    {
        QVERIFY(!endsSentence("a.\xff"));
        QVERIFY(!endsSentence("\xe3\x80"));  // the start of an ideographic full stop
        QVERIFY(endsSentence("\xff."));
    }
};

QTEST_GUILESS_MAIN(SentenceEndsTest)
#include "tst_sentence_ends.moc"
