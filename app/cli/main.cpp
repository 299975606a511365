// braid-cli: the engine without a window. See `braid-cli --help`.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "app/cli/sub_commands.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/model_access/model_access.h"
#ifdef BRAID_HAS_MODELS
#include "core/models/models.h"
#endif

namespace {

void addCommands(CLI::App &app, braid::cli::Run &chosen, const braid::models::ModelAccess &access)
{
    braid::cli::addCaption(app, chosen, access);
    braid::cli::addDevices(app, chosen);
    braid::cli::addModels(app, chosen, access);
    braid::cli::addRecover(app, chosen);
    braid::cli::addEval(app, chosen, access);
    braid::cli::addAlign(app, chosen);
    braid::cli::addTrain(app, chosen);
    braid::cli::addSynth(app, chosen);
    braid::cli::addStreams(app, chosen, access);
    braid::cli::addChat(app, chosen, access);
    braid::cli::addTranslate(app, chosen, access);
    braid::cli::addVocabulary(app, chosen);
}

int parseAndRun(int argc, char **argv)
{
    CLI::App app("Braid: live captions from a voice or a recording.", "braid-cli");
    app.set_version_flag("--version", std::string("braid-cli ") + BRAID_VERSION);
    app.require_subcommand(1);
    braid::models::ModelAccess access;
#ifdef BRAID_HAS_MODELS
    access.loader = braid::models::makeModelLoader();
#endif
    braid::cli::Run chosen;
    addCommands(app, chosen, access);
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
