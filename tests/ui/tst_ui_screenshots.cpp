// Pictures of the window in its main states, written to the build folder to be looked at, and tested by properties: nothing is cut
// off at the edges, the states differ where they should, and drawing twice gives the same picture.
#include <QDir>
#include <QFontDatabase>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/fakes.h"
#include "ui/main_window.h"
#include "ui/pages/choices_row.h"
#include "ui/pages/history_page.h"
#include "ui/timeline/timeline_view.h"
#include "ui/transcript/transcript_view.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

constexpr int kPatienceMs = 20000;
const char *const kSpeech = "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. It is easy to tell the depth of a well.";

struct Studio {
    explicit Studio(QSize size, ThemeChoice theme = ThemeChoice::Light)
    {
        Services services = fakeServices(backend, player, folder.path().toStdString());
        services.sample_file = "/samples/sample.flac";
        window = std::make_unique<MainWindow>(std::move(services));
        window->settings().update([theme](Settings &s) {
            s.theme = theme;
            s.motion = MotionChoice::Reduced;
        });
        window->resize(size);
        window->show();
        isReady = QTest::qWaitFor([this] { return window->captions().choicesRow().listsArrived(); }, kPatienceMs);
    }
    // As after some sentences, the last of them still on its way.
    void speak()
    {
        window->captions().startOrStop();
        std::vector<text::Word> all;
        text::Transcript items;
        double at = 0.4;
        for (const QString &sentence : QString::fromLatin1(kSpeech).split(QStringLiteral(". "))) {
            const auto said = words(sentence.endsWith(QLatin1Char('.')) ? sentence : sentence + QLatin1Char('.'), at);
            at = secondsFromSamples(said.back().end_sample) + 0.8;
            all.insert(all.end(), said.begin(), said.end());
            for (const auto &item : transcriptOf(said)) {
                items.push_back(item);
            }
            items.emplace_back(text::LineBreak{samplesFromSeconds(at)});
        }
        items.emplace_back(text::Gap{samplesFromSeconds(at), samplesFromSeconds(2.4), "the microphone was unplugged"});
        at += 3;
        const auto line = words(QStringLiteral("These days a chicken leg is a rare"), at);
        for (const auto &item : transcriptOf(line)) {
            items.push_back(item);
        }
        auto tail = words(QStringLiteral("dish rice is often"), secondsFromSamples(line.back().end_sample) + 0.1);
        tail[1].revision_count = 2;
        tail[1].revised_from = "rise";
        all.insert(all.end(), line.begin(), line.end());
        all.insert(all.end(), tail.begin(), tail.end());
        const double heard = secondsFromSamples(tail.back().end_sample) + 0.3;
        backend->recording = soundOf(all, samplesFromSeconds(heard));
        backend->say(engine::Started{"Desk Microphone", "captions-en", "local-agreement"});
        backend->say(engine::Committed{items});
        backend->listen(heard);
        backend->show([&](engine::CaptionSnapshot &s) {
            s.tail = tail;
            std::vector<text::Word> newest(all.end() - 12, all.end());
            s.attention = attentionOver(newest);
        });
        QVERIFY(QTest::qWaitFor([&] { return !window->controller().transcript().tail().empty() && window->controller().peaks().samples() == samplesFromSeconds(heard); }, kPatienceMs));
    }
    QImage picture(const QString &name)
    {
        QDir().mkpath(QStringLiteral(BRAID_SCREENSHOTS));
        QApplication::processEvents();
        const QImage image = window->grab().toImage();
        image.save(QStringLiteral(BRAID_SCREENSHOTS "/%1.png").arg(name));
        return image;
    }
    QTemporaryDir folder;
    ScriptedBackend *backend = nullptr;
    RememberingPlayer *player = nullptr;
    std::unique_ptr<MainWindow> window;
    bool isReady = false;
};

int pixelsOf(const QImage &image, const QColor &colour)
{
    int count = 0;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            count += image.pixel(x, y) == colour.rgb() ? 1 : 0;
        }
    }
    return count;
}

}  // namespace

class UiScreenshotsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void empty()
    {
        Studio studio({1280, 800});
        QVERIFY(studio.isReady);
        const QImage image = studio.picture(QStringLiteral("empty"));
        QCOMPARE(image, studio.picture(QStringLiteral("empty")));
        QVERIFY(pixelsOf(image, themeFor(ThemeKind::Light).colour(ColourToken::Paper)) > image.width() * image.height() / 4);
    }
    void loading()
    {
        Studio studio({1280, 800});
        QVERIFY(studio.isReady);
        studio.window->captions().startOrStop();
        studio.backend->show([](engine::CaptionSnapshot &s) {
            s.activity = "loading captions-en (40 %)";
            s.loading_fraction = 0.4;
        });
        QTest::qWait(60);
        studio.picture(QStringLiteral("loading"));
    }
    void listening_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("listening") << QSize(1280, 800) << ThemeChoice::Light;
        QTest::newRow("dark") << QSize(1280, 800) << ThemeChoice::Dark;
        QTest::newRow("high-contrast-dark") << QSize(1280, 800) << ThemeChoice::HighContrastDark;
        QTest::newRow("small") << QSize(800, 500) << ThemeChoice::Light;
        QTest::newRow("large") << QSize(1920, 1080) << ThemeChoice::Light;
    }
    void listening()
    {
        QFETCH(QSize, size);
        QFETCH(ThemeChoice, theme);
        Studio studio(size, theme);
        QVERIFY(studio.isReady);
        studio.speak();
        const QImage image = studio.picture(QString::fromLatin1(QTest::currentDataTag()));
        // The window is as large as asked: nothing in it forces it wider.
        QCOMPARE(image.size(), size);
        // Every word of the newest line stands inside the page.
        TranscriptView &view = studio.window->captions().transcriptView();
        const TranscriptModel &model = studio.window->controller().transcript();
        for (int index = 0; index < static_cast<int>(model.tail().size()); ++index) {
            QVERIFY(QRectF(view.viewport()->rect()).contains(view.wordRectInViewport({WordPart::Tail, index})));
        }
        // No control of the row is squeezed away or runs over the next.
        ChoicesRow &row = studio.window->captions().choicesRow();
        QList<QWidget *> controls;
        for (QWidget *child : row.findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
            if (child->isVisible()) {
                QVERIFY2(child->width() >= 50 && row.rect().contains(child->geometry()), qPrintable(child->objectName()));
                for (QWidget *other : controls) {
                    QVERIFY(!other->geometry().intersects(child->geometry()));
                }
                controls << child;
            }
        }
        // The wave is drawn where words are.
        QVERIFY(pixelsOf(image, studio.window->appearance().colour(ColourToken::Wave)) > 200);
    }
    void longTranscriptScrolledUp()
    {
        Studio studio({1280, 800});
        QVERIFY(studio.isReady);
        studio.speak();
        text::Transcript items;
        for (int line = 0; line < 400; ++line) {
            for (const auto &item : transcriptOf(words(QStringLiteral("line %1 of a long talk about this and that and more").arg(line), 30 + line * 4.0))) {
                items.push_back(item);
            }
            items.emplace_back(text::LineBreak{});
        }
        studio.backend->say(engine::Committed{items});
        QVERIFY(QTest::qWaitFor([&] { return studio.window->controller().transcript().wordCount() > 4000; }, kPatienceMs));
        TranscriptView &view = studio.window->captions().transcriptView();
        QTest::keyClick(&view, Qt::Key_PageUp);
        studio.window->captions().find();
        QTest::keyClicks(studio.window->findChild<QWidget *>(QStringLiteral("findField")), QStringLiteral("line 39"));
        studio.picture(QStringLiteral("long"));
        QVERIFY(view.following() == Following::Stopped);
    }
    void pinnedAndPlaying()
    {
        Studio studio({1280, 800});
        QVERIFY(studio.isReady);
        studio.speak();
        TranscriptView &view = studio.window->captions().transcriptView();
        const int word = studio.window->controller().transcript().wordCount() - 3;
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.wordRectInViewport({WordPart::Settled, word}).center().toPoint());
        studio.player->at = studio.window->controller().transcript().word(word).start_sample + 10;
        QTest::qWait(60);
        const QImage image = studio.picture(QStringLiteral("playing"));
        QVERIFY(pixelsOf(image, themeFor(ThemeKind::Light).colour(ColourToken::Highlight)) > 100);
    }
    void errorAndRecovery()
    {
        Studio studio({1280, 800});
        QVERIFY(studio.isReady);
        engine::RecoveredJournal journal;
        journal.sound_samples = samplesFromSeconds(12 * 60);
        journal.folder = "/home/ada/.local/share/braid/sessions/20261120-221500-001";
        studio.window->captions().offerRecovery({journal});
        studio.window->captions().startOrStop();
        studio.backend->say(engine::Failed{ErrorKind::Model, "/models/captions-en/model.safetensors: the file ends in the middle of its header. Fetch the model again."});
        studio.backend->finish();
        QVERIFY(QTest::qWaitFor([&] { return studio.window->controller().activity() == RunActivity::Idle; }, kPatienceMs));
        studio.picture(QStringLiteral("error"));
        QCOMPARE(studio.window->captions().notices().sentences().size(), 2);
    }
    void presenting_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("presenting") << ThemeChoice::Light;
        QTest::newRow("presenting-dark") << ThemeChoice::Dark;
    }
    void presenting()
    {
        QFETCH(ThemeChoice, theme);
        Studio studio({1280, 720}, theme);
        QVERIFY(studio.isReady);
        studio.speak();
        studio.window->present(Presentation::Presenting);
        studio.window->resize(1280, 720);
        const QImage image = studio.picture(QString::fromLatin1(QTest::currentDataTag()));
        // Three colours at most, and what lies between them at the edges of letters: paper, ink, soft ink; no accent, no line.
        QCOMPARE(pixelsOf(image, studio.window->appearance().colour(ColourToken::Accent)), 0);
        QVERIFY(pixelsOf(image, studio.window->appearance().colour(ColourToken::Paper)) > image.width() * image.height() / 2);
    }
    void pages()
    {
        Studio studio({1280, 800});
        QVERIFY(studio.isReady);
        const std::filesystem::path journals = std::filesystem::path(studio.folder.path().toStdString()) / "sessions";
        std::filesystem::create_directories(journals);
        for (const char *sentence : {"The birch canoe slid on the smooth planks and then it was gone", "We meet again on Thursday to decide about the bridge"}) {
            const auto said = words(QString::fromLatin1(sentence), 0.2);
            engine::JournalWriter writer(journals, {"2026-11-20T22:15:00Z", "Desk Microphone", "captions-en", "local-agreement"});
            writer.appendSound(soundOf(said, samplesFromSeconds(61)));
            const auto items = transcriptOf(said);
            writer.appendItems(items);
            writer.finish();
        }
        QSignalSpy refreshed(&studio.window->historyPage(), &HistoryPage::refreshed);
        studio.window->showPage(PageName::Models);
        studio.picture(QStringLiteral("models"));
        studio.window->showPage(PageName::Settings);
        studio.picture(QStringLiteral("settings"));
        studio.window->showPage(PageName::History);
        QVERIFY(refreshed.count() > 0 || refreshed.wait(kPatienceMs));
        studio.picture(QStringLiteral("history"));
        QCOMPARE(studio.window->historyPage().shownSessions(), 2);
    }
};

QTEST_MAIN(UiScreenshotsTest)
#include "tst_ui_screenshots.moc"
