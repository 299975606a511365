// Errors read as sentences; time reads as a clock; files are whole or untouched.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/blas.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/replaced_file.h"
#include "core/base/sample_clock.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using braid::test::contains;
using braid::test::sentenceOf;
namespace fs = std::filesystem;

namespace {

QStringList namesIn(const QTemporaryDir &folder)
{
    return QDir(folder.path()).entryList(QDir::Files | QDir::Hidden | QDir::System);
}

}  // namespace

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
        QCOMPARE(namesIn(folder), QStringList{"note.txt"});
        QVERIFY_EXCEPTION_THROWN(writeFileAtomically(folder.filePath("no/such/note.txt").toStdString(), "x"), Error);
    }

    // A stranger may have laid a link, or somebody a file of his own, where a careless program would put its half of the work.
    void replacingAFileTouchesNoOther()
    {
        const QTemporaryDir folder;
        const fs::path path = folder.filePath("note.txt").toStdString();
        const fs::path neighbour = folder.filePath("note.txt.part").toStdString();
        const fs::path victim = folder.filePath("victim").toStdString();
        writeFileAtomically(victim, "precious");
        fs::create_symlink(victim, neighbour);
        writeFileAtomically(path, "new");
        QCOMPARE(readTextFile(victim), std::string("precious"));
        QVERIFY(fs::is_symlink(neighbour));
    }

    void aLinkStaysAndItsTargetIsReplaced()
    {
        const QTemporaryDir folder;
        fs::create_directory(folder.filePath("far").toStdString());
        const fs::path target = folder.filePath("far/note.txt").toStdString();
        const fs::path link = folder.filePath("link").toStdString();
        writeFileAtomically(target, "old");
        fs::create_symlink("far/note.txt", link);
        writeFileAtomically(link, "new");
        QVERIFY(fs::is_symlink(link));
        QCOMPARE(readTextFile(target), std::string("new"));
        fs::remove(target);  // what it leads to is made where it is not there
        writeFileAtomically(link, "made");
        QCOMPARE(readTextFile(target), std::string("made"));
        fs::create_symlink("round", folder.filePath("round").toStdString());
        QVERIFY_EXCEPTION_THROWN(writeFileAtomically(folder.filePath("round").toStdString(), "x"), Error);
    }

    void permissionsAreKept()
    {
        const QTemporaryDir folder;
        const fs::path path = folder.filePath("secret").toStdString();
        writeFileAtomically(path, "old");
        fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
        writeFileAtomically(path, "new");
        QVERIFY(fs::status(path).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
    }

    void pipesAndDevicesAreWrittenAndStayWhatTheyAre()
    {
        const QTemporaryDir folder;
        const fs::path pipe = folder.filePath("pipe").toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        const std::string nobody = sentenceOf([&] { writeFileAtomically(pipe, "lost"); });
        QVERIFY2(contains(nobody, "nobody reads"), nobody.c_str());
        const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
        writeFileAtomically(pipe, "through");
        char text[20] = {};
        QCOMPARE(::read(reader, text, sizeof text), ssize_t(7));
        QCOMPARE(std::string(text), std::string("through"));
        ::close(reader);
        QVERIFY(fs::is_fifo(pipe));
        const fs::path device = folder.filePath("device").toStdString();
        fs::create_symlink("/dev/full", device);
        const std::string full = sentenceOf([&] { writeFileAtomically(device, "x"); });
        QVERIFY2(contains(full, "the disk is full"), full.c_str());
        QVERIFY(fs::is_character_file("/dev/full") && fs::is_symlink(device));
    }

    // "/dev/stdout" is whatever standard output is at the moment: a file is written on from where it is.
    void standardOutputIsWrittenOn()
    {
        const QTemporaryDir folder;
        const fs::path path = folder.filePath("out").toStdString();
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT, 0600);
        QCOMPARE(::write(file, "before ", 7), ssize_t(7));
        std::fflush(stdout);
        const int kept = ::dup(STDOUT_FILENO);
        ::dup2(file, STDOUT_FILENO);
        const std::string trouble = sentenceOf([&] { writeFileAtomically("/dev/stdout", "said"); });
        ::dup2(kept, STDOUT_FILENO);
        QVERIFY2(trouble.empty(), trouble.c_str());
        QCOMPARE(readTextFile(path), std::string("before said"));
        ::close(file);
        ::close(kept);
        QCOMPARE(namesIn(folder), QStringList{"out"});
    }

    void whatIsNotFinishedLeavesTheOldFile()
    {
        const QTemporaryDir folder;
        const fs::path path = folder.filePath("note.txt").toStdString();
        writeFileAtomically(path, "old");
        {
            ReplacedFile file(path);
            file.write("half");
        }
        QCOMPARE(readTextFile(path), std::string("old"));
        QCOMPARE(namesIn(folder), QStringList{"note.txt"});
        QVERIFY_EXCEPTION_THROWN(writeFileAtomically(folder.path().toStdString(), "x"), Error);
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

    // What is given as a text or a model's configuration may be a pipe: one that nobody feeds is not waited for, one that is fed is read.
    void pipesThatNobodyFeedsAreNotWaitedFor()
    {
        const QTemporaryDir folder;
        const fs::path pipe = folder.filePath("pipe").toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        const std::string sentence = sentenceOf([&] { static_cast<void>(readTextFile(pipe)); });
        QVERIFY2(contains(sentence, "nobody writes into this pipe"), sentence.c_str());
        const std::string mapped = sentenceOf([&] { static_cast<void>(MappedFile(pipe)); });
        QVERIFY2(contains(mapped, "only a file will do"), mapped.c_str());
        const int kept = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);  // what is written stays until somebody reads it
        const int writer = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK);
        QCOMPARE(::write(writer, "two words", 9), ssize_t(9));
        ::close(writer);
        QCOMPARE(readTextFile(pipe), std::string("two words"));
        ::close(kept);
    }

    void firstBytesAreThoseOfFilesAlone()
    {
        const QTemporaryDir folder;
        const fs::path file = folder.filePath("file").toStdString();
        writeFileAtomically(file, "GGUF and more");
        QCOMPARE(firstBytes(file, 4), std::string("GGUF"));
        QCOMPARE(firstBytes(file, 100), std::string("GGUF and more"));
        QCOMPARE(firstBytes(folder.path().toStdString(), 4), std::string());
        QCOMPARE(firstBytes(folder.filePath("missing").toStdString(), 4), std::string());
        const fs::path pipe = folder.filePath("pipe").toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        QCOMPARE(firstBytes(pipe, 4), std::string());  // not waited for
        QCOMPARE(firstBytes("/dev/zero", 4), std::string());
    }

    void blasIsNamed() { QVERIFY(!detectBlas().description.empty()); }
};

QTEST_GUILESS_MAIN(BaseTest)
#include "tst_base.moc"
