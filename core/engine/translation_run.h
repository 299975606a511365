// Everything one run of a translation owns, shared by its worker thread and the engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include "core/engine/done_flag.h"
#include "core/engine/event_queue.h"
#include "core/engine/latest.h"
#include "core/engine/translation_engine.h"
#include "core/engine/translation_inlet.h"

namespace braid::engine {

using TranslationEvents = EventQueue<TranslationEvent>;

struct TranslationRun {
    TranslationRun(std::uint64_t run_generation, TranslationRunConfig run_config, std::shared_ptr<TranslationEvents> event_queue)
        : generation(run_generation)
        , config(std::move(run_config))
        , events(std::move(event_queue))
        , board(TranslationSnapshot{run_generation, RunState::Idle, {}, 0, {}, {}, {}})
    {
    }

    const std::uint64_t generation;
    const TranslationRunConfig config;
    const std::shared_ptr<TranslationEvents> events;
    const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    Latest<TranslationSnapshot> board;
    TranslationInlet inlet;
    std::stop_source cancel;
    DoneFlag done;

    [[nodiscard]] double nowMs() const { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count(); }
    void show(RunState state, std::string activity)
    {
        board.change([&](TranslationSnapshot &now) {
            now.state = state;
            now.activity = std::move(activity);
            now.loading_fraction = 0;
        });
    }
    void publish(TranslationEventBody body) { events->publish(generation, std::move(body)); }
};

// The worker thread's body. Throws nothing.
void runTranslation(TranslationRun &run);

}  // namespace braid::engine
