// A model being fetched on a thread of its own, with what to show of it. Thread: made, asked and ended by one owner; ending it stops the fetch and waits
// for its thread, which is within a second.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/error.h"
#include "core/fetch/fetch_model.h"

namespace braid::fetch {

enum class JobState : std::uint8_t { Running = 1, Done, Failed, Cancelled };

struct JobLook {
    JobState state = JobState::Running;
    FetchProgress progress;
    double bytes_per_s = 0;             // of the last seconds; 0: not known yet
    double seconds_left = -1;           // below 0: not known
    std::filesystem::path path;         // Done: where the model lies
    std::string problem;                // Failed: a sentence
    ErrorKind kind = ErrorKind::Input;  // of it
};

// "12.0 MB of 75.6 MB, 3.1 MB/s, 21 s left".
[[nodiscard]] std::string progressText(const JobLook &look);

// The rate of what comes, over the last seconds: bytes that were here already do not count. Thread: one.
class RateMeter {
  public:
    using Clock = std::chrono::steady_clock;
    // Bytes done so far, at `now`. Returns bytes a second; 0 where too little was seen.
    double add(std::uint64_t done_bytes, Clock::time_point now);

  private:
    struct Mark {
        Clock::time_point at;
        std::uint64_t bytes;
    };
    std::vector<Mark> m_marks;
};

class FetchJob {
  public:
    FetchJob(CatalogueEntry entry, FetchOptions options);
    ~FetchJob();
    FetchJob(const FetchJob &) = delete;
    FetchJob &operator=(const FetchJob &) = delete;

    [[nodiscard]] const std::string &name() const noexcept { return m_entry.name; }
    [[nodiscard]] JobLook look() const;
    // What came so far is kept.
    void cancel() { m_thread.request_stop(); }

  private:
    void run(const std::stop_token &stop);
    void take(const FetchProgress &progress);

    const CatalogueEntry m_entry;
    const FetchOptions m_options;
    mutable std::mutex m_mutex;
    JobLook m_look;
    RateMeter m_rate;
    std::jthread m_thread;  // last: it uses all of the above
};

}  // namespace braid::fetch
