#include "core/model_access/model_access.h"

#include "core/base/error.h"

namespace braid::models {
namespace {

class WithoutModels final : public ModelLoader {
  public:
    std::vector<ModelSummary> captionModels(std::span<const std::filesystem::path>) const override { refuse(); }
    std::vector<LanguageModelSummary> languageModels(std::span<const std::filesystem::path>) const override { refuse(); }
    std::string describe(const DeviceChoice &) const override { return "built without libtorch"; }
    void useThreads(const DeviceChoice &) const override {}
    std::shared_ptr<CaptionModel> loadCaptionModel(const ModelChoice &, const Progress &, std::stop_token) const override { refuse(); }
    std::shared_ptr<LanguageModel> loadLanguageModel(const ModelChoice &, const Progress &, std::stop_token) const override { refuse(); }

  private:
    [[noreturn]] static void refuse()
    {
        throw Error(ErrorKind::Usage, "this build of Braid computes nothing: it was made without libtorch", {}, "Build with BRAID_TORCH=ON");
    }
};

}  // namespace

std::shared_ptr<const ModelLoader> withoutModels()
{
    return std::make_shared<WithoutModels>();
}

std::filesystem::path findTranslator(const ModelAccess &access, const std::string &source_language, const std::string &target_language)
{
    if (source_language.empty() && target_language.empty()) {
        return findLanguageModel(kTranslatorInTheBox, access.folders);
    }
    const auto fits = [](const std::string &wanted, const std::string &language) { return wanted.empty() || wanted == language; };
    std::string known;
    for (const LanguageModelSummary &model : access.loader->languageModels(access.folders)) {
        if (model.source_language.empty() || !model.problem.empty()) {
            continue;
        }
        if (fits(source_language, model.source_language) && fits(target_language, model.target_language)) {
            return model.path;
        }
        known += (known.empty() ? "" : ", ") + model.source_language + " to " + model.target_language + " (" + model.name + ")";
    }
    throw Error(ErrorKind::Model,
                "no model here was made to translate" + (source_language.empty() ? "" : " from " + source_language) +
                    (target_language.empty() ? "" : " to " + target_language),
                {}, (known.empty() ? std::string() : "There is " + known + ". ") + "A chat model that is told the languages can be named with --model");
}

std::function<std::unique_ptr<captions::CaptionPolicy>(const Progress &, std::stop_token)>
policyFactory(const ModelAccess &access, std::shared_ptr<CaptionModelCache> cache, ModelChoice choice, CaptionOptions options)
{
    return [policies = access.policies, cache = std::move(cache), choice = std::move(choice), options = std::move(options)](
               const Progress &progress, std::stop_token stop) { return policies.make(*cache->take(choice, progress, std::move(stop)), options); };
}

std::function<std::unique_ptr<translation::TranslationModel>(const Progress &, std::stop_token)>
translatorFactory(std::shared_ptr<LanguageModelCache> cache, ModelChoice choice, TranslatorOptions options)
{
    return [cache = std::move(cache), choice = std::move(choice), options = std::move(options)](const Progress &progress, std::stop_token stop) {
        return cache->take(choice, progress, std::move(stop))->makeTranslator(options);
    };
}

}  // namespace braid::models
