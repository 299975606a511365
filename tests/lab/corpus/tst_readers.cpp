// Corpora in the forms people have them: TextGrids, TIMIT's word files, lists, folders.
#include <QtTest>

#include <QTemporaryDir>

#include "core/base/error.h"
#include "core/base/file.h"
#include "lab/corpus/manifest.h"
#include "lab/corpus/read_corpus.h"
#include "lab/corpus/sound_writer.h"
#include "lab/corpus/text_grid.h"
#include "lab/corpus/utterance_sound.h"

using namespace braid;
using namespace braid::corpus;
namespace fs = std::filesystem;

namespace {

const std::string kLong =
    "File type = \"ooTextFile\"\nObject class = \"TextGrid\"\n\nxmin = 0 \nxmax = 2.3 \ntiers? <exists> \nsize = 3 \nitem []: \n"
    "    item [1]:\n        class = \"IntervalTier\" \n        name = \"phones 2\" \n        xmin = 0 \n        xmax = 2.3 \n        intervals: size = 1 \n"
    "        intervals [1]:\n            xmin = 0 \n            xmax = 2.3 \n            text = \"x\" \n"
    "    item [2]:\n        class = \"IntervalTier\" \n        name = \"Words\" \n        xmin = 0 \n        xmax = 2.3 \n        intervals: size = 3 \n"
    "        intervals [1]:\n            xmin = 0 \n            xmax = 0.5 \n            text = \"\" \n"
    "        intervals [2]:\n            xmin = 0.5 \n            xmax = 1.25e0 \n            text = \"say \"\"when\"\"\" \n"
    "        intervals [3]:\n            xmin = 1.25 \n            xmax = 2 ! a comment with \"quotes\" and 7 numbers\n            text = \"twenty-one\" \n"
    "    item [3]:\n        class = \"TextTier\" \n        name = \"bell\" \n        xmin = 0 \n        xmax = 2.3 \n        points: size = 1 \n"
    "        points [1]:\n            number = 1.5 \n            mark = \"ding\" \n";
const std::string kShort =
    "File type = \"ooTextFile\"\n\"TextGrid\"\n\n0\n2.3\n<exists>\n3\n\"IntervalTier\"\n\"phones 2\"\n0\n2.3\n1\n0\n2.3\n\"x\"\n"
    "\"IntervalTier\"\n\"Words\"\n0\n2.3\n3\n0\n0.5\n\"\"\n0.5\n1.25\n\"say \"\"when\"\"\"\n1.25\n2\n\"twenty-one\"\n\"TextTier\"\n\"bell\"\n0\n2.3\n1\n1.5\n\"ding\"\n";

std::string utf16(const std::string &ascii, bool little)
{
    std::string bytes = little ? "\xFF\xFE" : "\xFE\xFF";
    for (const char c : ascii) {
        bytes += little ? c : '\0';
        bytes += little ? '\0' : c;
    }
    return bytes;
}

std::string refusal(const std::string &bytes)
{
    try {
        (void)parseTextGrid(bytes, "a.TextGrid");
    } catch (const Error &error) {
        return error.what();
    }
    return {};
}

}  // namespace

class TestReaders : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    fs::path path(const std::string &name) const { return fs::path(m_dir.path().toStdString()) / name; }
    void write(const std::string &name, const std::string &content) const
    {
        fs::create_directories(path(name).parent_path());
        writeFileAtomically(path(name), content);
    }
    void writeSilence(const std::string &name) const
    {
        fs::create_directories(path(name).parent_path());
        writeSound(path(name), std::vector<float>(40000, 0.01F));
    }

  private Q_SLOTS:
    void everyFormOfATextGridSaysTheSame_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("long") << QByteArray::fromStdString(kLong);
        QTest::newRow("short") << QByteArray::fromStdString(kShort);
        QTest::newRow("carriage returns") << QByteArray::fromStdString(kLong).replace("\n", "\r\n");
        QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF").append(QByteArray::fromStdString(kShort));
        QTest::newRow("UTF-16, little end first") << QByteArray::fromStdString(utf16(kLong, true));
        QTest::newRow("UTF-16, big end first") << QByteArray::fromStdString(utf16(kShort, false));
    }
    void everyFormOfATextGridSaysTheSame()
    {
        QFETCH(QByteArray, bytes);
        QVERIFY(looksLikeTextGrid(bytes.toStdString()));
        const TextGrid grid = parseTextGrid(bytes.toStdString(), "a.TextGrid");
        QCOMPARE(grid.end_seconds, 2.3);
        QCOMPARE(grid.tiers.size(), std::size_t(3));
        const TextGridTier *words = wordTier(grid);
        QVERIFY(words == &grid.tiers[1]);
        QCOMPARE(words->intervals.size(), std::size_t(3));
        QCOMPARE(words->intervals[1].text, std::string("say \"when\""));
        QCOMPARE(words->intervals[1].end_seconds, 1.25);
        QVERIFY(grid.tiers[2].kind == TextGridTierKind::Points);
        QCOMPARE(grid.tiers[2].intervals[0].end_seconds, 1.5);
        QCOMPARE(grid.tiers[2].intervals[0].text, std::string("ding"));
    }

    void umlautsAndPairsOfUtf16AreRead()
    {
        std::string bytes = utf16("\"ooTextFile\" \"TextGrid\" 0 1 <exists> 1 \"IntervalTier\" \"w\" 0 1 1 0 1 \"", true);
        bytes += std::string("\xFC\x00\x3D\xD8\x00\xDE\x00\xD8", 8);  // u umlaut, an emoji, half a pair
        bytes += utf16("\"", true).substr(2);
        QCOMPARE(parseTextGrid(bytes, "a").tiers[0].intervals[0].text, std::string("\xC3\xBC\xF0\x9F\x98\x80\xEF\xBF\xBD"));
    }

    void whatIsNoTextGridIsRefused_data()
    {
        QTest::addColumn<QString>("bytes");
        QTest::addColumn<QString>("says");
        const QString head = "\"ooTextFile\" \"TextGrid\" 0 1 <exists> ";
        QTest::newRow("nothing") << ""
                                 << "text in quotation marks is missing";
        QTest::newRow("another object") << "\"ooTextFile\" \"Pitch\""
                                        << "not a TextGrid";
        QTest::newRow("no end") << head + "1 \"IntervalTier\" \"w"
                                << "has no end";
        QTest::newRow("too many tiers") << head + "1e9"
                                        << "from 0 to 1000";
        QTest::newRow("half a tier") << head + "0.5"
                                     << "a count is not";
        QTest::newRow("an absurd number of intervals") << head + "1 \"IntervalTier\" \"w\" 0 1 4000000000"
                                                       << "a count is not";
        QTest::newRow("fewer intervals than said") << head + "1 \"IntervalTier\" \"w\" 0 1 3 0 1 \"a\""
                                                   << "a number is missing";
        QTest::newRow("a strange tier") << head + "1 \"PitchTier\" \"w\" 0 1 0"
                                        << "no kind of tier";
        QTest::newRow("backwards") << head + "1 \"IntervalTier\" \"w\" 0 1 1 0.7 0.2 \"a\""
                                   << "not in order";
        QTest::newRow("infinite") << head + "1 \"IntervalTier\" \"w\" 0 1 1 0 inf \"a\""
                                  << "a number is missing";
        QTest::newRow("far away") << head + "1 \"IntervalTier\" \"w\" 0 1 1 0 1e30 \"a\""
                                  << "a time is not";
    }
    void whatIsNoTextGridIsRefused()
    {
        QFETCH(QString, bytes);
        QFETCH(QString, says);
        const QString sentence = QString::fromStdString(refusal(bytes.toStdString()));
        QVERIFY2(sentence.contains(says) && sentence.startsWith("a.TextGrid, line 1: "), qPrintable(sentence));
    }

    void aGridWithoutTiersIsEmpty() { QVERIFY(parseTextGrid("\"ooTextFile\" \"TextGrid\" 0 1 <absent>", "a").tiers.empty()); }

    void aTextGridBesideItsSoundIsAnUtterance()
    {
        write("grids/one.TextGrid", kLong);
        writeSilence("grids/one.wav");
        write("grids/orphan.TextGrid", kShort);
        const Corpus corpus = readCorpus(path("grids"), TextForm::Training);
        QCOMPARE(corpus.utterances.size(), std::size_t(1));
        QCOMPARE(corpus.notices.size(), std::size_t(1));
        const Utterance &utterance = corpus.utterances[0];
        QCOMPARE(utterance.sound, path("grids/one.wav"));
        QCOMPARE(utterance.text, std::string("say when twenty one"));
        QCOMPARE(utterance.words.size(), std::size_t(4));
        QCOMPARE(utterance.words[2].text, std::string("twenty"));
        QCOMPARE(utterance.words[2].start_sample, samplesFromSeconds(1.25));
        QCOMPARE(utterance.words[2].end_sample, utterance.words[3].start_sample);
        QCOMPARE(utterance.words[3].end_sample, samplesFromSeconds(2));
        QCOMPARE(readCorpus(path("grids/one.TextGrid"), TextForm::AsWritten).utterances[0].text, std::string("say \"when\" twenty-one"));
    }

    void timitWordsAreRead()
    {
        write("timit/sa1.wrd", "7812 10608 she\r\n10608 14496 had\n\n14496 15791 your\n");
        writeSilence("timit/sa1.wav");
        const Corpus corpus = readCorpus(path("timit/sa1.wrd"), TextForm::Training);
        QCOMPARE(corpus.utterances[0].text, std::string("she had your"));
        QCOMPARE(corpus.utterances[0].words[1].start_sample, Sample(10608));
        QCOMPARE(corpus.utterances[0].source, std::string("timit"));
        for (const char *bad : {"1 2", "a b c", "5 4 x", "10 20 a\n5 30 b", "1 99999999999999999999 x", "-5 4 x", "1 2x"}) {
            QVERIFY_EXCEPTION_THROWN((void)parseTimitWords(bad, "a.wrd"), Error);
        }
    }

    void aListFindsItsSounds()
    {
        writeSilence("list/mp3/84-1.wav");
        writeSilence("list/direct.wav");
        writeSilence("list/sub/x.wav");
        write("list/transcripts.tsv", "84-1\tHE COULD WAIT\ndirect.wav\tMr. Black\tkathleen\r\nsub/x\t10 men\n\ngone\tnot there\n");
        const Corpus trained = readCorpus(path("list"), TextForm::Training);
        QCOMPARE(trained.utterances.size(), std::size_t(2));
        QCOMPARE(trained.utterances[0].sound, path("list/mp3/84-1.wav"));
        QCOMPARE(trained.utterances[0].text, std::string("he could wait"));
        QCOMPARE(trained.utterances[1].text, std::string("mister black"));
        QCOMPARE(trained.utterances[1].source, std::string("kathleen"));
        QCOMPARE(trained.notices.size(), std::size_t(2));  // digits; a missing sound
        const Corpus measured = readCorpus(path("list/transcripts.tsv"), TextForm::AsWritten);
        QCOMPARE(measured.utterances.size(), std::size_t(3));
        QCOMPARE(measured.utterances[2].text, std::string("10 men"));
    }

    void aManifestIsACorpusToo()
    {
        writeSilence("m/a.wav");
        write("m/corpus", "{\"sound\":\"a.wav\",\"text\":\"Don't!\",\"words\":[[\"Don't!\",0.1,0.5]]}\n");
        const Corpus corpus = readCorpus(path("m/corpus"), TextForm::Training);
        QCOMPARE(corpus.utterances[0].text, std::string("don't"));
        QCOMPARE(corpus.utterances[0].words[0].text, std::string("don't"));
    }

    void whatIsNoCorpusIsSaidSo()
    {
        write("no/words.txt", "just some words\n");
        write("no/deeper/readme", "nothing");
        for (const char *name : {"no/words.txt", "no", "missing"}) {
            QVERIFY_EXCEPTION_THROWN((void)readCorpus(path(name), TextForm::Training), Error);
        }
    }

    void soundsComeBackAsTheyWereWritten()
    {
        std::vector<float> sound(50000);
        for (std::size_t i = 0; i < sound.size(); ++i) {
            sound[i] = 0.5F * std::sin(static_cast<float>(i) * 0.05F) * (i % 977 == 0 ? 3.0F : 1.0F);
        }
        sound[5] = std::nanf("");
        for (const std::string &name : {std::string("written.wav"), "written" + soundExtension()}) {
            writeSound(path(name), sound);
            const auto read = readSound(path(name));
            QCOMPARE(read.size(), sound.size());
            for (std::size_t i = 0; i < sound.size(); ++i) {
                const float wanted = i == 5 ? 0.0F : std::clamp(sound[i], -1.0F, 1.0F);
                QVERIFY2(std::abs(read[i] - wanted) < 4e-5F, std::to_string(i).c_str());
            }
            Utterance piece;
            piece.sound = path(name);
            piece.offset = 20011;
            piece.length = 3000;
            const auto cut = readSound(piece);
            QVERIFY(std::equal(cut.begin(), cut.end(), read.begin() + 20011) && cut.size() == 3000);
            QVERIFY_EXCEPTION_THROWN((void)readSound(path(name), 60000), Error);       // beyond its end
            QVERIFY_EXCEPTION_THROWN((void)readSound(path(name), 0, 0, 1000), Error);  // longer than allowed
        }
        QVERIFY_EXCEPTION_THROWN(writeSound(path("a.mp3"), sound), Error);
        QVERIFY_EXCEPTION_THROWN((void)readSound(path("none.wav")), Error);
    }

    void theTimitSampleIsRead()
    {
        const fs::path folder = BRAID_SOURCE_DIR "/../shared/data/speech/timit-sample";
        if (!fs::exists(folder)) {
            QSKIP("../shared/data/speech/timit-sample is not there");
        }
        const Corpus corpus = readCorpus(folder, TextForm::Training);
        QCOMPARE(corpus.utterances.size() + corpus.notices.size(), std::size_t(80));
        QVERIFY(corpus.utterances.size() >= 79);
        QCOMPARE(corpus.utterances[0].text, std::string("she had your dark suit in greasy wash water all year"));
    }
};

QTEST_GUILESS_MAIN(TestReaders)
#include "tst_readers.moc"
