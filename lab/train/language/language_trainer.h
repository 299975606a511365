// Language models: network, optimizer, batches and schedule, stepped one batch at a time (learner.h). Torch header; thread: one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/text/language_tokenizer.h"
#include "lab/train/language/language_batch.h"
#include "lab/train/language/language_folder.h"
#include "lab/train/language/language_network.h"
#include "lab/train/language/language_recipe.h"
#include "lab/train/language/sequence.h"
#include "lab/train/learner.h"
#include "lab/train/trained_weights.h"
#include "lab/train/world.h"

namespace braid::train {

class LanguageTrainer : public Learner {
  public:
    // Reads the start and the texts. A vocabulary that the recipe wants learnt is learnt once and kept as `out`/tokenizer.json.
    // Where several processes train (world.h), each makes one, in turn.
    LanguageTrainer(const LanguageRecipe &recipe, const std::filesystem::path &out, TrainingWatch &watch, std::shared_ptr<World> world = alone());

    [[nodiscard]] Step step() override;
    [[nodiscard]] ValidationReport validate() override;
    [[nodiscard]] bool hasValidation() const override { return !m_validation.empty(); }
    [[nodiscard]] Checkpoint checkpoint() const override;
    void restore(const Checkpoint &checkpoint, TrainingWatch &watch) override;
    void writeModel(const std::filesystem::path &folder) const override;

    [[nodiscard]] Progress &progress() noexcept override { return m_progress; }
    [[nodiscard]] const Schedule &schedule() const noexcept override { return m_schedule; }
    [[nodiscard]] std::uint64_t recipeKey() const noexcept override { return m_recipe_key; }
    [[nodiscard]] const LanguageNetwork &network() const noexcept { return *m_network; }
    [[nodiscard]] const SequenceSource &source() const noexcept { return *m_source; }

  private:
    enum class RowsOf : std::uint8_t { AllProcesses = 1, ThisProcess };
    void chooseTokenizer(const std::filesystem::path &out, TrainingWatch &watch, const std::function<std::string()> &learn);
    void readTranslation(const std::filesystem::path &out, TrainingWatch &watch);
    void readStreams(const std::filesystem::path &out, TrainingWatch &watch);
    void makeNetwork(LanguageUse use, TrainingWatch &watch);
    void planEpoch();
    // The loss of this process's part of a batch becomes, with its gradients, that of the whole.
    void joinProcesses(LanguageLoss &loss, double &token_count) const;
    [[nodiscard]] std::vector<Sequence> sequencesOf(const std::vector<SequenceItem> &items, std::uint64_t epoch, std::uint64_t batch, RowsOf whose) const;

    LanguageRecipe m_recipe;
    std::shared_ptr<World> m_world;
    std::uint64_t m_recipe_key = 0;
    std::shared_ptr<const text::LanguageTokenizer> m_tokenizer;
    LanguageFolder m_files;
    std::unique_ptr<SequenceSource> m_source;
    std::unique_ptr<LanguageNetwork> m_network;
    std::unique_ptr<TrainedWeights> m_weights;
    Schedule m_schedule;
    Progress m_progress;
    LoaderPlace m_next;
    std::vector<std::vector<SequenceItem>> m_plan;  // of epoch m_next.epoch
    std::vector<std::vector<SequenceItem>> m_validation;
};

}  // namespace braid::train
