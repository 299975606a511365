// Sound into a file: FLAC (with libav built in) or WAV, 16 kHz, one channel, 16 bits. Whole or not at all, whenever the program ends; not
// forced to the disk. Thread: any.
#pragma once

#include <filesystem>
#include <span>
#include <string>

namespace braid::corpus {

// ".flac", or ".wav" in a build without libav.
[[nodiscard]] std::string soundExtension();

// By the extension of `path`; samples beyond -1..1 are clipped. Throws Error(Storage); Error(Usage) for an extension this build cannot write.
void writeSound(const std::filesystem::path &path, std::span<const float> sound);

}  // namespace braid::corpus
