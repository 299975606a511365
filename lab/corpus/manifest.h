// The manifest of a corpus: JSON Lines, one utterance a line (utterance.h says how a line looks). Read and written line by line, so
// that corpora of millions of utterances need no memory and a run that was stopped goes on where it ended.
//
// Files may come from strangers: lines, texts, word counts and times are bounded, unknown keys are refused (a misspelt "ofset_s" would
// otherwise train a model on the wrong sound). Errors: Error(Input) with file and line; Error(Storage) on writing. Thread: one.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/file.h"
#include "lab/corpus/utterance.h"

namespace braid::corpus {

inline constexpr std::size_t kMostLineBytes = 4u << 20;
inline constexpr std::size_t kMostTextBytes = 1u << 20;
inline constexpr std::size_t kMostWords = 100'000;          // of one utterance
inline constexpr std::size_t kMostUtterances = 20'000'000;  // of one manifest
inline constexpr double kLongestSeconds = 1e6;              // of a time in a file, an offset or a length

// One line, without its line break. `folder`: what a relative path is relative to. `where` names file and line in errors.
[[nodiscard]] Utterance parseManifestLine(std::string_view line, const std::filesystem::path &folder, const std::string &where);
// The same backwards: paths below `folder` are written relative to it, others whole. No line break; times are exact to a sample.
[[nodiscard]] std::string manifestLine(const Utterance &utterance, const std::filesystem::path &folder);

// Utterance after utterance; empty lines are skipped.
class ManifestReader {
  public:
    explicit ManifestReader(const std::filesystem::path &path);
    // False at the end.
    [[nodiscard]] bool next(Utterance &utterance);
    [[nodiscard]] std::size_t line() const noexcept { return m_line; }  // of the utterance last given, from 1

  private:
    std::filesystem::path m_path;
    std::filesystem::path m_folder;
    std::ifstream m_file;
    std::string m_text;
    std::size_t m_line = 0;
    std::size_t m_utterances = 0;
};

[[nodiscard]] std::vector<Utterance> readManifest(const std::filesystem::path &path);

enum class ManifestOpening { Replace = 1, Continue };

// Appends whole lines, each handed to the system at once. Continue cuts off a torn last line (a crash while writing) and goes on after it.
class ManifestWriter {
  public:
    ManifestWriter(const std::filesystem::path &path, ManifestOpening opening);
    void append(const Utterance &utterance);
    void sync() { m_file.sync(); }

  private:
    std::filesystem::path m_folder;
    AppendFile m_file;
};

}  // namespace braid::corpus
