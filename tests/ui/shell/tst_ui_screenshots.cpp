// Pictures of the window in its main states, written to the build folder to be looked at, and tested by properties: nothing is cut
// off at the edges, the states differ where they should, and drawing twice gives the same picture.
#include <QDir>
#include <QFontDatabase>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/ui/fakes.h"
#include "tests/ui/kept_runs.h"
#include "ui/captions/choices_row.h"
#include "ui/captions/timeline_view.h"
#include "ui/captions/transcript_view.h"
#include "ui/captions/tuning_controls.h"
#include "ui/captions/word_card.h"
#include "ui/compare/compare_page.h"
#include "ui/inspector/inspector_panel.h"
#include "ui/library/history_page.h"
#include "ui/shared/choice_box.h"
#include "ui/shell/main_window.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

constexpr int kPatienceMs = 20000;
const char *const kSpeech = "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. It is easy to tell the depth of a well.";

// The state of a causal encoder after `seconds` of sound, as a base-sized Whisper has it.
std::shared_ptr<const captions::EncoderState> encoderAfter(double seconds)
{
    auto state = std::make_shared<captions::EncoderState>();
    const captions::Chunking chunking;
    for (std::int64_t block = 0; chunking.blockEnd(block) * 320 <= samplesFromSeconds(seconds); ++block) {
        state->block_ends.push_back(static_cast<std::int32_t>(chunking.blockEnd(block)));
    }
    state->encoder_layers = 6;
    state->maximum_frames = 1500;
    const auto frames = static_cast<std::uint64_t>(state->block_ends.empty() ? 0 : state->block_ends.back());
    state->encoder_cache_bytes = frames * 512 * 2 * 4 * 6;
    state->sound_cache_bytes = frames * 512 * 2 * 4 * 6;
    state->token_cache_bytes = 31 * 512 * 2 * 4 * 6;
    state->encode_ms = 14.2;
    state->decode_ms = 21.7;
    return state;
}

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
            auto said = words(sentence.endsWith(QLatin1Char('.')) ? sentence : sentence + QLatin1Char('.'), at);
            at = secondsFromSamples(said.back().end_sample) + 0.8;
            said[1].probability = 0.31F;
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
        tail[1].revised_from = "raise";
        all.insert(all.end(), line.begin(), line.end());
        all.insert(all.end(), tail.begin(), tail.end());
        const double heard = secondsFromSamples(tail.back().end_sample) + 0.3;
        backend->recording = soundOf(all, samplesFromSeconds(heard));
        backend->say(captions::Started{"Desk Microphone", "captions-en", "local-agreement"});
        backend->say(captions::Committed{items});
        backend->listen(heard);
        backend->show([&](captions::CaptionSnapshot &s) {
            s.tail = tail;
            std::vector<text::Word> newest(all.end() - 12, all.end());
            s.attention = attentionOver(newest);
            s.policy = "streaming";
            s.encoder = encoderAfter(heard - 4);
            std::vector<runtime::StepTiming> steps;
            for (int step = 0; step < 90; ++step) {
                const double decode = 18 + 9 * std::abs(std::sin(step * 1.3)) + (step % 23 == 0 ? 40 : 0);
                steps.push_back(
                    {samplesFromSeconds(heard) - samplesFromMs(300) * (90 - step), samplesFromMs(300), 15 + decode + 2, 13 + std::sin(step), decode, 4});
            }
            s.steps = std::make_shared<const std::vector<runtime::StepTiming>>(steps);
            s.statistics.steps = 90;
            s.statistics.decoder_steps = 371;
            s.statistics.step_ms_median = 41.8;
            s.statistics.step_ms_p95 = 79.3;
            const auto changed = [&](double back_s, const char *before, const char *after) {
                return captions::Revision{samplesFromSeconds(heard - back_s), samplesFromSeconds(heard - back_s - 0.6),
                                          samplesFromSeconds(heard - back_s - 0.3), before, after};
            };
            std::vector<captions::Revision> revisions = {changed(11.2, "Blue", "Glue"), changed(9.4, "see", "sheet"), changed(8, "back ground", "background"),
                                                         changed(5.3, "tale", "tell"), changed(4.2, "debt", "depth")};
            revisions.push_back({samplesFromSeconds(heard - 0.6), tail[1].start_sample, tail[1].end_sample, "rise", "raise"});
            revisions.push_back({samplesFromSeconds(heard - 0.3), tail[1].start_sample, tail[1].end_sample, "raise", "rice"});
            s.revisions = std::make_shared<const std::vector<captions::Revision>>(revisions);
            s.statistics.revisions = 7;
        });
        QVERIFY(QTest::qWaitFor(
            [&] { return !window->controller().transcript().tail().empty() && window->controller().peaks().samples() == samplesFromSeconds(heard); },
            kPatienceMs));
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
        studio.backend->show([](captions::CaptionSnapshot &s) {
            s.activity = "loading captions-en (40 %)";
            s.loading_fraction = 0.4;
        });
        QTest::qWait(60);
        studio.picture(QStringLiteral("loading"));
    }
    void smallest_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("smallest") << ThemeChoice::Light;
        QTest::newRow("smallest-dark") << ThemeChoice::Dark;
    }
    void smallest()
    {
        QFETCH(ThemeChoice, theme);
        const QSize size(640, 400);
        Studio studio(size, theme);
        QVERIFY(studio.isReady);
        studio.speak();
        QCOMPARE(studio.picture(QString::fromLatin1(QTest::currentDataTag())).size(), size);
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
    void inspectorTabs_data()
    {
        QTest::addColumn<int>("tab");
        QTest::addColumn<QSize>("size");
        QTest::addColumn<ThemeChoice>("theme");
        const char *const names[] = {"token", "attention", "timing", "changes", "cache"};
        for (int tab = 1; tab <= kInspectorTabs; ++tab) {
            QTest::addRow("inspector-%s", names[tab - 1]) << tab << QSize(1280, 800) << ThemeChoice::Light;
            QTest::addRow("inspector-%s-dark", names[tab - 1]) << tab << QSize(1280, 800) << ThemeChoice::Dark;
        }
        QTest::newRow("inspector-cache-small") << 5 << QSize(800, 500) << ThemeChoice::Light;
        QTest::newRow("inspector-cache-large") << 5 << QSize(1920, 1080) << ThemeChoice::Dark;
    }
    void inspectorTabs()
    {
        QFETCH(int, tab);
        QFETCH(QSize, size);
        QFETCH(ThemeChoice, theme);
        Studio studio(size, theme);
        QVERIFY(studio.isReady);
        studio.speak();
        studio.window->captions().openInspectorTab(tab);
        TranscriptView &view = studio.window->captions().transcriptView();
        QTest::mouseMove(view.viewport(), view.wordRectInViewport({WordPart::Tail, 1}).center().toPoint());
        const QImage image = studio.picture(QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(image.size(), size);
        // Whatever it is, the panel shows it in the accent: bars, mask, steps, the tab itself.
        const InspectorPanel &panel = studio.window->captions().inspector();
        QVERIFY(pixelsOf(image, studio.window->appearance().colour(ColourToken::Accent)) > 40);
        QVERIFY(panel.width() >= 220);
    }
    void card_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("card") << ThemeChoice::Light;
        QTest::newRow("card-dark") << ThemeChoice::Dark;
    }
    void card()
    {
        QFETCH(ThemeChoice, theme);
        Studio studio({1280, 800}, theme);
        QVERIFY(studio.isReady);
        studio.speak();
        TranscriptView &view = studio.window->captions().transcriptView();
        const QPoint at = view.wordRectInViewport({WordPart::Tail, 1}).center().toPoint();
        QTest::mouseMove(view.viewport(), at);
        QHelpEvent rest(QEvent::ToolTip, at, view.viewport()->mapToGlobal(at));
        QApplication::sendEvent(view.viewport(), &rest);
        QVERIFY(studio.window->captions().wordCard().isVisible());
        studio.picture(QString::fromLatin1(QTest::currentDataTag()));
    }
    void lowProbability()
    {
        Studio studio({1280, 800});
        QVERIFY(studio.isReady);
        studio.window->settings().update([](Settings &s) { s.shows_low_probability = true; });
        studio.speak();
        studio.picture(QStringLiteral("low-probability"));
    }
    void tuning_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::addColumn<QString>("policy");
        QTest::newRow("tuning") << ThemeChoice::Light << "streaming";
        QTest::newRow("tuning-dark") << ThemeChoice::Dark << "streaming";
        QTest::newRow("tuning-without-beams") << ThemeChoice::Light << "local-agreement";
    }
    void tuning()
    {
        QFETCH(ThemeChoice, theme);
        QFETCH(QString, policy);
        Studio studio({1280, 800}, theme);
        QVERIFY(studio.isReady);
        studio.window->settings().update([&policy](Settings &s) { s.tuning = {policy, {}, 300, 5, 2}; });
        studio.speak();
        TuningControls &controls = studio.window->captions().choicesRow().tuning();
        controls.openPanel();
        // The panel is a window of its own: its picture is laid where it opens.
        QImage image = studio.picture(QStringLiteral("tuning-under"));
        QPainter painter(&image);
        controls.panel().render(&painter, studio.window->mapFromGlobal(controls.panel().pos()));
        painter.end();
        image.save(QStringLiteral(BRAID_SCREENSHOTS "/%1.png").arg(QString::fromLatin1(QTest::currentDataTag())));
        QFile::remove(QStringLiteral(BRAID_SCREENSHOTS "/tuning-under.png"));
        QVERIFY(controls.panel().height() < 360);
        controls.panel().hide();
    }
    void comparing_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<ThemeChoice>("theme");
        QTest::newRow("compare") << QSize(1280, 800) << ThemeChoice::Light;
        QTest::newRow("compare-dark") << QSize(1280, 800) << ThemeChoice::Dark;
        QTest::newRow("compare-small") << QSize(800, 500) << ThemeChoice::Light;
        QTest::newRow("compare-large") << QSize(1920, 1080) << ThemeChoice::Dark;
    }
    void comparing()
    {
        QFETCH(QSize, size);
        QFETCH(ThemeChoice, theme);
        Studio studio(size, theme);
        QVERIFY(studio.isReady);
        studio.window->showPage(PageName::Compare);
        ComparePage &page = studio.window->comparePage();
        for (const CompareSide side : {CompareSide::Left, CompareSide::Right}) {
            page.side(side).tuning().show(
                {side == CompareSide::Left ? QStringLiteral("streaming") : QStringLiteral("local-agreement"), {}, 300, side == CompareSide::Left ? 5 : 1, 2});
        }
        if (size.width() == 1280 && theme == ThemeChoice::Light) {
            studio.picture(QStringLiteral("compare-empty"));
        }
        page.startOrStop();
        for (const CompareSide side : {CompareSide::Left, CompareSide::Right}) {
            const bool left = side == CompareSide::Left;
            auto &backend = dynamic_cast<ScriptedBackend &>(*page.side(side).kit().backend);
            auto said =
                words(QStringLiteral(
                          "The birch canoe slid on the smooth planks. Glue the sheet to the dark blue background. It is easy to tell the depth of a well."),
                      0.4);
            if (!left) {
                said[1].text = "perch";
                said[18].text = "easier";
            }
            const double heard = secondsFromSamples(said.back().end_sample) + 0.5;
            text::Transcript items;
            for (std::size_t index = 0; index + (left ? 2 : 5) < said.size(); ++index) {
                auto word = settled(said[index], left ? 0.6 : 1.9);
                word.first_seen_sample = word.end_sample + samplesFromSeconds(left ? 0.21 : 0.74);
                items.emplace_back(word);
            }
            backend.recording = soundOf(said, samplesFromSeconds(heard));
            backend.say(captions::Started{"Desk Microphone", "captions-en", left ? "streaming" : "local-agreement"});
            backend.say(captions::Committed{items});
            backend.listen(heard);
            backend.show([&](captions::CaptionSnapshot &s) {
                s.tail.assign(said.end() - (left ? 2 : 5), said.end() - (left ? 0 : 2));
                s.attention = attentionOver({said.end() - 8, said.end()});
                s.statistics.revisions = left ? 6 : 11;
                s.statistics.real_time_factor = left ? 0.14 : 0.61;
                s.statistics.step_ms_median = left ? 42 : 231;
                s.statistics.step_ms_p95 = left ? 79 : 388;
            });
        }
        QVERIFY(QTest::qWaitFor(
            [&] { return page.differences().places() == 2 && page.side(CompareSide::Left).controller().peaks().samples() > samplesFromSeconds(8); },
            kPatienceMs));
        TranscriptView &view = page.side(CompareSide::Left).transcriptView();
        QTest::mouseMove(view.viewport(), view.wordRectInViewport({WordPart::Settled, 22}).center().toPoint());
        const QImage image = studio.picture(QString::fromLatin1(QTest::currentDataTag()));
        QCOMPARE(image.size(), size);
        QVERIFY(pixelsOf(image, studio.window->appearance().colour(ColourToken::Warn)) > 60);  // what differs is underlined
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
        studio.backend->say(captions::Committed{items});
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
        runtime::InterruptedRun run{
            "/home/ada/.local/share/braid/sessions/20261120-221500-001", {.kind = runtime::RunKind::Captions}, samplesFromSeconds(12 * 60)};
        studio.window->captions().offerRecovery({run});
        studio.window->captions().startOrStop();
        studio.backend->say(
            runtime::Failed{ErrorKind::Model, "/models/captions-en/model.safetensors: the file ends in the middle of its header. Fetch the model again."});
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
        leaveOneOfEveryKind(journals);
        QSignalSpy refreshed(&studio.window->historyPage(), &HistoryPage::refreshed);
        studio.window->showPage(PageName::Models);
        studio.picture(QStringLiteral("models"));
        studio.window->showPage(PageName::Settings);
        studio.picture(QStringLiteral("settings"));
        studio.window->showPage(PageName::History);
        QVERIFY(refreshed.count() > 0 || refreshed.wait(kPatienceMs));
        studio.picture(QStringLiteral("history"));
        QCOMPARE(studio.window->historyPage().shownSessions(), 3);
    }
};

QTEST_MAIN(UiScreenshotsTest)
#include "tst_ui_screenshots.moc"
