// The sound of an utterance, read into memory. Thread: any (nothing is shared).
#pragma once

#include <filesystem>
#include <vector>

#include "core/base/sample_clock.h"
#include "lab/corpus/utterance.h"

namespace braid::corpus {

// 16 kHz, one channel, -1..1; what the file lacks (lost packets) is silence. Reads from `offset` on, `length` samples or to the file's
// end; an utterance that is longer than `most` is refused, as is one that lies beyond the end of its file. Throws Error(Input).
[[nodiscard]] std::vector<float> readSound(const std::filesystem::path &sound, Sample offset = 0, Sample length = 0, Sample most = samplesFromSeconds(3600));
[[nodiscard]] std::vector<float> readSound(const Utterance &utterance, Sample most = samplesFromSeconds(3600));

}  // namespace braid::corpus
