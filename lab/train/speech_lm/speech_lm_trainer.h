// Trains language models that listen: a frozen causal encoder, an adapter and a decoder-only model that learn (language_learner.h does the rest). What it
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
#include "lab/train/language/language_learner.h"
#include "lab/train/language/language_network.h"
#include "lab/train/speech_lm/speech_lm_recipe.h"
#include "lab/train/speech_lm/speech_sequence.h"

namespace braid::train {

class SpeechLmTrainer : public LanguageLearner {
  public:
    // Reads encoder and manifests. A vocabulary that the recipe wants learnt is learnt once and kept as `out`/tokenizer.json.
    // Where several processes train (world.h), each makes one, in turn.
    SpeechLmTrainer(const SpeechLmRecipe &recipe, const std::filesystem::path &out, TrainingWatch &watch, std::shared_ptr<World> world = alone());

    // A folder that `caption --policy speech-llm` takes.
    void writeModel(const std::filesystem::path &folder) const override;

  private:
    struct Example {
        corpus::Utterance utterance;
        SpokenWords words;
        std::int64_t tokens = 0;  // about so many, rows of speech among them
    };
    void chooseTokenizer(const std::filesystem::path &out, const std::vector<corpus::Utterance> &utterances, TrainingWatch &watch);
    // What learns: "adapter.*" and "language_model.*".
    [[nodiscard]] std::map<std::string, at::Tensor> makeNetwork(TrainingWatch &watch);
    [[nodiscard]] std::vector<Example> examplesOf(const std::vector<corpus::Utterance> &utterances, TrainingWatch &watch) const;
    [[nodiscard]] static std::vector<SequenceItem> itemsOf(const std::vector<Example> &examples);
    [[nodiscard]] Plan plan(std::uint64_t epoch) const override;
    [[nodiscard]] Plan validationPlan() const override;
    [[nodiscard]] BatchLoss lossOf(const PlannedRows &rows, Learning learning, Purpose purpose) const override;
    [[nodiscard]] models::speech::SpeechAdapter adapter(Learning learning) const;

    SpeechLmRecipe m_recipe;
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
    std::vector<Example> m_examples;
    std::vector<Example> m_validation;
};

}  // namespace braid::train
