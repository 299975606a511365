// Runs conversations in parallel streams: one worker thread that owns the model and the session, a queue of commands in, two outlets out.
//
// Ownership: the window or braid-cli owns one engine for each conversation it shows at a time and may start runs on it one after the other. Threads:
// every public function may be called from the owner's thread and never waits for the model (the destructor does: it stops and joins).
// Errors: start() throws nothing that a run can report; troubles come as Failed (no model) or Notice (the conversation is paused and can be gone on with).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/streams/streams_commands.h"
#include "core/streams/streams_run_events.h"
#include "core/streams/streams_session.h"

namespace braid::streams {

struct StreamsModelDoor {
    std::shared_ptr<StreamsModel> model;
    std::shared_ptr<const TokenTexts> texts;
    std::string device;
};
// Loads a model; called on the worker thread. `progress(fraction, what)` may be called often.
using StreamsModelFactory = std::function<StreamsModelDoor(const std::function<void(double, std::string)> &progress, std::stop_token stop)>;

// Stays: an ended conversation can be looked at, rewound and gone on with until stop(). Finishes: the run is over with it (braid-cli).
enum class WhenEnded : std::uint8_t { Stays = 1, Finishes };

struct StreamsRunConfig {
    StreamsSettings settings;
    StreamsModelFactory load_model;           // empty: a recording is only played
    std::string model_name;                   // for StreamsStarted and what is saved
    WhenEnded when_ended = WhenEnded::Stays;  // Finishes: a model that fails ends the run, too
    std::filesystem::path journal_folder;     // where its journal is made (run_journal.h); empty: none
};

class StreamsEngine {
  public:
    StreamsEngine();
    ~StreamsEngine();
    StreamsEngine(const StreamsEngine &) = delete;
    StreamsEngine &operator=(const StreamsEngine &) = delete;

    // Starts a run; one still going is stopped first. Returns its generation, which every event and snapshot of it carries.
    std::uint64_t start(StreamsRunConfig run);
    // Ends the run after the row being made (RunEnded, then StreamsFinished). Loading is cut short.
    void stop();
    // To the session, in order. Before it is there, commands wait.
    void post(StreamsCommand command);
    // How many commands this run was given so far. A snapshot whose `commands_obeyed` is that many knows of all of them.
    [[nodiscard]] std::uint64_t posted() const;

    // Events since the last call, in order.
    [[nodiscard]] std::vector<StreamsEngineEvent> takeEvents();
    // The newest state; never null.
    [[nodiscard]] std::shared_ptr<const StreamsSnapshot> snapshot() const;
    // Blocks until the run is over or the time is up; true when over. For braid-cli and tests.
    [[nodiscard]] bool waitUntilFinished(std::optional<double> seconds = {});

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace braid::streams
