// Augmentation: each disturbance does what it says to the samples, and the words stay where they are spoken.
#include <QtTest>

#include <complex>
#include <numbers>

#include "core/base/error.h"
#include "lab/corpus/augment.h"
#include "lab/corpus/fast_convolution.h"
#include "lab/corpus/spec_augment.h"

using namespace braid;
using namespace braid::corpus;

namespace {

std::vector<float> noiseOf(std::size_t length, std::uint64_t seed, double level = 0.1)
{
    Random random(seed);
    std::vector<float> sound(length);
    for (float &value : sound) {
        value = static_cast<float>(level * random.normal());
    }
    return sound;
}

std::vector<float> tone(double hz, std::size_t length, double level = 0.3)
{
    std::vector<float> sound(length);
    for (std::size_t i = 0; i < length; ++i) {
        sound[i] = static_cast<float>(level * std::sin(2 * std::numbers::pi * hz * static_cast<double>(i) / kSampleRateHz));
    }
    return sound;
}

double power(const std::vector<float> &sound, std::size_t first = 0, std::size_t last = SIZE_MAX)
{
    double sum = 0;
    last = std::min(last, sound.size());
    for (std::size_t i = first; i < last; ++i) {
        sum += static_cast<double>(sound[i]) * sound[i];
    }
    return sum / static_cast<double>(last - first);
}

double decibels(double ratio)
{
    return 10 * std::log10(ratio);
}

// Quiet with a burst of noise for every word: where a word is can be heard.
Spoken burstsAt(const std::vector<std::pair<Sample, Sample>> &places, std::size_t length)
{
    Spoken spoken;
    spoken.sound = noiseOf(length, 5, 1e-4);
    int number = 0;
    for (const auto &[start, end] : places) {
        const auto burst = noiseOf(static_cast<std::size_t>(end - start), 7 + static_cast<std::uint64_t>(number), 0.2);
        std::copy(burst.begin(), burst.end(), spoken.sound.begin() + start);
        const std::string word = "word" + std::to_string(number++);
        spoken.text += (spoken.text.empty() ? "" : " ") + word;
        spoken.words.push_back({word, start, end});
    }
    return spoken;
}

// Every word's samples are loud, 20 ms outside of any word they are quiet.
void checkWordsAreHeard(const Spoken &spoken, double quiet_level = 0.004)
{
    std::vector<char> inside(spoken.sound.size(), 0);
    for (const TimedWord &word : spoken.words) {
        QVERIFY(word.start_sample >= 0 && word.end_sample <= static_cast<Sample>(spoken.sound.size()) && word.start_sample < word.end_sample);
        QVERIFY2(power(spoken.sound, static_cast<std::size_t>(word.start_sample), static_cast<std::size_t>(word.end_sample)) > 1e-3, word.text.c_str());
        const auto from = std::max<Sample>(0, word.start_sample - 320);
        const auto to = std::min<Sample>(static_cast<Sample>(inside.size()), word.end_sample + 320);
        std::fill(inside.begin() + from, inside.begin() + to, 1);
    }
    for (std::size_t i = 0; i < inside.size(); ++i) {
        QVERIFY2(inside[i] != 0 || std::abs(spoken.sound[i]) < quiet_level, std::to_string(i).c_str());
    }
}

Spoken threeWords()
{
    return burstsAt({{4000, 8000}, {12000, 15000}, {20000, 30000}}, 36000);
}

}  // namespace

class TestAugment : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theTransformIsTheDefinition()
    {
        Random random(1);
        std::vector<std::complex<float>> values(16);
        for (auto &value : values) {
            value = {static_cast<float>(random.normal()), static_cast<float>(random.normal())};
        }
        auto transformed = values;
        fourier(transformed, Transform::Forward);
        for (std::size_t k = 0; k < values.size(); ++k) {
            std::complex<double> sum;
            for (std::size_t n = 0; n < values.size(); ++n) {
                sum += std::complex<double>(values[n]) * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * n) / 16);
            }
            QVERIFY(std::abs(sum - std::complex<double>(transformed[k])) < 1e-5);
        }
        fourier(transformed, Transform::Inverse);
        for (std::size_t k = 0; k < values.size(); ++k) {
            QVERIFY(std::abs(values[k] - transformed[k]) < 1e-5F);
        }
    }

    void fastConvolutionIsTheSlowOne_data()
    {
        QTest::addColumn<int>("length");
        QTest::addColumn<int>("filter");
        QTest::addColumn<int>("delay");
        QTest::newRow("one tap") << 100 << 1 << 0;
        QTest::newRow("a filter longer than the sound") << 50 << 300 << 20;
        QTest::newRow("one block") << 1000 << 300 << 299;
        QTest::newRow("many blocks") << 9001 << 700 << 3;
        QTest::newRow("a last block of one sample") << 2 * (1024 - 500 + 1) + 1 << 500 << 0;
    }
    void fastConvolutionIsTheSlowOne()
    {
        QFETCH(int, length);
        QFETCH(int, filter);
        QFETCH(int, delay);
        const auto sound = noiseOf(static_cast<std::size_t>(length), 3);
        const auto taps = noiseOf(static_cast<std::size_t>(filter), 4, 1);
        auto fast = sound;
        convolve(fast, taps, static_cast<std::size_t>(delay));
        for (int n = 0; n < length; ++n) {
            double sum = 0;
            for (int k = 0; k < filter; ++k) {
                const int from = n + delay - k;
                sum += from >= 0 && from < length ? static_cast<double>(taps[static_cast<std::size_t>(k)]) * sound[static_cast<std::size_t>(from)] : 0;
            }
            QVERIFY2(std::abs(sum - fast[static_cast<std::size_t>(n)]) < 2e-5, std::to_string(n).c_str());
        }
    }

    void noiseIsAddedAtTheRatioAskedFor()
    {
        const auto clean = tone(440, 32000);
        for (const double snr_db : {0.0, 10.0, 25.0}) {
            auto noisy = clean;
            addNoise(noisy, noiseOf(5000, 9), 4999, snr_db);  // shorter than the sound, from its end on
            for (std::size_t i = 0; i < noisy.size(); ++i) {
                noisy[i] -= clean[i];
            }
            QVERIFY(std::abs(decibels(power(clean) / power(noisy)) - snr_db) < 0.3);
        }
    }

    void theRatioDoesNotDependOnPauses()
    {
        auto speech = tone(440, 32000);
        const double before = speechPower(speech);
        speech.resize(320000);  // 18 s of silence after it
        QVERIFY(std::abs(speechPower(speech) / before - 1) < 1e-6);
        QCOMPARE(speechPower(std::vector<float>(100)), 0.0);
        auto silence = std::vector<float>(100);
        addNoise(silence, noiseOf(10, 1), 0, 10);
        QCOMPARE(power(silence), 0.0);
        addNoise(silence, {}, 0, 10);
    }

    void aRoomKeepsTimeAndLoudness()
    {
        const auto dry = threeWords();
        auto wet = dry;
        std::vector<float> response(4000);
        response[700] = 1;  // arrives 44 ms late, with two echoes
        response[900] = -0.3F;
        response[1500] = 0.15F;
        addRoom(wet.sound, response);
        QCOMPARE(wet.sound.size(), dry.sound.size());
        QVERIFY(std::abs(decibels(power(wet.sound) / power(dry.sound))) < 0.01);
        // The first word begins where it did: nothing before, the direct sound at once.
        QVERIFY(power(wet.sound, 3000, 3990) < 1e-6);
        QVERIFY(power(wet.sound, 4000, 4100) > 1e-2);
        // The echo is heard after its end.
        QVERIFY(power(wet.sound, 8010, 8190) > 1e-4);
        addRoom(wet.sound, {});
    }

    void speedMovesPitchAndWords()
    {
        for (const double factor : {0.8, 0.9, 1.1, 1.25, 1.7}) {
            Spoken spoken;
            spoken.sound = tone(500, 32000);
            changeSpeed(spoken, factor);
            QCOMPARE(spoken.sound.size(), static_cast<std::size_t>(std::llround(32000 / factor)));
            // Away from the ends it is the tone of 500 Hz times the factor, to -60 dB.
            const auto wanted = tone(500 * factor, spoken.sound.size());
            double error = 0;
            for (std::size_t i = 100; i + 100 < wanted.size(); ++i) {
                error += std::pow(wanted[i] - spoken.sound[i], 2);
            }
            QVERIFY2(decibels(error / static_cast<double>(wanted.size()) / power(wanted)) < -60, std::to_string(factor).c_str());

            auto words = threeWords();
            changeSpeed(words, factor);
            QCOMPARE(words.words[1].start_sample, static_cast<Sample>(std::llround(12000 / factor)));
            checkWordsAreHeard(words);
        }
    }

    void aFasterTapeDoesNotFold()
    {
        Spoken spoken;
        spoken.sound = tone(7000, 32000);
        const double before = power(spoken.sound);
        changeSpeed(spoken, 1.5);  // 10.5 kHz does not exist at 16 kHz
        QVERIFY(decibels(power(spoken.sound, 200, spoken.sound.size() - 200) / before) < -50);
        QVERIFY_EXCEPTION_THROWN(changeSpeed(spoken, 0.1), Error);
        QVERIFY_EXCEPTION_THROWN(changeSpeed(spoken, std::nan("")), Error);
    }

    void gainClips()
    {
        std::vector<float> sound = {0.1F, -0.9F, 0.5F};
        changeGain(sound, 6.0206);
        QVERIFY(std::abs(sound[0] - 0.2F) < 1e-5F);
        QCOMPARE(sound[1], -1.0F);
        QVERIFY(std::abs(sound[2] - 1.0F) < 1e-5F);
    }

    void filtersPassAndStop()
    {
        const auto through = [](double hz, auto filter) {
            auto sound = tone(hz, 16000);
            const double before = power(sound, 8000);
            filter(sound);
            return decibels(power(sound, 8000) / before);
        };
        const auto band = [](std::vector<float> &sound) { limitBand(sound, 300, 3000); };
        QVERIFY(std::abs(through(1000, band)) < 0.2);
        QVERIFY(std::abs(through(3000, band) + 3.01) < 0.2);  // Butterworth's edge
        QVERIFY(through(60, band) < -25);
        QVERIFY(through(7000, band) < -15);
        QVERIFY(std::abs(through(60, [](std::vector<float> &sound) { limitBand(sound, 0, 8000); })) < 1e-6);
        const auto phone = [](std::vector<float> &sound) { throughTelephone(sound); };
        QVERIFY(std::abs(through(1000, phone)) < 0.5);
        QVERIFY(through(80, phone) < -30);
        QVERIFY(through(7500, phone) < -30);
    }

    void quietIsTheQuietestTenth()
    {
        auto sound = noiseOf(32000, 3, 0.2);
        QVERIFY(std::abs(quietLevel(sound) - 0.2) < 0.02);
        std::fill_n(sound.begin() + 16000, 3840, 0.001F);  // 12 of its 100 blocks
        QVERIFY(std::abs(quietLevel(sound) - 0.001) < 1e-6);
        std::fill_n(sound.begin() + 16000, 960, 0.0F);  // what is quieter still is too short
        QVERIFY(std::abs(quietLevel(sound) - 0.001) < 1e-6);
        QCOMPARE(quietLevel({}), 0.0);
    }

    void joinedSpeechKeepsItsWords()
    {
        const std::vector<Spoken> parts = {threeWords(), burstsAt({{500, 3000}}, 3500), threeWords()};
        const std::vector<Sample> pauses = {8000, 0};
        Random random(2);
        const Spoken all = join(parts, pauses, random);
        QCOMPARE(all.sound.size(), std::size_t(36000 + 8000 + 3500 + 36000));
        QCOMPARE(all.text, std::string("word0 word1 word2 word0 word0 word1 word2"));
        QCOMPARE(all.words.size(), std::size_t(7));
        QCOMPARE(all.words[3].start_sample, Sample(36000 + 8000 + 500));
        QCOMPARE(all.words[6].end_sample, Sample(36000 + 8000 + 3500 + 30000));
        checkWordsAreHeard(all);
        // The pause has the floor of its neighbours: neither digital silence nor louder.
        const double floor = power(all.sound, 37000, 43000);
        QVERIFY(floor > 1e-9 && floor < 4e-8);
    }

    void oneUntimedPartMakesTheWholeUntimed()
    {
        Spoken untimed = threeWords();
        untimed.words.clear();
        Spoken silent;
        silent.sound.resize(1000);
        Random random(2);
        QVERIFY(join(std::vector<Spoken>{threeWords(), untimed}, std::vector<Sample>{10}, random).words.empty());
        QCOMPARE(join(std::vector<Spoken>{threeWords(), silent}, std::vector<Sample>{10}, random).words.size(), std::size_t(3));
    }

    void masksCoverWhatTheySayAndNoMore()
    {
        features::MelFrames mel{80, 1000, std::vector<float>(80000)};
        for (std::size_t i = 0; i < mel.values.size(); ++i) {
            mel.values[i] = static_cast<float>(i % 97) / 97;
        }
        const auto before = mel.values;
        MaskSizes sizes;
        sizes.time_masks_per_second = 200;
        Random random(4);
        maskSpectrogram(mel, sizes, random);
        std::size_t frames_masked = 0;
        std::size_t changed = 0;
        for (std::size_t frame = 0; frame < 1000; ++frame) {
            bool all = true;
            for (std::size_t band = 0; band < 80; ++band) {
                const bool same = mel.values[frame * 80 + band] == before[frame * 80 + band];
                changed += same ? 0 : 1;
                all = all && !same;
            }
            frames_masked += all ? 1 : 0;
        }
        QVERIFY(frames_masked > 50 && frames_masked <= 250);
        QVERIFY(changed > frames_masked * 80);  // and a stripe of bands
        QVERIFY(changed < frames_masked * 80 + 1000 * 20 + 1);
        Random again(4);
        features::MelFrames other{80, 1000, before};
        maskSpectrogram(other, sizes, again);
        QVERIFY(other.values == mel.values);
        features::MelFrames nothing{80, 0, {}};
        maskSpectrogram(nothing, sizes, again);
    }

    void bandsAreStretched()
    {
        features::MelFrames mel{80, 2, std::vector<float>(160)};
        for (std::size_t i = 0; i < 160; ++i) {
            mel.values[i] = static_cast<float>(i % 80);
        }
        warpBands(mel, 1.1);
        QVERIFY(std::abs(mel.values[10] - 11) < 1e-4F);
        QVERIFY(std::abs(mel.values[80 + 50] - 55) < 1e-4F);
        QCOMPARE(mel.values[79], 79.0F);
    }
};

QTEST_GUILESS_MAIN(TestAugment)
#include "tst_augment.moc"
