// Trains streaming translation or parallel streams: the network and the sequences that batches are made of (language_learner.h does the rest). Torch header;
// thread: one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/text/language_tokenizer.h"
#include "lab/train/language/language_folder.h"
#include "lab/train/language/language_learner.h"
#include "lab/train/language/language_network.h"
#include "lab/train/language/language_recipe.h"
#include "lab/train/language/sequence.h"

namespace braid::train {

class LanguageTrainer : public LanguageLearner {
  public:
    // Reads the start and the texts. A vocabulary that the recipe wants learnt is learnt once and kept as `out`/tokenizer.json.
    // Where several processes train (world.h), each makes one, in turn.
    LanguageTrainer(const LanguageRecipe &recipe, const std::filesystem::path &out, TrainingWatch &watch, std::shared_ptr<World> world = alone());

    void writeModel(const std::filesystem::path &folder) const override;

    [[nodiscard]] const LanguageNetwork &network() const noexcept { return *m_network; }
    [[nodiscard]] const SequenceSource &source() const noexcept { return *m_source; }

  private:
    void chooseTokenizer(const std::filesystem::path &out, TrainingWatch &watch, const std::function<std::string()> &learn);
    void readTranslation(const std::filesystem::path &out, TrainingWatch &watch);
    void readStreams(const std::filesystem::path &out, TrainingWatch &watch);
    void makeNetwork(LanguageUse use, TrainingWatch &watch);
    [[nodiscard]] Plan plan(std::uint64_t epoch) const override;
    [[nodiscard]] Plan validationPlan() const override;
    [[nodiscard]] BatchLoss lossOf(const PlannedRows &rows, Learning learning, Purpose purpose) const override;

    LanguageRecipe m_recipe;
    std::shared_ptr<const text::LanguageTokenizer> m_tokenizer;
    LanguageFolder m_files;
    std::unique_ptr<SequenceSource> m_source;
    std::unique_ptr<LanguageNetwork> m_network;
};

}  // namespace braid::train
