// The manifest: what is written is read again exactly; a run that was cut goes on; what is wrong is refused with file and line.
#include <QtTest>

#include <QTemporaryDir>

#include "core/base/error.h"
#include "lab/corpus/manifest.h"

using namespace braid;
using namespace braid::corpus;
namespace fs = std::filesystem;

// JSON with ' for ", which is easier to read here (and moc does not understand raw strings with quotes in them).
static std::string json(std::string text)
{
    std::replace(text.begin(), text.end(), '\'', '"');
    return text;
}

class TestManifest : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    fs::path path(const char *name) const { return fs::path(m_dir.path().toStdString()) / name; }

    static std::string refusal(const std::string &line)
    {
        try {
            (void)parseManifestLine(line, "/data", "m.jsonl, line 7");
        } catch (const Error &error) {
            return error.kind() == ErrorKind::Input ? error.what() : "wrong kind";
        }
        return {};
    }

  private Q_SLOTS:
    void theExampleOfTheHeaderIsRead()
    {
        const Utterance utterance = parseManifestLine(
            json(
                "{'sound': 'a.flac', 'offset_s': 0, 'length_s': 2.5, 'text': 'two words', 'words': [['two', 0.1, 0.4], ['words', 0.5, 0.9]], 'source': 'x', 'weight': 1}"),
            "/data", "here");
        QCOMPARE(utterance.sound, fs::path("/data/a.flac"));
        QCOMPARE(utterance.length, Sample(40000));
        QCOMPARE(utterance.text, std::string("two words"));
        QCOMPARE(utterance.words.size(), std::size_t(2));
        QCOMPARE(utterance.words[1].text, std::string("words"));
        QCOMPARE(utterance.words[1].start_sample, Sample(8000));
        QCOMPARE(utterance.words[1].end_sample, Sample(14400));
    }

    void whatIsWrittenIsReadAgainToTheSample()
    {
        Utterance first;
        first.sound = path("sub/quote\" and \xC3\xA9.flac");
        first.offset = 123457;
        first.length = 1;
        first.text = "don't \"stop\"\n\xE2\x82\xAC";
        first.words = {{"don't", 1, 2}, {"stop", 2, 160'000'001}};
        first.source = "a/b";
        first.weight = 0.25;
        Utterance second;
        second.sound = "/elsewhere/b.wav";
        {
            ManifestWriter writer(path("m.jsonl"), ManifestOpening::Replace);
            writer.append(first);
            writer.append(second);
        }
        QVERIFY(readTextFile(path("m.jsonl")).starts_with("{\"sound\":\"sub/quote"));  // relative: the folder can move
        const auto read = readManifest(path("m.jsonl"));
        QCOMPARE(read.size(), std::size_t(2));
        QCOMPARE(read[0].sound, first.sound);
        QCOMPARE(read[0].offset, first.offset);
        QCOMPARE(read[0].length, first.length);
        QCOMPARE(read[0].text, first.text);
        QCOMPARE(read[0].source, first.source);
        QCOMPARE(read[0].weight, first.weight);
        for (std::size_t i = 0; i < 2; ++i) {
            QCOMPARE(read[0].words[i].text, first.words[i].text);
            QCOMPARE(read[0].words[i].start_sample, first.words[i].start_sample);
            QCOMPARE(read[0].words[i].end_sample, first.words[i].end_sample);
        }
        QCOMPARE(read[1].sound, second.sound);
        QCOMPARE(read[1].weight, 1.0);
        QVERIFY(read[1].text.empty() && read[1].words.empty());
    }

    void aRunThatWasCutGoesOnAfterItsLastWholeLine()
    {
        Utterance utterance;
        utterance.sound = path("a.flac");
        {
            ManifestWriter writer(path("cut.jsonl"), ManifestOpening::Replace);
            utterance.text = "one";
            writer.append(utterance);
        }
        AppendFile(path("cut.jsonl")).append(json("{'sound':'b.flac','te"));
        {
            ManifestWriter writer(path("cut.jsonl"), ManifestOpening::Continue);
            utterance.text = "two";
            writer.append(utterance);
        }
        const auto read = readManifest(path("cut.jsonl"));
        QCOMPARE(read.size(), std::size_t(2));
        QCOMPARE(read[0].text, std::string("one"));
        QCOMPARE(read[1].text, std::string("two"));
        // Nothing but a torn line, and no file at all, are beginnings.
        writeFileAtomically(path("torn.jsonl"), "{\"sou");
        ManifestWriter(path("torn.jsonl"), ManifestOpening::Continue).append(utterance);
        ManifestWriter(path("new.jsonl"), ManifestOpening::Continue).append(utterance);
        QCOMPARE(readManifest(path("torn.jsonl")).size(), std::size_t(1));
        QCOMPARE(readManifest(path("new.jsonl")).size(), std::size_t(1));
    }

    void linesAreCountedAndEmptyOnesSkipped()
    {
        writeFileAtomically(path("gaps.jsonl"), "\n{\"sound\":\"a\",\"text\":\"\"}\r\n\n  \n{\"sound\":\"b\",\"text\":\"x\"}");
        ManifestReader reader(path("gaps.jsonl"));
        Utterance utterance;
        QVERIFY(reader.next(utterance));
        QCOMPARE(reader.line(), std::size_t(2));
        QVERIFY(reader.next(utterance));
        QCOMPARE(reader.line(), std::size_t(5));
        QVERIFY(!reader.next(utterance));
    }

    void whatIsWrongIsRefusedWithItsPlace_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        QTest::newRow("no JSON") << "{"
                                 << "not valid JSON";
        QTest::newRow("a list") << "[]"
                                << "not a JSON object";
        QTest::newRow("no sound") << QString::fromStdString(json("{'text':'a'}")) << "\"sound\" is missing";
        QTest::newRow("empty sound") << QString::fromStdString(json("{'sound':'','text':'a'}")) << "\"sound\" is missing";
        QTest::newRow("no text") << QString::fromStdString(json("{'sound':'a'}")) << "\"text\" is missing";
        QTest::newRow("a misspelt key") << QString::fromStdString(json("{'sound':'a','text':'a','ofset_s':1}")) << "ofset_s";
        QTest::newRow("a key twice") << QString::fromStdString(json("{'sound':'a','text':'a','text':'b'}")) << "twice";
        QTest::newRow("a negative offset") << QString::fromStdString(json("{'sound':'a','text':'a','offset_s':-1}")) << "offset_s";
        QTest::newRow("an endless length") << QString::fromStdString(json("{'sound':'a','text':'a','length_s':1e300}")) << "length_s";
        QTest::newRow("a time that is text") << QString::fromStdString(json("{'sound':'a','text':'a','length_s':'1'}")) << "length_s";
        QTest::newRow("a zero byte in the path") << QString::fromStdString(json("{'sound':'a\\u0000b','text':'a'}")) << "zero byte";
        QTest::newRow("a word without end") << QString::fromStdString(json("{'sound':'a','text':'a','words':[['a',0]]}")) << "[\"word\", start, end]";
        QTest::newRow("a word backwards") << QString::fromStdString(json("{'sound':'a','text':'a','words':[['a',2,1]]}")) << "ends before";
        QTest::newRow("words out of order") << QString::fromStdString(json("{'sound':'a','text':'a','words':[['a',2,3],['b',1,4]]}")) << "begins before";
        QTest::newRow("a weight below zero") << QString::fromStdString(json("{'sound':'a','text':'a','weight':-0.1}")) << "weight";
        QTest::newRow("deep nesting") << QString::fromStdString(json("{'sound':[[[[[['a']]]]]],'text':'a'}")) << "deep";
    }
    void whatIsWrongIsRefusedWithItsPlace()
    {
        QFETCH(QString, line);
        QFETCH(QString, says);
        const QString sentence = QString::fromStdString(refusal(line.toStdString()));
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY2(sentence.startsWith("m.jsonl, line 7: "), qPrintable(sentence));
    }

    void aLineWithoutEndIsNotRead()
    {
        writeFileAtomically(path("long.jsonl"), std::string(kMostLineBytes + 2, ' '));
        ManifestReader reader(path("long.jsonl"));
        Utterance utterance;
        QVERIFY_EXCEPTION_THROWN((void)reader.next(utterance), Error);
        QVERIFY_EXCEPTION_THROWN(ManifestReader(path("missing.jsonl")), Error);
    }
};

QTEST_GUILESS_MAIN(TestManifest)
#include "tst_manifest.moc"
