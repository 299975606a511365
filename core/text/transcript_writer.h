// Transcripts in the formats people use, written as they grow (a file that another program follows) or as a whole (an export).
// Formats: docs/formats.md. Thread: one. Errors: those of the sink.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/text/caption_cues.h"
#include "core/text/transcript.h"

namespace braid::text {

enum class TranscriptFormat : std::uint8_t {
    Text = 1,  // a line for each paragraph
    Srt,       // SubRip
    Vtt,       // WebVTT
    Json,      // everything: words with times, tokens, rivals
};

// What the transcript was made from and with; only Json tells it.
struct TranscriptOrigin {
    std::string source;
    std::string model;
    std::string policy;
    std::string started_at;  // ISO 8601
};

class TranscriptWriter {
  public:
    using Sink = std::function<void(std::string_view)>;
    [[nodiscard]] static std::unique_ptr<TranscriptWriter> make(TranscriptFormat format, Sink sink, TranscriptOrigin origin = {});

    virtual ~TranscriptWriter() = default;
    virtual void write(const TranscriptItem &item) = 0;
    // Writes what waits for more (the last cue) and what closes the format. Call once, last.
    virtual void finish() = 0;
};

[[nodiscard]] std::string formatTranscript(std::span<const TranscriptItem> items, TranscriptFormat format, const TranscriptOrigin &origin = {});
// Cues as SubRip or WebVTT.
[[nodiscard]] std::string formatCues(std::span<const Cue> cues, TranscriptFormat format);
// "srt", "vtt", "json", "txt" or "text"; with or without a dot, in any case.
[[nodiscard]] std::optional<TranscriptFormat> transcriptFormatNamed(std::string_view name);
// A gap as people read it: "[2.0 s without sound: the microphone was lost]".
[[nodiscard]] std::string gapText(const Gap &gap);

}  // namespace braid::text
