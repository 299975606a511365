// Voice activity: utterances with pre-roll and hang-over, the same however the sound is cut; real speech is not clipped, real noise
// seldom taken for speech.
#include <QtTest>

#include <algorithm>
#include <map>

#include "core/audio/file_source.h"
#include "core/audio/voice_activity.h"
#include "core/audio/voice_detectors.h"
#include "tests/core/audio/signals.h"

using namespace braid;
using namespace braid::audio;
using namespace braid::audio::testing;

namespace {

#ifdef BRAID_HAS_MEDIA
constexpr bool kDecodesMedia = true;
#else
constexpr bool kDecodesMedia = false;
#endif

// Speech is whatever is louder than 0.1, a voice what is louder than 0.3: decisions that a test can write down.
class LoudIsSpeech final : public VoiceDetector {
  public:
    FrameKind judge(std::span<const float> frame) override
    {
        float peak = 0;
        for (const float value : frame) {
            peak = std::max(peak, std::fabs(value));
        }
        return peak > 0.3f ? FrameKind::Voice : peak > 0.1f ? FrameKind::PossibleSpeech : FrameKind::NoSpeech;
    }
    void reset() override { ++resets; }
    int resets = 0;
};

void add(std::vector<float> &sound, std::int64_t ms, float value)
{
    sound.insert(sound.end(), static_cast<std::size_t>(samplesFromMs(ms)), value);
}

struct Utterance {
    Sample begin = 0;
    Sample end = 0;
};

std::vector<Utterance> utterancesOf(std::unique_ptr<VoiceDetector> detector, const std::vector<float> &sound)
{
    VoiceGate gate(std::move(detector), {});
    std::vector<VoiceEvent> events = gate.push(sound);
    for (const VoiceEvent &event : gate.finish()) {
        events.push_back(event);
    }
    std::vector<Utterance> utterances;
    for (const VoiceEvent &event : events) {
        if (event.kind == VoiceEventKind::UtteranceBegins) {
            utterances.push_back({event.sample, event.sample});
        } else {
            utterances.back().end = event.sample;
        }
    }
    return utterances;
}

Sample lengthOf(const std::vector<Utterance> &utterances)
{
    Sample total = 0;
    for (const Utterance &utterance : utterances) {
        total += utterance.end - utterance.begin;
    }
    return total;
}

// Frames within 30 dB of the loudest: what nobody would call a pause.
std::vector<Sample> loudFrames(const std::vector<float> &speech)
{
    std::vector<float> levels;
    for (std::size_t at = 0; at + kVoiceFrameSamples <= speech.size(); at += kVoiceFrameSamples) {
        levels.push_back(frameLevelDb(std::span(speech).subspan(at, kVoiceFrameSamples)));
    }
    const float loudest = levels.empty() ? 0 : *std::max_element(levels.begin(), levels.end());
    std::vector<Sample> loud;
    for (std::size_t index = 0; index < levels.size(); ++index) {
        if (levels[index] > loudest - 30) {
            loud.push_back(static_cast<Sample>(index) * kVoiceFrameSamples);
        }
    }
    return loud;
}

std::vector<std::filesystem::path> soundsIn(const std::filesystem::path &folder, std::size_t at_most)
{
    std::vector<std::filesystem::path> files;
    if (std::filesystem::is_directory(folder)) {
        for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
            const std::string ending = entry.path().extension().string();
            if (ending == ".flac" || ending == ".wav" || ending == ".opus" || ending == ".mp3") {
                files.push_back(entry.path());
            }
        }
    }
    std::sort(files.begin(), files.end());
    if (files.size() > at_most) {
        std::vector<std::filesystem::path> chosen;
        for (std::size_t index = 0; index < at_most; ++index) {
            chosen.push_back(files[index * files.size() / at_most]);
        }
        return chosen;
    }
    return files;
}

std::vector<float> soundOf(const std::filesystem::path &path)
{
    return hearAll(*openFileSource(path), 160000).sound;
}

std::vector<float> amongSilence(const std::vector<float> &speech, double gain, double noise_amplitude)
{
    std::vector<float> sound = noise(samplesFromSeconds(5), noise_amplitude, 11);
    const std::size_t begin = sound.size();
    for (const float value : speech) {
        sound.push_back(value);
    }
    const auto tail = noise(samplesFromSeconds(3), noise_amplitude, 12);
    sound.insert(sound.end(), tail.begin(), tail.end());
    const auto bed = noise(speech.size(), noise_amplitude, 13);
    for (std::size_t index = 0; index < speech.size(); ++index) {
        sound[begin + index] = static_cast<float>(gain * speech[index]) + bed[index];
    }
    return sound;
}

struct Missed {
    Sample loud = 0;
    Sample outside = 0;
    int clipped = 0;  // recordings whose first loud frame lies before the first utterance
    int recordings = 0;
    [[nodiscard]] double fraction() const { return loud > 0 ? static_cast<double>(outside) / static_cast<double>(loud) : 1; }
};

void judge(Missed &missed, const std::vector<float> &speech, double gain, double noise_amplitude)
{
    const auto utterances = utterancesOf(makeVoiceDetector(), amongSilence(speech, gain, noise_amplitude));
    const Sample offset = samplesFromSeconds(5);
    ++missed.recordings;
    bool first = true;
    for (const Sample frame : loudFrames(speech)) {
        const bool inside = std::any_of(utterances.begin(), utterances.end(),
                                        [&](const Utterance &utterance) { return utterance.begin <= frame + offset && frame + offset < utterance.end; });
        ++missed.loud;
        missed.outside += !inside;
        missed.clipped += first && !inside;
        first = false;
    }
}

}  // namespace

class VoiceTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void anUtteranceHasPrerollAndHangover()
    {
        std::vector<float> sound;
        add(sound, 1000, 0);
        add(sound, 500, 0.5f);
        add(sound, 2000, 0);
        const auto utterances = utterancesOf(std::make_unique<LoudIsSpeech>(), sound);
        QCOMPARE(utterances.size(), std::size_t(1));
        QCOMPARE(utterances[0].begin, samplesFromMs(600));
        QCOMPARE(utterances[0].end, samplesFromMs(2200));
    }

    void theBeginningIsTheEarliestBeginning()
    {
        std::vector<float> sound;
        add(sound, 100, 0);
        add(sound, 500, 0.5f);
        const auto utterances = utterancesOf(std::make_unique<LoudIsSpeech>(), sound);
        QCOMPARE(utterances[0].begin, Sample(0));
        QCOMPARE(utterances[0].end, samplesFromMs(600));
    }

    void clicksAndShortPausesAreNoEvents()
    {
        std::vector<float> sound;
        for (int click = 0; click < 5; ++click) {
            add(sound, 500, 0);
            add(sound, 60, 0.9f);
        }
        add(sound, 1000, 0);
        const auto begin = static_cast<Sample>(sound.size());
        for (int word = 0; word < 5; ++word) {
            add(sound, 300, 0.5f);
            add(sound, 600, 0);  // shorter than the hang-over: the utterance goes on
        }
        add(sound, 1000, 0);
        const auto utterances = utterancesOf(std::make_unique<LoudIsSpeech>(), sound);
        QCOMPARE(utterances.size(), std::size_t(1));
        QCOMPARE(utterances[0].begin, begin - samplesFromMs(400));
        QCOMPARE(utterances[0].end, begin + samplesFromMs(5 * 900 - 600 + 700));
    }

    void theBeginIsToldAsSoonAsItIsDecided()
    {
        VoiceGate gate(std::make_unique<LoudIsSpeech>(), {});
        QVERIFY(gate.push(std::vector<float>(samplesFromMs(1000), 0.0f)).empty());
        QVERIFY(gate.push(std::vector<float>(samplesFromMs(80), 0.5f)).empty());
        QVERIFY(!gate.inUtterance());
        QCOMPARE(gate.push(std::vector<float>(samplesFromMs(20), 0.5f)).size(), std::size_t(1));
        QVERIFY(gate.inUtterance());
    }

    void anUtteranceWaitsForAVoiceAndReachesBackToTheConsonants()
    {
        VoiceGate gate(std::make_unique<LoudIsSpeech>(), {});
        (void)gate.push(std::vector<float>(samplesFromMs(1000), 0.0f));
        QVERIFY(gate.push(std::vector<float>(samplesFromMs(300), 0.2f)).empty());
        QVERIFY(gate.push(std::vector<float>(samplesFromMs(60), 0.5f)).empty());
        const auto events = gate.push(std::vector<float>(samplesFromMs(20), 0.5f));
        QCOMPARE(events.size(), std::size_t(1));
        QCOMPARE(events[0].sample, samplesFromMs(600));
    }

    void whatIsNoVoiceForHoursIsNeitherAnUtteranceNorKept()
    {
        VoiceGate gate(std::make_unique<LoudIsSpeech>(), {});
        QVERIFY(gate.push(std::vector<float>(samplesFromMs(60000), 0.2f)).empty());
        QCOMPARE(gate.settledUntil(), samplesFromMs(60000 - 1000 - 400));
        QVERIFY(gate.push(std::vector<float>(samplesFromMs(200), 0.0f)).empty());
        QCOMPARE(gate.settledUntil(), samplesFromMs(60200 - 1000 - 400));
        const auto events = gate.push(std::vector<float>(samplesFromMs(80), 0.5f));
        QCOMPARE(events.size(), std::size_t(1));
        QCOMPARE(events[0].sample, samplesFromMs(60280 - 1000 - 400));
    }

    void aBarkAndARumbleHaveNoVoicesPitch_data()
    {
        QTest::addColumn<double>("pitch_hz");
        QTest::addColumn<bool>("is_voice");
        QTest::newRow("a deep voice") << 80.0 << true;
        QTest::newRow("a man") << 120.0 << true;
        QTest::newRow("a woman") << 210.0 << true;
        QTest::newRow("a child") << 370.0 << true;
        QTest::newRow("a dog") << 590.0 << false;
        QTest::newRow("a rooster") << 810.0 << false;
        QTest::newRow("the sea") << 0.0 << false;
    }
    void aBarkAndARumbleHaveNoVoicesPitch()
    {
        QFETCH(double, pitch_hz);
        QFETCH(bool, is_voice);
        std::vector<float> sound = noise(samplesFromMs(400), 0.01, 21);
        float rumble = 0;
        for (std::size_t index = 0; index < sound.size(); ++index) {
            rumble = 0.98f * rumble + sound[index];
            const double phase = 2 * std::numbers::pi * pitch_hz * static_cast<double>(index) / kSampleRateHz;
            for (int harmonic = 1; pitch_hz > 0 && harmonic * pitch_hz < 4000; ++harmonic) {
                sound[index] += static_cast<float>(0.3 / harmonic * std::sin(harmonic * phase));
            }
            sound[index] += pitch_hz > 0 ? 0 : rumble;
        }
        PitchFinder finder;
        int voiced = 0;
        int frames = 0;
        for (std::size_t at = 0; at + kVoiceFrameSamples <= sound.size(); at += kVoiceFrameSamples, ++frames) {
            voiced += finder.pitchOf(std::span(sound).subspan(at, kVoiceFrameSamples)).isOfVoice();
        }
        QVERIFY2(is_voice ? voiced >= frames - 1 : voiced == 0, qPrintable(QString::number(voiced)));
    }

    void anUtteranceNeverReachesIntoTheOneBefore()
    {
        std::vector<float> sound;
        add(sound, 500, 0.5f);
        add(sound, 800, 0);
        add(sound, 500, 0.5f);
        const auto utterances = utterancesOf(std::make_unique<LoudIsSpeech>(), sound);
        QCOMPARE(utterances.size(), std::size_t(2));
        QCOMPARE(utterances[0].end, samplesFromMs(1200));
        QCOMPARE(utterances[1].begin, samplesFromMs(1200));
    }

    void aGapEndsTheUtteranceWhereItBegins()
    {
        auto detector = std::make_unique<LoudIsSpeech>();
        const LoudIsSpeech &watched = *detector;
        VoiceGate gate(std::move(detector), {}, 1000);
        (void)gate.push(std::vector<float>(8010, 0.5f));
        const auto events = gate.gap(5000);
        QCOMPARE(events.size(), std::size_t(1));
        QVERIFY(events[0].kind == VoiceEventKind::UtteranceEnds);
        QCOMPARE(events[0].sample, Sample(9010));
        QCOMPARE(watched.resets, 1);
        QVERIFY(!gate.inUtterance());
        const auto next = gate.push(std::vector<float>(8000, 0.5f));
        QCOMPARE(next.size(), std::size_t(1));
        QCOMPARE(next[0].sample, Sample(14010));  // no pre-roll out of a gap
        QVERIFY(gate.gap(0).size() == 1 && gate.gap(100).empty() && gate.finish().empty());
    }

    void howItIsCutDoesNotMatter()
    {
        // Bursts and pauses of random length, and the real detector too.
        std::mt19937 random(4);
        std::vector<float> sound;
        for (int part = 0; part < 60; ++part) {
            const auto piece = noise(300 + random() % 14000, part % 2 == 0 ? 0.3 : 0.001, random());
            sound.insert(sound.end(), piece.begin(), piece.end());
        }
        for (const bool real : {false, true}) {
            const auto detector = [&]() -> std::unique_ptr<VoiceDetector> { return real ? makeVoiceDetector() : std::make_unique<LoudIsSpeech>(); };
            VoiceGate whole(detector(), {}, 77);
            auto expected = whole.push(sound);
            for (const VoiceEvent &event : whole.finish()) {
                expected.push_back(event);
            }
            if (!real) {
                QVERIFY(expected.size() > 10);
            }
            for (int round = 0; round < 6; ++round) {
                VoiceGate gate(detector(), {}, 77);
                std::vector<VoiceEvent> events;
                Sample settled = 0;
                const auto take = [&](const std::vector<VoiceEvent> &more) {
                    for (const VoiceEvent &event : more) {
                        QVERIFY(event.sample >= settled);  // what was called settled stays so
                        events.push_back(event);
                    }
                    QVERIFY(gate.settledUntil() >= settled);
                    settled = gate.settledUntil();
                };
                for (std::size_t at = 0; at < sound.size();) {
                    const std::size_t count = std::min<std::size_t>(random() % (round < 3 ? 40 : 4000), sound.size() - at);
                    take(gate.push(std::span(sound).subspan(at, count)));
                    at += count;
                }
                take(gate.finish());
                QCOMPARE(events.size(), expected.size());
                for (std::size_t index = 0; index < events.size(); ++index) {
                    QVERIFY(events[index].kind == expected[index].kind);
                    QCOMPARE(events[index].sample, expected[index].sample);
                }
            }
        }
    }

    void silenceAndSteadyNoiseAreNoSpeech_data()
    {
        QTest::addColumn<double>("amplitude");
        QTest::newRow("digital silence") << 0.0;
        QTest::newRow("a quiet room, -70 dB") << 0.0003;
        QTest::newRow("hiss, -50 dB") << 0.003;
        QTest::newRow("a fan, -30 dB") << 0.03;
    }
    void silenceAndSteadyNoiseAreNoSpeech()
    {
        QFETCH(double, amplitude);
        for (const bool best : {true, false}) {
            const auto sound = noise(samplesFromSeconds(30), amplitude, 3);
            const auto utterances = utterancesOf(best ? makeVoiceDetector() : makeEnergyDetector(), sound);
            // The energy detector alone needs some seconds to learn what is always there.
            const Sample allowed = best ? 0 : samplesFromSeconds(5);
            QVERIFY2(lengthOf(utterances) <= allowed, qPrintable(QString::number(secondsFromSamples(lengthOf(utterances)))));
        }
    }

    void realSpeechIsNeitherClippedNorMissed_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<int>("recordings");
        QTest::addColumn<double>("gain_db");
        QTest::addColumn<double>("noise_db");
        QTest::addColumn<double>("most_missed");   // of the loud frames
        QTest::addColumn<double>("most_clipped");  // of the recordings; many of the volunteers' begin with a click of the microphone
        QTest::newRow("clips") << "clips" << 6 << 0.0 << -80.0 << 0.0 << 0.0;
        QTest::newRow("clips, quiet microphone") << "clips" << 6 << -20.0 << -80.0 << 0.002 << 0.0;
        QTest::newRow("clips, noisy room") << "clips" << 6 << 0.0 << -50.0 << 0.002 << 0.0;
        QTest::newRow("librispeech") << "librispeech-dev-clean" << 20 << 0.0 << -80.0 << 0.002 << 0.0;
        QTest::newRow("common voice") << "common-voice-1" << 30 << 0.0 << -80.0 << 0.03 << 0.2;
        QTest::newRow("second language") << "speechocean762" << 20 << 0.0 << -80.0 << 0.01 << 0.1;
    }
    void realSpeechIsNeitherClippedNorMissed()
    {
        QFETCH(QString, folder);
        QFETCH(int, recordings);
        QFETCH(double, gain_db);
        QFETCH(double, noise_db);
        QFETCH(double, most_missed);
        QFETCH(double, most_clipped);
        const auto files = filesOrNone(sharedData() / "speech" / folder.toStdString(), static_cast<std::size_t>(recordings));
        if (files.empty()) {
            QSKIP("../shared/data is not here, or this build decodes no media");
        }
        Missed missed;
        for (const auto &file : files) {
            judge(missed, soundOf(file), std::pow(10, gain_db / 20), std::pow(10, noise_db / 20));
        }
        qInfo("%s: %.3f %% of the loud frames missed, %d of %d recordings clipped at their beginning", QTest::currentDataTag(), 100 * missed.fraction(),
              missed.clipped, missed.recordings);
        QVERIFY(missed.fraction() <= most_missed);
        QVERIFY(missed.clipped <= most_clipped * missed.recordings);
    }

    void realNoiseIsSeldomSpeech_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::addColumn<double>("most");
        QTest::newRow("background") << "background" << 0.10;
        QTest::newRow("sounds") << "sounds" << 0.70;
    }
    void realNoiseIsSeldomSpeech()
    {
        QFETCH(QString, folder);
        QFETCH(double, most);
        const auto files = filesOrNone(sharedData() / "noise" / folder.toStdString(), 50);
        if (files.empty()) {
            QSKIP("../shared/data is not here, or this build decodes no media");
        }
        std::map<std::string, std::pair<Sample, Sample>> by_class;
        Sample heard = 0;
        Sample speech = 0;
        for (const auto &file : files) {
            const auto sound = soundOf(file);
            const Sample called = lengthOf(utterancesOf(makeVoiceDetector(), sound));
            const std::string name = file.stem().string();
            auto &[class_heard, class_speech] = by_class[folder == "background" ? name : name.substr(0, name.find_first_of("0123456789"))];
            class_heard += static_cast<Sample>(sound.size());
            class_speech += called;
            heard += static_cast<Sample>(sound.size());
            speech += called;
        }
        for (const auto &[name, lengths] : by_class) {
            qInfo("%-28s %5.1f %% called speech", name.c_str(), 100.0 * static_cast<double>(lengths.second) / static_cast<double>(lengths.first));
        }
        const double fraction = static_cast<double>(speech) / static_cast<double>(heard);
        qInfo("%s: %.1f %% of %.0f s called speech", QTest::currentDataTag(), 100 * fraction, secondsFromSamples(heard));
        QVERIFY(fraction <= most);
    }

  private:
    static std::vector<std::filesystem::path> filesOrNone(const std::filesystem::path &folder, std::size_t at_most)
    {
        return kDecodesMedia ? soundsIn(folder, at_most) : std::vector<std::filesystem::path>();
    }
};

QTEST_GUILESS_MAIN(VoiceTest)
#include "tst_voice.moc"
