// `braid-cli caption --list`: one worker's shard of an archive of recordings (docs/archives.md).
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/cli/archive_plan.h"
#include "app/cli/captioning.h"
#include "app/cli/commands.h"
#include "app/cli/harmless.h"
#include "app/cli/shard_book.h"
#include "app/cli/transcript_claim.h"
#include "core/base/error.h"
#include "core/base/file.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;

// As sysexits.h has it: the same command, said again later, does the rest.
constexpr int kNotFinished = 75;

struct Tally {
    int captioned = 0;
    int were_done = 0;
    int elsewhere = 0;
    int failed = 0;
};

// Where it is the recording's fault, the others still have their turn; a model, a disk or a device that is missing would fail them all.
bool isOfTheRecording(ErrorKind kind)
{
    return kind == ErrorKind::Input || kind == ErrorKind::Internal;
}

class ArchiveWorker {
  public:
    ArchiveWorker(const CaptionOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
        : m_options(options)
        , m_access(access)
        , m_interrupts(interrupts)
    {
    }

    [[nodiscard]] int run()
    {
        const auto items = itemsOf(archiveItems(readTextFile(m_options.archive->list), m_options.out, extensionOf(m_options.format)), m_options.archive->shard);
        std::error_code problem;
        fs::create_directories(m_options.out, problem);
        if (problem) {
            throw Error(ErrorKind::Storage, "cannot be made: " + problem.message(), m_options.out.string(), "Choose another folder with --out");
        }
        ShardBook book(m_options.out, m_options.archive->shard);
        if (!book.isMine()) {
            std::fprintf(stderr, "braid-cli: another worker has shard %s in %s. Wait for it, or take another shard.\n", shardName().c_str(),
                         harmless(m_options.out.string()).c_str());
            return kNotFinished;
        }
        requireFresh(book, items);
        book.settle(items);
        for (const ArchiveItem &item : book.inOrder(items)) {
            if (m_interrupts.count() > 0 || !work(item, book)) {
                break;
            }
        }
        return finish(book, items.size());
    }

  private:
    [[nodiscard]] std::string shardName() const
    {
        return std::to_string(m_options.archive->shard.number) + "/" + std::to_string(m_options.archive->shard.count);
    }

    // What was done before is gone on with only where that was asked for.
    void requireFresh(const ShardBook &book, const std::vector<ArchiveItem> &items) const
    {
        if (m_options.archive->earlier == EarlierWork::GoneOnWith) {
            return;
        }
        std::error_code problem;
        const auto refuse = [](const fs::path &file) {
            throw Error(ErrorKind::Usage, "this shard was begun before", file.string(), "Say --resume to go on with it, or choose another folder with --out");
        };
        if (book.wasBegun()) {
            refuse(book.reportPath());
        }
        for (const ArchiveItem &item : items) {
            if (fs::exists(m_options.out / item.transcript, problem)) {
                refuse(m_options.out / item.transcript);
            }
        }
    }

    // False: nothing further can be done.
    [[nodiscard]] bool work(const ArchiveItem &item, ShardBook &book)
    {
        std::error_code problem;
        if (fs::exists(m_options.out / item.transcript, problem)) {
            ++m_tally.were_done;
            return true;
        }
        ReportLine line;
        line.item = item;
        try {
            TranscriptClaim claim(m_options.out / item.transcript);
            if (claim.state() != ClaimState::Mine) {
                ++(claim.state() == ClaimState::Done ? m_tally.were_done : m_tally.elsewhere);
                return true;
            }
            book.begin(item);
            if (!caption(claim, line)) {
                return false;
            }
            line.has_transcript = true;
            claim.sync();
            book.add(line);
            claim.publish();
            ++m_tally.captioned;
            return true;
        } catch (const Error &error) {
            if (!isOfTheRecording(error.kind())) {
                throw;
            }
            line.errors.emplace_back(error.what());
        }
        std::fprintf(stderr, "braid-cli: %s\n", harmless(line.errors.back()).c_str());
        book.add(line);
        ++m_tally.failed;
        return true;
    }

    // False: somebody asked for the end, and what there is of the transcript goes. Throws what the recording failed with.
    [[nodiscard]] bool caption(const TranscriptClaim &claim, ReportLine &line)
    {
        if (m_captioning == nullptr) {
            m_captioning = std::make_unique<Captioning>(m_options, m_access, m_interrupts);
        }
        m_captioning->say(line.item.recording.string());
        audio::SourceSpec source;
        source.kind = audio::SourceKind::File;
        source.path = line.item.recording;
        source.pace = audio::Pace::Fast;
        const auto began = std::chrono::steady_clock::now();
        Captioned captioned = m_captioning->caption(source, claim.draft(), OnInterrupt::Abandon);
        if (m_interrupts.count() > 0) {
            return false;
        }
        line.took_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        line.sound_s = secondsFromSamples(captioned.numbers.heard_samples);
        line.words = captioned.numbers.committed_words;
        line.errors = std::move(captioned.notices);
        if (captioned.failure) {
            throw *captioned.failure;
        }
        return true;
    }

    [[nodiscard]] int finish(ShardBook &book, std::size_t recordings)
    {
        if (m_options.loudness == Loudness::Normal) {
            std::fprintf(stderr, "braid: shard %s: %d captioned, %d were done, %d by other workers, %d with errors, of %zu. %s\n", shardName().c_str(),
                         m_tally.captioned, m_tally.were_done, m_tally.elsewhere, m_tally.failed, recordings, harmless(book.reportPath().string()).c_str());
        }
        const auto seen = static_cast<std::size_t>(m_tally.captioned + m_tally.were_done + m_tally.failed);
        if (seen < recordings) {
            return kNotFinished;
        }
        book.close();
        return m_tally.failed > 0 ? exitCodeFor(ErrorKind::Input) : 0;
    }

    const CaptionOptions &m_options;
    const models::ModelAccess &m_access;
    Interrupts &m_interrupts;
    std::unique_ptr<Captioning> m_captioning;  // made for the first recording that is left to do
    Tally m_tally;
};

}  // namespace

int runCaptionArchive(const CaptionOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
{
    return ArchiveWorker(options, access, interrupts).run();
}

}  // namespace braid::cli
