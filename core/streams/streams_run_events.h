// What a running conversation in parallel streams tells the outside: a lossless list of events and one latest-wins snapshot (design: "Threads").
// Plain data, no torch, no Qt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>

#include "core/runtime/run_events.h"
#include "core/streams/conversation.h"
#include "core/streams/streams_events.h"
#include "core/streams/streams_session.h"
#include "core/streams/token_texts.h"

namespace braid::streams {

// --- lossless events, in order (and Notice, Failed: run_events.h) --------------------------------------------------------------
// The first of a run, once the model is there.
struct StreamsStarted {
    Conversation beginning;                   // layout, model, system, seed; no events: append those that follow, to save it
    std::shared_ptr<const TokenTexts> texts;  // for the rivals; const from any thread. Null where there is no model
    std::int32_t silence_token = -1;          // among rivals
    std::string device;                       // "cpu, 2 threads, float32"
};
struct StreamsFinished {
    StreamsStatus status;
};  // always the last of a run
// streams::StreamsEvent: rows, rewinds, ends and notices of the run itself, which belong to its Conversation.
using StreamsEngineEventBody = std::variant<StreamsStarted, StreamsEvent, runtime::Notice, runtime::Failed, StreamsFinished>;
struct StreamsEngineEvent {
    std::uint64_t generation = 0;  // the run it belongs to; drop those of older runs
    StreamsEngineEventBody body;
};

// --- latest-wins snapshot ------------------------------------------------------------------------------------------------------
enum class StreamsRunState : std::uint8_t { Idle = 1, Loading, Going, Finished, Failed };

struct StreamsSnapshot {
    std::uint64_t generation = 0;
    StreamsRunState state = StreamsRunState::Idle;
    std::string activity;  // "loading streams-en (40 %)", "running", "paused", "waiting for words", "playing", "ended"
    double loading_fraction = 0;
    StreamsStatus status;
    std::uint64_t commands_obeyed = 0;  // of the run's commands, those that `status` comes after (StreamsEngine::posted())
};

}  // namespace braid::streams
