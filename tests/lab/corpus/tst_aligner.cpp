// Forced alignment: pronunciations of unknown words, and words found where they are spoken.
#include <QtTest>

#include <QTemporaryDir>

#include <numeric>

#include "core/base/error.h"
#include "lab/corpus/align_corpus.h"
#include "lab/corpus/forced_aligner.h"
#include "lab/corpus/manifest.h"
#include "lab/corpus/pronunciation.h"
#include "lab/corpus/read_corpus.h"
#include "lab/corpus/synthesizer.h"
#include "lab/corpus/utterance_sound.h"

using namespace braid;
using namespace braid::corpus;
namespace fs = std::filesystem;

namespace {

const fs::path kTimit = BRAID_SOURCE_DIR "/../shared/data/speech/timit-sample";

bool canAlign()
{
    try {
        (void)ForcedAligner();
        return true;
    } catch (const Error &) {
        return false;
    }
}

AlignOptions twoWorkers()
{
    AlignOptions options;
    options.workers = 2;
    return options;
}

double mean(const std::vector<double> &values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

class TestAligner : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;

  private Q_SLOTS:
    void phonesComeFromTheIpa()
    {
        QCOMPARE(phonesFromIpa("h\xC9\x99l\xCB\x88o\xCA\x8A"), std::string("HH AH L OW"));               // həlˈoʊ
        QCOMPARE(phonesFromIpa("t\xCA\x83\xCB\x88\xC9\x9C\xCB\x90t\xCA\x83"), std::string("CH ER CH"));  // tʃˈɜːtʃ
        QCOMPARE(phonesFromIpa("kw\xCB\x88\xC9\x91\xCB\x90k\xC9\x99"), std::string("K W AA K AH"));      // kwˈɑːkə
        QCOMPARE(phonesFromIpa(""), std::string());
        QCOMPARE(phonesFromIpa("\xFF\xFE?\xCB"), std::string());
    }

    void phonesComeFromLetters()
    {
        QCOMPARE(phonesFromLetters("fish"), std::string("F IH SH"));
        QCOMPARE(phonesFromLetters("station"), std::string("S T AE SH AH N"));
        QCOMPARE(phonesFromLetters("o'clock"), std::string("AA K L AA K"));
        QCOMPARE(phonesFromLetters("e"), std::string("AH"));
        QCOMPARE(phonesFromLetters("'"), std::string());
        for (char first = 'a'; first <= 'z'; ++first) {
            for (char second = 'a'; second <= 'z'; ++second) {
                QVERIFY(!phonesFromLetters(std::string{first, second}).empty());
            }
        }
    }

    void aBuildWithoutAlignerSaysSo()
    {
        if (alignerBuiltIn()) {
            QSKIP("this build has the aligner");
        }
        QVERIFY_EXCEPTION_THROWN(ForcedAligner(), Error);
    }

    void aMissingModelIsNamed()
    {
        if (!alignerBuiltIn()) {
            QSKIP("this build has no aligner (libpocketsphinx-dev)");
        }
        try {
            ForcedAligner aligner("/nonexistent");
            QFAIL("an aligner without a model");
        } catch (const Error &error) {
            QVERIFY(std::string(error.what()).find("pocketsphinx-en-us") != std::string::npos);
        }
    }

    void wordsOfSynthesizedSpeechAreFound()
    {
        if (!canAlign()) {
            QSKIP("PocketSphinx or its model is not installed");
        }
        const auto synthesizer = findFlite();
        if (!synthesizer) {
            QSKIP("Flite is not installed");
        }
        const Spoken spoken = synthesizer->speak(*speakableText("The silver fox jumped over the garden wall, and ran away."), "slt", {});
        QCOMPARE(spoken.words.size(), std::size_t(11));
        ForcedAligner aligner;
        const Alignment found = aligner.align(spoken.sound, spoken.text);
        QCOMPARE(found.words.size(), spoken.words.size());
        for (std::size_t i = 0; i < found.words.size(); ++i) {
            QCOMPARE(found.words[i].text, spoken.words[i].text);
            QVERIFY2(std::abs(found.words[i].start_sample - spoken.words[i].start_sample) < samplesFromMs(100), found.words[i].text.c_str());
            QVERIFY2(std::abs(found.words[i].end_sample - spoken.words[i].end_sample) < samplesFromMs(150), found.words[i].text.c_str());
        }
        // A word no dictionary knows, and sound that cannot hold the text.
        QCOMPARE(aligner.guessedWords(), std::size_t(0));
        QCOMPARE(aligner.align(spoken.sound, "the silver zzyzxian jumped over the garden wall and ran away").words.size(), std::size_t(11));
        QCOMPARE(aligner.guessedWords(), std::size_t(1));
        const Alignment tight = aligner.align(std::span(spoken.sound).first(3200), spoken.text);
        QVERIFY(tight.words.empty() && !tight.problem.empty());
        QVERIFY(!aligner.align(spoken.sound, "").problem.empty());
        QVERIFY(!aligner.align(spoken.sound, "a (2) b").problem.empty());
        QVERIFY(aligner.align({}, "one").words.empty());
        // Another text of as many words goes through the sound somehow, but badly.
        const Alignment wrong = aligner.align(spoken.sound, "please tell my brother about those seven cheap oranges from spain");
        QVERIFY(wrong.words.empty() && wrong.problem.find("does not fit") != std::string::npos);
        QVERIFY2(wrong.score < found.score - 10, std::to_string(wrong.score).c_str());
        QCOMPARE(aligner.align(spoken.sound, "please tell my brother about those seven cheap oranges from spain", -1e9).words.size(), std::size_t(11));
        // The same sound and text give the same times, whatever came between.
        const Alignment again = aligner.align(spoken.sound, spoken.text);
        for (std::size_t i = 0; i < again.words.size(); ++i) {
            QCOMPARE(again.words[i].start_sample, found.words[i].start_sample);
        }
    }

    void timitIsAlignedToFrames()
    {
        if (!canAlign()) {
            QSKIP("PocketSphinx or its model is not installed");
        }
        if (!fs::exists(kTimit)) {
            QSKIP("../shared/data/speech/timit-sample is not there");
        }
        auto corpus = readCorpus(kTimit, TextForm::Training);
        corpus.utterances.resize(16);
        const fs::path out = fs::path(m_dir.path().toStdString()) / "timit.jsonl";
        std::size_t told = 0;
        const auto result = alignCorpus(
            corpus.utterances, out, twoWorkers(), [&told](const AlignProgress &) { ++told; }, [] { return true; });
        QCOMPARE(told, std::size_t(16));
        QCOMPARE(result.failed, std::size_t(0));
        qInfo("TIMIT: starts off by %.0f ms, ends by %.0f ms in the mean", mean(result.deviations.starts) * 1000, mean(result.deviations.ends) * 1000);
        QVERIFY(mean(result.deviations.starts) < 0.035);
        QVERIFY(mean(result.deviations.ends) < 0.035);
    }

    void stoppedWorkGoesOn()
    {
        if (!canAlign()) {
            QSKIP("PocketSphinx or its model is not installed");
        }
        if (!fs::exists(kTimit)) {
            QSKIP("../shared/data/speech/timit-sample is not there");
        }
        auto utterances = readCorpus(kTimit, TextForm::Training).utterances;
        utterances.resize(24);
        utterances[20].sound = "/nonexistent.wav";  // one bad file does not end the work
        const fs::path whole = fs::path(m_dir.path().toStdString()) / "whole.jsonl";
        const fs::path parts = fs::path(m_dir.path().toStdString()) / "parts.jsonl";
        const auto quiet = [](const AlignProgress &) {};
        const auto result = alignCorpus(utterances, whole, {}, quiet, [] { return true; });
        QCOMPARE(result.failed, std::size_t(1));
        int asked = 0;
        const auto stopped = alignCorpus(utterances, parts, {}, quiet, [&asked] { return ++asked < 2; });
        QCOMPARE(stopped.done, std::size_t(16));
        const auto finished = alignCorpus(utterances, parts, twoWorkers(), quiet, [] { return true; });
        QCOMPARE(finished.done, std::size_t(24));
        QCOMPARE(readTextFile(parts), readTextFile(whole));
        QVERIFY(readManifest(whole)[20].words.empty());
        // A file made from other utterances is not continued.
        utterances[0].text = "something else";
        QVERIFY_EXCEPTION_THROWN(alignCorpus(utterances, parts, {}, quiet, [] { return true; }), Error);
    }
};

QTEST_GUILESS_MAIN(TestAligner)
#include "tst_aligner.moc"
