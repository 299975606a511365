// `braid-cli eval captions`: what is asked for, what a policy is asked to do, and what came of it. The command: eval_captions.cpp; hearing:
// eval_captions_run.cpp; the tables: eval_captions_report.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "core/metrics/word_error_rate.h"
#include "lab/metrics/punctuation.h"
#include "lab/metrics/word_times.h"

namespace braid::cli {

class Interrupts;

struct EvalPolicy {
    std::string name;  // as it was asked for: "streaming:beam=5"
    models::CaptionOptions options;
    const models::CaptionPolicyEntry *entry = nullptr;  // of the registry
};

// "streaming,streaming:beam=5,chunk=100,la" are three: what holds a "=" before any ":" is a setting of the policy before.
[[nodiscard]] std::vector<std::string> singlePolicies(const std::vector<std::string> &given);

enum class Normaliser : std::uint8_t { English = 1, Basic };
// Each recording as a whole, or what the voice gate of a live run lets through of it, utterance by utterance.
enum class Utterances : std::uint8_t { Whole = 1, Voice };
enum class Reporting : std::uint8_t { Nothing = 1, Progress, Texts };

struct EvalOptions {
    std::string manifest;
    std::vector<std::string> policies;  // none: those that are usual for the model
    CaptionOptions common;              // what holds for all policies
    std::size_t limit = 0;              // recordings at most; 0: all
    std::size_t every = 1;
    Normaliser normaliser = Normaliser::English;
    Utterances utterances = Utterances::Whole;
    Reporting reporting = Reporting::Progress;
};

// Recordings in which nobody says anything: every word said there is a false one.
struct SpeechlessResult {
    std::int64_t recordings = 0;
    double heard_s = 0;
    std::int64_t words = 0;
    [[nodiscard]] double wordsPerMinute() const { return heard_s > 0 ? 60 * static_cast<double>(words) / heard_s : 0; }
};

// Whether a chunk costs the same at the end of a long recording (five minutes and more) as at its beginning.
struct LongResult {
    static constexpr double kLong_s = 300;
    std::int64_t recordings = 0;
    double longest_s = 0;
    std::vector<double> first_tenth_ms;  // of every chunk in the first tenth of these recordings
    std::vector<double> last_tenth_ms;
};

// From a word's end in the sound to when it first stood there, in the tail or committed, and to when it could no longer change.
struct WordLags {
    std::vector<double> seen_ms;  // of the sound's clock alone
    std::vector<double> settled_ms;
    std::vector<double> seen_live_ms;  // and computing: as a person at the screen has it (core/metrics/live_clock.h)
    std::vector<double> settled_live_ms;
    std::int64_t by_reference = 0;  // words whose end is the manifest's: those that were said right
    std::int64_t by_policy = 0;     // words whose end is the policy's own, as the manifest has none
    WordLags &operator+=(const WordLags &other);
};

// Sums over whole recordings; one that was interrupted is in none of them.
struct EvalResult {
    std::string policy;
    int chunk_ms = 0;  // of new sound that a step waits for; 0: offline
    std::int64_t recordings = 0;
    double heard_s = 0;
    double compute_s = 0;
    metrics::WordErrors errors;           // speechless recordings not counted
    metrics::WordErrors relative_errors;  // RWER; none for offline
    metrics::WordErrors aligned_errors;   // ARWER; none without word times
    SpeechlessResult speechless;
    LongResult long_ones;
    std::vector<double> step_ms;            // computing for every chunk
    std::vector<double> chunk_rtf;          // computing by sound, of every whole chunk (CarelessWhisper, equation 27); the paper's RTF is their mean
    std::vector<double> first_word_lag_ms;  // when something first stood there, after the first word's end; by sound heard, computing not counted
    WordLags lags;
    metrics::PunctuationScore punctuation;  // where references have marks or capitals
    std::int64_t words = 0;
    std::int64_t revised_words = 0;
    std::int64_t decoder_passes = 0;
    metrics::WordTimeScore times;  // where the manifest has word times

    EvalResult &operator+=(const EvalResult &recording);  // of the same policy
};

struct EvalSetting {
    std::string model;
    std::string device;
    std::filesystem::path manifest;
    Normaliser normaliser = Normaliser::English;
    Utterances utterances = Utterances::Whole;
    bool is_whole = true;  // false: interrupted
};

struct Evaluation {
    EvalSetting setting;
    std::vector<EvalResult> results;  // one for each policy
    std::size_t unreadable = 0;       // recordings that could not be read; they were told and left out
};

// Hears all recordings with all policies; an interrupt ends it early, with what was heard. Throws Error(Input), Error(Model) or Error(Usage).
[[nodiscard]] Evaluation evaluateCaptions(const EvalOptions &options, const models::ModelAccess &access, Interrupts &interrupts);

[[nodiscard]] std::string evalTable(const Evaluation &evaluation);
[[nodiscard]] std::string evalJson(const Evaluation &evaluation);

}  // namespace braid::cli
