// One kind of training, stepped one batch at a time, as the loop of runTraining() sees it (training.h): the loop reports, validates, saves
// and stops. Torch header; thread: one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lab/train/checkpoint.h"
#include "lab/train/schedule.h"
#include "lab/train/training.h"

namespace braid::train {

class Learner {
  public:
    virtual ~Learner() = default;

    struct Step {
        std::vector<NamedLoss> losses;  // the same names in the same order every time
        double tokens = 0;              // predicted
        double correct_tokens = 0;      // of these, most probable and right
        double norm = 0;                // of the gradients
        double rate = 0;
        double amount = 0;  // learned from, in the unit of the report
        bool ends_epoch = false;
    };
    // One batch: loss, gradients, optimizer.
    [[nodiscard]] virtual Step step() = 0;
    // Stages of a recipe, one after another; the next is prepared and begins when the schedule of the one before is done.
    [[nodiscard]] virtual bool hasNextStage() const { return false; }
    virtual void beginNextStage(TrainingWatch &) {}
    [[nodiscard]] virtual ValidationReport validate() = 0;
    [[nodiscard]] virtual bool hasValidation() const = 0;

    [[nodiscard]] virtual Checkpoint checkpoint() const = 0;
    // Throws Error(Input) where the checkpoint does not fit the recipe's network.
    virtual void restore(const Checkpoint &checkpoint, TrainingWatch &watch) = 0;
    // The weights that validate best: the average where the recipe keeps one.
    virtual void writeModel(const std::filesystem::path &folder) const = 0;

    [[nodiscard]] virtual Progress &progress() noexcept = 0;
    [[nodiscard]] virtual const Schedule &schedule() const noexcept = 0;
    [[nodiscard]] virtual std::uint64_t recipeKey() const noexcept = 0;  // of the recipe's text
};

}  // namespace braid::train
