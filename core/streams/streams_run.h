// One run of parallel streams: user words in, a row of cells a step out. The logic alone: which token each stream gets, when it ends,
// interrupting, going back. The model is behind streams_model.h. Source: "Multi-Stream LLMs" (arXiv 2605.12460), Method:
// synchronous multi-stream decoding; streaming-llm.md 2.1, 2.2 for both released loops.
//
// A step feeds the newest row, chooses from the predictions, takes one waiting token of every fed stream, and commits the next row.
// Everything random follows from the layout's seeds, the run's seed and the row: the same words at the same rows give the same run.
// Thread: one, the session's. Errors: Error(Usage) for what the layout does not have; the model's own pass through, and the run can be
// rewound and continued after them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/streams_events.h"
#include "core/streams/streams_model.h"
#include "core/streams/token_texts.h"
#include "core/streams/visibility.h"
#include "core/streams/word_queue.h"

namespace braid::streams {

enum class AtSilence : std::uint8_t {
    Ends = 1,  // silent rows end the run, as the layout says
    Waits,     // somebody is there and may go on
};

struct RunSettings {
    std::uint64_t seed = 0;  // joined with the layout's seeds
    AtSilence at_silence = AtSilence::Waits;
    std::size_t rivals = 5;                  // remembered of every choice
    std::size_t most_waiting = 4096;         // tokens in one stream's queue
    std::function<std::int64_t()> clock_ms;  // for the events; absent: always 0
};

enum class StepResult : std::uint8_t { Row = 1, Ended };
// A switched-off stream says nothing, whatever the model would (ablation).
enum class Voice : std::uint8_t { Heard = 1, SwitchedOff };

class StreamsRun {
  public:
    StreamsRun(Layout layout, std::shared_ptr<StreamsModel> model, std::shared_ptr<const TokenTexts> texts, RunSettings settings);
    ~StreamsRun();
    StreamsRun(const StreamsRun &) = delete;
    StreamsRun &operator=(const StreamsRun &) = delete;

    [[nodiscard]] const Layout &layout() const noexcept { return m_layout; }
    [[nodiscard]] std::int32_t silenceToken() const noexcept { return m_silence; }  // -1: none

    // --- words in ---
    // The system stream's text; before the first step.
    void setSystem(std::string_view text);
    // Words for a fed stream, from now on one token a row. What does not fit is left out, and a Notice says so.
    void say(int stream, std::string_view text, TextEnd end);
    // The same, handed over when row `row` is about to be made (scripts; a row already made: at once).
    void sayAt(std::int64_t row, int stream, std::string_view text);
    // A cell of a table (" cat", "."), as it stands, at its row.
    void sayCellAt(std::int64_t row, int stream, std::string_view cell);
    // The turn is over once what waits has entered; the closing, if any, follows.
    void endTurn(int stream);
    void endTurnAt(std::int64_t row, int stream);
    // Cuts in: what waits in the stream is dropped, these words (perhaps none) are next.
    void interrupt(int stream, std::string_view text);
    [[nodiscard]] std::size_t waiting(int stream) const { return m_queues[static_cast<std::size_t>(stream)].size(); }
    [[nodiscard]] const std::string &unfinished(int stream) const { return m_queues[static_cast<std::size_t>(stream)].unfinished(); }

    // --- rows ---
    StepResult step();
    void stop();
    [[nodiscard]] std::int64_t rows() const noexcept { return static_cast<std::int64_t>(m_rows.size()); }
    [[nodiscard]] const std::vector<Cell> &row(std::int64_t index) const { return m_rows[static_cast<std::size_t>(index)].cells; }
    // Nobody has said anything for as many rows as the layout calls silence, and nobody waits to.
    [[nodiscard]] bool isQuiet() const;

    // Takes back every row after `row` (-1: all). What waits is dropped; the run goes on from there, even if it had ended.
    void rewind(std::int64_t row);
    // From the next row on; not taken back by rewind().
    void setVoice(int stream, Voice voice);
    void adjust(int stream, const Sampling &sampling, const SilencePenalty &penalty);

    // Makes the rows of a recorded run again, in its words, without asking the model anything: the same events, rewinds included. Before
    // the first step. The model reads along, so that the run can go on, or be rewound, from there.
    void replay(const std::vector<StreamsEvent> &events);

    // The token whose attention explains the cell, as it was fed: of a sampled cell its stream's cell before (an opening's last), of any other
    // itself. Nothing where it was never fed.
    [[nodiscard]] std::optional<StreamInput> explains(std::int64_t row, int stream) const;

    // --- out ---
    [[nodiscard]] std::vector<StreamsEvent> takeEvents();
    [[nodiscard]] bool hasEnded() const noexcept { return m_state.ended; }
    [[nodiscard]] bool hasEnded(int stream) const noexcept { return m_state.streams[static_cast<std::size_t>(stream)].ended; }

  private:
    struct StreamState {
        bool ended = false;
        bool turn_ends = false;      // fed streams: once the queue is empty
        bool closing_waits = false;  // fed streams: its closing has not been queued yet
        std::int64_t words = 0;
        std::int64_t silent_rows = 0;     // since its last word
        std::int64_t turn_ended_at = -1;  // row of its last word
    };
    struct State {
        bool ended = false;
        std::int64_t silent_rows = 0;  // of the whole
        std::vector<StreamState> streams;
    };
    struct Row {
        std::vector<Cell> cells;
        State state_after;
        std::optional<StreamsModel::Mark> mark;  // before this row was fed; rows read in one pass have only the first's
        std::vector<std::int64_t> positions;     // likewise
    };
    enum class ScriptedKind : std::uint8_t { Words = 1, Cell, TurnEnd };
    struct Scripted {
        int stream;
        std::string text;
        ScriptedKind kind;
    };
    void openTurn(int stream);
    void obey(const Scripted &line);

    [[nodiscard]] int checkFed(int stream) const;
    [[nodiscard]] int checkSampled(int stream) const;
    void beginIfNeeded();
    [[nodiscard]] std::vector<StreamInput> inputsBefore(Positions &positions) const;
    [[nodiscard]] std::vector<StreamInput> inputsOf(std::int64_t row, Positions &positions) const;
    [[nodiscard]] std::vector<Prediction> feedNewest();
    [[nodiscard]] bool isContextFull();
    [[nodiscard]] bool someoneWaits() const;
    void readAgain(std::int64_t from, std::int64_t until);
    void readAllAgain(std::int64_t until);
    void standBefore(std::int64_t row);
    void standBeforeAll();
    [[nodiscard]] std::vector<Cell> nextCells(const std::vector<Prediction> &predictions);
    [[nodiscard]] Cell sampledCell(int stream, const std::vector<Prediction> &predictions);
    [[nodiscard]] Cell fedCell(int stream);
    void commit(std::vector<Cell> cells);
    void updateStream(int stream, const Cell &cell);
    void turnHasEnded(int stream, std::int64_t row);
    void takeBackFeeding();
    void endWhole();
    void tell(StreamsEvent event);
    void notice(int stream, const std::string &sentence);
    [[nodiscard]] std::int64_t rowsSinceUser() const;

    Layout m_layout;
    std::shared_ptr<StreamsModel> m_model;
    std::shared_ptr<const TokenTexts> m_texts;
    RunSettings m_settings;
    std::int32_t m_silence = -1;
    int m_user = -1;
    std::vector<std::vector<std::int32_t>> m_before;  // Blocks: system text and openings, by stream
    Positions m_positions;
    std::vector<WordQueue> m_queues;
    std::vector<Voice> m_voices;
    std::multimap<std::int64_t, Scripted> m_script;
    std::vector<Row> m_rows;
    State m_state;
    State m_first_state;
    bool m_begun = false;
    StreamsModel::Mark m_start_mark = 0;
    std::vector<std::int64_t> m_start_positions;
    std::vector<StreamsEvent> m_events;
};

}  // namespace braid::streams
