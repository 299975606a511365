#include "app/cli/translator_options.h"

#include "app/cli/choices.h"
#include "app/cli/number_type_option.h"
#include "core/paradigms/paradigm.h"

namespace braid::cli {

void declareTranslator(CLI::App &command, TranslatorOptions &options)
{
    command.add_option("--model", options.model, "A language model: name or folder (default: translate-en-fr, which comes with Braid)")->type_name("NAME_OR_PATH");
    command.add_option("--adapter", options.adapters, "A PEFT adapter of it; the last one counts")->type_name("FOLDER");
    command.add_option("--paradigm", options.paradigm, "group (streaming with positions of their own), interleaved, batch, batch-positions, batch-all (these three re-encode nothing, positions, all), offline; no-source-positions, no-target-positions, no-positions")
        ->capture_default_str();
    command.add_option("--offset", options.phi, "phi: where the target's positions begin in group streaming; fractions too")->capture_default_str();
    command.add_option("--temperature", options.sampling.temperature, "Of sampling; 0: always the most probable")->capture_default_str();
    command.add_option("--top-k", options.sampling.top_k, "Sample among so many tokens; 0: all")->capture_default_str();
    command.add_option("--top-p", options.sampling.top_p, "Sample among the most probable tokens that together have this probability")->capture_default_str();
    command.add_option("--seed", options.seed, "Of sampling: the same seed gives the same text")->capture_default_str();
    command.add_option_function<std::int64_t>("--layer", [&options](std::int64_t layer) { options.layer = layer; }, "Look at the attention of this layer alone, from 0 (default: all)");
    command.add_option_function<std::int64_t>("--head", [&options](std::int64_t head) { options.head = head; }, "Look at the attention of this head alone, from 0 (default: all)");
    addChoice(command, "--pooling", options.pooling, Choices<AttentionPooling>{{"mean", AttentionPooling::Mean}, {"max", AttentionPooling::Max}}, "How layers and heads are joined (default mean)");
    command.add_option("--from", options.source_language, "Language of the source, for models that are told it (en)")->type_name("CODE");
    command.add_option("--to", options.target_language, "Language of the translation (fr)")->type_name("CODE");
    command.add_option("--device", options.device, "auto, cpu, cuda, cuda:1")->capture_default_str();
    addNumberType(command, options.number_type, "Of weights and activations (default float32)");
    command.add_option("--threads", options.threads, "0: one less than there are")->capture_default_str();
}

void declareWaitK(CLI::App &command, sessions::TranslationSettings &settings)
{
    command.add_option("--wait-k", settings.wait_k.k, "How many words of the source are read before the first is written; 1000 waits for the end of each sentence")->capture_default_str();
    command.add_option("--catch-up", settings.wait_k.catch_up_units, "Read all at once where more words than this wait; 0: always word by word")->capture_default_str();
}

}  // namespace braid::cli
