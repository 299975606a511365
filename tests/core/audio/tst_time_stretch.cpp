// Speech slower and faster: as long as it should be, at its own pitch and loudness, and untouched at its own speed.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/audio/time_stretch.h"
#include "core/base/sample_clock.h"

using namespace braid;
using namespace braid::audio;

namespace {

// A voice-like tone: a pitch with overtones.
std::vector<float> voice(double pitch_hz, double seconds)
{
    std::vector<float> sound(static_cast<std::size_t>(samplesFromSeconds(seconds)));
    for (std::size_t at = 0; at < sound.size(); ++at) {
        const double phase = 2 * std::numbers::pi * pitch_hz * static_cast<double>(at) / kSampleRateHz;
        sound[at] = static_cast<float>(0.3 * std::sin(phase) + 0.2 * std::sin(2 * phase + 0.4) + 0.1 * std::sin(3 * phase + 1.1));
    }
    return sound;
}

// The shortest lag at which the middle of `sound` is like itself, as a frequency.
double pitchOf(const std::vector<float> &sound)
{
    const std::size_t from = sound.size() / 3;
    std::vector<double> likeness(250);  // 64 Hz and above
    for (std::size_t lag = 50; lag < likeness.size(); ++lag) {
        for (std::size_t at = from; at < from + 2000; ++at) {
            likeness[lag] += static_cast<double>(sound[at]) * static_cast<double>(sound[at + lag]);
        }
    }
    const double most = *std::max_element(likeness.begin(), likeness.end());
    std::size_t lag = 51;
    while (lag + 1 < likeness.size() && (likeness[lag] < 0.8 * most || likeness[lag] < likeness[lag + 1])) {
        ++lag;
    }
    return kSampleRateHz / static_cast<double>(lag);
}

double powerOf(const std::vector<float> &sound, std::size_t from, std::size_t to)
{
    double power = 0;
    for (std::size_t at = from; at < to; ++at) {
        power += static_cast<double>(sound[at]) * static_cast<double>(sound[at]);
    }
    return power / static_cast<double>(to - from);
}

}  // namespace

class TimeStretchTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void itsOwnSpeedIsTheSoundItself()
    {
        const auto sound = voice(140, 0.7);
        QVERIFY(stretchTime(sound, 1) == sound);
        QVERIFY(stretchTime({}, 0.5).empty());
    }
    void aVoiceKeepsItsPitchAndLoudness_data()
    {
        QTest::addColumn<double>("pitch_hz");
        QTest::addColumn<double>("speed");
        for (const double pitch_hz : {95.0, 140.0, 230.0}) {
            for (const double speed : {0.5, 0.75, 1.25, 1.5, 1.75, 2.0}) {
                QTest::addRow("%g Hz at %g", pitch_hz, speed) << pitch_hz << speed;
            }
        }
    }
    void aVoiceKeepsItsPitchAndLoudness()
    {
        QFETCH(double, pitch_hz);
        QFETCH(double, speed);
        const auto sound = voice(pitch_hz, 1.5);
        const auto stretched = stretchTime(sound, speed);
        QVERIFY(std::abs(static_cast<double>(stretched.size()) - static_cast<double>(sound.size()) / speed) <= 1);
        QVERIFY2(std::abs(pitchOf(stretched) / pitchOf(sound) - 1) < 0.02, qPrintable(QString::number(pitchOf(stretched))));
        const double before = powerOf(sound, 2000, sound.size() - 2000);
        for (std::size_t from = 2000; from + 4000 < stretched.size(); from += 2000) {
            QVERIFY2(std::abs(powerOf(stretched, from, from + 2000) / before - 1) < 0.25,
                     qPrintable(QString::number(powerOf(stretched, from, from + 2000) / before)));
        }
    }
    void thingsStayInTheirPlace()
    {
        // Bursts at known times, silence between: each is found at its time divided by the speed.
        std::vector<float> sound(static_cast<std::size_t>(samplesFromSeconds(4)), 0.0F);
        const auto burst = voice(180, 0.2);
        for (const double at_s : {0.5, 1.7, 3.1}) {
            std::copy(burst.begin(), burst.end(), sound.begin() + samplesFromSeconds(at_s));
        }
        for (const double speed : {0.5, 1.5, 2.0}) {
            const auto stretched = stretchTime(sound, speed);
            for (const double at_s : {0.5, 1.7, 3.1}) {
                const auto middle = static_cast<std::size_t>(samplesFromSeconds((at_s + 0.1) / speed));
                QVERIFY(powerOf(stretched, middle - 300, middle + 300) > 0.01);
                const auto beside = static_cast<std::size_t>(samplesFromSeconds((at_s - 0.2) / speed));
                QVERIFY(powerOf(stretched, beside - 300, beside + 300) < 1e-6);
            }
        }
    }
    void whatIsOutOfBoundsIsTheNearestThatIsNot()
    {
        const auto sound = voice(140, 0.5);
        QVERIFY(stretchTime(sound, 7) == stretchTime(sound, kFastestSpeed));
        QVERIFY(stretchTime(sound, 0.01) == stretchTime(sound, kSlowestSpeed));
        QCOMPARE(stretchTime(std::vector<float>(3, 0.5F), 2).size(), std::size_t(2));
    }
};

QTEST_APPLESS_MAIN(TimeStretchTest)
#include "tst_time_stretch.moc"
