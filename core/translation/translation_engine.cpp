#include "core/translation/translation_engine.h"

#include <utility>

#include "core/translation/translation_run.h"

namespace braid::translation {

struct TranslationEngine::Impl {
    runtime::Runs<TranslationRun> runs;

    void put(decltype(SourcePiece::what) what)
    {
        if (const auto run = runs.present()) {
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
    requireUsable(config.settings);
    cancel();
    const auto run = m_impl->runs.make(std::move(config));
    m_impl->runs.start(run, runTranslation);
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
    if (const auto run = m_impl->runs.present()) {
        run->cancel.request_stop();
    }
}

void TranslationEngine::adjust(const TranslationSettings &settings)
{
    requireUsable(settings);
    if (const auto run = m_impl->runs.present()) {
        run->inlet.wish(settings);
    }
}

void TranslationEngine::changeTranslator(Translator translator)
{
    if (const auto run = m_impl->runs.present()) {
        run->inlet.wish(std::move(translator));
    }
}

std::vector<TranslationEvent> TranslationEngine::takeEvents()
{
    return m_impl->runs.takeEvents();
}

std::shared_ptr<const TranslationSnapshot> TranslationEngine::snapshot() const
{
    return m_impl->runs.snapshot();
}

bool TranslationEngine::waitUntilFinished(std::optional<double> seconds)
{
    return m_impl->runs.waitUntilFinished(seconds);
}

}  // namespace braid::translation
