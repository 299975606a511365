// The whole sound of a source that ends (a file): for tests, measurements and everything that looks at a recording at once.
// Thread: the caller's, until the end. Errors: Error(Input) of the source.
#pragma once

#include <filesystem>
#include <vector>

namespace braid::audio {

// 16 kHz mono in [-1, 1]; what the source reports as missing is silence.
[[nodiscard]] std::vector<float> readWhole(const std::filesystem::path &file);

}  // namespace braid::audio
