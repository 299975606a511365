// The paradigms of streaming translation with a language model, as values: who sees whom, which positions tokens get, and what is
// computed again after a read. One decoder runs them all (core/models/decoder_lm/translation_run.h).
// Source: "LLM as Effective Streaming Processor", sections 2 to 4, tables 1 to 3, appendix A and B.3; streaming-llm.md 1.3, 1.4, 1.6.
// Torch-free. Thread: values; any.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/paradigms/visibility.h"

namespace braid::paradigms {

enum class Counting : std::uint8_t {
    Arrival = 1,  // one counter for all tokens, in the order of arrival
    Own,          // a counter of the stream's own
    AfterSource,  // behind all of the source read so far (positions of the target move with every read, or all is read first)
    Nothing,      // every token stands at the offset ("remove positions", table 2)
};

struct StreamPositions {
    Counting counting = Counting::Own;
    double offset = 0;  // added; phi of the group position encoding
    friend bool operator==(const StreamPositions &, const StreamPositions &) = default;
};

// What a read makes of the target tokens already written; their text stays as it is.
enum class Reencoding : std::uint8_t {
    None = 1,
    Positions,  // their keys move to the new positions
    All,        // they are fed again, over the longer source
};

struct Paradigm {
    Visibility visibility = sourceApart();
    StreamPositions source;
    StreamPositions target;
    Reencoding reencoding = Reencoding::None;
    friend bool operator==(const Paradigm &, const Paradigm &) = default;
};

[[nodiscard]] Paradigm interleaved();
// No re-encoding: interleaved positions, but the source does not see the target. Positions, All: contiguous positions, source then target.
[[nodiscard]] Paradigm batchStreaming(Reencoding reencoding);
// Source from 0, target from phi; nothing is ever computed again.
[[nodiscard]] Paradigm groupStreaming(double phi);
// All is read, then written; a read after a write is an error. The same with group positions: groupStreaming(), all read first.
[[nodiscard]] Paradigm offlineBatch();

enum class Removed : std::uint8_t { Source = 1, Target, Both };
// Table 2: interleaved positions over batch-streaming, with the positions of one side or both a constant 0.
[[nodiscard]] Paradigm withoutPositions(Removed removed);

// Who is offered a paradigm: everybody, or those who measure what its parts are worth (command line and recipes).
enum class Offered : std::uint8_t { Everywhere = 1, ForMeasuring };

// A paradigm by name: one line of allParadigms() is one paradigm.
struct ParadigmEntry {
    std::string_view name;         // "group"
    std::string_view title;        // "Group streaming"
    std::string_view description;  // a sentence without its dot
    Paradigm (*make)(double phi);  // only group streaming has a phi
    Offered offered = Offered::Everywhere;
};
// In the order in which they are offered. The command line, its help, recipes and the window read it.
[[nodiscard]] std::span<const ParadigmEntry> allParadigms();
// "group, batch-all, ..."
[[nodiscard]] std::string paradigmNames();
// Throws Error(Usage) naming them.
[[nodiscard]] Paradigm paradigmNamed(std::string_view name, double phi);

// The position of the token number `own_index` of its stream, when `arrived` tokens stand before it and `source_count` of the source are read.
[[nodiscard]] double positionOf(const StreamPositions &positions, std::int64_t own_index, std::int64_t arrived, std::int64_t source_count);

// ---- Training (B.3; streaming-llm.md 1.4) ----

// What has been read when the header is fed (all but its last token, which predicts).
enum class HeaderTime : std::uint8_t {
    AsReleased = 1,    // the instruction and k - 1 words (streaming-llm.md 1.4)
    AfterInstruction,  // the instruction alone: what our own run does, whose header may hold what was translated before
};

// One example as the reader and writer of wait-k would meet it.
struct TrainingTokens {
    std::vector<Entry> entries;          // in the order fed
    std::vector<std::int64_t> token_of;  // for each: its index in source + target, laid one after the other
    std::vector<std::uint8_t> counts;    // 1 where this row predicts a target token behind the header (the loss's rows)
};

// `source_lengths`: tokens of the instruction, of each source word, of the end marker. `target_lengths`: of the header, of each target word, of the
// end marker. Words beyond the source's end wait for nothing. The rule is the released one: all but the last token of target word i see the
// instruction and k + i - 1 words (i = 0: the header), the last one k + i words, as it predicts the word after the read.
// `learned_from`: the first target token that counts; -1: the first behind the header.
// Interleaved and positions by arrival follow the order in which a run would feed them; others are laid out source first.
// Errors: Error(Internal) for k < 1, no instruction or no header. Reencoding other than None has no single mask: see reencodedTokens().
[[nodiscard]] TrainingTokens waitKTokens(const Paradigm &paradigm, std::span<const std::int64_t> source_lengths, std::span<const std::int64_t> target_lengths,
                                         std::int64_t k, HeaderTime header_time = HeaderTime::AsReleased, std::int64_t learned_from = -1);

// Full re-encoding as it is at inference: one example for each state of the source; figure 5 (d), (e), (f): the same (causal) mask every
// time, and only the rows that write the words of this state count.
[[nodiscard]] std::vector<TrainingTokens> reencodedTokens(std::span<const std::int64_t> source_lengths, std::span<const std::int64_t> target_lengths,
                                                          std::int64_t k);

}  // namespace braid::paradigms
