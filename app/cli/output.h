// Where captions go: a terminal in which the unsettled words are rewritten in place, or a file in one of the formats.
// Thread: main. Errors: Error(Storage) when the file or standard output does not take it.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/options.h"
#include "core/captions/caption_events.h"
#include "core/text/transcript_writer.h"

namespace braid::cli {

// A file, or standard output where the path is empty. The file is made when the first byte is written: a run that cannot start
// leaves what stood there before.
class Sink {
  public:
    explicit Sink(std::filesystem::path path);
    ~Sink();
    Sink(const Sink &) = delete;
    Sink &operator=(const Sink &) = delete;

    void write(std::string_view text);
    // Hands everything to the system: others may be following the file.
    void flush();

  private:
    void fail() const;
    std::filesystem::path m_path;
    std::FILE *m_file = nullptr;
};

class Output {
  public:
    virtual ~Output() = default;
    virtual void event(const captions::CaptionEventBody &event) = 0;
    // The present state, several times a second.
    virtual void look(const captions::CaptionSnapshot &snapshot) = 0;
    // A line below the captions, rewritten in place; empty: none.
    virtual void status(const std::string &line) = 0;
};

// `out`: a file or empty for standard output.
[[nodiscard]] std::unique_ptr<Output> makeOutput(OutputFormat format, const std::filesystem::path &out);
// The export format that a command-line format stands for; Live and Text are Text.
[[nodiscard]] text::TranscriptFormat exportFormat(OutputFormat format);
// ".srt"
[[nodiscard]] std::string extensionOf(OutputFormat format);

}  // namespace braid::cli
