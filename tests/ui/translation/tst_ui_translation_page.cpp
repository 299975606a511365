// The Translation page in the whole window: what is typed, pasted, opened from a file or followed in captions is translated and kept, live changes and two
// paradigms on one source, and what cannot be translated is a sentence.
#include <QAbstractButton>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/file.h"
#include "tests/support/interrupted_run.h"
#include "tests/ui/translation/translation_booth.h"
#include "ui/captions/choices_row.h"
#include "ui/shared/choice_box.h"
#include "ui/translation/translation_controls.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

// Engines that only remember, in the order the page asked for them.
struct Engines {
    std::vector<ScriptedTranslation *> engines;
};
struct ScriptedBooth : Engines, Booth {
    ScriptedBooth()
        : Booth([this](Services &services) {
            services.list_translation_models = translationModels;
            services.make_translation_kit = [this] {
                TranslationKit kit;
                auto made = std::make_unique<ScriptedTranslation>();
                engines.push_back(made.get());
                kit.backend = std::move(made);
                kit.make_translator = [](const TranslatorChoices &choices) { return translation::Translator{{}, describe(choices.tuning).toStdString()}; };
                return kit;
            };
        })
    {
    }
};

}  // namespace

class UiTranslationPageTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whatIsTranslatedIsKeptAndOfferedAfterACrash()
    {
        std::vector<translation::TranslationEventBody> told;
        QString target;
        {
            Booth booth;
            QVERIFY(booth.ready());
            const std::filesystem::path journals = std::filesystem::path(booth.folder.path().toStdString()) / "sessions";
            booth.paste(sourceText(2));
            QVERIFY(booth.sentencesOver(2));
            told = translation::readTranslationJournal(braid::testing::onlyJournal(journals)).events;
            target = booth.target();
            booth.window->settings().update([](Settings &s) { s.keeps_journals = false; });
            booth.page().newPage();
            booth.paste(sourceText(1));
            QVERIFY(booth.sentencesOver(1));
            QCOMPARE(std::distance(std::filesystem::directory_iterator(journals), std::filesystem::directory_iterator()), std::ptrdiff_t(1));
        }
        Booth booth;
        const std::filesystem::path journals = std::filesystem::path(booth.folder.path().toStdString()) / "sessions";
        braid::testing::leaveInterrupted(journals, told);
        QVERIFY(booth.ready());
        booth.window->begin(FirstRun::Plain);
        const auto said = [&booth] { return booth.page().notices().sentences().join(QLatin1Char(' ')); };
        QVERIFY(booth.until([&] { return !said().isEmpty(); }));
        QVERIFY2(said().startsWith(QStringLiteral("A translation of 2 Jan 2026")) && said().contains(QStringLiteral("was interrupted")), qPrintable(said()));
        for (QAbstractButton *button : booth.page().notices().findChildren<QAbstractButton *>()) {
            if (button->text() == QStringLiteral("Open it")) {
                button->click();
                break;
            }
        }
        QVERIFY(booth.until([&] { return booth.text().wordCount() > 0; }));
        QCOMPARE(booth.target(), target);
        QCOMPARE(booth.text().sentences().size(), std::size_t(2));
        QVERIFY(booth.text().sentences()[1].isOver());
        const std::filesystem::path saved = booth.folder.filePath("saved.json").toStdString();
        QVERIFY(booth.page().saveTo(saved));
        QVERIFY(readTextFile(saved).find("\"attention\"") != std::string::npos);
        QVERIFY(booth.until([&] { return runtime::findInterruptedRuns(journals).empty(); }));
        // And gone on from.
        booth.paste(sourceText(1));
        QVERIFY(booth.sentencesOver(3));
    }
    void wordsAreTranslatedWhileTheyAreTyped()
    {
        Booth booth;
        QVERIFY(booth.ready());
        QVERIFY(booth.page().sourceLine().field().hasFocus());
        std::vector<QString> shown;  // everything that ever stood as written
        bool rewritten = false;
        connect(&booth.text(), &BilingualText::changed, this, [&] {
            const QString now = booth.target();
            rewritten = rewritten || (!shown.empty() && !now.startsWith(shown.back()));
            shown.push_back(now);
        });
        booth.window->settings().update([](Settings &s) { s.translation.k = 3; });
        QTest::keyClicks(booth.window->focusWidget(), QStringLiteral("The birch canoe "));
        // Three words were read: the first is written, while the sentence is still being typed.
        QVERIFY(booth.until([&] { return booth.text().wordCount() >= 1; }));
        QCOMPARE(booth.text().unitCount(), 3);
        QVERIFY(booth.page().sourceLine().field().toPlainText().isEmpty());
        QTest::keyClicks(booth.window->focusWidget(), QStringLiteral("slid on the smooth planks."));
        booth.press(Qt::Key_Return);
        QVERIFY(booth.sentencesOver(1));
        QCOMPARE(booth.target(), translatedText(0));
        QVERIFY(!rewritten);
        QVERIFY(shown.size() >= 2);  // the first word before the sentence had ended; how many pictures there were between is the machine's
        // A word that is read is no more in the field; what waits is.
        QTest::keyClicks(booth.window->focusWidget(), QStringLiteral("Glue the she"));
        QCOMPARE(booth.page().sourceLine().field().toPlainText(), QStringLiteral("she"));
    }
    void pastedAndOpenedTextsAreTranslatedWhole()
    {
        Booth booth;
        QVERIFY(booth.ready());
        booth.paste(sourceText(3));
        QVERIFY(booth.sentencesOver(3));
        QCOMPARE(booth.text().wordCount(), 9 + 8 + 18);
        const std::filesystem::path file = booth.folder.filePath("more.txt").toStdString();
        writeFileAtomically(file, learntSentences()[3].source + "\n" + learntSentences()[4].source);
        booth.page().openFiles({file});
        QVERIFY(booth.sentencesOver(5));
        QVERIFY(booth.target().endsWith(translatedText(3) + QLatin1Char('\n') + translatedText(4)));
        QVERIFY(booth.page().saveTo(booth.folder.filePath("saved.txt").toStdString()));
        QVERIFY(readTextFile(booth.folder.filePath("saved.txt").toStdString()).find("cano\u00eb") != std::string::npos);
        QVERIFY(!booth.page().saveTo(booth.folder.filePath("saved.srt").toStdString()));  // nobody said it
        QVERIFY(booth.page().notices().sentences().join(QLatin1Char('\n')).contains(QStringLiteral("has no times")));
    }
    void whatIsNoTextIsRefusedWithASentence()
    {
        Booth booth;
        QVERIFY(booth.ready());
        const std::filesystem::path file = booth.folder.filePath("talk.wav").toStdString();
        writeFileAtomically(file, std::string("RIFF\0\0\0\xff\xfe", 10));
        booth.page().openFiles({file});
        QVERIFY(booth.until([&] { return !booth.page().notices().sentences().isEmpty(); }));
        QVERIFY(booth.page().notices().sentences().front().contains(QStringLiteral("talk.wav")));
        QVERIFY(!booth.page().isRunning());
        booth.page().openFiles({booth.folder.filePath("missing.txt").toStdString()});
        QVERIFY(booth.until([&] { return booth.page().notices().sentences().join(QString()).contains(QStringLiteral("missing.txt")); }));
    }
    void captionsAreFollowedFromTheirFirstWord()
    {
        Booth booth;
        QVERIFY(booth.ready());
        booth.window->settings().update([](Settings &s) { s.translation_source = TranslationSource::Captions; });
        booth.window->showPage(PageName::Captions);
        QVERIFY(booth.until([&] { return booth.window->captions().choicesRow().listsArrived(); }));
        booth.window->captions().startOrStop();
        booth.captions->say(captions::Started{"Desk Microphone", "captions-en", "streaming"});
        const auto said = words(QStringLiteral("The birch canoe slid on the smooth planks."), 1.0);
        text::Transcript items = transcriptOf({said.begin(), said.begin() + 4});
        booth.captions->say(captions::Committed{items});
        QVERIFY(booth.until([&] { return booth.window->controller().transcript().wordCount() == 4; }));
        // Said before the translation began.
        booth.window->showPage(PageName::Translation);
        booth.press(Qt::Key_Space);
        QVERIFY(booth.page().isRunning());
        QVERIFY(booth.until([&] { return booth.text().unitCount() == 4; }));
        QVERIFY(booth.page().sourceLine().followedText().contains(QStringLiteral("Desk Microphone")));
        booth.captions->say(captions::Committed{transcriptOf({said.begin() + 4, said.end()})});
        QVERIFY(booth.sentencesOver(1));
        QCOMPARE(booth.target(), translatedText(0));
        QVERIFY(booth.text().unit(0).sound.has_value());
        QCOMPARE(booth.text().unit(0).sound->start_sample, said.front().start_sample);
        QVERIFY(booth.page().saveTo(booth.folder.filePath("said.srt").toStdString()));
        QVERIFY(readTextFile(booth.folder.filePath("said.srt").toStdString()).find("00:00:01,000 -->") != std::string::npos);
        // A speaker stops in the middle of a sentence: it is translated all the same.
        booth.captions->say(captions::Committed{transcriptOf(words(QStringLiteral("Glue the sheet"), 9))});
        booth.captions->finish();
        QVERIFY(booth.sentencesOver(2));
        QVERIFY(booth.page().isRunning());  // and goes on with the next run of captions
        booth.press(Qt::Key_Space);
        QVERIFY(booth.until([&] { return !booth.page().isRunning(); }));
    }
    void kIsToldAtOnceAndAParadigmMadeAnew()
    {
        ScriptedBooth booth;
        QVERIFY(booth.ready());
        booth.page().startOrStop();
        ScriptedTranslation &engine = *booth.engines.front();
        QCOMPARE(engine.starts, 1);
        QCOMPARE(engine.settings.wait_k.k, 5);
        booth.view().setFocus();
        booth.press(Qt::Key_BracketLeft);
        QCOMPARE(engine.settings.wait_k.k, 4);
        QVERIFY(engine.translators.empty());
        QCOMPARE(booth.window->settings().values().translation.k, 4);
        ChoiceBox &box = booth.page().choicesRow().controls().paradigmBox();
        QVERIFY(box.choose(QStringLiteral("interleaved")));
        Q_EMIT box.activated(box.currentIndex());
        QCOMPARE(engine.translators, std::vector<std::string>{"Interleaved, k 4"});
        booth.press(Qt::Key_Space);
        QCOMPARE(engine.source_ends + engine.cancels, 1);
        booth.press(Qt::Key_Space);
        QCOMPARE(engine.cancels, engine.source_ends == 0 ? 2 : 1);
        engine.show([](translation::TranslationSnapshot &s) { s.state = runtime::RunState::Finished; });
        engine.say(translation::TranslationFinished{});
        QVERIFY(booth.until([&] { return !booth.page().isRunning(); }));
        // Events of a run that was left behind are dropped.
        engine.events.push_back({engine.generation - 1, translation::TranslationSessionEvent{translation::SentenceBegan{0, 0}}});
        booth.page().startOrStop();
        QTest::qWait(50);
        QVERIFY(booth.text().isEmpty());
    }
    void twoParadigmsTranslateTheSameSource()
    {
        Booth booth;
        QVERIFY(booth.ready());
        booth.paste(sourceText(2));
        QVERIFY(booth.sentencesOver(2));
        booth.view().setFocus();
        booth.press(Qt::Key_C);
        QVERIFY(booth.page().isComparing());
        TranslationSide &other = *booth.page().otherSide();
        // What was translated before is there on both sides.
        QVERIFY(booth.until([&] { return other.controller().text().firstOpen() == 2; }));
        booth.page().sourceLine().field().setFocus();
        booth.paste(QString::fromStdString(learntSentences()[3].source) + QLatin1Char('\n'));
        QVERIFY(booth.sentencesOver(3));
        QVERIFY(booth.until([&] { return other.controller().text().firstOpen() == 3; }));
        QCOMPARE(other.controller().text().plainText(TextSide::Target, 0, 999), booth.text().plainText(TextSide::Target, 0, 999));
        // The price of re-encoding is seen.
        QVERIFY(booth.until(
            [&] { return other.controller().snapshot().statistics.cost.tokens_fed > booth.page().side().controller().snapshot().statistics.cost.tokens_fed; }));
        QVERIFY(booth.until([&] { return other.speed().contains(QStringLiteral("fed")); }));
        // Both sides show the same sentences.
        booth.window->resize(700, 420);
        booth.view().verticalScrollBar()->setValue(booth.view().verticalScrollBar()->maximum());
        booth.view().verticalScrollBar()->setValue(0);
        QVERIFY(booth.view().following() == other.view().following());
        QCOMPARE(other.view().verticalScrollBar()->value(), 0);
        booth.window->resize(1280, 800);
        // Each side is tuned by itself and remembered.
        booth.page().otherControls()->stepK(1);
        QCOMPARE(booth.window->settings().values().translation_other.k, 6);
        QCOMPARE(booth.window->settings().values().translation.k, 5);
        booth.view().setFocus();
        booth.press(Qt::Key_C);
        QVERIFY(!booth.page().isComparing());
        booth.press(Qt::Key_Space);
        QVERIFY(booth.until([&] { return !booth.page().isRunning(); }));
    }
    void aModelThatCannotBeUsedIsASentenceAndThePageGoesOn()
    {
        Booth booth([](Services &services) {
            addFrench(services);
            auto make = services.make_translation_kit;
            services.make_translation_kit = [make] {
                TranslationKit kit = make();
                auto makes = kit.make_translator;
                kit.make_translator = [makes](const TranslatorChoices &choices) {
                    if (choices.tuning.k != 1) {
                        return makes(choices);
                    }
                    return translation::Translator{[](const auto &, std::stop_token) -> std::unique_ptr<translation::TranslationModel> {
                                                       throw Error(ErrorKind::Model, "the weights end in the middle", "/models/translate-en-fr",
                                                                   "Fetch the folder again");
                                                   },
                                                   "broken"};
                };
                return kit;
            };
        });
        QVERIFY(booth.ready());
        booth.window->settings().update([](Settings &s) { s.translation.k = 1; });
        booth.paste(sourceText(1));
        QVERIFY(booth.until([&] { return booth.page().notices().sentences().join(QString()).contains(QStringLiteral("the weights end in the middle")); }));
        QVERIFY(booth.until([&] { return !booth.page().isRunning(); }));
        booth.window->settings().update([](Settings &s) { s.translation.k = 5; });
        booth.paste(sourceText(1));
        QVERIFY(booth.sentencesOver(1));
        QVERIFY(booth.target().endsWith(translatedText(0)));
    }
    void withoutAModelItSaysWhatToDo()
    {
        Booth booth([](Services &services) { services.list_translation_models = [] { return std::vector<TranslationModelEntry>(); }; });
        QVERIFY(booth.ready());
        QTest::keyClicks(booth.window->focusWidget(), QStringLiteral("Hello there "));
        QVERIFY(booth.page().notices().sentences().join(QString()).contains(QStringLiteral("No model that translates was found")));
        QVERIFY(!booth.page().isRunning());
    }
    void aBookInTheClipboardFreezesNothing()
    {
        Booth booth;
        QVERIFY(booth.ready());
        QString book;
        while (book.size() < 1'000'000) {
            book += sourceText(6);
        }
        QElapsedTimer clock;
        clock.start();
        booth.paste(book);
        QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(booth.sentencesOver(6));
        // A frame with everything that waits stays short.
        clock.restart();
        booth.view().viewport()->repaint();
        QVERIFY2(clock.elapsed() < 500, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(booth.view().layout().sentenceCount() < booth.text().firstOpen() + kWaitingSentencesPlaced + 2);
        booth.page().newPage();
        QVERIFY(booth.text().isEmpty());
    }
};

QTEST_MAIN(UiTranslationPageTest)
#include "tst_ui_translation_page.moc"
