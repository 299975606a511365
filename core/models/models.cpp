#include "core/models/models.h"

#include "core/models/speech_lm/speech_caption_model.h"
#include "core/weights/speech_lm.h"

namespace braid::models {
namespace {

class TorchLoader final : public ModelLoader {
  public:
    std::vector<ModelSummary> captionModels(std::span<const std::filesystem::path> folders) const override { return listModels(folders); }
    std::vector<LanguageModelSummary> languageModels(std::span<const std::filesystem::path> folders) const override { return listLanguageModels(folders); }
    std::string describe(const DeviceChoice &device) const override { return describeDevice(device); }
    void useThreads(const DeviceChoice &device) const override { models::useThreads(device); }
    std::shared_ptr<CaptionModel> loadCaptionModel(const ModelChoice &choice, const Progress &progress, std::stop_token stop) const override
    {
        if (weights::isSpeechLm(choice.path)) {
            return speech::loadSpeechCaptionModel(choice.path, choice.device, progress, std::move(stop));
        }
        return models::loadCaptionModel(choice.path, choice.device, progress, std::move(stop));
    }
    std::shared_ptr<LanguageModel> loadLanguageModel(const ModelChoice &choice, const Progress &progress, std::stop_token stop) const override
    {
        return models::loadLanguageModel(choice.path, choice.device, choice.adapters, progress, std::move(stop));
    }
};

}  // namespace

std::shared_ptr<const ModelLoader> makeModelLoader()
{
    return std::make_shared<TorchLoader>();
}

}  // namespace braid::models
