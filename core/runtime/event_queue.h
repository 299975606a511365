// The lossless outlet of an engine (design: "Threads"): events of all its runs, in the order they were published. `Event` is a struct of
// `generation` (the run it belongs to) and `body`. Thread: any; one mutex, held only to swap or add, never while computing.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace braid::runtime {

template <typename Event>
class EventQueue {
  public:
    using Body = decltype(Event::body);

    void publish(std::uint64_t generation, Body body)
    {
        const std::lock_guard lock(m_mutex);
        m_events.push_back({generation, std::move(body)});
    }
    // The last event of its run.
    void publishLast(std::uint64_t generation, Body body)
    {
        const std::lock_guard lock(m_mutex);
        m_events.push_back({generation, std::move(body)});
        m_finished_generation = std::max(m_finished_generation, generation);
        m_finished_changed.notify_all();
    }
    [[nodiscard]] std::vector<Event> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_events, {});
    }
    // True once the last event of this run (or of a later one) was published.
    [[nodiscard]] bool waitUntilFinished(std::uint64_t generation, std::optional<double> seconds)
    {
        std::unique_lock lock(m_mutex);
        const auto over = [&] { return m_finished_generation >= generation; };
        if (!seconds) {
            m_finished_changed.wait(lock, over);
            return true;
        }
        return m_finished_changed.wait_for(lock, std::chrono::duration<double>(*seconds), over);
    }

  private:
    std::mutex m_mutex;
    std::condition_variable m_finished_changed;
    std::vector<Event> m_events;
    std::uint64_t m_finished_generation = 0;
};

}  // namespace braid::runtime
