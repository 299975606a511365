// Events of a translation as JSON lines (`braid-cli translate --format json`; docs/formats.md). Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "core/translation/translation_run_events.h"

namespace braid::translation {

// One line without its line feed: {"event": "start" | "sentence" | "source" | "source_end" | "read" | "word" | "sentence_end" | "line_end" | "translator" |
// "notice" | "error" | "done", ...}
[[nodiscard]] std::string eventToJsonLine(const TranslationEventBody &event);
// "said", "no_room", ...
[[nodiscard]] std::string_view endName(TranslationEnd end) noexcept;

}  // namespace braid::translation
