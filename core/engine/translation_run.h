// Everything one run of a translation owns, shared by its worker thread and the engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <utility>

#include "core/engine/done_flag.h"
#include "core/engine/event_queue.h"
#include "core/engine/translation_engine.h"
#include "core/engine/translation_inlet.h"

namespace braid::engine {

// The latest-wins outlet. Thread: any; the mutex is held to copy small things.
class TranslationBoard {
  public:
    explicit TranslationBoard(std::uint64_t generation) { m_now.generation = generation; }
    void state(RunState state, std::string activity, double loading_fraction = 0)
    {
        const std::lock_guard lock(m_mutex);
        m_now.state = state;
        m_now.activity = std::move(activity);
        m_now.loading_fraction = loading_fraction;
        m_given.reset();
    }
    void activity(std::string activity, double loading_fraction = 0)
    {
        const std::lock_guard lock(m_mutex);
        m_now.activity = std::move(activity);
        m_now.loading_fraction = loading_fraction;
        m_given.reset();
    }
    void translator(std::string name)
    {
        const std::lock_guard lock(m_mutex);
        m_now.translator = std::move(name);
        m_given.reset();
    }
    void session(sessions::TranslationProgress progress, const sessions::TranslationStatistics &statistics)
    {
        const std::lock_guard lock(m_mutex);
        m_now.progress = std::move(progress);
        m_now.statistics = statistics;
        m_given.reset();
    }
    [[nodiscard]] std::shared_ptr<const TranslationSnapshot> look()
    {
        const std::lock_guard lock(m_mutex);
        if (!m_given) {
            m_given = std::make_shared<const TranslationSnapshot>(m_now);
        }
        return m_given;
    }

  private:
    std::mutex m_mutex;
    TranslationSnapshot m_now;
    std::shared_ptr<const TranslationSnapshot> m_given;  // null when out of date
};

using TranslationEvents = EventQueue<TranslationEvent>;

struct TranslationRun {
    TranslationRun(std::uint64_t run_generation, TranslationRunConfig run_config, std::shared_ptr<TranslationEvents> event_queue)
        : generation(run_generation)
        , config(std::move(run_config))
        , events(std::move(event_queue))
        , board(run_generation)
    {
    }

    const std::uint64_t generation;
    const TranslationRunConfig config;
    const std::shared_ptr<TranslationEvents> events;
    const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    TranslationBoard board;
    TranslationInlet inlet;
    std::stop_source cancel;
    DoneFlag done;

    [[nodiscard]] double nowMs() const { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count(); }
    void publish(TranslationEventBody body) { events->publish(generation, std::move(body)); }
};

// The worker thread's body. Throws nothing.
void runTranslation(TranslationRun &run);

}  // namespace braid::engine
