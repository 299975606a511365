#include "core/weights/conformer.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/weights/safetensors.h"
#include "core/weights/speech_encoder_tables.h"

namespace braid::weights {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 1u << 20;
constexpr std::size_t kMostBlocks = 8;
constexpr std::int64_t kWidest = 1 << 17;
constexpr std::int64_t kMostMelFrames = 100;  // a frame of one second

VggBlock vggBlockFrom(const ConfigTable &table)
{
    table.requireOnly({"channels", "convolutions", "kernel", "pool_time", "pool_bands", "layer_norm"});
    VggBlock block;
    block.channels = table.whole("channels", 1, 4096);
    block.convolutions = table.wholeOr("convolutions", 2, 1, 16);
    block.kernel = table.wholeOr("kernel", 3, 1, 63);
    block.pool_time = table.wholeOr("pool_time", 2, 1, 64);
    block.pool_bands = table.wholeOr("pool_bands", 2, 1, 64);
    block.norm = table.flagOr("layer_norm", false) ? VggNorm::Layer : VggNorm::None;
    if (block.kernel % 2 == 0) {
        table.refuse("\"kernel\" is even, so that it has no middle");
    }
    return block;
}

std::vector<VggBlock> frontFrom(const ConfigTable &config, const std::string &where)
{
    if (!config.has("front") || !config.value("front").is_array() || config.value("front").empty() || config.value("front").size() > kMostBlocks) {
        config.refuse("\"front\" is not a list of 1 to " + std::to_string(kMostBlocks) + " blocks");
    }
    std::vector<VggBlock> front;
    std::int64_t mel_frames = 1;
    for (const json &block : config.value("front")) {
        front.push_back(vggBlockFrom(ConfigTable(block, where + ", \"front\"")));
        mel_frames *= front.back().pool_time;
        if (mel_frames > kMostMelFrames) {
            config.refuse("its frames are longer than a second");
        }
    }
    return front;
}

ConformerNorm convolutionNormFrom(const ConfigTable &config)
{
    const std::string norm = config.textOr("convolution_norm", "batch");
    if (norm != "batch" && norm != "layer") {
        config.refuse("\"convolution_norm\" is neither \"batch\" nor \"layer\"");
    }
    return norm == "batch" ? ConformerNorm::Batch : ConformerNorm::Layer;
}

}  // namespace

std::int64_t ConformerConfig::melFrames() const noexcept
{
    std::int64_t frames = 1;
    for (const VggBlock &block : front) {
        frames *= block.pool_time;
    }
    return frames;
}

std::int64_t ConformerConfig::frontWidth() const noexcept
{
    std::int64_t bands = mel_bands;
    for (const VggBlock &block : front) {
        bands = (bands + block.pool_bands - 1) / block.pool_bands;
    }
    return front.empty() ? bands : front.back().channels * bands;
}

ConformerConfig parseConformerConfig(std::string_view config_text, const std::string &where)
{
    const json parsed = parseStrictJson(config_text, where);
    const ConfigTable config(parsed, where);
    config.requireOnly(
        {"model_type", "mel_bands", "front", "width", "layers", "heads", "mlp_width", "kernel", "convolution_norm", "braid_streaming", "braid_adapter"});
    if (config.text("model_type") != "braid-conformer") {
        throw Error(ErrorKind::Model, "its kind of model, \"" + config.text("model_type").substr(0, 60) + "\", is not braid-conformer", where,
                    "Choose the folder of a conformer that Braid trained");
    }
    ConformerConfig model;
    model.mel_bands = config.wholeOr("mel_bands", 80, 1, 512);
    model.front = frontFrom(config, where);
    model.width = config.whole("width", 2, kWidest);
    model.layers = config.whole("layers", 1, 1024);
    model.heads = config.whole("heads", 1, 1024);
    model.mlp_width = config.whole("mlp_width", 1, 1 << 20);
    model.kernel = config.whole("kernel", 1, 1024);
    model.convolution_norm = convolutionNormFrom(config);
    if (model.width % model.heads != 0) {
        config.refuse("\"width\" is not a multiple of \"heads\"");
    }
    if (model.width % 2 != 0) {
        config.refuse("\"width\" is odd, so that it has no halves of sines and cosines");
    }
    if (config.has("braid_streaming")) {
        model.streaming = speechStreamingFrom(ConfigTable(config.value("braid_streaming"), where + ", \"braid_streaming\""), model.streaming);
    }
    model.adapter = speechAdapterFrom(config, where);
    return model;
}

ConformerCheckpoint readConformer(const fs::path &folder)
{
    const fs::path path = folder / "config.json";
    if (!fs::exists(path)) {
        throw Error(ErrorKind::Model, "there is no config.json in this folder", folder.string(), "Choose the folder of a conformer that Braid trained");
    }
    return {parseConformerConfig(readTextFile(path, kMaxConfigBytes), path.string()), readSafetensorsFolder(folder)};
}

}  // namespace braid::weights
