// Checksums of files, piece by piece: sha256, and what git calls a file's blob (Hugging Face states it for small files).
// Thread: one at a time. Errors: Error(Usage) in a build without network, which has no checksums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <string>

namespace braid::fetch {

enum class DigestKind : std::uint8_t { Sha256 = 1, GitBlob };  // 64 and 40 hexadecimal digits

class Digest {
  public:
    // `bytes`: how many will come; a git blob begins with it.
    Digest(DigestKind kind, std::uint64_t bytes);
    ~Digest();
    Digest(const Digest &) = delete;
    Digest &operator=(const Digest &) = delete;
    void add(std::span<const std::byte> bytes);
    // In hexadecimal; once, at the end.
    [[nodiscard]] std::string finish();

  private:
    struct Data;
    std::unique_ptr<Data> m_data;
};

// Of a whole file; `read` hears how many bytes are done. Throws Error(Input) where it cannot be read, Error(Cancelled) on `stop`.
[[nodiscard]] std::string digestOfFile(const std::filesystem::path &path, DigestKind kind, const std::function<void(std::uint64_t)> &read = {},
                                       std::stop_token stop = {});

}  // namespace braid::fetch
