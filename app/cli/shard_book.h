// What a worker writes down about its shard of an archive, in the archive's folder:
//   report-3-of-16.jsonl   a line of JSON for each recording that has a transcript or an error (docs/archives.md)
//   .shard-3-of-16         locked by the worker that has the shard; the recordings that were begun
// A line is written before its transcript appears. A worker that is killed between the two leaves a line without a transcript, and the next one takes that
// away: so each transcript has its line, and one alone.
// Thread: main. Errors: Error(Storage).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/archive_plan.h"
#include "core/base/file.h"
#include "core/base/file_lock.h"

namespace braid::cli {

// What became of one recording.
struct ReportLine {
    ArchiveItem item;
    double sound_s = 0;
    std::int64_t words = 0;
    double took_s = 0;  // by the clock on the wall
    std::vector<std::string> errors;
    bool has_transcript = false;
};

class ShardBook {
  public:
    // Takes the shard, if nobody else has it.
    ShardBook(std::filesystem::path folder, Shard shard);

    [[nodiscard]] bool isMine() const noexcept { return m_is_mine; }
    [[nodiscard]] std::filesystem::path reportPath() const;
    // Whether a worker has been at this shard before.
    [[nodiscard]] bool wasBegun() const;

    // Puts the reports in order that killed workers left: this shard's, and those of the same archive cut into other shards. Errors of `mine` are
    // forgotten, since they are tried again. Then opens this shard's report.
    void settle(const std::vector<ArchiveItem> &mine);
    // `items`, those last at which earlier workers ended: what kills every worker keeps none of the others waiting.
    [[nodiscard]] std::vector<ArchiveItem> inOrder(std::vector<ArchiveItem> items) const;

    void begin(const ArchiveItem &item);
    // Returns when the disk has the line.
    void add(const ReportLine &line);
    // Nothing of the shard is left to do: what was begun is forgotten.
    void close();

  private:
    [[nodiscard]] std::filesystem::path diaryPath() const;

    std::filesystem::path m_folder;
    Shard m_shard;
    FileLock m_lock;
    bool m_is_mine;
    std::optional<AppendFile> m_report;
};

}  // namespace braid::cli
