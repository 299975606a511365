#include "lab/train/language/language_folder.h"

#include <set>

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "lab/train/tensor_files.h"

namespace braid::train {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

void makeFolder(const fs::path &folder)
{
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) {
        throw Error(ErrorKind::Storage, "the folder cannot be made (" + problem.message() + ")", folder.string());
    }
}

void addStreams(json &config, std::int64_t streams)
{
    config["num_channels"] = streams;
    config["channel_embedding_method"] = "additive";
}

void addTranslation(json &config, const weights::LmTranslation &translation)
{
    config["braid_translation"] = {{"source", translation.source}, {"target", translation.target}, {"phi", translation.phi}};
}

}  // namespace

std::string withStreams(const std::string &config, std::int64_t streams)
{
    json values = parseStrictJson(config, "config.json");
    addStreams(values, streams);
    return values.dump(2) + "\n";
}

std::string withTranslation(const std::string &config, const weights::LmTranslation &translation)
{
    json values = parseStrictJson(config, "config.json");
    addTranslation(values, translation);
    return values.dump(2) + "\n";
}

std::string configJson(const LanguageSizes &sizes, const LanguageUse &use)
{
    json config = {{"architectures", {"Qwen3ForCausalLM"}},
                   {"model_type", "qwen3"},
                   {"vocab_size", use.vocabulary},
                   {"hidden_size", sizes.width},
                   {"intermediate_size", sizes.inner_width},
                   {"num_hidden_layers", sizes.layers},
                   {"num_attention_heads", sizes.heads},
                   {"num_key_value_heads", sizes.key_value_heads},
                   {"head_dim", sizes.width / sizes.heads},
                   {"max_position_embeddings", sizes.context},
                   {"rms_norm_eps", 1e-6},
                   {"rope_theta", sizes.rope_theta},
                   {"hidden_act", "silu"},
                   {"attention_bias", false},
                   {"attention_dropout", 0.0},
                   {"use_sliding_window", false},
                   {"tie_word_embeddings", true},
                   {"eos_token_id", use.end}};
    if (use.streams > 0) {
        addStreams(config, use.streams);
    }
    if (use.translation) {
        addTranslation(config, *use.translation);
    }
    return config.dump(2) + "\n";
}

std::string withTokenHeads(const std::string &config, const weights::LmTokenHeads &heads)
{
    if (heads.count < 2) {
        return config;
    }
    json values = parseStrictJson(config, "config.json");
    values["braid_token_heads"] = {{"kind", weights::headKindName(heads.kind)}, {"count", heads.count}};
    return values.dump(2) + "\n";
}

void writeLanguageFolder(const fs::path &folder, const LanguageFolder &files, const std::map<std::string, at::Tensor> &parameters, at::ScalarType type)
{
    makeFolder(folder);
    json config = parseStrictJson(files.config, "config.json");
    config.erase("dtype");
    config["torch_dtype"] = type == at::kHalf ? "float16" : "float32";
    writeFileAtomically(folder / "config.json", config.dump(2) + "\n");
    if (!files.generation.empty()) {
        writeFileAtomically(folder / "generation_config.json", files.generation);
    }
    writeFileAtomically(folder / "tokenizer.json", readTextFile(files.tokenizer));
    for (const fs::path &other : files.others) {
        writeFileAtomically(folder / other.filename(), readTextFile(other));
    }
    std::map<std::string, at::Tensor> named;
    for (const auto &[name, value] : parameters) {
        named.emplace(name.starts_with("lm_head") ? name : "model." + name, value);
    }
    writeTensors(folder / "model.safetensors", named, type);
}

void writeAdapterFolder(const fs::path &folder, const std::string &base, std::int64_t rank, double scale, double dropout,
                        const std::map<std::string, at::Tensor> &parameters, at::ScalarType type)
{
    makeFolder(folder);
    std::set<std::string> modules;
    std::map<std::string, at::Tensor> named;
    for (const auto &[name, value] : parameters) {
        if (const auto factor = name.rfind(".lora_"); factor != name.npos) {
            const std::string layer = name.substr(0, factor);
            modules.insert(layer.substr(layer.rfind('.') + 1));
            named.emplace("base_model.model.model." + name + ".weight", value);
        }
    }
    const json config = {{"peft_type", "LORA"},
                         {"task_type", "CAUSAL_LM"},
                         {"base_model_name_or_path", base},
                         {"r", rank},
                         {"lora_alpha", scale * static_cast<double>(rank)},
                         {"lora_dropout", dropout},
                         {"bias", "none"},
                         {"use_rslora", false},
                         {"use_dora", false},
                         {"fan_in_fan_out", false},
                         {"modules_to_save", nullptr},
                         {"target_modules", modules}};
    writeFileAtomically(folder / "adapter_config.json", config.dump(2) + "\n");
    writeTensors(folder / "adapter_model.safetensors", named, type);
}

}  // namespace braid::train
