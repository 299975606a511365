// What Braid plays itself is left out of what it captures of the system's sound: as one gap with its reason, no longer than it was heard.
#include <QtTest>

#include "core/audio/own_playback.h"
#include "core/audio/scripted_source.h"

using namespace braid;
using namespace braid::audio;
using namespace std::chrono_literals;

namespace {

class HandClock final : public Clock {
  public:
    [[nodiscard]] TimePoint now() const noexcept override { return time; }
    TimePoint time{1h};
};

std::unique_ptr<Source> fourReads()
{
    std::vector<ScriptStep> steps;
    for (int step = 0; step < 4; ++step) {
        steps.emplace_back(script::Sound{std::vector<float>(1600, 0.5F)});
    }
    steps.emplace_back(script::Gap{800, "The device was lost."});
    return std::make_unique<ScriptedSource>(std::move(steps), SourceDescription{"Monitor", "16000 Hz", Pace::Live, 0});
}

}  // namespace

class OwnPlaybackTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void isAudibleUntilTheBuffersAreEmpty()
    {
        HandClock clock;
        OwnPlayback playback(600ms, &clock);
        QVERIFY(!playback.isAudible());
        playback.begin();
        QVERIFY(playback.isAudible());
        clock.time += 1h;
        QVERIFY(playback.isAudible());
        playback.end();
        clock.time += 599ms;
        QVERIFY(playback.isAudible());
        clock.time += 1ms;
        QVERIFY(!playback.isAudible());
        playback.begin();
        QVERIFY(playback.isAudible());
    }
    void itsTimeIsAGap()
    {
        HandClock clock;
        const auto playback = std::make_shared<OwnPlayback>(600ms, &clock);
        const auto source = withoutOwnPlayback(fourReads(), playback);
        source->start();
        QCOMPARE(source->description().name, std::string("Monitor"));
        std::vector<float> sound(4000);
        const auto read = [&] { return source->read(sound, 10ms); };
        QVERIFY(read().state == ReadState::Sound);
        playback->begin();
        const ReadResult first = read();
        QVERIFY(first.state == ReadState::Gap);
        QCOMPARE(first.gap_samples, Sample(1600));
        QCOMPARE(first.samples, std::size_t(0));
        QCOMPARE(first.notice, std::string("What Braid plays itself is not captioned."));
        playback->end();
        const ReadResult second = read();  // still in the loudspeaker's buffers
        QVERIFY(second.state == ReadState::Gap);
        QVERIFY(second.notice.empty());  // one gap, told once
        clock.time += 2s;
        const ReadResult third = read();
        QVERIFY(third.state == ReadState::Sound);
        QCOMPARE(third.samples, std::size_t(1600));
        // What the source says itself passes as it is.
        playback->begin();
        const ReadResult lost = read();
        QCOMPARE(lost.gap_samples, Sample(800));
        QCOMPARE(lost.notice, std::string("The device was lost."));
        source->stop();
        QVERIFY(read().state == ReadState::End);
    }
};

QTEST_GUILESS_MAIN(OwnPlaybackTest)
#include "tst_own_playback.moc"
