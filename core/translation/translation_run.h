// Everything one run of a translation owns, shared by its worker thread and the engine.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "core/runtime/latest.h"
#include "core/runtime/run.h"
#include "core/translation/translation_engine.h"
#include "core/translation/translation_inlet.h"

namespace braid::translation {

struct TranslationRun : runtime::Run<TranslationEvent, runtime::Latest<TranslationSnapshot>> {
    TranslationRun(std::uint64_t run_generation, TranslationRunConfig run_config, std::shared_ptr<runtime::EventQueue<TranslationEvent>> event_queue)
        : Run(run_generation, std::move(event_queue), run_config.journal_folder, "This translation")
        , config(std::move(run_config))
    {
    }

    const TranslationRunConfig config;
    const std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    TranslationInlet inlet;

    [[nodiscard]] double nowMs() const { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count(); }
};

// The worker thread's body. Throws nothing.
void runTranslation(TranslationRun &run);

}  // namespace braid::translation
