// The options of `braid-cli caption`.
#include <map>
#include <memory>

#include "app/cli/choices.h"
#include "app/cli/commands.h"
#include "app/cli/journal_options.h"
#include "app/cli/model_options.h"
#include "app/cli/options.h"
#include "app/cli/sub_commands.h"
#include "app/cli/terminal.h"
#include "core/base/error.h"
#include "core/model_access/word_lists.h"

namespace braid::cli {
namespace {

namespace fs = std::filesystem;

const Choices<OutputFormat> kFormats = {
    {"live", OutputFormat::Live}, {"text", OutputFormat::Text}, {"json", OutputFormat::Json}, {"srt", OutputFormat::Srt}, {"vtt", OutputFormat::Vtt}};
const std::map<std::string, OutputFormat> kExtensions = {
    {".txt", OutputFormat::Text}, {".json", OutputFormat::Json}, {".jsonl", OutputFormat::Json}, {".srt", OutputFormat::Srt}, {".vtt", OutputFormat::Vtt}};
const Choices<text::LineEnds> kLineEnds = {{"both", text::LineEnds::AtBoth}, {"pauses", text::LineEnds::AtPauses}, {"sentences", text::LineEnds::AtSentences}};

// By the name of each, those that are chosen by choosing none left out.
Choices<std::string> policyChoices(const models::CaptionPolicies &policies)
{
    Choices<std::string> choices;
    for (const models::CaptionPolicyEntry &entry : policies.entries()) {
        if (entry.runs != models::PolicyRuns::AsTheModelLikes) {
            choices.emplace_back(entry.name, entry.name);
        }
    }
    return choices;
}

// What the caption command takes before it is put together.
struct RawCaption {
    std::vector<std::string> files;
    std::string microphone;
    std::string system_sound;
    int rate_hz = kSampleRateHz;
    int channels = 1;
    std::string list;
    std::string shard = "1/1";
    int line_pause_ms = static_cast<int>(msFromSamples(text::LineRule().pause_samples));
    std::string out;
    std::vector<std::string> replace;
    JournalOptions journal;
};

struct CaptionFlags {
    CLI::Option *microphone = nullptr;
    CLI::Option *system_sound = nullptr;
    CLI::Option *standard_input = nullptr;
    CLI::Option *list = nullptr;
    CLI::Option *resume = nullptr;
    CLI::Option *rate = nullptr;
    CLI::Option *channels = nullptr;
    CLI::Option *realtime = nullptr;
    CLI::Option *format = nullptr;
    CLI::Option *overwrite = nullptr;
    CLI::Option *quiet = nullptr;
    CLI::Option *first_chunk = nullptr;
    CLI::Option *reencode = nullptr;
    CLI::Option *look_back = nullptr;
    CLI::Option *mask_profanity = nullptr;
    CLI::Option *chunk = nullptr;
    CLI::Option *beam = nullptr;
    CLI::Option *stability = nullptr;
    CLI::Option *word_times = nullptr;
    CLI::Option *token_cache = nullptr;
    CLI::Option *wait_k = nullptr;
    CLI::Option *paradigm = nullptr;
    CLI::Option *offset = nullptr;
    DraftOptions drafting;
};

// "paper: by the paper; v1: ..."
std::string describedRules()
{
    std::string text;
    for (const auto &[name, rule, description] : models::kStabilityRules) {
        text += (text.empty() ? "" : "; ") + std::string(name) + ": " + std::string(description);
    }
    return text;
}

CaptionFlags declareCaption(CLI::App &command, RawCaption &raw, CaptionOptions &options, const models::CaptionPolicies &policies)
{
    models::CaptionOptions &captions = options.captions;
    captions.capture_attention = false;  // nobody looks at it here
    CaptionFlags flags;
    command.add_option("FILE", raw.files, "Sound or video files, one after the other");
    flags.microphone = command.add_option("--mic", raw.microphone, "A microphone, by name (see `braid-cli devices`); without a name the default one")
                           ->type_name("[NAME]")
                           ->expected(0, 1);
    flags.system_sound =
        command.add_option("--system", raw.system_sound, "What the computer plays; without a name the default output")->type_name("[NAME]")->expected(0, 1);
    flags.standard_input = addFlag(command, "--stdin", "Signed 16 bit little-endian PCM on standard input");
    flags.rate = command.add_option("--rate", raw.rate_hz, "Sample rate of --stdin in Hz (16000)")->check(CLI::Range(1000, 768000));
    flags.channels = command.add_option("--channels", raw.channels, "Channels of --stdin (1)")->check(CLI::Range(1, 64));
    flags.list = command.add_option("--list", raw.list, "A text with the path of a recording on each line: an archive, captioned into the folder --out");
    command.add_option("--shard", raw.shard, "Which part of --list this worker has, like 3/16; engines that spread work give each of their jobs one")
        ->type_name("N/COUNT")
        ->needs(flags.list);
    flags.resume = addFlag(command, "--resume", "Go on with a shard of --list: what has a transcript is left out")->needs(flags.list);
    flags.realtime = addFlag(command, "--realtime", "Play files at their own speed, as if they were live");
    command.add_option("-m,--model", options.model, "A model's folder, file or name (see `braid-cli models`)");
    addChoice(command, "--policy", captions.policy, policyChoices(policies),
              "When words settle; without it what suits the model. " + policies.names(
                                                                           [](const models::CaptionPolicyEntry &entry) {
                                                                               return entry.runs == models::PolicyRuns::AsTheModelLikes
                                                                                          ? ""
                                                                                          : entry.name + ": " + entry.description;
                                                                           },
                                                                           ". ", ". "));
    command.add_option("-l,--language", captions.language, "Spoken language, like en; without it the model decides");
    addChoice(command, "--task", captions.task, choicesOf(models::kSpeechTasks), "What was said, or the same in English");
    flags.chunk =
        command.add_option("--chunk-ms,--step-ms", captions.step_ms, "How much new sound a step waits for")->type_name("MS")->check(CLI::Range(20, 10000));
    flags.beam = command.add_option("--beam", captions.beam_size, "Beam size; 1 is greedy")->type_name("N")->check(CLI::Range(1, 20));
    flags.first_chunk = command.add_option("--first-chunk-ms", captions.first_chunk_ms, "streaming: the first chunk of a window; without it the model's own")
                            ->type_name("MS")
                            ->check(CLI::Range(20, 10000));
    flags.reencode =
        command
            .add_option("--reencode-ms", captions.reencode_ms,
                        "streaming: how much of the newest sound every chunk encodes again, so that it is heard with what followed it; 0: nothing; "
                        "without it the model's own")
            ->type_name("MS")
            ->check(CLI::Range(0, 30000));
    flags.look_back = command.add_option("--look-back", captions.look_back_tokens, "streaming: how many tokens a new chunk may take back (2)")
                          ->type_name("N")
                          ->check(CLI::Range(0, 8));
    flags.stability = addChoice(command, "--stability", captions.stability, choicesOf(models::kStabilityRules),
                                "streaming: which tokens are taken back: " + describedRules());
    flags.word_times =
        addChoice(command, "--word-times", captions.word_times, choicesOf(models::kWordTimeRules),
                  "streaming: refined: by the chunk in which a word is first seen, its attention, and pauses (default); paper: by the chunk alone");
    flags.token_cache = addChoice(command, "--token-cache", captions.token_cache, choicesOf(models::kTokenCaches),
                                  "streaming: keep the decoder's cache within a chunk (exact) or across chunks (the paper's approximation)");
    flags.wait_k =
        command.add_option("--wait-k", captions.speech_llm.wait_k, "speech-llm: how many segments are read before the first word; without it the model's own")
            ->type_name("N")
            ->check(CLI::Range(1, 1000));
    flags.paradigm = command.add_option("--paradigm", captions.speech_llm.paradigm, "speech-llm: how speech and text are laid out, as in translate (group)");
    flags.offset = command
                       .add_option("--offset", captions.speech_llm.phi,
                                   "speech-llm: phi, where the text's positions begin in the group paradigm; without it the model's own")
                       ->check(CLI::Range(0.0, 1e6));
    flags.drafting = declareDrafting(command, captions.speech_llm.drafting);
    declareDevice(command, options.device);
    flags.format = addChoice(command, "-f,--format", options.format, kFormats, "json: an event on each line");
    addChoice(command, "--lines", options.lines.ends, kLineEnds, "A new line begins after sentences, pauses, or both");
    command.add_option("--line-pause-ms", raw.line_pause_ms, "A pause between two words that ends a line (700)")->type_name("MS")->check(CLI::Range(100, 5000));
    command.add_option("--replace", raw.replace, "A list of how words are written, an entry a line (docs/formats.md); of several the first has precedence")
        ->type_name("FILE");
    flags.mask_profanity = addFlag(command, "--mask-profanity", "English profanity with asterisks; a list of --replace may say otherwise");
    command.add_option("-o,--out", raw.out, "File to write, or a folder that gets a file for each input");
    flags.overwrite = declareOverwrite(command);
    declareJournal(command, raw.journal,
                   "Folder for the journal of the run (sound and words, for `braid-cli recover`); microphone and system sound have one without asking");
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
    const auto kinds = (raw.files.empty() ? 0 : 1) + (flags.list->count() > 0) + (flags.microphone->count() > 0) + (flags.system_sound->count() > 0) +
                       (flags.standard_input->count() > 0);
    if (kinds != 1) {
        throw Error(ErrorKind::Usage, kinds == 0 ? "nothing to caption was named" : "only one kind of input can be captioned at a time", "braid-cli caption",
                    "Name files, --list, --mic, --system or --stdin; `braid-cli caption --help` tells more.");
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

// Each of its transcripts is written once and is nobody's journal.
void completeArchive(CaptionOptions &options, const RawCaption &raw, const CaptionFlags &flags)
{
    if (flags.list->count() == 0) {
        return;
    }
    if (raw.out.empty()) {
        throw Error(ErrorKind::Usage, "--list needs a folder for the transcripts", "braid-cli caption", "Name one with --out.");
    }
    for (const CLI::Option *option : {flags.overwrite, flags.realtime, raw.journal.given}) {
        if (option->count() > 0) {
            throw Error(ErrorKind::Usage, option->get_name() + " cannot be had with --list", "braid-cli caption", "Leave it out.");
        }
    }
    if (flags.format->count() == 0 || options.format == OutputFormat::Live) {
        options.format = OutputFormat::Text;
    }
    options.archive = ArchiveOptions{raw.list, parseShard(raw.shard), flags.resume->count() > 0 ? EarlierWork::GoneOnWith : EarlierWork::Refused};
}

void completeCaption(CaptionOptions &options, const RawCaption &raw, const CaptionFlags &flags, const models::CaptionPolicies &policies)
{
    options.sources = sourcesOf(raw, flags);
    options.out = raw.out;
    options.existing = existingFiles(*flags.overwrite);
    options.lines.pause_samples = samplesFromMs(raw.line_pause_ms);
    for (const std::string &file : raw.replace) {
        options.words.add(models::readWordRules(file));
    }
    if (flags.mask_profanity->count() > 0) {
        options.words.add(models::profanityInTheBox());
    }
    if (flags.format->count() == 0 && !options.out.empty()) {
        const auto known = kExtensions.find(options.out.extension().string());
        options.format = known == kExtensions.end() ? OutputFormat::Text : known->second;
    }
    completeArchive(options, raw, flags);
    const bool live_device = !options.archive && options.sources.front().pace == audio::Pace::Live;
    options.journal = journalFor(raw.journal, live_device ? Repeatable::No : Repeatable::Yes);
    options.loudness = flags.quiet->count() > 0 ? Loudness::Quiet : Loudness::Normal;
    const bool cues = options.format == OutputFormat::Srt || options.format == OutputFormat::Vtt;
    if (cues && options.sources.size() > 1 && !isFolder(options.out)) {
        throw Error(ErrorKind::Usage, "subtitles of several files need a file each", "braid-cli caption", "Name an existing folder with --out.");
    }
    const models::CaptionPolicyEntry &policy = *policies.find(options.captions.policy);
    if (policy.runs == models::PolicyRuns::OnWholeRecordings && live_device) {
        const auto live = [](const models::CaptionPolicyEntry &entry) {
            return entry.make && entry.runs != models::PolicyRuns::AsTheModelLikes ? entry.name : std::string();
        };
        throw Error(ErrorKind::Usage, "the " + policy.name + " policy needs a recording that ends", "braid-cli caption",
                    "Choose " + policies.names(live, ", ", " or ") + " for a live source.");
    }
    for (const auto &[option, setting] : {std::pair{flags.chunk, "chunk"},
                                          {flags.beam, "beam"},
                                          {flags.first_chunk, "first"},
                                          {flags.reencode, "reencode"},
                                          {flags.look_back, "look-back"},
                                          {flags.stability, "stability"},
                                          {flags.word_times, "word-times"},
                                          {flags.token_cache, "cache"},
                                          {flags.wait_k, "wait-k"},
                                          {flags.paradigm, "paradigm"},
                                          {flags.offset, "offset"},
                                          {flags.drafting.heads, "heads"},
                                          {flags.drafting.verify, "verify"},
                                          {flags.drafting.top_m, "top-m"},
                                          {flags.drafting.threshold, "verify"}}) {
        if (option->count() > 0 && !policy.takes(setting)) {
            const auto takes = [name = setting](const models::CaptionPolicyEntry &entry) {
                return entry.takes(name) && entry.runs != models::PolicyRuns::AsTheModelLikes ? entry.name : std::string();
            };
            const std::string owners = policies.names(takes, ", ", " or ");
            throw Error(ErrorKind::Usage, option->get_name() + " belongs to the " + owners + " policy", "braid-cli caption",
                        "Choose --policy " + owners + ", or leave it out.");
        }
    }
}

}  // namespace

void addCaption(CLI::App &app, Run &chosen, const models::ModelAccess &access)
{
    struct Asked {
        RawCaption raw;
        CaptionOptions options;
        CaptionFlags flags;
    };
    const auto asked = std::make_shared<Asked>();
    auto *command = app.add_subcommand("caption", "Caption files, a microphone, system sound or standard input");
    asked->flags = declareCaption(*command, asked->raw, asked->options, access.policies);
    command->callback([asked, &chosen, &access] {
        chosen = [asked, &access] {
            completeCaption(asked->options, asked->raw, asked->flags, access.policies);
            Interrupts interrupts;
            return runCaption(asked->options, access, interrupts);
        };
    });
}

}  // namespace braid::cli
