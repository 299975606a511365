// A device that is pulled out and plugged in again: noticed, reported, taken up again, the gap marked, session time true to the clock.
// The device and the clock are the test's own, so that hours pass in an instant and every number is exact.
#include <QtTest>

#include "core/audio/live_source.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "tests/core/audio/signals.h"

using namespace braid;
using namespace braid::audio;
using namespace braid::audio::testing;
using std::chrono::milliseconds;

namespace {

// A device world: while somebody sleeps, time passes and a plugged-in, started device delivers a block every 10 ms.
class World final : public Clock {
  public:
    TimePoint now() const noexcept override { return at; }
    void sleepFor(std::chrono::nanoseconds duration) override { pass(duration); }

    void pass(std::chrono::nanoseconds duration)
    {
        const TimePoint until = at + duration;
        while (next_block <= until) {
            at = next_block;
            next_block += milliseconds(10);
            tick();
        }
        at = until;
    }
    [[nodiscard]] double seconds() const { return std::chrono::duration<double>(at.time_since_epoch()).count(); }

    void tick()
    {
        if (sink == nullptr || !plugged || resting) {
            return;
        }
        const auto frames = static_cast<std::size_t>(rate_hz / 100);
        std::vector<float> block(frames * static_cast<std::size_t>(channels), 0.25f);
        sink->deliver(block.data(), frames);
    }

    TimePoint at{std::chrono::seconds(1000)};
    TimePoint next_block = at + milliseconds(10);
    CaptureSink *sink = nullptr;
    bool plugged = true;
    bool resting = false;       // plugged in, but gives nothing
    bool dies_quietly = false;  // a pulled device that still claims to be active
    double rate_hz = 48000;
    int channels = 2;
    int opened = 0;
    int attempts = 0;
    SilencePolicy silence = SilencePolicy::MeansLost;
};

class FakeDevice final : public CaptureBackend {
  public:
    explicit FakeDevice(World &world)
        : m_world(world)
    {
    }
    ~FakeDevice() override { FakeDevice::close(); }
    CaptureFormat open() override
    {
        ++m_world.attempts;
        if (!m_world.plugged) {
            throw Error(ErrorKind::Device, "there is no such microphone", "Headset");
        }
        ++m_world.opened;
        return {"Headset", m_world.rate_hz, m_world.channels};
    }
    void start(CaptureSink &sink) override { m_world.sink = &sink; }
    void close() override { m_world.sink = nullptr; }
    CaptureHealth health() override { return m_world.plugged || m_world.dies_quietly ? CaptureHealth::Alive : CaptureHealth::Lost; }
    SilencePolicy silencePolicy() const override { return m_world.silence; }
    std::string noun() const override { return "The microphone"; }

  private:
    World &m_world;
};

struct Session {
    explicit Session(World &world_)
        : world(world_)
        , source(std::make_unique<FakeDevice>(world_), LiveSourceOptions{}, &world_)
        , buffer(16000)
    {
        source.start();
        began = world.seconds();
    }
    // Reads as the pump does until so many seconds have passed.
    void listen(double seconds)
    {
        const double until = world.seconds() + seconds;
        while (world.seconds() < until) {
            const double before = world.seconds();
            take(source.read(buffer, milliseconds(50)));
            if (world.seconds() - before > 0.0511) {
                ++slow_reads;
            }
        }
    }
    void take(const ReadResult &result)
    {
        if (!result.notice.empty()) {
            notices << QString::fromStdString(result.notice);
        }
        sound_samples += static_cast<Sample>(result.samples);
        gap_samples += result.gap_samples;
        over = result.state == ReadState::End;
    }
    void drain()
    {
        source.stop();
        for (int count = 0; !over && count < 100000; ++count) {
            take(source.read(buffer, milliseconds(50)));
        }
    }
    // How far session time is from the clock.
    [[nodiscard]] double errorSeconds() const { return secondsFromSamples(sound_samples + gap_samples) - (world.seconds() - began); }

    World &world;
    LiveSource source;
    std::vector<float> buffer;
    double began = 0;
    Sample sound_samples = 0;
    Sample gap_samples = 0;
    QStringList notices;
    bool over = false;
    int slow_reads = 0;
};

}  // namespace

class LiveSourceTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { initLogging(LogLevel::Quiet); }

    void aHealthyDeviceGivesItsSound_data()
    {
        QTest::addColumn<double>("rate_hz");
        QTest::addColumn<int>("channels");
        QTest::newRow("16 kHz mono") << 16000.0 << 1;
#ifdef BRAID_HAS_MEDIA
        QTest::newRow("44.1 kHz stereo") << 44100.0 << 2;
        QTest::newRow("48 kHz, 18 channels") << 48000.0 << 18;
        QTest::newRow("8 kHz mono") << 8000.0 << 1;
#endif
    }
    void aHealthyDeviceGivesItsSound()
    {
        QFETCH(double, rate_hz);
        QFETCH(int, channels);
        World world;
        world.rate_hz = rate_hz;
        world.channels = channels;
        Session session(world);
        QCOMPARE(session.source.description().name, std::string("Headset"));
        session.listen(20);
        session.drain();
        QCOMPARE(session.gap_samples, Sample(0));
        QVERIFY(session.notices.isEmpty());
        QVERIFY2(std::fabs(session.errorSeconds()) < 0.02, qPrintable(QString::number(session.errorSeconds())));
        QVERIFY(session.over);
        QCOMPARE(session.slow_reads, 0);
        QVERIFY(world.sink == nullptr);
    }

    void aPulledDeviceIsWaitedForAndTakenUpAgain_data()
    {
        QTest::addColumn<bool>("dies_quietly");
        QTest::newRow("the library says so") << false;
        QTest::newRow("it just falls silent") << true;
    }
    void aPulledDeviceIsWaitedForAndTakenUpAgain()
    {
        QFETCH(bool, dies_quietly);
        World world;
        world.rate_hz = 16000;
        world.dies_quietly = dies_quietly;
        Session session(world);
        session.listen(5);
        world.plugged = false;
        session.listen(30);
        QCOMPARE(session.notices, QStringList{"The microphone \"Headset\" was lost; waiting for it."});
        // Also while it is away, session time keeps up with the clock.
        QVERIFY2(std::fabs(session.errorSeconds()) < 0.1, qPrintable(QString::number(session.errorSeconds())));
        QVERIFY(world.attempts > 5 && world.attempts < 20);
        world.plugged = true;
        session.listen(10);
        QCOMPARE(session.notices.size(), 2);
        QCOMPARE(session.notices[1], QString("The microphone \"Headset\" is back."));
        QCOMPARE(world.opened, 2);
        session.drain();
        QVERIFY2(std::fabs(session.errorSeconds()) < 0.02, qPrintable(QString::number(session.errorSeconds())));
        // It was away for 30 s and up to 4 s more until the next attempt.
        QVERIFY(session.gap_samples >= samplesFromSeconds(29.9) && session.gap_samples <= samplesFromSeconds(34.5));
        QCOMPARE(session.slow_reads, 0);
    }

    void itMayComeBackWithAnotherFormat()
    {
#ifndef BRAID_HAS_MEDIA
        QSKIP("this build has no resampling library");
#endif
        World world;
        Session session(world);
        session.listen(2);
        world.plugged = false;
        session.listen(2);
        world.rate_hz = 44100;
        world.channels = 1;
        world.plugged = true;
        session.listen(8);
        session.drain();
        QCOMPARE(session.notices.size(), 2);
        QVERIFY2(std::fabs(session.errorSeconds()) < 0.03, qPrintable(QString::number(session.errorSeconds())));
    }

    void manyLossesDoNotAddUp()
    {
        World world;
        world.rate_hz = 16000;
        Session session(world);
        for (int round = 0; round < 50; ++round) {
            session.listen(3.3);
            world.plugged = false;
            session.listen(2.7);
            world.plugged = true;
        }
        session.listen(10);
        session.drain();
        QCOMPARE(session.notices.size(), 100);
        QVERIFY2(std::fabs(session.errorSeconds()) < 0.1, qPrintable(QString::number(session.errorSeconds())));
    }

    void aBusyPumpLosesNothingUntilTheRingIsFullAndThenSaysSo()
    {
        World world;
        world.rate_hz = 16000;
        world.channels = 1;
        Session session(world);
        session.listen(1);
        world.pass(std::chrono::seconds(7));  // nobody reads; the ring holds 8 s
        session.listen(1);
        QCOMPARE(session.gap_samples, Sample(0));
        world.pass(std::chrono::seconds(60));
        session.listen(5);
        session.drain();
        QVERIFY(session.gap_samples > samplesFromSeconds(40));
        QCOMPARE(session.notices.size(), 1);
        QVERIFY(session.notices[0].contains("too busy"));
        QVERIFY2(std::fabs(session.errorSeconds()) < 0.02, qPrintable(QString::number(session.errorSeconds())));
    }

    void soundThatTheDeviceSkippedIsMarked()
    {
        World world;
        world.rate_hz = 16000;
        Session session(world);
        session.listen(5);
        world.resting = true;
        session.listen(0.5);
        world.resting = false;
        session.listen(0.05);
        world.sink->noteOverflow();
        session.listen(5);
        session.drain();
        QVERIFY2(std::llabs(session.gap_samples - samplesFromMs(500)) < samplesFromMs(30), qPrintable(QString::number(session.gap_samples)));
        QCOMPARE(session.notices.size(), 1);
        QVERIFY(session.notices[0].contains("skipped"));
    }

    void aRestingMonitorIsNotLost()
    {
        World world;
        world.rate_hz = 16000;
        world.silence = SilencePolicy::MeansNothingPlays;
        world.resting = true;
        Session session(world);
        session.listen(10);
        QVERIFY2(std::fabs(session.errorSeconds()) < 0.2, qPrintable(QString::number(session.errorSeconds())));
        world.resting = false;
        session.listen(5);
        world.resting = true;
        session.listen(20);
        world.resting = false;
        session.listen(5);
        session.drain();
        QCOMPARE(world.opened, 1);
        QVERIFY(session.notices.isEmpty());
        QVERIFY2(std::fabs(session.errorSeconds()) < 0.05, qPrintable(QString::number(session.errorSeconds())));
        QVERIFY(std::llabs(session.sound_samples - samplesFromSeconds(10)) < samplesFromMs(100));
    }

    void stopGivesWhatWasCapturedAndEnds()
    {
        World world;
        world.rate_hz = 16000;
        Session session(world);
        session.listen(1);
        world.pass(std::chrono::seconds(3));
        session.drain();
        QVERIFY(session.over);
        QVERIFY2(std::llabs(session.sound_samples - samplesFromSeconds(4)) < 400, qPrintable(QString::number(session.sound_samples)));
        QVERIFY(session.source.read(session.buffer, milliseconds(10)).state == ReadState::End);
    }

    void stopEndsTheWaitingForALostDevice()
    {
        World world;
        world.rate_hz = 16000;
        Session session(world);
        session.listen(1);
        world.plugged = false;
        session.listen(5);
        session.drain();
        QVERIFY(session.over);
    }

    void noDeviceIsToldAtOnce()
    {
        World world;
        world.plugged = false;
        QVERIFY_EXCEPTION_THROWN(LiveSource(std::make_unique<FakeDevice>(world), LiveSourceOptions{}, &world), Error);
    }
};

QTEST_GUILESS_MAIN(LiveSourceTest)
#include "tst_live_source.moc"
