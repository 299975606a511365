// A token table as one training sequence: interleaved by row ("Multi-Stream LLMs", arXiv 2605.12460, Method: packing; the mask is
// nearly lower-triangular), with every token's stream, position, step and label; and back. Row by row it equals what a session feeds.
// Thread: any. Errors: Error(Input) where the table does not fit the layout.
#pragma once

#include <cstdint>
#include <vector>

#include "core/streams/layout.h"
#include "core/streams/table.h"
#include "core/streams/visibility.h"

namespace braid::streams {

inline constexpr std::int32_t kNoLabel = -100;  // no loss here

struct PackedTokens {
    std::vector<std::int32_t> tokens;
    std::vector<Entry> entries;
    std::vector<std::int32_t> labels;  // the token of the next row of the same stream; kNoLabel for streams that are not sampled
    std::vector<float> weights;        // of each label in the loss; 0 without label

    [[nodiscard]] std::size_t size() const noexcept { return tokens.size(); }
    // The attention mask: whether token `query` sees token `key`.
    [[nodiscard]] bool attends(const paradigms::Visibility &visibility, std::size_t query, std::size_t key) const
    {
        return paradigms::sees(visibility, entries, query, key);
    }
};

// How the loss is shared out. PerStream: every sampled stream counts alike however little it says (the paper: the average over each
// stream's tokens); the weights of one table then sum to the mean of the layout's loss weights. PerToken: the layout's weight for every token.
enum class LossShare : std::uint8_t { PerToken = 1, PerStream };

struct PackOptions {
    LossShare share = LossShare::PerToken;
    float silence_weight = 1;        // a label that is silence counts so much of a word
    std::int32_t silence_token = 0;  // unused where the layout has no silence
};

// `before`: by stream, what is fed before the first row (system text, openings; Blocks only), steps -1; may be empty.
[[nodiscard]] PackedTokens pack(const Layout &layout, const TokenTable &table, const std::vector<std::vector<std::int32_t>> &before,
                                const PackOptions &options);

struct Unpacked {
    TokenTable table;
    std::vector<std::vector<std::int32_t>> before;
};
[[nodiscard]] Unpacked unpack(const Layout &layout, const PackedTokens &packed, const PackOptions &options);

}  // namespace braid::streams
