// The journal of a run of any kind: everything it tells and, of captions, everything it heard, on disk within a second, recovered after a crash.
//
// A journal is a folder with one file of lines, run.jsonl: a line that says what it is, a line for every event, a last one that says it is over; beside it
// the sound of captions (journal_sound.h). Lines are handed to the system before anybody is told of their event, so that they survive the death of the
// process; a thread of its own writes the sound and makes everything durable once a second. run_journal_reader.h reads it; docs/formats.md has every field.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "core/base/file.h"
#include "core/base/file_lock.h"
#include "core/runtime/journal_files.h"
#include "core/runtime/journal_room.h"
#include "core/runtime/journal_sound.h"

namespace braid::runtime {

// Words come before sound: below a little room on the disk no sound is written, and some of it is set aside for lines alone. What finds no room waits (lines)
// or is left out and silence stands for it (sound) until there is room again.
//
// Thread: append() and finish(): the run's worker; everything else: any. Errors: none thrown; every loss, and its end, is told through `on_trouble` (from
// whichever thread met it), and the run goes on.
class RunJournal {
  public:
    // `parent` empty: nothing is kept and nothing has an effect. `what` begins its sentences: "This conversation".
    // `free_bytes`: of the disk.
    RunJournal(std::filesystem::path parent, std::string what, std::function<void(std::string sentence)> on_trouble, FreeBytes free_bytes = freeBytesUnder);
    ~RunJournal();
    RunJournal(const RunJournal &) = delete;
    RunJournal &operator=(const RunJournal &) = delete;

    // Has the journal made, by its thread. `conversation`: its head as JSON (streams::conversationHead()); else empty. Before this, nothing has an effect.
    void begin(RunJournalInfo info, std::string conversation = {});
    // Whether appending has an effect.
    [[nodiscard]] bool keeps() const noexcept { return m_keeps; }
    // One event, as JSON without a line feed. Handed to the system before it returns.
    void append(std::string line);

    // --- captions
    void postSound(std::span<const float> sound);
    void postSilence(Sample length_samples);
    // Blocks while more than a few seconds of disk work wait: only for sources that can wait.
    void waitForRoom();

    // A clean end: writes what waits, closes. Nothing has an effect afterwards.
    void finish();
    // Empty until the journal is there, and when it could not be made.
    [[nodiscard]] std::filesystem::path folder() const;

  private:
    struct Silence {
        Sample length_samples = 0;
    };
    using Sound = std::variant<std::vector<float>, Silence>;
    enum class Phase : std::uint8_t { Idle = 1, Making, Open, Closed };

    void run(const RunJournalInfo &info, const std::string &conversation);
    [[nodiscard]] bool make(const RunJournalInfo &info, const std::string &conversation);
    void write(const std::deque<Sound> &sound);
    void makeDurable();
    void close();
    void post(Sound sound, Sample samples);
    void appendWaiting();
    void writePiece(const Sound &piece);
    [[nodiscard]] bool hasRoomForSound() const;
    void holdSoundBack(const std::string &why);
    void resumeSound();
    void loseLines(const std::string &sentence);
    void loseSound(const std::string &sentence);

    const std::filesystem::path m_parent;
    const std::string m_what;
    const std::function<void(std::string)> m_on_trouble;
    const FreeBytes m_free_bytes;
    std::atomic<bool> m_keeps = false;  // what it was told; cleared where that is of no use any more
    std::atomic<bool> m_keeps_sound = false;
    std::atomic<bool> m_has_news = false;  // appended and not yet durable
    mutable std::mutex m_mutex;            // of all up to the thread
    std::condition_variable m_changed;
    Phase m_phase = Phase::Idle;
    std::filesystem::path m_folder;
    std::deque<Sound> m_waiting;
    Sample m_waiting_samples = 0;
    bool m_finishing = false;
    std::thread m_thread;
    std::mutex m_lines_mutex;             // of the next four
    std::optional<AppendFile> m_lines;    // made by the thread; appended to by the worker and, late, by the thread, which makes it durable
    std::deque<std::string> m_unwritten;  // lines that found no room
    std::size_t m_unwritten_bytes = 0;
    std::int64_t m_reserved_to = 0;       // bytes of the file of lines that the disk has set aside
    std::optional<JournalSound> m_sound;  // the thread's
    bool m_sound_has_room = true;         // the thread's
    Sample m_left_out_samples = 0;        // the thread's: since there was no room
    std::unique_ptr<FileLock> m_lock;     // the thread's
};

}  // namespace braid::runtime
