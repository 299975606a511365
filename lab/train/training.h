// The torch-free door to the trainer: a recipe in, a model folder out. OUT/model is the best model so far by validation (or the newest,
// without validation), OUT/last the newest, OUT/checkpoint what --resume goes on from.
// Thread: runTraining() occupies the caller's; the watch is called from it. Errors: braid::Error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/train/language/language_recipe.h"
#include "lab/train/recipe.h"
#include "lab/train/schedule.h"
#include "lab/train/speech_lm/speech_lm_recipe.h"

namespace braid::train {

// A part of the loss by name ("text", "features"), unweighted.
struct NamedLoss {
    std::string name;
    double value = 0;
};

// What `amount_per_second` counts.
enum class AmountUnit : std::uint8_t { SecondsOfSound = 1, Tokens };

struct StepReport {
    Progress progress;
    std::int64_t steps = 0;  // the means are over these many
    std::vector<NamedLoss> losses;
    double token_accuracy = 0;
    double gradient_norm = 0;
    double learning_rate = 0;
    AmountUnit unit = AmountUnit::SecondsOfSound;
    double amount_per_second = 0;        // learned from in a second
    double done = 0;                     // 0 .. 1
    std::optional<double> minutes_left;  // empty while it cannot be said yet
};

struct ValidationReport {
    double text_loss = 0;  // cross-entropy, no smoothing
    double token_accuracy = 0;
    std::optional<double> word_error_rate;  // captions: greedy, whole utterances, at the default chunk
    std::int64_t examples = 0;
    bool is_best = false;
};

class TrainingWatch {
  public:
    virtual ~TrainingWatch() = default;
    virtual void preparing(const std::string &what, double done) = 0;
    virtual void notice(const std::string &sentence) = 0;
    virtual void progress(const StepReport &report) = 0;
    virtual void validated(const ValidationReport &report) = 0;
    // Asked after every step; the run then saves and ends.
    [[nodiscard]] virtual bool stopAsked() = 0;
};

enum class TrainingStart : std::uint8_t { Fresh = 1, Resume };

struct TrainingOptions {
    std::filesystem::path out;
    TrainingStart start = TrainingStart::Fresh;  // Fresh refuses a folder that has a checkpoint
    double minutes = 0;                          // stops (and saves) after so many in this call; 0: runs to the recipe's end
    std::int64_t steps = 0;                      // likewise
};

enum class TrainingEnd : std::uint8_t { Complete = 1, Stopped };

struct TrainingResult {
    TrainingEnd end = TrainingEnd::Complete;
    Progress progress;
};

[[nodiscard]] TrainingResult runTraining(const Recipe &recipe, const TrainingOptions &options, TrainingWatch &watch);
[[nodiscard]] TrainingResult runTraining(const LanguageRecipe &recipe, const TrainingOptions &options, TrainingWatch &watch);
[[nodiscard]] TrainingResult runTraining(const SpeechLmRecipe &recipe, const TrainingOptions &options, TrainingWatch &watch);

}  // namespace braid::train
