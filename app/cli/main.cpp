// braid-cli: the engine without a window. See `braid-cli --help`.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "app/cli/sub_commands.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/base/log.h"

namespace {

void addCommands(CLI::App &app, braid::cli::Run &chosen)
{
    braid::cli::addCaption(app, chosen);
    braid::cli::addDevices(app, chosen);
    braid::cli::addModels(app, chosen);
    braid::cli::addRecover(app, chosen);
    braid::cli::addEval(app, chosen);
    braid::cli::addAlign(app, chosen);
    braid::cli::addTrain(app, chosen);
    braid::cli::addSynth(app, chosen);
    braid::cli::addStreams(app, chosen);
    braid::cli::addChat(app, chosen);
    braid::cli::addTranslate(app, chosen);
    braid::cli::addVocabulary(app, chosen);
}

int parseAndRun(int argc, char **argv)
{
    CLI::App app("Braid: live captions from a voice or a recording.", "braid-cli");
    app.set_version_flag("--version", std::string("braid-cli ") + BRAID_VERSION);
    app.require_subcommand(1);
    braid::cli::Run chosen;
    addCommands(app, chosen);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &problem) {
        return app.exit(problem) == 0 ? 0 : braid::exitCodeFor(braid::ErrorKind::Usage);  // help and version are answers
    }
    braid::initLogging(braid::LogLevel::Quiet);
    return chosen();
}

}  // namespace

int main(int argc, char **argv)
{
    braid::restartWithTunedEnvironment(argv);
    try {
        return parseAndRun(argc, argv);
    } catch (const braid::Error &error) {
        std::fprintf(stderr, "braid-cli: %s\n", error.what());
        return braid::exitCodeFor(error.kind());
    } catch (const std::exception &error) {
        std::fprintf(stderr, "braid-cli: this should not have happened: %s\n", error.what());
        return braid::exitCodeFor(braid::ErrorKind::Internal);
    }
}
