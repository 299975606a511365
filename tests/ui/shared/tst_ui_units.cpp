// The plain parts of the window: colours, geometry, peaks, words in words. No widget.
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/file.h"
#include "tests/ui/fakes.h"
#include "ui/captions/timeline_geometry.h"
#include "ui/inspector/attention_geometry.h"
#include "ui/inspector/attention_view.h"
#include "ui/inspector/heat_ramp.h"
#include "ui/inspector/token_bars.h"
#include "ui/shared/export.h"
#include "ui/shared/file_dialogs.h"
#include "ui/shared/level_ballistics.h"
#include "ui/shared/status_line.h"
#include "ui/shared/theme.h"
#include "ui/state/peak_pyramid.h"
#include "ui/state/settings.h"
#include "ui/state/word_facts.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

class UiUnitsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void textHasContrast_data()
    {
        QTest::addColumn<ThemeKind>("kind");
        QTest::newRow("light") << ThemeKind::Light;
        QTest::newRow("dark") << ThemeKind::Dark;
        QTest::newRow("high contrast, light") << ThemeKind::HighContrastLight;
        QTest::newRow("high contrast, dark") << ThemeKind::HighContrastDark;
    }
    void textHasContrast()
    {
        QFETCH(ThemeKind, kind);
        const Theme &theme = themeFor(kind);
        const auto ratio = [&theme](ColourToken text, ColourToken behind) { return contrastRatio(theme.colour(text), theme.colour(behind)); };
        // Captions, settled and unsettled, on the page and on everything that may lie behind them.
        for (const ColourToken behind : {ColourToken::Paper, ColourToken::Surface, ColourToken::Highlight, ColourToken::Selection, ColourToken::Hover}) {
            QVERIFY2(ratio(ColourToken::Ink, behind) >= 7,
                     qPrintable(QStringLiteral("ink on %1: %2").arg(static_cast<int>(behind)).arg(ratio(ColourToken::Ink, behind))));
            QVERIFY2(ratio(ColourToken::InkSoft, behind) >= 4.5,
                     qPrintable(QStringLiteral("soft on %1: %2").arg(static_cast<int>(behind)).arg(ratio(ColourToken::InkSoft, behind))));
        }
        QVERIFY2(ratio(ColourToken::InkSoft, ColourToken::Paper) >= 7, qPrintable(QString::number(ratio(ColourToken::InkSoft, ColourToken::Paper))));
        for (const ColourToken text : {ColourToken::Accent, ColourToken::Warn, ColourToken::Danger}) {
            QVERIFY2(ratio(text, ColourToken::Paper) >= 4.5, qPrintable(QString::number(ratio(text, ColourToken::Paper))));
            QVERIFY(ratio(text, ColourToken::Surface) >= 4.5);
        }
        QVERIFY(ratio(ColourToken::OnAccent, ColourToken::Accent) >= 4.5);
        QVERIFY(ratio(ColourToken::Wave, ColourToken::Paper) >= 3);
        QVERIFY(!styleSheetFor(theme).contains(QLatin1Char('@')));
    }
    void contrastIsThatOfTheStandard()
    {
        QCOMPARE(qRound(contrastRatio(Qt::black, Qt::white) * 10), 210);
        QCOMPARE(qRound(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) * 100), 448);
    }

    void heatRampIsEven()
    {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrastLight, ThemeKind::HighContrastDark}) {
            const HeatRamp ramp(themeFor(kind));
            const double whole = HeatRamp::lightness(ramp.colour(1)) - HeatRamp::lightness(ramp.colour(0));
            QVERIFY(std::abs(whole) > 0.5);
            for (int step = 0; step < 10; ++step) {
                const double part = HeatRamp::lightness(ramp.colour((step + 1) / 10.0)) - HeatRamp::lightness(ramp.colour(step / 10.0));
                QVERIFY2(part / whole > 0.06 && part / whole < 0.14, qPrintable(QStringLiteral("step %1: %2").arg(step).arg(part / whole)));
            }
            QCOMPARE(ramp.colour(7), ramp.colour(1));
            QCOMPARE(ramp.colour(std::nan("")), ramp.colour(0));
        }
    }

    void meterRisesAtOnceAndFallsSlowly()
    {
        LevelBallistics meter;
        QVERIFY(meter.isAtRest());
        meter.update(1.0, 1.0, 0);
        QCOMPARE(meter.levelDb(), 0.0);
        meter.update(0, 0, 500);
        QCOMPARE(meter.levelDb(), -10.0);
        QCOMPARE(meter.peakDb(), 0.0);  // held
        meter.update(0, 0, 1500);
        QCOMPARE(meter.peakDb(), 0.0);
        meter.update(0, 0, 2000);
        QCOMPARE(meter.peakDb(), -10.0);
        meter.update(0.5, 0.5, 2100);
        QCOMPARE(qRound(meter.levelDb()), -6);
        meter.update(0, 0, 60000);
        QVERIFY(meter.isAtRest());
    }

    void timelineMapsTimeToPixels_data()
    {
        QTest::addColumn<double>("samples_per_pixel");
        QTest::addColumn<double>("first");
        QTest::addColumn<qint64>("sample");
        QTest::addColumn<double>("x");
        QTest::newRow("start") << 160.0 << 0.0 << qint64(0) << 0.0;
        QTest::newRow("one second") << 160.0 << 0.0 << qint64(16000) << 100.0;
        QTest::newRow("scrolled") << 160.0 << 16000.0 << qint64(16000) << 0.0;
        QTest::newRow("before the page") << 160.0 << 16000.0 << qint64(8000) << -50.0;
        QTest::newRow("fine") << 4.0 << 100.0 << qint64(104) << 1.0;
    }
    void timelineMapsTimeToPixels()
    {
        QFETCH(double, samples_per_pixel);
        QFETCH(double, first);
        QFETCH(qint64, sample);
        QFETCH(double, x);
        const TimelineGeometry geometry{samples_per_pixel, first, 1000};
        QCOMPARE(geometry.xOf(sample), x);
        QCOMPARE(geometry.sampleAt(x), Sample(sample));
    }
    void zoomKeepsWhatIsUnderThePointer()
    {
        TimelineGeometry geometry{160, 480000, 1000};
        for (const double factor : {0.5, 0.1, 3.0, 40.0}) {
            const double there = geometry.first_sample + 333 * geometry.samples_per_pixel;
            geometry.zoomAt(333, factor);
            QVERIFY(std::abs(geometry.first_sample + 333 * geometry.samples_per_pixel - there) < 1e-6);
        }
        geometry.zoomAt(0, 1e-9);
        QCOMPARE(geometry.samples_per_pixel, TimelineGeometry::kFinest);
        geometry.zoomAt(0, 1e12);
        QCOMPARE(geometry.samples_per_pixel, TimelineGeometry::kCoarsest);
    }
    void followingMovesByWholePixels()
    {
        TimelineGeometry geometry{160, 0, 1000};
        geometry.follow(samplesFromSeconds(3));
        QCOMPARE(geometry.first_sample, 0.0);  // a short session begins at the left
        for (Sample heard = samplesFromSeconds(60); heard < samplesFromSeconds(61); heard += 77) {
            geometry.follow(heard);
            QCOMPARE(std::fmod(geometry.first_sample, geometry.samples_per_pixel), 0.0);
            QVERIFY(geometry.xOf(heard) <= 920.0 && geometry.xOf(heard) > 918.0);
        }
        geometry.first_sample = -500;
        geometry.keepWithin(samplesFromSeconds(60));
        QCOMPARE(geometry.first_sample, 0.0);
        geometry.first_sample = 1e12;
        geometry.keepWithin(samplesFromSeconds(60));
        QVERIFY(geometry.xOf(samplesFromSeconds(60)) > 0);
    }
    void scaleMarksAreRound_data()
    {
        QTest::addColumn<double>("samples_per_pixel");
        QTest::addColumn<double>("seconds");
        QTest::newRow("100 px a second") << 160.0 << 1.0;
        QTest::newRow("fine") << 4.0 << 0.02;
        QTest::newRow("a minute a pixel") << 960000.0 << 7200.0;
    }
    void scaleMarksAreRound()
    {
        QFETCH(double, samples_per_pixel);
        QFETCH(double, seconds);
        QCOMPARE((TimelineGeometry{samples_per_pixel, 0, 1000}.markSeconds(72)), seconds);
    }

    // Whatever the pieces and the zoom: what is drawn for a stretch holds its least and greatest sample, and none from far outside.
    void peaksHoldTheExtremes()
    {
        std::vector<float> sound(40000);
        std::uint32_t seed = 7;
        for (float &value : sound) {
            seed = seed * 1664525U + 1013904223U;
            value = (static_cast<float>(seed >> 8) / (1 << 24) - 0.5F) * 0.2F;
        }
        sound[20000] = 0.9F;
        sound[20001] = -0.8F;
        PeakPyramid whole;
        whole.append(sound);
        PeakPyramid pieces;
        for (std::size_t at = 0; at < sound.size(); at += 37) {
            pieces.append(std::span(sound).subspan(at, std::min<std::size_t>(37, sound.size() - at)));
        }
        QCOMPARE(pieces.samples(), Sample(40000));
        for (const Sample width : {33, 160, 1000, 9000}) {
            for (Sample start = 0; start < 40000; start += width) {
                const Peak peak = whole.peak(start, start + width);
                QCOMPARE(pieces.peak(start, start + width), peak);
                float greatest = -1;
                for (Sample at = start; at < std::min<Sample>(start + width, 40000); ++at) {
                    greatest = std::max(greatest, sound[static_cast<std::size_t>(at)]);
                }
                QVERIFY(peak.high >= std::lround(greatest * 127));
            }
        }
        QCOMPARE(int(whole.peak(20000, 20100).high), 114);
        QCOMPARE(int(whole.peak(20000, 20100).low), -102);
        QVERIFY(whole.peak(0, 5000).high < 20);
        QCOMPARE(whole.peak(50000, 60000), Peak{});
        whole.appendSilence(5000);
        QCOMPARE(whole.samples(), Sample(45000));
        QCOMPARE(int(whole.peak(42000, 44000).high), 0);
    }

    void attentionCells_data()
    {
        QTest::addColumn<QPointF>("point");
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("column");
        QTest::newRow("first") << QPointF(80, 0) << 0 << 0;
        QTest::newRow("middle") << QPointF(80 + 105, 55) << 5 << 10;
        QTest::newRow("last") << QPointF(279.9, 99.9) << 9 << 19;
        QTest::newRow("left of it") << QPointF(79, 50) << -1 << -1;
        QTest::newRow("below it") << QPointF(90, 101) << -1 << -1;
    }
    void attentionCells()
    {
        QFETCH(QPointF, point);
        QFETCH(int, row);
        QFETCH(int, column);
        const AttentionGeometry geometry{QRectF(80, 0, 200, 100), 10, 20};
        const auto cell = geometry.cellAt(point);
        QCOMPARE(cell.has_value(), row >= 0);
        if (cell) {
            QCOMPARE(cell->row, row);
            QCOMPARE(cell->column, column);
        }
    }
    void attentionShowsWhereSomethingWasLookedAt()
    {
        captions::AttentionMap map;
        map.rows = 1;
        map.columns = 1500;
        map.weights.assign(1500, 0.0001F);
        map.weights[300] = 0.5F;
        map.weights[400] = 0.3F;
        const ColumnRange range = usedColumns(map);
        QVERIFY(range.first < 300 && range.first > 280);
        QVERIFY(range.first + range.count > 400 && range.first + range.count < 420);
    }

    void aWordSaidTwiceIsFoundByItsTime()
    {
        const auto said = words("to be or not to be", 1);
        const auto map = attentionOver(said);
        QCOMPARE(rowsOfWord(*map, said[1], 0), std::vector<int>{1});
        QCOMPARE(rowsOfWord(*map, said[5], 0), std::vector<int>{5});
        QVERIFY(rowsOfWord(*map, word("that", 1, 2), 0).empty());
        auto later = said[1];
        later.start_sample += samplesFromSeconds(10);
        later.end_sample += samplesFromSeconds(10);
        QCOMPARE(rowsOfWord(*map, later, samplesFromSeconds(10)), std::vector<int>{1});
    }

    void statusSaysWhatHappens_data()
    {
        QTest::addColumn<runtime::RunState>("state");
        QTest::addColumn<captions::VoiceState>("voice");
        QTest::addColumn<QString>("says");
        QTest::newRow("idle") << runtime::RunState::Idle << captions::VoiceState::NoSound << "ready";
        QTest::newRow("loading") << runtime::RunState::Loading << captions::VoiceState::NoSound << "loading captions-en (40 %)";
        QTest::newRow("speech") << runtime::RunState::Listening << captions::VoiceState::Speech << "listening";
        QTest::newRow("silence") << runtime::RunState::Listening << captions::VoiceState::Silence << "silence";
        QTest::newRow("no sound") << runtime::RunState::Listening << captions::VoiceState::NoSound << "no sound arrives";
        QTest::newRow("noise") << runtime::RunState::Listening << captions::VoiceState::NoSpeech << "sound, but no speech";
        QTest::newRow("draining") << runtime::RunState::Draining << captions::VoiceState::NoSound << "finishing";
        QTest::newRow("finished") << runtime::RunState::Finished << captions::VoiceState::NoSound << "finished";
        QTest::newRow("failed") << runtime::RunState::Failed << captions::VoiceState::NoSound << "stopped by an error";
    }
    void statusSaysWhatHappens()
    {
        QFETCH(runtime::RunState, state);
        QFETCH(captions::VoiceState, voice);
        QFETCH(QString, says);
        captions::CaptionSnapshot snapshot;
        snapshot.state = state;
        snapshot.voice = voice;
        snapshot.activity = "loading captions-en (40 %)";
        snapshot.statistics.compute_lag_ms = 50;
        snapshot.statistics.policy_lag_ms = 260;
        snapshot.statistics.real_time_factor = 0.14;
        const StatusText text = statusText(snapshot, samplesFromSeconds(12 * 60 + 41));
        QCOMPARE(text.state, says);
        QCOMPARE(text.heard, QStringLiteral("heard 00:12:41"));
        QCOMPARE(text.lag, QStringLiteral("0.4 s behind"));
        QCOMPARE(text.lag_parts, QStringLiteral("0.1 computing, 0.3 waiting to be sure"));
        QCOMPARE(text.factor, QStringLiteral("RTF 0.14"));
    }

    void wordsTellTheirFacts()
    {
        text::Word w = settled(word("fellow", 62.345, 62.9, 0.875F), 1.25);
        w.revision_count = 2;
        w.revised_from = "follow";
        QCOMPARE(wordTimeText(w), QStringLiteral("1:02.34 to 1:02.90 (0.56 s)"));
        QCOMPARE(revisionText(w), QStringLiteral("changed 2 times; said \u201cfollow\u201d before"));
        QCOMPARE(wordLagText(w), QStringLiteral("first seen 0.40 s after its end, settled after 1.25 s"));
        QCOMPARE(timeMethodText(w.time_method), QStringLiteral("from cross-attention, time-warped"));
        QCOMPARE(historyOf({{"follow", 0}, {"fallow", samplesFromSeconds(63)}, {"fellow", samplesFromSeconds(63.5)}}, w),
                 QStringLiteral("\u201cfollow\u201d\n\u2192 \u201cfallow\u201d when 1:03.00 was heard\n\u2192 \u201cfellow\u201d when 1:03.50 was heard"));
        QCOMPARE(historyOf({{"fellow", 0}}, w), revisionText(w));
        QCOMPARE(tokenText(" the"), QStringLiteral("\u00b7the"));
        QCOMPARE(tokenText(""), QStringLiteral("(end)"));
        QCOMPARE(tokenText("\xe2\x82"), QStringLiteral("<e2 82>"));
    }
    void barsLeaveOutTheTokenItself()
    {
        text::Word w = word("x", 0, 1);
        w.tokens = {{5, " x", 0.7F, {{6, " y", 0.1F}, {5, " x", 0.7F}, {7, " z", 0.2F}}}};
        const auto bars = tokenBars(w);
        QCOMPARE(bars.size(), std::size_t(3));
        QCOMPARE(bars[0].label, QStringLiteral("\u00b7x"));
        QCOMPARE(bars[1].label, QStringLiteral("\u00b7z"));
        QCOMPARE(bars[2].label, QStringLiteral("\u00b7y"));
    }

    void settingsSurvive()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("braid.ini").toStdString();
        {
            SettingsStore store(file);
            QSignalSpy changed(&store, &SettingsStore::changed);
            store.update([](Settings &s) {
                s.theme = ThemeChoice::Dark;
                s.caption_px = 40;
                s.source_device = QStringLiteral("Mic, with comma");
                s.compute.threads = 3;
                s.tuning = {QStringLiteral("streaming"), QStringLiteral("de"), 340, 5, 0};
                s.compare_right.beam_size = 7;
                s.inspector_page = 5;
            });
            store.update([](Settings &) {});
            QCOMPARE(changed.count(), 1);
        }
        QVERIFY(SettingsStore(file).values().theme == ThemeChoice::Dark);
        QCOMPARE(SettingsStore(file).values().caption_px, 40);
        QCOMPARE(SettingsStore(file).values().source_device, QStringLiteral("Mic, with comma"));
        QCOMPARE(SettingsStore(file).values().compute.threads, 3);
        QVERIFY(SettingsStore(file).values().tuning == (CaptionTuning{QStringLiteral("streaming"), QStringLiteral("de"), 340, 5, 0}));
        QCOMPARE(SettingsStore(file).values().compare_left.beam_size, captions::kDefaultStreamingBeam);
        QCOMPARE(SettingsStore(file).values().compare_right.beam_size, 7);
        QCOMPARE(SettingsStore(file).values().inspector_page, 5);
    }
    void strangeSettingsReadAsDefaults()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("braid.ini").toStdString();
        writeFileAtomically(
            file,
            "[look]\ntheme=99\ncaption_px=-4\nmotion=seven\n[compute]\nthreads=100000\n[voice]\npreroll_ms=x\n[model]\nstep_ms=7\nbeam=0\nlook_back=99\n\x01\x02[[[");
        const SettingsStore store(file);
        QVERIFY(store.values().theme == ThemeChoice::System);
        QCOMPARE(store.values().caption_px, kSmallestCaptionPx);
        QVERIFY(store.values().motion == MotionChoice::Full);
        QCOMPARE(store.values().compute.threads, 256);
        QCOMPARE(store.values().preroll_ms, 400);
        QCOMPARE(store.values().tuning.chunk_ms, kLeastChunkMs);
        QCOMPARE(store.values().tuning.beam_size, 1);
        QCOMPARE(store.values().tuning.look_back_tokens, kMostLookBack);
    }

    void aFileIsNamedAfterWhatWasHeard()
    {
        QCOMPARE(proposedFileName({"my talk.v2.mp4", {}, {}, {}}), QStringLiteral("my talk.v2.txt"));
        const QString live = proposedFileName({"Built-in Audio", {}, {}, "2026-11-23T13:05:00Z"});
        QVERIFY2(live.startsWith(QStringLiteral("captions 2026-11-2")) && live.endsWith(QStringLiteral("05.txt")), qPrintable(live));
        QCOMPARE(proposedFileName({}), QStringLiteral("captions.txt"));
    }
    void transcriptsAreSavedByTheirEnding_data()
    {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QString>("holds");
        QTest::newRow("text") << "txt"
                              << "we came in peace";
        QTest::newRow("srt") << "SRT"
                             << "00:00:00,000 --> ";
        QTest::newRow("vtt") << "vtt"
                             << "WEBVTT";
        QTest::newRow("json") << "json"
                              << "\"came\"";
    }
    void transcriptsAreSavedByTheirEnding()
    {
        QFETCH(QString, ending);
        QFETCH(QString, holds);
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("out." + ending).toStdString();
        exportTranscript(transcriptOf(words("we came in peace", 0)), file);
        const QString written = QString::fromStdString(readTextFile(file));
        QVERIFY2(written.contains(holds), qPrintable(written));
        QVERIFY_EXCEPTION_THROWN(exportTranscript({}, folder.filePath("out.doc").toStdString()), Error);
        QVERIFY_EXCEPTION_THROWN(exportTranscript({}, folder.filePath("none/out.txt").toStdString()), Error);
        QCOMPARE(suffixOfFilter(exportFilters().at(1)), QStringLiteral("srt"));
        exportTranscript({}, folder.filePath("all.json").toStdString(), {"talk.mp4", "captions-en", "streaming", "2026-11-23T13:00:00Z"});
        const std::string json = readTextFile(folder.filePath("all.json").toStdString());
        for (const char *told : {"\"talk.mp4\"", "\"captions-en\"", "\"streaming\"", "\"2026-11-23T13:00:00Z\""}) {
            QVERIFY2(json.find(told) != std::string::npos, json.c_str());
        }
    }
};

QTEST_MAIN(UiUnitsTest)
#include "tst_ui_units.moc"
