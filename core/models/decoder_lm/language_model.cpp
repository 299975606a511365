#include "core/model_access/language_model.h"

#include <cctype>
#include <cstdio>
#include <utility>

#include "core/base/error.h"
#include "core/models/decoder_lm/lm_texts.h"
#include "core/models/decoder_lm/loaded_lm.h"
#include "core/models/decoder_lm/streams_decoder.h"
#include "core/models/decoder_lm/translator.h"
#include "core/models/device_choice.h"
#include "core/models/loading_progress.h"
#include "core/models/models.h"
#include "core/models/torch_errors.h"
#include "core/text/languages.h"
#include "core/weights/gguf_file.h"
#include "core/weights/huggingface_lm.h"

namespace braid::models {
namespace {

namespace fs = std::filesystem;

std::string languagePair(const weights::LmTranslation &pair)
{
    const auto nameOf = [](const std::string &code) {
        const std::string_view name = text::languageName(code);
        return name.empty() ? code : std::string(name);
    };
    return nameOf(pair.source) + " to " + nameOf(pair.target);
}

std::int64_t countParameters(const weights::LmConfig &config)
{
    std::int64_t count = 0;
    for (const weights::ExpectedTensor &tensor : weights::expectedLmTensors(config)) {
        std::int64_t numbers = 1;
        for (const std::int64_t size : tensor.shape) {
            numbers *= size;
        }
        count += numbers;
    }
    return count;
}

LanguageModelSummary describe(const fs::path &folder, const weights::LmConfig &config)
{
    LanguageModelSummary summary;
    summary.name = modelName(folder);
    summary.path = folder;
    summary.layers = config.layers;
    summary.heads = config.heads;
    summary.context = config.context;
    summary.token_heads = config.token_heads.count;
    summary.streams = config.streams;
    const auto parameters = static_cast<double>(countParameters(config));
    char size[32];
    std::snprintf(size, sizeof size, parameters < 1e9 ? "%.1f M" : "%.1f G", parameters < 1e9 ? parameters / 1e6 : parameters / 1e9);
    std::string family(weights::familyName(config.family));
    family[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(family[0])));
    summary.description = family + ", " + size + " parameters" + (weights::isGguf(folder) ? ", GGUF" : "");
    if (config.translation) {
        summary.source_language = config.translation->source;
        summary.target_language = config.translation->target;
        summary.trained_phi = config.translation->phi;
        summary.description += ", " + languagePair(*config.translation);
    } else if (config.streams > 0) {
        summary.description += ", " + std::to_string(config.streams) + " streams";
    }
    if (config.token_heads.count > 1) {
        summary.description += ", " + std::to_string(config.token_heads.count) + " tokens a step";
    }
    return summary;
}

LanguageModelSummary summarise(const fs::path &folder)
{
    LanguageModelSummary summary;
    try {
        summary = describe(folder, weights::readLmConfig(folder));
        summary.translates = lm::canTranslate(folder);
    } catch (const Error &error) {
        summary.name = modelName(folder);
        summary.path = folder;
        summary.problem = error.sentence();
    }
    summary.bytes = bytesOf(folder);
    return summary;
}

class LanguageModelInMemory final : public LanguageModel {
  public:
    explicit LanguageModelInMemory(std::shared_ptr<const lm::LoadedLm> lm)
        : m_lm(std::move(lm))
    {
    }
    [[nodiscard]] LanguageModelSummary summary() const override { return m_lm->summary; }

    [[nodiscard]] std::unique_ptr<translation::TranslationModel> makeTranslator(const TranslatorOptions &options) const override
    {
        const auto &pair = m_lm->model.config().translation;
        const auto languageOf = [&](const std::string &wanted, const std::string &own, const char *otherwise) {
            const std::string language = wanted.empty() ? own : wanted;
            if (pair && language != own) {
                throw Error(ErrorKind::Usage, m_lm->summary.name + " does not translate " + (own == pair->source ? "from " : "to ") + wanted, {},
                            "It knows " + languagePair(*pair));
            }
            return language.empty() ? std::string(otherwise) : language;
        };
        auto layout = lm::TranslationLayout::of(m_lm->summary.path, m_lm->tokenizer, languageOf(options.source_language, m_lm->summary.source_language, "en"),
                                                languageOf(options.target_language, m_lm->summary.target_language, "fr"));
        return std::make_unique<lm::Translator>(m_lm, std::move(layout), options);
    }

    [[nodiscard]] StreamsParts makeStreams() const override
    {
        const std::shared_ptr<const lm::DecoderLm> model(m_lm, &m_lm->model);  // keeps all of it alive
        return {std::make_shared<lm::StreamsDecoder>(model, m_lm->tokenizer->size(), m_lm->summary.name), lm::tokenTextsOf(m_lm->tokenizer)};
    }

  private:
    std::shared_ptr<const lm::LoadedLm> m_lm;
};

}  // namespace

std::vector<LanguageModelSummary> listLanguageModels(std::span<const fs::path> folders)
{
    std::vector<LanguageModelSummary> summaries;
    for (const fs::path &path : modelsIn(folders)) {
        if (weights::isLanguageModel(path)) {
            summaries.push_back(summarise(path));
        }
    }
    return summaries;
}

std::shared_ptr<LanguageModel> loadLanguageModel(const fs::path &folder, const DeviceChoice &device, std::span<const fs::path> adapters,
                                                 const Progress &progress, std::stop_token stop)
{
    LoadingProgress loading(progress, std::move(stop), modelName(folder));
    const nn::Placement placement = placementOf(device);
    useThreads(device);
    weights::LmCheckpoint checkpoint = weights::readLanguageModel(folder);
    const auto tokenizer = lm::tokenizerOf(folder);
    if (tokenizer->size() > checkpoint.config.vocabulary) {
        throw Error(ErrorKind::Model, "its tokenizer has tokens that the model does not have", folder.string(), "The tokenizer belongs to another model");
    }
    LanguageModelSummary summary = describe(folder, checkpoint.config);
    summary.translates = lm::canTranslate(folder);
    summary.bytes = checkpoint.tensors.totalBytes();
    loading.expect(summary.bytes);
    const auto watch = [&loading](std::uint64_t bytes) { loading.bytesTaken(bytes); };
    auto lm = withPlainErrors([&] { return std::make_shared<lm::LoadedLm>(lm::LoadedLm{lm::DecoderLm(checkpoint, placement, watch), tokenizer, summary}); });
    for (const fs::path &adapter : adapters) {
        const weights::LmAdapter read = weights::readLmAdapter(adapter, lm->model.config());
        withPlainErrors([&] {
            lm->model.weights().addAdapter(read);
            lm->model.weights().useAdapter(read.name);
        });
    }
    loading.finished();
    return std::make_shared<LanguageModelInMemory>(std::move(lm));
}

}  // namespace braid::models
