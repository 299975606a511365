#include "lab/train/language/language_network.h"

#include <cmath>
#include <utility>

#include <ATen/Parallel.h>

#include "core/base/error.h"
#include "core/models/device_choice.h"
#include "core/nn/placement.h"
#include "lab/train/dropout.h"
#include "lab/train/keyed_store.h"

namespace braid::train {

namespace {

constexpr double kEmbeddingDeviation = 0.05;
constexpr double kStreamDeviation = 0.02;  // of a stream embedding that is added to a published model (streaming-llm.md 2.1)
constexpr const char *kWeight = ".weight";
constexpr const char *kTokenHeads = "token_heads.";
constexpr const char *kStreamEmbedding = "channel_embedding.weight";

at::Tensor drawn(const std::vector<std::int64_t> &shape, double range, Random random)
{
    at::Tensor values = at::empty(shape, at::kFloat);
    float *out = values.data_ptr<float>();
    for (std::int64_t i = 0; i < values.numel(); ++i) {
        out[i] = static_cast<float>(random.uniform(-range, range));
    }
    return values;
}

bool isBlockMatrix(const std::string &name, const at::Tensor &value)
{
    return value.dim() == 2 && name.starts_with("layers.") && name.ends_with(kWeight);
}

}  // namespace

NetworkTypes typesOf(const RunRecipe &recipe)
{
    models::DeviceChoice choice;
    choice.device = recipe.device;
    choice.threads = static_cast<int>(recipe.threads);
    NetworkTypes types;
    types.device = models::placementOf(choice).device;
    at::set_num_threads(models::resolveThreads(choice.threads));
    const bool in_bfloat16 = recipe.products.empty() ? types.device.is_cuda() : recipe.products == "bfloat16";
    types.products = in_bfloat16 ? at::kBFloat16 : at::kFloat;
    return types;
}

LanguageNetwork::LanguageNetwork(weights::LmCheckpoint &checkpoint, std::uint64_t seed, const NetworkTypes &types)
    : m_config(checkpoint.config)
    , m_types(types)
{
    for (const weights::ExpectedTensor &tensor : weights::expectedLmTensors(m_config)) {
        if (tensor.name == kStreamEmbedding && !checkpoint.tensors.contains(tensor.name)) {
            m_has_new_streams = true;
            add(tensor.name, drawn(tensor.shape, kStreamDeviation * std::sqrt(3.0), Random({seed, keyOf(tensor.name)})));
            continue;
        }
        add(tensor.name, nn::tensorFrom(checkpoint.tensors.take(tensor.name), {types.device, types.parameters}));
    }
    checkpoint.tensors.requireAllTaken();
}

LanguageNetwork::LanguageNetwork(const weights::LmConfig &config, std::uint64_t seed, const NetworkTypes &types)
    : m_config(config)
    , m_types(types)
{
    for (const weights::ExpectedTensor &tensor : weights::expectedLmTensors(m_config)) {
        const std::string &name = tensor.name;
        const bool adds = name.ends_with("o_proj.weight") || name.ends_with("down_proj.weight");
        const bool embeds = name.starts_with("embed_tokens") || name.starts_with("lm_head");
        if (tensor.shape.size() == 1) {
            const bool is_bias = name.ends_with(".bias") || m_config.norm_adds_one;
            add(name, at::full(tensor.shape, is_bias ? 0.0 : 1.0, at::kFloat));
        } else if (adds || name.starts_with("channel_embedding")) {
            add(name, at::zeros(tensor.shape, at::kFloat));
        } else {
            // A uniform range has sqrt(3) times its deviation.
            const double range = embeds ? kEmbeddingDeviation * std::sqrt(3.0) : 1 / std::sqrt(static_cast<double>(tensor.shape[1]));
            add(name, drawn(tensor.shape, range, Random({seed, keyOf(name)})));
        }
    }
}

void LanguageNetwork::add(const std::string &name, const at::Tensor &value)
{
    // A contiguous leaf of its own.
    m_parameters[name] = value.to(m_types.device, m_types.parameters).clone().set_requires_grad(true);
}

void LanguageNetwork::addAdapters(std::int64_t rank, double alpha, std::uint64_t seed)
{
    m_rank = rank;
    m_scale = alpha / static_cast<double>(rank);
    const std::map<std::string, at::Tensor> base = m_parameters;
    for (const auto &[name, value] : base) {
        m_parameters[name].set_requires_grad(m_has_new_streams && name == kStreamEmbedding);
        if (isBlockMatrix(name, value)) {
            const std::string layer = name.substr(0, name.size() - std::char_traits<char>::length(kWeight));
            add(layer + ".lora_A", drawn({rank, value.size(1)}, 1 / std::sqrt(static_cast<double>(value.size(1))), Random({seed, keyOf(layer)})));
            add(layer + ".lora_B", at::zeros({value.size(0), rank}, at::kFloat));
        }
    }
}

void LanguageNetwork::addTokenHeads(const weights::LmTokenHeads &heads)
{
    if (m_config.token_heads.count > 1) {
        if (!(m_config.token_heads == heads)) {
            throw Error(ErrorKind::Input,
                        "the model has " + std::to_string(m_config.token_heads.count) + " " + std::string(weights::headKindName(m_config.token_heads.kind)) +
                            " heads already",
                        {}, "Ask for the same in \"token_heads\", or start from a model without");
        }
        return;
    }
    m_config.token_heads = heads;
    const at::Tensor output = m_parameters.at(m_config.tied_embeddings ? "embed_tokens.weight" : "lm_head.weight").detach();
    for (const weights::ExpectedTensor &tensor : weights::expectedLmTensors(m_config)) {
        if (tensor.name.starts_with(kTokenHeads)) {
            add(tensor.name, heads.kind == weights::LmHeadKind::Latent ? at::eye(m_config.width, at::kFloat) : output);
        }
    }
}

std::map<std::string, at::Tensor> LanguageNetwork::merged(const std::map<std::string, at::Tensor> &parameters) const
{
    std::map<std::string, at::Tensor> tensors;
    for (const auto &[name, value] : parameters) {
        if (name.find(".lora_") != name.npos) {
            continue;
        }
        at::Tensor tensor = value;
        if (m_rank > 0 && isBlockMatrix(name, value)) {
            const std::string layer = name.substr(0, name.size() - std::char_traits<char>::length(kWeight));
            tensor = tensor + at::mm(parameters.at(layer + ".lora_B"), parameters.at(layer + ".lora_A")) * m_scale;
        }
        tensors.emplace(name, tensor);
    }
    return tensors;
}

models::lm::DecoderLm LanguageNetwork::model(Learning learning) const
{
    std::map<std::string, at::Tensor> tensors = merged(m_parameters);
    for (auto &[name, tensor] : tensors) {
        const bool learns = learning == Learning::Everything || name.starts_with(kTokenHeads);
        tensor = (learns ? tensor : tensor.detach()).to(m_types.products);
    }
    return {m_config, {m_types.device, m_types.products}, tensors};
}

models::lm::DecoderLm LanguageNetwork::droppingModel(double share, Random &random) const
{
    std::map<std::string, at::Tensor> tensors;
    models::lm::TrainedAdapters adapters;
    adapters.scale = m_scale;
    adapters.drop = [share, &random](const at::Tensor &x) { return drop(x, share, &random); };
    for (const auto &[name, value] : m_parameters) {
        if (const auto factor = name.rfind(".lora_A"); factor != name.npos) {
            const std::string layer = name.substr(0, factor);
            adapters.layers[layer] = {value, m_parameters.at(layer + ".lora_B")};
        } else if (name.find(".lora_B") == name.npos) {
            tensors.emplace(name, value.to(m_types.products));
        }
    }
    return {m_config, {m_types.device, m_types.products}, tensors, std::move(adapters)};
}

}  // namespace braid::train
