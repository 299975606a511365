#include "core/engine/translation_engine.h"

#include <mutex>
#include <thread>
#include <utility>

#include "core/engine/translation_run.h"

namespace braid::engine {

struct TranslationEngine::Impl {
    struct Worker {
        std::shared_ptr<TranslationRun> run;
        std::thread thread;
    };

    std::shared_ptr<TranslationEvents> events = std::make_shared<TranslationEvents>();
    std::uint64_t generation = 0;
    std::vector<Worker> workers;  // the present run last; those before it are ending
    std::shared_ptr<const TranslationSnapshot> idle = std::make_shared<const TranslationSnapshot>();

    [[nodiscard]] TranslationRun *present() const { return workers.empty() ? nullptr : workers.back().run.get(); }

    void put(decltype(SourcePiece::what) what)
    {
        if (TranslationRun *const run = present()) {
            run->inlet.put({std::move(what), run->nowMs()});
        }
    }

    // Joins what has ended, but for the newest, whose snapshot may still be looked at; never waits.
    void prune()
    {
        std::erase_if(workers, [this](Worker &old) {
            if (&old == &workers.back() || !old.run->done.waitFor({})) {
                return false;
            }
            old.thread.join();
            return true;
        });
    }
};

TranslationEngine::TranslationEngine()
    : m_impl(std::make_unique<Impl>())
{
}

TranslationEngine::~TranslationEngine()
{
    cancel();
    for (auto &worker : m_impl->workers) {
        worker.thread.join();
    }
}

std::uint64_t TranslationEngine::start(TranslationRunConfig config)
{
    sessions::requireUsable(config.settings);
    cancel();
    m_impl->prune();
    // The run before may still hold the model: the new thread waits for it, the owner does not.
    const auto previous = m_impl->workers.empty() ? nullptr : m_impl->workers.back().run;
    const auto run = std::make_shared<TranslationRun>(++m_impl->generation, std::move(config), m_impl->events);
    run->board.state(RunState::Loading, previous ? "ending the run before" : "starting");
    m_impl->workers.push_back({run, std::thread([run, previous] {
                                   if (previous) {
                                       previous->done.wait();
                                   }
                                   runTranslation(*run);
                                   run->done.set();
                               })});
    return run->generation;
}

void TranslationEngine::addText(std::string_view text)
{
    if (!text.empty()) {
        m_impl->put(std::string(text));
    }
}

void TranslationEngine::addCaptions(std::span<const text::TranscriptItem> items)
{
    if (!items.empty()) {
        m_impl->put(std::vector<text::TranscriptItem>(items.begin(), items.end()));
    }
}

void TranslationEngine::endSentence()
{
    m_impl->put(SentenceEndWish{});
}

void TranslationEngine::endSource()
{
    m_impl->put(SourceEnd{});
}

void TranslationEngine::cancel()
{
    if (TranslationRun *const run = m_impl->present()) {
        run->cancel.request_stop();
    }
}

void TranslationEngine::adjust(const sessions::TranslationSettings &settings)
{
    sessions::requireUsable(settings);
    if (TranslationRun *const run = m_impl->present()) {
        run->inlet.wish(settings);
    }
}

void TranslationEngine::changeTranslator(Translator translator)
{
    if (TranslationRun *const run = m_impl->present()) {
        run->inlet.wish(std::move(translator));
    }
}

std::vector<TranslationEvent> TranslationEngine::takeEvents()
{
    return m_impl->events->take();
}

std::shared_ptr<const TranslationSnapshot> TranslationEngine::snapshot() const
{
    TranslationRun *const run = m_impl->present();
    return run != nullptr ? run->board.look() : m_impl->idle;
}

bool TranslationEngine::waitUntilFinished(std::optional<double> seconds)
{
    const TranslationRun *const run = m_impl->present();
    return run == nullptr || m_impl->events->waitUntilFinished(run->generation, seconds);
}

}  // namespace braid::engine
