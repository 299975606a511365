// The learning rate over a run. Plain arithmetic; no torch. Thread: one.
//  - Steps, Minutes: warm-up, a plateau for the share `hold` of the run, then a straight line to zero at its end.
//  - Plateau (CarelessWhisper, appendix C): times `factor` after `patience` validations without a better one.
#pragma once

#include <cstdint>

#include "lab/train/recipe.h"

namespace braid::train {

// How far a run is; part of its checkpoint.
struct Progress {
    std::int64_t steps = 0;
    std::int64_t epochs = 0;  // whole ones
    double minutes = 0;       // of training, pauses not counted
    double factor = 1;        // Plateau's
    std::int64_t without_better = 0;
    double best_loss = 0;
    bool has_best = false;
    std::int64_t stage = 0;  // of a recipe with several; what follows is what there was when it began
    std::int64_t stage_steps = 0;
    std::int64_t stage_epochs = 0;
    double stage_minutes = 0;

    // The next stage begins here, with a plateau and a best loss of its own.
    void beginNextStage() { *this = {steps, epochs, minutes, 1, 0, 0, false, stage + 1, steps, epochs, minutes}; }
};

class Schedule {
  public:
    Schedule(const ScheduleRecipe &recipe, double peak)
        : m_recipe(recipe)
        , m_peak(peak)
    {
    }
    [[nodiscard]] double rate(const Progress &progress) const;
    [[nodiscard]] ScheduleKind kind() const noexcept { return m_recipe.kind; }
    // Of the stage: 0 .. 1
    [[nodiscard]] double done(const Progress &progress) const;
    // Counts a validation; true where it is the best so far.
    [[nodiscard]] bool judge(Progress &progress, double validation_loss) const;

  private:
    ScheduleRecipe m_recipe;
    double m_peak = 0;
};

}  // namespace braid::train
