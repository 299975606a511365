// Runs a model through made conversations, in the session that people run: every word of user, system and document enters in the row it stands in, the model
// says the rest. For parallel streams and for the single-stream baseline in the same lanes. Source: streaming-llm.md 2.3.
// Thread: one. Errors: the model's own.
#pragma once

#include <cstdint>
#include <memory>

#include "core/sessions/streams_session.h"
#include "core/streams/data/conversations.h"
#include "core/streams/evaluation.h"
#include "core/streams/layout.h"
#include "core/streams/streams_model.h"
#include "core/streams/token_texts.h"

namespace braid::streams {

struct MeasuredTurn {
    Outcome outcome;
    TextTable table;        // what was said
    double seconds = 0;     // of computing, until it was silent again
    double answer_seconds = 0;  // of computing after the user's last word, until the answer's last
};

// `made` has one turn and the layout's streams. At most `most_rows_after` rows are made behind the last word that is fed.
[[nodiscard]] MeasuredTurn measureTurn(const Layout &layout, const std::shared_ptr<StreamsModel> &model, const std::shared_ptr<const TokenTexts> &texts,
                                       const MadeConversation &made, sessions::StreamsForm form, std::int64_t most_rows_after = 100);

}  // namespace braid::streams
