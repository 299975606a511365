// Lanes in a terminal, and the keys pressed there.
#include <QtTest>

#include "app/cli/keyboard.h"
#include "app/cli/lane_screen.h"

using namespace braid;
using namespace braid::cli;
using streams::Cell;
using streams::StreamsEvent;
using streams::StreamsEventType;

class LaneScreenTest : public QObject {
    Q_OBJECT

    static streams::Layout layout()
    {
        streams::Layout layout;
        for (const char *name : {"User", "Answer"}) {
            streams::Stream stream;
            stream.name = name;
            layout.streams.push_back(stream);
        }
        layout.streams[1].label = "The answer that is far too long for its lane";
        return layout;
    }
    static StreamsEvent row(std::int64_t number, const char *user, const char *answer)
    {
        StreamsEvent event;
        event.row = number;
        for (const char *text : {user, answer}) {
            Cell cell;
            cell.token = *text == '\0' ? -1 : 1;
            cell.text = text;
            event.cells.push_back(cell);
        }
        return event;
    }
    static std::string drawn(Ink ink, const std::function<void(LaneScreen &)> &draw)
    {
        std::string text;
        LaneScreen screen(
            layout(), [&text](std::string_view more) { text += more; }, ink);
        draw(screen);
        return text;
    }

  private Q_SLOTS:
    void plainRowsAreALineEach()
    {
        const std::string text = drawn(Ink::Plain, [](LaneScreen &screen) {
            screen.heading(40);
            screen.event(row(0, " one", ""), 40);
            screen.event(row(1, " two", " ok"), 40);
            screen.below("never in plain text", "neither", 40);
        });
        QCOMPARE(QString::fromStdString(text),
                 QString::fromUtf8("      User            The answer tha\u2026 \n    0 one             \u00B7\n    1 two             ok\n"));
    }

    void silenceIsSaidOnce()
    {
        const std::string text = drawn(Ink::Plain, [](LaneScreen &screen) {
            for (int i = 0; i < 5; ++i) {
                screen.event(row(i, "", ""), 40);
            }
            screen.event(row(5, "", " so"), 40);
        });
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), 2);
    }

    void goingBackAndNoticesAreLines()
    {
        const std::string text = drawn(Ink::Plain, [](LaneScreen &screen) {
            StreamsEvent rewound;
            rewound.type = StreamsEventType::Rewound;
            rewound.row = 3;
            screen.event(rewound, 40);
            StreamsEvent notice;
            notice.type = StreamsEventType::Notice;
            notice.text = "a sentence";
            screen.event(notice, 40);
        });
        QCOMPARE(QString::fromStdString(text), QString("back to row 3\na sentence\n"));
    }

    // What a model or a stranger's file says must not steer the terminal.
    void controlsAndBrokenBytesAreHarmless()
    {
        const std::string text = drawn(Ink::Plain, [](LaneScreen &screen) { screen.event(row(0, " \x1b[2Jx\n", "\xC3"), 60); });
        QVERIFY(text.find('\x1b') == std::string::npos);
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), 1);
        QVERIFY(text.find("\xEF\xBF\xBD") != std::string::npos);
    }

    void theLinesBelowAreRewrittenInPlace()
    {
        const std::string text = drawn(Ink::Coloured, [](LaneScreen &screen) {
            screen.below("running", "wor", 40);
            screen.event(row(0, " one", ""), 40);
            screen.below("running", "word", 40);
            screen.below({}, {}, 40);
        });
        QCOMPARE(text.find("\x1b[1A\r\x1b[J"), text.find("> wor") + 5);  // before the row is written, what stood below goes
        QVERIFY(text.ends_with("\x1b[1A\r\x1b[J"));
    }

    void keysAreRead()
    {
        std::string bytes = "a\xC3\xA9 \r\x7f\t\x1b[D\x1b[A\x04\x15\x1b[5~\xE2\x82";
        const auto keys = keysFrom(bytes);
        std::vector<KeyKind> kinds;
        for (const Key &key : keys) {
            kinds.push_back(key.kind);
        }
        QCOMPARE(kinds, (std::vector<KeyKind>{KeyKind::Text, KeyKind::Text, KeyKind::Text, KeyKind::Enter, KeyKind::Backspace, KeyKind::Tab, KeyKind::Left,
                                              KeyKind::Up, KeyKind::EndOfInput, KeyKind::DropLine}));
        QCOMPARE(keys[1].text, std::string("\xC3\xA9"));
        QCOMPARE(bytes.size(), std::size_t(2));  // half a character waits for the rest
        bytes += "\xAC";
        QCOMPARE(keysFrom(bytes).at(0).text, std::string("\xE2\x82\xAC"));
        bytes = "\x1b";
        QCOMPARE(keysFrom(bytes).at(0).kind, KeyKind::Escape);
    }
};

QTEST_GUILESS_MAIN(LaneScreenTest)
#include "tst_lane_screen.moc"
