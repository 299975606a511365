// What a person sees in the terminal: a small terminal of our own plays the control sequences.
#include <QtTest>

#include <sstream>

#include "app/cli/harmless.h"
#include "app/cli/live_screen.h"
#include "core/text/display_width.h"

using namespace braid;
using namespace braid::cli;

namespace {

// Understands what LiveScreen writes: cursor up, erase below, carriage return, line feed, ink.
class Terminal {
  public:
    void write(std::string_view text)
    {
        for (std::size_t at = 0; at < text.size();) {
            if (text[at] == '\x1b') {
                const auto end = text.find_first_of("AJm", at);
                const auto number = std::atoi(std::string(text.substr(at + 2, end - at - 2)).c_str());
                if (text[end] == 'A') {
                    m_row -= static_cast<std::size_t>(number);
                } else if (text[end] == 'J') {
                    m_rows.resize(m_row + 1);
                    m_rows[m_row].resize(m_column);
                } else {
                    m_dim = number != 0;
                }
                at = end + 1;
            } else if (text[at] == '\r') {
                m_column = 0;
                ++at;
            } else if (text[at] == '\n') {
                m_rows.resize(std::max(m_rows.size(), ++m_row + 1));
                ++at;
            } else {
                // Wide characters take one cell of this model; rows are only compared as text.
                auto bytes = std::size_t{1};
                while (at + bytes < text.size() && (static_cast<unsigned char>(text[at + bytes]) & 0xC0) == 0x80) {
                    ++bytes;
                }
                auto &row = m_rows[m_row];
                row.resize(std::max(row.size(), m_column + 1), {" ", false});
                row[m_column++] = {std::string(text.substr(at, bytes)), m_dim};
                at += bytes;
            }
        }
    }
    // Rows as text; dim stretches in angle brackets.
    [[nodiscard]] std::vector<std::string> rows() const
    {
        std::vector<std::string> rows;
        for (const auto &row : m_rows) {
            std::string text;
            bool dim = false;
            for (const auto &cell : row) {
                if (cell.dim != dim) {
                    text += cell.dim ? "<" : ">";
                    dim = cell.dim;
                }
                text += cell.text;
            }
            rows.push_back(text + (dim ? ">" : ""));
        }
        return rows;
    }

  private:
    struct Cell {
        std::string text;
        bool dim = false;
    };
    std::vector<std::vector<Cell>> m_rows{1};
    std::size_t m_row = 0;
    std::size_t m_column = 0;
    bool m_dim = false;
};

text::Word word(const std::string &text)
{
    text::Word made;
    made.text = text;
    return made;
}

std::vector<text::Word> words(const std::string &sentence)
{
    std::vector<text::Word> list;
    std::istringstream stream(sentence);
    for (std::string text; stream >> text;) {
        list.push_back(word(text));
    }
    return list;
}

std::vector<text::TranscriptItem> items(const std::string &sentence)
{
    const auto list = words(sentence);
    return {list.begin(), list.end()};
}

using Rows = std::vector<std::string>;

}  // namespace

class LiveScreenTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    // Names of files and what journals say are other people's words.
    void wordsOfOthersDoNotSteerTheTerminal()
    {
        QCOMPARE(harmless("talk\x1b]0;title\x07 of\r\nth\xC3\xB6\x7F"), std::string("talk?]0;title? of??th\xC3\xB6?"));
        QCOMPARE(harmless("\xC2\x9B"
                          "2J"),
                 std::string("?2J"));
        QCOMPARE(harmless("\xC2\xA0"), std::string("\xC2\xA0"));
    }

    void theTailIsDimmedAndRewrittenInPlace()
    {
        Terminal terminal;
        LiveScreen screen([&](std::string_view text) { terminal.write(text); });
        screen.tail(words("ask knot"), 40);
        QCOMPARE(terminal.rows(), (Rows{"<ask knot>"}));
        screen.commit(items("ask"));
        screen.tail(words("not what"), 40);
        QCOMPARE(terminal.rows(), (Rows{"ask <not what>"}));
        screen.tail({}, 40);
        QCOMPARE(terminal.rows(), (Rows{"ask"}));
    }

    void longTextWrapsAtWordsAndSettledRowsStay()
    {
        Terminal terminal;
        LiveScreen screen([&](std::string_view text) { terminal.write(text); });
        screen.tail({}, 24);
        screen.commit(items("and so my fellow americans"));
        QCOMPARE(terminal.rows(), (Rows{"and so my fellow", "americans"}));
        screen.tail(words("ask not what your country can do for you"), 24);
        QCOMPARE(terminal.rows(), (Rows{"and so my fellow", "americans <ask not what>", "<your country can do for>", "<you>"}));
        screen.tail(words("ask not"), 24);
        QCOMPARE(terminal.rows(), (Rows{"and so my fellow", "americans <ask not>"}));
        screen.commit(items("ask not what your country"));
        QCOMPARE(terminal.rows(), (Rows{"and so my fellow", "americans ask not what", "your country"}));
    }

    void theStatusStaysBelow()
    {
        Terminal terminal;
        LiveScreen screen([&](std::string_view text) { terminal.write(text); });
        screen.status("lag 0.3 s", 40);
        QCOMPARE(terminal.rows(), (Rows{"<lag 0.3 s>"}));
        screen.commit(items("hello"));
        screen.tail(words("there"), 40);
        QCOMPARE(terminal.rows(), (Rows{"hello <there>", "<lag 0.3 s>"}));
        screen.status("a status that is far too long for this narrow window", 24);
        QCOMPARE(terminal.rows(), (Rows{"hello <there>", "<a status that is far t…>"}));
        screen.close();
        QCOMPARE(terminal.rows(), (Rows{"hello", ""}));
    }

    void breaksAndGapsEndTheLine()
    {
        Terminal terminal;
        LiveScreen screen([&](std::string_view text) { terminal.write(text); });
        screen.commit(items("hello there"));
        screen.commit(std::vector<text::TranscriptItem>{text::LineBreak{}, word("again"), text::Gap{0, 16000, "lost"}, word("back")});
        screen.close();
        QCOMPARE(terminal.rows(), (Rows{"hello there", "again", "[1.0 s without sound: lost]", "back", ""}));
    }

    void aTranscriptCannotSteerTheTerminal()
    {
        std::string written;
        LiveScreen screen([&](std::string_view text) { written += text; });
        screen.commit(std::vector<text::TranscriptItem>{word("a\x1b[2Jb\r\n\x07")});
        screen.tail({word("\x1b]0;title\x07")}, 40);
        QVERIFY(written.find("\x1b[2J") == std::string::npos);
        QVERIFY(written.find("\x1b]") == std::string::npos);
        QVERIFY(written.find('\x07') == std::string::npos);
    }

    void wideCharactersCountTwice()
    {
        Terminal terminal;
        LiveScreen screen([&](std::string_view text) { terminal.write(text); });
        auto second = word("時間時間時間");
        second.starts_without_space = true;
        screen.tail({word("世界世界世界"), second}, 20);
        QCOMPARE(terminal.rows(), (Rows{"<世界世界世界>", "<時間時間時間>"}));
        QCOMPARE(fitted("世界世界", 6), std::string("世界…"));
        QCOMPARE(fitted("short", 20), std::string("short"));
    }
};

QTEST_APPLESS_MAIN(LiveScreenTest)
#include "tst_live_screen.moc"
