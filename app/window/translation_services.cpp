#include "app/window/translation_services.h"

#include <memory>

#include "core/base/error.h"

#ifdef BRAID_HAS_MODELS
#include "app/window/language_model_shelf.h"
#include "core/models/language_model.h"
#endif

namespace braid::app {

#ifdef BRAID_HAS_MODELS
namespace {

models::TranslatorOptions translatorOptions(const ui::TranslationTuning &tuning)
{
    models::TranslatorOptions options;
    options.paradigm = tuning.paradigm.toStdString();
    options.phi = tuning.phi;
    options.sampling.temperature = tuning.temperature;
    options.source_language = tuning.language.section(QLatin1Char('>'), 0, 0).toStdString();
    options.target_language = tuning.language.section(QLatin1Char('>'), 1, 1).toStdString();
    return options;
}

std::vector<ui::TranslationModelEntry> translationModels(const std::vector<std::filesystem::path> &folders)
{
    std::vector<ui::TranslationModelEntry> entries;
    for (const models::LanguageModelSummary &summary : models::listLanguageModels(folders)) {
        if (summary.translates) {
            entries.push_back({QString::fromStdString(summary.name), summary.path, QString::fromStdString(summary.description), QString::fromStdString(summary.source_language),
                               QString::fromStdString(summary.target_language), QString::fromStdString(summary.problem)});
        }
    }
    return entries;
}

ui::TranslationKit makeKit(const std::shared_ptr<LanguageModelShelf> &shelf)
{
    ui::TranslationKit kit;
    kit.backend = std::make_unique<ui::TranslationEngineBackend>();
    kit.make_translator = [shelf](const ui::TranslatorChoices &choices) {
        engine::Translator translator;
        translator.name = choices.model_name.toStdString() + ", " + ui::describe(choices.tuning).toStdString();
        translator.make = [shelf, path = choices.model, compute = choices.compute, options = translatorOptions(choices.tuning)](const std::function<void(double, std::string)> &progress,
                                                                                                                               std::stop_token stop) {
            return shelf->take(path, compute, progress, stop)->makeTranslator(options);
        };
        return translator;
    };
    kit.forget_model = [shelf] { shelf->clear(); };
    return kit;
}

}  // namespace

void addTranslation(ui::Services &services, const std::vector<std::filesystem::path> &model_folders)
{
    const auto shelf = emptyLanguageModelShelf();
    services.make_translation_kit = [shelf] { return makeKit(shelf); };
    services.list_translation_models = [model_folders] { return translationModels(model_folders); };
}
#else
void addTranslation(ui::Services &services, const std::vector<std::filesystem::path> &)
{
    services.list_translation_models = []() -> std::vector<ui::TranslationModelEntry> { throw Error(ErrorKind::Usage, "this build of Braid has no models: translation needs libtorch"); };
}
#endif

}  // namespace braid::app
