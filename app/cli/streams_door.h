// The language model behind a conversation in parallel streams, and its layout: found and loaded. In a build without libtorch load() throws Error(Usage)
// and says so. Thread: load() from any.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include "app/cli/options.h"
#include "core/engine/streams_engine.h"
#include "core/streams/layout.h"

namespace CLI {
class App;
}

namespace braid::cli {

inline constexpr const char *kStreamsModelInTheBox = "streams-en";
inline constexpr const char *kSingleStreamModelInTheBox = "streams-en-single";

struct StreamsModelOptions {
    std::string model = kStreamsModelInTheBox;  // a folder or a name
    std::string layout = "box";                 // a file, or the name of one that comes with Braid
    std::string device = "auto";
    NumberType number_type = NumberType::Float32;
    int threads = 1;                            // rows are small: more threads only wait for each other
};

// --model, --layout, --device, --number-type, --threads. `options` must outlive the parsing.
void declareStreamsModel(CLI::App &command, StreamsModelOptions &options);

// Throws Error(Input) where it cannot be read, Error(Usage) naming what there is.
[[nodiscard]] streams::Layout findLayout(const std::string &name_or_path);

// Loads the model and checks that it can run the layout.
[[nodiscard]] engine::StreamsModelDoor loadStreamsModel(const StreamsModelOptions &options, const streams::Layout &layout, const std::function<void(double, std::string)> &progress,
                                                        std::stop_token stop);
// Whether there is a model of this name or folder.
[[nodiscard]] bool hasStreamsModel(const std::string &model);

}  // namespace braid::cli
