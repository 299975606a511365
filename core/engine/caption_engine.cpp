#include "core/engine/caption_engine.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/base/log.h"
#include "core/engine/run.h"

namespace braid::engine {
namespace {

std::int64_t steadyMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

// --- Run ------------------------------------------------------------------------------------------------------------------------

Run::Run(std::uint64_t run_generation, CaptionRun run_config, std::shared_ptr<CaptionEvents> event_queue)
    : generation(run_generation)
    , config(std::move(run_config))
    , events(std::move(event_queue))
    , board(run_generation)
{
    if (!config.journal_folder.empty()) {
        journal = std::make_unique<JournalThread>(config.journal_folder, [this](std::string sentence) { notice(std::move(sentence)); });
    }
}

void Run::requestStop()
{
    std::int64_t not_asked = 0;
    m_asked_to_end_ms.compare_exchange_strong(not_asked, steadyMs());
    stop_requested = true;
    feed.release();
}

void Run::requestCancel()
{
    cancel.request_stop();
    stop_loading.request_stop();
    requestStop();
}

bool Run::sourceIsStuck() const
{
    const auto asked_at = m_asked_to_end_ms.load();
    return asked_at != 0 && steadyMs() - asked_at > config.source_patience.count();
}

void Run::notice(std::string sentence)
{
    const std::lock_guard lock(m_notice_mutex);
    if (m_finished) {
        return;  // Finished is the last event of a run
    }
    if (m_started) {
        events->publish(generation, Notice{std::move(sentence)});
    } else {
        m_held_notices.push_back(std::move(sentence));
    }
}

void Run::publishStarted(Started started)
{
    const std::lock_guard lock(m_notice_mutex);
    events->publish(generation, std::move(started));
    releaseNotices();
}

// Call with m_notice_mutex held.
void Run::releaseNotices()
{
    m_started = true;
    for (auto &sentence : std::exchange(m_held_notices, {})) {
        events->publish(generation, Notice{std::move(sentence)});
    }
}

void giveFinished(Run &run, std::optional<RunFailure> failure, Statistics statistics)
{
    const std::lock_guard lock(run.m_notice_mutex);
    run.releaseNotices();
    run.m_finished = true;
    run.board.state(failure ? RunState::Failed : RunState::Finished, failure ? failure->sentence : "finished");
    if (failure) {
        run.events->publish(run.generation, Failed{failure->kind, failure->sentence});
    }
    run.events->publishLast(run.generation, Finished{statistics});
}

std::vector<float> Run::sound(Sample start, Sample length) const
{
    length = std::clamp<Sample>(length, 0, std::max<Sample>(0, store.end() - start));
    if (start < 0 || length == 0) {
        return {};
    }
    std::vector<float> out(static_cast<std::size_t>(length));
    std::size_t done = 0;
    if (const Sample older = std::min(length, store.earliest() - start); older > 0) {
        try {
            const auto folder = journal ? journal->folder() : std::filesystem::path();
            const auto kept = folder.empty() ? std::vector<float>() : readJournalSound(folder, start, older);
            std::copy(kept.begin(), kept.end(), out.begin());
            done = kept.size();
        } catch (const Error &) {
            // Not kept on disk: what memory holds cannot be joined to it.
        }
        if (done < static_cast<std::size_t>(older)) {
            out.resize(done);
            return out;
        }
    }
    done += store.read(start + static_cast<Sample>(done), std::span(out).subspan(done));
    out.resize(done);
    return out;
}

// --- the engine -----------------------------------------------------------------------------------------------------------------

struct CaptionEngine::Impl {
    struct Threads {
        std::shared_ptr<Run> run;
        std::thread pump;
        std::thread worker;
    };

    std::shared_ptr<CaptionEvents> events = std::make_shared<CaptionEvents>();
    std::uint64_t generation = 0;
    std::vector<Threads> threads;  // the present run last; those before it are ending
    std::shared_ptr<const CaptionSnapshot> idle = std::make_shared<const CaptionSnapshot>();

    // The owner's thread alone starts runs, but sound() may be asked from any: the pointer is guarded.
    mutable std::mutex mutex;
    std::shared_ptr<Run> current;

    [[nodiscard]] std::shared_ptr<Run> present() const
    {
        const std::lock_guard lock(mutex);
        return current;
    }

    static void join(Threads &ending)
    {
        ending.worker.join();
        // A source that hangs in the system cannot be ended from outside. Its thread owns all it touches, so it may be left behind.
        if (ending.run->pump_done.waitFor(ending.run->config.source_patience)) {
            ending.pump.join();
        } else {
            spdlog::warn("a source of sound did not answer and was left behind");
            ending.pump.detach();
        }
    }

    // Joins what has ended; never waits.
    void prune()
    {
        std::erase_if(threads, [](Threads &old) {
            if (!old.run->worker_done.waitFor({}) || !old.run->pump_done.waitFor({})) {
                return false;
            }
            join(old);
            return true;
        });
    }
};

CaptionEngine::CaptionEngine()
    : m_impl(std::make_unique<Impl>())
{
}

CaptionEngine::~CaptionEngine()
{
    cancel();
    for (auto &ending : m_impl->threads) {
        Impl::join(ending);
    }
}

std::uint64_t CaptionEngine::start(CaptionRun config)
{
    cancel();
    m_impl->prune();
    // The run before may still hold the microphone and the model: the new threads wait for it, the owner does not.
    const auto previous = m_impl->threads.empty() ? nullptr : m_impl->threads.back().run;
    const auto run = std::make_shared<Run>(++m_impl->generation, std::move(config), m_impl->events);
    run->board.state(RunState::Loading, previous ? "ending the run before" : "starting");
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->current = run;
    }
    Impl::Threads threads{run, {}, {}};
    threads.pump = std::thread([run, previous] {
        if (previous) {
            static_cast<void>(previous->pump_done.waitFor(previous->config.source_patience));
        }
        runPump(*run);
        run->pump_done.set();
    });
    threads.worker = std::thread([run, previous] {
        if (previous) {
            previous->worker_done.wait();
        }
        runWorker(*run);
        run->worker_done.set();
    });
    m_impl->threads.push_back(std::move(threads));
    return run->generation;
}

void CaptionEngine::stop()
{
    if (const auto run = m_impl->present()) {
        run->requestStop();
    }
}

void CaptionEngine::cancel()
{
    if (const auto run = m_impl->present()) {
        run->requestCancel();
    }
}

void CaptionEngine::adjust(const decoding::PolicySettings &settings)
{
    if (const auto run = m_impl->present()) {
        run->policy_changes.adjust(settings);
    }
}

void CaptionEngine::changePolicy(PolicyFactory make_policy)
{
    if (const auto run = m_impl->present()) {
        run->policy_changes.changePolicy(std::move(make_policy));
    }
}

std::vector<CaptionEvent> CaptionEngine::takeEvents()
{
    return m_impl->events->take();
}

std::shared_ptr<const CaptionSnapshot> CaptionEngine::snapshot() const
{
    const auto run = m_impl->present();
    return run ? run->board.look() : m_impl->idle;
}

std::vector<float> CaptionEngine::sound(Sample start, Sample length) const
{
    const auto run = m_impl->present();
    return run ? run->sound(start, length) : std::vector<float>();
}

std::filesystem::path CaptionEngine::journalFolder() const
{
    const auto run = m_impl->present();
    return run && run->journal ? run->journal->folder() : std::filesystem::path();
}

bool CaptionEngine::waitUntilFinished(std::optional<double> seconds)
{
    const auto run = m_impl->present();
    return !run || m_impl->events->waitUntilFinished(run->generation, seconds);
}

}  // namespace braid::engine
