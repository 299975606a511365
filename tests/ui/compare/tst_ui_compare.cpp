// Two policies on the same sound: where they differ, what it costs, how it is kept, and the page itself over two real engines.
#include <QAbstractButton>
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>
#include <random>

#include "core/base/file.h"
#include "tests/ui/fakes.h"
#include "ui/captions/choices_row.h"
#include "ui/captions/timeline_view.h"
#include "ui/captions/transcript_view.h"
#include "ui/captions/tuning_controls.h"
#include "ui/compare/compare_page.h"
#include "ui/shared/choice_box.h"
#include "ui/shell/main_window.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

constexpr int kPatienceMs = 30000;

QString marked(const TranscriptModel &model, const std::vector<bool> &differs)
{
    QStringList words;
    for (int index = 0; index < model.wordCount(); ++index) {
        const QString text = QString::fromStdString(model.word(index).text);
        words << (static_cast<std::size_t>(index) < differs.size() && differs[static_cast<std::size_t>(index)] ? QStringLiteral("[%1]").arg(text) : text);
    }
    return words.join(QLatin1Char(' '));
}

ComparisonReport aReport()
{
    ComparisonReport report;
    report.source = "talk.wav";
    report.model = "captions-en";
    report.heard_s = 4;
    report.turns = ComparisonTurns::OneAfterTheOther;
    report.differing_places = 1;
    report.left.policy = "Streaming, 300 ms";
    report.left.transcript = transcriptOf(words("ask not what", 1));
    report.left.differs = {false, true, false};
    captions::Statistics statistics;
    statistics.revisions = 2;
    statistics.real_time_factor = 0.0714;
    report.left.figures = figuresOf(report.left.transcript, statistics, report.left.differs);
    report.right = report.left;
    report.right.policy = "Two agree, Own chunk";
    return report;
}

}  // namespace

class UiCompareTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void differencesAreFound_data()
    {
        QTest::addColumn<QString>("left");
        QTest::addColumn<QString>("right");
        QTest::addColumn<bool>("over");
        QTest::addColumn<QString>("marked_left");
        QTest::addColumn<QString>("marked_right");
        QTest::addColumn<int>("places");
        QTest::newRow("the same") << "ask not what"
                                  << "ask not what" << true << "ask not what"
                                  << "ask not what" << 0;
        QTest::newRow("case and punctuation do not count") << "Ask not, what"
                                                           << "ask not what." << true << "Ask not, what"
                                                           << "ask not what." << 0;
        QTest::newRow("another word") << "ask not what"
                                      << "ask naught what" << true << "ask [not] what"
                                      << "ask [naught] what" << 1;
        QTest::newRow("a word more") << "ask what"
                                     << "ask now what" << true << "ask what"
                                     << "ask [now] what" << 1;
        QTest::newRow("two for one, one place") << "a b c d"
                                                << "a x y d" << true << "a [b] [c] d"
                                                << "a [x] [y] d" << 1;
        QTest::newRow("two places") << "a b c d e"
                                    << "a x c y e" << true << "a [b] c [d] e"
                                    << "a [x] c [y] e" << 2;
        QTest::newRow("one side is only late") << "ask not what your country"
                                               << "ask not" << false << "ask not what your country"
                                               << "ask not" << 0;
        QTest::newRow("and was silent in the end") << "ask not what"
                                                   << "ask not" << true << "ask not [what]"
                                                   << "ask not" << 1;
    }
    void differencesAreFound()
    {
        QFETCH(QString, left);
        QFETCH(QString, right);
        QFETCH(bool, over);
        TranscriptModel one;
        TranscriptModel other;
        one.append(transcriptOf(words(left, 0)));
        other.append(transcriptOf(words(right, 0)));
        WordDifferences differences;
        differences.update(one, other, over ? ComparisonState::Over : ComparisonState::Growing);
        QTEST(marked(one, differences.left()), "marked_left");
        QTEST(marked(other, differences.right()), "marked_right");
        QTEST(differences.places(), "places");
    }
    void growingGivesWhatTheWholeGives()
    {
        // Thousands of words with errors here and there, settled in turns: what is held for sure on the way is what the end says.
        std::mt19937 random(3);
        TranscriptModel one;
        TranscriptModel other;
        WordDifferences growing;
        int expected_places = 0;
        for (int round = 0; round < 300; ++round) {
            text::Transcript left;
            text::Transcript right;
            for (int index = 0; index < 20; ++index) {
                const std::string text = "word" + std::to_string(round * 20 + index);
                const bool differs = index == 10 && random() % 3 == 0;
                expected_places += differs ? 1 : 0;
                left.emplace_back(settled(word(text, round, round + 0.1)));
                right.emplace_back(settled(word(differs ? "other" : text, round, round + 0.1)));
            }
            one.append(left);
            if (round % 2 == 0) {
                growing.update(one, other, ComparisonState::Growing);
            }
            other.append(right);
            growing.update(one, other, ComparisonState::Growing);
        }
        QElapsedTimer clock;
        clock.start();
        for (int again = 0; again < 20; ++again) {
            growing.update(one, other, ComparisonState::Over);
        }
        QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));  // the sure part is not aligned again
        QCOMPARE(growing.places(), expected_places);
        int different = 0;
        for (int index = 0; index < one.wordCount(); ++index) {
            const bool really = one.word(index).text != other.word(index).text;
            QCOMPARE(static_cast<bool>(growing.left()[static_cast<std::size_t>(index)]), really);
            different += really ? 1 : 0;
        }
        QCOMPARE(different, expected_places);
    }
    void figuresAreThoseOfTheWords()
    {
        auto said = words("ask not", 1);
        said[0].first_seen_sample = said[0].end_sample + samplesFromSeconds(0.5);
        said[1].first_seen_sample = said[1].end_sample + samplesFromSeconds(0.1);
        text::Transcript items{settled(said[0], 1.0), text::LineBreak{}, settled(said[1], 2.0)};
        captions::Statistics statistics;
        statistics.revisions = 4;
        statistics.step_ms_median = 12;
        const SideFigures figures = figuresOf(items, statistics, {true, false});
        QCOMPARE(figures.words, 2);
        QCOMPARE(figures.differing_words, 1);
        QCOMPARE(figures.first_word_s, 0.5);
        QVERIFY(std::abs(figures.seen_s - 0.3) < 1e-9);
        QVERIFY(std::abs(figures.settled_s - 1.5) < 1e-9);
        QCOMPARE(figures.revisions, 4);
        SideFigures slower = figures;
        slower.step_ms_median = 40;
        QVERIFY(figureLines(figures, slower)[5].better && !figureLines(slower, figures)[5].better);
        QVERIFY(!figureLines(figures, figures)[5].better);
        // Four revisions against five, words that come at once or late by turns: by chance.
        SideFigures chance = figures;
        chance.revisions = 5;
        chance.seen_s += 0.05;
        QVERIFY(!figureLines(figures, chance)[1].better && !figureLines(figures, chance)[3].better);
        chance.revisions = 40;
        chance.seen_s += 2;
        QVERIFY(figureLines(figures, chance)[1].better && figureLines(figures, chance)[3].better);
        QVERIFY(!figureLines({}, figures)[1].better);  // who has said nothing has won nothing
        QCOMPARE(figuresOf({}, {}, {}).seen_s, 0.0);
    }
    void aComparisonIsKeptAsTextAndJson()
    {
        const QTemporaryDir folder;
        const ComparisonReport report = aReport();
        saveComparison(report, folder.filePath("c.json").toStdString());
        const auto json = nlohmann::json::parse(readTextFile(folder.filePath("c.json").toStdString()));
        QCOMPARE(json["format"].get<std::string>(), std::string("braid-comparison"));
        QCOMPARE(json["left"]["revisions"].get<int>(), 2);
        QCOMPARE(json["left"]["items"].size(), std::size_t(3));
        QVERIFY(json["left"]["items"][1]["differs"].get<bool>());
        QVERIFY(!json["left"]["items"][0].contains("differs"));
        QCOMPARE(json["turns"].get<std::string>(), std::string("one after the other"));
        saveComparison(report, folder.filePath("c.txt").toStdString());
        const std::string text = readTextFile(folder.filePath("c.txt").toStdString());
        QVERIFY(text.find("ask {not} what") != std::string::npos);
        QVERIFY(text.find("real-time factor          0.071") != std::string::npos);
        QVERIFY_EXCEPTION_THROWN(saveComparison(report, folder.filePath("c.pdf").toStdString()), Error);
    }

    // The real engines over a real capture: both hear every sample.
    void liveSoundIsCapturedOnce()
    {
        const QTemporaryDir folder;
        const auto said = words("and so my fellow americans ask not what your country can do for you", 0.3);
        int opened = 0;
        Services services = speakingServices(said, folder.path().toStdString());
        const auto make_run = services.captions.make_run;
        services.make_engine = [&](CompareSide side) {
            auto script = said;
            if (side == CompareSide::Right) {
                script[3].text = "yellow";
            }
            EngineKit kit;
            kit.backend = std::make_unique<EngineBackend>();
            kit.make_run = [&opened, make_run, script](const CaptionChoices &choices) {
                captions::CaptionRun run = make_run(choices);
                run.open_source = [&opened, open = run.open_source] {
                    ++opened;
                    return open();
                };
                run.make_policy = [script](const auto &, std::stop_token) { return std::make_unique<SpeakingPolicy>(script); };
                return run;
            };
            kit.make_policy = services.captions.make_policy;
            return kit;
        };
        MainWindow window(std::move(services));
        window.resize(1280, 800);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.captions().choicesRow().listsArrived(), kPatienceMs);
        QTest::keyClick(&window.captions().transcriptView(), Qt::Key_C);
        QVERIFY(window.page() == PageName::Compare);
        ComparePage &page = window.comparePage();
        QTest::keyClick(&page, Qt::Key_Space);
        QVERIFY(page.isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!page.isRunning(), kPatienceMs);
        QCOMPARE(opened, 1);
        CaptionController &left = page.side(CompareSide::Left).controller();
        CaptionController &right = page.side(CompareSide::Right).controller();
        QCOMPARE(left.transcript().wordCount(), static_cast<int>(said.size()));
        QCOMPARE(right.transcript().wordCount(), static_cast<int>(said.size()));
        QCOMPARE(left.heard(), right.heard());
        QCOMPARE(page.differences().places(), 1);
        QVERIFY(page.differences().left()[3] && page.differences().right()[3]);
        QVERIFY(page.report().turns == ComparisonTurns::Together);
        QVERIFY(page.saveTo(folder.filePath("both.txt").toStdString()));
        QVERIFY(readTextFile(folder.filePath("both.txt").toStdString()).find("{yellow}") != std::string::npos);
        QVERIFY(!page.saveTo("/no/such/folder/both.txt"));
        // No session is kept of it.
        QVERIFY(!std::filesystem::exists(std::filesystem::path(folder.path().toStdString()) / "sessions"));
        QTest::keyClick(&page, Qt::Key_Escape);
        QVERIFY(window.page() == PageName::Captions);
    }
    void filesAreHeardByOneAfterTheOther()
    {
        const QTemporaryDir folder;
        const auto said = words("ask not what your country can do", 0.3);
        MainWindow window(speakingServices(said, folder.path().toStdString()));
        window.resize(1280, 800);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.captions().choicesRow().listsArrived(), kPatienceMs);
        window.captions().choicesRow().chooseFile("/talks/talk.wav");
        window.showPage(PageName::Compare);
        ComparePage &page = window.comparePage();
        bool ever_together = false;
        const auto watch = [&] {
            ever_together = ever_together || (page.side(CompareSide::Left).controller().activity() != RunActivity::Idle &&
                                              page.side(CompareSide::Right).controller().activity() != RunActivity::Idle);
        };
        connect(&page.side(CompareSide::Left).controller(), &CaptionController::activityChanged, this, watch);
        connect(&page.side(CompareSide::Right).controller(), &CaptionController::activityChanged, this, watch);
        page.startOrStop();
        QCOMPARE(page.side(CompareSide::Right).stateText(), QStringLiteral("waits for its turn"));
        QTRY_VERIFY_WITH_TIMEOUT(!page.isRunning() && page.side(CompareSide::Right).controller().transcript().wordCount() == static_cast<int>(said.size()),
                                 kPatienceMs);
        QVERIFY(!ever_together);
        QCOMPARE(page.side(CompareSide::Left).controller().transcript().wordCount(), static_cast<int>(said.size()));
        QCOMPARE(page.differences().places(), 0);
        QVERIFY(page.report().turns == ComparisonTurns::OneAfterTheOther);
    }
    void eachSideIsTunedByItselfAndRemembered()
    {
        const QTemporaryDir folder;
        ScriptedBackend *backend = nullptr;
        RememberingPlayer *player = nullptr;
        std::vector<ScriptedBackend *> sides;
        Services services = fakeServices(backend, player, folder.path().toStdString());
        const auto make_run = services.captions.make_run;
        const auto make_policy = services.captions.make_policy;
        services.make_engine = [&sides, make_run, make_policy](CompareSide) {
            auto made = std::make_unique<ScriptedBackend>();
            sides.push_back(made.get());
            return EngineKit{std::move(made), make_run, make_policy, {}};
        };
        MainWindow window(std::move(services));
        window.resize(1280, 800);
        window.show();
        QTRY_VERIFY_WITH_TIMEOUT(window.captions().choicesRow().listsArrived(), kPatienceMs);
        window.showPage(PageName::Compare);
        ComparePage &page = window.comparePage();
        QVERIFY(page.side(CompareSide::Left).tuning().tuning().policy != page.side(CompareSide::Right).tuning().tuning().policy);
        page.startOrStop();
        QCOMPARE(sides.size(), std::size_t(2));
        QCOMPARE(sides[0]->starts, 1);
        QCOMPARE(sides[1]->starts, 1);
        ChoiceBox &box = page.side(CompareSide::Right).tuning().policyBox();
        QVERIFY(box.choose(QStringLiteral("streaming")));
        Q_EMIT box.activated(box.currentIndex());
        QCOMPARE(sides[1]->policy_changes, 1);
        QCOMPARE(sides[0]->policy_changes, 0);
        QCOMPARE(window.settings().values().compare_right.policy, QStringLiteral("streaming"));
        QVERIFY(window.settings().values().tuning.policy.isEmpty());  // the Captions page is not touched
        page.startOrStop();
        page.startOrStop();
        QCOMPARE(sides[0]->cancels + sides[0]->stops, 2);
        window.showPage(PageName::Captions);
    }

    void aPolicyThatIsRegisteredIsOfferedOnEveryPage()
    {
        ScriptedBackend *backend = nullptr;
        RememberingPlayer *player = nullptr;
        const QTemporaryDir folder;
        Services services = fakeServices(backend, player, folder.path().toStdString());
        models::CaptionPolicies policies;
        policies.add(
            {"wait-and-see", "ws", "Patient", "Settles nothing before its time", models::PolicyRuns::OnAnyModel, {}, [](auto &, auto &) { return nullptr; }});
        services.policies = policyEntries(policies);
        MainWindow window(std::move(services));
        const auto offers = [](ChoiceBox &box) {
            const int at = box.findData(QStringLiteral("wait-and-see"));
            return at >= 0 && box.itemText(at) == QStringLiteral("Patient") &&
                   box.itemData(at, Qt::ToolTipRole).toString() == QStringLiteral("Settles nothing before its time") &&
                   box.findData(QStringLiteral("streaming")) >= 0 && box.findData(QStringLiteral("offline")) < 0;
        };
        QVERIFY(offers(window.captions().choicesRow().tuning().policyBox()));
        QVERIFY(offers(window.comparePage().side(CompareSide::Left).tuning().policyBox()));
        QVERIFY(offers(window.comparePage().side(CompareSide::Right).tuning().policyBox()));
    }
};

QTEST_MAIN(UiCompareTest)
#include "tst_ui_compare.moc"
