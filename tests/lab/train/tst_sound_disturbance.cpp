// What the trainer does to the sound of a window: as loud, as late and as long as the recipe says, and nothing that it does not ask for.
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lab/train/sound_disturbance.h"
#include "lab/train/speech.h"
#include "tests/core/audio/signals.h"
#include "tests/lab/train/tone_speech.h"

using namespace braid;
using namespace braid::train;

namespace {

std::vector<float> tone(double hz, std::size_t length, double level = 0.3)
{
    std::vector<float> sound(length);
    for (std::size_t i = 0; i < length; ++i) {
        sound[i] = static_cast<float>(level * std::sin(2 * std::numbers::pi * hz * static_cast<double>(i) / kSampleRateHz));
    }
    return sound;
}

// A word of 0.5 s that begins after 0.25 s, and 0.5 s of silence after it.
constexpr std::size_t kWordStart = 4000;
constexpr std::size_t kWordEnd = 12000;
std::vector<float> word()
{
    std::vector<float> sound(20000);
    const auto spoken = tone(440, kWordEnd - kWordStart);
    std::copy(spoken.begin(), spoken.end(), sound.begin() + kWordStart);
    return sound;
}

double power(std::span<const float> sound)
{
    double sum = 0;
    for (const float value : sound) {
        sum += static_cast<double>(value) * value;
    }
    return sum / static_cast<double>(sound.size());
}

// How loud a sound is at one frequency.
double powerAt(double hz, std::span<const float> sound)
{
    const double amplitude = audio::testing::amplitudeOf(sound, hz);
    return amplitude * amplitude / 2;
}

double decibels(double ratio)
{
    return 10 * std::log10(ratio);
}

float farthest(const std::vector<float> &a, const std::vector<float> &b)
{
    float most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::abs(a[i] - b[i]));
    }
    return most;
}

// A recipe with a sound of its own as noise, or as the response of a room.
struct Studio : test::ToneSpeech {
    Studio()
        : ToneSpeech({{"a"}})
    {
    }
    void hasNoise(const std::vector<std::int16_t> &sound) { changes["noise"] = noise(sound); }
    void hasRoom(const std::vector<std::int16_t> &response)
    {
        test::writeWave(folder / "room.wav", response);
        changes["rooms"] = {"room.wav"};
    }
    // The sound as a window with these disturbances has it.
    [[nodiscard]] std::vector<float> disturbed(std::vector<float> sound, const nlohmann::json &disturbance, std::uint64_t seed = 3) const
    {
        nlohmann::json all = changes;
        all["disturbance"] = disturbance;
        const Recipe disturbing = recipe(all);
        const SpeechLibrary library(disturbing, *tokenizer, {});
        train::Random random({seed});
        disturbSound(sound, library, disturbing.disturbance, random);
        return sound;
    }
    nlohmann::json changes;
};

// One reflection-free path of half the loudness, so many samples long.
std::vector<std::int16_t> oneTap(std::size_t delay)
{
    std::vector<std::int16_t> response(1000);
    response[delay] = 16384;
    return response;
}

}  // namespace

class tst_sound_disturbance : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsNotAskedForIsNotDone()
    {
        Studio studio;
        studio.hasRoom(oneTap(300));
        studio.hasNoise(oneTap(0));
        QVERIFY(studio.disturbed(word(), nlohmann::json::object()) == word());
    }

    void noiseHasItsLevel()
    {
        Studio studio;
        std::vector<std::int16_t> hum(16000);
        for (std::size_t i = 0; i < hum.size(); ++i) {
            hum[i] = static_cast<std::int16_t>(3000 * std::sin(2 * std::numbers::pi * 50 * static_cast<double>(i) / kSampleRateHz));
        }
        studio.hasNoise(hum);
        const auto before = tone(440, 32000, 0.5);
        auto noise = studio.disturbed(before, {{"noise", 1}, {"least_snr_db", 10}, {"most_snr_db", 10}});
        std::transform(noise.begin(), noise.end(), before.begin(), noise.begin(), std::minus<>());
        QVERIFY2(std::abs(decibels(power(before) / power(noise)) - 10) < 0.2, qPrintable(QString::number(decibels(power(before) / power(noise)))));
    }

    void aRoomOfOnePathIsNotHeard_data()
    {
        QTest::addColumn<int>("delay");
        QTest::newRow("at once") << 0;
        QTest::newRow("44 ms late, which is taken back") << 704;
    }
    void aRoomOfOnePathIsNotHeard()
    {
        QFETCH(int, delay);
        Studio studio;
        studio.hasRoom(oneTap(static_cast<std::size_t>(delay)));
        const auto after = studio.disturbed(word(), {{"room", 1}});
        QCOMPARE(after.size(), word().size());
        QVERIFY2(farthest(after, word()) < 1e-5F, qPrintable(QString::number(farthest(after, word()))));
    }

    void aRoomIsHeardAfterTheWordAndNeverBefore()
    {
        Studio studio;
        // 10 ms of way, the direct sound, then half a second of echoes that die away.
        std::vector<std::int16_t> response(8000);
        response[160] = 20000;
        train::Random random({8});
        for (std::size_t i = 161; i < response.size(); ++i) {
            response[i] = static_cast<std::int16_t>(std::clamp(1500 * random.normal() * std::exp(-static_cast<double>(i) / 1500), -19000.0, 19000.0));
        }
        studio.hasRoom(response);
        const auto before = word();
        const auto after = studio.disturbed(before, {{"room", 1}});
        QCOMPARE(after.size(), before.size());
        QVERIFY(std::abs(decibels(power(after) / power(before))) < 0.01);
        QVERIFY(farthest(after, before) > 0.02F);
        const std::span<const float> all(after);
        QVERIFY(power(all.first(kWordStart)) < 1e-10);
        QVERIFY(power(all.subspan(kWordStart, 100)) > 1e-3);
        const double early = power(all.subspan(kWordEnd + 200, 800));
        const double late = power(all.subspan(kWordEnd + 4000, 800));
        QVERIFY2(early > 1e-5 && late < 0.2 * early, qPrintable(QStringLiteral("%1 and %2").arg(early).arg(late)));
    }

    void aTelephoneHasItsBandAlone_data()
    {
        QTest::addColumn<double>("hz");
        QTest::addColumn<double>("least_db");
        QTest::addColumn<double>("most_db");
        QTest::newRow("hum of the mains") << 60.0 << -200.0 << -30.0;
        QTest::newRow("a low voice's fundamental") << 120.0 << -200.0 << -25.0;
        QTest::newRow("half the band's lower edge") << 150.0 << -200.0 << -20.0;
        QTest::newRow("a vowel") << 1000.0 << -1.0 << 1.0;
        QTest::newRow("an s") << 6500.0 << -200.0 << -20.0;
    }
    void aTelephoneHasItsBandAlone()
    {
        QFETCH(double, hz);
        QFETCH(double, least_db);
        QFETCH(double, most_db);
        // Beside another tone, so that there is something to hear whatever becomes of this one.
        auto before = tone(hz, 16000);
        const auto other = tone(1700, 16000);
        std::transform(before.begin(), before.end(), other.begin(), before.begin(), std::plus<>());
        const auto after = Studio().disturbed(before, {{"telephone", 1}});
        QCOMPARE(after.size(), before.size());
        const double change = decibels(powerAt(hz, after) / powerAt(hz, before));
        QVERIFY2(change > least_db && change < most_db, qPrintable(QString::number(change)));
        QVERIFY(std::abs(decibels(powerAt(1700, after) / powerAt(1700, before))) < 1);
    }

    void gainIsWithinItsDecibels()
    {
        const Studio studio;
        double least = 100;
        double most = -100;
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            const double change = decibels(power(studio.disturbed(word(), {{"gain_db", 6}}, seed)) / power(word()));
            least = std::min(least, change);
            most = std::max(most, change);
        }
        QVERIFY2(least > -6.01 && least < -2 && most > 2 && most < 6.01, qPrintable(QStringLiteral("%1 to %2").arg(least).arg(most)));
    }

    void aMicrophonesColourIsTheSameAllTheTime()
    {
        constexpr std::size_t kBands = 80;
        features::MelFrames mel{kBands, 5, std::vector<float>(5 * kBands)};
        for (std::size_t i = 0; i < mel.values.size(); ++i) {
            mel.values[i] = static_cast<float>(i % 7) / 7;
        }
        const features::MelFrames before = mel;
        DisturbanceRecipe recipe;
        train::Random random({6});
        disturbMel(mel, recipe, random);
        QVERIFY(mel.values == before.values);
        recipe.colour = 0.4;
        disturbMel(mel, recipe, random);
        float widest = 0;
        for (std::size_t i = 0; i < mel.values.size(); ++i) {
            const float added = mel.values[i] - before.values[i];
            QVERIFY(std::abs(added - (mel.values[i % kBands] - before.values[i % kBands])) < 1e-6F);
            widest = std::max(widest, std::abs(added));
        }
        QVERIFY2(widest > 0.02F && widest < 0.4F, qPrintable(QString::number(widest)));  // deviations of 0.1 of Whisper's scale
    }

    void masksKeepTheMean()
    {
        features::MelFrames mel{8, 300, std::vector<float>(8 * 300)};
        train::Random values({1});
        double sum = 0;
        for (float &value : mel.values) {
            value = static_cast<float>(values.uniform(-1, 1));
            sum += value;
        }
        const auto mean = static_cast<float>(sum / static_cast<double>(mel.values.size()));
        std::size_t masked = 0;
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            features::MelFrames one = mel;
            train::Random random({seed});
            maskMel(one, random);
            for (std::size_t i = 0; i < mel.values.size(); ++i) {
                QVERIFY(one.values[i] == mel.values[i] || std::abs(one.values[i] - mean) < 1e-6f);
                masked += one.values[i] != mel.values[i] ? 1 : 0;
            }
        }
        QVERIFY2(masked > 2000 && masked < 20 * mel.values.size(), qPrintable(QString::number(masked)));
    }

    void stretchingKeepsEnds()
    {
        const std::vector<float> values = {0, 10, 1, 20, 2, 30};
        QCOMPARE(stretched(values, 2, 5), (std::vector<float>{0, 10, 0.5f, 15, 1, 20, 1.5f, 25, 2, 30}));
        QCOMPARE(stretched(values, 2, 3), values);
        QCOMPARE(stretched(values, 2, 2), (std::vector<float>{0, 10, 2, 30}));
        QCOMPARE(stretched({7}, 1, 3), (std::vector<float>{7, 7, 7}));
    }

    void quietIsAsQuietAsTheQuietest()
    {
        std::vector<float> sound(16000, 0.3f);
        std::fill_n(sound.begin(), 8000, 0.001f);
        train::Random random({4});
        const auto quiet = quietLike(sound, 3200, random);
        QCOMPARE(quiet.size(), std::size_t{3200});
        const double level = std::sqrt(power(quiet));
        QVERIFY2(level > 0.0005 && level < 0.0014, qPrintable(QString::number(level)));
    }
};

QTEST_GUILESS_MAIN(tst_sound_disturbance)
#include "tst_sound_disturbance.moc"
