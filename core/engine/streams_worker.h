// Everything one run of parallel streams owns, shared by its worker thread and the engine.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/done_flag.h"
#include "core/engine/event_queue.h"
#include "core/engine/latest.h"
#include "core/engine/streams_engine.h"

namespace braid::engine {

// What the owner wants, until the worker comes to it. Thread: the owner puts, the worker takes; never held while computing.
class StreamsCommands {
  public:
    void put(sessions::StreamsCommand command)
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.push_back(std::move(command));
        m_news.notify_all();
    }
    [[nodiscard]] std::vector<sessions::StreamsCommand> take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_waiting, {});
    }
    // Until there is something to take, `stop` is asked for, or the time is up.
    void wait(const std::stop_token &stop, std::optional<std::chrono::milliseconds> time)
    {
        std::unique_lock lock(m_mutex);
        const auto has_news = [this] { return !m_waiting.empty(); };
        if (time) {
            m_news.wait_for(lock, stop, *time, has_news);
        } else {
            m_news.wait(lock, stop, has_news);
        }
    }

  private:
    std::mutex m_mutex;
    std::condition_variable_any m_news;
    std::vector<sessions::StreamsCommand> m_waiting;
};

using StreamsEvents = EventQueue<StreamsEngineEvent>;

struct StreamsWork {
    StreamsWork(std::uint64_t run_generation, StreamsRunConfig run_config, std::shared_ptr<StreamsEvents> event_queue)
        : generation(run_generation)
        , config(std::move(run_config))
        , events(std::move(event_queue))
        , board(StreamsSnapshot{run_generation, StreamsRunState::Loading, "starting", 0, {}})
    {
    }

    const std::uint64_t generation;
    StreamsRunConfig config;
    const std::shared_ptr<StreamsEvents> events;
    Latest<StreamsSnapshot> board;
    StreamsCommands commands;
    std::stop_source stop;
    DoneFlag done;

    void show(StreamsRunState state, std::string activity, double loading_fraction = 0)
    {
        board.change([&](StreamsSnapshot &now) {
            now.state = state;
            now.activity = std::move(activity);
            now.loading_fraction = loading_fraction;
        });
    }
    void publish(StreamsEngineEventBody body) { events->publish(generation, std::move(body)); }
};

// The worker thread's body. Throws nothing.
void runStreams(StreamsWork &work);

}  // namespace braid::engine
