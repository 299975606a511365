// The plain parts of the Translation page: the text of two languages, where it stands, the staircase, what lights up, files, settings.
#include <set>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "tests/ui/translation_fakes.h"
#include "ui/settings.h"
#include "ui/translation/bilingual_layout.h"
#include "ui/translation/bilingual_painter.h"
#include "ui/translation/bilingual_view.h"
#include "ui/translation/lag_chart.h"
#include "ui/translation/sentence_attention.h"
#include "ui/translation/staircase_geometry.h"
#include "ui/translation/translation_controls.h"
#include "ui/translation/translation_export.h"
#include "ui/translation/translation_side.h"
#include "ui/translation/translation_status.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

double widthOf(const QString &text)
{
    return 11.0 * static_cast<double>(text.size());
}

void takeAll(BilingualText &text, const std::vector<sessions::TranslationSessionEvent> &events)
{
    for (const auto &event : events) {
        text.take(event);
    }
    text.announce();
}

// One sentence: four units, all read; three words.
void takeSmall(BilingualText &text)
{
    text.beginRun(QStringLiteral("a model"));
    text.take(sessions::SentenceBegan{0, 0});
    text.take(sessions::UnitsArrived{0, {unitOf("two"), unitOf("red"), unitOf("boats"), unitOf("sail.")}});
    text.take(sessions::SourceClosed{0});
    text.take(sessions::UnitsRead{0, 5, 0});
    const auto write = [&](const std::string &word, std::int64_t read, std::vector<float> attention) {
        sessions::WordWritten written;
        written.word.text = word;
        written.word.read_units = read;
        written.word.attention = std::move(attention);
        written.word.probability = 0.5F;
        written.word.tokens.push_back({1, " " + word, 0.5F, {}});
        written.lag_ms = 250;
        written.lag_units = 2;
        text.take(written);
    };
    write("Deux", 3, {0.8F, 0.1F, 0.1F});
    write("bateaux", 4, {0.1F, 0.2F, 0.6F, 0.1F});
    write("rouges", 5, {0.1F, 0.7F, 0.1F, 0.1F, 0});
    text.take(sessions::SentenceEnded{0, decoding::TranslationEnd::Said, "two red boats sail.", "Deux bateaux rouges"});
    text.announce();
}

}  // namespace

class UiTranslationTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    // --- the text
    void piecesKeepTheirNumbersWhateverComes()
    {
        BilingualText text;
        const auto story = storyOf(5, 4);
        std::vector<QString> seen;
        for (const auto &event : story) {
            text.take(event);
            for (int index = 0; index < static_cast<int>(seen.size()); ++index) {
                QCOMPARE(text.textOf({TextSide::Target, index}), seen[static_cast<std::size_t>(index)]);
            }
            while (static_cast<int>(seen.size()) < text.wordCount()) {
                seen.push_back(text.textOf({TextSide::Target, static_cast<int>(seen.size())}));
            }
        }
        QCOMPARE(text.firstOpen(), 5);
        QCOMPARE(static_cast<int>(text.sentences().size()), 9);
        for (int word = 0; word < text.wordCount(); ++word) {
            const SentencePair &sentence = text.sentences()[static_cast<std::size_t>(text.sentenceOf({TextSide::Target, word}))];
            QVERIFY(word >= sentence.first_word && word < sentence.first_word + sentence.word_count);
        }
        for (int unit = 0; unit < text.unitCount(); ++unit) {
            const int sentence = text.sentenceOf({TextSide::Source, unit});
            QCOMPARE(text.isRead(unit), sentence < 5 && unit - text.sentences()[static_cast<std::size_t>(sentence)].first_unit < text.sentences()[static_cast<std::size_t>(sentence)].read_units);
        }
    }
    void runsFollowOneAnotherOnOnePage()
    {
        BilingualText text;
        takeSmall(text);
        text.endRun();
        text.beginRun(QStringLiteral("another"));
        takeAll(text, storyOf(1, 1));
        QCOMPARE(static_cast<int>(text.sentences().size()), 3);
        QCOMPARE(text.sentences()[0].translator, QStringLiteral("a model"));
        QCOMPARE(text.sentences()[1].translator, QStringLiteral("another"));
        QCOMPARE(text.sentences()[1].line, 1);
        QCOMPARE(text.sentenceOf({TextSide::Target, 3}), 1);
        // A run that was left behind leaves its waiting source unread.
        text.endRun();
        QCOMPARE(text.firstOpen(), 3);
        QVERIFY(!text.isRead(text.unitCount() - 1));
    }
    void anOpenWordShowsOnlyWhereItFitsTheWordsTaken()
    {
        BilingualText text;
        takeAll(text, storyOf(1, 1));
        sessions::TranslationProgress progress;
        progress.sentence = 1;
        progress.open_word = "grow";
        progress.words_written = 1;
        text.setProgress(progress);
        QVERIFY(text.openWord().isEmpty());  // the snapshot is newer than the words taken
        progress.words_written = 0;
        text.setProgress(progress);
        QCOMPARE(text.openWord(), QStringLiteral("grow"));
    }
    void linesOfTheSourceAreLinesWhenCopied()
    {
        BilingualText text;
        takeAll(text, storyOf(6, 0));
        const QString all = text.plainText(TextSide::Target, 0, text.wordCount() - 1);
        QCOMPARE(all.count(QLatin1Char('\n')), 1);  // six sentences in two lines
        QCOMPARE(text.plainText(TextSide::Source, 1, 0), QString());
    }
    void screenReadersHearASentenceOnce()
    {
        BilingualText text;
        QSignalSpy told(&text, &BilingualText::sentenceSettled);
        QSignalSpy changes(&text, &BilingualText::changed);
        takeAll(text, storyOf(4, 2));
        QCOMPARE(told.count(), 4);
        QCOMPARE(changes.count(), 1);  // one for all that came in one frame
        text.announce();
        QCOMPARE(told.count(), 4);
    }

    // --- where it stands
    void whatWasReadOrWrittenNeverMoves_data()
    {
        QTest::addColumn<bool>("interlinear");
        QTest::addColumn<double>("width");
        for (const bool interlinear : {false, true}) {
            for (const double width : {60.0, 180.0, 420.0}) {
                QTest::addRow("%s %g", interlinear ? "interlinear" : "side by side", width) << interlinear << width;
            }
        }
    }
    void whatWasReadOrWrittenNeverMoves()
    {
        QFETCH(bool, interlinear);
        QFETCH(double, width);
        BilingualShape shape;
        shape.arrangement = interlinear ? PairArrangement::Interlinear : PairArrangement::SideBySide;
        shape.column_width = width;
        BilingualText text;
        BilingualLayout layout;
        layout.reshape(shape, widthOf);
        std::map<std::pair<int, int>, QRectF> stands;
        const auto look = [&] {
            for (const TextSide side : {TextSide::Source, TextSide::Target}) {
                for (int index = 0; index < text.count(side); ++index) {
                    if (side == TextSide::Target || text.isRead(index)) {
                        const QRectF rect = layout.pieceRect({side, index});
                        const auto [place, is_new] = stands.try_emplace({static_cast<int>(side), index}, rect);
                        QCOMPARE(rect, place->second);
                    }
                }
            }
        };
        for (const auto &event : storyOf(12, 3)) {
            text.take(event);
            layout.place(text);
            look();
            sessions::TranslationProgress progress;
            progress.sentence = text.firstOpen();
            progress.open_word = "growing";
            if (text.firstOpen() < static_cast<int>(text.sentences().size())) {
                progress.words_written = text.sentences()[static_cast<std::size_t>(text.firstOpen())].word_count;
                text.setProgress(progress);
                layout.place(text);
                look();
            }
        }
        // Placed at once it stands where it stands placed bit by bit.
        BilingualLayout whole;
        whole.reshape(shape, widthOf);
        whole.place(text);
        for (const auto &[piece, rect] : stands) {
            QCOMPARE(whole.pieceRect({static_cast<TextSide>(piece.first), piece.second}), rect);
        }
    }
    void piecesLieInTheirColumnsAndNeverOnOneAnother()
    {
        BilingualText text;
        takeAll(text, storyOf(8, 2));
        for (const PairArrangement arrangement : {PairArrangement::SideBySide, PairArrangement::Interlinear}) {
            BilingualShape shape;
            shape.arrangement = arrangement;
            shape.column_width = 200;
            BilingualLayout layout;
            layout.reshape(shape, widthOf);
            layout.place(text);
            std::vector<QRectF> all;
            for (const TextSide side : {TextSide::Source, TextSide::Target}) {
                for (int index = 0; index < text.count(side); ++index) {
                    const QRectF rect = layout.pieceRect({side, index});
                    QVERIFY(!rect.isEmpty());
                    QVERIFY(rect.left() >= shape.columnLeft(side) && rect.right() <= shape.columnLeft(side) + shape.column_width + shape.hanging + 0.01);
                    QVERIFY(layout.pieceAt(rect.center()) == (PieceRef{side, index}));
                    QVERIFY(layout.nearest(side, rect.center()) == (PieceRef{side, index}));
                    for (const QRectF &other : all) {
                        QVERIFY(!rect.adjusted(0.01, 0.01, -0.01, -0.01).intersects(other));
                    }
                    all.push_back(rect);
                }
            }
            for (int sentence = 0; sentence < layout.sentenceCount(); ++sentence) {
                const QRectF band = layout.bandRect(sentence);
                for (const QRectF &rect : all) {
                    QVERIFY(!band.intersects(rect));
                }
                QCOMPARE(layout.firstSentenceBelow(layout.sentenceRect(sentence).center().y()), sentence);
            }
            QVERIFY(layout.contentHeight() >= layout.sentenceRect(layout.sentenceCount() - 1).bottom() - 0.01);
        }
    }
    void aBookThatWaitsCostsNoMoreThanALine()
    {
        BilingualText text;
        takeAll(text, storyOf(2, 20000));
        int measured = 0;
        BilingualLayout layout;
        layout.reshape({}, [&measured](const QString &word) {
            ++measured;
            return widthOf(word);
        });
        layout.place(text);
        QVERIFY(layout.sentenceCount() <= 2 + 1 + kWaitingSentencesPlaced);
        QVERIFY(measured < 1000);
        const int before = measured;
        for (int frame = 0; frame < 1000; ++frame) {
            layout.place(text);
        }
        QCOMPARE(measured, before);
    }
    void anHourOfSentencesIsPlacedInAMoment()
    {
        BilingualText text;
        takeAll(text, storyOf(3000, 0));
        BilingualLayout layout;
        layout.reshape({}, widthOf);
        layout.place(text);
        QElapsedTimer clock;
        clock.start();
        BilingualShape other;
        other.column_width = 333;
        layout.reshape(other);
        layout.place(text);
        QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));  // a resize; arithmetic only
        clock.restart();
        for (int frame = 0; frame < 200; ++frame) {
            layout.place(text);
        }
        QVERIFY2(clock.elapsed() < 500, qPrintable(QString::number(clock.elapsed())));  // frames in which nothing came
    }
    void rightToLeftSentencesBeginAtTheRight()
    {
        BilingualText text;
        text.beginRun({});
        text.take(sessions::SentenceBegan{0, 0});
        text.take(sessions::UnitsArrived{0, {unitOf("peace"), unitOf("now")}});
        sessions::WordWritten word;
        word.word.text = "\u0627\u0644\u0633\u0644\u0627\u0645";
        text.take(word);
        word.word.text = "\u0627\u0644\u0622\u0646";
        text.take(word);
        BilingualLayout layout;
        layout.reshape({}, widthOf);
        layout.place(text);
        const double right = layout.shape().columnLeft(TextSide::Target) + layout.shape().column_width;
        QCOMPARE(layout.pieceRect({TextSide::Target, 0}).right(), right);
        QVERIFY(layout.pieceRect({TextSide::Target, 1}).right() < layout.pieceRect({TextSide::Target, 0}).left());
        QCOMPARE(layout.pieceRect({TextSide::Source, 0}).left(), layout.shape().columnLeft(TextSide::Source));
    }

    // --- the staircase
    void theStaircaseGrowsWithoutMoving_data()
    {
        QTest::addColumn<int>("units");
        QTest::addColumn<int>("words");
        QTest::addColumn<int>("stairs");
        QTest::newRow("short") << 3 << 2 << 8;
        QTest::newRow("full") << 8 << 8 << 8;
        QTest::newRow("one more") << 9 << 4 << 12;
        QTest::newRow("more words than units") << 5 << 17 << 24;
    }
    void theStaircaseGrowsWithoutMoving()
    {
        QFETCH(int, units);
        QFETCH(int, words);
        QFETCH(int, stairs);
        QCOMPARE(stairsFor(units, words), stairs);
        const StaircaseGeometry geometry{QRectF(10, 20, 80, 160), stairs};
        QCOMPARE(geometry.xOf(0), 10.0);
        QCOMPARE(geometry.xOf(stairs), 90.0);
        QCOMPARE(geometry.yOf(stairs), 180.0);
        for (int word = 0; word < words; ++word) {
            QCOMPARE(geometry.wordAt((geometry.yOf(word) + geometry.yOf(word + 1)) / 2, words), word);
        }
        QCOMPARE(geometry.wordAt(179, words), words - 1);
        QCOMPARE(geometry.wordAt(19, words), -1);
        QCOMPARE(geometry.wordAt(30, 0), -1);
    }

    // --- what lights up
    void aWordLightsWhatItLookedAtAndAUnitWhoLookedAtIt()
    {
        BilingualText text;
        takeSmall(text);
        const LitPieces boats = litBy(text, PieceRef{TextSide::Target, 1});
        QVERIFY(boats.side == TextSide::Source);
        QCOMPARE(boats.first, 0);
        QCOMPARE(boats.weights.size(), std::size_t(4));
        QCOMPARE(static_cast<int>(std::max_element(boats.weights.begin(), boats.weights.end()) - boats.weights.begin()), 2);
        QCOMPARE(boats.weights[2], 1.0F);
        const LitPieces red = litBy(text, PieceRef{TextSide::Source, 1});
        QVERIFY(red.side == TextSide::Target);
        QCOMPARE(static_cast<int>(std::max_element(red.weights.begin(), red.weights.end()) - red.weights.begin()), 2);
        QVERIFY(litBy(text, {}).weights.empty());
        QVERIFY(litBy(text, PieceRef{TextSide::Target, 99}).weights.empty());
        const decoding::AttentionTable table = attentionOf(text, 0);
        QCOMPARE(table.rows, std::int64_t(3));
        QCOMPARE(table.columns, std::int64_t(5));  // with the end
    }
    void lettersStayReadableInTheBrightestLight()
    {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrastLight, ThemeKind::HighContrastDark}) {
            const Theme &theme = themeFor(kind);
            const QColor behind = theme.colour(ColourToken::Selection);  // a tint of it, at most
            QVERIFY2(contrastRatio(theme.colour(ColourToken::Ink), behind) >= 4.5, qPrintable(QStringLiteral("%1: %2").arg(static_cast<int>(kind)).arg(contrastRatio(theme.colour(ColourToken::Ink), behind))));
        }
    }

    // --- finding
    void findingGoesOnWhileWordsCome()
    {
        Appearance appearance;
        BilingualText text;
        BilingualView view(text, appearance);
        view.resize(700, 300);
        const auto story = storyOf(9, 2, 3, 21);
        view.find(QStringLiteral("AA"));
        for (const auto &event : story) {
            text.take(event);
            text.announce();
        }
        const int live = view.matchCount();
        view.find({});
        QCOMPARE(view.matchCount(), 0);
        view.find(QStringLiteral("aa"));  // without regard to case
        QCOMPARE(view.matchCount(), live);
        QVERIFY(live > 3);
        view.showMatch(0);
        QCOMPARE(view.currentMatch(), 0);
        view.showMatch(-1);
        QCOMPARE(view.currentMatch(), live - 1);
    }

    // --- files
    void aTranslationIsSavedByItsEnding()
    {
        const QTemporaryDir folder;
        const auto path = [&folder](const char *name) { return std::filesystem::path(folder.filePath(QLatin1String(name)).toStdString()); };
        BilingualText text;
        takeSmall(text);
        exportTranslation(text, path("a.txt"));
        QCOMPARE(readTextFile(path("a.txt")), std::string("Deux bateaux rouges\n"));
        exportTranslation(text, path("a.tsv"));
        QCOMPARE(readTextFile(path("a.tsv")), std::string("two red boats sail.\tDeux bateaux rouges\n"));
        exportTranslation(text, path("a.json"));
        const auto json = nlohmann::json::parse(readTextFile(path("a.json")));
        QCOMPARE(json.at("format").get<std::string>(), std::string("braid-translation"));
        const auto &sentence = json.at("sentences").at(0);
        QCOMPARE(sentence.at("target").get<std::string>(), std::string("Deux bateaux rouges"));
        QCOMPARE(sentence.at("words").at(1).at("read_units").get<int>(), 4);
        QCOMPARE(sentence.at("words").at(1).at("attention").size(), std::size_t(4));
        QCOMPARE(sentence.at("words").at(0).at("tokens").size(), std::size_t(1));
        QCOMPARE(sentence.at("end").get<std::string>(), std::string("said"));
        for (const char *name : {"a.srt", "a.docx"}) {
            try {
                exportTranslation(text, path(name));
                QFAIL("saved");
            } catch (const Error &error) {
                QVERIFY(error.kind() == ErrorKind::Usage);
                QVERIFY(error.sentence().find(name) != std::string::npos);
            }
            QVERIFY(!std::filesystem::exists(path(name)));
        }
    }
    void whatWasSaidHasSubtitles()
    {
        const QTemporaryDir folder;
        BilingualText text;
        text.beginRun({});
        text.take(sessions::SentenceBegan{0, 0});
        auto units = std::vector<sessions::ArrivedUnit>{unitOf("good"), unitOf("morning.")};
        units[0].sound = sessions::SoundSpan{samplesFromSeconds(2), samplesFromSeconds(2.4)};
        units[1].sound = sessions::SoundSpan{samplesFromSeconds(2.5), samplesFromSeconds(4)};
        text.take(sessions::UnitsArrived{0, units});
        sessions::WordWritten word;
        word.word.text = "Bonjour.";
        text.take(word);
        const text::Transcript items = timedTranslation(text);
        QCOMPARE(items.size(), std::size_t(1));
        const auto &said = std::get<text::Word>(items.front());
        QCOMPARE(said.start_sample, samplesFromSeconds(2));
        QCOMPARE(said.end_sample, samplesFromSeconds(4));
        const std::filesystem::path file = folder.filePath("b.srt").toStdString();
        exportTranslation(text, file);
        QVERIFY(readTextFile(file).find("00:00:02,000 --> 00:00:04,000\nBonjour.") != std::string::npos);
    }

    // --- numbers
    void tuningsSayWhatTheyAre_data()
    {
        QTest::addColumn<QString>("paradigm");
        QTest::addColumn<double>("phi");
        QTest::addColumn<int>("k");
        QTest::addColumn<QString>("said");
        QTest::addColumn<int>("run_k");
        QTest::newRow("plain") << "group" << 0.0 << 5 << "k 5" << 5;
        QTest::newRow("with an offset") << "group" << 0.5 << 3 << QStringLiteral("k 3, \u03c6 0.5") << 3;
        QTest::newRow("no offset elsewhere") << "batch-all" << 0.5 << 3 << "k 3" << 3;
        QTest::newRow("whole") << "interleaved" << 0.0 << kWholeSentence << "whole sentences" << decoding::kMaxK;
        QTest::newRow("offline knows no k") << "offline" << 0.0 << 3 << "whole sentences" << decoding::kMaxK;
    }
    void tuningsSayWhatTheyAre()
    {
        QFETCH(QString, paradigm);
        QFETCH(double, phi);
        QFETCH(int, k);
        QFETCH(QString, said);
        QFETCH(int, run_k);
        TranslationTuning tuning;
        tuning.paradigm = paradigm;
        tuning.phi = phi;
        tuning.k = k;
        QCOMPARE(tuningText(tuning), said);
        QCOMPARE(settingsFor(tuning).wait_k.k, run_k);
        QVERIFY(settingsFor(tuning).wait_k.attention == decoding::AttentionWanted::Yes);
        sessions::requireUsable(settingsFor(tuning));
    }
    void onlySomeChangesNeedANewTranslator()
    {
        const TranslationTuning now;
        TranslationTuning wanted = now;
        wanted.k = 9;
        wanted.catch_up_units = 12;
        QVERIFY(!needsNewTranslator(now, wanted));
        wanted.phi = 1;
        QVERIFY(needsNewTranslator(now, wanted));
        wanted = now;
        wanted.paradigm = QStringLiteral("batch-all");
        QVERIFY(needsNewTranslator(now, wanted));
        wanted = now;
        wanted.language = QStringLiteral("en>de");
        QVERIFY(needsNewTranslator(now, wanted));
    }
    void keysStepKUpToTheWholeSentence()
    {
        QWidget parent;
        TranslationControls controls({}, &parent);
        QSignalSpy changes(&controls, &TranslationControls::changed);
        controls.stepK(-1);
        QCOMPARE(controls.tuning().k, 4);
        for (int step = 0; step < 40; ++step) {
            controls.stepK(1);
        }
        QCOMPARE(controls.tuning().k, kWholeSentence);
        controls.stepK(-1);
        QCOMPARE(controls.tuning().k, kMostWaitK);
        for (int step = 0; step < 40; ++step) {
            controls.stepK(-1);
        }
        QCOMPARE(controls.tuning().k, 1);
        QCOMPARE(changes.count(), 1 + 17 + 20);
    }
    void settingsAreKeptAndStrangeOnesIgnored()
    {
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("braid.ini").toStdString();
        {
            SettingsStore store(file);
            store.update([](Settings &s) {
                s.translation.paradigm = QStringLiteral("interleaved");
                s.translation.k = 9;
                s.translation.phi = 2.5;
                s.translation_other.k = kWholeSentence;
                s.translation_source = TranslationSource::Captions;
                s.translation_model = QStringLiteral("translate-en-fr");
            });
        }
        {
            const SettingsStore again(file);
            QCOMPARE(again.values().translation.paradigm, QStringLiteral("interleaved"));
            QCOMPARE(again.values().translation.k, 9);
            QCOMPARE(again.values().translation.phi, 2.5);
            QCOMPARE(again.values().translation_other.k, kWholeSentence);
            QVERIFY(again.values().translation_source == TranslationSource::Captions);
        }
        writeFileAtomically(file, "[translation]\nparadigm=upside-down\nk=-7\nphi=nan\nsource=99\ntyping=x\n");
        const SettingsStore strange(file);
        QCOMPARE(strange.values().translation.paradigm, QStringLiteral("group"));
        QCOMPARE(strange.values().translation.k, kWholeSentence);
        QCOMPARE(strange.values().translation.phi, 0.0);
        QVERIFY(strange.values().translation_source == TranslationSource::Typed);
    }
    void theStatusSaysTheTruth_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<QString>("activity");
        QTest::addColumn<QString>("said");
        QTest::newRow("ready") << static_cast<int>(engine::RunState::Idle) << QString() << "ready";
        QTest::newRow("loading") << static_cast<int>(engine::RunState::Loading) << "loading translate-en-fr (40 %)" << "loading translate-en-fr (40 %)";
        QTest::newRow("waiting") << static_cast<int>(engine::RunState::Listening) << "waiting for more source" << "waiting for more source";
        QTest::newRow("finishing") << static_cast<int>(engine::RunState::Draining) << "translating" << "finishing";
        QTest::newRow("failed") << static_cast<int>(engine::RunState::Failed) << QString() << "stopped by an error";
    }
    void theStatusSaysTheTruth()
    {
        QFETCH(int, state);
        QFETCH(QString, activity);
        QFETCH(QString, said);
        engine::TranslationSnapshot snapshot;
        snapshot.state = static_cast<engine::RunState>(state);
        snapshot.activity = activity.toStdString();
        snapshot.statistics.source_units = 124;
        snapshot.statistics.target_words = 118;
        snapshot.statistics.lag_ms_newest = 312;
        snapshot.statistics.lag_units_mean = 4.2;
        snapshot.statistics.tokens_per_second = 143.24;
        const TranslationStatusText text = statusText(snapshot);
        QCOMPARE(text.state, said);
        QCOMPARE(text.amount, QStringLiteral("read 124, written 118 words"));
        QCOMPARE(text.lag, QStringLiteral("lag 0.31 s, mean 4.2 units"));
        QCOMPARE(text.speed, QStringLiteral("143.2 tokens/s"));
    }
    void whatCostsLessStandsInBold()
    {
        sessions::TranslationStatistics group;
        group.target_tokens = 100;
        group.tokens_per_second = 200;
        group.compute_seconds = 0.5;
        group.cost.tokens_fed = 230;
        sessions::TranslationStatistics again = group;
        again.tokens_per_second = 20;
        again.compute_seconds = 5;
        again.cost.tokens_fed = 2900;
        const auto mine = costLines(group, again);
        const auto others = costLines(again, group);
        QVERIFY(mine[0].better && !others[0].better);
        QCOMPARE(mine[2].value, QStringLiteral("2.30"));
        QVERIFY(mine[2].better && mine[3].better && !others[2].better);
        QVERIFY(!costLines(group, {})[0].better);  // nothing to beat yet
    }
};

QTEST_MAIN(UiTranslationTest)
#include "tst_ui_translation.moc"
