// Hearing a page again: from any place, paused, slower and faster, one line over and over; by the bar and by keys.
#include <QLabel>
#include <QSlider>
#include <QToolButton>
#include <QtTest>

#include "tests/ui/desk.h"
#include "ui/captions/player_bar.h"
#include "ui/captions/transcript_view.h"
#include "ui/shared/choice_box.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

// A page of a capture that is over, with its sound: lines at 0.5 s, 6 s and 12 s, 20 s in all.
struct Hall : Desk {
    Hall()
    {
        is_ready = ready();
        std::vector<text::Word> said;
        text::Transcript items;
        for (const double start : {0.5, 6.0, 12.0}) {
            for (const text::Word &word : words(QStringLiteral("The birch canoe slid on"), start)) {
                said.push_back(word);
                items.emplace_back(settled(word));
            }
            items.emplace_back(text::LineBreak{said.back().end_sample});
        }
        backend->recording = soundOf(said, samplesFromSeconds(20));
        press(Qt::Key_Space);
        backend->listen(20);
        backend->say(captions::Committed{items});
        is_ready = is_ready && until([this] { return transcript().wordCount() == 15; });
        backend->finish();
        is_ready = is_ready && until([this] { return window->controller().activity() == RunActivity::Idle; });
    }
    [[nodiscard]] Playback &playback() const { return window->captions().playback(); }
    [[nodiscard]] PlayerBar &bar() const { return window->captions().playerBar(); }
    template <typename Part>
    [[nodiscard]] Part &part(const char *name) const
    {
        return *bar().findChild<Part *>(QLatin1String(name));
    }
    // The player has played so many seconds of what it was given.
    void plays(double seconds) const
    {
        const Sample start = player->at.value_or(0);
        player->at = start + samplesFromSeconds(seconds);
    }
    void ends() const { player->at.reset(); }
    bool is_ready = false;
};

double secondsOf(const std::vector<float> &sound)
{
    return secondsFromSamples(static_cast<Sample>(sound.size()));
}

}  // namespace

class UiPlayerTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theBarComesWithSomethingToHear()
    {
        Desk empty;
        QVERIFY(empty.ready());
        QVERIFY(!empty.window->captions().playerBar().isVisible());
        const Hall hall;
        QVERIFY(hall.is_ready);
        QVERIFY(hall.bar().isVisible());
        QCOMPARE(hall.bar().timeText(), QStringLiteral("0:00 / 0:20"));
        // While it listens there is none.
        hall.press(Qt::Key_Space);
        QVERIFY(hall.until([&] { return !hall.bar().isVisible(); }));
    }
    void itPlaysOnPausesAndLightsTheWord()
    {
        const Hall hall;
        QVERIFY(hall.is_ready);
        hall.window->captions().transcriptView().setFocus();
        hall.press(Qt::Key_K);
        QVERIFY(hall.playback().state() == PlaybackState::Playing);
        QCOMPARE(secondsOf(hall.player->played), 20.0);
        QCOMPARE(*hall.player->at, Sample(0));
        const QImage dark = hall.window->captions().transcriptView().viewport()->grab().toImage();
        hall.plays(6.1);
        QVERIFY(hall.until([&] { return hall.bar().timeText() == QStringLiteral("0:06 / 0:20"); }));
        QVERIFY(hall.window->captions().transcriptView().viewport()->grab().toImage() != dark);
        hall.press(Qt::Key_K);
        QVERIFY(hall.playback().state() == PlaybackState::Stopped);
        QVERIFY(!hall.player->at);
        // On from where it stood.
        hall.part<QToolButton>("play").click();
        QCOMPARE(*hall.player->at, samplesFromSeconds(6.1));
        QCOMPARE(hall.part<QToolButton>("play").accessibleName(), QStringLiteral("Pause"));
        hall.plays(1);
        QVERIFY(hall.until([&] { return hall.playback().sounding().has_value(); }));
        hall.ends();
        QVERIFY(hall.until([&] { return hall.playback().state() == PlaybackState::Stopped; }));
        QCOMPARE(hall.playback().position(), samplesFromSeconds(20));
        // From its end it begins anew.
        hall.press(Qt::Key_K);
        QCOMPARE(*hall.player->at, Sample(0));
    }
    void theSliderGoesAnywhere()
    {
        const Hall hall;
        QVERIFY(hall.is_ready);
        auto *slider = hall.bar().findChild<QSlider *>();
        QCOMPARE(slider->maximum(), 200);
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);  // five seconds
        QCOMPARE(hall.playback().position(), samplesFromSeconds(5));
        QVERIFY(!hall.player->at);
        hall.playback().playOrPause();
        QCOMPARE(*hall.player->at, samplesFromSeconds(5));
        QTest::mouseClick(slider, Qt::LeftButton, {}, QPoint(slider->width() / 2, slider->height() / 2));
        QVERIFY(std::abs(secondsFromSamples(*hall.player->at) - 10) < 0.3);
        QVERIFY(hall.playback().state() == PlaybackState::Playing);
    }
    void slowerAndFasterKeepThePosition()
    {
        const Hall hall;
        QVERIFY(hall.is_ready);
        hall.window->captions().transcriptView().setFocus();
        hall.press(Qt::Key_Greater, Qt::ShiftModifier);
        hall.press(Qt::Key_Greater, Qt::ShiftModifier);
        QCOMPARE(hall.playback().speed(), 1.5);
        QCOMPARE(hall.bar().findChild<ChoiceBox *>()->currentText(), QStringLiteral("1.5\u00d7"));
        hall.press(Qt::Key_K);
        QVERIFY(hall.until([&] { return hall.player->at.has_value(); }));
        QVERIFY(std::abs(secondsOf(hall.player->played) - 20 / 1.5) < 0.001);
        hall.plays(4);  // of what is heard: six of the page
        QVERIFY(hall.until([&] { return hall.playback().position() == samplesFromSeconds(6); }));
        hall.press(Qt::Key_Less, Qt::ShiftModifier);
        QVERIFY(hall.until([&] { return hall.player->at == samplesFromSeconds(6); }));
        QVERIFY(std::abs(secondsOf(hall.player->played) - 14 / 1.25) < 0.001);
        for (int step = 0; step < 9; ++step) {
            hall.press(Qt::Key_Less, Qt::ShiftModifier);
        }
        QCOMPARE(hall.playback().speed(), 0.5);
    }
    void aLineIsRepeated()
    {
        const Hall hall;
        QVERIFY(hall.is_ready);
        hall.window->captions().transcriptView().setFocus();
        hall.playback().seek(samplesFromSeconds(6.5));
        hall.press(Qt::Key_R);
        QVERIFY(hall.part<QToolButton>("loop").isChecked());
        hall.press(Qt::Key_K);
        const double line_end = secondsFromSamples(hall.transcript().word(9).end_sample) + 0.12;
        QVERIFY(std::abs(secondsOf(hall.player->played) - (line_end - 6.5)) < 0.001);
        for (int round = 0; round < 3; ++round) {
            hall.plays(0.5);
            QVERIFY(hall.until([&] { return hall.playback().sounding().has_value(); }));
            hall.ends();
            QVERIFY(hall.until([&] { return hall.player->at == samplesFromSeconds(6) - samplesFromMs(60); }));
            QVERIFY(std::abs(secondsOf(hall.player->played) - (line_end - 5.94)) < 0.001);
        }
        hall.press(Qt::Key_R);  // on to the end
        QVERIFY(hall.playback().loop() == PlaybackLoop::Off);
        QVERIFY(hall.playback().state() == PlaybackState::Playing);
        QVERIFY(secondsOf(hall.player->played) > 13);
    }
    void aWordIsStillHeardAlone()
    {
        const Hall hall;
        QVERIFY(hall.is_ready);
        TranscriptView &view = hall.window->captions().transcriptView();
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.wordRectInViewport({WordPart::Settled, 6}).center().toPoint());
        const text::Word &word = hall.transcript().word(6);
        QCOMPARE(*hall.player->at, word.start_sample - samplesFromMs(60));
        QCOMPARE(static_cast<Sample>(hall.player->played.size()), word.end_sample - word.start_sample + samplesFromMs(180));
        hall.plays(0.05);
        QVERIFY(hall.until([&] { return hall.playback().sounding().has_value(); }));
        hall.ends();
        QVERIFY(hall.until([&] { return hall.playback().state() == PlaybackState::Stopped; }));
    }
    void whatWasNotKeptIsSaid()
    {
        const Hall hall;
        QVERIFY(hall.is_ready);
        hall.backend->recording.clear();
        hall.playback().playOrPause();
        QVERIFY(hall.playback().state() == PlaybackState::Stopped);
        QVERIFY(hall.window->captions().notices().sentences().join(QString()).contains(QStringLiteral("no longer there")));
    }
    void aLoudspeakerThatIsMissingStopsIt()
    {
        const Hall hall;
        QVERIFY(hall.is_ready);
        hall.player->broken = true;
        hall.playback().playOrPause();
        QVERIFY(hall.until([&] { return hall.playback().state() == PlaybackState::Stopped; }));
        QVERIFY(hall.window->captions().notices().sentences().join(QString()).contains(QStringLiteral("loudspeaker")));
    }
    void pictures_data()
    {
        QTest::addColumn<ThemeChoice>("theme");
        QTest::addColumn<QSize>("size");
        QTest::newRow("player-light-small") << ThemeChoice::Light << QSize(640, 400);
        QTest::newRow("player-dark-small") << ThemeChoice::Dark << QSize(640, 400);
        QTest::newRow("player-light") << ThemeChoice::Light << QSize(1280, 800);
        QTest::newRow("player-dark") << ThemeChoice::Dark << QSize(1280, 800);
    }
    void pictures()
    {
        QFETCH(ThemeChoice, theme);
        QFETCH(QSize, size);
        const Hall hall;
        QVERIFY(hall.is_ready);
        hall.window->settings().update([theme](Settings &s) { s.theme = theme; });
        hall.window->resize(size);
        hall.playback().setLoop(PlaybackLoop::Line);
        hall.playback().playOrPause();
        hall.plays(0.9);
        QVERIFY(hall.until([&] { return hall.playback().sounding().has_value(); }));
        QCOMPARE(hall.bar().isVisible(), size.height() > 480);  // on a low window there are the keys
        for (const QWidget *part : hall.bar().findChildren<QWidget *>(QString(), Qt::FindDirectChildrenOnly)) {
            QVERIFY(!part->isVisible() || hall.bar().rect().contains(part->geometry()));
            QVERIFY(!part->isVisible() || part->width() >= part->minimumSizeHint().width());
        }
        QVERIFY(QDir().mkpath(QStringLiteral(BRAID_SCREENSHOTS)));
        QVERIFY(hall.window->grab().toImage().save(QStringLiteral(BRAID_SCREENSHOTS "/%1.png").arg(QLatin1String(QTest::currentDataTag()))));
    }
};

QTEST_MAIN(UiPlayerTest)
#include "tst_ui_player.moc"
