#include "core/weights/speech_encoder_tables.h"

#include <algorithm>

namespace braid::weights {

namespace {

constexpr std::int64_t kMostFrames = 1 << 20;
constexpr std::int64_t kLongestChunkMs = 60'000;

}  // namespace

SpeechStreaming speechStreamingFrom(const ConfigTable &table, const SpeechStreaming &usual, std::initializer_list<const char *> more)
{
    std::vector<const char *> known = {"left_context_frames", "maximum_frames", "first_chunk_ms", "chunk_ms"};
    known.insert(known.end(), more.begin(), more.end());
    table.requireOnly(known);
    SpeechStreaming streaming = usual;
    if (table.has("left_context_frames")) {
        streaming.left_context_frames = table.whole("left_context_frames", 0, kMostFrames);
    }
    streaming.maximum_frames = table.wholeOr("maximum_frames", usual.maximum_frames, 1, kMostFrames);
    streaming.chunk_ms = table.wholeOr("chunk_ms", usual.chunk_ms, 1, kLongestChunkMs);
    streaming.first_chunk_ms = table.wholeOr("first_chunk_ms", streaming.chunk_ms, 1, kLongestChunkMs);
    return streaming;
}

std::optional<SpeechAdapterConfig> speechAdapterFrom(const ConfigTable &config, const std::string &where)
{
    if (!config.has("braid_adapter")) {
        return std::nullopt;
    }
    const ConfigTable table(config.value("braid_adapter"), where + ", \"braid_adapter\"");
    table.requireOnly({"stack", "widths"});
    SpeechAdapterConfig adapter;
    adapter.stack = table.wholeOr("stack", 1, 1, 64);
    constexpr std::int64_t kWidest = 1 << 17;
    adapter.widths = table.wholes("widths", 1, 8, 1, kWidest);
    return adapter;
}

}  // namespace braid::weights
