#include "core/engine/translation_engine.h"

#include <utility>

#include "core/engine/translation_run.h"
#include "core/engine/workers.h"

namespace braid::engine {

struct TranslationEngine::Impl {
    std::shared_ptr<TranslationEvents> events = std::make_shared<TranslationEvents>();
    std::uint64_t generation = 0;
    std::shared_ptr<const TranslationSnapshot> idle = std::make_shared<const TranslationSnapshot>();
    Workers<TranslationRun> workers;

    void put(decltype(SourcePiece::what) what)
    {
        if (TranslationRun *const run = workers.present()) {
            run->inlet.put({std::move(what), run->nowMs()});
        }
    }
};

TranslationEngine::TranslationEngine()
    : m_impl(std::make_unique<Impl>())
{
}

TranslationEngine::~TranslationEngine()
{
    cancel();
}

std::uint64_t TranslationEngine::start(TranslationRunConfig config)
{
    sessions::requireUsable(config.settings);
    cancel();
    const bool ends_another = m_impl->workers.present() != nullptr;
    const auto run = std::make_shared<TranslationRun>(++m_impl->generation, std::move(config), m_impl->events);
    run->show(RunState::Loading, ends_another ? "ending the run before" : "starting");
    m_impl->workers.start(run, runTranslation);
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
    if (TranslationRun *const run = m_impl->workers.present()) {
        run->cancel.request_stop();
    }
}

void TranslationEngine::adjust(const sessions::TranslationSettings &settings)
{
    sessions::requireUsable(settings);
    if (TranslationRun *const run = m_impl->workers.present()) {
        run->inlet.wish(settings);
    }
}

void TranslationEngine::changeTranslator(Translator translator)
{
    if (TranslationRun *const run = m_impl->workers.present()) {
        run->inlet.wish(std::move(translator));
    }
}

std::vector<TranslationEvent> TranslationEngine::takeEvents()
{
    return m_impl->events->take();
}

std::shared_ptr<const TranslationSnapshot> TranslationEngine::snapshot() const
{
    TranslationRun *const run = m_impl->workers.present();
    return run != nullptr ? run->board.look() : m_impl->idle;
}

bool TranslationEngine::waitUntilFinished(std::optional<double> seconds)
{
    const TranslationRun *const run = m_impl->workers.present();
    return run == nullptr || m_impl->events->waitUntilFinished(run->generation, seconds);
}

}  // namespace braid::engine
