#include "lab/train/batch_parts.h"

#include <algorithm>
#include <numeric>

#include "core/models/whisper/streaming_mel.h"

namespace braid::train {

namespace {

// The first `kept` of every `rows_of` rows of the chosen windows, each row `width` numbers.
template <typename T>
std::vector<T> chosen(const std::vector<T> &values, const std::vector<std::int64_t> &windows, std::int64_t rows_of, std::int64_t kept, std::int64_t width)
{
    std::vector<T> out;
    if (values.empty()) {
        return out;
    }
    out.reserve(windows.size() * static_cast<std::size_t>(kept * width));
    for (const std::int64_t window : windows) {
        const auto begin = values.begin() + window * rows_of * width;
        out.insert(out.end(), begin, begin + kept * width);
    }
    return out;
}

// The windows named, with those of the batch's rows that `takes` takes.
template <typename Takes>
Batch partOf(const Batch &batch, const std::vector<std::int64_t> &windows, weights::ConvStrides strides, const Takes &takes)
{
    Batch part;
    std::vector<std::int64_t> place(static_cast<std::size_t>(batch.windows), -1);
    for (std::size_t at = 0; at < windows.size(); ++at) {
        place[static_cast<std::size_t>(windows[at])] = static_cast<std::int64_t>(at);
        part.window_frames.push_back(batch.window_frames[static_cast<std::size_t>(windows[at])]);
        part.frames = std::max(part.frames, part.window_frames.back());
    }
    part.windows = static_cast<std::int64_t>(windows.size());
    part.bands = batch.bands;
    part.chunking = batch.chunking;
    part.feature_width = batch.feature_width;
    part.encoded_width = batch.encoded_width;
    part.encoded = chosen(batch.encoded, windows, batch.frames, part.frames, batch.encoded_width);
    part.mel_frames = batch.encoded.empty() ? models::whisper::melFramesOf(part.frames, strides) : 0;
    part.mel = chosen(batch.mel, windows, batch.mel_frames, part.mel_frames, batch.bands);
    part.frame_labels = chosen(batch.frame_labels, windows, batch.frames, part.frames, 1);
    part.features = chosen(batch.features, windows, batch.frames, part.frames, batch.feature_width);
    part.feature_known = chosen(batch.feature_known, windows, batch.frames, part.frames, 1);
    for (std::size_t number = 0; number < batch.rows.size(); ++number) {
        const std::int64_t at = place[static_cast<std::size_t>(batch.rows[number].window)];
        if (at >= 0 && takes(number)) {
            part.rows.push_back(batch.rows[number]);
            part.rows.back().window = at;
        }
    }
    return part;
}

}  // namespace

std::vector<Batch> splitBatch(const Batch &batch, std::int64_t count, weights::ConvStrides strides)
{
    const std::int64_t parts = std::min(count, batch.windows);
    if (parts <= 1) {
        return {batch};
    }
    const auto all = std::accumulate(batch.window_frames.begin(), batch.window_frames.end(), std::int64_t{0});
    std::vector<Batch> out;
    for (std::int64_t number = 0; number < parts; ++number) {
        std::vector<std::int64_t> windows;
        for (std::int64_t window = number; window < batch.windows; window += parts) {
            windows.push_back(window);
        }
        Batch part = partOf(batch, windows, strides, [](std::size_t) { return true; });
        const auto heard = std::accumulate(part.window_frames.begin(), part.window_frames.end(), std::int64_t{0});
        part.seconds = batch.seconds * static_cast<double>(heard) / static_cast<double>(std::max<std::int64_t>(1, all));
        out.push_back(std::move(part));
    }
    return out;
}

std::vector<Batch> splitByPoint(const Batch &batch, weights::ConvStrides strides)
{
    std::vector<std::int64_t> rank;                                             // of each row among those of its window
    std::vector<std::int64_t> counts(static_cast<std::size_t>(batch.windows));  // rows of each window
    for (const TextRow &row : batch.rows) {
        rank.push_back(counts[static_cast<std::size_t>(row.window)]++);
    }
    const std::int64_t most = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
    std::vector<Batch> out;
    for (std::int64_t point = 0; point < most; ++point) {
        std::vector<std::int64_t> windows;
        for (std::int64_t window = 0; window < batch.windows; ++window) {
            if (counts[static_cast<std::size_t>(window)] > point) {
                windows.push_back(window);
            }
        }
        out.push_back(partOf(batch, windows, strides, [&rank, point](std::size_t row) { return rank[row] == point; }));
        out.back().seconds = point == 0 ? batch.seconds : 0;
    }
    return out;
}

}  // namespace braid::train
