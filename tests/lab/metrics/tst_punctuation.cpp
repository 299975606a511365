// Precision and recall of marks and capitals, counted by hand.
#include <QtTest>

#include "core/metrics/english_normaliser.h"
#include "core/metrics/text_normaliser.h"
#include "lab/metrics/punctuation.h"

using namespace braid::metrics;

namespace {

PunctuationScore scored(const char *reference, const char *hypothesis)
{
    return scorePunctuation(reference, hypothesis, englishWords);
}

}  // namespace

class TestPunctuation : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsTheSameIsRight()
    {
        const char *text = "Well, did you see him? I did not. He left, alone!";
        const PunctuationScore score = scored(text, text);
        QCOMPARE(score.texts, 1);
        QCOMPARE(score.full_stops, (MarkCounts{2, 2, 2}));  // "!" ends a sentence
        QCOMPARE(score.commas, (MarkCounts{2, 2, 2}));
        QCOMPARE(score.question_marks, (MarkCounts{1, 1, 1}));
        QCOMPARE(score.capitals, (MarkCounts{3, 3, 3}));  // Well, I, He
        QCOMPARE(score.full_stops.precision(), 1.0);
        QCOMPARE(score.commas.recall(), 1.0);
        QCOMPARE(score.capitals.f1(), 1.0);
    }

    void whatIsMissingCostsRecallAndWhatIsTooMuchPrecision()
    {
        // Of two commas one is found, and one stands where none is; the question mark became a full stop; "Paris" lost its capital, "Red" has one.
        const PunctuationScore score = scored("Yes, in Paris, have you seen the red car?", "Yes, in paris have you seen, the Red car.");
        QCOMPARE(score.commas, (MarkCounts{1, 2, 2}));
        QCOMPARE(score.commas.precision(), 0.5);
        QCOMPARE(score.commas.recall(), 0.5);
        QCOMPARE(score.question_marks, (MarkCounts{0, 0, 1}));
        QCOMPARE(score.full_stops, (MarkCounts{0, 1, 0}));
        QCOMPARE(score.capitals, (MarkCounts{1, 2, 2}));
    }

    void marksOfWordsThatTheOtherTextLacksCount()
    {
        // "sir," is missing; "Now," was never said; "cat." is heard as "hat." and is compared all the same.
        const PunctuationScore score = scored("Good day, sir, I saw a big black cat. Did you", "Good day, I saw a big black hat. did you Now,");
        QCOMPARE(score.commas, (MarkCounts{1, 2, 2}));
        QCOMPARE(score.full_stops, (MarkCounts{1, 1, 1}));
        QCOMPARE(score.capitals, (MarkCounts{2, 3, 3}));  // Good and I; "Now" is too much, "Did" is missed
        // Nothing was heard at all: nothing is right, nothing is wrong, everything is missing.
        const PunctuationScore silent = scored("Good day, sir.", "");
        QCOMPARE(silent.commas, (MarkCounts{0, 0, 1}));
        QCOMPARE(silent.full_stops.precision(), 0.0);
        QCOMPARE(silent.full_stops.recall(), 0.0);
        QCOMPARE(silent.full_stops.f1(), 0.0);
    }

    void marksStandAtTheirWordHoweverItIsNormalised_data()
    {
        QTest::addColumn<QString>("reference");
        QTest::addColumn<QString>("hypothesis");
        QTest::addColumn<int>("full_stops");
        QTest::addColumn<int>("commas");
        QTest::addColumn<int>("capitals");
        // Each mark and capital of the reference is found in the hypothesis, and no other stands there.
        QTest::newRow("a contraction") << "Don't, please."
                                       << "Do not, please." << 1 << 1 << 1;
        QTest::newRow("a number") << "We are twenty one, not more."
                                  << "We are 21, not more." << 1 << 1 << 1;
        QTest::newRow("a title") << "Ask Mr. Hill."
                                 << "Ask Mister Hill." << 1 << 0 << 3;
        QTest::newRow("quotes") << "\"'Yes,'\" he said \"at last.\""
                                << "Yes, he said at last." << 1 << 1 << 1;
        QTest::newRow("typographic quotes") << "\u201cYes,\u201d he said \u2018at last.\u2019"
                                            << "Yes, he said at last." << 1 << 1 << 1;
        QTest::newRow("dashes part words") << "Two hours--yes, two\u2014went by."
                                           << "Two hours yes, two went by." << 1 << 1 << 1;
        QTest::newRow("a hyphen does not") << "A well-known, old man."
                                           << "A well known, old man." << 1 << 1 << 1;
        QTest::newRow("a mark behind a space") << "So , it is ."
                                               << "So, it is." << 1 << 1 << 1;
        QTest::newRow("accents") << "\u00c9mile, come."
                                 << "\u00c9mile, come." << 1 << 1 << 1;
        QTest::newRow("a decimal point") << "It is 3.5, no."
                                         << "It is 3.5, no." << 1 << 1 << 1;
    }

    void marksStandAtTheirWordHoweverItIsNormalised()
    {
        QFETCH(QString, reference);
        QFETCH(QString, hypothesis);
        QFETCH(int, full_stops);
        QFETCH(int, commas);
        QFETCH(int, capitals);
        const PunctuationScore score = scorePunctuation(reference.toStdString(), hypothesis.toStdString(), englishWords);
        const auto all = [](int n) { return MarkCounts{n, n, n}; };
        QCOMPARE(score.full_stops, all(full_stops));
        QCOMPARE(score.commas, all(commas));
        QCOMPARE(score.question_marks, all(0));
        QCOMPARE(score.capitals.right, capitals);
        QCOMPARE(score.capitals.given, capitals);
    }

    void otherMarksAreNoneOfTheThree()
    {
        const PunctuationScore score = scored("Wait... he said: no; never\u2026", "Wait he said no never");
        QCOMPARE(score.full_stops, MarkCounts{});
        QCOMPARE(score.commas, MarkCounts{});
        QCOMPARE(score.capitals, (MarkCounts{1, 1, 1}));
        QCOMPARE(scored("What?! Etc., etc.", "what etc etc").question_marks.reference, 1);
        QCOMPARE(scored("What?! Etc., etc.", "what etc etc").commas.reference, 1);
        QCOMPARE(scored("What?! Etc., etc.", "what etc etc").full_stops.reference, 1);
    }

    void textsWithoutMarksAndCaseSayNothing()
    {
        for (const char *text : {"", "he could wait no longer", "HE COULDN'T WAIT", "42", "it's o'clock", "well-known -- and 'tis"}) {
            QVERIFY2(!hasMarksOrCapitals(text), text);
            QCOMPARE(scored(text, "He could, wait."), PunctuationScore{});
        }
        for (const char *text : {"He waits", "he waits.", "HE WAITS!", "yes, no", "eBay", "why?"}) {
            QVERIFY2(hasMarksOrCapitals(text), text);
        }
    }

    void utterancesAddUp()
    {
        PunctuationScore sum = scored("Yes, I do.", "Yes I do.");
        sum += scored("no marks here", "No marks, here.");
        sum += scored("Is it? No.", "Is it? No.");
        QCOMPARE(sum.texts, 2);
        QCOMPARE(sum.full_stops, (MarkCounts{2, 2, 2}));
        QCOMPARE(sum.commas, (MarkCounts{0, 0, 1}));
        QCOMPARE(sum.question_marks, (MarkCounts{1, 1, 1}));
        QCOMPARE(sum.capitals, (MarkCounts{4, 4, 4}));
    }

    void everyNormaliserServes()
    {
        const PunctuationScore score = scorePunctuation("Ja, gut.", "ja gut.", normalisedWords);
        QCOMPARE(score.full_stops, (MarkCounts{1, 1, 1}));
        QCOMPARE(score.commas, (MarkCounts{0, 0, 1}));
        QCOMPARE(score.capitals, (MarkCounts{0, 0, 1}));
    }
};

QTEST_APPLESS_MAIN(TestPunctuation)
#include "tst_punctuation.moc"
