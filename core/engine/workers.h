// The worker threads of one engine: the present run and those before it that are ending. `Work` is what a run's thread and the engine share; it has a
// DoneFlag `done`. Thread: the owner's. The destructor waits for all; nothing else waits.
#pragma once

#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/done_flag.h"

namespace braid::engine {

template <typename Work>
class Workers {
  public:
    Workers() = default;
    Workers(const Workers &) = delete;
    Workers &operator=(const Workers &) = delete;
    ~Workers()
    {
        for (Worker &worker : m_workers) {
            worker.thread.join();
        }
    }

    // The newest; null before the first.
    [[nodiscard]] Work *present() const { return m_workers.empty() ? nullptr : m_workers.back().work.get(); }
    // `body` runs on a thread of its own once the run before is over, which may still hold the model.
    template <typename Body>
    void start(std::shared_ptr<Work> work, Body body)
    {
        joinEnded();
        const auto previous = m_workers.empty() ? nullptr : m_workers.back().work;
        std::thread thread([work, previous, body] {
            if (previous) {
                previous->done.wait();
            }
            body(*work);
            work->done.set();
        });
        m_workers.push_back({std::move(work), std::move(thread)});
    }

  private:
    struct Worker {
        std::shared_ptr<Work> work;
        std::thread thread;
    };
    // All but the newest, whose snapshot may still be looked at.
    void joinEnded()
    {
        std::erase_if(m_workers, [this](Worker &old) {
            if (&old == &m_workers.back() || !old.work->done.waitFor({})) {
                return false;
            }
            old.thread.join();
            return true;
        });
    }

    std::vector<Worker> m_workers;  // the present run last
};

}  // namespace braid::engine
