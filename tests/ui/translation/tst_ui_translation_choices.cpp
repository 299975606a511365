// What is chosen on the Translation page and the figures it shows: tunings, the keys of k, settings kept, the status line, costs side by side.
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/file.h"
#include "tests/ui/translation/translation_fakes.h"
#include "ui/shared/choice_box.h"
#include "ui/state/settings.h"
#include "ui/state/translation_tuning.h"
#include "ui/translation/translation_choices.h"
#include "ui/translation/translation_controls.h"
#include "ui/translation/translation_side.h"
#include "ui/translation/translation_status.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

class UiTranslationChoicesTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
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
        QTest::newRow("whole") << "interleaved" << 0.0 << kWholeSentence << "whole sentences" << translation::kMaxK;
        QTest::newRow("offline knows no k") << "offline" << 0.0 << 3 << "whole sentences" << translation::kMaxK;
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
        QVERIFY(settingsFor(tuning).wait_k.attention == AttentionWanted::Yes);
        translation::requireUsable(settingsFor(tuning));
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
    void anotherPairOfLanguagesIsTheModelMadeForIt()
    {
        const QTemporaryDir folder;
        SettingsStore settings(folder.filePath("braid.ini").toStdString());
        Services services;
        services.list_translation_models = [] {
            std::vector<TranslationModelEntry> models = translationModels();  // one of them, of no pair, cannot be used
            models.push_back({QStringLiteral("translate-en-de"), "/models/translate-en-de", {}, QStringLiteral("en"), QStringLiteral("de"), {}});
            models.push_back({QStringLiteral("chat"), "/models/chat", {}, {}, {}, {}});
            return models;
        };
        TranslationChoicesRow row(services, settings);
        QTRY_VERIFY(row.listsArrived());
        auto *model = row.findChild<ChoiceBox *>(QStringLiteral("model"));
        auto *languages = row.findChild<ChoiceBox *>(QStringLiteral("language"));
        QCOMPARE(languages->count(), 2);
        QCOMPARE(row.targetLanguage(), QStringLiteral("French"));
        languages->setCurrentIndex(1);
        Q_EMIT languages->activated(1);
        QCOMPARE(settings.values().translation_model, QStringLiteral("translate-en-de"));
        QCOMPARE(model->currentText(), QStringLiteral("translate-en-de"));
        QCOMPARE(row.targetLanguage(), QStringLiteral("German"));
        QString problem;
        QVERIFY(row.choices(problem).has_value());
        QCOMPARE(row.choices(problem)->model, std::filesystem::path("/models/translate-en-de"));
        QVERIFY(row.choices(problem)->tuning.language.isEmpty());
        // A model that is told the languages is told them, and stays.
        settings.update([](Settings &s) { s.translation_model = QStringLiteral("chat"); });
        const int spanish = languages->findData(QStringLiteral("en>es"));
        QVERIFY(spanish > 0);
        languages->setCurrentIndex(spanish);
        Q_EMIT languages->activated(spanish);
        QCOMPARE(settings.values().translation_model, QStringLiteral("chat"));
        QCOMPARE(row.choices(problem)->tuning.language, QStringLiteral("en>es"));
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
        QTest::newRow("ready") << static_cast<int>(runtime::RunState::Idle) << QString() << "ready";
        QTest::newRow("loading") << static_cast<int>(runtime::RunState::Loading) << "loading translate-en-fr (40 %)"
                                 << "loading translate-en-fr (40 %)";
        QTest::newRow("waiting") << static_cast<int>(runtime::RunState::Listening) << "waiting for more source"
                                 << "waiting for more source";
        QTest::newRow("finishing") << static_cast<int>(runtime::RunState::Draining) << "translating"
                                   << "finishing";
        QTest::newRow("failed") << static_cast<int>(runtime::RunState::Failed) << QString() << "stopped by an error";
    }
    void theStatusSaysTheTruth()
    {
        QFETCH(int, state);
        QFETCH(QString, activity);
        QFETCH(QString, said);
        translation::TranslationSnapshot snapshot;
        snapshot.state = static_cast<runtime::RunState>(state);
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
        translation::TranslationStatistics group;
        group.target_tokens = 100;
        group.tokens_per_second = 200;
        group.compute_seconds = 0.5;
        group.cost.tokens_fed = 230;
        translation::TranslationStatistics again = group;
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

QTEST_MAIN(UiTranslationChoicesTest)
#include "tst_ui_translation_choices.moc"
