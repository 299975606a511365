// One transcript of an archive, claimed by the worker that makes it. It is written beside its place (`.NAME.part`), locked, and moved there when it is whole:
// whoever sees it sees all of it, no two workers make it at once, and it is never made again. The system ends the claim of a worker that died; the next one
// takes it over. Holds on network file systems as far as flock() does there (NFS 4, Lustre mounted with `flock`).
// Thread: one. Errors: Error(Input) where the recording's name cannot be a file's, Error(Storage) where the folder does not take it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace braid::cli {

enum class ClaimState : std::uint8_t {
    Mine = 1,
    Done,      // the transcript stands in its place
    Elsewhere  // another worker makes it now
};

class TranscriptClaim {
  public:
    // Makes the folders that lead to `place`.
    explicit TranscriptClaim(std::filesystem::path place);
    // Without publish(), what was written goes.
    ~TranscriptClaim();
    TranscriptClaim(const TranscriptClaim &) = delete;
    TranscriptClaim &operator=(const TranscriptClaim &) = delete;

    [[nodiscard]] ClaimState state() const noexcept { return m_state; }
    // Where the transcript is written: an empty file.
    [[nodiscard]] const std::filesystem::path &draft() const noexcept { return m_draft; }
    // Returns when the disk has the draft.
    void sync() const;
    void publish();

  private:
    [[nodiscard]] bool open();
    [[nodiscard]] bool isStillTheDraft() const;

    std::filesystem::path m_place;
    std::filesystem::path m_draft;
    int m_fd = -1;
    ClaimState m_state = ClaimState::Elsewhere;
};

}  // namespace braid::cli
