// The torch-free door to the trainer: a recipe in, a model folder out. OUT/model is the best model so far by validation (or the newest,
// without validation), OUT/last the newest, OUT/checkpoint what --resume goes on from.
// Thread: runTraining() occupies the caller's; the watch is called from it. Errors: braid::Error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "core/train/recipe.h"
#include "core/train/schedule.h"

namespace braid::train {

struct StepReport {
    Progress progress;
    std::int64_t steps = 0;   // the means are over these many
    double text = 0;
    double frames = 0;
    double attention = 0;
    double features = 0;
    double token_accuracy = 0;
    double gradient_norm = 0;
    double learning_rate = 0;
    double sound_per_second = 0;           // seconds of sound learned from in a second
    double done = 0;                       // 0 .. 1
    std::optional<double> minutes_left;    // empty while it cannot be said yet
};

struct ValidationReport {
    double text_loss = 0;        // cross-entropy at the end and at sampled points, no smoothing
    double token_accuracy = 0;
    double word_error_rate = 0;  // greedy, whole utterances, at the default chunk
    std::int64_t utterances = 0;
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

}  // namespace braid::train
