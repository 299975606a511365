#include "lab/train/greedy.h"

#include <algorithm>

#include <c10/core/GradMode.h>

namespace braid::train {

std::vector<std::vector<std::int32_t>> greedyTexts(const Network &network, const Batch &batch, const TextFrame &text, std::int64_t most)
{
    const c10::NoGradGuard no_gradients;
    const NetworkTypes &types = network.types();
    const at::Tensor numbers = at::from_blob(const_cast<float *>(batch.mel.data()), {batch.windows, batch.mel_frames, batch.bands}, at::kFloat);
    const at::Tensor mel = numbers.to(types.device, types.parameters);
    const at::Tensor encoded = network.encode(mel, batch.window_frames, batch.chunking);
    std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(batch.windows));
    std::vector<std::int64_t> open;
    for (std::int64_t i = 0; i < batch.windows; ++i) {
        open.push_back(i);
    }
    most = std::min(most, network.dims().n_text_ctx - static_cast<std::int64_t>(text.prompt.size()));
    for (std::int64_t step = 0; step < most && !open.empty(); ++step) {
        std::vector<std::int64_t> inputs;
        std::vector<std::int64_t> visible;
        for (const std::int64_t row : open) {
            inputs.insert(inputs.end(), text.prompt.begin(), text.prompt.end());
            inputs.insert(inputs.end(), rows[static_cast<std::size_t>(row)].begin(), rows[static_cast<std::size_t>(row)].end());
            visible.push_back(batch.window_frames[static_cast<std::size_t>(row)]);
        }
        const auto count = static_cast<std::int64_t>(open.size());
        const at::Tensor tokens = at::tensor(inputs, at::kLong).view({count, -1}).to(types.device);
        const at::Tensor hidden = network.decode(encoded, tokens, open, visible).hidden;
        // Whisper's vocabularies end with the special tokens, of which the end of the text comes first.
        const at::Tensor best = network.logits(hidden.select(1, hidden.size(1) - 1)).narrow(1, 0, text.end + 1).argmax(-1).to(at::kCPU);
        std::vector<std::int64_t> still_open;
        for (std::int64_t i = 0; i < count; ++i) {
            const auto token = static_cast<std::int32_t>(best[i].item<std::int64_t>());
            if (token != text.end) {
                rows[static_cast<std::size_t>(open[static_cast<std::size_t>(i)])].push_back(token);
                still_open.push_back(open[static_cast<std::size_t>(i)]);
            }
        }
        open = std::move(still_open);
    }
    return rows;
}

}  // namespace braid::train
