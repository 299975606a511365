// Which entries of a sequence of tokens see which: all that tells the paradigms of streaming language models apart, besides positions.
//
// Attention does not care about the order of its cache, only about positions and visibility (design.md, idea 3). So every token carries a
// tag, and who sees whom is a small value over tags. Sources: "LLM as Effective Streaming Processor" (sections 2, B.3, figure 5); "Multi-Stream
// LLMs" (method) with the facts of its two published forms (streaming-llm.md 1.6, 2.1, 2.2).
// Torch-free. Thread: values; any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace braid::paradigms {

inline constexpr std::int32_t kMaxStreams = 64;

// Silent: a cell of a parallel stream that says nothing. Closing: the marker that ends a block.
enum class EntryKind : std::uint8_t { Token = 1, Silent, Closing };

// A token in a cache, in the order of arrival. Translation: stream 0 is the source, 1 the target.
struct Entry {
    std::int32_t stream = 0;
    double position = 0;    // rotary; fractions are fine
    std::int64_t step = 0;  // which pass, or which row, brought it: never falls in the order of arrival within a stream
    EntryKind kind = EntryKind::Token;
    friend bool operator==(const Entry &, const Entry &) = default;
};

inline constexpr std::int32_t kSource = 0;
inline constexpr std::int32_t kTarget = 1;

// Entries of the query's own stream. An entry always sees itself.
enum class OwnOrder : std::uint8_t {
    Arrival = 1,
    EarlierStep,
    EarlierPosition,  // that had come by then
};
// Entries of other streams.
enum class AcrossOrder : std::uint8_t {
    Never = 1,
    Arrival,           // what stands before
    EarlierStep,       // what an earlier pass or row brought
    EarlierPosition,   // strictly before the query's position, where it had come by then (no later step): a word may be late
    NotLaterPosition,  // also at the query's position
};
// Whether entries of a kind are seen by others than themselves (Silent), by other streams (Closing).
enum class SpecialEntries : std::uint8_t { Seen = 1, Hidden };

struct Visibility {
    OwnOrder own = OwnOrder::Arrival;
    AcrossOrder across = AcrossOrder::Arrival;
    std::vector<std::uint64_t> sees;  // for each stream a bit for every stream it may see; empty, or a stream beyond it: all. Its own it always sees
    SpecialEntries silent = SpecialEntries::Seen;
    SpecialEntries closing_across = SpecialEntries::Seen;
    std::int64_t window_steps = 0;  // an entry is seen for so many steps, its own the first; 0: for ever
    std::int64_t kept_steps = 0;    // those of the first so many steps are seen for ever (and of steps below 0)
    friend bool operator==(const Visibility &, const Visibility &) = default;
};

// One queue: every entry sees all before it (interleaved streaming, and any language model as it comes).
[[nodiscard]] Visibility causal();
// The source sees the source alone; the target sees all that was there when it was fed (batch- and group-streaming, figure 5 (c)).
[[nodiscard]] Visibility sourceApart();
// Parallel streams in rows: an entry sees earlier rows and itself.
[[nodiscard]] Visibility parallelRows(SpecialEntries silent = SpecialEntries::Seen);
// Parallel blocks (system, user, assistants): causal within a stream, strictly earlier positions across.
enum class SameStep : std::uint8_t { Hidden = 1, Visible };
[[nodiscard]] Visibility parallelBlocks(SameStep same_step = SameStep::Hidden, SpecialEntries closing_across = SpecialEntries::Seen);

// Whether no entry of `step` or later sees this one: a cache may forget it.
[[nodiscard]] bool isGone(const Visibility &visibility, const Entry &key, std::int64_t step);

// Entry `q` of `entries` sees entry `k`.
[[nodiscard]] bool sees(const Visibility &visibility, std::span<const Entry> entries, std::size_t q, std::size_t k);

// For the queries entries[first_query..]: [queries, entries] bytes, 1 where seen, in `seen` (its memory is used again). `window`: where above 0,
// entries whose position is `window` or more before the query's are not seen (sliding-window layers). Returns true where everything is seen by all.
bool visibleEntries(const Visibility &visibility, std::span<const Entry> entries, std::size_t first_query, std::int64_t window,
                    std::vector<std::uint8_t> &seen);

}  // namespace braid::paradigms
