#include "core/engine/streams_engine.h"

#include <utility>

#include "core/engine/streams_worker.h"
#include "core/engine/workers.h"

namespace braid::engine {

struct StreamsEngine::Impl {
    std::shared_ptr<StreamsEvents> events = std::make_shared<StreamsEvents>();
    std::uint64_t generation = 0;
    std::shared_ptr<const StreamsSnapshot> idle = std::make_shared<const StreamsSnapshot>();
    Workers<StreamsWork> workers;
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
    m_impl->workers.start(std::make_shared<StreamsWork>(++m_impl->generation, std::move(config), m_impl->events), runStreams);
    return m_impl->generation;
}

void StreamsEngine::stop()
{
    if (StreamsWork *const work = m_impl->workers.present()) {
        work->stop.request_stop();
    }
}

void StreamsEngine::post(sessions::StreamsCommand command)
{
    if (StreamsWork *const work = m_impl->workers.present()) {
        work->commands.put(std::move(command));
    }
}

std::vector<StreamsEngineEvent> StreamsEngine::takeEvents()
{
    return m_impl->events->take();
}

std::shared_ptr<const StreamsSnapshot> StreamsEngine::snapshot() const
{
    StreamsWork *const work = m_impl->workers.present();
    return work != nullptr ? work->board.look() : m_impl->idle;
}

bool StreamsEngine::waitUntilFinished(std::optional<double> seconds)
{
    const StreamsWork *const work = m_impl->workers.present();
    return work == nullptr || m_impl->events->waitUntilFinished(work->generation, seconds);
}

}  // namespace braid::engine
