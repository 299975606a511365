// Captions: network, optimizer, loader and schedule, stepped one batch at a time (learner.h). A recipe may have stages: each has speech, optimizer
// and schedule of its own and goes on with the network that the one before would have exported, its adapters merged. Torch header; thread: one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/train/feature_library.h"
#include "lab/train/learner.h"
#include "lab/train/loader.h"
#include "lab/train/losses.h"
#include "lab/train/model_folder.h"
#include "lab/train/network.h"
#include "lab/train/replicas.h"
#include "lab/train/trained_weights.h"

namespace braid::train {

class Trainer : public Learner {
  public:
    // Prepares everything: reads the start, decodes sound and computes features that the cache lacks.
    // Where several processes train, each makes one, in turn.
    Trainer(const Recipe &recipe, TrainingWatch &watch, std::shared_ptr<World> world = alone());

    [[nodiscard]] Step step() override;
    [[nodiscard]] ValidationReport validate() override;
    [[nodiscard]] bool hasValidation() const override { return !m_library->validation().empty(); }
    [[nodiscard]] Checkpoint checkpoint() const override;
    [[nodiscard]] bool hasNextStage() const override { return m_progress.stage + 1 < static_cast<std::int64_t>(m_recipe.stages.size()); }
    void beginNextStage(TrainingWatch &watch) override;
    void restore(const Checkpoint &checkpoint, TrainingWatch &watch) override;
    void writeModel(const std::filesystem::path &folder) const override;

    [[nodiscard]] Progress &progress() noexcept override { return m_progress; }
    [[nodiscard]] const Progress &progress() const noexcept { return m_progress; }
    [[nodiscard]] const Schedule &schedule() const noexcept override { return m_schedule; }
    [[nodiscard]] const Network &network() const noexcept { return *m_network; }
    [[nodiscard]] const SpeechLibrary &library() const noexcept { return *m_library; }
    [[nodiscard]] std::uint64_t recipeKey() const noexcept override { return m_recipe_key; }

  private:
    // The recipe of the stage.
    [[nodiscard]] const Recipe &now() const noexcept
    {
        return m_recipe.stages.empty() ? m_recipe : m_recipe.stages[static_cast<std::size_t>(m_progress.stage)];
    }
    [[nodiscard]] std::span<const Recipe> allStages() const noexcept
    {
        return m_recipe.stages.empty() ? std::span(&m_recipe, 1) : std::span<const Recipe>(m_recipe.stages);
    }
    void readStart(TrainingWatch &watch);
    // Everything that belongs to the stage, over the network as it is; the loader is started by itself.
    void prepareStage(TrainingWatch &watch);
    void prepareSpeech(TrainingWatch &watch);
    // The encoder's output on every utterance of the stage, where the cache lacks it.
    void prepareEncoded(TrainingWatch &watch);
    [[nodiscard]] std::map<std::string, double> rates() const;
    void startLoader(LoaderPlace from);
    [[nodiscard]] LossSettings lossSettings() const;

    Recipe m_recipe;
    std::shared_ptr<World> m_world;
    std::uint64_t m_recipe_key = 0;
    ModelDescription m_description;
    std::shared_ptr<const text::WhisperTokenizer> m_tokenizer;
    TextFrame m_text;
    std::unique_ptr<Network> m_network;
    std::unique_ptr<Replicas> m_replicas;
    std::unique_ptr<TrainedWeights> m_weights;
    Schedule m_schedule;
    Progress m_progress;
    LoaderPlace m_next;
    std::unique_ptr<SpeechLibrary> m_library;
    std::unique_ptr<FeatureLibrary> m_features;
    std::unique_ptr<FeatureLibrary> m_encoded;
    std::unique_ptr<WindowMaker> m_maker;
    std::unique_ptr<Loader> m_loader;
};

}  // namespace braid::train
