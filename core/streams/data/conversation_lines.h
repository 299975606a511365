// Made conversations as JSON Lines (docs/formats.md, "Made conversations"), for trainers and people outside this program. Thread: any.
#pragma once

#include <string>

#include "core/streams/data/conversations.h"

namespace braid::streams {

// Without a line break.
[[nodiscard]] std::string conversationLine(const MadeConversation &made);

}  // namespace braid::streams
