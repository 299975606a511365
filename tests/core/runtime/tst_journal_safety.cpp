// A journal is its owner's alone; its words outlive a full disk; a large, damaged or running one is told from a lost one.
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sys/stat.h>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/captions/caption_journal.h"
#include "core/captions/caption_json.h"
#include "tests/support/error_sentence.h"
#include "tests/support/faults.h"
#include "tests/support/interrupted_run.h"

using namespace braid;
using namespace braid::runtime;
using namespace braid::testing;
using captions::readCaptionsJournal;
using test::contains;
using test::sentenceOf;
namespace fs = std::filesystem;

namespace {

std::string wordLine(const std::string &text)
{
    text::Word word;
    word.text = text;
    word.end_sample = 16000;
    return captions::eventToJsonLine(captions::Committed{{word}});
}

ToldCaptions toldCaptions()
{
    text::Word word;
    word.text = "kept";
    word.end_sample = 16000;
    return {{word}, std::vector<float>(16000, 0.25F)};
}

RunJournalInfo captionsInfo()
{
    return {RunKind::Captions, "2026-01-02T03:04:05Z", "Desk Microphone", "captions-en"};
}

std::string wordsOf(const fs::path &folder)
{
    std::string words;
    for (const text::TranscriptItem &item : readCaptionsJournal(folder).transcript) {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            words += word->text + " ";
        }
    }
    return words;
}

// What a journal told of its troubles, from whichever thread.
class Told {
  public:
    void add(const std::string &sentence)
    {
        const std::lock_guard lock(m_mutex);
        m_sentences.push_back(sentence);
    }
    [[nodiscard]] std::vector<std::string> all() const
    {
        const std::lock_guard lock(m_mutex);
        return m_sentences;
    }
    [[nodiscard]] std::function<void(std::string)> outlet()
    {
        return [this](const std::string &sentence) { add(sentence); };
    }

  private:
    mutable std::mutex m_mutex;
    std::vector<std::string> m_sentences;
};

bool isOwnersAlone(const fs::path &path)
{
    const auto others = fs::perms::group_all | fs::perms::others_all;
    return (fs::status(path).permissions() & others) == fs::perms::none;
}

}  // namespace

class JournalSafetyTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void nobodyElseCanReadIt()
    {
        const QTemporaryDir parent;
        const fs::path journals = fs::path(parent.path().toStdString()) / "data" / "sessions";
        Told told;
        RunJournal journal(journals, "This session", told.outlet());
        tell(journal, toldCaptions());
        for (const fs::path &path :
             {journals.parent_path(), journals, journal.folder(), runJournalFile(journal.folder()), journalSoundFile(journal.folder())}) {
            QVERIFY2(isOwnersAlone(path), path.c_str());
        }
        QVERIFY(told.all().empty());
    }

    // The disk fills up with sound: the words go on, and the sound when there is room again, at its own time.
    void wordsComeBeforeSound()
    {
        const QTemporaryDir parent;
        std::atomic<std::uintmax_t> room = std::uintmax_t{1} << 40;
        Told told;
        RunJournal journal(parent.path().toStdString(), "This session", told.outlet(), [&room](const fs::path &) { return room.load(); });
        journal.begin(captionsInfo());
        journal.append(wordLine("one"));
        const std::vector<float> second(16000, 0.5F);
        journal.postSound(second);
        QTRY_COMPARE(journalSoundLength(journal.folder()), Sample(16000));
        room = 1000;
        journal.postSound(second);
        QTRY_COMPARE(told.all().size(), std::size_t(1));
        QVERIFY2(contains(told.all()[0], "sound of this session is no longer kept") && contains(told.all()[0], "its words are"), told.all()[0].c_str());
        journal.append(wordLine("two"));
        QCOMPARE(wordsOf(journal.folder()), std::string("one two "));
        room = std::uintmax_t{1} << 40;
        QTRY_COMPARE(told.all().size(), std::size_t(2));
        QVERIFY2(contains(told.all()[1], "kept again; 00:00:01"), told.all()[1].c_str());
        journal.postSound(second);
        QTRY_COMPARE(journalSoundLength(journal.folder()), Sample(48000));
        const fs::path folder = journal.folder();
        journal.finish();
        const auto sound = readJournalSound(folder, 0, 48000);
        QVERIFY(sound[15999] > 0.4F && sound[16000] == 0.0F && sound[31999] == 0.0F && sound[32000] > 0.4F);
        QCOMPARE(told.all().size(), std::size_t(2));
    }

    // Not even a line finds room: it waits, and comes in its order when there is some.
    void linesWaitForRoom()
    {
        const QTemporaryDir parent;
        Told told;
        RunJournal journal(parent.path().toStdString(), "This session", told.outlet());
        journal.begin(captionsInfo());
        journal.append(wordLine("one"));
        {
            const FullDisk full(fs::file_size(runJournalFile(onlyJournal(parent.path().toStdString()))) + 10);
            journal.append(wordLine("two"));
            journal.append(wordLine("three"));
            QCOMPARE(told.all().size(), std::size_t(1));
            QVERIFY2(contains(told.all()[0], "no longer kept in the journal until there is room"), told.all()[0].c_str());
            QCOMPARE(wordsOf(journal.folder()), std::string("one "));
            QVERIFY(journal.keeps());
        }
        QTRY_COMPARE(told.all().size(), std::size_t(2));
        QVERIFY2(contains(told.all()[1], "nothing of it is missing"), told.all()[1].c_str());
        journal.append(wordLine("four"));
        QCOMPARE(wordsOf(journal.folder()), std::string("one two three four "));
        journal.finish();
        QCOMPARE(readCaptionsJournal(onlyJournal(parent.path().toStdString())).state, JournalState::Finished);
    }

    void hoursOfSilenceTakeNoRoom()
    {
        const QTemporaryDir parent;
        const fs::path folder = parent.path().toStdString();
        JournalSound sound(folder);
        sound.append(std::vector<float>(100, 0.5F));
        sound.appendSilence(samplesFromSeconds(388 * 3600.0));
        sound.append(std::vector<float>(100, 0.5F));
        QCOMPARE(journalSoundLength(folder), samplesFromSeconds(388 * 3600.0) + 200);
        struct stat status {};
        QCOMPARE(::stat(journalSoundFile(folder).c_str(), &status), 0);
        QVERIFY(status.st_blocks * 512 < 1 << 20);
        QVERIFY(readJournalSound(folder, samplesFromSeconds(388 * 3600.0) + 150, 10)[0] > 0.4F);
    }

    // More than a quarter of a gigabyte lies before the last word.
    void aLargeJournalIsReadToItsEnd()
    {
        const QTemporaryDir parent;
        const fs::path folder = leaveInterrupted(parent.path().toStdString(), toldCaptions());
        const fs::path file = runJournalFile(folder);
        fs::resize_file(file, fs::file_size(file) + (std::uintmax_t{300} << 20));
        std::ofstream(file, std::ios::binary | std::ios::app) << "\n" << wordLine("last") << "\n";
        QCOMPARE(wordsOf(folder), std::string("kept last "));
        QCOMPARE(findInterruptedRuns(parent.path().toStdString()).size(), std::size_t(1));
    }

    void anEmptyDescriptionHidesNoWords()
    {
        const QTemporaryDir parent;
        const fs::path folder = fs::path(parent.path().toStdString()) / "old";
        fs::copy(BRAID_SOURCE_DIR "/tests/core/runtime/old_journals/captions", folder);
        const std::string words = wordsOf(folder);
        QVERIFY(!words.empty());
        for (const char *description : {"", "{\"format\":\"braid-jou"}) {
            std::ofstream(folder / "session.json", std::ios::binary | std::ios::trunc) << description;
            QCOMPARE(wordsOf(folder), words);
            QCOMPARE(findInterruptedRuns(parent.path().toStdString()).size(), std::size_t(1));
        }
    }

    void aRunThatGoesOnIsNotSettled()
    {
        const QTemporaryDir parent;
        RunJournal journal(parent.path().toStdString(), "This session", [](const std::string &) {});
        tell(journal, toldCaptions());
        const fs::path folder = journal.folder();
        const std::string before = readTextFile(runJournalFile(folder));
        for (const auto &attempt : {std::function<void()>([&] { settleRun(folder); }), std::function<void()>([&] { requireEnded(folder); })}) {
            const std::string sentence = sentenceOf(attempt);
            QVERIFY2(contains(sentence, "still goes on"), sentence.c_str());
        }
        QCOMPARE(readTextFile(runJournalFile(folder)), before);
        journal.finish();
        requireEnded(folder);
        settleRun(folder);
    }
};

QTEST_GUILESS_MAIN(JournalSafetyTest)
#include "tst_journal_safety.moc"
