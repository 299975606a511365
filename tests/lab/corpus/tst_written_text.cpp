// Texts as people write them: what stays, and when each written word is spoken.
#include <QtTest>

#include "lab/corpus/training_text.h"
#include "lab/corpus/written_text.h"

using namespace braid;
using namespace braid::corpus;

namespace {

// Every spoken word of the text lasts 100 samples.
std::vector<TimedWord> spokenWords(std::string_view text)
{
    std::vector<TimedWord> words;
    for (const SpeakableWord &word : speakableText(text).value_or(std::vector<SpeakableWord>())) {
        const auto start = static_cast<Sample>(100 * words.size());
        words.push_back({word.word, start, start + 100});
    }
    return words;
}

QString asText(const std::vector<TimedWord> &words)
{
    QString text;
    for (const TimedWord &word : words) {
        text += QStringLiteral("%1[%2,%3] ").arg(QString::fromStdString(word.text)).arg(word.start_sample).arg(word.end_sample);
    }
    return text.trimmed();
}

}  // namespace

class WrittenTextTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void capitalsAndMarksStay()
    {
        QCOMPARE(*writtenText("  \"Or both,\"\tsaid   Mr. Tupman. "), std::string("\"Or both,\" said Mr. Tupman."));
        QCOMPARE(*writtenText("Caf\xC3\xA9?"), std::string("Caf\xC3\xA9?"));
        QCOMPARE(*writtenText("he could wait no longer"), std::string("he could wait no longer"));
    }

    void capitalsAloneSayNothing()
    {
        QCOMPARE(*writtenText("IT'S JUST SO HARD"), std::string("it's just so hard"));
        QCOMPARE(*writtenText("STOP!"), std::string("stop"));
    }

    void whatCannotBeSpokenIsLeftOut()
    {
        QVERIFY(!writtenText("It is 5 o'clock."));
        QVERIFY(!writtenText(" ... "));
        QVERIFY(!writtenText(""));
    }

    void writtenWordsLastAsLongAsWhatIsSpoken_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("one by one") << "Yes, I do."
                                    << "Yes,[0,100] I[100,200] do.[200,300]";
        QTest::newRow("a hyphen") << "The coal-hole."
                                  << "The[0,100] coal-hole.[100,300]";
        QTest::newRow("an abbreviation") << "Mr. Hill, etc."
                                         << "Mr.[0,100] Hill,[100,200] etc.[200,400]";
        QTest::newRow("a dash on its own") << "Yes - no."
                                           << "Yes -[0,100] no.[100,200]";
        QTest::newRow("a mark before the first word") << "... and so"
                                                      << "... and[0,100] so[100,200]";
    }

    void writtenWordsLastAsLongAsWhatIsSpoken()
    {
        QFETCH(QString, text);
        QFETCH(QString, expected);
        QCOMPARE(asText(writtenWords(text.toStdString(), spokenWords(text.toStdString()))), expected);
    }

    void otherNumbersOfWordsGiveNoTimes()
    {
        QVERIFY(writtenWords("Yes, I do.", spokenWords("Yes I do not")).empty());
        QVERIFY(writtenWords("Yes, I do.", spokenWords("Yes I")).empty());
        QVERIFY(writtenWords("Yes, I do.", {}).empty());
    }
};

QTEST_APPLESS_MAIN(WrittenTextTest)
#include "tst_written_text.moc"
