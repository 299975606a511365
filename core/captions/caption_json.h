// Events as JSON lines, for programs that follow a run (`braid-cli caption --format json`; docs/formats.md). Thread: any.
#pragma once

#include <string>

#include "core/captions/caption_events.h"

namespace braid::captions {

// One line without its line feed: {"event": "start" | "commit" | "tail" | "notice" | "error" | "done", ...}
[[nodiscard]] std::string eventToJsonLine(const CaptionEventBody &event);
// Of the journal alone: the policy that what follows comes from, {"event": "policy", "policy": ...}
[[nodiscard]] std::string policyToJsonLine(const std::string &policy);

}  // namespace braid::captions
