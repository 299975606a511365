// Runs a model through made conversations, in the session that people run: every word of user, system and document enters in the row it stands in, the model
// says the rest. For parallel streams and for the single-stream baseline in the same lanes. Source: streaming-llm.md 2.3.
// Thread: one. Errors: the model's own.
#pragma once

#include <cstdint>
#include <memory>

#include "core/streams/layout.h"
#include "core/streams/streams_model.h"
#include "core/streams/streams_session.h"
#include "core/streams/token_texts.h"
#include "lab/conversations/conversations.h"
#include "lab/evaluation/evaluation.h"

namespace braid::evaluation {

struct MeasuredTurn {
    Outcome outcome;
    streams::TextTable table;   // what was said
    double seconds = 0;         // of computing, until it was silent again
    double answer_seconds = 0;  // of computing after the user's last word, until the answer's last
};

// `made` has one turn and the layout's streams. At most `most_rows_after` rows are made behind the last word that is fed.
[[nodiscard]] MeasuredTurn measureTurn(const streams::Layout &layout, const std::shared_ptr<streams::StreamsModel> &model,
                                       const std::shared_ptr<const streams::TokenTexts> &texts, const conversations::MadeConversation &made,
                                       streams::StreamsForm form, std::int64_t most_rows_after = 100);

}  // namespace braid::evaluation
