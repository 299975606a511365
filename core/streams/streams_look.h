// What a cell of a conversation attended to, as people can be shown it. Thread: the session's. Throws nothing that a wish can cause.
#pragma once

#include "core/streams/streams_commands.h"
#include "core/streams/streams_model.h"
#include "core/streams/streams_run.h"
#include "core/streams/token_texts.h"

namespace braid::streams {

[[nodiscard]] LookAnswer lookAt(const Look &wish, const StreamsRun &run, StreamsModel &model, const TokenTexts &texts);

}  // namespace braid::streams
