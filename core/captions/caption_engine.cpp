#include "core/captions/caption_engine.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/base/error.h"
#include "core/captions/caption_work.h"

namespace braid::captions {
namespace {

std::int64_t steadyMs()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

// --- CaptionWork ----------------------------------------------------------------------------------------------------------------

CaptionWork::CaptionWork(std::uint64_t run_generation, CaptionRun run_config, std::shared_ptr<runtime::EventQueue<CaptionEvent>> event_queue)
    : Run(run_generation, std::move(event_queue), run_config.journal_folder, "This session")
    , config(std::move(run_config))
{
}

void CaptionWork::requestStop()
{
    std::int64_t not_asked = 0;
    m_asked_to_end_ms.compare_exchange_strong(not_asked, steadyMs());
    stop_requested = true;
    feed.release();
}

void CaptionWork::requestCancel()
{
    cancel.request_stop();
    stop_loading.request_stop();
    requestStop();
}

bool CaptionWork::sourceIsStuck() const
{
    const auto asked_at = m_asked_to_end_ms.load();
    return asked_at != 0 && steadyMs() - asked_at > config.source_patience.count();
}

std::vector<float> CaptionWork::sound(Sample start, Sample length) const
{
    length = std::clamp<Sample>(length, 0, std::max<Sample>(0, store.end() - start));
    if (start < 0 || length == 0) {
        return {};
    }
    std::vector<float> out(static_cast<std::size_t>(length));
    std::size_t done = 0;
    if (const Sample older = std::min(length, store.earliest() - start); older > 0) {
        try {
            const auto folder = journal.folder();
            const auto kept = folder.empty() ? std::vector<float>() : runtime::readJournalSound(folder, start, older);
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
    runtime::Runs<CaptionWork> runs;
};

CaptionEngine::CaptionEngine()
    : m_impl(std::make_unique<Impl>())
{
}

CaptionEngine::~CaptionEngine()
{
    cancel();
}

std::uint64_t CaptionEngine::start(CaptionRun config)
{
    cancel();
    // The run before may still hold the microphone and the model: the new threads wait for it, the owner does not.
    const auto previous = m_impl->runs.present();
    const auto run = m_impl->runs.make(std::move(config));
    run->pump = std::thread([run, previous] {
        if (previous) {
            static_cast<void>(previous->pump_done.waitFor(previous->config.source_patience));
        }
        runPump(*run);
        run->pump_done.set();
    });
    m_impl->runs.start(run, runCaptions);
    return run->generation;
}

void CaptionEngine::stop()
{
    if (const auto run = m_impl->runs.present()) {
        run->requestStop();
    }
}

void CaptionEngine::cancel()
{
    if (const auto run = m_impl->runs.present()) {
        run->requestCancel();
    }
}

void CaptionEngine::adjust(const PolicySettings &settings)
{
    if (const auto run = m_impl->runs.present()) {
        run->policy_changes.adjust(settings);
    }
}

void CaptionEngine::changePolicy(PolicyFactory make_policy)
{
    if (const auto run = m_impl->runs.present()) {
        run->policy_changes.changePolicy(std::move(make_policy));
    }
}

bool CaptionEngine::keepCorrections(const std::vector<text::WordCorrection> &corrections)
{
    const auto run = m_impl->runs.present();
    return run && run->corrections.put(corrections);
}

std::vector<CaptionEvent> CaptionEngine::takeEvents()
{
    return m_impl->runs.takeEvents();
}

std::shared_ptr<const CaptionSnapshot> CaptionEngine::snapshot() const
{
    return m_impl->runs.snapshot();
}

std::vector<float> CaptionEngine::sound(Sample start, Sample length) const
{
    const auto run = m_impl->runs.present();
    return run ? run->sound(start, length) : std::vector<float>();
}

std::filesystem::path CaptionEngine::journalFolder() const
{
    const auto run = m_impl->runs.present();
    return run ? run->journal.folder() : std::filesystem::path();
}

bool CaptionEngine::waitUntilFinished(std::optional<double> seconds)
{
    return m_impl->runs.waitUntilFinished(seconds);
}

}  // namespace braid::captions
