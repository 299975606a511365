// Getting at a model, for both programs: who loads it, one loaded model for all who ask, and what runs are made from. No torch here.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/model_access/caption_policies.h"
#include "core/model_access/device_choice.h"
#include "core/model_access/language_model.h"
#include "core/model_access/model_files.h"

namespace braid::models {

// What comes with Braid.
inline constexpr const char *kCaptionModelInTheBox = "captions-en";
inline constexpr const char *kTranslatorInTheBox = "translate-en-fr";
inline constexpr const char *kGermanTranslatorInTheBox = "translate-en-de";
inline constexpr const char *kStreamsModelInTheBox = "streams-en";
inline constexpr const char *kSingleStreamModelInTheBox = "streams-en-single";

// A model to be loaded: which, and where it computes.
struct ModelChoice {
    std::filesystem::path path;
    DeviceChoice device;
    std::vector<std::filesystem::path> adapters = {};  // PEFT folders of a language model; the last one counts
    friend bool operator==(const ModelChoice &, const ModelChoice &) = default;
};

// The models of this build: core/models/models.h, or withoutModels(). Thread: const, from any; a model belongs to who loaded it.
class ModelLoader {
  public:
    virtual ~ModelLoader() = default;
    // Cheap: reads configurations, not weights.
    [[nodiscard]] virtual std::vector<ModelSummary> captionModels(std::span<const std::filesystem::path> folders) const = 0;
    [[nodiscard]] virtual std::vector<LanguageModelSummary> languageModels(std::span<const std::filesystem::path> folders) const = 0;
    // "cpu, 2 threads, float32". Changes nothing. Throws Error(Device) where the device is not there or cannot compute in these numbers, Error(Usage)
    // where the name is none.
    [[nodiscard]] virtual std::string describe(const DeviceChoice &device) const = 0;
    // The calling thread computes with as many threads as chosen.
    virtual void useThreads(const DeviceChoice &device) const = 0;
    // With useThreads(). Strict; throw Error(Model), Error(Device), or Error(Cancelled) on `stop`.
    [[nodiscard]] virtual std::shared_ptr<CaptionModel> loadCaptionModel(const ModelChoice &choice, const Progress &progress, std::stop_token stop) const = 0;
    [[nodiscard]] virtual std::shared_ptr<LanguageModel> loadLanguageModel(const ModelChoice &choice, const Progress &progress, std::stop_token stop) const = 0;
};

// The loader of a build without libtorch: it computes nothing, and says so in Error(Usage).
[[nodiscard]] std::shared_ptr<const ModelLoader> withoutModels();

// Keeps the model that was used last: the next run with it starts at once, and those side by side share it. Thread: any; loading is done under the
// lock, which covers a run that is being replaced by the next.
template <typename Model>
class ModelCache {
  public:
    explicit ModelCache(std::shared_ptr<const ModelLoader> loader)
        : m_loader(std::move(loader))
    {
    }
    [[nodiscard]] std::shared_ptr<Model> take(const ModelChoice &choice, const Progress &progress, std::stop_token stop)
    {
        const std::lock_guard lock(m_mutex);
        if (m_model && m_choice == choice) {
            m_loader->useThreads(choice.device);
            return m_model;
        }
        m_model.reset();
        if constexpr (std::is_same_v<Model, CaptionModel>) {
            m_model = m_loader->loadCaptionModel(choice, progress, std::move(stop));
        } else {
            m_model = m_loader->loadLanguageModel(choice, progress, std::move(stop));
        }
        m_choice = choice;
        return m_model;
    }
    // Gives it back; what still runs on it keeps it until its end.
    void clear()
    {
        const std::lock_guard lock(m_mutex);
        m_model.reset();
    }

  private:
    std::shared_ptr<const ModelLoader> m_loader;
    std::mutex m_mutex;
    std::shared_ptr<Model> m_model;
    ModelChoice m_choice;
};

using CaptionModelCache = ModelCache<CaptionModel>;
using LanguageModelCache = ModelCache<LanguageModel>;

// All a program knows of models; made once, copied where it is used.
struct ModelAccess {
    std::shared_ptr<const ModelLoader> loader = withoutModels();
    CaptionPolicies policies;
    std::vector<std::filesystem::path> folders = modelFolders();

    [[nodiscard]] std::shared_ptr<CaptionModelCache> captionCache() const { return std::make_shared<CaptionModelCache>(loader); }
    [[nodiscard]] std::shared_ptr<LanguageModelCache> languageCache() const { return std::make_shared<LanguageModelCache>(loader); }
};

// The model made for this pair of languages alone, best folder first; codes ("de"), empty: any. Where both are empty: the one in the box. Throws
// Error(Model) naming the pairs there are.
[[nodiscard]] std::filesystem::path findTranslator(const ModelAccess &access, const std::string &source_language, const std::string &target_language);

// What the engines take; called on their worker threads, where they load the model unless it is in the cache.
[[nodiscard]] std::function<std::unique_ptr<captions::CaptionPolicy>(const Progress &, std::stop_token)>
policyFactory(const ModelAccess &access, std::shared_ptr<CaptionModelCache> cache, ModelChoice choice, CaptionOptions options);
[[nodiscard]] std::function<std::unique_ptr<translation::TranslationModel>(const Progress &, std::stop_token)>
translatorFactory(std::shared_ptr<LanguageModelCache> cache, ModelChoice choice, TranslatorOptions options);

}  // namespace braid::models
