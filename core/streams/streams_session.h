// The logic of one conversation in parallel streams, as an owner leads it: commands in, rows out, recordings played, time measured. No threads: the
// engine's worker (core/streams/streams_engine.h), braid-cli and tests call it. Behind it
// stands a StreamsRun.
// Thread: one. Errors: obey() throws nothing that a person can cause (a Notice says it); step() lets the model's errors pass, and can be called again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/step_times.h"
#include "core/streams/conversation.h"
#include "core/streams/streams_commands.h"
#include "core/streams/streams_events.h"
#include "core/streams/streams_model.h"
#include "core/streams/streams_run.h"
#include "core/streams/token_texts.h"
#include "core/streams/user_script.h"

namespace braid::streams {

// What a model runs as: all streams in one pass a row, or one queue of messages (the baseline, streams/one_queue.h) shown in the same lanes.
enum class StreamsForm : std::uint8_t { Parallel = 1, OneQueue };

// How a recording is played. AtOnce: all its rows are there with the first step, then it is paused (a conversation opened to look at and go on).
enum class Playback : std::uint8_t { AtRecordedTimes = 1, AtTempo, AtOnce };

struct StreamsSettings {
    StreamsForm form = StreamsForm::Parallel;
    Layout layout;
    std::string system;              // the system text; empty: none
    std::vector<ScriptLine> script;  // words with their rows
    std::uint64_t seed = 0;          // joined with the layout's
    double rows_per_second = 0;      // at most; 0: as fast as it goes
    AtSilence at_silence = AtSilence::Waits;
    Pace begins = Pace::Running;
    std::size_t rivals = 5;
    std::optional<Conversation> recording;  // played first; its layout, system and seed count, not those above
    Playback playback = Playback::AtRecordedTimes;
    // Milliseconds since the run began, for the events and for time; absent: the steady clock.
    std::function<std::int64_t()> clock_ms;
};

enum class StreamsState : std::uint8_t {
    Running = 1,
    Paused,
    Waiting,  // nobody has anything to say: goes on with the next word
    Playing,  // a recording
    Ended,    // by the layout's rule or the model's limit; Rewind goes on
};

struct StreamsStatus {
    StreamsState state = StreamsState::Running;
    std::int64_t rows = 0;
    std::vector<std::size_t> waiting;     // tokens that wait to enter, by stream
    std::vector<std::string> unfinished;  // a word being typed, by stream
    std::int64_t tokens = 0;              // words that stand in the rows made (silence does not count), replayed ones left out
    std::int64_t steps = 0;               // rows the model made, those taken back included
    double last_step_ms = 0;              // computing one row
    runtime::StepTimeSummary step_ms;     // over the newest steps
    double tokens_per_second = 0;         // over all streams, of the newest steps' computing; silence does not count
    double rows_per_second = 0;           // what the newest steps' computing would allow
    std::int64_t cache_entries = 0;
    std::int64_t most_positions = 0;         // the model's limit; 0: none
    std::shared_ptr<const LookAnswer> look;  // null before the first wish
};

class StreamsSession {
  public:
    // OneQueue: `model` is the baseline's, a plain causal one. `model` and `texts` may be null for a recording that is only played. Errors: Error(Model),
    // Error(Input) where layout, model and settings do not fit.
    StreamsSession(StreamsSettings settings, std::shared_ptr<StreamsModel> model, std::shared_ptr<const TokenTexts> texts);
    ~StreamsSession();
    StreamsSession(const StreamsSession &) = delete;
    StreamsSession &operator=(const StreamsSession &) = delete;

    void obey(const StreamsCommand &command);

    [[nodiscard]] std::int64_t nowMs() const;  // since the run began; a recording that is gone on with brings its time along
    // When the next row is due, in the same time; empty: not before a command comes.
    [[nodiscard]] std::optional<std::int64_t> nextRowAtMs() const;
    // Makes or plays the next row, if one is due. False: none was.
    bool step();
    void stop();
    // Answers the newest wish to look, if there is one that has no answer yet.
    void answerLook();

    // What was told since the last call. All that a Conversation needs comes here: an owner who wants to save appends every event to its own.
    [[nodiscard]] std::vector<StreamsEvent> takeEvents();
    [[nodiscard]] StreamsStatus status() const;
    [[nodiscard]] bool hasEnded() const;
    // A conversation without events, to append to.
    [[nodiscard]] Conversation beginning(const std::string &model_name) const;
    [[nodiscard]] const Layout &layout() const noexcept;
    [[nodiscard]] std::int32_t silenceToken() const noexcept;  // -1: none

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace braid::streams
