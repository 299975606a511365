// The sound beside a journal: sound.wav, 16 kHz mono 16 bit PCM, session time, only ever appended to. The sizes in its header are set on a clean end; readers
// go by the length of the file. Thread: one. Errors: Error(Storage) on writing, Error(Input) on reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::runtime {

class JournalSound {
  public:
    // New, in the journal's folder; its owner alone can read it.
    explicit JournalSound(const std::filesystem::path &folder);
    ~JournalSound();
    JournalSound(const JournalSound &) = delete;
    JournalSound &operator=(const JournalSound &) = delete;

    // What cannot be written whole is not written at all.
    void append(std::span<const float> sound);
    // Takes no room on the disk, however long.
    void appendSilence(Sample length_samples);
    void sync();
    // A clean end: players can open it.
    void finish();

  private:
    // Writes at `position`; throws Error(Storage).
    void write(const char *bytes, std::size_t size, std::int64_t position) const;

    std::filesystem::path m_path;
    int m_fd = -1;
    std::int64_t m_bytes = 0;  // of the file
    std::string m_pcm;
};

// Where it lies in a journal's folder.
[[nodiscard]] std::filesystem::path journalSoundFile(const std::filesystem::path &folder);
// 0 where there is none.
[[nodiscard]] Sample journalSoundLength(const std::filesystem::path &folder);
// Sound of a journal from `start`; shorter at the end.
[[nodiscard]] std::vector<float> readJournalSound(const std::filesystem::path &folder, Sample start, Sample length);

}  // namespace braid::runtime
