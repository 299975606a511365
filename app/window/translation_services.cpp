// What the Translation page needs from outside.
#include <algorithm>
#include <memory>

#include <QLocale>

#include "app/window/window_services.h"
#include "ui/shared/core_words.h"

namespace braid::app {
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

// The first is what a person who has chosen nothing gets: a model into the language of their desktop, else the one in the box.
void putDefaultFirst(std::vector<ui::TranslationModelEntry> &entries)
{
    const QString language = QLocale().name().section(QLatin1Char('_'), 0, 0);
    const auto rank = [&language](const ui::TranslationModelEntry &entry) {
        return entry.target_language == language && !language.isEmpty() ? 0 : entry.name == QLatin1String(models::kTranslatorInTheBox) ? 1 : 2;
    };
    std::stable_sort(entries.begin(), entries.end(), [&rank](const auto &a, const auto &b) { return rank(a) < rank(b); });
}

std::vector<ui::TranslationModelEntry> translationModels(const models::ModelAccess &access)
{
    std::vector<ui::TranslationModelEntry> entries;
    for (const models::LanguageModelSummary &summary : access.loader->languageModels(access.folders)) {
        if (summary.translates) {
            entries.push_back({QString::fromStdString(summary.name), summary.path, ui::coreWords(summary.description),
                               QString::fromStdString(summary.source_language), QString::fromStdString(summary.target_language),
                               QString::fromStdString(summary.problem)});
        }
    }
    putDefaultFirst(entries);
    return entries;
}

ui::TranslationKit makeKit(const std::shared_ptr<models::LanguageModelCache> &cache)
{
    ui::TranslationKit kit;
    kit.backend = std::make_unique<ui::TranslationEngineBackend>();
    kit.make_translator = [cache](const ui::TranslatorChoices &choices) {
        translation::Translator translator;
        translator.name = choices.model_name.toStdString() + ", " + ui::describe(choices.tuning).toStdString();
        translator.make = models::translatorFactory(cache, {choices.model, choices.compute}, translatorOptions(choices.tuning));
        return translator;
    };
    kit.forget_model = [cache] { cache->clear(); };
    return kit;
}

}  // namespace

void addTranslation(ui::Services &services, const models::ModelAccess &access)
{
    services.make_translation_kit = [cache = access.languageCache()] { return makeKit(cache); };
    services.list_translation_models = [access] { return translationModels(access); };
}

}  // namespace braid::app
