// Subtitles from words: cues of at most two lines that a reader can follow, cut at sentence ends and pauses where they come in time.
// Streaming: a cue is given out as soon as the word after it is known. Thread: one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/text/transcript.h"

namespace braid::text {

struct Cue {
    Sample start_sample = 0;
    Sample end_sample = 0;  // not after the next cue's start
    std::vector<std::string> lines;
};

struct CueLimits {
    std::size_t line_columns = 42;
    Sample shortest_samples = samplesFromSeconds(1);   // shown for so long, unless the next cue comes first
    double columns_per_second = 20;                    // as fast as people read: shown so long, unless the next cue comes first
    Sample lingering_samples = samplesFromSeconds(1);  // but never for longer than this after its last word
    Sample longest_samples = samplesFromSeconds(7);
    Sample pause_samples = samplesFromMs(800);  // a longer silence ends a cue
    std::size_t sentence_columns = 30;          // a sentence end closes a cue that is at least so long
};

// A cue's text in lines of at most `limits.line_columns`, two where they are enough. A word's line feeds are to be spaces already.
[[nodiscard]] std::vector<std::string> layOutCue(const std::string &text, const CueLimits &limits);

class CueBuilder {
  public:
    explicit CueBuilder(CueLimits limits = {});

    // The cues that became complete; at most one for each word.
    [[nodiscard]] std::vector<Cue> push(const TranscriptItem &item);
    [[nodiscard]] std::vector<Cue> finish();

  private:
    [[nodiscard]] std::optional<Cue> close(std::optional<Sample> next_start);
    [[nodiscard]] bool endsBefore(const Word &word) const;

    CueLimits m_limits;
    std::string m_text;
    Sample m_start = 0;
    Sample m_end = 0;
    Sample m_last_end = 0;  // end of the cue given out last
    bool m_break = false;
};

}  // namespace braid::text
