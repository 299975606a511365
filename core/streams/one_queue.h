// A model of one queue of messages behind the door of parallel streams: the single-stream baseline in the same lanes. While the user speaks it only
// listens; once the turn is over it reads everything fed (system, user, documents, each behind its mark, data/collapse.h), then writes one token a
// row into the lane whose mark it wrote last, until its end mark. What is said to it meanwhile waits for the next turn.
// Source: "Multi-Stream LLMs" (arXiv 2605.12460), Dataset (collapsed baselines). Thread: one. Errors: those of the model behind; Error(Model) where its
// vocabulary has no marks, Error(Input) for a layout without silence, or a turn longer than the model was made for (it then goes unanswered).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/streams_model.h"
#include "core/streams/token_texts.h"

namespace braid::streams {

class OneQueueModel final : public StreamsModel {
  public:
    // `queue`: a model of one stream, whose state belongs to this object from now on.
    OneQueueModel(const Layout &layout, std::shared_ptr<StreamsModel> queue, const TokenTexts &texts);

    void begin(const paradigms::Visibility &visibility, std::size_t streams) override;
    [[nodiscard]] std::vector<Prediction> feed(std::span<const StreamInput> inputs, const PredictionRequest &request) override;
    [[nodiscard]] Mark mark() const override { return static_cast<Mark>(m_history.size()); }
    [[nodiscard]] Rewinding rewind(Mark mark) override;
    [[nodiscard]] std::vector<AttendedEntry> look(const StreamInput &query, const LookOptions &options) override;
    [[nodiscard]] std::int64_t entries() const override { return m_queue->entries(); }
    [[nodiscard]] std::int64_t mostPositions() const override { return 0; }  // the limit is that of one turn's sequence, not of the rows

  private:
    struct Said {
        std::int32_t token = 0;
        Entry entry;  // as the lanes know it
    };
    // What follows from the rows so far; small, kept for every row so that a run can be rewound.
    struct State {
        std::size_t heard = 0;       // of m_heard
        std::size_t answered = 0;    // of m_heard: what stands before it belongs to earlier turns
        std::size_t sequence = 0;    // of m_sequence
        std::size_t turn_begin = 0;  // of m_sequence: the present turn
        int lane = -1;               // that is being written; -1: none yet
        bool is_answering = false;
    };
    void hear(const StreamInput &input);
    void ask();
    [[nodiscard]] std::optional<Prediction> predicted(const PredictionRequest &request, std::int64_t step);
    [[nodiscard]] int markedBy(std::int32_t token) const noexcept;  // the sampled stream of this mark; -1: no mark of one
    void append(const Said &said);

    std::shared_ptr<StreamsModel> m_queue;
    std::vector<std::size_t> m_reading_order;
    std::vector<std::int32_t> m_marks;  // by stream
    std::vector<StreamRole> m_roles;    // by stream
    std::int32_t m_end = -1;
    std::vector<Said> m_heard;     // fed words of all rows
    std::vector<Said> m_sequence;  // of all turns, one behind the other
    std::size_t m_fed = 0;         // of m_sequence from turn_begin on, in the model behind
    State m_state;
    std::vector<State> m_history;  // before every call
};

}  // namespace braid::streams
