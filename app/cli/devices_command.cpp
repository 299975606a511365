// `braid-cli devices`.
#include <CLI/CLI.hpp>
#include <cstdio>

#include "app/cli/sub_commands.h"
#include "core/audio/source_spec.h"

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

}  // namespace

void addDevices(CLI::App &app, Run &chosen)
{
    app.add_subcommand("devices", "List microphones and system sound")->callback([&chosen] { chosen = listAudioDevices; });
}

}  // namespace braid::cli
