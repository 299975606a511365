// The journal of a conversation in parallel streams or of a translation: everything the run tells, on disk within a second, recovered after a crash.
//
// A journal is a folder with one file, run.jsonl: a line that says what it is, a line for every event, a last one that says it is over. Lines are
// handed to the system before anybody is told of their event, so that they survive the death of the process; a thread of its own makes them durable
// once a second. A torn last line is passed over on recovery; nothing is deleted. docs/formats.md has every field.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/base/file.h"
#include "core/engine/journal_files.h"

namespace braid::engine {

enum class RunKind : std::uint8_t { Conversation = 1, Translation };

struct RunJournalInfo {
    RunKind kind = RunKind::Conversation;
    std::string started_at;  // ISO 8601, UTC
    std::string source;      // the layout's name; "typed text", "talk.txt"
    std::string model;       // "streams-en"; what translates
};

// Thread: the run's worker. Errors: none thrown; the first trouble is told once through `on_trouble` (from whichever thread met it), and the run goes on
// without its journal.
class RunJournal {
  public:
    // `parent` empty: nothing is kept and nothing has an effect. `what` begins its sentences: "This conversation".
    RunJournal(std::filesystem::path parent, std::string what, std::function<void(std::string sentence)> on_trouble);
    ~RunJournal();
    RunJournal(const RunJournal &) = delete;
    RunJournal &operator=(const RunJournal &) = delete;

    // Makes the journal. `conversation`: its head as JSON (streams::conversationHead()); empty for a translation. Before this, nothing has an effect.
    void begin(RunJournalInfo info, std::string_view conversation = {});
    // Whether appending has an effect.
    [[nodiscard]] bool keeps() const noexcept { return m_keeps; }
    // One event, as JSON without a line feed. Handed to the system before it returns.
    void append(std::string line);
    // A clean end. Nothing has an effect afterwards.
    void finish();

  private:
    template <typename Act>
    void attempt(const char *sentence, const Act &act);
    void keepDurable(const std::stop_token &stop);

    const std::filesystem::path m_parent;
    const std::string m_what;
    const std::function<void(std::string)> m_on_trouble;
    std::atomic<bool> m_keeps = false;        // what it was told; cleared by the first trouble
    std::atomic<bool> m_has_news = false;     // appended and not yet durable
    std::optional<AppendFile> m_file;         // sync() from the thread below, everything else from the worker
    std::unique_ptr<JournalLock> m_lock;
    std::mutex m_mutex;                       // of the wait alone
    std::condition_variable_any m_wake;
    std::jthread m_thread;
};

// A journal being read. Files may come from strangers: bounded, and nothing in them is trusted.
class RunJournalReader {
  public:
    // Throws Error(Input) where `folder` holds no journal of this kind. Of one that is larger than 256 MiB (many hours), that much is read.
    explicit RunJournalReader(const std::filesystem::path &folder);

    [[nodiscard]] const RunJournalInfo &info() const noexcept { return m_info; }
    // The head of the conversation, as JSON; empty for a translation.
    [[nodiscard]] const std::string &conversation() const noexcept { return m_conversation; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_events.find('\n') == std::string_view::npos; }
    // Every whole line of an event, in order. `use` throws Error at what makes no sense: that line alone is passed over.
    [[nodiscard]] JournalState forEachEvent(const std::function<void(std::string_view line)> &use) const;

  private:
    MappedFile m_file;
    std::string_view m_events;  // in it
    RunJournalInfo m_info;
    std::string m_conversation;
};

struct InterruptedRun {
    std::filesystem::path folder;
    RunJournalInfo info;
};

// Whether `folder` holds such a journal, by the name of its file alone.
[[nodiscard]] bool isRunJournal(const std::filesystem::path &folder);
// Journals under `parent` whose run told something and did not end cleanly, newest first; unreadable ones, and those a running Braid is writing, are left out.
[[nodiscard]] std::vector<InterruptedRun> findInterruptedRuns(const std::filesystem::path &parent);
// Marks it as dealt with, so that it is not offered again. Nothing is deleted.
void settleRun(const std::filesystem::path &folder);

}  // namespace braid::engine
