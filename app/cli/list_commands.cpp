// `braid-cli devices` and `braid-cli models`.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/sub_commands.h"
#include "core/audio/source_spec.h"
#include "core/model_access/model_access.h"

namespace braid::cli {
namespace {

int listAudioDevices()
{
    const auto devices = audio::listDevices();
    if (devices.empty()) {
        std::printf("No microphone and no system sound was found. Files and --stdin can be captioned all the same.\n");
        return 0;
    }
    for (const auto kind : {audio::SourceKind::Microphone, audio::SourceKind::SystemSound}) {
        bool first = true;
        for (const auto &device : devices) {
            if (device.kind != kind) {
                continue;
            }
            if (first) {
                std::printf("%s\n", kind == audio::SourceKind::Microphone ? "Microphones (--mic=NAME)" : "System sound (--system=NAME)");
                first = false;
            }
            std::printf("  %c %s  [%s, %d channel%s, %.0f Hz]\n", device.is_default ? '*' : ' ', device.name.c_str(), device.host_api.c_str(), device.channels,
                        device.channels == 1 ? "" : "s", device.default_rate_hz);
        }
    }
    return 0;
}

// Of a model for captions, or of a language model.
template <typename Summary>
void printModel(const Summary &model)
{
    std::printf("%s\n    %s, %.1f MB\n    %s\n", model.name.c_str(), model.description.c_str(), static_cast<double>(model.bytes) / 1e6, model.path.c_str());
    if (!model.problem.empty()) {
        std::printf("    cannot be used: %s\n", model.problem.c_str());
    }
}

int listInstalledModels(const models::ModelAccess &access)
{
    const auto for_captions = access.loader->captionModels(access.folders);
    const auto for_language = access.loader->languageModels(access.folders);
    for (const auto &model : for_captions) {
        printModel(model);
    }
    for (const auto &model : for_language) {
        printModel(model);
    }
    if (for_captions.empty() && for_language.empty()) {
        std::printf("No models were found. Name a model's folder with --model, or put one into one of these folders:\n");
        for (const auto &folder : access.folders) {
            std::printf("  %s\n", folder.c_str());
        }
    }
    return 0;
}

}  // namespace

void addDevices(CLI::App &app, Run &chosen)
{
    app.add_subcommand("devices", "List microphones and system sound")->callback([&chosen] { chosen = listAudioDevices; });
}

void addModels(CLI::App &app, Run &chosen, const models::ModelAccess &access)
{
    app.add_subcommand("models", "List the models that can be used by name")->callback([&chosen, &access] {
        chosen = [&access] { return listInstalledModels(access); };
    });
}

}  // namespace braid::cli
