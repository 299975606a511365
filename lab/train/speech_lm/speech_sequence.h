// Speech and its text as a language model that listens learns them: one sequence, row by row what a run sees (translation::WaitKTranslator over
// models::lm::TranslationRun, group positions). Source: <|source|>, the rows of the segments, <|end|>; target: <|target|>, words, <|end|>.
//
// When word i may be written: k + i - 1 segments are read (wait-k; the end of the speech counts as one), and, where the words have times, the segment too in
// which the word ends. Until then the model is to say that it has nothing to add: it learns to predict <|end|> there, which makes a run read one more segment
// (wait_k.h). These are rows of their own, the last token of the word before once more, which no other row sees.
// Source: "LLM as Effective Streaming Processor", B.1 and figure 5; the waiting rows are ours. No torch. Thread: any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/sample_clock.h"
#include "core/text/translation_frame.h"
#include "lab/train/language/sequence.h"

namespace braid::train {

// A source token that is a row of speech.
inline constexpr std::int32_t kSpeechRow = -1;

struct SpokenWords {
    std::vector<std::vector<std::int32_t>> tokens;  // of each word, with the space before it
    std::vector<Sample> ends;                       // where each ends in the sound; empty: not known
};

struct SpeechReading {
    std::int64_t k = 3;
    double phi = 0;
    std::int64_t heads = 1;  // tokens that each row learns to predict
    Sample segment_samples = 6400;
    std::int64_t most_waiting_rows = 3;  // before a word
};

// How many segments are read when each word is written, and at the end: [words + 1], the end of the speech counted as one more. `segments`: of the speech.
[[nodiscard]] std::vector<std::int64_t> segmentsRead(const SpokenWords &words, std::int64_t segments, const SpeechReading &reading);

// `rows`: of each segment. Rows of speech are kSpeechRow among the tokens, in order. Errors: Error(Internal) for no segment or a k below 1.
[[nodiscard]] Sequence speechSequence(const text::TranslationFrame &frame, std::span<const std::int64_t> rows, const SpokenWords &words,
                                      const SpeechReading &reading);

// Rows of each segment of a sound, as a run reads it: whole segments, each with its look-ahead behind it, then what is left.
// `samples` of sound, `frame_samples` an encoder frame, `stack` of which become a row.
[[nodiscard]] std::vector<std::int64_t> rowsOfSegments(Sample samples, Sample segment_samples, Sample look_ahead_samples, Sample frame_samples,
                                                       std::int64_t stack);

}  // namespace braid::train
