// Everything one run of parallel streams owns, shared by its worker thread and the engine.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/runtime/latest.h"
#include "core/runtime/run.h"
#include "core/streams/streams_engine.h"

namespace braid::streams {

// What the owner wants, until the worker comes to it. Thread: the owner puts, the worker takes; never held while computing.
class StreamsCommands {
  public:
    void put(StreamsCommand command)
    {
        const std::lock_guard lock(m_mutex);
        m_waiting.push_back(std::move(command));
        ++m_count;
        m_news.notify_all();
    }
    // How many were put so far.
    [[nodiscard]] std::uint64_t count() const
    {
        const std::lock_guard lock(m_mutex);
        return m_count;
    }
    [[nodiscard]] std::vector<StreamsCommand> take()
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
    mutable std::mutex m_mutex;
    std::condition_variable_any m_news;
    std::vector<StreamsCommand> m_waiting;
    std::uint64_t m_count = 0;
};

struct StreamsWork : runtime::Run<StreamsEngineEvent, runtime::Latest<StreamsSnapshot>> {
    StreamsWork(std::uint64_t run_generation, StreamsRunConfig run_config, std::shared_ptr<runtime::EventQueue<StreamsEngineEvent>> event_queue)
        : Run(run_generation, std::move(event_queue), run_config.journal_folder, "This conversation")
        , config(std::move(run_config))
    {
    }

    StreamsRunConfig config;
    StreamsCommands commands;
};

// The worker thread's body. Throws nothing.
void runStreams(StreamsWork &work);

}  // namespace braid::streams
