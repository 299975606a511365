// The ring: order kept, blocks whole, losses counted and placed exactly, with two threads at full speed.
#include <QtTest>

#include <atomic>
#include <thread>

#include "core/audio/ring.h"

using namespace braid::audio;

class RingTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void capacityIsAPowerOfTwo()
    {
        QCOMPARE(SampleRing(1000).capacity(), std::size_t(1024));
        QCOMPARE(SampleRing(1024).capacity(), std::size_t(1024));
    }

    void whatGoesInComesOut()
    {
        SampleRing ring(8);
        const std::vector<float> block{1, 2, 3, 4, 5};
        std::vector<float> out(8);
        float first = 1;
        for (int round = 0; round < 20; ++round) {
            QVERIFY(ring.write(block));
            QCOMPARE(ring.available(), std::size_t(5));
            QCOMPARE(ring.read(std::span(out).first(2)), std::size_t(2));
            QCOMPARE(out[0], first);
            QCOMPARE(ring.read(out), std::size_t(3));
            QCOMPARE(out[2], 5.0f);
        }
        QCOMPARE(ring.read(out), std::size_t(0));
    }

    void aLossIsWholeCountedAndAfterWhatWasKept()
    {
        SampleRing ring(8);
        const std::vector<float> block{1, 2, 3, 4, 5};
        QVERIFY(ring.write(block));
        QVERIFY(!ring.write(block));
        // One sample would fit, but it would stand before the loss instead of after it.
        QVERIFY(!ring.write(std::span(block).first(1)));
        QCOMPARE(ring.takeDropped(), std::size_t(0));  // the five from before the loss are still to be read
        std::vector<float> out(8);
        QCOMPARE(ring.read(out), std::size_t(5));
        QCOMPARE(ring.takeDropped(), std::size_t(6));
        QCOMPARE(ring.takeDropped(), std::size_t(0));
        QVERIFY(ring.write(block));
        QCOMPARE(ring.read(out), std::size_t(5));
    }

    // The producer numbers its samples and never waits; the consumer accounts for every number, either read or in a counted loss.
    void twoThreadsAccountForEverySample()
    {
        constexpr std::size_t kTotal = 1u << 18;  // float holds these numbers exactly
        SampleRing ring(512);
        std::atomic<bool> over{false};
        std::thread producer([&] {
            std::vector<float> block;
            std::size_t next = 0;
            std::size_t size = 1;
            while (next < kTotal) {
                size = size * 5 % 127 + 1;
                block.resize(std::min(size, kTotal - next));
                for (float &value : block) {
                    value = static_cast<float>(next++);
                }
                // Now and then it gives the other side a chance, so that both the full and the flowing ring are met.
                if (!ring.write(block) && size % 3 != 0) {
                    std::this_thread::yield();
                }
            }
            over = true;
        });
        std::size_t expected = 0;
        std::size_t lost = 0;
        std::size_t wrong = 0;
        std::vector<float> out(100);
        while (true) {
            const bool last_round = over;
            const std::size_t count = ring.read(out);
            for (std::size_t index = 0; index < count; ++index) {
                wrong += out[index] != static_cast<float>(expected++);
            }
            const std::size_t dropped = ring.takeDropped();
            expected += dropped;
            lost += dropped;
            if (last_round && count == 0 && dropped == 0) {
                break;
            }
        }
        producer.join();
        QCOMPARE(wrong, std::size_t(0));
        QCOMPARE(expected, kTotal);
        qInfo("lost %zu of %zu samples, all accounted for", lost, kTotal);
    }
};

QTEST_GUILESS_MAIN(RingTest)
#include "tst_ring.moc"
