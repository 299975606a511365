#include "core/weights/wav2vec2.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/weights/safetensors.h"
#include "core/weights/speech_encoder_tables.h"

namespace braid::weights {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 4u << 20;
constexpr std::size_t kMostConvolutions = 16;
constexpr std::int64_t kWidest = 1 << 17;
constexpr std::int64_t kLongestField = 16'000;  // a second
constexpr const char *kPositions = "encoder.pos_conv_embed.conv.";

std::vector<Wav2Vec2Convolution> convolutionsFrom(const ConfigTable &config)
{
    const auto channels = config.wholes("conv_dim", 1, kMostConvolutions, 1, kWidest);
    const auto kernels = config.wholes("conv_kernel", channels.size(), channels.size(), 1, 1024);
    const auto strides = config.wholes("conv_stride", channels.size(), channels.size(), 1, 1024);
    if (config.wholeOr("num_feat_extract_layers", static_cast<std::int64_t>(channels.size()), 0, 1024) != static_cast<std::int64_t>(channels.size())) {
        config.refuse("\"num_feat_extract_layers\" and \"conv_dim\" contradict each other");
    }
    std::vector<Wav2Vec2Convolution> convolutions;
    std::int64_t hop = 1;
    std::int64_t field = 1;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (strides[i] > kernels[i]) {
            config.refuse("a convolution of the feature extractor steps over sound that no frame reads");
        }
        field += (kernels[i] - 1) * hop;
        hop *= strides[i];
        if (field > kLongestField || hop > kLongestField) {
            config.refuse("its frames read more than a second of sound");
        }
        convolutions.push_back({channels[i], kernels[i], strides[i]});
    }
    return convolutions;
}

void requireGelu(const ConfigTable &config, const char *key)
{
    if (const std::string name = config.textOr(key, "gelu"); name != "gelu") {
        config.refuse(std::string("\"") + key + "\" is \"" + name.substr(0, 60) + "\"; only \"gelu\" is known to this program");
    }
}

Wav2Vec2FeatureNorm featureNormFrom(const ConfigTable &config)
{
    const std::string norm = config.textOr("feat_extract_norm", "group");
    if (norm != "group" && norm != "layer") {
        config.refuse("\"feat_extract_norm\" is neither \"group\" nor \"layer\"");
    }
    return norm == "group" ? Wav2Vec2FeatureNorm::GroupOnFirst : Wav2Vec2FeatureNorm::LayerOnAll;
}

void readSizes(const ConfigTable &config, Wav2Vec2Config &model)
{
    model.width = config.whole("hidden_size", 1, kWidest);
    model.layers = config.whole("num_hidden_layers", 1, 1024);
    model.heads = config.whole("num_attention_heads", 1, 1024);
    model.mlp_width = config.whole("intermediate_size", 1, 1 << 20);
    model.position_kernel = config.wholeOr("num_conv_pos_embeddings", 128, 1, 4096);
    model.position_groups = config.wholeOr("num_conv_pos_embedding_groups", 16, 1, kWidest);
    model.norm_epsilon = config.numberOr("layer_norm_eps", 1e-5, 1e-12, 1);
    if (model.width % model.heads != 0) {
        config.refuse("\"hidden_size\" is not a multiple of \"num_attention_heads\"");
    }
    if (model.width % model.position_groups != 0) {
        config.refuse("\"hidden_size\" is not a multiple of \"num_conv_pos_embedding_groups\"");
    }
}

Wav2Vec2Loudness loudnessFrom(std::string_view text, const std::string &where)
{
    if (text.empty()) {
        return Wav2Vec2Loudness::AsItIs;
    }
    const json parsed = parseStrictJson(text, where);
    const ConfigTable table(parsed, where);
    (void)table.wholeOr("sampling_rate", 16'000, 16'000, 16'000);
    (void)table.wholeOr("feature_size", 1, 1, 1);
    return table.flagOr("do_normalize", true) ? Wav2Vec2Loudness::Normalised : Wav2Vec2Loudness::AsItIs;
}

// What is in the files of whole models and has no part in encoding.
bool isBesideTheEncoder(std::string_view name)
{
    constexpr std::string_view kBeside[] = {"masked_spec_embed", "lm_head.", "quantizer.", "project_q.", "project_hid."};
    return std::any_of(std::begin(kBeside), std::end(kBeside), [name](std::string_view beginning) { return name.starts_with(beginning); });
}

std::string textIfThere(const fs::path &path)
{
    return fs::exists(path) ? readTextFile(path, kMaxConfigBytes) : std::string();
}

}  // namespace

std::int64_t Wav2Vec2Config::hopSamples() const noexcept
{
    std::int64_t hop = 1;
    for (const Wav2Vec2Convolution &convolution : convolutions) {
        hop *= convolution.stride;
    }
    return hop;
}

std::int64_t Wav2Vec2Config::fieldSamples() const noexcept
{
    std::int64_t hop = 1;
    std::int64_t field = 1;
    for (const Wav2Vec2Convolution &convolution : convolutions) {
        field += (convolution.kernel - 1) * hop;
        hop *= convolution.stride;
    }
    return field;
}

Wav2Vec2Config parseWav2Vec2Config(std::string_view config_text, std::string_view preprocessor_text, const std::string &where)
{
    const json parsed = parseStrictJson(config_text, where);
    const ConfigTable config(parsed, where);
    if (config.text("model_type") != "wav2vec2") {
        throw Error(ErrorKind::Model, "its kind of model, \"" + config.text("model_type").substr(0, 60) + "\", is not wav2vec2", where,
                    "Choose the folder of a Hugging Face wav2vec 2 model");
    }
    if (config.has("quantization_config")) {
        throw Error(ErrorKind::Model, "the model is quantised", where, "Use the model in float32, float16 or bfloat16");
    }
    if (config.flagOr("add_adapter", false) || config.has("adapter_attn_dim")) {
        config.refuse("it has adapters of Hugging Face's own (\"add_adapter\" or \"adapter_attn_dim\"), which this program does not know");
    }
    requireGelu(config, "hidden_act");
    requireGelu(config, "feat_extract_activation");
    Wav2Vec2Config model;
    model.convolutions = convolutionsFrom(config);
    model.convolution_bias = config.flagOr("conv_bias", false);
    model.feature_norm = featureNormFrom(config);
    model.block_norm = config.flagOr("do_stable_layer_norm", false) ? Wav2Vec2BlockNorm::Before : Wav2Vec2BlockNorm::After;
    readSizes(config, model);
    model.loudness = loudnessFrom(preprocessor_text, "preprocessor_config.json beside " + where);
    if (config.has("braid_streaming")) {
        const ConfigTable table(config.value("braid_streaming"), where + ", \"braid_streaming\"");
        model.streaming = speechStreamingFrom(table, {}, {"causal_positions"});
        model.positions = table.flagOr("causal_positions", true) ? Wav2Vec2Positions::Causal : Wav2Vec2Positions::Centred;
    }
    model.adapter = speechAdapterFrom(config, where);
    return model;
}

void settleWav2Vec2Tensors(TensorStore &tensors)
{
    constexpr std::string_view kPrefix = "wav2vec2.";
    for (const std::string &name : tensors.names()) {
        const std::string plain = name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
        if (isBesideTheEncoder(plain)) {
            tensors.remove(name);
        } else {
            tensors.rename(name, plain);
        }
    }
    const std::string positions = kPositions;
    for (const auto &[newer, older] :
         {std::pair{"parametrizations.weight.original0", "weight_g"}, std::pair{"parametrizations.weight.original1", "weight_v"}}) {
        if (tensors.contains(positions + newer)) {
            tensors.rename(positions + newer, positions + older);
        }
    }
}

Wav2Vec2Checkpoint readWav2Vec2(const fs::path &folder)
{
    const fs::path config_path = folder / "config.json";
    if (!fs::exists(config_path)) {
        throw Error(ErrorKind::Model, "there is no config.json in this folder", folder.string(), "Choose the folder of a Hugging Face wav2vec 2 model");
    }
    Wav2Vec2Checkpoint checkpoint{
        parseWav2Vec2Config(readTextFile(config_path, kMaxConfigBytes), textIfThere(folder / "preprocessor_config.json"), config_path.string()),
        readSafetensorsFolder(folder)};
    settleWav2Vec2Tensors(checkpoint.tensors);
    return checkpoint;
}

}  // namespace braid::weights
