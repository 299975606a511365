// What the Streams page needs from outside: engines, models and layouts.
#include <algorithm>
#include <memory>
#include <set>

#include "app/window/window_services.h"
#include "core/base/error.h"
#include "ui/shared/core_words.h"
#include "ui/streams/streams_engine_backend.h"

namespace braid::app {
namespace {

namespace fs = std::filesystem;

// A layout of the same name in a later folder is left out.
std::vector<ui::LayoutEntry> layouts()
{
    std::vector<ui::LayoutEntry> entries;
    std::set<fs::path> names;
    for (const fs::path &folder : models::resourceFolders("layouts")) {
        std::vector<fs::path> files;
        std::error_code ignored;
        for (const auto &file : fs::directory_iterator(folder, ignored)) {
            if (file.path().extension() == ".json" && names.insert(file.path().filename()).second) {
                files.push_back(file.path());
            }
        }
        // That of the model in the box first.
        std::sort(files.begin(), files.end(),
                  [](const fs::path &a, const fs::path &b) { return std::pair(a.filename() != "box.json", a) < std::pair(b.filename() != "box.json", b); });
        for (const fs::path &file : files) {
            try {
                const streams::Layout layout = streams::readLayout(file);
                entries.push_back({QString::fromStdString(layout.name.empty() ? file.stem().string() : layout.name), file, layout, {}});
            } catch (const Error &error) {
                entries.push_back({QString::fromStdString(file.filename().string()), file, {}, QString::fromStdString(error.sentence())});
            }
        }
    }
    return entries;
}

// Those for parallel streams first; a translator cannot chat.
std::vector<ui::StreamsModelEntry> streamsModels(const models::ModelAccess &access)
{
    std::vector<ui::StreamsModelEntry> entries;
    for (const models::LanguageModelSummary &summary : access.loader->languageModels(access.folders)) {
        if (summary.streams > 0 || !summary.translates) {
            entries.push_back({QString::fromStdString(summary.name), summary.path, ui::coreWords(summary.description), static_cast<int>(summary.streams),
                               QString::fromStdString(summary.problem)});
        }
    }
    std::stable_partition(entries.begin(), entries.end(), [](const ui::StreamsModelEntry &entry) { return entry.streams > 0; });
    return entries;
}

ui::StreamsKit makeKit(const models::ModelAccess &access)
{
    const auto cache = access.languageCache();
    ui::StreamsKit kit;
    kit.backend = std::make_unique<ui::StreamsEngineBackend>();
    kit.make_run = [loader = access.loader, cache](const ui::StreamsChoices &choices) {
        streams::StreamsRunConfig run;
        run.settings = ui::settingsOf(choices);
        run.model_name = choices.model_name.toStdString();
        if (!choices.model.empty()) {
            run.load_model = [loader, cache, choice = models::ModelChoice{choices.model, choices.compute}](const models::Progress &progress,
                                                                                                           std::stop_token stop) {
                const models::StreamsParts parts = cache->take(choice, progress, std::move(stop))->makeStreams();
                return streams::StreamsModelDoor{parts.model, parts.texts, loader->describe(choice.device)};
            };
        }
        return run;
    };
    kit.forget_model = [cache] { cache->clear(); };
    return kit;
}

}  // namespace

ui::StreamsServices makeStreamsServices(const models::ModelAccess &access)
{
    ui::StreamsServices services;
    services.parallel = makeKit(access);
    services.baseline = makeKit(access);
    services.list_models = [access] { return streamsModels(access); };
    services.list_layouts = layouts;
    services.problem_of = [](const streams::Layout &layout, const ui::StreamsModelEntry &model) {
        return QString::fromStdString(streams::problemOf(layout, model.streams));
    };
    return services;
}

}  // namespace braid::app
