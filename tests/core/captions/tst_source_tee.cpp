// One capture heard by two runs: the same samples for both, each at its own pace, bounded, with every trouble told to both. Runs under
// the thread sanitizer.
#include <QtTest>

#include <thread>

#include "core/captions/source_tee.h"
#include "tests/support/engine_runs.h"

using namespace braid;
using namespace braid::captions;
using namespace braid::runtime;
using namespace braid::testing;
namespace script = braid::audio::script;

namespace {

constexpr std::chrono::milliseconds kSoon{20};

// What a branch said to its end.
struct Heard {
    std::vector<float> sound;  // gaps as silence
    Sample gap_samples = 0;
    std::string notices;
    std::string error;
};

Heard readToEnd(audio::Source &source, std::size_t piece, std::chrono::milliseconds pause = {})
{
    Heard heard;
    std::vector<float> buffer(piece);
    try {
        source.start();
        for (int patience = 0; patience < 500;) {
            const auto result = source.read(buffer, kSoon);
            heard.notices += result.notice;
            if (result.state == audio::ReadState::End) {
                return heard;
            }
            if (result.state == audio::ReadState::Sound) {
                heard.sound.insert(heard.sound.end(), buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(result.samples));
            } else if (result.state == audio::ReadState::Gap) {
                heard.gap_samples += result.gap_samples;
                heard.sound.resize(heard.sound.size() + static_cast<std::size_t>(result.gap_samples));
            } else {
                ++patience;
            }
            std::this_thread::sleep_for(pause);
        }
        heard.error = "no end";
    } catch (const Error &error) {
        heard.error = error.what();
    }
    return heard;
}

std::shared_ptr<SourceTee> teeOver(std::vector<audio::ScriptStep> steps, Sample most_queued = SourceTee::kMostQueuedSamples,
                                   audio::ScriptedSource **made = nullptr)
{
    auto source = std::make_unique<audio::ScriptedSource>(std::move(steps), audio::SourceDescription{"Desk Microphone", "", audio::Pace::Live, 0});
    if (made != nullptr) {
        *made = source.get();
    }
    return SourceTee::make([held = std::make_shared<std::unique_ptr<audio::Source>>(std::move(source))] { return std::move(*held); }, 2, most_queued);
}

}  // namespace

class SourceTeeTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void bothHearTheSame()
    {
        const auto first = speech(1.3);
        const auto second = speech(0.7, 2);
        const auto tee = teeOver(
            {script::Sound{first}, script::Gap{4000, "The microphone is back."}, script::Sound{second}, script::Notice{"Loud."}, script::Silence{1000}});
        const auto a = tee->branch(0);
        const auto b = tee->branch(1);
        Heard heard_a;
        std::thread reader([&] { heard_a = readToEnd(*a, 700); });
        const Heard heard_b = readToEnd(*b, 16000, std::chrono::milliseconds(3));
        reader.join();
        QCOMPARE(heard_a.error, std::string());
        QCOMPARE(heard_a.sound, joined({first, std::vector<float>(4000), second, std::vector<float>(1000)}));
        QCOMPARE(heard_b.sound, heard_a.sound);
        QCOMPARE(heard_a.gap_samples, 4000);
        QCOMPARE(heard_b.gap_samples, 4000);
        QCOMPARE(heard_a.notices, std::string("The microphone is back.Loud."));
        QCOMPARE(heard_b.notices, heard_a.notices);
        QCOMPARE(a->description().name, std::string("Desk Microphone"));
        QVERIFY(a->description().pace == audio::Pace::Live);
    }
    void whoStartsLateMissesNothing()
    {
        const auto sound = speech(2);
        const auto tee = teeOver({script::Sound{sound}});
        const auto a = tee->branch(0);
        QCOMPARE(readToEnd(*a, 1600).sound, sound);
        const auto b = tee->branch(1);
        QCOMPARE(readToEnd(*b, 1600).sound, sound);
    }
    void whoDoesNotReadLosesTheOldestAndKeepsItsClock()
    {
        const auto sound = speech(5);
        const auto tee = teeOver({script::Sound{sound}}, samplesFromSeconds(1));
        const auto a = tee->branch(0);
        const auto b = tee->branch(1);
        b->start();
        // The tee never waits: it reads on although nobody takes anything.
        const Heard heard = readToEnd(*a, 1600, std::chrono::milliseconds(1));
        QTest::qWait(100);
        const Heard late = readToEnd(*b, 1600);
        QCOMPARE(late.sound.size(), sound.size());
        QCOMPARE(late.gap_samples, samplesFromSeconds(4));
        QCOMPARE(late.notices, std::string("The computer could not keep up with the sound."));
        QVERIFY(std::equal(late.sound.begin() + samplesFromSeconds(4), late.sound.end(), sound.begin() + samplesFromSeconds(4)));
        QCOMPARE(heard.sound.size(), sound.size());
    }
    void aSourceThatCannotBeOpenedFailsBoth()
    {
        int opened = 0;
        const auto tee = SourceTee::make(
            [&opened]() -> std::unique_ptr<audio::Source> {
                ++opened;
                throw Error(ErrorKind::Device, "the microphone is used by another program");
            },
            2);
        for (int index = 0; index < 2; ++index) {
            const auto branch = tee->branch(index);
            QVERIFY(readToEnd(*branch, 100).error.find("used by another program") != std::string::npos);
        }
        QCOMPARE(opened, 1);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(tee->branch(2)), Error);
    }
    void aSourceThatFailsLaterFailsBothAfterItsSound()
    {
        const auto sound = speech(0.5);
        const auto tee = teeOver({script::Sound{sound}, script::Fail{ErrorKind::Device, "the device was lost"}});
        for (int index = 0; index < 2; ++index) {
            const auto branch = tee->branch(index);
            const Heard heard = readToEnd(*branch, 1600);
            QCOMPARE(heard.sound, sound);
            QVERIFY(heard.error.find("the device was lost") != std::string::npos);
        }
    }
    void oneMayStopAndTheOtherGoesOn()
    {
        audio::ScriptedSource *source = nullptr;
        const auto sound = speech(1);
        const auto tee = teeOver({script::Sound{sound}, script::Hold{}, script::Sound{sound}}, SourceTee::kMostQueuedSamples, &source);
        const auto a = tee->branch(0);
        const auto b = tee->branch(1);
        a->start();
        b->start();
        QTRY_VERIFY(source->holding());
        a->stop();
        source->release();
        QCOMPARE(readToEnd(*a, 1600).sound.size(), sound.size());
        QCOMPARE(readToEnd(*b, 1600).sound.size(), 2 * sound.size());
        QVERIFY(!source->stopped());
        b->stop();
        QVERIFY(source->stopped());
    }
    void finishingGivesBothTheSameEnd()
    {
        audio::ScriptedSource *source = nullptr;
        const auto sound = speech(1);
        const auto tee = teeOver({script::Sound{sound}, script::Hold{}}, SourceTee::kMostQueuedSamples, &source);
        const auto a = tee->branch(0);
        const auto b = tee->branch(1);
        a->start();
        b->start();
        QTRY_VERIFY(source->holding());
        tee->finish();
        a->stop();
        QCOMPARE(readToEnd(*a, 1600).sound, sound);
        QCOMPARE(readToEnd(*b, 1600).sound, sound);
    }
    void twoEnginesCaptionOneMicrophone()
    {
        const auto sound = speech(3);
        const auto tee = teeOver({script::Silence{8000}, script::Sound{sound}, script::Silence{32000}});
        CaptionEngine one;
        CaptionEngine other;
        int index = 0;
        for (CaptionEngine *engine : {&one, &other}) {
            auto run = runOver([tee, index] { return tee->branch(index); }, [] { return std::make_unique<HalfSecondWords>(); });
            engine->start(std::move(run));
            ++index;
        }
        const auto first = finishedRun(one);
        const auto second = finishedRun(other);
        QVERIFY(first && second);
        QVERIFY(first->text().size() > 20);
        QCOMPARE(first->text(), second->text());
        QCOMPARE(one.snapshot()->statistics.heard_samples, other.snapshot()->statistics.heard_samples);
    }
};

QTEST_GUILESS_MAIN(SourceTeeTest)
#include "tst_source_tee.moc"
