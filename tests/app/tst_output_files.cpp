// What a command may write: nothing that is read, nothing twice, nothing that exists unless it was asked for, and nothing that cannot be written.
#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>
#include <fstream>
#include <functional>

#include "app/cli/output_files.h"
#include "tests/support/error_sentence.h"

using namespace braid;
using namespace braid::cli;
using test::contains;
using test::sentenceOf;
namespace fs = std::filesystem;

class OutputFilesTest : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    [[nodiscard]] fs::path path(const char *name) const { return m_folder.filePath(QString::fromUtf8(name)).toStdString(); }
    fs::path written(const char *name, const char *content = "something") const
    {
        std::ofstream(path(name)) << content;
        return path(name);
    }
    static std::string refused(const std::function<void(OutputFiles &)> &use, Existing existing = Existing::Refused)
    {
        OutputFiles outputs(existing);
        return sentenceOf([&] { use(outputs); });
    }

  private Q_SLOTS:
    void newAndEmptyFilesAndPipesAreWritten()
    {
        OutputFiles outputs(Existing::Refused);
        outputs.writes({});
        outputs.writes({});
        outputs.writes(path("new.srt"));
        outputs.writes(written("empty.srt", ""));
        outputs.writes("/dev/full");
        outputs.writes("/dev/stdout");
        outputs.writes("/dev/stdout");
    }

    void whatExistsStaysUnlessAsked()
    {
        const fs::path file = written("there.srt");
        const std::string sentence = refused([&](OutputFiles &outputs) { outputs.writes(file); });
        QVERIFY2(contains(sentence, "there.srt") && contains(sentence, "exists already") && contains(sentence, "--overwrite"), sentence.c_str());
        QCOMPARE(refused([&](OutputFiles &outputs) { outputs.writes(file); }, Existing::Overwritten), std::string());
    }

    // By whatever name it goes.
    void anInputIsNeverOverwritten()
    {
        const fs::path file = written("talk.wav");
        fs::create_symlink(file, path("link.srt"));
        fs::create_hard_link(file, path("other.srt"));
        for (const fs::path &name : {file, path("link.srt"), path("other.srt"), path(".") / "talk.wav"}) {
            const std::string sentence = refused(
                [&](OutputFiles &outputs) {
                    outputs.reads(file);
                    outputs.writes(name);
                },
                Existing::Overwritten);
            QVERIFY2(contains(sentence, "read and overwritten at once"), sentence.c_str());
        }
    }

    void twoOutputsDoNotShareAFile()
    {
        const std::string sentence = refused(
            [&](OutputFiles &outputs) {
                outputs.writes(path("a.srt"));
                outputs.writes(path(".") / "a.srt");
            },
            Existing::Overwritten);
        QVERIFY2(contains(sentence, "more than one thing"), sentence.c_str());
    }

    void whatCannotBeWrittenIsKnownAtOnce()
    {
        const std::string nowhere = refused([&](OutputFiles &outputs) { outputs.writes("/no/such/folder/talk.srt"); });
        QVERIFY2(contains(nowhere, "there is no such folder"), nowhere.c_str());
        const std::string folder = refused([&](OutputFiles &outputs) { outputs.writes(m_folder.path().toStdString()); });
        QVERIFY2(contains(folder, "this is a folder"), folder.c_str());
    }
};

QTEST_GUILESS_MAIN(OutputFilesTest)
#include "tst_output_files.moc"
