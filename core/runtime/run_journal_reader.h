// Journals being found and read. Those of captions as Braid wrote them before they had the one format (session.json and events.jsonl) are read as if they had
// it. Files may come from strangers: bounded, and nothing in them is trusted. Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/runtime/journal_files.h"

namespace braid::runtime {

class RunJournalReader {
  public:
    // Throws Error(Input) where `folder` holds no journal. Its events are read as they are asked for, however large it is.
    explicit RunJournalReader(const std::filesystem::path &folder);
    // As well where it is of another kind.
    RunJournalReader(const std::filesystem::path &folder, RunKind kind);

    // `policy` is empty but in old journals: it is among the events.
    [[nodiscard]] const RunJournalInfo &info() const noexcept { return m_info; }
    // The head of a conversation, as JSON; else empty.
    [[nodiscard]] const std::string &conversation() const noexcept { return m_conversation; }
    [[nodiscard]] bool hasEvents() const;
    // Every whole line of an event, in order. `use` throws Error at what makes no sense: that line alone is passed over.
    [[nodiscard]] JournalState forEachEvent(const std::function<void(std::string_view line)> &use) const;

  private:
    enum class Lines : std::uint8_t { Events = 1, Items };  // Items: of an old journal, an item of the transcript each

    void readHead(const std::string &where);

    Lines m_lines;
    std::filesystem::path m_file;
    std::uint64_t m_first_event = 0;  // the byte at which events begin
    RunJournalInfo m_info;
    std::string m_conversation;
};

struct InterruptedRun {
    std::filesystem::path folder;
    RunJournalInfo info;
    Sample sound_samples = 0;  // of captions
};

// Journals under `parent` whose run told or heard something and did not end cleanly, newest first; unreadable ones, and those a running Braid is writing, are
// left out.
[[nodiscard]] std::vector<InterruptedRun> findInterruptedRuns(const std::filesystem::path &parent);
// Throws Error(Input) where the run of this journal still goes on: its writer holds it.
void requireEnded(const std::filesystem::path &folder);
// Marks it as dealt with, so that it is not offered again. Nothing is deleted, and nothing written where its run still goes on. Throws Error(Storage),
// Error(Input).
void settleRun(const std::filesystem::path &folder);
// As well with these events before it, JSON without line feeds each: what became of a run after its end. Throws also Error(Input) for a journal of an older
// Braid.
void appendToEndedRun(const std::filesystem::path &folder, const std::vector<std::string> &events);

}  // namespace braid::runtime
