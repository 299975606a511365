// The options that name a model and say how it computes, for every command alike; and the layout of a conversation in parallel streams.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/model_access/model_access.h"
#include "core/streams/layout.h"
#include "core/streams/streams_engine.h"
#include "core/translation/translation_session.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace braid::cli {

struct TranslatorChoice {
    std::string model;  // a name or a folder; empty: one made for the languages asked for
    std::vector<std::string> adapters;
    models::DeviceChoice device;
    models::TranslatorOptions options;
    // Throws Error(Model) naming what there is.
    [[nodiscard]] models::ModelChoice found(const models::ModelAccess &access) const;
};

struct StreamsModelOptions {
    std::string model = models::kStreamsModelInTheBox;                       // a name or a folder
    std::string layout = "box";                                              // a file, or the name of one that comes with Braid
    models::DeviceChoice device = {"auto", models::NumberType::Float32, 1};  // rows are small: more threads only wait for each other
};

// Options must outlive the parsing. --device, --number-type, --threads.
void declareDevice(CLI::App &command, models::DeviceChoice &device);
// Throws Error(Usage) where --offset is given and no paradigm asked for has one.
void requireOffsetIsUsed(const models::TranslatorOptions &options, std::span<const std::string> paradigms);
// How many tokens a step predicts, and which of them stand: --heads, --verify, --top-m, --threshold.
struct DraftOptions {
    CLI::Option *heads = nullptr;
    CLI::Option *verify = nullptr;
    CLI::Option *top_m = nullptr;
    CLI::Option *threshold = nullptr;
};
DraftOptions declareDrafting(CLI::App &command, drafting::DraftSettings &drafting);
// Model, device, paradigm, sampling, attention, languages.
void declareTranslator(CLI::App &command, TranslatorChoice &choice);
// k and catching up.
void declareWaitK(CLI::App &command, translation::TranslationSettings &settings);
// Model, layout and device.
void declareStreamsModel(CLI::App &command, StreamsModelOptions &options);

// Throws Error(Input) where it cannot be read, Error(Usage) naming what there is.
[[nodiscard]] streams::Layout findLayout(const std::string &name_or_path);
// Loads the model and checks that it can run the layout.
[[nodiscard]] streams::StreamsModelDoor loadStreamsModel(const models::ModelAccess &access, const StreamsModelOptions &options, const streams::Layout &layout,
                                                         const models::Progress &progress = {}, std::stop_token stop = {});

}  // namespace braid::cli
