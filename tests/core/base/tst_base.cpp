// Errors read as sentences; time reads as a clock; files are whole or untouched.
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <sys/resource.h>

#include "core/base/blas.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/sample_clock.h"

using namespace braid;

class BaseTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void errorIsASentence()
    {
        const Error error(ErrorKind::Model, "the header is cut short", "a/model.safetensors", "Fetch the file again");
        QCOMPARE(error.sentence(), std::string("a/model.safetensors: the header is cut short. Fetch the file again."));
        QCOMPARE(exitCodeFor(error.kind()), 3);
        QCOMPARE(exitCodeFor(ErrorKind::Usage), 2);
        QCOMPARE(exitCodeFor(ErrorKind::Device), 4);
    }

    void clockCountsSamples()
    {
        QCOMPARE(formatClock(samplesFromSeconds(12 * 60 + 41.9)), std::string("00:12:41"));
        QCOMPARE(formatTimecode(samplesFromSeconds(3661.25), ','), std::string("01:01:01,250"));
        QCOMPARE(formatTimecode(-5, '.'), std::string("00:00:00.000"));
        QCOMPARE(formatClock(samplesFromSeconds(360000)), std::string("100:00:00"));
        QCOMPARE(msFromSamples(samplesFromMs(1234)), 1234);
    }

    void atomicWriteReplacesTheWhole()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("note.txt").toStdString();
        writeFileAtomically(path, "first");
        writeFileAtomically(path, "second");
        QCOMPARE(readTextFile(path), std::string("second"));
        QVERIFY(!std::filesystem::exists(path.string() + ".part"));
        QVERIFY_EXCEPTION_THROWN(writeFileAtomically(folder.filePath("no/such/note.txt").toStdString(), "x"), Error);
    }

    void appendNeverLeavesHalfARecord()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("journal").toStdString();
        AppendFile file(path);
        file.append("0123456789");
        // A file-size limit stands in for a full disk: the write fails in the middle of the record.
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit small{15, RLIM_INFINITY};
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        setrlimit(RLIMIT_FSIZE, &small);
        bool failed = false;
        try {
            file.append("abcdefghij");
        } catch (const Error &error) {
            failed = error.kind() == ErrorKind::Storage;
        }
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(failed);
        QCOMPARE(readTextFile(path), std::string("0123456789"));
        file.append("!");
        QCOMPARE(readTextFile(path), std::string("0123456789!"));
        QCOMPARE(file.size(), 11);
    }

    void readingHasLimitsAndReasons()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath("big").toStdString();
        writeFileAtomically(path, std::string(3000, 'x'));
        QVERIFY_EXCEPTION_THROWN((void)readTextFile(path, 2000), Error);
        QCOMPARE(MappedFile(path).bytes().size(), std::size_t(3000));
        QVERIFY_EXCEPTION_THROWN(MappedFile(folder.path().toStdString()), Error);
        QVERIFY_EXCEPTION_THROWN(MappedFile(folder.filePath("missing").toStdString()), Error);
    }

    void blasIsNamed() { QVERIFY(!detectBlas().description.empty()); }
};

QTEST_GUILESS_MAIN(BaseTest)
#include "tst_base.moc"
