// Resampling: exact length, no delay, no drift, no aliases, the same however it is cut. Downmix and levels.
#include <QtTest>

#include <limits>

#include "core/audio/level.h"
#include "core/audio/resampler.h"
#include "core/base/error.h"
#include "tests/core/audio/signals.h"

using namespace braid;
using namespace braid::audio;
using namespace braid::audio::testing;

namespace {

std::vector<float> resampled(const std::vector<float> &sound, double from_hz, double to_hz = kSampleRateHz)
{
    Resampler resampler(from_hz, to_hz);
    std::vector<float> out;
    resampler.push(sound, out);
    resampler.flush(out);
    return out;
}

std::vector<float> middle(const std::vector<float> &sound)
{
    const auto quarter = static_cast<std::ptrdiff_t>(sound.size() / 4);
    return {sound.begin() + quarter, sound.end() - quarter};
}

}  // namespace

class ResamplerTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
#ifndef BRAID_HAS_MEDIA
    void init()
    {
        QVERIFY_EXCEPTION_THROWN(Resampler(44100), Error);
        const QByteArray test = QTest::currentTestFunction();
        if (test != "absurdRatesAreRefused" && test != "downmixIsTheMeanAndSane" && test != "levelIsThatOfTheNewestBlock") {
            QSKIP("this build has no resampling library");
        }
    }
#endif

    void lengthIsExact_data()
    {
        QTest::addColumn<double>("rate_hz");
        for (const double rate_hz : {8000.0, 11025.0, 16000.0, 22050.0, 32000.0, 44100.0, 48000.0, 96000.0, 192000.0}) {
            QTest::addRow("%g", rate_hz) << rate_hz;
        }
    }
    void lengthIsExact()
    {
        QFETCH(double, rate_hz);
        for (const std::size_t samples : {1u, 1000u, 44099u, 123457u}) {
            const auto out = resampled(std::vector<float>(samples, 0.1f), rate_hz);
            const double exact = static_cast<double>(samples) * kSampleRateHz / rate_hz;
            QVERIFY2(std::fabs(static_cast<double>(out.size()) - exact) <= 1.0, qPrintable(QString("%1 for %2").arg(out.size()).arg(exact)));
        }
    }

    void tonesStayWhereTheyAre_data() { lengthIsExact_data(); }
    void tonesStayWhereTheyAre()
    {
        QFETCH(double, rate_hz);
        const auto out = resampled(sine(1000, rate_hz, static_cast<std::size_t>(rate_hz)), rate_hz);
        const auto expected = sine(1000, kSampleRateHz, out.size());
        double worst = 0;
        for (std::size_t index = 400; index + 400 < out.size(); ++index) {
            worst = std::max(worst, static_cast<double>(std::fabs(out[index] - expected[index])));
        }
        QVERIFY2(worst < 1e-3, qPrintable(QString::number(worst)));  // a delay of one sample would give 0.2
    }

    void aliasesAreRejected()
    {
        // 9 to 23 kHz cannot be represented at 16 kHz; whatever comes out of it would be an alias.
        for (const double frequency_hz : {9000.0, 10000.0, 15000.0, 17000.0, 23000.0}) {
            const auto out = middle(resampled(sine(frequency_hz, 48000, 48000), 48000));
            const double rejection_db = 20 * std::log10(rmsOf(out) / (0.5 / std::sqrt(2.0)) + 1e-12);
            QVERIFY2(rejection_db < -90, qPrintable(QString("%1 Hz: %2 dB").arg(frequency_hz).arg(rejection_db)));
        }
        for (const double frequency_hz : {100.0, 3000.0, 7000.0}) {
            QVERIFY(std::fabs(amplitudeOf(middle(resampled(sine(frequency_hz, 48000, 48000), 48000)), frequency_hz) - 0.5) < 0.005);
        }
    }

    void piecesEqualWhole()
    {
        const auto sound = noise(50000, 0.2, 7);
        const auto whole = resampled(sound, 44100);
        Resampler resampler(44100);
        std::vector<float> out;
        std::mt19937 random(3);
        for (std::size_t at = 0; at < sound.size();) {
            const std::size_t count = std::min<std::size_t>(random() % 700, sound.size() - at);
            resampler.push(std::span(sound).subspan(at, count), out);
            at += count;
        }
        resampler.flush(out);
        QCOMPARE(out.size(), whole.size());
        double worst = 0;
        for (std::size_t index = 0; index < out.size(); ++index) {
            worst = std::max(worst, static_cast<double>(std::fabs(out[index] - whole[index])));
        }
        QVERIFY2(worst < 1e-6, qPrintable(QString::number(worst)));
    }

    void anHourDoesNotDrift()
    {
        Resampler resampler(44100);
        const std::vector<float> second(44100, 0.0f);
        std::vector<float> out;
        std::size_t total = 0;
        for (int count = 0; count < 3600; ++count) {
            out.clear();
            resampler.push(second, out);
            total += out.size();
        }
        // A click at the end of the hour comes out at the end of the hour.
        std::vector<float> click(44100, 0.0f);
        click[22050] = 1;
        out.clear();
        resampler.push(click, out);
        resampler.flush(out);
        const auto peak = static_cast<std::size_t>(std::max_element(out.begin(), out.end()) - out.begin());
        QCOMPARE(total + out.size(), std::size_t(3601) * 16000);
        QVERIFY(std::abs(static_cast<long>(total + peak) - (3600L * 16000 + 8000)) <= 1);
    }

    void afterAFlushItBeginsAnew()
    {
        const auto sound = noise(9000, 0.2, 1);
        Resampler resampler(48000);
        std::vector<float> first;
        std::vector<float> second;
        resampler.push(sound, first);
        resampler.flush(first);
        resampler.push(sound, second);
        resampler.flush(second);
        QCOMPARE(first, second);
    }

    void absurdRatesAreRefused()
    {
        for (const double rate_hz : {0.0, -1.0, 999.0, 1e7, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
            QVERIFY_EXCEPTION_THROWN(Resampler{rate_hz}, Error);
        }
    }

    void downmixIsTheMeanAndSane()
    {
        std::vector<float> mono;
        appendDownmixed(std::vector<float>{1, 0, 0.5f, -0.5f, 1, 1, 9}, 2, mono);
        QCOMPARE(mono, (std::vector<float>{0.5f, 0, 1}));
        mono.clear();
        const float nan = std::numeric_limits<float>::quiet_NaN();
        appendDownmixed(std::vector<float>{nan, 1e30f, -std::numeric_limits<float>::infinity()}, 1, mono);
        QCOMPARE(mono, (std::vector<float>{0, 16, 0}));
    }

    void levelIsThatOfTheNewestBlock()
    {
        LevelMeter meter;
        meter.push(sine(1000, kSampleRateHz, 1600, 0.25));
        QVERIFY(std::fabs(meter.level().peak - 0.25) < 1e-3);
        QVERIFY(std::fabs(meter.level().rms - 0.25 / std::sqrt(2.0)) < 1e-3);
        meter.push(std::vector<float>(1599, 0.0f));
        QVERIFY(meter.level().peak > 0.2f);
        meter.push(std::vector<float>(1, 0.0f));
        QCOMPARE(meter.level().peak, 0.0f);
        meter.push(std::vector<float>(1600, -1.0f));
        QCOMPARE(meter.level().rms, 1.0f);
        meter.reset();
        QCOMPARE(meter.level().rms, 0.0f);
    }
};

QTEST_GUILESS_MAIN(ResamplerTest)
#include "tst_resampler.moc"
