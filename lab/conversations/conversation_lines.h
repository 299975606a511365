// Made conversations as JSON Lines (docs/formats.md, "Made conversations"), for trainers and people outside this program. Thread: any.
#pragma once

#include <string>

#include "lab/conversations/conversations.h"

namespace braid::conversations {

// Without a line break.
[[nodiscard]] std::string conversationLine(const MadeConversation &made);

}  // namespace braid::conversations
