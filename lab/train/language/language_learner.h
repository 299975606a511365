// What trainers of language models share, stepped one batch at a time (learner.h): batches planned for an epoch, the optimizer's step along the loss of all
// heads, validation, and where a run goes on. What a batch is made of is each trainer's own. Several processes (world.h) share the rows of every batch.
// Torch header; thread: one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/train/language/language_batch.h"
#include "lab/train/language/language_network.h"
#include "lab/train/language/language_recipe.h"
#include "lab/train/language/sequence.h"
#include "lab/train/learner.h"
#include "lab/train/loader.h"
#include "lab/train/trained_weights.h"
#include "lab/train/world.h"

namespace braid::train {

class LanguageLearner : public Learner {
  public:
    [[nodiscard]] Step step() override;
    [[nodiscard]] ValidationReport validate() override;
    [[nodiscard]] bool hasValidation() const override { return !m_validation.empty(); }
    [[nodiscard]] Checkpoint checkpoint() const override;
    void restore(const Checkpoint &checkpoint, TrainingWatch &watch) override;

    [[nodiscard]] Progress &progress() noexcept override { return m_progress; }
    [[nodiscard]] const Schedule &schedule() const noexcept override { return m_schedule; }
    [[nodiscard]] std::uint64_t recipeKey() const noexcept override { return m_recipe_key; }

  protected:
    using Plan = std::vector<std::vector<SequenceItem>>;  // the items of each batch
    enum class Purpose : std::uint8_t { Training = 1, Validation };
    // A batch of the plan, and which of its rows are to be computed: from `first` on every `every`-th. Everything random follows from the numbers of batch
    // and row, whoever computes it.
    struct PlannedRows {
        std::span<const SequenceItem> items;
        std::uint64_t epoch = 0;
        std::uint64_t number = 0;
        std::size_t first = 0;
        std::size_t every = 1;
    };
    struct BatchLoss {
        LanguageLoss loss;
        std::int64_t tokens = 0;  // without padding
    };

    LanguageLearner(const RunRecipe &run, TokenHeadsRecipe heads, std::shared_ptr<World> world);
    // Once plan(), validationPlan() and lossOf() can be called: what is trained, and the first epoch.
    void begin(const std::map<std::string, at::Tensor> &parameters);

    [[nodiscard]] virtual Plan plan(std::uint64_t epoch) const = 0;
    [[nodiscard]] virtual Plan validationPlan() const = 0;
    // `rows` has at least one. Training: with its graph, smoothed, and what is dropped is dropped.
    [[nodiscard]] virtual BatchLoss lossOf(const PlannedRows &rows, Learning learning, Purpose purpose) const = 0;

    [[nodiscard]] const TokenHeadsRecipe &heads() const noexcept { return m_heads; }
    [[nodiscard]] const TrainedWeights &weights() const noexcept { return *m_weights; }

  private:
    // The loss of this process's rows becomes, with its gradients, that of the whole batch.
    void joinProcesses(BatchLoss &own) const;

    OptimizerRecipe m_optimizer;
    TokenHeadsRecipe m_heads;
    std::shared_ptr<World> m_world;
    std::uint64_t m_recipe_key = 0;
    std::unique_ptr<TrainedWeights> m_weights;
    Schedule m_schedule;
    Progress m_progress;
    LoaderPlace m_next;
    Plan m_plan;  // of epoch m_next.epoch
    Plan m_validation;
};

}  // namespace braid::train
