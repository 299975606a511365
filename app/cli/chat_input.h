// Where the user's words come from while a conversation runs: the keyboard, standard input, the captions of a recording. Thread: main.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "app/cli/chat_options.h"
#include "core/streams/streams_engine.h"

namespace braid::cli {

class ChatInput {
  public:
    virtual ~ChatInput() = default;
    enum class Wish : std::uint8_t {
        GoOn = 1,  // there is more to come
        Nothing,   // all was said
        Stop,
    };
    // Gives the engine what there is; waits at most `patience`.
    [[nodiscard]] virtual Wish lead(streams::StreamsEngine &engine, const streams::StreamsSnapshot &now, std::chrono::milliseconds patience) = 0;
    // Whether there have been words, or never will be any: until then no row need be made.
    [[nodiscard]] virtual bool hasBegun() const { return true; }
    [[nodiscard]] virtual bool isInteractive() const { return false; }
    [[nodiscard]] virtual std::string typing() const { return {}; }  // what stands in the typing line
};

// Null where a script or a recording says everything. Throws Error(Usage) where the layout has no user.
[[nodiscard]] std::unique_ptr<ChatInput> makeChatInput(const ChatOptions &options, const models::ModelAccess &access, const streams::Layout &layout);

}  // namespace braid::cli
