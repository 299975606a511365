// Correcting captions by hand: in a field over the word, by mouse and keys; undone and redone; kept with the recording; never mixed up with what the model
// said.
#include <QMenu>
#include <QtTest>

#include "core/base/file.h"
#include "core/captions/caption_journal.h"
#include "tests/support/interrupted_run.h"
#include "tests/ui/desk.h"
#include "ui/captions/timeline_view.h"
#include "ui/captions/transcript_menu.h"
#include "ui/captions/transcript_view.h"
#include "ui/captions/word_card.h"
#include "ui/state/corrections.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

const char *const kSaid = "The birch canoe slit on the smooth plonks.";

struct Writing : Desk {
    Writing()
    {
        is_ready = ready();
        press(Qt::Key_Space);
        backend->listen(20);
        text::Transcript items = transcriptOf(words(QString::fromLatin1(kSaid), 0.5));
        items.emplace_back(text::LineBreak{samplesFromSeconds(6)});
        const text::Transcript next = transcriptOf(words(QStringLiteral("Glue the sheet"), 7));
        items.insert(items.end(), next.begin(), next.end());
        backend->say(captions::Committed{items});
        is_ready = is_ready && until([this] { return transcript().wordCount() == 11; });
    }
    [[nodiscard]] TranscriptView &view() const { return window->captions().transcriptView(); }
    [[nodiscard]] QString line() const { return transcript().plainText(0, 7); }
    [[nodiscard]] QPoint at(int word) const { return view().wordRectInViewport({WordPart::Settled, word}).center().toPoint(); }
    void opensAt(int word) const { QTest::mouseDClick(view().viewport(), Qt::LeftButton, {}, at(word)); }
    void types(const QString &words, Qt::Key last = Qt::Key_Return) const
    {
        view().editor().selectAll();
        if (words.isEmpty()) {
            QTest::keyClick(&view().editor(), Qt::Key_Backspace);
        }
        QTest::keyClicks(&view().editor(), words);
        QTest::keyClick(&view().editor(), last);
    }
    [[nodiscard]] std::string heard(int word) const { return transcript().word(word).heard; }
    bool is_ready = false;
};

TranscriptModel &modelOf(TranscriptModel &model, const char *said)
{
    model.append(transcriptOf(words(QString::fromUtf8(said), 0)));
    return model;
}

QString textsOf(const std::vector<WordText> &corrections)
{
    QStringList texts;
    for (const WordText &each : corrections) {
        texts << QStringLiteral("%1:%2").arg(each.word).arg(each.text ? QString::fromStdString(*each.text) : QStringLiteral("(as heard)"));
    }
    return texts.join(QLatin1Char('|'));
}

}  // namespace

class UiCorrectionsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aDoubleClickOpensAFieldAndEnterKeepsWhatIsTyped()
    {
        const Writing desk;
        QVERIFY(desk.is_ready);
        desk.opensAt(3);
        WordEditor &editor = desk.view().editor();
        QVERIFY(editor.isVisible());
        QCOMPARE(editor.text(), QStringLiteral("slit"));
        QVERIFY(editor.geometry().contains(desk.at(3)));
        QVERIFY(!editor.accessibleName().isEmpty());
        desk.types(QStringLiteral("slid"));
        QVERIFY(!editor.isVisible());
        QCOMPARE(desk.line(), QStringLiteral("The birch canoe slid on the smooth plonks."));
        QCOMPARE(desk.heard(3), std::string("slit"));
        // The run that goes on keeps it.
        QCOMPARE(desk.backend->corrections, (std::vector<text::WordCorrection>{{3, "slit", "slid"}}));
        QVERIFY(desk.window->focusWidget() == &desk.view());
    }
    void escapeLeavesTheWordAsItWas()
    {
        const Writing desk;
        QVERIFY(desk.is_ready);
        desk.opensAt(3);
        desk.types(QStringLiteral("slid"), Qt::Key_Escape);
        QVERIFY(!desk.view().editor().isVisible());
        QCOMPARE(desk.line(), QString::fromLatin1(kSaid));
        // Nor does Enter on what was not changed correct anything.
        desk.opensAt(3);
        QTest::keyClick(&desk.view().editor(), Qt::Key_Return);
        QVERIFY(desk.backend->corrections.empty());
        QVERIFY(!desk.view().editor().isVisible());
    }
    void goingElsewhereKeepsWhatWasTyped()
    {
        const Writing desk;
        QVERIFY(desk.is_ready);
        desk.opensAt(3);
        desk.view().editor().selectAll();
        QTest::keyClicks(&desk.view().editor(), QStringLiteral("slid"));
        desk.window->captions().timeline().setFocus(Qt::MouseFocusReason);
        QVERIFY(!desk.view().editor().isVisible());
        QCOMPARE(desk.line(), QStringLiteral("The birch canoe slid on the smooth plonks."));
        QVERIFY(desk.window->focusWidget() == &desk.window->captions().timeline());
    }
    void keysReachTheWordAndItsLine()
    {
        const Writing desk;
        QVERIFY(desk.is_ready);
        desk.view().setFocus();
        desk.press(Qt::Key_Right);  // the first word of the page
        for (int word = 0; word < 7; ++word) {
            desk.press(Qt::Key_Right);
        }
        desk.press(Qt::Key_F2);
        QCOMPARE(desk.view().editor().text(), QStringLiteral("plonks."));
        // Keys that mean something to the window are letters here.
        desk.types(QStringLiteral("a T / I L planks."));
        QCOMPARE(desk.heard(7), std::string("plonks."));
        QVERIFY(desk.line().endsWith(QStringLiteral("a T / I L planks.")));
        desk.press(Qt::Key_F2, Qt::ShiftModifier);
        QCOMPARE(desk.view().editor().text(), desk.line());
        desk.types(QStringLiteral("The beech canoe slid on smooth planks."));
        QCOMPARE(desk.line(), QStringLiteral("The beech canoe slid on smooth planks."));
        QCOMPARE(desk.heard(1), std::string("birch"));
        QCOMPARE(desk.heard(5), std::string("the"));  // struck out, and still on record
        QCOMPARE(desk.heard(0), std::string());       // was not touched
        QCOMPARE(desk.transcript().plainText(8, 10), QStringLiteral("Glue the sheet"));
    }
    void whatIsSelectedIsCorrectedAsOne()
    {
        const Writing desk;
        QVERIFY(desk.is_ready);
        desk.view().setFocus();
        desk.press(Qt::Key_Right);
        desk.press(Qt::Key_Right);
        desk.press(Qt::Key_Right, Qt::ShiftModifier);
        desk.press(Qt::Key_F2);
        QCOMPARE(desk.view().editor().text(), QStringLiteral("birch canoe"));
        desk.types(QStringLiteral("birchbark canoe"));
        QCOMPARE(desk.backend->corrections, (std::vector<text::WordCorrection>{{1, "birch", "birchbark"}}));
    }
    void undoAndRedoStepThroughEveryAct()
    {
        const Writing desk;
        QVERIFY(desk.is_ready);
        desk.opensAt(3);
        desk.types(QStringLiteral("slid"));
        desk.opensAt(5);
        desk.types({});  // nothing in the field: struck out
        QCOMPARE(desk.line(), QStringLiteral("The birch canoe slid on smooth plonks."));
        desk.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.line(), QStringLiteral("The birch canoe slid on the smooth plonks."));
        desk.press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(desk.line(), QString::fromLatin1(kSaid));
        QCOMPARE(desk.heard(3), std::string());
        desk.press(Qt::Key_Z, Qt::ControlModifier);  // nothing is left to undo
        desk.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        desk.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(desk.line(), QStringLiteral("The birch canoe slid on smooth plonks."));
        // What was undone is kept as well: the last word of the journal is what stands on the page.
        const auto &kept = desk.backend->corrections;
        QCOMPARE(kept.size(), std::size_t(6));
        QVERIFY(kept[3] == (text::WordCorrection{3, "slit", std::nullopt}));
        QVERIFY(kept[5] == (text::WordCorrection{5, "the", ""}));
        // Another correction: what was undone cannot be redone any more.
        desk.press(Qt::Key_Z, Qt::ControlModifier);
        desk.opensAt(0);
        desk.types(QStringLiteral("A"));
        desk.press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(desk.line(), QStringLiteral("A birch canoe slid on the smooth plonks."));
    }
    void correctedWordsLookDifferentWithoutColour()
    {
        const Writing desk;
        QVERIFY(desk.is_ready);
        const auto inkUnder = [&](int word) {
            const QRect place = desk.view().wordRectInViewport({WordPart::Settled, word}).toAlignedRect();
            const QImage picture = desk.view().viewport()->grab(place).toImage().convertToFormat(QImage::Format_Grayscale8);
            const int paper = picture.pixelColor(0, 0).value();
            int rows = 0;
            for (int y = picture.height() * 3 / 4; y < picture.height(); ++y) {
                int ink = 0;
                for (int x = 0; x < picture.width(); ++x) {
                    ink += std::abs(picture.pixelColor(x, y).value() - paper) > 40;
                }
                rows += ink > picture.width() / 3;
            }
            return rows;
        };
        const int before = inkUnder(3);
        desk.opensAt(3);
        desk.types(QStringLiteral("slid"));
        desk.press(Qt::Key_Escape);  // no ring around it
        QVERIFY(inkUnder(3) > before);
        QCOMPARE(inkUnder(2), 0);
        // The card says what was heard.
        QHelpEvent rest(QEvent::ToolTip, desk.at(3), desk.view().viewport()->mapToGlobal(desk.at(3)));
        QApplication::sendEvent(desk.view().viewport(), &rest);
        QVERIFY2(desk.window->captions().wordCard().text().contains(QStringLiteral("slit")), qPrintable(desk.window->captions().wordCard().text()));
    }
    void theMenuCorrectsAndTakesBack()
    {
        const Writing desk;
        QVERIFY(desk.is_ready);
        desk.opensAt(3);
        desk.types(QStringLiteral("slid"));
        const auto entry = [&](const QString &beginning) -> QAction * {
            QContextMenuEvent asked(QContextMenuEvent::Mouse, desk.at(3), desk.view().viewport()->mapToGlobal(desk.at(3)));
            QApplication::sendEvent(desk.view().viewport(), &asked);
            for (const QMenu *menu : desk.window->captions().findChildren<QMenu *>()) {
                for (QAction *action : menu->actions()) {
                    if (menu->isVisible() && action->text().startsWith(beginning)) {
                        return action;
                    }
                }
            }
            return nullptr;
        };
        QAction *back = entry(QStringLiteral("Back to \u201cslit\u201d"));
        QVERIFY(back != nullptr && back->isEnabled());
        back->trigger();
        QCOMPARE(desk.line(), QString::fromLatin1(kSaid));
        QAction *correct = entry(QStringLiteral("Correct the line"));
        QVERIFY(correct != nullptr && correct->isEnabled());
        correct->trigger();
        QCOMPARE(desk.view().editor().text(), QString::fromLatin1(kSaid));
    }
    void newWordsDoNotCarryTheFieldAway()
    {
        const Writing desk;
        QVERIFY(desk.is_ready);
        desk.opensAt(9);
        const QRect before = desk.view().editor().geometry();
        text::Transcript more;
        for (int line = 0; line < 40; ++line) {
            const text::Transcript words_of_line = transcriptOf(words(QStringLiteral("and on it goes"), 10 + 3 * line));
            more.insert(more.end(), words_of_line.begin(), words_of_line.end());
            more.emplace_back(text::LineBreak{samplesFromSeconds(12.5 + 3 * line)});
        }
        desk.backend->say(captions::Committed{more});
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() > 160; }));
        QCOMPARE(desk.view().editor().geometry(), before);
        desk.types(QStringLiteral("a"));
        QVERIFY(desk.view().following() == Following::Live);
        QCOMPARE(desk.transcript().plainText(8, 10), QStringLiteral("Glue a sheet"));
    }
    // --- what lasts ------------------------------------------------------------------------------------------------------------------
    void exportsWriteWhatWasCorrected()
    {
        const Writing desk;
        QVERIFY(desk.is_ready);
        desk.opensAt(3);
        desk.types(QStringLiteral("slid"));
        const std::filesystem::path file = desk.folder.filePath(QStringLiteral("a.txt")).toStdString();
        QVERIFY(desk.window->captions().saveTranscriptTo(file));
        QCOMPARE(readTextFile(file, 1U << 20), std::string("The birch canoe slid on the smooth plonks.\nGlue the sheet\n"));
        const std::filesystem::path json = desk.folder.filePath(QStringLiteral("a.json")).toStdString();
        QVERIFY(desk.window->captions().saveTranscriptTo(json));
        QVERIFY(readTextFile(json, 1U << 20).find("\"heard\":\"slit\"") != std::string::npos);
    }
    void aSessionThatIsOpenedAgainHasThem()
    {
        Desk desk;
        QVERIFY(desk.ready());
        const std::filesystem::path folder = braid::testing::leaveInterrupted(
            desk.folder.path().toStdString(), braid::testing::ToldCaptions{transcriptOf(words(QString::fromLatin1(kSaid), 0.5)), std::vector<float>(160000)},
            "20260102-030405-001");
        TranscriptView &view = desk.window->captions().transcriptView();
        desk.window->captions().openJournal(folder);
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 8; }));
        QVERIFY(desk.until([&] { return captions::readCaptionsJournal(folder).state == runtime::JournalState::Finished; }));
        for (const auto &[word, text] : {std::pair(3, "slid"), std::pair(7, "planks."), std::pair(3, "slides")}) {
            view.correct(word, word);
            view.editor().selectAll();
            QTest::keyClicks(&view.editor(), QLatin1String(text));
            QTest::keyClick(&view.editor(), Qt::Key_Return);
        }
        QVERIFY(desk.backend->corrections.empty());  // of no run that goes on
        const auto kept = [&](std::size_t word) { return std::get<text::Word>(captions::readCaptionsJournal(folder).transcript[word]).text; };
        QVERIFY(desk.until([&] { return kept(3) == "slides" && kept(7) == "planks."; }));
        desk.window->captions().newPage();
        desk.window->captions().openJournal(folder);
        QVERIFY(desk.until([&] { return desk.transcript().wordCount() == 8; }));
        QCOMPARE(desk.transcript().plainText(0, 7), QStringLiteral("The birch canoe slides on the smooth planks."));
        QCOMPARE(desk.transcript().word(3).heard, std::string("slit"));
    }
    // --- from a line to its words ----------------------------------------------------------------------------------------------------
    void aLineIsCorrectedWordByWord_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("corrections");
        QTest::newRow("nothing new") << QStringLiteral(" one  two three four ") << QString();
        QTest::newRow("another word") << QStringLiteral("one 2 three four") << QStringLiteral("1:2");
        QTest::newRow("a word more") << QStringLiteral("one two and three four") << QStringLiteral("1:two and");
        QTest::newRow("before all") << QStringLiteral("well one two three four") << QStringLiteral("0:well one");
        QTest::newRow("at the end") << QStringLiteral("one two three four five six") << QStringLiteral("3:four five six");
        QTest::newRow("a word less") << QStringLiteral("one three four") << QStringLiteral("1:");
        QTest::newRow("nothing") << QString() << QStringLiteral("0:|1:|2:|3:");
        QTest::newRow("all others") << QStringLiteral("a b c d") << QStringLiteral("0:a|1:b|2:c|3:d");
    }
    void aLineIsCorrectedWordByWord()
    {
        QFETCH(QString, line);
        QFETCH(QString, corrections);
        TranscriptModel model;
        const std::vector<WordText> made = correctionsOfLine(modelOf(model, "one two three four"), 0, 3, line);
        QCOMPARE(textsOf(made), corrections);
        for (const WordText &each : made) {
            model.correct(each.word, each.text);
        }
        QCOMPARE(model.plainText(0, 3), line.simplified());
        // And back to what was heard.
        for (const WordText &each : correctionsOfLine(model, 0, 3, QStringLiteral("one two three four"))) {
            model.correct(each.word, each.text);
        }
        QCOMPARE(model.plainText(0, 3), QStringLiteral("one two three four"));
    }
    void piecesOfAWordAreCorrectedAsOne()
    {
        TranscriptModel model;
        std::vector<text::Word> said = words(QStringLiteral("hello wor ld ."), 0);
        said[2].starts_without_space = said[3].starts_without_space = true;
        model.append(transcriptOf(said));
        QCOMPARE(model.plainText(0, 3), QStringLiteral("hello world."));
        const std::vector<WordText> made = correctionsOfLine(model, 0, 3, QStringLiteral("hello word."));
        QCOMPARE(textsOf(made), QStringLiteral("1:word.|2:|3:"));
        for (const WordText &each : made) {
            model.correct(each.word, each.text);
        }
        QCOMPARE(model.plainText(0, 3), QStringLiteral("hello word."));
        QCOMPARE(textsOf(correctionsOfLine(model, 0, 3, QStringLiteral("hello world."))), QStringLiteral("1:(as heard)|2:(as heard)|3:(as heard)"));
    }
    void pictures_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::addColumn<QSize>("size");
        QTest::newRow("corrections-light-small") << ThemeChoice::Light << QSize(640, 400);
        QTest::newRow("corrections-dark-small") << ThemeChoice::Dark << QSize(640, 400);
        QTest::newRow("corrections-light") << ThemeChoice::Light << QSize(1280, 800);
        QTest::newRow("corrections-dark") << ThemeChoice::Dark << QSize(1280, 800);
    }
    void pictures()
    {
        QFETCH(ThemeChoice, theme);
        QFETCH(QSize, size);
        const Writing desk;
        QVERIFY(desk.is_ready);
        desk.window->settings().update([theme](Settings &s) { s.theme = theme; });
        desk.window->resize(size);
        desk.opensAt(3);
        desk.types(QStringLiteral("slid"));
        desk.opensAt(5);
        desk.types({});
        desk.view().pinWord({});
        desk.opensAt(7);
        desk.view().editor().selectAll();
        QTest::keyClicks(&desk.view().editor(), QStringLiteral("planks."));
        QVERIFY(desk.view().viewport()->rect().contains(desk.view().editor().geometry()));
        QCoreApplication::processEvents();  // the row of choices is laid out anew
        QVERIFY(QDir().mkpath(QStringLiteral(BRAID_SCREENSHOTS)));
        QVERIFY(desk.window->grab().toImage().save(QStringLiteral(BRAID_SCREENSHOTS "/%1.png").arg(QLatin1String(QTest::currentDataTag()))));
    }
};

QTEST_MAIN(UiCorrectionsTest)
#include "tst_ui_corrections.moc"
