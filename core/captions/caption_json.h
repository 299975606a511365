// Events as JSON lines, for programs that follow a run (`braid-cli caption --format json`; docs/formats.md). Thread: any.
#pragma once

#include <string>

#include "core/captions/caption_events.h"
#include "core/text/correction.h"

namespace braid::captions {

// One line without its line feed: {"event": "start" | "commit" | "tail" | "notice" | "error" | "done", ...}
[[nodiscard]] std::string eventToJsonLine(const CaptionEventBody &event);
// Of the journal alone: the policy that what follows comes from, {"event": "policy", "policy": ...}
[[nodiscard]] std::string policyToJsonLine(const std::string &policy);
// Of the journal alone: a word that a person corrected, {"event": "correction", "word": ..., "heard": ..., "text": ...}; without `text` what the model said
// holds again.
[[nodiscard]] std::string correctionToJsonLine(const text::WordCorrection &correction);

}  // namespace braid::captions
