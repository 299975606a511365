// What a language model learns from, as plain numbers: one sequence with who sees whom, and where they come from. No torch.
// Thread: const functions from any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lab/train/random.h"

namespace braid::train {

struct Sequence {
    std::vector<std::int32_t> tokens;
    std::vector<double> positions;
    std::vector<double> across;  // DecoderLm::runWhole(); empty: the positions
    std::vector<std::int32_t> streams;
    std::vector<std::uint8_t> seen;    // [tokens, tokens]: row sees column
    std::vector<std::int32_t> labels;  // the token that a row predicts; kNoLabel: no loss here
    std::vector<float> weights;        // of each label in the loss
    // What further heads learn: [tokens, later], the tokens behind the label of each row, kNoLabel where there are none.
    std::vector<std::int32_t> later_labels;
    std::size_t later = 0;  // heads behind the model's own

    static constexpr std::int32_t kNoLabel = -100;
    [[nodiscard]] std::size_t size() const noexcept { return tokens.size(); }
};

// One sequence to be made: an example, and for translation the one that stands before it.
struct SequenceItem {
    std::int64_t example = 0;
    std::int64_t before = -1;  // none
    std::int64_t tokens = 0;   // about so many
};

class SequenceSource {
  public:
    virtual ~SequenceSource() = default;
    // The items of an epoch, shuffled. Equal numbers, equal items.
    [[nodiscard]] virtual std::vector<SequenceItem> epoch(std::uint64_t number) const = 0;
    // Usually one sequence; several where a paradigm computes again (paradigms::reencodedTokens). `random` draws what is drawn anew each time.
    [[nodiscard]] virtual std::vector<Sequence> make(const SequenceItem &item, Random random) const = 0;
    // Never trained on.
    [[nodiscard]] virtual std::vector<SequenceItem> validation() const = 0;
};

// Parts items into batches of like length: at most `tokens` each, padding included (an item of more has a batch to itself), in random order.
[[nodiscard]] std::vector<std::vector<SequenceItem>> planBatches(std::vector<SequenceItem> items, std::int64_t tokens, Random random);

}  // namespace braid::train
