// The store keeps the newest sound, exactly, within its bounds, on the session clock.
#include <QtTest>

#include "core/captions/sound_store.h"
#include "tests/support/engine_fakes.h"

using namespace braid;
using namespace braid::captions;
using braid::testing::speech;

class SoundStoreTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void givesBackWhatWasAppendedInAnyPieces()
    {
        SoundStore store(samplesFromSeconds(10));
        const auto sound = speech(5.37);
        for (std::size_t at = 0; at < sound.size();) {
            const auto take = std::min<std::size_t>(1 + at % 4999, sound.size() - at);
            store.append(std::span(sound).subspan(at, take));
            at += take;
        }
        QCOMPARE(store.end(), static_cast<Sample>(sound.size()));
        std::vector<float> out(20000);
        QCOMPARE(store.read(12345, out), out.size());
        QVERIFY(std::equal(out.begin(), out.end(), sound.begin() + 12345));
    }

    void forgetsTheOldestSecondWhenFull()
    {
        SoundStore store(samplesFromSeconds(3));
        const auto sound = speech(7.5);
        store.append(sound);
        QCOMPARE(store.earliest(), samplesFromSeconds(5));
        std::vector<float> out(16000);
        QCOMPARE(store.read(samplesFromSeconds(4.99), out), std::size_t{0});
        QCOMPARE(store.read(samplesFromSeconds(5), out), out.size());
        QVERIFY(std::equal(out.begin(), out.end(), sound.begin() + samplesFromSeconds(5)));
        QCOMPARE(store.read(samplesFromSeconds(7), out), std::size_t{8000});
        QCOMPARE(store.read(samplesFromSeconds(8), out), std::size_t{0});
    }

    void gapsAreSilence_data()
    {
        QTest::addColumn<double>("seconds");
        QTest::newRow("short") << 0.3;
        QTest::newRow("as long as the store") << 3.0;
        QTest::newRow("hours") << 36000.123;
    }
    void gapsAreSilence()
    {
        QFETCH(double, seconds);
        SoundStore store(samplesFromSeconds(3));
        const auto before = speech(1.7);
        const auto after = speech(1.1, 2);
        store.append(before);
        store.appendSilence(samplesFromSeconds(seconds));
        store.append(after);
        const Sample resumed = static_cast<Sample>(before.size()) + samplesFromSeconds(seconds);
        QCOMPARE(store.end(), resumed + static_cast<Sample>(after.size()));
        QVERIFY(store.end() - store.earliest() <= samplesFromSeconds(3));
        std::vector<float> out(after.size() + 100);
        QCOMPARE(store.read(resumed - 100, out), out.size());
        QVERIFY(std::all_of(out.begin(), out.begin() + 100, [](float value) { return value == 0; }));
        QVERIFY(std::equal(after.begin(), after.end(), out.begin() + 100));
    }
};

QTEST_APPLESS_MAIN(SoundStoreTest)
#include "tst_sound_store.moc"
