// What a training window without speech holds.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <span>

#include "lab/train/speechless_sound.h"
#include "tests/lab/train/tone_speech.h"

using namespace braid;
using namespace braid::train;

namespace {

constexpr Sample kLength = samplesFromSeconds(12);
constexpr double kHz = 1000;
constexpr double kLoud = 0.015;  // root mean square of 20 ms: no floor is as loud, the softest noise is

std::vector<std::int16_t> tone(Sample quiet_before, Sample length, Sample quiet_after)
{
    std::vector<std::int16_t> sound(static_cast<std::size_t>(quiet_before + length + quiet_after));
    for (Sample i = 0; i < length; ++i) {
        sound[static_cast<std::size_t>(quiet_before + i)] =
            static_cast<std::int16_t>(32000 * std::cos(2 * std::numbers::pi * kHz * static_cast<double>(i) / kSampleRateHz));
    }
    return sound;
}

// A library whose only noise is this one, or which has none.
struct Studio : test::ToneSpeech {
    explicit Studio(const std::vector<std::int16_t> &sound_of_noise)
        : ToneSpeech({{"a"}})
    {
        nlohmann::json changes = nlohmann::json::object();
        if (!sound_of_noise.empty()) {
            changes["noise"] = noise(sound_of_noise);
        }
        library.emplace(recipe(changes), *tokenizer, PreparationWatch{});
    }
    [[nodiscard]] std::vector<float> singles(std::uint64_t seed) const
    {
        train::Random random({seed});
        return singleNoises(kLength, *library, random);
    }
    [[nodiscard]] std::vector<float> sound(double single_noises, std::uint64_t seed) const
    {
        WindowRecipe windows;
        windows.single_noises = single_noises;
        train::Random random({seed});
        return speechlessSound(kLength, *library, windows, random);
    }
    std::optional<SpeechLibrary> library;
};

struct Stretch {
    Sample from = 0;
    Sample to = 0;
};

// Where it is loud, to within 20 ms.
std::vector<Stretch> loudIn(std::span<const float> sound)
{
    constexpr Sample kStep = samplesFromMs(20);
    std::vector<Stretch> stretches;
    for (Sample at = 0; at + kStep <= static_cast<Sample>(sound.size()); at += kStep) {
        double power = 0;
        for (const float value : sound.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(kStep))) {
            power += static_cast<double>(value) * value / static_cast<double>(kStep);
        }
        if (std::sqrt(power) < kLoud) {
            continue;
        }
        if (stretches.empty() || stretches.back().to != at) {
            stretches.push_back({at, at});
        }
        stretches.back().to = at + kStep;
    }
    return stretches;
}

double frequencyOf(std::span<const float> sound)
{
    double crossings = 0;
    for (std::size_t i = 1; i < sound.size(); ++i) {
        crossings += (sound[i - 1] < 0) != (sound[i] < 0) ? 1 : 0;
    }
    return crossings / 2 * kSampleRateHz / static_cast<double>(sound.size());
}

}  // namespace

class tst_speechless_sound : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void singleNoisesStandInQuietAndVary()
    {
        const Studio studio(tone(0, samplesFromSeconds(5), 0));
        double lowest = 1e9, highest = 0, softest = 1, loudest = 0;
        std::size_t fewest = 99, most = 0;
        for (std::uint64_t seed = 0; seed < 80; ++seed) {
            const std::vector<float> sound = studio.singles(seed);
            QCOMPARE(static_cast<Sample>(sound.size()), kLength);
            const std::vector<Stretch> noises = loudIn(sound);
            QVERIFY(!noises.empty() && noises.front().from < samplesFromMs(650));  // as a gate that opens for it would have it
            fewest = std::min(fewest, noises.size());
            most = std::max(most, noises.size());
            for (std::size_t i = 0; i < noises.size(); ++i) {
                const auto [from, to] = noises[i];
                QVERIFY(to - from <= samplesFromMs(3000 / 0.65 + 40));
                QVERIFY(i == 0 || from - noises[i - 1].to >= samplesFromMs(200 - 40));
                const std::span heard = std::span(sound).subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
                float peak = 0;
                for (const float value : heard) {
                    peak = std::max(peak, std::abs(value));
                }
                QVERIFY(peak <= 1.0f && peak > 0.03f);
                softest = std::min<double>(softest, peak);
                loudest = std::max<double>(loudest, peak);
                if (peak > 0.2f && to - from > samplesFromMs(500)) {  // no floor disturbs the count
                    lowest = std::min(lowest, frequencyOf(heard));
                    highest = std::max(highest, frequencyOf(heard));
                }
            }
        }
        QCOMPARE(fewest, std::size_t{1});
        QCOMPARE(most, std::size_t{4});
        QVERIFY2(lowest > 0.63 * kHz && lowest < 0.75 * kHz, qPrintable(QString::number(lowest)));
        QVERIFY2(highest > 1.4 * kHz && highest < 1.55 * kHz, qPrintable(QString::number(highest)));
        QVERIFY(softest < 0.05 && loudest > 0.9);
    }

    void loudPlacesOfARecordingAreSought()
    {
        // A tenth of it is loud. Beginnings drawn blindly would begin there in one of ten.
        const Studio studio(tone(samplesFromMs(2500), samplesFromMs(500), samplesFromMs(2000)));
        int heard = 0;
        for (std::uint64_t seed = 0; seed < 120; ++seed) {
            const std::vector<float> sound = studio.singles(seed);
            const std::vector<Stretch> noises = loudIn(std::span(sound).first(static_cast<std::size_t>(samplesFromMs(1000))));
            heard += noises.empty() ? 0 : 1;
        }
        QVERIFY2(heard > 36 && heard < 84, qPrintable(QString::number(heard)));
    }

    void aLibraryWithoutNoiseGivesTheFloor()
    {
        const Studio studio({});
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            for (const std::vector<float> &sound : {studio.singles(seed), studio.sound(0, seed), studio.sound(1, seed)}) {
                QCOMPARE(static_cast<Sample>(sound.size()), kLength);
                QVERIFY(std::all_of(sound.begin(), sound.end(), [](float value) { return std::abs(value) < 0.06f; }));
            }
        }
    }

    void theRecipeSaysHowManyWindowsHoldSingleNoises()
    {
        const Studio studio(tone(0, samplesFromSeconds(1), 0));
        const auto isFull = [](std::span<const float> sound) {  // the noise over and over
            const std::vector<Stretch> noises = loudIn(sound);
            return noises.size() == 1 && noises[0].to - noises[0].from > kLength - samplesFromMs(100);
        };
        int full = 0, half_full = 0;
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            full += isFull(studio.sound(0, seed)) ? 1 : 0;
            half_full += isFull(studio.sound(0.5, seed)) ? 1 : 0;
            QVERIFY(!isFull(studio.sound(1, seed)));
        }
        QVERIFY2(full > 58 && full < 82, qPrintable(QString::number(full)));
        QVERIFY2(half_full > 23 && half_full < 47, qPrintable(QString::number(half_full)));
    }

    void theSameSeedGivesTheSameSound()
    {
        const Studio studio(tone(0, samplesFromSeconds(5), 0));
        QCOMPARE(studio.singles(5), studio.singles(5));
        QVERIFY(studio.singles(5) != studio.singles(6));
    }
};

QTEST_GUILESS_MAIN(tst_speechless_sound)
#include "tst_speechless_sound.moc"
