// An archive of recordings in shards: where each transcript belongs, that it is made once, and that a worker may be killed between any two steps.
#include <fstream>

#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "app/cli/archive_plan.h"
#include "app/cli/shard_book.h"
#include "app/cli/transcript_claim.h"
#include "core/base/error.h"

using namespace braid;
using namespace braid::cli;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> transcriptsOf(std::string_view list)
{
    std::vector<std::string> transcripts;
    for (const ArchiveItem &item : archiveItems(list, "/archive", ".txt")) {
        transcripts.push_back(item.transcript);
    }
    return transcripts;
}

void write(const fs::path &file, std::string_view text)
{
    std::ofstream(file, std::ios::binary) << text;
}

std::string read(const fs::path &file)
{
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<nlohmann::json> linesOf(const fs::path &report)
{
    std::vector<nlohmann::json> lines;
    std::ifstream stream(report);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
}

ReportLine done(const ArchiveItem &item)
{
    ReportLine line;
    line.item = item;
    line.sound_s = 2.5;
    line.words = 7;
    line.has_transcript = true;
    return line;
}

ReportLine broken(const ArchiveItem &item)
{
    ReportLine line;
    line.item = item;
    line.errors = {"it is no sound"};
    return line;
}

}  // namespace

class ArchiveTest : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_home;
    const std::vector<ArchiveItem> m_items = archiveItems("a.wav\nb.wav\nc.wav\n", "/archive", ".txt");

    [[nodiscard]] fs::path folder() const { return m_home->path().toStdString(); }
    // What a worker does that is not killed.
    void captionWhole(ShardBook &book, const ArchiveItem &item) const
    {
        TranscriptClaim claim(folder() / item.transcript);
        QVERIFY(claim.state() == ClaimState::Mine);
        book.begin(item);
        write(claim.draft(), "words");
        book.add(done(item));
        claim.publish();
    }

  private Q_SLOTS:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }

    void aShardIsOneOfSome()
    {
        QCOMPARE(parseShard("3/16"), (Shard{3, 16}));
        for (const char *text : {"", "3", "3/", "/16", "0/16", "17/16", "-1/16", "3/16x", "3 /16", "3/99999999", "1/0"}) {
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(parseShard(text)), Error);
        }
    }

    void shardsShareEveryRecordingOnce()
    {
        std::string list;
        for (int at = 0; at < 100; ++at) {
            list += std::to_string(at) + ".wav\n";
        }
        const auto items = archiveItems(list, "/archive", ".txt");
        std::map<std::string, int> seen;
        for (int number = 1; number <= 16; ++number) {
            const auto mine = itemsOf(items, {number, 16});
            QVERIFY(mine.size() == 6 || mine.size() == 7);
            for (const ArchiveItem &item : mine) {
                ++seen[item.transcript];
            }
        }
        QCOMPARE(seen.size(), std::size_t{100});
        QVERIFY(std::all_of(seen.begin(), seen.end(), [](const auto &entry) { return entry.second == 1; }));
        QVERIFY(itemsOf(m_items, {7, 16}).empty());
    }

    void transcriptsKeepFolderAndFormat()
    {
        QCOMPARE(transcriptsOf("talks/a.wav\nother/a.wav\ntalks/a.flac\n/data/b.mp3"),
                 (std::vector<std::string>{"talks/a.wav.txt", "other/a.wav.txt", "talks/a.flac.txt", "data/b.mp3.txt"}));
        // The lines of another system's editor, empty lines, and a recording that is named twice.
        QCOMPARE(transcriptsOf("a.wav\r\n\n./a.wav\nb.wav\r\n"), (std::vector<std::string>{"a.wav.txt", "b.wav.txt"}));
    }

    void noNameLeadsOutOfTheFolder()
    {
        for (const std::string &transcript : transcriptsOf("../../etc/a.wav\n/../../b.wav\nx/../../c.wav\n..\n/\n")) {
            QVERIFY2(!transcript.starts_with('/') && transcript.find("..") == std::string::npos, transcript.c_str());
        }
    }

    void namesThatAreNoTextLeadToFiles() { QCOMPARE(transcriptsOf("a\xFF\xC3.wav\n"), (std::vector<std::string>{"a%FF%C3.wav.txt"})); }

    void transcriptsThatWouldMeetAreRefused()
    {
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(archiveItems("/x/a.wav\nx/a.wav\n", "/archive", ".txt")), Error);
        // A recording that has the name of another one's transcript.
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(archiveItems("a.wav\na.wav.txt\n", ".", ".txt")), Error);
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(archiveItems(std::string_view("a\0b\n", 4), "/archive", ".txt")), Error);
    }

    void aTranscriptIsSeenWhole()
    {
        const fs::path place = folder() / "deep/er/a.wav.txt";
        {
            TranscriptClaim claim(place);
            QVERIFY(claim.state() == ClaimState::Mine);
            write(claim.draft(), "all of it");
            QVERIFY(!fs::exists(place));
            claim.sync();
            claim.publish();
        }
        QCOMPARE(read(place), "all of it");
        QVERIFY(TranscriptClaim(place).state() == ClaimState::Done);
        QCOMPARE(std::distance(fs::directory_iterator(place.parent_path()), fs::directory_iterator()), 1);
    }

    void oneWorkerHasATranscriptAtATime()
    {
        const fs::path place = folder() / "a.wav.txt";
        {
            const TranscriptClaim claim(place);
            QVERIFY(TranscriptClaim(place).state() == ClaimState::Elsewhere);
            QVERIFY(fs::exists(claim.draft()));
        }
        // Given up: nothing is left, and the next one has it.
        QVERIFY(fs::is_empty(folder()));
        QVERIFY(TranscriptClaim(place).state() == ClaimState::Mine);
    }

    void whatADeadWorkerLeftIsTakenOver()
    {
        write(folder() / ".a.wav.txt.part", "half a sen");
        TranscriptClaim claim(folder() / "a.wav.txt");
        QVERIFY(claim.state() == ClaimState::Mine);
        QCOMPARE(read(claim.draft()), "");
    }

    void noDraftIsWrittenThroughALink()
    {
        write(folder() / "precious", "kept");
        fs::create_symlink(folder() / "precious", folder() / ".a.wav.txt.part");
        QVERIFY_EXCEPTION_THROWN(TranscriptClaim(folder() / "a.wav.txt"), Error);
        QCOMPARE(read(folder() / "precious"), "kept");
    }

    void aNameTooLongIsTheRecordingsFault()
    {
        try {
            const TranscriptClaim claim(folder() / std::string(300, 'a'));
            QFAIL("it was made");
        } catch (const Error &error) {
            QVERIFY(error.kind() == ErrorKind::Input);
        }
    }

    void aShardHasOneWorker()
    {
        const ShardBook first(folder(), {1, 2});
        QVERIFY(first.isMine());
        QVERIFY(!ShardBook(folder(), {1, 2}).isMine());
        QVERIFY(ShardBook(folder(), {2, 2}).isMine());
    }

    void theReportHasALineForEach()
    {
        ShardBook book(folder(), {1, 1});
        book.settle(m_items);
        captionWhole(book, m_items[0]);
        book.add(broken(m_items[1]));
        const auto lines = linesOf(book.reportPath());
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(
            lines[0],
            (nlohmann::json{
                {"recording", "a.wav"}, {"transcript", "a.wav.txt"}, {"seconds", 2.5}, {"words", 7}, {"took_s", 0.0}, {"errors", nlohmann::json::array()}}));
        QCOMPARE(lines[1]["transcript"], nlohmann::json());
        QCOMPARE(lines[1]["errors"], nlohmann::json::array({"it is no sound"}));
    }

    // Killed behind the line and before the transcript; while the line is written; with garbage from a disk that lost power.
    void linesOfDeadWorkersAreSettled()
    {
        {
            ShardBook book(folder(), {1, 1});
            book.settle(m_items);
            captionWhole(book, m_items[0]);
            book.add(done(m_items[1]));
            AppendFile(book.reportPath()).append("\x01\x02\n[1]\n{\"recording\":7,\"transcript\":\"a.wav.txt\"}\n{\"recording\":\"c.w");
        }
        ShardBook book(folder(), {1, 1});
        QVERIFY(book.wasBegun());
        book.settle(m_items);
        QCOMPARE(linesOf(book.reportPath()).size(), std::size_t{1});
        captionWhole(book, m_items[1]);
        captionWhole(book, m_items[2]);
        QCOMPARE(linesOf(book.reportPath()).size(), std::size_t{3});
    }

    void errorsAreTriedAgainByWhoeverHasThem()
    {
        {
            ShardBook book(folder(), {1, 1});
            book.settle(m_items);
            book.add(broken(m_items[0]));
            book.add(broken(m_items[1]));
            book.add(done(m_items[2]));
        }
        // The same archive in two shards: the first has a and c.
        ShardBook book(folder(), {1, 2});
        book.settle(itemsOf(m_items, {1, 2}));
        const auto lines = linesOf(folder() / "report-1-of-1.jsonl");
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0]["recording"], "b.wav");
    }

    void whatEndedAWorkerComesLast()
    {
        {
            ShardBook book(folder(), {1, 1});
            book.settle(m_items);
            book.begin(m_items[0]);
        }
        ShardBook book(folder(), {1, 1});
        book.settle(m_items);
        QCOMPARE(book.inOrder(m_items), (std::vector<ArchiveItem>{m_items[1], m_items[2], m_items[0]}));
        book.close();
        QCOMPARE(book.inOrder(m_items), m_items);
    }
};

QTEST_GUILESS_MAIN(ArchiveTest)
#include "tst_archive.moc"
