// The door to a model that runs several streams: one row of tokens in, for every stream that is sampled its candidates out. Torch-free;
// core/models implements it over the stream cache, tests with a script. Thread: the session's. Errors: Error(Model), Error(Device).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/streams/visibility.h"

namespace braid::streams {

// One token to be fed. All tokens of one call go through the model in one pass; who sees whom follows from their entries alone.
struct StreamInput {
    std::int32_t token = 0;
    Entry entry;  // skipped silence is not kept after this call
    bool operator==(const StreamInput &) const = default;
};

struct Candidate {
    std::int32_t token = 0;
    float logit = 0;
};

// What may come next in one stream, predicted from the last token that the call fed to it.
struct Prediction {
    int stream = 0;
    std::vector<Candidate> candidates;  // highest logit first, equal ones by token; silence is always among them, last if it ranks lower
    double log_sum = 0;                 // log of the sum of exp(logit) over the whole vocabulary: probability = exp(logit - log_sum)
    double entropy = 0;                 // of the whole distribution, in nats
};

enum class UserTurn : std::uint8_t { Open = 1, Over };

struct PredictionRequest {
    std::vector<int> streams;         // for which; each is among the inputs
    std::size_t most_candidates = 0;  // 0: the whole vocabulary
    std::int32_t silence_token = -1;  // -1: there is none
    UserTurn user_turn =
        UserTurn::Open;  // Over: the user's last word has entered, and no other waits to. Parallel streams see it from the words; one queue does not
};

// Attention of one token over what the cache holds, on demand. Over all layers or heads where none is named: their mean, or the greatest.
enum class LookSummary : std::uint8_t { Mean = 1, Greatest };
struct LookOptions {
    std::optional<int> layer;  // from 0
    std::optional<int> head;
    LookSummary summary = LookSummary::Mean;
    bool operator==(const LookOptions &) const = default;
};
struct AttendedEntry {
    Entry entry;
    std::int32_t token = 0;
    float weight = 0;
};

class StreamsModel {
  public:
    virtual ~StreamsModel() = default;

    // Forgets everything; the next feed() is the first of a run.
    virtual void begin(const paradigms::Visibility &visibility, std::size_t streams) = 0;
    // One pass. Predictions come in the order of the request.
    [[nodiscard]] virtual std::vector<Prediction> feed(std::span<const StreamInput> inputs, const PredictionRequest &request) = 0;

    // Where it stands, to come back to: the cache as it is before the next feed().
    using Mark = std::int64_t;
    [[nodiscard]] virtual Mark mark() const = 0;
    enum class Rewinding : std::uint8_t { Done = 1, Forgotten };  // Forgotten: what stood there has left the window; feed again from the start
    [[nodiscard]] virtual Rewinding rewind(Mark mark) = 0;

    // What `query` attends to, as it did when it was fed: all it sees that is still in the cache, and itself. Changes nothing. Empty: the model cannot
    // say, or part of it has left the window. Costs a pass of one token. Errors: Error(Usage) for a layer or head the model does not have.
    [[nodiscard]] virtual std::vector<AttendedEntry> look(const StreamInput &query, const LookOptions &options) = 0;

    [[nodiscard]] virtual std::int64_t entries() const = 0;        // in the cache now
    [[nodiscard]] virtual std::int64_t mostPositions() const = 0;  // it was made for positions below this; 0: no limit
};

}  // namespace braid::streams
