// Synthetic speech: nothing in a text is ever obeyed, word times are where the sound is, a corpus is the same however it was made.
#include <QtTest>

#include <QTemporaryDir>

#include <set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "lab/corpus/child_process.h"
#include "lab/corpus/manifest.h"
#include "lab/corpus/synth_corpus.h"
#include "lab/corpus/utterance_sound.h"

using namespace braid;
using namespace braid::corpus;
namespace fs = std::filesystem;

namespace {

// Speaks a tone for every word, a hundredth of a second a letter: fast, and the same everywhere.
class ToneSynthesizer final : public Synthesizer {
  public:
    std::string name() const override { return "tone"; }
    std::vector<std::string> voices() const override { return {"high", "low", "shy"}; }
    Spoken speak(const std::vector<SpeakableWord> &words, const std::string &voice, const Manner &manner) override
    {
        if (joined(words).find("unspeakable") != std::string::npos) {
            throw Error(ErrorKind::Input, "cannot be said");
        }
        Spoken spoken;
        for (const SpeakableWord &word : words) {
            const auto start = static_cast<Sample>(spoken.sound.size());
            const auto length = static_cast<std::size_t>(static_cast<double>(word.word.size()) * 160 / manner.speed);
            for (std::size_t i = 0; i < length; ++i) {
                spoken.sound.push_back(voice == "shy" ? 0.0F : 0.5F * std::sin(static_cast<float>(i) * (voice == "high" ? 0.5F : 0.1F)));
            }
            spoken.words.push_back({word.word, start, static_cast<Sample>(spoken.sound.size())});
            spoken.text += (spoken.text.empty() ? "" : " ") + word.word;
        }
        return spoken;
    }
};

Synthesizers tones()
{
    Synthesizers all;
    all.found.push_back(std::make_unique<ToneSynthesizer>());
    return all;
}

double power(const std::vector<float> &sound, Sample from, Sample to)
{
    double sum = 0;
    for (Sample i = from; i < to; ++i) {
        sum += static_cast<double>(sound[static_cast<std::size_t>(i)]) * sound[static_cast<std::size_t>(i)];
    }
    return to > from ? sum / static_cast<double>(to - from) : 0;
}

const SynthOptions kSmall = [] {
    SynthOptions options;
    options.utterances = 70;
    options.several_chance = 0.4;
    return options;
}();

std::vector<std::string> numberedTexts()
{
    std::vector<std::string> texts;
    for (char a = 'a'; a <= 'e'; ++a) {
        for (char b = 'a'; b <= 'j'; ++b) {
            texts.push_back(std::string("Say ") + a + b + ", please.");
        }
    }
    return texts;
}

}  // namespace

class TestSynth : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    fs::path path(const std::string &name) const { return fs::path(m_dir.path().toStdString()) / name; }

    static void checkSynthesizer(Synthesizer &synthesizer, const std::vector<std::string> &voices)
    {
        const auto words = *speakableText("I don't know the boys' names, said the old man. Mister Smith's late!");
        for (const auto &voice : voices) {
            const Spoken spoken = synthesizer.speak(words, voice, {});
            QCOMPARE(spoken.text, std::string("i don't know the boys names said the old man mister smith's late"));
            QVERIFY(spoken.sound.size() > 16000 && spoken.sound.size() < 160000);
            QVERIFY2(spoken.words.size() == words.size(), voice.c_str());
            const double loud = power(spoken.sound, spoken.words.front().start_sample, spoken.words.back().end_sample);
            Sample previous = 0;
            for (const TimedWord &word : spoken.words) {
                QVERIFY(word.start_sample >= previous && word.end_sample > word.start_sample && word.end_sample <= static_cast<Sample>(spoken.sound.size()));
                QVERIFY2(power(spoken.sound, word.start_sample, word.end_sample) > 0.02 * loud, word.text.c_str());
                previous = word.start_sample;
            }
            QVERIFY(power(spoken.sound, spoken.words.back().end_sample + 800, static_cast<Sample>(spoken.sound.size())) < 0.05 * loud);
            // Faster is shorter, and words move with it.
            const Spoken fast = synthesizer.speak(words, voice, {1.5, 1});
            const double ratio = static_cast<double>(fast.words.back().end_sample) / static_cast<double>(spoken.words.back().end_sample);
            QVERIFY2(ratio > 0.5 && ratio < 0.85, std::to_string(ratio).c_str());
        }
        QVERIFY_EXCEPTION_THROWN((void)synthesizer.speak(words, "no such voice", {}), Error);
    }

    static bool hasResampler()
    {
#ifdef BRAID_HAS_MEDIA
        return true;
#else
        return false;
#endif
    }

  private Q_SLOTS:
    void aTextCannotEndASchemeString()
    {
        QCOMPARE(schemeString("say \"when\""), std::string("\"say \\\"when\\\"\""));
        QCOMPARE(schemeString("\") (system \"reboot\")\n\\"), std::string("\"\\\") (system \\\"reboot\\\") \\\\\""));
        QCOMPARE(schemeString("\\\""), std::string("\"\\\\\\\"\""));
        QCOMPARE(schemeString(""), std::string("\"\""));
    }

    void aChildProcessIsSpokenToByLines()
    {
        ChildProcess cat({"cat"});
        cat.write("one\ntw");
        QCOMPARE(cat.readLine(std::chrono::seconds(10)), std::string("one"));
        cat.write("o\n");
        QCOMPARE(cat.readLine(std::chrono::seconds(10)), std::string("two"));
        QVERIFY_EXCEPTION_THROWN((void)cat.readLine(std::chrono::milliseconds(20)), Error);  // it has nothing to say
        // Arguments are arguments: no shell looks at them.
        ChildProcess echo({"echo", "$(date); `date` > /tmp/x \"'"});
        QCOMPARE(echo.readLine(std::chrono::seconds(10)), std::string("$(date); `date` > /tmp/x \"'"));
        QVERIFY_EXCEPTION_THROWN((void)echo.readLine(std::chrono::seconds(10)), Error);  // it has ended
        QVERIFY_EXCEPTION_THROWN(ChildProcess({"braid-no-such-program"}), Error);
    }

    void textsAreChosenOnceAndNeverTheKeptOnes()
    {
        const auto texts = speakableTexts({"Hello there.", "hello THERE!", "10 men", "", "Kept, one", "one", "a b c d"}, {"kept one"}, 1, 3);
        QCOMPARE(texts, (std::vector<std::string>{"Hello there.", "one"}));
        QVERIFY(speakableTexts({"one two"}, {}, 3, 9).empty());
    }

    void voicesAreChosenByPattern()
    {
        const auto synthesizers = tones();
        QCOMPARE(chooseVoices({"*"}, synthesizers).size(), std::size_t(3));
        const auto some = chooseVoices({"tone/*=4", "-tone/shy", "tone/low=1"}, synthesizers);
        QCOMPARE(some.size(), std::size_t(2));
        QVERIFY(some[0].voice == "high" && std::abs(some[0].weight - 4.0 / 3) < 1e-12);
        QVERIFY(some[1].voice == "low" && std::abs(some[1].weight - 7.0 / 3) < 1e-12);
        for (const char *wrong : {"flite/x", "tone/high=0", "tone/high=x", "tone/high=1x", "-*"}) {
            QVERIFY_EXCEPTION_THROWN((void)chooseVoices({wrong}, synthesizers), Error);
        }
        QVERIFY_EXCEPTION_THROWN((void)chooseVoices({"*"}, Synthesizers()), Error);
    }

    void aCorpusIsTheSameHoweverItWasMade()
    {
        const auto synthesizers = tones();
        const auto voices = chooseVoices({"tone/high", "tone/low=2"}, synthesizers);
        const auto texts = numberedTexts();
        const auto quiet = [](const SynthProgress &) {};
        const auto always = [] { return true; };
        const auto result = synthesiseCorpus(texts, voices, path("whole"), kSmall, quiet, always);
        QCOMPARE(result.done, std::size_t(70));
        // In three runs with other numbers of workers, one of them cut in the middle of a line.
        SynthOptions other = kSmall;
        other.workers = 3;
        int asked = 0;
        (void)synthesiseCorpus(texts, voices, path("parts"), other, quiet, [&asked] { return ++asked < 2; });
        AppendFile(path("parts/manifest.jsonl")).append(std::string_view("{\"sound\":\"000/"));
        other.workers = 2;
        QCOMPARE(synthesiseCorpus(texts, voices, path("parts"), other, quiet, always).done, std::size_t(70));
        QCOMPARE(readTextFile(path("parts/manifest.jsonl")), readTextFile(path("whole/manifest.jsonl")));

        std::size_t several = 0;
        std::size_t low = 0;
        for (const auto &utterance : readManifest(path("whole/manifest.jsonl"))) {
            const auto sound = readSound(utterance);
            QCOMPARE(static_cast<Sample>(sound.size()), utterance.length);
            QVERIFY(readSound(path("parts") / fs::relative(utterance.sound, path("whole"))) == sound);
            QCOMPARE(static_cast<std::size_t>(std::count(utterance.text.begin(), utterance.text.end(), ' ')) + 1, utterance.words.size());
            for (const auto &word : utterance.words) {
                QVERIFY(power(sound, word.start_sample, word.end_sample) > 0.05);
            }
            several += utterance.words.size() > 3 ? 1 : 0;
            low += utterance.source == "tone/low" ? 1 : 0;
        }
        QVERIFY(several > 14 && several < 42);
        QVERIFY(low > 35 && low < 60);
        // Another seed is another corpus, and is not written into this one.
        other.seed = 9;
        QVERIFY_EXCEPTION_THROWN(synthesiseCorpus(texts, voices, path("whole"), other, quiet, always), Error);
    }

    void everyTextIsSpokenOnceWhereNoNumberIsGiven()
    {
        const auto synthesizers = tones();
        SynthOptions options = kSmall;
        options.utterances = 0;
        (void)synthesiseCorpus(
            numberedTexts(), chooseVoices({"tone/low"}, synthesizers), path("once"), options, [](const SynthProgress &) {}, [] { return true; });
        std::multiset<std::string> middles;
        for (const auto &utterance : readManifest(path("once/manifest.jsonl"))) {
            for (std::size_t i = 1; i < utterance.words.size(); i += 3) {
                middles.insert(utterance.words[i].text);
            }
        }
        QCOMPARE(middles.size(), std::size_t(50));
        QCOMPARE(std::set<std::string>(middles.begin(), middles.end()).size(), std::size_t(50));
    }

    void whatCannotBeSpokenIsLeftOutAndTold()
    {
        const auto synthesizers = tones();
        std::vector<std::string> problems;
        SynthOptions options;
        options.several_chance = 0;
        const auto result = synthesiseCorpus(
            {"one", "unspeakable", "two"}, chooseVoices({"tone/low"}, synthesizers), path("some"), options,
            [&problems](const SynthProgress &progress) { problems.push_back(progress.problem); }, [] { return true; });
        QCOMPARE(result.failed, std::size_t(1));
        QCOMPARE(result.done, std::size_t(3));
        QCOMPARE(std::count(problems.begin(), problems.end(), ""), std::ptrdiff_t(2));
        QCOMPARE(readManifest(path("some/manifest.jsonl")).size(), std::size_t(2));
        // A voice that gives silence is no speech.
        QCOMPARE(synthesiseCorpus(
                     {"one"}, chooseVoices({"tone/shy"}, synthesizers), path("shy"), options, [](const SynthProgress &) {}, [] { return true; })
                     .failed,
                 std::size_t(1));
    }

    void espeakKnowsItsWords()
    {
        if (!hasResampler()) {
            QSKIP("this build cannot convert sample rates");
        }
        const auto espeak = findEspeak();
        if (!espeak) {
            QSKIP("eSpeak NG is not installed (package espeak-ng)");
        }
        checkSynthesizer(*espeak, {"en-us", "en+f2"});
    }

    void fliteKnowsItsWords()
    {
        if (!hasResampler()) {
            QSKIP("this build cannot convert sample rates");
        }
        const auto flite = findFlite();
        if (!flite) {
            QSKIP("Flite is not installed (package flite)");
        }
        checkSynthesizer(*flite, {"kal16", "slt"});
    }

    void festivalKnowsItsWords()
    {
        if (!hasResampler()) {
            QSKIP("this build cannot convert sample rates");
        }
        const auto festival = findFestival();
        if (!festival) {
            QSKIP("Festival is not installed (packages festival, festvox-kallpc16k)");
        }
        checkSynthesizer(*festival, festival->voices());
    }
};

QTEST_GUILESS_MAIN(TestSynth)
#include "tst_synth.moc"
