// A sound or video file as a source, as fast as it is read; wrap it in a PacedSource for real-time pace.
#pragma once

#include <filesystem>
#include <memory>

#include "core/audio/byte_input.h"
#include "core/audio/source.h"

namespace braid::audio {

// Opens the file at once, so that what is wrong with it is said before a run begins. Throws Error(Input).
[[nodiscard]] std::unique_ptr<Source> openFileSource(const std::filesystem::path &path);
// The same over bytes from elsewhere (memory, in tests and the fuzzer).
[[nodiscard]] std::unique_ptr<Source> openByteSource(std::unique_ptr<ByteInput> bytes);

}  // namespace braid::audio
