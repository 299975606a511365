// From a prediction to a token. Order of the filters as in the released implementation (streaming-llm.md 2.1): silence penalty,
// temperature, top-k, softmax, top-p. Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random.h"
#include "core/streams/layout.h"
#include "core/streams/streams_model.h"

namespace braid::streams {

struct Rival {
    std::int32_t token = 0;
    double probability = 0;  // the model's own, before any filter
    bool operator==(const Rival &) const = default;
};

struct Choice {
    std::int32_t token = 0;
    double probability = 0;  // the model's own, before any filter
    double entropy = 0;
    std::vector<Rival> rivals;  // most probable first, without the token chosen
};

// How many candidates a model must give so that choose() decides as it would over the whole vocabulary; 0: all.
[[nodiscard]] std::size_t candidatesNeeded(const Sampling &sampling, std::size_t rivals) noexcept;

// `penalty` is taken from the logit of `silence_token` (-1: none). top-p keeps, most probable first, every candidate before which less
// than or exactly top_p has gathered. `prediction.candidates` is not empty.
[[nodiscard]] Choice choose(const Prediction &prediction, const Sampling &sampling, double penalty, std::int32_t silence_token, std::size_t rivals,
                            Random &random);

// What the choice would be for a token that somebody else decided on (a person, a recording): its probability and rivals.
[[nodiscard]] Choice judged(const Prediction &prediction, std::int32_t token, std::size_t rivals);

// The penalty `rows_since_user` rows after the user's last word (0: still speaking); grows linearly over the ramp.
[[nodiscard]] double penaltyAt(const SilencePenalty &penalty, std::int64_t rows_since_user) noexcept;

}  // namespace braid::streams
