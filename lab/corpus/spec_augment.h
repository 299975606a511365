// Disturbances of a log-mel spectrogram, frames x bands (features::MelFrames): SpecAugment's masks (Park et al. 2019, without its time
// warp) and a stretch of the bands, which makes another vocal tract of it. Thread: any.
#pragma once

#include "core/base/random.h"
#include "core/features/log_mel.h"

namespace braid::corpus {

struct MaskSizes {
    int band_masks = 1;
    int widest_band_mask = 20;      // bands
    int time_masks_per_second = 0;  // in hundredths: 40 = one mask every 2.5 s
    int longest_time_mask = 22;     // frames
    double most_masked = 0.25;      // share of all frames that time masks may take
};

// Fills masked bands and stretches of time with the mean of the spectrogram.
void maskSpectrogram(features::MelFrames &mel, const MaskSizes &sizes, Random &random);

// Band b becomes what band b * factor was (linearly between bands; the topmost is repeated). 0.8 .. 1.25.
void warpBands(features::MelFrames &mel, double factor);

}  // namespace braid::corpus
