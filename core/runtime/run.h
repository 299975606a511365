// A run of an engine, of whatever kind: a worker thread that owns model and session, lossless events, the newest snapshot, a journal, and one way to end.
// Captions, translations and conversations derive from Run and add what is their own: their commands, the pump.
//
// Thread: Run: any, where nothing else is said; shared by the engine, the worker and whoever works for it. Runs: the owner's; only present() may be called from
// any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/runtime/done_flag.h"
#include "core/runtime/event_queue.h"
#include "core/runtime/failure.h"
#include "core/runtime/loading_text.h"
#include "core/runtime/run_events.h"
#include "core/runtime/run_journal.h"

namespace braid::runtime {

// `RunEvent` is a struct of `generation` and `body`, a variant with Notice and Failed in it; `RunBoard` is a Latest, or derived from one.
template <typename RunEvent, typename RunBoard>
class Run {
  public:
    using Event = RunEvent;
    using Body = decltype(Event::body);
    using Board = RunBoard;
    using State = typename Board::State;

    // `journal_folder`, `what`: see RunJournal.
    Run(std::uint64_t run_generation, std::shared_ptr<EventQueue<Event>> event_queue, const std::filesystem::path &journal_folder, std::string what)
        : generation(run_generation)
        , board(run_generation)
        , m_events(std::move(event_queue))
        , journal(journal_folder, std::move(what), [this](std::string sentence) { notice(std::move(sentence)); })
    {
    }
    Run(const Run &) = delete;
    Run &operator=(const Run &) = delete;

    const std::uint64_t generation;
    Board board;
    std::stop_source cancel;  // what is being done is given up; a failure after it is none
    DoneFlag over;            // the last event is out and the model is let go: the next run may begin
    DoneFlag left;            // its thread is at its end

    void show(State state, std::string activity, double loading_fraction = 0)
    {
        board.change([&](auto &now) {
            now.state = state;
            now.activity = std::move(activity);
            now.loading_fraction = loading_fraction;
        });
    }
    // "loading captions-en: opening (40 %)"
    void showLoading(const std::string &what, double fraction, const std::string &detail)
    {
        board.change([&](auto &now) {
            now.activity = loadingText(what, fraction, detail);
            now.loading_fraction = fraction;
        });
    }

    // The first event; once, by the worker.
    void publishStarted(Body started)
    {
        const std::lock_guard lock(m_mutex);
        m_events->publish(generation, std::move(started));
        releaseNotices();
    }
    // The worker's own events, between the first and the last.
    void publish(Body event) { m_events->publish(generation, std::move(event)); }
    // Waits for the first event where it comes before it, and is not told after the last.
    void notice(std::string sentence)
    {
        const std::lock_guard lock(m_mutex);
        if (m_phase == Phase::BeforeStart) {
            m_held_notices.push_back(std::move(sentence));
        } else if (m_phase == Phase::Going) {
            m_events->publish(generation, Notice{std::move(sentence)});
        }
    }
    // The end, by the worker: the journal is closed, then Failed is told, where there was a failure, then `last`.
    void end(std::optional<RunFailure> failure, Body last)
    {
        journal.finish();
        if (failure && (cancel.stop_requested() || failure->kind == ErrorKind::Cancelled)) {
            failure.reset();
        }
        const std::lock_guard lock(m_mutex);
        releaseNotices();
        m_phase = Phase::Ended;
        show(failure ? State::Failed : State::Finished, failure ? failure->sentence : "finished");
        if (failure) {
            m_events->publish(generation, Failed{failure->kind, failure->sentence});
        }
        m_events->publishLast(generation, std::move(last));
    }

  private:
    enum class Phase : std::uint8_t { BeforeStart = 1, Going, Ended };

    // Call with m_mutex held.
    void releaseNotices()
    {
        m_phase = Phase::Going;
        for (std::string &sentence : std::exchange(m_held_notices, {})) {
            m_events->publish(generation, Notice{std::move(sentence)});
        }
    }

    const std::shared_ptr<EventQueue<Event>> m_events;
    std::mutex m_mutex;
    Phase m_phase = Phase::BeforeStart;
    std::vector<std::string> m_held_notices;

  public:
    RunJournal journal;  // the last: its troubles are notices
};

// What `act` threw, as people are told; `where` begins the sentence of what brings none ("The model").
template <typename Act>
[[nodiscard]] std::optional<RunFailure> failureOf(const char *where, const Act &act)
{
    try {
        act();
        return std::nullopt;
    } catch (...) {
        return describeException(where);
    }
}

// The runs of one engine: the present one and those before it that are ending. `Work` derives from Run. The destructor waits for all; nothing else waits.
template <typename Work>
class Runs {
  public:
    using Event = typename Work::Event;
    using SnapshotPointer = decltype(std::declval<typename Work::Board &>().look());

    Runs() = default;
    Runs(const Runs &) = delete;
    Runs &operator=(const Runs &) = delete;
    ~Runs()
    {
        for (Worker &worker : m_workers) {
            worker.thread.join();
        }
    }

    // A run to be started. The one before has been told to end.
    template <typename Config>
    [[nodiscard]] std::shared_ptr<Work> make(Config config)
    {
        const auto previous = present();
        auto work = std::make_shared<Work>(++m_generation, std::move(config), m_events);
        work->show(Work::State::Loading, previous && !previous->over.waitFor({}) ? "ending the run before" : "starting");
        return work;
    }
    // `lead` runs on a thread of its own once the run before is over, which may still hold the model. It throws nothing.
    template <typename Lead>
    void start(const std::shared_ptr<Work> &work, Lead lead)
    {
        joinEnded();
        const auto previous = present();
        std::thread thread([work, previous, lead] {
            if (previous) {
                previous->over.wait();
            }
            lead(*work);
            work->over.set();
            work->left.set();
        });
        const std::lock_guard lock(m_mutex);
        m_workers.push_back({work, std::move(thread)});
    }

    // The newest; null before the first.
    [[nodiscard]] std::shared_ptr<Work> present() const
    {
        const std::lock_guard lock(m_mutex);
        return m_workers.empty() ? nullptr : m_workers.back().work;
    }
    [[nodiscard]] std::vector<Event> takeEvents() { return m_events->take(); }
    // Never null.
    [[nodiscard]] SnapshotPointer snapshot() const
    {
        const auto work = present();
        return work ? work->board.look() : m_idle;
    }
    [[nodiscard]] bool waitUntilFinished(std::optional<double> seconds)
    {
        const auto work = present();
        return !work || m_events->waitUntilFinished(work->generation, seconds);
    }

  private:
    struct Worker {
        std::shared_ptr<Work> work;
        std::thread thread;
    };
    // All but the newest, whose snapshot may still be looked at.
    void joinEnded()
    {
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_workers, [this](Worker &old) {
            if (&old == &m_workers.back() || !old.work->left.waitFor({})) {
                return false;
            }
            old.thread.join();
            return true;
        });
    }

    std::uint64_t m_generation = 0;
    const std::shared_ptr<EventQueue<Event>> m_events = std::make_shared<EventQueue<Event>>();
    const SnapshotPointer m_idle = std::make_shared<typename SnapshotPointer::element_type>();
    mutable std::mutex m_mutex;     // of the list, for present()
    std::vector<Worker> m_workers;  // the present run last
};

}  // namespace braid::runtime
