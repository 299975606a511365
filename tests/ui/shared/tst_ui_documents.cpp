// Captions as documents: a DOCX that other programs open, a PDF of as many pages as it takes; and the figures of every word as a table.
#include <QProcess>
#include <QStandardPaths>
#include <QXmlStreamReader>
#include <QtTest>

#include "core/base/file.h"
#include "tests/ui/fakes.h"
#include "ui/shared/document_export.h"
#include "ui/shared/export.h"
#include "ui/shared/stored_zip.h"

using namespace braid;
using namespace braid::ui;
using namespace braid::ui::test;

namespace {

// The file of this name in a stored archive, by its local header.
QByteArray fileIn(const QByteArray &zip, const QByteArray &name)
{
    qsizetype at = zip.indexOf(name);
    while (at >= 30 && zip.mid(at - 30, 4) != QByteArray("PK\x03\x04")) {
        at = zip.indexOf(name, at + 1);  // another file speaks of it
    }
    const auto *size_at = reinterpret_cast<const uchar *>(zip.constData() + at - 8);
    return at < 30 ? QByteArray() : zip.mid(at + name.size(), static_cast<qsizetype>(qFromLittleEndian<quint32>(size_at - 4)));
}

text::Transcript talk()
{
    text::Transcript items = transcriptOf(words("we came <in> & peace", 61));
    items.emplace_back(text::LineBreak{});
    items.emplace_back(text::Gap{samplesFromSeconds(70), samplesFromSeconds(2), "the microphone was lost"});
    text::Word comma = settled(word(",", 80, 80.2));
    for (const text::TranscriptItem &item : transcriptOf(words("hello", 79))) {
        items.push_back(item);
    }
    comma.starts_without_space = true;
    items.emplace_back(comma);
    text::Word struck = settled(word("", 81, 81.2));
    struck.heard = "um";
    items.emplace_back(struck);
    return items;
}

}  // namespace

class UiDocumentsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aZipHoldsItsFilesAsTheyAre()
    {
        StoredZip zip;
        zip.add("a.txt", "123456789");
        zip.add("b/c.txt", QByteArray(70000, 'x'));
        const QByteArray bytes = zip.finish();
        QVERIFY(bytes.startsWith("PK\x03\x04"));
        QCOMPARE(fileIn(bytes, "a.txt"), QByteArray("123456789"));
        QCOMPARE(fileIn(bytes, "b/c.txt").size(), qsizetype(70000));
        // The checksum of the standard's own example.
        QCOMPARE(qFromLittleEndian<quint32>(reinterpret_cast<const uchar *>(bytes.constData() + 14)), quint32(0xCBF43926));
        const QString unzip = QStandardPaths::findExecutable(QStringLiteral("unzip"));
        if (unzip.isEmpty()) {
            QSKIP("unzip is not here: another program's opinion of the archive was not asked.");
        }
        const QTemporaryDir folder;
        writeFileAtomically(folder.filePath("made.zip").toStdString(), std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
        QProcess test;
        test.start(unzip, {"-t", folder.filePath("made.zip")});
        QVERIFY(test.waitForFinished());
        QVERIFY2(test.exitCode() == 0, test.readAllStandardOutput().constData());
    }
    void aWordDocumentHoldsTheLinesWithTheirTimes()
    {
        const QByteArray docx = docxOf(talk(), {"/talks/opening talk.mp4", "captions-en", "streaming", "2026-11-23T13:00:00Z"});
        for (const char *part : {"[Content_Types].xml", "_rels/.rels", "word/document.xml"}) {
            QXmlStreamReader xml(fileIn(docx, part));
            while (!xml.atEnd()) {
                xml.readNext();
            }
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        }
        QStringList paragraphs;
        QXmlStreamReader xml(fileIn(docx, "word/document.xml"));
        while (!xml.atEnd()) {
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("p")) {
                paragraphs << QString();
            } else if (xml.isStartElement() && xml.name() == QLatin1String("t")) {
                paragraphs.last() += QLatin1Char('|') + xml.readElementText();
            }
        }
        QCOMPARE(paragraphs.size(), 5);
        QCOMPARE(paragraphs[0], QStringLiteral("|opening talk.mp4"));
        QVERIFY(paragraphs[1].contains(QStringLiteral("2026")));
        QVERIFY2(paragraphs[2].startsWith(QStringLiteral("|00:01:01")) && paragraphs[2].endsWith(QStringLiteral("|we came <in> & peace")),
                 qPrintable(paragraphs[2]));
        QVERIFY2(paragraphs[3].contains(QStringLiteral("the microphone was lost")), qPrintable(paragraphs[3]));
        QVERIFY2(paragraphs[4].endsWith(QStringLiteral("|hello,")), qPrintable(paragraphs[4]));
    }
    void aPdfHasAsManyPagesAsItTakes()
    {
        const auto pagesOf = [](int lines) {
            text::Transcript items;
            for (int line = 0; line < lines; ++line) {
                for (const text::TranscriptItem &item : transcriptOf(words("ask not what your country can do for you", line * 10))) {
                    items.push_back(item);
                }
                items.emplace_back(text::LineBreak{});
            }
            const QByteArray pdf = pdfOf(items, {});
            return pdf.startsWith("%PDF") ? pdf.count("/Type /Page\n") : -1;
        };
        QCOMPARE(pagesOf(2), qsizetype(1));
        QVERIFY(pagesOf(200) > 3);
    }
    // Commas and quotes within a word stay within its cell; what is not known is empty.
    void figuresAreATable()
    {
        text::Word odd = settled(word("\"yes,\" he", 1, 1.5, 0.25F), 0.8);
        odd.heard = "yes he";
        odd.revision_count = 2;
        text::Word unseen = word("no", 2, 2.25, 1);
        unseen.first_seen_sample = 0;
        const QTemporaryDir folder;
        const std::filesystem::path file = folder.filePath("run.csv").toStdString();
        exportTranscript({odd, text::LineBreak{}, unseen}, file);
        QCOMPARE(QString::fromStdString(readTextFile(file)), QStringLiteral("start_s,end_s,word,heard,probability,seen_after_s,settled_after_s,changes\r\n"
                                                                            "1.000,1.500,\"\"\"yes,\"\" he\",yes he,0.250,0.400,0.800,2\r\n"
                                                                            "2.000,2.250,no,,1.000,,,0\r\n"));
    }
    void theyAreSavedByTheirEnding()
    {
        const QTemporaryDir folder;
        for (const char *name : {"talk.docx", "talk.PDF"}) {
            const std::filesystem::path file = folder.filePath(QString::fromLatin1(name)).toStdString();
            QVERIFY(isDocument(file));
            exportTranscript(talk(), file);
            QVERIFY(std::filesystem::file_size(file) > 500);
        }
        QVERIFY(!isDocument("talk.txt"));
        // Captions without a word are a document too.
        QVERIFY(docxOf({}, {}).size() > 500);
        QVERIFY(pdfOf({}, {}).startsWith("%PDF"));
    }
};

QTEST_MAIN(UiDocumentsTest)
#include "tst_ui_documents.moc"
