// The translation under the captions: chosen by key or button, each under its line, from one run a page, moving nothing, saved with the captions.
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QtTest>

#include "core/base/file.h"
#include "tests/ui/desk.h"
#include "tests/ui/translation/translation_fakes.h"
#include "ui/captions/transcript_view.h"
#include "ui/captions/translate_choice.h"
#include "ui/overlay/overlay_canvas.h"
#include "ui/overlay/overlay_desk.h"
#include "ui/translation/captions_translation.h"
#include "ui/translation/translation_choices.h"
#include "ui/translation/translation_page.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

QString source(std::size_t sentence)
{
    return QString::fromStdString(learntSentences()[sentence].source);
}

QString target(std::size_t sentence)
{
    QStringList words;
    for (const LearntWord &word : learntSentences()[sentence].target) {
        words << QString::fromStdString(word.text);
    }
    return words.join(QLatin1Char(' '));
}

// A window on its Captions page, with a translator that knows some sentences by heart.
struct Room : Desk {
    explicit Room(QSize size = {1280, 800}, ThemeChoice theme = ThemeChoice::Light)
        : Desk(addFrench)
    {
        window->resize(size);
        window->settings().update([theme](Settings &s) { s.theme = theme; });
        is_ready = ready() && until([this] { return !choice().choices() && !choice().button().accessibleName().isEmpty(); });
    }
    [[nodiscard]] TranscriptView &view() const { return window->captions().transcriptView(); }
    [[nodiscard]] TranslateChoice &choice() const { return window->captions().choicesRow().translate(); }
    [[nodiscard]] QString under(int paragraph) const
    {
        const std::vector<QString> &rows = view().translatedRows(paragraph);
        return QStringList(rows.begin(), rows.end()).join(QLatin1Char(' '));
    }
    [[nodiscard]] static QStringList titlesOf(const QMenu &menu)
    {
        QStringList titles;
        for (const QAction *action : menu.actions()) {
            if (!action->isSeparator()) {
                titles << action->text();
            }
        }
        return titles;
    }
    // By its key and the menu, as a person does.
    [[nodiscard]] bool chooses(const QString &title) const
    {
        press(Qt::Key_T);
        QMenu *menu = choice().menu();
        if (menu == nullptr || !menu->isVisible()) {
            return false;
        }
        for (QAction *action : menu->actions()) {
            if (action->text() == title && action->isEnabled()) {
                menu->setActiveAction(action);
                QTest::keyClick(menu, Qt::Key_Return);
                return true;
            }
        }
        menu->close();
        return false;
    }
    void listens() const
    {
        press(Qt::Key_Space);
        backend->listen(30);
    }
    void says(const QString &sentence, double start_s, bool ends_line = true) const
    {
        text::Transcript items = transcriptOf(words(sentence, start_s));
        if (ends_line) {
            items.emplace_back(text::LineBreak{std::get<text::Word>(items.back()).end_sample});
        }
        backend->say(captions::Committed{items});
    }
    bool is_ready = false;
};

const QString kFrench = QStringLiteral("English \u2192 French");
const QString kOff = QStringLiteral("No translation");

// Every paragraph in the words it is given.
class GivenTranslations : public LineTranslations {
  public:
    [[nodiscard]] std::vector<TranslatedPiece> pieces(int paragraph) const override
    {
        std::vector<TranslatedPiece> pieces;
        for (const QString &word : given.value(paragraph).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
            pieces.push_back({word, false});
        }
        return pieces;
    }
    [[nodiscard]] text::Transcript transcript() const override { return {}; }
    void give(int paragraph, const QString &words)
    {
        given[paragraph] = words;
        Q_EMIT grew(paragraph);
    }
    QMap<int, QString> given;
};

struct Sheet {
    Sheet()
    {
        appearance.setMotion(Motion::Reduced);
        view = std::make_unique<TranscriptView>(model, appearance);
        view->resize(600, 300);
        view->show();
        view->setTranslations(&translations);
    }
    void addLine(const QString &sentence)
    {
        text::Transcript items = transcriptOf(words(sentence, lines * 4.0));
        items.emplace_back(text::LineBreak{samplesFromSeconds(lines++ * 4.0 + 3.9)});
        model.append(items);
    }
    [[nodiscard]] std::vector<QRectF> places() const
    {
        std::vector<QRectF> places;
        for (int word = 0; word < model.wordCount(); ++word) {
            places.push_back(view->layout().wordRect({WordPart::Settled, word}));
        }
        return places;
    }
    TranscriptModel model;
    Appearance appearance;
    GivenTranslations translations;
    std::unique_ptr<TranscriptView> view;
    int lines = 0;
};

}  // namespace

class UiCaptionsTranslationTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theMenuOffersEveryTranslatorByItsLanguages()
    {
        const Room room;
        QVERIFY(room.is_ready);
        QCOMPARE(room.choice().button().text(), QStringLiteral("Translate"));
        QVERIFY(room.until([&] {
            room.press(Qt::Key_T);
            return room.choice().menu() != nullptr && Room::titlesOf(*room.choice().menu()).contains(kFrench);
        }));
        QMenu &menu = *room.choice().menu();
        QCOMPARE(Room::titlesOf(menu),
                 (QStringList{kOff, kFrench, QStringLiteral("half-a-model (cannot be used)"), QStringLiteral("Get a better model\u2026")}));
        QVERIFY(menu.actions().front()->isChecked());
        menu.close();
    }
    void everyLineHasItsTranslationUnderIt()
    {
        const Room room;
        QVERIFY(room.is_ready);
        QVERIFY(room.until([&] { return room.chooses(kFrench); }));
        QCOMPARE(room.choice().button().text(), QStringLiteral("\u2192 French"));
        QVERIFY(room.choice().button().accessibleName().contains(QStringLiteral("French")));
        room.listens();
        room.says(source(0), 0.5);
        room.says(source(2), 6);
        QVERIFY(room.until([&] { return room.under(1) == target(2); }));
        QCOMPARE(room.under(0), target(0));
        // What is being said is translated as it grows; its end, when listening ends.
        room.says(source(3).section(QLatin1Char(' '), 0, 6), 20, false);
        QVERIFY(room.until([&] { return room.under(2).startsWith(QStringLiteral("De nos")); }));
        QVERIFY(room.under(2) != target(3));
        room.backend->finish();
        QVERIFY(room.until([&] { return room.under(2).endsWith(QStringLiteral("rare.")); }));
        // One run for the page: another capture goes on with it.
        room.listens();
        room.says(source(5), 1);
        QVERIFY(room.until([&] { return room.under(4) == target(5); }));  // 3: the heading of the second capture
        QCOMPARE(room.under(3), QString());
        std::size_t journals = 0;
        for ([[maybe_unused]] const auto &folder : std::filesystem::directory_iterator(room.folder.path().toStdString() + "/sessions")) {
            ++journals;
        }
        QCOMPARE(journals, std::size_t(1));
    }
    void switchingItOffGivesTheRoomBack()
    {
        const Room room;
        QVERIFY(room.is_ready);
        room.listens();
        room.says(source(0), 0.5);
        room.says(source(1), 6);
        QVERIFY(room.until([&] { return room.transcript().wordCount() > 12; }));
        const QRectF before = room.view().layout().wordRect({WordPart::Settled, 12});
        QVERIFY(room.until([&] { return room.chooses(kFrench); }));
        // What was said before it was chosen is translated as well.
        QVERIFY(room.until([&] { return room.under(1) == target(1); }));
        QVERIFY(room.view().layout().wordRect({WordPart::Settled, 12}).top() > before.top());
        QVERIFY(room.chooses(kOff));
        QVERIFY(room.window->settings().values().captions_translator.isEmpty());
        QCOMPARE(room.view().layout().wordRect({WordPart::Settled, 12}), before);
        QCOMPARE(room.under(1), QString());
    }
    void anEmptyPageHasNone()
    {
        const Room room;
        QVERIFY(room.is_ready);
        QVERIFY(room.until([&] { return room.chooses(kFrench); }));
        room.listens();
        room.says(source(0), 0.5);
        QVERIFY(room.until([&] { return room.under(0) == target(0); }));
        room.backend->finish();
        QVERIFY(room.until([&] { return room.window->controller().activity() == RunActivity::Idle; }));
        room.window->captions().newPage();
        QCOMPARE(room.under(0), QString());
        room.listens();
        room.says(source(1), 0.5);
        QVERIFY(room.until([&] { return room.under(0) == target(1); }));
    }
    void aTranslatorThatIsGoneIsNamed()
    {
        const Room room;
        QVERIFY(room.is_ready);
        QVERIFY(room.until([&] { return room.window->translation().choicesRow().listsArrived(); }));
        room.window->settings().update([](Settings &s) { s.captions_translator = QStringLiteral("translate-en-xx"); });
        QVERIFY(room.until([&] { return room.window->captions().notices().sentences().join(QString()).contains(QStringLiteral("translate-en-xx")); }));
        QVERIFY(room.chooses(kOff));
        QVERIFY(room.window->captions().notices().sentences().isEmpty());
    }
    void aTranslatorThatFailsIsNotTriedWithEveryWord()
    {
        Desk desk([](Services &services) {
            addFrench(services);
            services.make_translation_kit = [] {
                TranslationKit kit;
                kit.backend = std::make_unique<TranslationEngineBackend>();
                kit.make_translator = [](const TranslatorChoices &) {
                    const auto refuse = [](const auto &, std::stop_token) -> std::unique_ptr<translation::TranslationModel> {
                        throw Error(ErrorKind::Model, "the weights are damaged", "translate-en-fr", "Fetch the model again");
                    };
                    return translation::Translator{refuse, "translate-en-fr"};
                };
                return kit;
            };
        });
        QVERIFY(desk.ready());
        desk.window->settings().update([](Settings &s) { s.captions_translator = QStringLiteral("translate-en-fr"); });
        const auto says = [&desk](std::size_t sentence, double start_s) {
            desk.backend->say(captions::Committed{transcriptOf(words(source(sentence), start_s))});
            const int before = desk.transcript().wordCount();
            return desk.until([&] { return desk.transcript().wordCount() > before; });
        };
        desk.press(Qt::Key_Space);
        desk.backend->listen(30);
        QVERIFY(says(0, 0.5));
        QVERIFY(desk.until([&] { return desk.window->captions().notices().sentences().join(QString()).contains(QStringLiteral("the weights are damaged")); }));
        QVERIFY(desk.until([&] { return desk.window->captionsTranslation()->controller().activity() == RunActivity::Idle; }));
        QVERIFY(says(1, 6));
        QVERIFY(desk.window->captionsTranslation()->controller().activity() == RunActivity::Idle);
    }
    void theOverlayShowsTheSameTranslation()
    {
        const Room room;
        QVERIFY(room.is_ready);
        QVERIFY(room.until([&] { return room.chooses(kFrench); }));
        const QString file = room.folder.filePath(QStringLiteral("live.txt"));
        room.window->settings().update([&](Settings &s) {
            s.overlay.shows = OverlayShows::Both;
            s.overlay.text_file = file;
        });
        room.listens();
        room.says(source(5), 0.5);
        const auto lines = [&file] {
            QFile written(file);
            return written.open(QIODevice::ReadOnly) ? QString::fromUtf8(written.readAll()) : QString();
        };
        QVERIFY(room.until([&] { return lines().contains(target(5)); }));
        QVERIFY2(lines().startsWith(source(5)), qPrintable(lines()));
    }
    void itIsSavedAloneOrUnderTheOriginal()
    {
        const Room room;
        QVERIFY(room.is_ready);
        QVERIFY(room.until([&] { return room.chooses(kFrench); }));
        room.listens();
        room.says(source(0), 0.5);
        room.says(source(5), 9);
        QVERIFY(room.until([&] { return room.under(1) == target(5); }));
        const auto saved = [&](const char *name, ExportedText which) {
            const std::filesystem::path file = room.folder.filePath(QLatin1String(name)).toStdString();
            return room.window->captions().saveTranscriptTo(file, which) ? QString::fromStdString(readTextFile(file, 1U << 20)) : QString();
        };
        QCOMPARE(saved("one.txt", ExportedText::Original), source(0) + QLatin1Char('\n') + source(5) + QLatin1Char('\n'));
        QCOMPARE(saved("two.txt", ExportedText::Translation), target(0) + QLatin1Char('\n') + target(5) + QLatin1Char('\n'));
        QCOMPARE(saved("both.txt", ExportedText::Both),
                 source(0) + QLatin1Char('\n') + target(0) + QStringLiteral("\n\n") + source(5) + QLatin1Char('\n') + target(5) + QLatin1Char('\n'));
        const QString cues = saved("both.srt", ExportedText::Both);
        QVERIFY2(cues.startsWith(QStringLiteral("1\n00:00:00,500 --> ")), qPrintable(cues));
        QVERIFY2(cues.contains(source(5) + QLatin1Char('\n') + target(5) + QLatin1Char('\n')), qPrintable(cues));
        QVERIFY(exportedTextOf(0) == ExportedText::Original);
        const int first = static_cast<int>(exportFilters().size());
        QVERIFY(bilingualFilters()[first].contains(QStringLiteral("translation")) && exportedTextOf(first) == ExportedText::Translation);
        QVERIFY(bilingualFilters().back().contains(QStringLiteral("both")) &&
                exportedTextOf(static_cast<int>(bilingualFilters().size()) - 1) == ExportedText::Both);
        QVERIFY(!room.window->captions().saveTranscriptTo(room.folder.filePath(QStringLiteral("a.json")).toStdString(), ExportedText::Both));
    }
    // --- where it stands -------------------------------------------------------------------------------------------------------------
    void nothingMovesAsItComes()
    {
        Sheet sheet;
        for (int line = 0; line < 4; ++line) {
            sheet.addLine(QStringLiteral("a line that is said in so many words that it takes two rows of the page and then some more"));
        }
        const std::vector<QRectF> before = sheet.places();
        const int scrolled = sheet.view->verticalScrollBar()->value();
        QString words;
        for (int word = 0; word < 14; ++word) {
            words += QStringLiteral(" parole%1").arg(word);
            const QString first = sheet.view->translatedRows(2).empty() ? QString() : sheet.view->translatedRows(2).front();
            sheet.translations.give(2, words);
            QVERIFY(sheet.view->translatedRows(2).front().startsWith(first));
            QVERIFY(sheet.places() == before);
            QCOMPARE(sheet.view->verticalScrollBar()->value(), scrolled);
        }
        QVERIFY(sheet.view->translatedRows(2).size() >= 2);
        // Room for each row of it lies under a row of words, and above the next one.
        const auto &rows = sheet.view->layout().rows();
        for (std::size_t row = 1; row < rows.size(); ++row) {
            QVERIFY(rows[row].top >= rows[row - 1].top + sheet.view->layout().shape().line_height + sheet.view->layout().shape().translation_height);
        }
    }
    void oneThatNeedsMoreRowsMovesOnlyWhatStandsBelow()
    {
        Sheet sheet;
        for (int line = 0; line < 12; ++line) {
            sheet.addLine(QStringLiteral("short line %1").arg(line));
        }
        // Reading in the middle: what is read stays where it is on the screen, although lines above it need more room.
        sheet.view->verticalScrollBar()->setValue(sheet.view->verticalScrollBar()->maximum() / 2);
        QVERIFY(sheet.view->following() == Following::Stopped);
        const std::vector<QRectF> before = sheet.places();
        const std::size_t top_row = sheet.view->layout().firstRowBelow(sheet.view->verticalScrollBar()->value());
        const WordRef read{WordPart::Settled, sheet.view->layout().rows()[top_row].first_word};
        const QRectF on_screen = sheet.view->wordRectInViewport(read);
        sheet.translations.give(1,
                                QStringLiteral("une traduction beaucoup plus longue que la ligne qu'elle traduit, et de loin, sans aucun doute possible ici"));
        QCOMPARE(sheet.view->translatedRows(1).size(), std::size_t(2));
        QCOMPARE(sheet.view->wordRectInViewport(read), on_screen);
        const std::vector<QRectF> after = sheet.places();
        const double moved = sheet.view->layout().shape().translation_height;
        for (std::size_t word = 0; word < before.size(); ++word) {
            QCOMPARE(after[word].top() - before[word].top(), word < 6 ? 0.0 : moved);  // three words a line
        }
    }
    void itIsReadOutLineByLine()
    {
        const Room room;
        QVERIFY(room.is_ready);
        QVERIFY(room.until([&] { return room.chooses(kFrench); }));
        QStringList told;
        connect(room.window->captionsTranslation(), &LineTranslations::sentenceSettled, this, [&told](const QString &line) { told << line; });
        room.listens();
        room.says(source(0), 0.5);
        room.says(source(1), 6);
        QVERIFY(room.until([&] { return told.size() == 2; }));
        QCOMPARE(told, (QStringList{target(0), target(1)}));
    }
    void pictures_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::addColumn<QSize>("size");
        QTest::newRow("captions-translated-light-small") << ThemeChoice::Light << QSize(640, 400);
        QTest::newRow("captions-translated-dark-small") << ThemeChoice::Dark << QSize(640, 400);
        QTest::newRow("captions-translated-light") << ThemeChoice::Light << QSize(1280, 800);
        QTest::newRow("captions-translated-dark") << ThemeChoice::Dark << QSize(1280, 800);
    }
    void pictures()
    {
        QFETCH(ThemeChoice, theme);
        QFETCH(QSize, size);
        const Room room(size, theme);
        QVERIFY(room.is_ready);
        QVERIFY(room.until([&] { return room.chooses(kFrench); }));
        room.listens();
        double start = 0.5;
        for (std::size_t sentence = 0; sentence < 5; ++sentence, start += 8) {
            room.says(source(sentence), start);
        }
        room.says(source(5).section(QLatin1Char(' '), 0, 4), start, false);
        room.backend->show([start](captions::CaptionSnapshot &s) { s.tail = words(QStringLiteral("makes fine"), start + 3); });
        QVERIFY(room.until([&] { return room.under(5).startsWith(QStringLiteral("Le")); }));
        QVERIFY(QDir().mkpath(QStringLiteral(BRAID_SCREENSHOTS)));
        QVERIFY(room.window->grab().toImage().save(QStringLiteral(BRAID_SCREENSHOTS "/%1.png").arg(QLatin1String(QTest::currentDataTag()))));
        if (size.width() > 1000) {
            room.press(Qt::Key_T);
            QVERIFY(room.until([&] { return room.choice().menu() != nullptr && room.choice().menu()->isVisible(); }));
            QVERIFY(room.choice().menu()->grab().save(QStringLiteral(BRAID_SCREENSHOTS "/%1-menu.png").arg(QLatin1String(QTest::currentDataTag()))));
            room.choice().menu()->close();
        }
    }
};

QTEST_MAIN(UiCaptionsTranslationTest)
#include "tst_ui_captions_translation.moc"
