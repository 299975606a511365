// Keeps a run's journal without anybody waiting for the disk: sound is queued and written by a thread of its own, which also makes
// everything durable once a second. Committed items are handed to the system before appendItems() returns, so that what the
// outside was told survives the death of the process.
//
// Thread: any. Errors: none thrown; the first trouble is told once through `on_trouble` (from whichever thread met it), and the run
// goes on: without sound when the sound could not be written, without journal when the items could not.
#pragma once

#include <condition_variable>
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

#include "core/engine/journal.h"

namespace braid::engine {

class JournalThread {
  public:
    JournalThread(std::filesystem::path parent, std::function<void(std::string sentence)> on_trouble);
    ~JournalThread();
    JournalThread(const JournalThread &) = delete;
    JournalThread &operator=(const JournalThread &) = delete;

    // Makes the journal (on its thread). Before this, nothing else has an effect.
    void begin(JournalInfo info);
    void describePolicy(std::string policy);
    void postSound(std::span<const float> sound);
    void postSilence(Sample length_samples);
    // Blocks while more than a few seconds of disk work wait: only for sources that can wait.
    void waitForRoom();
    void appendItems(std::span<const text::TranscriptItem> items);
    // A clean end: writes what waits, closes. Nothing has an effect afterwards.
    void finish();
    // Empty until the journal is there, and when it could not be made.
    [[nodiscard]] std::filesystem::path folder() const;

  private:
    struct Silence {
        Sample length_samples = 0;
    };
    using Work = std::variant<std::vector<float>, Silence, std::string>;  // sound, silence, the policy's name
    enum class Phase : std::uint8_t { Idle = 1, Making, Open, Closed };

    void run(const JournalInfo &info);
    void write(Work &work);
    void post(Work work, Sample samples);
    void trouble(const std::string &sentence);
    void loseSound(const std::string &sentence);

    const std::filesystem::path m_parent;
    const std::function<void(std::string)> m_on_trouble;
    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    Phase m_phase = Phase::Idle;
    std::deque<Work> m_work;
    Sample m_waiting_samples = 0;
    bool m_finishing = false;
    bool m_keeps_sound = true;
    bool m_keeps_items = true;
    bool m_told = false;
    std::unique_ptr<JournalWriter> m_writer;  // made under m_mutex; sound side: the thread's; items side: m_items_mutex
    std::mutex m_items_mutex;
    std::thread m_thread;
};

}  // namespace braid::engine
