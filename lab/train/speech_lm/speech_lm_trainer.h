// Language models that listen: a frozen causal encoder, an adapter and a decoder-only model that learn, stepped one batch at a time (learner.h). What it
// learns from, row by row: speech_sequence.h; the loss over all heads: language_batch.h ("Faster Speech-LLaMA with multi-token prediction", equation 11).
// Torch header; thread: one. Errors: Error(Input), Error(Model).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/models/speech_encoders/speech_adapter.h"
#include "core/models/whisper/encoder.h"
#include "core/text/language_tokenizer.h"
#include "core/text/translation_frame.h"
#include "core/weights/speech_lm.h"
#include "lab/corpus/utterance.h"
#include "lab/train/language/language_batch.h"
#include "lab/train/language/language_network.h"
#include "lab/train/learner.h"
#include "lab/train/loader.h"
#include "lab/train/speech_lm/speech_lm_recipe.h"
#include "lab/train/speech_lm/speech_sequence.h"
#include "lab/train/trained_weights.h"

namespace braid::train {

class SpeechLmTrainer : public Learner {
  public:
    // Reads encoder and manifests. A vocabulary that the recipe wants learnt is learnt once and kept as `out`/tokenizer.json.
    SpeechLmTrainer(const SpeechLmRecipe &recipe, const std::filesystem::path &out, TrainingWatch &watch);

    [[nodiscard]] Step step() override;
    [[nodiscard]] ValidationReport validate() override;
    [[nodiscard]] bool hasValidation() const override { return !m_validation.empty(); }
    [[nodiscard]] Checkpoint checkpoint() const override;
    void restore(const Checkpoint &checkpoint, TrainingWatch &watch) override;
    // A folder that `caption --policy speech-llm` takes.
    void writeModel(const std::filesystem::path &folder) const override;

    [[nodiscard]] Progress &progress() noexcept override { return m_progress; }
    [[nodiscard]] const Schedule &schedule() const noexcept override { return m_schedule; }
    [[nodiscard]] std::uint64_t recipeKey() const noexcept override { return m_recipe_key; }

  private:
    struct Example {
        corpus::Utterance utterance;
        SpokenWords words;
        std::int64_t tokens = 0;  // about so many, rows of speech among them
    };
    void chooseTokenizer(const std::filesystem::path &out, const std::vector<corpus::Utterance> &utterances, TrainingWatch &watch);
    void makeNetwork(TrainingWatch &watch);
    [[nodiscard]] std::vector<Example> examplesOf(const std::vector<corpus::Utterance> &utterances, TrainingWatch &watch) const;
    void planEpoch();
    [[nodiscard]] std::vector<SequenceItem> itemsOf(const std::vector<Example> &examples) const;
    [[nodiscard]] LanguageLoss lossOf(const std::vector<Example> &examples, const std::vector<SequenceItem> &items, double label_smoothing, Learning learning,
                                      Random random, std::int64_t *tokens) const;
    [[nodiscard]] models::speech::SpeechAdapter adapter(Learning learning) const;

    SpeechLmRecipe m_recipe;
    std::uint64_t m_recipe_key = 0;
    weights::SpeechLmConfig m_config;
    std::map<std::string, at::Tensor> m_encoder_tensors;  // as read, to be written again
    std::shared_ptr<const models::speech::SpeechEncoder> m_encoder;
    std::filesystem::path m_tokenizer_file;
    std::shared_ptr<const text::LanguageTokenizer> m_tokenizer;
    std::optional<text::TranslationFrame> m_frame;
    std::string m_language_config;  // config.json of the language model
    std::string m_config_text;      // of the whole
    std::unique_ptr<LanguageNetwork> m_network;
    std::map<std::string, at::Tensor> m_adapter;  // "adapter.0.weight", ...
    std::unique_ptr<TrainedWeights> m_weights;    // of both: "adapter.*" and "language_model.*"
    Schedule m_schedule;
    Progress m_progress;
    LoaderPlace m_next;
    std::vector<Example> m_examples;
    std::vector<Example> m_validation;
    std::vector<std::vector<SequenceItem>> m_plan;  // of epoch m_next.epoch
};

}  // namespace braid::train
