// Set once, waited for by anybody. Thread: any.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace braid::runtime {

class DoneFlag {
  public:
    void set()
    {
        const std::lock_guard lock(m_mutex);
        m_done = true;
        m_changed.notify_all();
    }
    void wait()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_done; });
    }
    [[nodiscard]] bool waitFor(std::chrono::milliseconds time)
    {
        std::unique_lock lock(m_mutex);
        return m_changed.wait_for(lock, time, [this] { return m_done; });
    }

  private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_done = false;
};

}  // namespace braid::runtime
