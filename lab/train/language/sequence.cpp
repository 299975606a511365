#include "lab/train/language/sequence.h"

#include <algorithm>

namespace braid::train {

namespace {

// Sorting a whole epoch by length would put the same sentences together every time; so many batches' worth are sorted at a time.
constexpr std::int64_t kPoolBatches = 50;

}  // namespace

std::vector<std::vector<SequenceItem>> planBatches(std::vector<SequenceItem> items, std::int64_t tokens, Random random)
{
    std::vector<std::vector<SequenceItem>> batches;
    for (std::size_t begin = 0; begin < items.size();) {
        std::int64_t sum = 0;
        std::size_t end = begin;
        for (; end < items.size() && sum < kPoolBatches * tokens; ++end) {
            sum += items[end].tokens;
        }
        const auto at = [&items](std::size_t index) { return items.begin() + static_cast<std::ptrdiff_t>(index); };
        std::stable_sort(at(begin), at(end), [](const SequenceItem &a, const SequenceItem &b) { return a.tokens < b.tokens; });
        std::vector<SequenceItem> batch;
        for (; begin < end; ++begin) {
            // The new item is the longest, and so the width of the batch.
            if (!batch.empty() && static_cast<std::int64_t>(batch.size() + 1) * items[begin].tokens > tokens) {
                batches.push_back(std::move(batch));
                batch.clear();
            }
            batch.push_back(items[begin]);
        }
        batches.push_back(std::move(batch));
    }
    random.shuffle(batches);
    return batches;
}

}  // namespace braid::train
