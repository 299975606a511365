// Bytes of a sound file: from the disk, from a pipe, or from memory (the fuzzer).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace braid::audio {

// Thread: one; cancel() from any.
class ByteInput {
  public:
    virtual ~ByteInput() = default;
    // Reads up to `bytes.size()`; 0 at the end, or once cancelled. Throws Error(Input) when the disk does not give them.
    [[nodiscard]] virtual std::size_t read(std::span<std::byte> bytes) = 0;
    // Absolute; only where seekable(). False: no such place.
    [[nodiscard]] virtual bool seek(std::int64_t position) = 0;
    [[nodiscard]] virtual bool seekable() const = 0;
    // Total length; -1 where unknown (a pipe).
    [[nodiscard]] virtual std::int64_t size() const = 0;
    [[nodiscard]] virtual std::int64_t position() const = 0;
    // How messages call it: the file's name.
    [[nodiscard]] virtual const std::string &name() const = 0;
    // Makes reads end soon, also one that waits on a pipe.
    void cancel() noexcept { m_cancelled = true; }

  protected:
    std::atomic<bool> m_cancelled{false};
};

// Throws Error(Input): no such file, a folder, empty, no permission. Pipes and devices that can be read are fine; opening one never
// waits for its other end.
[[nodiscard]] std::unique_ptr<ByteInput> openFileBytes(const std::filesystem::path &path);
[[nodiscard]] std::unique_ptr<ByteInput> memoryBytes(std::vector<std::byte> bytes, std::string name);

}  // namespace braid::audio
