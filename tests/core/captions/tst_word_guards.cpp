// The parts the caption policies share: guards against loops, the join with what is committed, where to cut, the record of revisions, the prompt.
#include <QtTest>

#include "core/captions/prompt_text.h"
#include "core/captions/revision_tracker.h"
#include "core/captions/word_guards.h"
#include "tests/core/captions/scripted_speech.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::test;

namespace {

std::vector<text::Word> words(const std::string &text, std::int64_t start_ms = 0, std::int64_t word_ms = 300, std::int64_t pause_ms = 100)
{
    std::vector<text::Word> out;
    for (const SpokenWord &word : text.empty() ? Script{} : spoken(text, samplesFromMs(start_ms), samplesFromMs(word_ms), samplesFromMs(pause_ms))) {
        out.emplace_back();
        out.back().text = word.text;
        out.back().start_sample = word.start_sample;
        out.back().end_sample = word.end_sample;
    }
    return out;
}

std::string repeated(const std::string &phrase, int times)
{
    std::string out;
    for (int i = 0; i < times; ++i) {
        out += (i ? " " : "") + phrase;
    }
    return out;
}

}  // namespace

class TestWordGuards : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void wordsAreComparedByLettersAndDigits()
    {
        QVERIFY(sameWord(words("Country,")[0], words("country")[0]));
        QVERIFY(!sameWord(words("country")[0], words("county")[0]));
        QVERIFY(!sameWord(words("...")[0], words("!")[0]));
        QVERIFY(sameWord(words("--")[0], words("--")[0]));
    }

    void wordsArePutInOrderInsideTheSound()
    {
        std::vector<text::Word> some = words("a b c d");  // 0, 400, 800, 1200 ms
        some[1].start_sample = samplesFromMs(100);
        putInOrder(some, samplesFromMs(50), samplesFromMs(1000));
        QCOMPARE(some.size(), std::size_t{3});  // d begins behind the end
        QCOMPARE(some[0].start_sample, samplesFromMs(50));
        QCOMPARE(some[1].start_sample, samplesFromMs(300));
        QCOMPARE(some[2].end_sample, samplesFromMs(1000));
    }

    void loopsEnd_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("word_ms");
        QTest::addColumn<int>("pause_ms");
        QTest::addColumn<int>("plausible");
        const auto row = [](const char *name, const std::string &before, const std::string &text, int word_ms, int pause_ms, int plausible) {
            QTest::newRow(name) << QString::fromStdString(before) << QString::fromStdString(text) << word_ms << pause_ms << plausible;
        };
        row("speech", "", "ask not what your country can do for you", 300, 100, 9);
        row("said twice, fast", "", "very good very good", 120, 0, 4);
        row("a chant at a speaking pace", "", repeated("row", 8), 300, 100, 8);
        row("a word in a fast loop", "", "so " + repeated("the", 8), 120, 10, 5);
        row("a word in an endless loop", "", "so " + repeated("the", 14), 300, 100, 5);
        row("a phrase in a fast loop", "", "so " + repeated("we go on", 4), 120, 10, 7);
        row("a phrase in an endless loop", "", "so " + repeated("we go on", 9), 300, 100, 7);
        row("a loop that began in what is committed", repeated("we go on", 3), repeated("we go on", 3), 120, 10, 0);
        row("more words than fit in the sound", "", "a b c d e f g h i j k l", 20, 0, 4);
    }

    void loopsEnd()
    {
        QFETCH(QString, before);
        QFETCH(QString, text);
        QFETCH(int, word_ms);
        QFETCH(int, pause_ms);
        const std::vector<text::Word> earlier = words(before.toStdString(), 0, word_ms, pause_ms);
        const Sample start = earlier.empty() ? 0 : earlier.back().end_sample;
        const std::vector<text::Word> now = words(text.toStdString(), msFromSamples(start), word_ms, pause_ms);
        QTEST(static_cast<int>(plausibleCount(earlier, now, start)), "plausible");
    }

    void aWordThatStuttersEndsIt_data()
    {
        QTest::addColumn<QList<int>>("tokens");
        QTest::addColumn<int>("plausible");
        QTest::newRow("a word") << QList<int>{4, 8, 15, 16} << 2;
        QTest::newRow("zeros of a number") << QList<int>{1, 0, 0, 0, 0, 0} << 2;
        QTest::newRow("one token over and over") << QList<int>{4, 9, 9, 9, 9, 9, 9, 9} << 1;
        QTest::newRow("two tokens over and over") << QList<int>{3, 7, 9, 7, 9, 7, 9, 7, 9} << 1;
        QTest::newRow("three tokens over and over") << QList<int>{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3} << 1;
    }

    void aWordThatStuttersEndsIt()
    {
        QFETCH(QList<int>, tokens);
        std::vector<text::Word> some = words("so word");
        for (const int id : tokens) {
            some[1].tokens.push_back({id, "x", 1, {}});
        }
        QTEST(static_cast<int>(plausibleCount({}, some, 0)), "plausible");
    }

    void whatIsSaidAgainIsFound_data()
    {
        QTest::addColumn<QString>("committed");
        QTest::addColumn<QString>("hypothesis");
        QTest::addColumn<int>("shift_ms");
        QTest::addColumn<int>("repeated");
        QTest::newRow("all of it") << "ask not what"
                                   << "ask not what your country" << 0 << 3;
        QTest::newRow("times a little later") << "ask not what"
                                              << "ask not what your country" << 350 << 3;
        QTest::newRow("times a little earlier") << "ask not what"
                                                << "ask not what your country" << -250 << 3;
        QTest::newRow("with one word changed since") << "ask not what"
                                                     << "ask nut what your country" << 0 << 3;
        QTest::newRow("with the last word changed since") << "ask not watt"
                                                          << "ask not what your country" << 0 << 3;
        QTest::newRow("with a word more than before") << "ask not what"
                                                      << "ask ye not what your country" << -200 << 4;
        QTest::newRow("with a word less than before") << "ask do not what"
                                                      << "ask not what your country" << 200 << 3;
        QTest::newRow("less than is committed") << "ask not what"
                                                << "ask not" << 0 << 2;
        QTest::newRow("the word that comes next is the same") << "I know that"
                                                              << "I know that that is" << 0 << 3;
        QTest::newRow("two of the same are committed") << "I know that that"
                                                       << "I know that that is" << 0 << 4;
        QTest::newRow("nothing is committed") << ""
                                              << "ask not" << 0 << 0;
        QTest::newRow("case and commas") << "Ask not, what"
                                         << "ask, not what your" << 0 << 3;
    }

    void whatIsSaidAgainIsFound()
    {
        QFETCH(QString, committed);
        QFETCH(QString, hypothesis);
        QFETCH(int, shift_ms);
        const std::vector<text::Word> settled = words(committed.toStdString(), 1000), again = words(hypothesis.toStdString(), 1000 + shift_ms);
        QTEST(static_cast<int>(repeatedCount(settled, again, 0)), "repeated");
    }

    void behindACutOnlyARemnantIsARepetition()
    {
        const std::vector<text::Word> settled = words("you know that", 0);  // "that" ends at 1100 ms, where the window now begins
        QCOMPARE(repeatedCount(settled, words("that that is", 1100, 40, 60), samplesFromMs(1100)), std::size_t{1});  // 40 ms of its end, heard again
        QCOMPARE(repeatedCount(settled, words("that is", 1200), samplesFromMs(1100)), std::size_t{0});               // a word of its own
    }

    void cutsSpareWords()
    {
        const std::vector<text::Word> some = words("a b c", 1000);  // 1000-1300, 1400-1700, 1800-2100 ms
        const auto cut = [&](std::int64_t target_ms) { return planCut(some, 0, samplesFromMs(target_ms)); };
        QCOMPARE(cut(500).words, std::size_t{0});
        QCOMPARE(cut(500).sample, samplesFromMs(500));  // silence
        QCOMPARE(cut(1100).words, std::size_t{0});
        QCOMPARE(cut(1100).sample, samplesFromMs(1000));  // before the word
        QCOMPARE(cut(1200).words, std::size_t{1});
        QCOMPARE(cut(1200).sample, samplesFromMs(1300));  // behind it
        QCOMPARE(cut(1750).words, std::size_t{2});
        QCOMPARE(cut(1750).sample, samplesFromMs(1750));
        QCOMPARE(cut(9000).words, std::size_t{3});
        QCOMPARE(cut(9000).sample, samplesFromMs(9000));
        const Cut forced = planCut(words("endless", 0, 5000), 0, samplesFromMs(1000));
        QCOMPARE(forced.words, std::size_t{1});  // progress all the same
        QCOMPARE(forced.sample, samplesFromMs(5000));
    }

    void revisionsAreCountedInTheirPlace()
    {
        RevisionTracker tracker;
        std::vector<text::Word> tail = words("and so my");
        tracker.update(tail, 100);
        tail = words("and sew my fellow");
        tracker.update(tail, 200);
        QCOMPARE(tail[0].first_seen_sample, Sample{100});
        QCOMPARE(tail[1].first_seen_sample, Sample{200});
        QCOMPARE(tail[1].revision_count, 1);
        QCOMPARE(QString::fromStdString(tail[1].revised_from), "so");
        QCOMPARE(tail[2].first_seen_sample, Sample{100});
        QCOMPARE(tail[2].revision_count, 0);
        QCOMPARE(tail[3].first_seen_sample, Sample{200});
        tail = words("and so My, fellow");
        tracker.update(tail, 300);
        QCOMPARE(tail[1].revision_count, 2);
        QCOMPARE(QString::fromStdString(tail[1].revised_from), "sew");
        QCOMPARE(tail[2].revision_count, 0);  // a capital and a comma are no revision
        QCOMPARE(tail[2].first_seen_sample, Sample{100});
    }

    void anInsertedWordMovesTheOthersWithoutRevisingThem()
    {
        RevisionTracker tracker;
        std::vector<text::Word> tail = words("and my fellow");
        tracker.update(tail, 100);
        tail = words("and so my fellow");
        tracker.update(tail, 200);
        QCOMPARE(tail[1].first_seen_sample, Sample{200});
        QCOMPARE(tail[2].first_seen_sample, Sample{100});
        QCOMPARE(tail[3].first_seen_sample, Sample{100});
        for (const text::Word &word : tail) {
            QCOMPARE(word.revision_count, 0);
        }
    }

    void committedWordsLeaveTheRecord()
    {
        RevisionTracker tracker;
        std::vector<text::Word> tail = words("that that");
        tracker.update(tail, 100);
        tracker.commit(1);
        tail = words("that", 400);
        tracker.update(tail, 200);
        QCOMPARE(tail[0].first_seen_sample, Sample{100});
        tracker.commit(1);
        tail = words("that", 400);
        tracker.update(tail, 300);
        QCOMPARE(tail[0].first_seen_sample, Sample{300});
        tracker.clear();
        tracker.update(tail, 400);
        QCOMPARE(tail[0].first_seen_sample, Sample{400});
    }

    void wordsThatComeBackKeepTheirHistory()
    {
        RevisionTracker tracker;
        std::vector<text::Word> tail = words("and so my");
        tracker.update(tail, 100);
        tail = words("and");
        tracker.update(tail, 200);
        tail = words("and so my");
        tracker.update(tail, 300);
        for (const text::Word &word : tail) {
            QCOMPARE(word.first_seen_sample, Sample{100});
        }
    }

    void thePromptIsTheNewestTextBeforeTheSound()
    {
        PromptText prompt({20, samplesFromSeconds(30)});
        for (const text::Word &word : words("and so my fellow Americans, ask not")) {  // 400 ms each
            prompt.append(word);
        }
        QCOMPARE(QString::fromStdString(prompt.before(samplesFromMs(900))), "and so");
        QCOMPARE(QString::fromStdString(prompt.before(samplesFromMs(2700))), "Americans, ask not");
        QCOMPARE(QString::fromStdString(prompt.before(0)), "");
        QCOMPARE(QString::fromStdString(prompt.before(samplesFromSeconds(60))), "");
        text::Word joined = words("n't", 2800)[0];
        joined.starts_without_space = true;
        prompt.append(joined);
        QCOMPARE(QString::fromStdString(prompt.before(samplesFromSeconds(4))), "ask notn't");
    }

    void thePromptCanBeTurnedOffAndStaysSmall()
    {
        PromptText none({0, samplesFromSeconds(30)});
        none.append(words("and")[0]);
        QCOMPARE(none.before(samplesFromSeconds(1)), std::string());
        PromptText prompt({200, samplesFromSeconds(30)});
        text::Word word = words("fellow")[0];
        for (int i = 0; i < 100000; ++i) {
            word.end_sample += 4000;
            prompt.append(word);
        }
        QVERIFY(prompt.before(word.end_sample).size() <= 200);
        QVERIFY(prompt.before(word.end_sample).size() >= 190);
    }
};

QTEST_GUILESS_MAIN(TestWordGuards)
#include "tst_word_guards.moc"
