#include "app/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "app/cli/places.h"
#include "core/base/error.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, OutputFormat> kFormats = {
    {"live", OutputFormat::Live}, {"text", OutputFormat::Text}, {"json", OutputFormat::Json}, {"srt", OutputFormat::Srt}, {"vtt", OutputFormat::Vtt}};
const std::map<std::string, OutputFormat> kExtensions = {
    {".txt", OutputFormat::Text}, {".json", OutputFormat::Json}, {".jsonl", OutputFormat::Json}, {".srt", OutputFormat::Srt}, {".vtt", OutputFormat::Vtt}};
const std::map<std::string, Policy> kPolicies = {{"local-agreement", Policy::LocalAgreement}, {"align-att", Policy::AlignAtt}, {"offline", Policy::Offline}};
const std::map<std::string, Task> kTasks = {{"transcribe", Task::Transcribe}, {"translate", Task::Translate}};
const std::map<std::string, NumberType> kNumberTypes = {{"float32", NumberType::Float32}, {"bfloat16", NumberType::BFloat16}, {"float16", NumberType::Float16}};

// What the caption command takes before it is put together.
struct RawCaption {
    std::vector<std::string> files;
    std::string microphone;
    std::string system_sound;
    int rate_hz = kSampleRateHz;
    int channels = 1;
    std::string out;
    std::string journal;
};

struct CaptionFlags {
    CLI::Option *microphone = nullptr;
    CLI::Option *system_sound = nullptr;
    CLI::Option *standard_input = nullptr;
    CLI::Option *rate = nullptr;
    CLI::Option *channels = nullptr;
    CLI::Option *realtime = nullptr;
    CLI::Option *format = nullptr;
    CLI::Option *journal = nullptr;
    CLI::Option *no_journal = nullptr;
    CLI::Option *quiet = nullptr;
};

// The description as a string object: a literal is ambiguous between two overloads of CLI11 2.1 in C++20.
CLI::Option *addFlag(CLI::App &command, const std::string &name, const std::string &description)
{
    return command.add_flag(name, description);
}

CaptionFlags addCaption(CLI::App &command, RawCaption &raw, CaptionOptions &options)
{
    CaptionFlags flags;
    command.add_option("FILE", raw.files, "Sound or video files, one after the other");
    flags.microphone = command.add_option("--mic", raw.microphone, "A microphone, by name (see `braid-cli devices`); without a name the default one")->type_name("[NAME]")->expected(0, 1);
    flags.system_sound = command.add_option("--system", raw.system_sound, "What the computer plays; without a name the default output")->type_name("[NAME]")->expected(0, 1);
    flags.standard_input = addFlag(command, "--stdin", "Signed 16 bit little-endian PCM on standard input");
    flags.rate = command.add_option("--rate", raw.rate_hz, "Sample rate of --stdin in Hz (16000)")->check(CLI::Range(1000, 768000));
    flags.channels = command.add_option("--channels", raw.channels, "Channels of --stdin (1)")->check(CLI::Range(1, 64));
    flags.realtime = addFlag(command, "--realtime", "Play files at their own speed, as if they were live");
    command.add_option("-m,--model", options.model, "A model's folder, file or name (see `braid-cli models`)");
    command.add_option("--policy", options.policy, "When words settle: local-agreement, align-att, or offline (whole file at once)")->transform(CLI::CheckedTransformer(kPolicies, CLI::ignore_case));
    command.add_option("-l,--language", options.language, "Spoken language, like en; without it the model decides");
    command.add_option("--task", options.task, "transcribe, or translate into English")->transform(CLI::CheckedTransformer(kTasks, CLI::ignore_case));
    command.add_option("--step-ms", options.step_ms, "How much new sound a step waits for")->check(CLI::Range(20, 10000));
    command.add_option("--beam", options.beam_size, "Beam size; 1 is greedy")->check(CLI::Range(1, 20));
    command.add_option("--device", options.device, "auto, cpu, cuda, cuda:1");
    command.add_option("--number-type", options.number_type, "float32, bfloat16 or float16")->transform(CLI::CheckedTransformer(kNumberTypes, CLI::ignore_case));
    command.add_option("--threads", options.threads, "Threads for the model; without it they fit the machine")->check(CLI::Range(1, 1024));
    flags.format = command.add_option("-f,--format", options.format, "live, text, json (an event on each line), srt, vtt")->transform(CLI::CheckedTransformer(kFormats, CLI::ignore_case));
    command.add_option("-o,--out", raw.out, "File to write, or a folder that gets a file for each input");
    flags.journal = command.add_option("--journal", raw.journal, "Folder for the journal of the run (sound and words, for `braid-cli recover`)");
    flags.no_journal = addFlag(command, "--no-journal", "No journal, for microphone and system sound too")->excludes(flags.journal);
    flags.quiet = addFlag(command, "-q,--quiet", "Only captions and errors");
    return flags;
}

audio::SourceSpec deviceSpec(audio::SourceKind kind, const std::string &name)
{
    audio::SourceSpec spec;
    spec.kind = kind;
    spec.device = name;
    spec.pace = audio::Pace::Live;
    return spec;
}

std::vector<audio::SourceSpec> sourcesOf(const RawCaption &raw, const CaptionFlags &flags)
{
    const auto pace = flags.realtime->count() > 0 ? audio::Pace::Realtime : audio::Pace::Fast;
    std::vector<audio::SourceSpec> sources;
    for (const auto &file : raw.files) {
        audio::SourceSpec spec;
        spec.kind = audio::SourceKind::File;
        spec.path = file;
        spec.pace = pace;
        sources.push_back(std::move(spec));
    }
    const auto kinds = (raw.files.empty() ? 0 : 1) + (flags.microphone->count() > 0) + (flags.system_sound->count() > 0) + (flags.standard_input->count() > 0);
    if (kinds != 1) {
        throw Error(ErrorKind::Usage, kinds == 0 ? "nothing to caption was named" : "only one kind of input can be captioned at a time", "braid-cli caption",
                    "Name files, --mic, --system or --stdin; `braid-cli caption --help` tells more.");
    }
    if (flags.microphone->count() > 0) {
        sources.push_back(deviceSpec(audio::SourceKind::Microphone, raw.microphone));
    } else if (flags.system_sound->count() > 0) {
        sources.push_back(deviceSpec(audio::SourceKind::SystemSound, raw.system_sound));
    } else if (flags.standard_input->count() > 0) {
        audio::SourceSpec spec;
        spec.kind = audio::SourceKind::StandardInput;
        spec.pace = pace;
        spec.stdin_rate_hz = raw.rate_hz;
        spec.stdin_channels = raw.channels;
        sources.push_back(std::move(spec));
    }
    if (flags.standard_input->count() == 0 && (flags.rate->count() > 0 || flags.channels->count() > 0)) {
        throw Error(ErrorKind::Usage, "--rate and --channels describe --stdin only", "braid-cli caption");
    }
    return sources;
}

bool isFolder(const fs::path &path)
{
    std::error_code problem;
    return fs::is_directory(path, problem) || path.string().ends_with('/');
}

void completeCaption(CaptionOptions &options, const RawCaption &raw, const CaptionFlags &flags)
{
    options.sources = sourcesOf(raw, flags);
    options.out = raw.out;
    if (flags.format->count() == 0 && !options.out.empty()) {
        const auto known = kExtensions.find(options.out.extension().string());
        options.format = known == kExtensions.end() ? OutputFormat::Text : known->second;
    }
    const bool live_device = options.sources.front().pace == audio::Pace::Live;
    if (flags.journal->count() > 0) {
        options.journal = raw.journal;
    } else if (live_device && flags.no_journal->count() == 0) {
        options.journal = journalFolder();  // a file can be captioned again, what was said to a microphone cannot
    }
    options.loudness = flags.quiet->count() > 0 ? Loudness::Quiet : Loudness::Normal;
    const bool cues = options.format == OutputFormat::Srt || options.format == OutputFormat::Vtt;
    if (cues && options.sources.size() > 1 && !isFolder(options.out)) {
        throw Error(ErrorKind::Usage, "subtitles of several files need a file each", "braid-cli caption", "Name an existing folder with --out.");
    }
    if (options.policy == Policy::Offline && live_device) {
        throw Error(ErrorKind::Usage, "the offline policy needs a recording that ends", "braid-cli caption", "Choose local-agreement or align-att for a live source.");
    }
}

}  // namespace

CommandLine parseCommandLine(int argc, char **argv)
{
    CommandLine line;
    CLI::App app("Braid: live captions from a voice or a recording.", "braid-cli");
    app.set_version_flag("--version", std::string("braid-cli ") + BRAID_VERSION);
    app.require_subcommand(1);
    RawCaption raw;
    auto *caption = app.add_subcommand("caption", "Caption files, a microphone, system sound or standard input");
    const auto flags = addCaption(*caption, raw, line.caption);
    auto *devices = app.add_subcommand("devices", "List microphones and system sound");
    auto *models = app.add_subcommand("models", "List the models that can be used by name");
    auto *recover = app.add_subcommand("recover", "Write out the newest interrupted session, or the one named");
    std::string journal;
    std::string parent = journalFolder().string();
    std::string recover_out;
    recover->add_option("JOURNAL", journal, "A journal's folder, or its name below --journal");
    auto *list = addFlag(*recover, "--list", "Only list the interrupted sessions");
    recover->add_option("--journal", parent, "Folder that holds the journals");
    recover->add_option("-f,--format", line.recover.format, "text, json (the transcript as one document), srt, vtt")
        ->transform(CLI::CheckedTransformer(std::map<std::string, OutputFormat>{{"text", OutputFormat::Text}, {"json", OutputFormat::Json}, {"srt", OutputFormat::Srt}, {"vtt", OutputFormat::Vtt}}, CLI::ignore_case));
    recover->add_option("-o,--out", recover_out, "File to write; without it standard output");
    auto *keep = addFlag(*recover, "--keep", "Go on offering this session as interrupted");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &problem) {
        line.exit_code = app.exit(problem) == 0 ? 0 : exitCodeFor(ErrorKind::Usage);
        return line;
    }
    if (*devices) {
        line.command = Command::Devices;
    } else if (*models) {
        line.command = Command::Models;
    } else if (*recover) {
        line.command = Command::Recover;
        line.recover.action = list->count() > 0 ? RecoverAction::List : RecoverAction::Export;
        line.recover.journal = journal;
        line.recover.parent = parent;
        line.recover.out = recover_out;
        line.recover.after = keep->count() > 0 ? RecoverOptions::After::Keep : RecoverOptions::After::Settle;
    } else {
        line.command = Command::Caption;
        completeCaption(line.caption, raw, flags);
    }
    return line;
}

}  // namespace braid::cli
