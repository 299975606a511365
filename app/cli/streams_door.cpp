#include "app/cli/streams_door.h"

#include <algorithm>

#include "app/cli/choices.h"
#include "app/cli/places.h"
#include "core/base/error.h"

#ifdef BRAID_HAS_MODELS
#include "app/cli/device_choice.h"
#include "core/models/language_model.h"
#endif

namespace braid::cli {
namespace {

namespace fs = std::filesystem;

}  // namespace

void declareStreamsModel(CLI::App &command, StreamsModelOptions &options)
{
    command.add_option("-m,--model", options.model, "A language model: name or folder")->capture_default_str()->type_name("NAME_OR_PATH");
    command.add_option("--layout", options.layout, "Which streams there are: a file (docs/formats.md), or box, ten_streams, system_user_assistants")->capture_default_str();
    command.add_option("--device", options.device, "auto, cpu, cuda, cuda:1")->capture_default_str();
    addChoice<NumberType>(command, "--number-type", options.number_type, {{"float32", NumberType::Float32}, {"bfloat16", NumberType::BFloat16}, {"float16", NumberType::Float16}},
                          "Of weights and activations (default float32)");
    command.add_option("--threads", options.threads, "Threads of the model; 0: one less than there are")->capture_default_str();
}

streams::Layout findLayout(const std::string &name_or_path)
{
    std::error_code ignored;
    if (fs::is_regular_file(name_or_path, ignored)) {
        return streams::readLayout(name_or_path);
    }
    std::vector<std::string> known;
    for (const fs::path &folder : layoutFolders()) {
        const fs::path file = folder / (name_or_path + ".json");
        if (fs::is_regular_file(file, ignored)) {
            return streams::readLayout(file);
        }
        for (const auto &entry : fs::directory_iterator(folder, ignored)) {
            known.push_back(entry.path().stem().string());
        }
    }
    std::sort(known.begin(), known.end());
    std::string names;
    for (const std::string &name : known) {
        names += (names.empty() ? "" : ", ") + name;
    }
    throw Error(ErrorKind::Usage, "there is no layout of this name and no such file", name_or_path, names.empty() ? "Name a layout's file with its path" : "There are " + names);
}

#ifdef BRAID_HAS_MODELS

engine::StreamsModelDoor loadStreamsModel(const StreamsModelOptions &options, const streams::Layout &layout, const std::function<void(double, std::string)> &progress, std::stop_token stop)
{
    const auto folders = modelFolders();
    const fs::path path = models::findLanguageModel(options.model, folders);
    const models::DeviceChoice device = deviceChoice(options.device, options.number_type, options.threads);
    const auto model = models::LanguageModel::load(path, device, {}, progress, stop);
    if (const std::string problem = streams::problemOf(layout, model->summary().streams); !problem.empty()) {
        throw Error(ErrorKind::Usage, problem, model->summary().name, "Choose another layout, or another model");
    }
    const models::StreamsParts parts = model->makeStreams();
    return {parts.model, parts.texts, models::applyDeviceChoice(device)};
}

bool hasStreamsModel(const std::string &model)
{
    try {
        static_cast<void>(models::findLanguageModel(model, modelFolders()));
        return true;
    } catch (const Error &) {
        return false;
    }
}

#else

engine::StreamsModelDoor loadStreamsModel(const StreamsModelOptions &, const streams::Layout &, const std::function<void(double, std::string)> &, std::stop_token)
{
    throw Error(ErrorKind::Usage, "this build of Braid has no models: streams need libtorch");
}

bool hasStreamsModel(const std::string &)
{
    return false;
}

#endif

}  // namespace braid::cli
