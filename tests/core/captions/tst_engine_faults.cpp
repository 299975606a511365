// The worst cases: the process is killed, the disk is full, the session lasts for hours, the machine is far too slow.
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "core/captions/caption_journal.h"
#include "core/runtime/journal_sound.h"
#include "core/text/transcript_json.h"
#include "tests/support/engine_runs.h"
#include "tests/support/faults.h"
#include "tests/support/sanitized.h"

#include <nlohmann/json.hpp>

using namespace braid;
using namespace braid::captions;
using namespace braid::runtime;
using namespace braid::testing;
namespace script = braid::audio::script;
namespace fs = std::filesystem;

namespace {

// A microphone at fifty times its speed, for as long as anybody listens; what it says is known.
std::vector<float> spokenPart()
{
    return joined({speech(3.3), silence(1.5), speech(1.1, 9), silence(2.0)});
}

std::unique_ptr<audio::Source> endlessSpeech(audio::Pace pace, std::chrono::microseconds per_read, Sample most = -1)
{
    auto sound = std::make_shared<std::vector<float>>(spokenPart());
    return std::make_unique<FunctionSource>(
        audio::SourceDescription{"endless", "", pace, 0},
        [sound, per_read, most, at = Sample{0}](std::span<float> out, std::chrono::milliseconds) mutable -> audio::ReadResult {
            std::this_thread::sleep_for(per_read);
            if (most >= 0 && at >= most) {
                return {audio::ReadState::End, 0, 0, {}};
            }
            for (auto &value : out) {
                value = (*sound)[static_cast<std::size_t>(at++) % sound->size()];
            }
            return {audio::ReadState::Sound, out.size(), 0, {}};
        });
}

// The child of the kill test: captions, and tells every committed item through the pipe as soon as the engine has given it out.
[[noreturn]] void captionUntilKilled(const fs::path &journals, int pipe)
{
    CaptionEngine engine;
    auto run = runOver([] { return endlessSpeech(audio::Pace::Live, std::chrono::milliseconds(2)); }, [] { return std::make_unique<HalfSecondWords>(); });
    run.journal_folder = journals;
    engine.start(std::move(run));
    for (;;) {
        for (const auto &event : engine.takeEvents()) {
            if (const auto *committed = std::get_if<Committed>(&event.body)) {
                for (const auto &item : committed->items) {
                    const auto line = text::jsonLine(text::itemToJson(item)) + "\n";
                    if (::write(pipe, line.data(), line.size()) < 0) {
                        ::_exit(1);
                    }
                }
            }
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

long residentKilobytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) {
            return std::stol(line.substr(6));
        }
    }
    return 0;
}

}  // namespace

class EngineFaultsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void killedAtAnyMomentNothingReportedIsLost()
    {
        for (const int ms : {3, 40, 90, 170, 333, 700, 1500}) {
            const QTemporaryDir parent;
            const fs::path journals = parent.path().toStdString();
            const auto reported = toldUntilKilled(std::chrono::milliseconds(ms), [&journals](int pipe) { captionUntilKilled(journals, pipe); });

            const auto found = findInterruptedRuns(journals);
            if (found.empty()) {
                QVERIFY(reported.empty());  // killed before the journal was made
                continue;
            }
            std::string kept;
            for (const auto &item : readCaptionsJournal(found.at(0).folder).transcript) {
                kept += text::jsonLine(text::itemToJson(item)) + "\n";
            }
            // The pipe's last line may be torn: it is compared as far as it came.
            QVERIFY2(kept.starts_with(reported), (reported + "\n--- but the journal has\n" + kept).c_str());
            if (ms >= 1500) {
                QVERIFY(reported.size() > 1000);
            }
            // The sound under every word is there, and it is the sound that was heard.
            const auto sound = readJournalSound(found[0].folder, 0, found[0].sound_samples);
            const auto spoken = spokenPart();
            for (std::size_t i = 0; i < sound.size(); ++i) {
                QVERIFY(qAbs(sound[i] - spoken[i % spoken.size()]) < 1e-4f);
            }
        }
    }

    void aDiskThatIsFullIsSaidOnceAndTheRunGoesOn_data()
    {
        QTest::addColumn<qulonglong>("bytes");
        QTest::addColumn<bool>("keeps_text");
        QTest::newRow("full before the journal can be made") << qulonglong{0} << false;
        QTest::newRow("full in the middle of the sound") << qulonglong{100000} << true;
    }
    void aDiskThatIsFullIsSaidOnceAndTheRunGoesOn()
    {
        QFETCH(qulonglong, bytes);
        QFETCH(bool, keeps_text);
        const QTemporaryDir parent;
        CaptionEngine engine;
        auto run = runOver([] { return endlessSpeech(audio::Pace::Fast, {}, samplesFromSeconds(30)); }, [] { return std::make_unique<HalfSecondWords>(); });
        run.journal_folder = parent.path().toStdString();
        std::optional<RunResult> result;
        {
            const FullDisk full(bytes);
            engine.start(std::move(run));
            result = finishedRun(engine);
        }
        QVERIFY(result);
        QVERIFY(result->all<Failed>().empty());
        QCOMPARE(result->all<Notice>().size(), std::size_t{1});
        QVERIFY2(result->all<Notice>()[0].sentence.find("kept") != std::string::npos, result->all<Notice>()[0].sentence.c_str());
        QCOMPARE(result->all<Finished>().at(0).statistics.heard_samples, samplesFromSeconds(30));
        QVERIFY(result->all<Finished>().at(0).statistics.committed_words > 30);
        if (keeps_text) {
            const auto journal = readCaptionsJournal(engine.journalFolder());
            QCOMPARE(RunResult::textOf(journal.transcript), result->text());
            QVERIFY(journal.sound_samples > 16000 && journal.sound_samples <= 50000);
        }
    }

    void aFolderThatCannotBeMadeIsSaidOnceAndTheRunGoesOn()
    {
        CaptionEngine engine;
        auto run = runOver({script::Sound{speech(2)}});
        run.journal_folder = "/proc/no/such/place";
        engine.start(std::move(run));
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(result->all<Notice>().size(), std::size_t{1});
        QCOMPARE(result->items().size(), std::size_t{4});
        QVERIFY(engine.journalFolder().empty());
    }

    void hoursOfSoundCostNoMoreMemoryThanMinutes()
    {
        if (BRAID_SANITIZED) {
            QSKIP("memory is not measured under a sanitizer");
        }
        CaptionEngine engine;
        engine.start(
            runOver([] { return endlessSpeech(audio::Pace::Fast, {}, samplesFromSeconds(4 * 3600)); }, [] { return std::make_unique<HalfSecondWords>(); }));
        long after_ten_minutes_kb = 0;
        std::size_t words = 0;
        while (!engine.waitUntilFinished(0.01)) {
            words += RunResult{engine.takeEvents()}.items().size();
            if (after_ten_minutes_kb == 0 && engine.snapshot()->statistics.heard_samples > samplesFromSeconds(700)) {
                after_ten_minutes_kb = residentKilobytes();
            }
        }
        words += RunResult{engine.takeEvents()}.items().size();
        QVERIFY(words > 4u * 3600);
        QVERIFY(after_ten_minutes_kb > 0);
        QVERIFY2(residentKilobytes() - after_ten_minutes_kb < 8 * 1024, qPrintable(QString::number(residentKilobytes() - after_ten_minutes_kb)));
        QCOMPARE(engine.sound(0, 16000).size(), std::size_t{0});
        QCOMPARE(engine.sound(samplesFromSeconds(4 * 3600 - 500), samplesFromSeconds(500)).size(), static_cast<std::size_t>(samplesFromSeconds(500)));
    }

    void soundOlderThanTheMemoryComesFromTheJournal()
    {
        const QTemporaryDir parent;
        CaptionEngine engine;
        auto run = runOver([] { return endlessSpeech(audio::Pace::Fast, {}, samplesFromSeconds(900)); }, [] { return std::make_unique<HalfSecondWords>(); });
        run.journal_folder = parent.path().toStdString();
        engine.start(std::move(run));
        QVERIFY(finishedRun(engine, 60));
        const auto all = engine.sound(0, samplesFromSeconds(1000));
        const auto spoken = spokenPart();
        QCOMPARE(all.size(), static_cast<std::size_t>(samplesFromSeconds(900)));
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (qAbs(all[i] - spoken[i % spoken.size()]) > 1e-4f) {
                QFAIL(qPrintable(QString::number(i)));
            }
        }
    }

    void aMachineFarTooSlowSaysWhatItSkipped_data()
    {
        QTest::addColumn<bool>("with_journal");
        QTest::newRow("without a journal: a marked gap") << false;
        QTest::newRow("with a journal: nothing is skipped") << true;
    }
    void aMachineFarTooSlowSaysWhatItSkipped()
    {
        QFETCH(bool, with_journal);
        const QTemporaryDir parent;
        CaptionEngine engine;
        std::atomic<bool> go_on = false;
        const auto log = std::make_shared<PolicyLog>();
        // One utterance of a thousand seconds, of which the memory keeps six hundred, while the model stands still.
        auto run = runOver(
            [] {
                return std::make_unique<FunctionSource>(audio::SourceDescription{"talk", "", audio::Pace::Live, 0},
                                                        [at = Sample{0}](std::span<float> out, std::chrono::milliseconds) mutable -> audio::ReadResult {
                                                            if (at >= samplesFromSeconds(1000)) {
                                                                return {audio::ReadState::End, 0, 0, {}};
                                                            }
                                                            std::fill(out.begin(), out.end(), 0.5f);
                                                            at += static_cast<Sample>(out.size());
                                                            return {audio::ReadState::Sound, out.size(), 0, {}};
                                                        });
            },
            [&] {
                return std::make_unique<DisturbedPolicy>(log, [&] {
                    while (!go_on) {
                        std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    }
                });
            });
        if (with_journal) {
            run.journal_folder = parent.path().toStdString();
        }
        engine.start(std::move(run));
        QVERIFY(QTest::qWaitFor([&] { return engine.snapshot()->statistics.heard_samples == samplesFromSeconds(1000); }, 30000));
        if (with_journal) {
            QVERIFY(QTest::qWaitFor([&] { return journalSoundLength(engine.journalFolder()) == samplesFromSeconds(1000); }, 60000));
        }
        go_on = true;
        const auto result = finishedRun(engine);
        QVERIFY(result);
        QCOMPARE(result->all<Finished>().at(0).statistics.decoded_samples, samplesFromSeconds(1000));
        const bool gap = result->text().find("[the computer could not keep up") != std::string::npos;
        QCOMPARE(gap, !with_journal);
        QVERIFY(with_journal ? log->heard_samples == samplesFromSeconds(1000) : log->heard_samples > samplesFromSeconds(599));
    }
};

QTEST_GUILESS_MAIN(EngineFaultsTest)
#include "tst_engine_faults.moc"
