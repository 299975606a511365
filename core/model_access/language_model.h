// A decoder-only language model as everything but core/models sees it: loaded once, then what runs is made from it. No torch here.
//
// Thread: loading on any; what is made from a model belongs to the thread that uses it, and keeps the model alive. Two threads may each use
// what they made from one model at the same time: nothing changes in the model while it runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/drafting/acceptance.h"
#include "core/model_access/caption_model.h"
#include "core/streams/sampling.h"
#include "core/streams/streams_model.h"
#include "core/streams/token_texts.h"
#include "core/translation/translation_model.h"

namespace braid::models {

enum class AttentionPooling : std::uint8_t { Mean = 1, Max };
inline constexpr std::array<std::pair<std::string_view, AttentionPooling>, 2> kAttentionPoolings = {
    {{"mean", AttentionPooling::Mean}, {"max", AttentionPooling::Max}}};
// Which attention of a pass is looked at; costs only where somebody looks.
struct AttentionChoice {
    std::optional<std::int64_t> layer;  // from 0; empty: all
    std::optional<std::int64_t> head;   // from 0; empty: all
    AttentionPooling pooling = AttentionPooling::Mean;
};

struct TranslatorOptions {
    std::string paradigm = "group";  // as paradigms::paradigmNamed() knows them
    double phi = 0;                  // where the target's positions begin, in group streaming
    streams::Sampling sampling;      // temperature 0: the most probable
    std::uint64_t seed = 0;
    int rivals = 3;  // told for every token
    AttentionChoice attention;
    drafting::DraftSettings drafting;  // several tokens a step, by a model that has heads for it
    // Of models that are told in words what to do; those that know one pair refuse another. Codes ("en"); empty: the model's own, else English to French.
    std::string source_language;
    std::string target_language;
};

struct LanguageModelSummary {
    std::string name;  // folder name
    std::filesystem::path path;
    std::string description;  // "Llama, 4.2 M parameters, English to French"
    std::uint64_t bytes = 0;
    std::int64_t layers = 0;
    std::int64_t heads = 0;
    std::int64_t context = 0;      // tokens it was made for
    std::int64_t token_heads = 1;  // tokens it can predict at once
    std::int64_t streams = 0;      // parallel streams it was trained for; 0: none
    bool translates = false;       // made for it, or follows instructions
    std::string source_language;   // of a model made for one pair; else empty: any
    std::string target_language;
    std::vector<double> trained_phi;  // offsets it was trained with; empty: not known
    std::string problem;              // a sentence where it cannot be used
};

struct StreamsParts {
    std::shared_ptr<streams::StreamsModel> model;
    std::shared_ptr<const streams::TokenTexts> texts;  // const from any thread
};

class LanguageModel {
  public:
    virtual ~LanguageModel() = default;
    [[nodiscard]] virtual LanguageModelSummary summary() const = 0;
    // Throws Error(Usage) for options that cannot be, Error(Model) where the model does not translate.
    [[nodiscard]] virtual std::unique_ptr<translation::TranslationModel> makeTranslator(const TranslatorOptions &options) const = 0;
    // Parallel streams, or, behind streams::OneQueueModel, the single-stream baseline. Any model runs; one that was trained for it has `streams`.
    [[nodiscard]] virtual StreamsParts makeStreams() const = 0;
};

}  // namespace braid::models
