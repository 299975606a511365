#include "app/cli/chat_options.h"

#include "app/cli/choices.h"
#include "app/cli/output_files.h"
#include "core/base/error.h"

namespace braid::cli {

void declareChat(CLI::App &app, ChatOptions &options, std::function<void()> callback)
{
    auto *command = app.add_subcommand("chat", "A conversation in parallel streams: reading, working, checking and answering at once");
    command->footer(
        "Keys while it runs in a terminal: words enter with the space, Enter ends your turn, Escape pauses and goes on, Tab makes one row, Left goes back a row, Up ten,\n"
        "Ctrl+U drops what waits, Ctrl+D ends. Words can also come from --script, from --captions, from --mic, or from standard input.");
    declareStreamsModel(*command, options.model);
    command->add_option("--system", options.system, "What the system stream says")->type_name("TEXT");
    command->add_option("--script", options.script, "Words with the rows at which they are said (docs/formats.md, \"User scripts\")")->type_name("FILE");
    auto *recording = command->add_option("--captions", options.captions, "A recording; what is said in it is what the user says")->type_name("FILE");
    command
        ->add_option("--mic", options.microphone,
                     "A microphone, by name (see `braid-cli devices`), without a name the default one; what is said there is what the user says, until Ctrl+C")
        ->type_name("[NAME]")
        ->expected(0, 1)
        ->excludes(recording);
    command->add_option("--captions-model", options.captions_model, "The model that captions it")->capture_default_str()->type_name("NAME_OR_PATH");
    command->add_option("--open", options.open, "Play a saved conversation; with --model it is the model's to read along")->type_name("FILE");
    addChoice<streams::Playback>(*command, "--play", options.playback,
                                 {{"times", streams::Playback::AtRecordedTimes}, {"tempo", streams::Playback::AtTempo}, {"once", streams::Playback::AtOnce}},
                                 "At the times it was recorded with, at --rows-per-second, or all at once");
    command->add_option("--save", options.save, "Write the conversation to this file at the end")->type_name("FILE");
    options.overwrite = declareOverwrite(*command);
    command->add_option("--seed", options.seed, "The same seed and words give the same conversation")->capture_default_str();
    command->add_option("--rows-per-second", options.rows_per_second, "At most; 0: as fast as it goes (default: 4 at a terminal, else 0)")
        ->check(CLI::Range(0.0, 1000.0));
    command->add_option("--off", options.switched_off, "Streams that say nothing (ablation)")->type_name("NAME");
    command->add_option_function<double>(
        "--temperature", [&options](double value) { options.temperature = value; }, "Of all sampled streams; 0: always the most probable");
    command->add_option_function<int>(
        "--top-k", [&options](int value) { options.top_k = value; }, "Sample among so many tokens; 0: all");
    command->add_option_function<double>(
        "--top-p", [&options](double value) { options.top_p = value; }, "Sample among the most probable that have this probability together");
    command->add_option_function<double>(
        "--silence-penalty", [&options](double value) { options.silence_penalty = value; }, "Taken from the logit of silence in every sampled stream");
    addFlag(*command, "--one-stream", "Run a single-stream model in the same lanes: it answers when the turn is over (default model: streams-en-single)");
    addChoice<ChatFormat>(*command, "--format", options.format, {{"live", ChatFormat::Live}, {"table", ChatFormat::Table}, {"json", ChatFormat::Json}},
                          "Lanes as they grow, a markdown table at the end, or one event a line");
    declareJournal(
        *command, options.journal,
        "Folder for the journal of the conversation (for `braid-cli recover`); what is typed at a keyboard or said into a microphone has one without asking");
    command->callback([command, &options, callback = std::move(callback)] {
        options.model_given = command->count("--model") > 0;
        options.microphone_given = command->count("--mic") > 0;
        options.rows_per_second_given = command->count("--rows-per-second") > 0;
        if (command->count("--one-stream") > 0) {
            options.form = streams::StreamsForm::OneQueue;
            options.model.model = options.model_given ? options.model.model : models::kSingleStreamModelInTheBox;
        }
        callback();
    });
}

void adjustStreams(const ChatOptions &options, streams::Layout &layout)
{
    for (streams::Stream &stream : layout.streams) {
        if (!stream.isSampled()) {
            continue;
        }
        stream.sampling.temperature = options.temperature.value_or(stream.sampling.temperature);
        stream.sampling.top_k = options.top_k.value_or(stream.sampling.top_k);
        stream.sampling.top_p = options.top_p.value_or(stream.sampling.top_p);
        if (options.silence_penalty) {
            stream.penalty = {*options.silence_penalty, streams::PenaltyTime::Always, 0};
        }
    }
    streams::checkLayout(layout, layout.name);
}

}  // namespace braid::cli
