// Where words stand and how they are found: the transcript's model, layout and search. No widget.
#include <QtTest>

#include "tests/ui/fakes.h"
#include "ui/captions/transcript_layout.h"
#include "ui/captions/transcript_search.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

class UiLayoutTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void transcriptMakesParagraphs()
    {
        TranscriptModel model;
        QSignalSpy settled_lines(&model, &TranscriptModel::paragraphSettled);
        text::Transcript items = transcriptOf(words("we came in peace", 0));
        items.emplace_back(text::LineBreak{});
        items.emplace_back(text::Gap{samplesFromSeconds(3), samplesFromSeconds(2.4), "the microphone was unplugged"});
        model.append(items);
        text::Word comma = settled(word(",", 6, 6.1));
        comma.starts_without_space = true;
        text::Transcript more = transcriptOf(words("hello", 5.5));
        more.emplace_back(comma);
        model.append(more, samplesFromSeconds(1));
        QCOMPARE(model.wordCount(), 6);
        QCOMPARE(model.paragraphs().size(), std::size_t(3));
        QCOMPARE(model.paragraphs()[1].text, QStringLiteral("2.4 s of sound missing: the microphone was unplugged"));
        QCOMPARE(settled_lines.count(), 1);
        QCOMPARE(settled_lines.first().first().toString(), QStringLiteral("we came in peace"));
        QCOMPARE(model.plainText(0, 5), QStringLiteral("we came in peace\n[2.4 s of sound missing: the microphone was unplugged]\nhello,"));
        QCOMPARE(model.plainText(1, 2), QStringLiteral("came in"));
        QCOMPARE(model.word(4).start_sample, samplesFromSeconds(6.5));  // moved on the page's clock
        QCOMPARE(model.wordAt(model.word(2).start_sample + 5), 2);
        QCOMPARE(model.wordAt(model.word(2).end_sample + 5), -1);
        QCOMPARE(model.items().size(), std::size_t(8));
    }
    void tailIsAnnouncedOnlyWhenItChanges()
    {
        TranscriptModel model;
        QSignalSpy changed(&model, &TranscriptModel::tailChanged);
        model.setTail(words("ask not", 1));
        model.setTail(words("ask not", 1));
        QCOMPARE(changed.count(), 1);
        model.setTail(words("ask what", 1));
        QCOMPARE(changed.count(), 2);
    }

    void searchFindsAcrossWords_data()
    {
        QTest::addColumn<QString>("needle");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("first_word");
        QTest::newRow("a word") << "COUNTRY" << 2 << 4;
        QTest::newRow("two words") << "your  country" << 2 << 3;
        QTest::newRow("part of a word") << "ount" << 2 << 4;
        QTest::newRow("over the end of a word") << "k wh" << 2 << 0;
        QTest::newRow("not over paragraphs") << "you ask" << 0 << -1;
        QTest::newRow("nothing") << "  " << 0 << -1;
        QTest::newRow("not there") << "planet" << 0 << -1;
    }
    void searchFindsAcrossWords()
    {
        QFETCH(QString, needle);
        QFETCH(int, count);
        QFETCH(int, first_word);
        TranscriptModel model;
        text::Transcript items = transcriptOf(words("ask what can your country do for you", 0));
        items.emplace_back(text::LineBreak{});
        for (const auto &item : transcriptOf(words("ask what you can do for your country", 5))) {
            items.push_back(item);
        }
        model.append(items);
        const auto matches = findText(model, needle);
        QCOMPARE(static_cast<int>(matches.size()), count);
        if (count > 0) {
            QCOMPARE(matches.front().first_word, first_word);
        }
        // Searching on from the second paragraph finds what a whole search finds there.
        auto later = matches;
        std::erase_if(later, [](const TextMatch &m) { return m.first_word < 8; });
        QCOMPARE(findText(model, needle, 8), later);
    }

    // Whatever the tail says, settled words stay where they were; and placing them one by one or all at once is the same.
    void settledWordsNeverMove()
    {
        const auto measure = [](const QString &text) { return 11.3 * static_cast<double>(text.size()); };
        TranscriptModel model;
        TranscriptLayout layout;
        layout.reshape({80, 420, 31, 10, 24, 6.2}, measure);
        std::uint32_t seed = 99;
        const auto random = [&seed](int below) {
            seed = seed * 1664525U + 1013904223U;
            return static_cast<int>((seed >> 10) % static_cast<std::uint32_t>(below));
        };
        const auto someWords = [&](int count, double at) {
            std::vector<text::Word> result;
            for (int index = 0; index < count; ++index) {
                result.push_back(word(std::string(static_cast<std::size_t>(1 + random(14)), 'x'), at + index, at + index + 0.5));
                result.back().starts_without_space = random(5) == 0;
            }
            return result;
        };
        std::vector<QRectF> before;
        for (int step = 0; step < 400; ++step) {
            model.setTail(someWords(random(12), step));
            layout.placeTail(model);
            for (int index = 0; index < static_cast<int>(before.size()); ++index) {
                QCOMPARE(layout.wordRect({WordPart::Settled, index}), before[static_cast<std::size_t>(index)]);
            }
            if (random(3) == 0) {
                text::Transcript items = transcriptOf(someWords(random(4), step));
                if (random(6) == 0) {
                    items.emplace_back(text::LineBreak{});
                }
                if (random(15) == 0) {
                    items.emplace_back(text::Gap{0, 16000, "lost"});
                }
                model.append(items);
                layout.placeSettled(model);
                layout.placeTail(model);
            }
            before.clear();
            for (int index = 0; index < model.wordCount(); ++index) {
                before.push_back(layout.wordRect({WordPart::Settled, index}));
                QVERIFY(before.back().left() >= 80 && before.back().right() <= 80 + 420 + 31);
            }
        }
        TranscriptLayout at_once;
        at_once.reshape(layout.shape(), measure);
        at_once.placeSettled(model);
        at_once.placeTail(model);
        for (int index = 0; index < model.wordCount(); ++index) {
            QCOMPARE(at_once.wordRect({WordPart::Settled, index}), before[static_cast<std::size_t>(index)]);
        }
        QCOMPARE(at_once.contentHeight(), layout.contentHeight());
        QVERIFY(layout.rows().size() > 40);
    }
    // A tail word keeps its place when it settles as it is.
    void settlingInPlaceMovesNothing()
    {
        TranscriptModel model;
        TranscriptLayout layout;
        layout.reshape({80, 300, 31, 10, 24, 6}, [](const QString &text) { return 10.0 * static_cast<double>(text.size()); });
        const auto said = words("and so my fellow americans ask not what your country can do for you", 0);
        model.setTail(said);
        layout.placeTail(model);
        std::vector<QRectF> unsettled;
        for (int index = 0; index < static_cast<int>(said.size()); ++index) {
            unsettled.push_back(layout.wordRect({WordPart::Tail, index}));
        }
        for (std::size_t settled_count = 1; settled_count <= said.size(); ++settled_count) {
            model.append(transcriptOf({said[settled_count - 1]}));
            model.setTail({said.begin() + static_cast<std::ptrdiff_t>(settled_count), said.end()});
            layout.placeSettled(model);
            layout.placeTail(model);
            for (std::size_t index = 0; index < said.size(); ++index) {
                const WordRef ref = index < settled_count ? WordRef{WordPart::Settled, static_cast<int>(index)}
                                                          : WordRef{WordPart::Tail, static_cast<int>(index - settled_count)};
                QCOMPARE(layout.wordRect(ref), unsettled[index]);
            }
        }
    }
    void pointsFindWords()
    {
        TranscriptModel model;
        TranscriptLayout layout;
        layout.reshape({80, 300, 31, 10, 24, 6}, [](const QString &text) { return 10.0 * static_cast<double>(text.size()); });
        model.append(transcriptOf(words("and so my fellow americans ask not what your country", 0)));
        model.setTail(words("can do for you", 9));
        layout.placeSettled(model);
        layout.placeTail(model);
        for (int index = 0; index < model.wordCount(); ++index) {
            const WordRef ref{WordPart::Settled, index};
            QVERIFY(layout.wordAt(layout.wordRect(ref).center()) == ref);
            QCOMPARE(layout.nearestSettled(layout.wordRect(ref).center()), std::optional<int>(index));
        }
        for (int index = 0; index < 4; ++index) {
            const WordRef ref{WordPart::Tail, index};
            QVERIFY(layout.wordAt(layout.wordRect(ref).center()) == ref);
        }
        QVERIFY(!layout.wordAt({5, 5}));
        QVERIFY(!layout.wordAt({100, 5000}));
    }
    void rightToLeftRunsFromTheRight()
    {
        TranscriptModel model;
        TranscriptLayout layout;
        layout.reshape({80, 300, 31, 10, 24, 6}, [](const QString &text) { return 10.0 * static_cast<double>(text.size()); });
        model.append(transcriptOf({word("\u0645\u0631\u062d\u0628\u0627", 0, 1), word("\u0628\u0643\u0645", 1, 2)}));
        layout.placeSettled(model);
        QCOMPARE(layout.wordRect({WordPart::Settled, 0}).right(), 380.0);
        QVERIFY(layout.wordRect({WordPart::Settled, 1}).right() < layout.wordRect({WordPart::Settled, 0}).left());
    }
};

QTEST_MAIN(UiLayoutTest)
#include "tst_ui_layout.moc"
