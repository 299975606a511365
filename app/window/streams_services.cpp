#include "app/window/streams_services.h"

#include <algorithm>
#include <memory>
#include <set>

#include "core/base/error.h"
#include "ui/streams/streams_engine_backend.h"

#ifdef BRAID_HAS_MODELS
#include "app/window/language_model_shelf.h"
#include "core/models/language_model.h"
#endif

namespace braid::app {
namespace {

namespace fs = std::filesystem;

std::vector<ui::LayoutEntry> layouts(const std::vector<fs::path> &folders)
{
    std::vector<ui::LayoutEntry> entries;
    std::set<fs::path> names;
    for (const fs::path &folder : folders) {
        std::vector<fs::path> files;
        std::error_code ignored;
        for (const auto &file : fs::directory_iterator(folder, ignored)) {
            if (file.path().extension() == ".json" && names.insert(file.path().filename()).second) {
                files.push_back(file.path());
            }
        }
        // That of the model in the box first.
        std::sort(files.begin(), files.end(), [](const fs::path &a, const fs::path &b) { return std::pair(a.filename() != "box.json", a) < std::pair(b.filename() != "box.json", b); });
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

#ifdef BRAID_HAS_MODELS
// Those for parallel streams first; a translator cannot chat.
std::vector<ui::StreamsModelEntry> streamsModels(const std::vector<fs::path> &folders)
{
    std::vector<ui::StreamsModelEntry> entries;
    for (const models::LanguageModelSummary &summary : models::listLanguageModels(folders)) {
        if (summary.streams > 0 || !summary.translates) {
            entries.push_back({QString::fromStdString(summary.name), summary.path, QString::fromStdString(summary.description), static_cast<int>(summary.streams), QString::fromStdString(summary.problem)});
        }
    }
    std::stable_partition(entries.begin(), entries.end(), [](const ui::StreamsModelEntry &entry) { return entry.streams > 0; });
    return entries;
}

ui::StreamsKit makeKit()
{
    const auto shelf = emptyLanguageModelShelf();
    ui::StreamsKit kit;
    kit.backend = std::make_unique<ui::StreamsEngineBackend>();
    kit.make_run = [shelf](const ui::StreamsChoices &choices) {
        engine::StreamsRunConfig run;
        run.settings = ui::settingsOf(choices);
        run.model_name = choices.model_name.toStdString();
        if (!choices.model.empty()) {
            run.load_model = [shelf, path = choices.model, compute = choices.compute](const std::function<void(double, std::string)> &progress, std::stop_token stop) {
                const auto model = shelf->take(path, compute, progress, stop);
                const models::StreamsParts parts = model->makeStreams();
                return engine::StreamsModelDoor{parts.model, parts.texts, models::applyDeviceChoice(deviceChoice(compute))};
            };
        }
        return run;
    };
    kit.forget_model = [shelf] { shelf->clear(); };
    return kit;
}
#else
// Recordings can be read and replayed without a model.
std::vector<ui::StreamsModelEntry> streamsModels(const std::vector<fs::path> &)
{
    throw Error(ErrorKind::Usage, "this build of Braid has no models: parallel streams need libtorch");
}

ui::StreamsKit makeKit()
{
    ui::StreamsKit kit;
    kit.backend = std::make_unique<ui::StreamsEngineBackend>();
    kit.make_run = [](const ui::StreamsChoices &choices) {
        engine::StreamsRunConfig run;
        run.settings = ui::settingsOf(choices);
        run.model_name = choices.model_name.toStdString();
        return run;
    };
    return kit;
}
#endif

}  // namespace

ui::StreamsServices makeStreamsServices(const std::vector<fs::path> &model_folders, const std::vector<fs::path> &layout_folders)
{
    ui::StreamsServices services;
    services.parallel = makeKit();
    services.baseline = makeKit();
    services.list_models = [model_folders] { return streamsModels(model_folders); };
    services.list_layouts = [layout_folders] { return layouts(layout_folders); };
    services.problem_of = [](const streams::Layout &layout, const ui::StreamsModelEntry &model) { return QString::fromStdString(streams::problemOf(layout, model.streams)); };
    return services;
}

}  // namespace braid::app
