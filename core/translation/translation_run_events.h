// What a running translation tells the outside: a lossless list of events and one latest-wins snapshot (design: "Threads").
// Plain data, no torch, no Qt.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/runtime/run_events.h"
#include "core/translation/translation_events.h"

namespace braid::translation {

struct TranslationStarted {
    std::string source;
    std::string translator;
};  // the first event of a run
struct TranslatorChanged {
    std::string translator;
    std::int64_t first_sentence = 0;
};  // which sentence is the first by the new one
struct TranslationFinished {
    TranslationStatistics statistics;
};  // always the last event of a run
using TranslationEventBody =
    std::variant<TranslationStarted, TranslationSessionEvent, TranslatorChanged, runtime::Notice, runtime::Failed, TranslationFinished>;
struct TranslationEvent {
    std::uint64_t generation = 0;  // the run it belongs to; drop those of older runs
    TranslationEventBody body;
};

// What the activity of a run says that has translated all it can.
inline constexpr const char *kWaitingForSource = "waiting for more source";

struct TranslationSnapshot {
    std::uint64_t generation = 0;
    runtime::RunState state = runtime::RunState::Idle;  // Listening: at work or waiting for source; Draining: no source follows
    std::string activity;                               // "loading translate-en-fr (40 %)", "waiting for more source", "translating"
    double loading_fraction = 0;
    std::string translator;  // what runs now; empty while the first one loads
    TranslationProgress progress;
    TranslationStatistics statistics;
};

}  // namespace braid::translation
