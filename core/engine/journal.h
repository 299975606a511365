// The journal of a run: everything committed and everything heard, on disk within a second, recovered after a crash.
//
// A journal is a folder:
//   session.json   what it is: format version, when started, source, model, policy (written once, atomically)
//   sound.wav      16 kHz mono 16 bit PCM, appended; the sizes in its header are set on a clean end and ignored on recovery
//   events.jsonl   one JSON object per line, appended and flushed: commit, line break, gap, finished
// A torn last line or sample is passed over on recovery; nothing is deleted. docs/formats.md has every field.
// Thread: one writer; its appendItems() may be called from another thread than the rest. Errors: Error(Storage) when the disk does not take it; the run goes on without journal and says so.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/engine/journal_files.h"
#include "core/text/transcript.h"

namespace braid::engine {

struct JournalInfo {
    std::string started_at;  // ISO 8601, UTC
    std::string source;
    std::string model;
    std::string policy;
};

struct RecoveredJournal {
    std::filesystem::path folder;
    JournalInfo info;
    JournalState state = JournalState::Interrupted;
    text::Transcript transcript;
    Sample sound_samples = 0;
};

class JournalWriter {
  public:
    // Makes `parent`/YYYYMMDD-HHMMSS-NNN and its files.
    JournalWriter(const std::filesystem::path &parent, const JournalInfo &info);
    ~JournalWriter();
    JournalWriter(const JournalWriter &) = delete;
    JournalWriter &operator=(const JournalWriter &) = delete;

    // The policy is known only when the model is loaded: rewrites session.json as a whole.
    void describePolicy(const std::string &policy);
    void appendSound(std::span<const float> sound);
    // Handed to the system before it returns: what was appended survives the death of the process.
    void appendItems(std::span<const text::TranscriptItem> items);
    // Makes what was appended durable; call about once a second.
    void sync();
    // A clean end: header sizes, the "finished" line.
    void finish();
    [[nodiscard]] const std::filesystem::path &folder() const noexcept { return m_folder; }

  private:
    std::filesystem::path m_folder;
    JournalInfo m_info;
    AppendFile m_sound;
    AppendFile m_events;
    std::unique_ptr<JournalLock> m_lock;
    std::string m_pcm;
};

// Reads a journal folder, whole or torn. Throws Error(Input) only when it is no journal at all.
[[nodiscard]] RecoveredJournal readJournal(const std::filesystem::path &folder);
// Journals under `parent` whose run did not end cleanly, newest first; unreadable ones, and those a running Braid is writing, are left out.
[[nodiscard]] std::vector<RecoveredJournal> findInterruptedJournals(const std::filesystem::path &parent);
// Marks it as dealt with, so that it is not offered again. Nothing is deleted.
void settleJournal(const std::filesystem::path &folder);
// Sound of a journal from `start`; shorter at the end.
[[nodiscard]] std::vector<float> readJournalSound(const std::filesystem::path &folder, Sample start, Sample length);

}  // namespace braid::engine
