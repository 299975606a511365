// One training run: network, optimizer, loader and schedule, stepped one batch at a time. runTraining() (training.h) is the loop around
// it that reports, validates, saves and stops. Torch header; thread: one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/train/checkpoint.h"
#include "core/train/feature_library.h"
#include "core/train/loader.h"
#include "core/train/losses.h"
#include "core/train/model_folder.h"
#include "core/train/network.h"
#include "core/train/optimizer.h"
#include "core/train/schedule.h"
#include "core/train/training.h"

namespace braid::train {

class Trainer {
  public:
    // Prepares everything: reads the start, decodes sound and computes features that the cache lacks.
    Trainer(const Recipe &recipe, TrainingWatch &watch);

    struct Step {
        LossParts losses;
        double norm = 0;
        double rate = 0;
        double seconds = 0;  // of sound
        bool ends_epoch = false;
    };
    // One batch: loss, gradients, optimizer. `minutes` of computing are added to the progress.
    [[nodiscard]] Step step();
    [[nodiscard]] ValidationReport validate();

    [[nodiscard]] Checkpoint checkpoint() const;
    // Throws Error(Input) where the checkpoint does not fit the recipe's network.
    void restore(const Checkpoint &checkpoint);
    // The weights that validate best: the average where the recipe keeps one.
    void writeModel(const std::filesystem::path &folder) const;

    [[nodiscard]] Progress &progress() noexcept { return m_progress; }
    [[nodiscard]] const Progress &progress() const noexcept { return m_progress; }
    [[nodiscard]] const Schedule &schedule() const noexcept { return m_schedule; }
    [[nodiscard]] const Network &network() const noexcept { return *m_network; }
    [[nodiscard]] const SpeechLibrary &library() const noexcept { return *m_library; }
    [[nodiscard]] std::uint64_t recipeKey() const noexcept { return m_recipe_key; }
    [[nodiscard]] bool hasValidation() const noexcept { return !m_library->validation().empty(); }

  private:
    void readStart(TrainingWatch &watch);
    void prepareSpeech(TrainingWatch &watch);
    void startLoader(LoaderPlace from);
    void updateAverage();
    [[nodiscard]] LossSettings lossSettings() const;
    // Runs `work` with the averaged weights in the network's place.
    template <typename Work>
    void withAverage(const Work &work) const;

    Recipe m_recipe;
    std::uint64_t m_recipe_key = 0;
    ModelDescription m_description;
    std::shared_ptr<const text::WhisperTokenizer> m_tokenizer;
    TextFrame m_text;
    std::unique_ptr<Network> m_network;
    std::unique_ptr<Optimizer> m_optimizer;
    std::map<std::string, at::Tensor> m_average;
    Schedule m_schedule;
    Progress m_progress;
    LoaderPlace m_next;
    std::unique_ptr<SpeechLibrary> m_library;
    std::unique_ptr<FeatureLibrary> m_features;
    std::unique_ptr<WindowMaker> m_maker;
    std::unique_ptr<Loader> m_loader;
};

}  // namespace braid::train
