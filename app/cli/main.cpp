// braid-cli: the engine without a window. See `braid-cli --help`.
#include <cstdio>
#include <exception>

#include "app/cli/commands.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/base/log.h"

namespace {

int run(const braid::cli::CommandLine &line)
{
    using braid::cli::Command;
    switch (line.command) {
    case Command::Caption: {
        braid::cli::Interrupts interrupts;
        return braid::cli::runCaption(line.caption, interrupts);
    }
    case Command::Devices:
        return braid::cli::listAudioDevices();
    case Command::Models:
        return braid::cli::listInstalledModels();
    case Command::Recover:
        return braid::cli::runRecover(line.recover);
    case Command::Nothing:
        break;
    }
    return line.exit_code;
}

}  // namespace

int main(int argc, char **argv)
{
    braid::restartWithTunedEnvironment(argv);
    try {
        const auto line = braid::cli::parseCommandLine(argc, argv);
        braid::initLogging(braid::LogLevel::Quiet);
        return run(line);
    } catch (const braid::Error &error) {
        std::fprintf(stderr, "braid-cli: %s\n", error.what());
        return braid::exitCodeFor(error.kind());
    } catch (const std::exception &error) {
        std::fprintf(stderr, "braid-cli: this should not have happened: %s\n", error.what());
        return braid::exitCodeFor(braid::ErrorKind::Internal);
    }
}
