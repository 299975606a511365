#include "core/streams/streams_engine.h"

#include <utility>

#include "core/streams/streams_worker.h"

namespace braid::streams {

struct StreamsEngine::Impl {
    runtime::Runs<StreamsWork> runs;
};

StreamsEngine::StreamsEngine()
    : m_impl(std::make_unique<Impl>())
{
}

StreamsEngine::~StreamsEngine()
{
    stop();
}

std::uint64_t StreamsEngine::start(StreamsRunConfig config)
{
    stop();
    const auto work = m_impl->runs.make(std::move(config));
    m_impl->runs.start(work, runStreams);
    return work->generation;
}

void StreamsEngine::stop()
{
    if (const auto work = m_impl->runs.present()) {
        work->cancel.request_stop();
    }
}

void StreamsEngine::post(StreamsCommand command)
{
    if (const auto work = m_impl->runs.present()) {
        work->commands.put(std::move(command));
    }
}

std::uint64_t StreamsEngine::posted() const
{
    const auto work = m_impl->runs.present();
    return work ? work->commands.count() : 0;
}

std::vector<StreamsEngineEvent> StreamsEngine::takeEvents()
{
    return m_impl->runs.takeEvents();
}

std::shared_ptr<const StreamsSnapshot> StreamsEngine::snapshot() const
{
    return m_impl->runs.snapshot();
}

bool StreamsEngine::waitUntilFinished(std::optional<double> seconds)
{
    return m_impl->runs.waitUntilFinished(seconds);
}

}  // namespace braid::streams
