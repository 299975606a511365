// `braid-cli caption`: one source after the other, live through the engine or as a whole by the offline policy.
#include <cstdio>

#include "app/cli/captioning.h"
#include "app/cli/commands.h"
#include "app/cli/harmless.h"
#include "core/base/error.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;

// Where the captions of one source go: --out itself, or a file of the source's name in the folder --out.
fs::path placeFor(const audio::SourceSpec &source, const CaptionOptions &options)
{
    std::error_code problem;
    const bool folder = !options.out.empty() && (fs::is_directory(options.out, problem) || !options.out.has_filename());
    if (!folder) {
        return options.out;
    }
    if (!fs::is_directory(options.out, problem)) {
        throw Error(ErrorKind::Storage, "there is no such folder", options.out.string(), "Make it first, or name a file.");
    }
    auto name = source.kind == audio::SourceKind::File ? source.path.stem() : fs::path("captions");
    name += extensionOf(options.format);
    return options.out / name;
}

// Before the model is loaded: what cannot be written, or would be lost, is known at once.
void requirePlaces(const CaptionOptions &options)
{
    OutputFiles outputs(options.existing);
    for (const auto &source : options.sources) {
        outputs.reads(source.path);
    }
    for (const auto &source : options.sources) {
        outputs.writes(placeFor(source, options));
    }
}

}  // namespace

int runCaption(const CaptionOptions &options, const models::ModelAccess &access, Interrupts &interrupts)
{
    if (options.archive) {
        return runCaptionArchive(options, access, interrupts);
    }
    requirePlaces(options);
    Captioning captioning(options, access, interrupts);
    int exit_code = 0;
    for (const auto &source : options.sources) {
        if (interrupts.count() > 0) {
            break;
        }
        if (options.sources.size() > 1) {
            captioning.say(source.path.string());
        }
        const Captioned captioned = captioning.caption(source, placeFor(source, options), OnInterrupt::FinishWhatWasHeard);
        if (captioned.failure && captioned.failure->kind() != ErrorKind::Cancelled) {
            // The others still have their turn.
            std::fprintf(stderr, "braid-cli: %s\n", harmless(captioned.failure->what()).c_str());
            exit_code = exitCodeFor(captioned.failure->kind());
        }
    }
    return exit_code;
}

}  // namespace braid::cli
