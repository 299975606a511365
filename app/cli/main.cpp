// braid-cli: the engine without a window. See `braid-cli --help`.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>

#include "app/cli/harmless.h"
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

// A file opened later must not take the place of a standard stream that was closed.
void keepStandardStreamsOpen()
{
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF) {
            static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY));
        }
    }
}

// What a command printed counts only where it arrived.
int withOutputWritten(int exit_code)
{
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        throw braid::Error(braid::ErrorKind::Storage, "not all of it could be written", "standard output", "Free some space or look at what reads it");
    }
    return exit_code;
}

// Without the list of addresses that libtorch puts behind it.
std::string_view firstLine(std::string_view text)
{
    return text.substr(0, text.find('\n'));
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
        return withOutputWritten(app.exit(problem) == 0 ? 0 : braid::exitCodeFor(braid::ErrorKind::Usage));  // help and version are answers
    }
    braid::initLogging(braid::LogLevel::Quiet);
    return withOutputWritten(chosen());
}

}  // namespace

int main(int argc, char **argv)
{
    keepStandardStreamsOpen();
    braid::restartWithTunedEnvironment(argv);
    try {
        return parseAndRun(argc, argv);
    } catch (const braid::Error &error) {
        std::fprintf(stderr, "braid-cli: %s\n", braid::cli::harmless(error.what()).c_str());
        return braid::exitCodeFor(error.kind());
    } catch (const std::exception &error) {
        std::fprintf(stderr, "braid-cli: this should not have happened: %s\n", braid::cli::harmless(firstLine(error.what())).c_str());
        return braid::exitCodeFor(braid::ErrorKind::Internal);
    }
}
