// The whole sound of a source that ends (a file): for tests, measurements and everything that looks at a recording at once.
// Thread: the caller's, until the end. Errors: Error(Input) of the source.
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::audio {

// What is taken whole lies in memory: 4 bytes a sample. No recording that ends is longer; a pipe may be.
inline constexpr Sample kLongestWhole = samplesFromSeconds(12 * 3600.0);

// 16 kHz mono in [-1, 1]; what the source reports as missing is silence.
[[nodiscard]] std::vector<float> readWhole(const std::filesystem::path &file);

}  // namespace braid::audio
