// A transcript and its translation in one file: under each line, or in each subtitle, what it says in the other language. Formats: docs/formats.md.
// Thread: any.
#pragma once

#include <span>
#include <string>

#include "core/text/transcript_writer.h"

namespace braid::text {

// `translation`: words whose times lie where what they translate was said; a word goes to the line, or subtitle, that is being said in the middle of its
// time. `format`: text or subtitles; Json throws Error(Usage).
[[nodiscard]] std::string formatBilingual(std::span<const TranscriptItem> original, std::span<const TranscriptItem> translation, TranscriptFormat format);

}  // namespace braid::text
