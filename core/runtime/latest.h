// The latest-wins outlet of a run (design: "Threads"): one snapshot, changed by the run, looked at by its owner. `Snapshot` has `generation`, `state`,
// `activity` and `loading_fraction`, and is copied only where somebody looks. Thread: any; one mutex, held to copy small things, never while computing.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>

namespace braid::runtime {

template <typename Snapshot>
class Latest {
  public:
    using State = decltype(Snapshot::state);

    explicit Latest(std::uint64_t generation) { m_now.generation = generation; }

    // `change` is called with the snapshot to change; short.
    template <typename Change>
    void change(const Change &change)
    {
        const std::lock_guard lock(m_mutex);
        change(m_now);
        m_given.reset();
    }
    // Never null.
    [[nodiscard]] std::shared_ptr<const Snapshot> look()
    {
        return look([](Snapshot &) { return false; });
    }
    // `revise` is called with the snapshot first; true: it changed it.
    template <typename Revise>
    [[nodiscard]] std::shared_ptr<const Snapshot> look(const Revise &revise)
    {
        const std::lock_guard lock(m_mutex);
        if (revise(m_now) || !m_given) {
            m_given = std::make_shared<const Snapshot>(m_now);
        }
        return m_given;
    }

  private:
    std::mutex m_mutex;
    Snapshot m_now;
    std::shared_ptr<const Snapshot> m_given;  // null when out of date
};

}  // namespace braid::runtime
