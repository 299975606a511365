#include "lab/corpus/spec_augment.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace braid::corpus {

void maskSpectrogram(features::MelFrames &mel, const MaskSizes &sizes, Random &random)
{
    if (mel.frames <= 0 || mel.bands <= 0) {
        return;
    }
    const auto bands = static_cast<std::size_t>(mel.bands);
    const auto frames = static_cast<std::size_t>(mel.frames);
    const double sum = std::accumulate(mel.values.begin(), mel.values.end(), 0.0);
    const auto mean = static_cast<float>(sum / static_cast<double>(mel.values.size()));
    for (int i = 0; i < sizes.band_masks; ++i) {
        const std::size_t width = std::min<std::size_t>(bands, random.below(static_cast<std::uint64_t>(std::max(0, sizes.widest_band_mask)) + 1));
        const std::size_t first = random.below(bands - width + 1);
        for (std::size_t frame = 0; frame < frames; ++frame) {
            const auto row = mel.values.begin() + static_cast<std::ptrdiff_t>(frame * bands + first);
            std::fill(row, row + static_cast<std::ptrdiff_t>(width), mean);
        }
    }
    const double expected = static_cast<double>(mel.frames) / 100 * sizes.time_masks_per_second / 100;
    auto masks = static_cast<int>(expected);
    masks += random.chance(expected - masks) ? 1 : 0;
    auto left = static_cast<std::size_t>(sizes.most_masked * static_cast<double>(frames));
    for (int i = 0; i < masks; ++i) {
        const std::size_t length = std::min<std::size_t>(left, random.below(static_cast<std::uint64_t>(std::max(0, sizes.longest_time_mask)) + 1));
        const std::size_t first = random.below(frames - length + 1);
        std::fill_n(mel.values.begin() + static_cast<std::ptrdiff_t>(first * bands), length * bands, mean);
        left -= length;
    }
}

void warpBands(features::MelFrames &mel, double factor)
{
    factor = std::clamp(factor, 0.8, 1.25);
    const auto bands = static_cast<std::size_t>(std::max(0, mel.bands));
    std::vector<float> row(bands);
    for (std::size_t frame = 0; frame < static_cast<std::size_t>(mel.frames); ++frame) {
        float *values = mel.values.data() + frame * bands;
        std::copy_n(values, bands, row.begin());
        for (std::size_t band = 0; band < bands; ++band) {
            const double at = std::min(static_cast<double>(band) * factor, static_cast<double>(bands - 1));
            const auto low = std::min(static_cast<std::size_t>(at), bands < 2 ? 0 : bands - 2);
            const auto high = std::min(low + 1, bands - 1);
            values[band] = row[low] + static_cast<float>(at - static_cast<double>(low)) * (row[high] - row[low]);
        }
    }
}

}  // namespace braid::corpus
