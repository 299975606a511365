#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/weights/config_table.h"
#include "core/weights/fused_layers.h"
#include "core/weights/huggingface_lm.h"
#include "core/weights/safetensors.h"
#include "core/weights/torch_archive.h"

namespace braid::weights {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 4u << 20;

struct Linear {
    std::int64_t in = 0;
    std::int64_t out = 0;
};

struct Settings {
    std::int64_t rank = 0;
    double alpha = 0;
    bool by_root = false;                          // rslora
    std::map<std::string, double> ranks;           // "rank_pattern"
    std::map<std::string, double> alphas;          // "alpha_pattern"
    std::optional<std::set<std::string>> targets;  // empty: a regular expression or "all-linear", not checked
    bool every_layer = true;                       // of the targets must be there
};

std::map<std::string, double> patternsOf(const ConfigTable &config, const char *key)
{
    std::map<std::string, double> patterns;
    if (!config.has(key)) {
        return patterns;
    }
    if (!config.value(key).is_object()) {
        config.refuse(std::string("\"") + key + "\" is not a table");
    }
    for (const auto &[name, value] : config.value(key).items()) {
        if (name.empty() || name.find_first_of("\\^$*+?()[]{}|") != name.npos) {
            config.refuse(std::string("\"") + key + "\" holds a regular expression, which this program does not evaluate");
        }
        if (!value.is_number() || !(value.get<double>() > 0 && value.get<double>() < 1e6)) {
            config.refuse(std::string("\"") + key + "\" holds something that is no sensible number");
        }
        patterns[name] = value.get<double>();
    }
    return patterns;
}

Settings settingsOf(const ConfigTable &config)
{
    if (config.textOr("peft_type", "") != "LORA") {
        config.refuse("the adapter is not a LoRA");
    }
    for (const char *key : {"use_dora", "lora_bias", "use_qalora", "use_bdlora", "fan_in_fan_out", "megatron_config", "layer_replication",
                            "trainable_token_indices", "target_parameters", "alora_invocation_tokens", "arrow_config"}) {
        const json absent;
        const json &value = config.has(key) ? config.value(key) : absent;
        if (!(value.is_null() || value == false || (value.is_structured() && value.empty()))) {
            config.refuse(std::string("the adapter uses \"") + key + "\", which this program does not know how to apply");
        }
    }
    Settings settings;
    settings.rank = config.whole("r", 1, 1 << 16);
    settings.alpha = config.number("lora_alpha", 1e-9, 1e9);
    settings.by_root = config.flagOr("use_rslora", false);
    settings.ranks = patternsOf(config, "rank_pattern");
    settings.alphas = patternsOf(config, "alpha_pattern");
    const std::string bias = config.textOr("bias", "none");
    if (bias != "none" && bias != "all" && bias != "lora_only") {
        config.refuse("its \"bias\" is none of none, all and lora_only");
    }
    if (!config.has("target_modules") || !(config.value("target_modules").is_array() || config.value("target_modules").is_string())) {
        config.refuse("\"target_modules\" is missing or neither a list nor a text");
    }
    if (config.value("target_modules").is_array()) {
        settings.targets.emplace();
        for (const json &target : config.value("target_modules")) {
            if (!target.is_string() || target.get_ref<const std::string &>().empty()) {
                config.refuse("\"target_modules\" holds something that is no name");
            }
            settings.targets->insert(target.get<std::string>());
        }
    }
    settings.every_layer = !config.has("layers_to_transform") && !config.has("layers_pattern") && !config.has("exclude_modules");
    return settings;
}

// As PEFT matches: the whole name or its last parts.
bool namesModule(const std::string &pattern, const std::string &module)
{
    return module == pattern || (module.size() > pattern.size() && module.ends_with(pattern) && module[module.size() - pattern.size() - 1] == '.');
}

double patternValue(const std::map<std::string, double> &patterns, const std::string &module, double fallback, const std::string &where)
{
    std::optional<double> found;
    for (const auto &[pattern, value] : patterns) {
        if (namesModule(pattern, module)) {
            if (found && *found != value) {
                throw Error(ErrorKind::Model, "two patterns give \"" + module + "\" different values", where);
            }
            found = value;
        }
    }
    return found.value_or(fallback);
}

// The linear layers of the base as its own folder names them (Phi's fused ones whole), without "model.".
std::map<std::string, Linear> linearsOf(const LmConfig &config)
{
    std::map<std::string, Linear> linears;
    const std::int64_t query = config.heads * config.head_width;
    const std::int64_t key = config.key_value_heads * config.head_width;
    linears["lm_head"] = {config.width, config.vocabulary};
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
        const std::string name = "layers." + std::to_string(layer);
        if (config.family == LmFamily::Phi3) {
            linears[name + ".self_attn.qkv_proj"] = {config.width, query + 2 * key};
            linears[name + ".mlp.gate_up_proj"] = {config.width, 2 * config.mlp_width};
        } else {
            linears[name + ".self_attn.q_proj"] = {config.width, query};
            linears[name + ".self_attn.k_proj"] = {config.width, key};
            linears[name + ".self_attn.v_proj"] = {config.width, key};
            linears[name + ".mlp.gate_proj"] = {config.width, config.mlp_width};
            linears[name + ".mlp.up_proj"] = {config.width, config.mlp_width};
        }
        linears[name + ".self_attn.o_proj"] = {query, config.width};
        linears[name + ".mlp.down_proj"] = {config.mlp_width, config.width};
    }
    return linears;
}

void cutOut(std::string &name, std::string_view part)
{
    if (const auto at = name.find(part); at != name.npos) {
        name.erase(at, part.size());
    }
}

// "base_model.model.model.layers.0.self_attn.q_proj.lora_A.default.weight" -> "layers.0.self_attn.q_proj.lora_A"
std::string plainName(std::string name)
{
    for (const std::string_view prefix : {"base_model.model.", "model."}) {
        if (name.starts_with(prefix)) {
            name.erase(0, prefix.size());
        }
    }
    cutOut(name, ".base_layer");
    cutOut(name, ".modules_to_save.default");
    cutOut(name, ".modules_to_save");
    for (const std::string_view factor : {".lora_A", ".lora_B"}) {
        if (const auto at = name.find(factor); at != name.npos && name.ends_with(".weight")) {
            name.erase(at + factor.size());
        }
    }
    return name;
}

// One adapted layer of the base's own folder becomes one, or the parts of a fused one, which share A and part B's rows.
void addLayer(LmAdapter &adapter, const std::string &module, const LmAdapterLayer &layer, const StoredTensor &a, const StoredTensor &b, const LmConfig &config)
{
    auto parts = partsOfFused(module, config);
    if (parts.empty()) {
        parts = {{module, b.shape.front()}};
    }
    std::int64_t begin = 0;
    for (const auto &[name, rows] : parts) {
        adapter.layers[name] = layer;
        adapter.tensors.add(name + ".lora_A", a);
        adapter.tensors.add(name + ".lora_B", rowsOf(b, begin, rows));
        begin += rows;
    }
}

void requireTargets(const Settings &settings, const std::set<std::string> &found, const std::map<std::string, Linear> &linears, const std::string &where)
{
    if (found.empty()) {
        throw Error(ErrorKind::Model, "the adapter changes no layer", where);
    }
    if (!settings.targets) {
        return;
    }
    const auto wanted = [&settings](const std::string &module) {
        return std::any_of(settings.targets->begin(), settings.targets->end(), [&module](const std::string &target) { return namesModule(target, module); });
    };
    for (const std::string &module : found) {
        if (!wanted(module)) {
            throw Error(ErrorKind::Model, "the adapter changes \"" + module + "\", which is none of its \"target_modules\"", where,
                        "Its configuration and its weights are of different adapters");
        }
    }
    for (const auto &[module, size] : linears) {
        if (found.count(module) == 0 && settings.every_layer && wanted(module)) {
            throw Error(ErrorKind::Model, "the adapter lacks its tensors for \"" + module + "\"", where,
                        "The adapter was not downloaded completely, or is for another model");
        }
    }
}

}  // namespace

LmAdapter parseLmAdapter(std::string_view adapter_config_text, TensorStore tensors, const LmConfig &base, const std::string &where)
{
    const json parsed = parseStrictJson(adapter_config_text, where);
    const Settings settings = settingsOf(ConfigTable(parsed, where));
    const std::map<std::string, Linear> linears = linearsOf(base);

    LmAdapter adapter(where);
    TensorStore plain(tensors.origin());
    for (const std::string &name : tensors.names()) {
        if (name.find(".original_module.") == name.npos) {
            const StoredTensor *tensor = tensors.peek(name);
            if (!isFloatingPoint(tensor->dtype)) {
                throw Error(ErrorKind::Model, "the tensor \"" + name + "\" is no floating point numbers", where);
            }
            plain.add(plainName(name), *tensor);
        }
    }
    std::set<std::string> found;
    TensorStore replaced(tensors.origin());
    for (const std::string &name : plain.names()) {
        if (name.ends_with(".lora_B")) {
            if (!plain.contains(name.substr(0, name.size() - 1) + "A")) {
                throw Error(ErrorKind::Model, "\"" + name + "\" has no lora_A beside it", where);
            }
            continue;
        }
        if (!name.ends_with(".lora_A")) {
            replaced.add(name, *plain.peek(name));
            continue;
        }
        const std::string module = name.substr(0, name.size() - 7);
        const auto linear = linears.find(module);
        if (linear == linears.end()) {
            throw Error(ErrorKind::Model, "the adapter changes \"" + module + "\", which is no linear layer of this base model", where,
                        "Choose the base model that the adapter was made for");
        }
        LmAdapterLayer layer;
        const std::string full = (module == "lm_head" ? "" : "model.") + module;
        layer.rank = static_cast<std::int64_t>(patternValue(settings.ranks, full, static_cast<double>(settings.rank), where));
        const double alpha = patternValue(settings.alphas, full, settings.alpha, where);
        layer.scale = alpha / (settings.by_root ? std::sqrt(static_cast<double>(layer.rank)) : static_cast<double>(layer.rank));
        const StoredTensor a = plain.take(name, std::array<std::int64_t, 2>{layer.rank, linear->second.in});
        const StoredTensor b = plain.take(module + ".lora_B", std::array<std::int64_t, 2>{linear->second.out, layer.rank});
        addLayer(adapter, module, layer, a, b, base);
        found.insert(module);
    }
    requireTargets(settings, found, linears, where);

    // What is left replaces tensors of the base, under the base's names.
    const std::vector<ExpectedTensor> expected = expectedLmTensors(base);
    for (const std::string &name : replaced.names()) {
        const auto wanted = std::find_if(expected.begin(), expected.end(), [&name](const ExpectedTensor &tensor) { return tensor.name == name; });
        if (wanted == expected.end()) {
            throw Error(ErrorKind::Model, "the adapter brings \"" + name + "\", which this base model does not have", where,
                        "Choose the base model that the adapter was made for");
        }
        adapter.tensors.add(name, replaced.take(name, wanted->shape));
    }
    return adapter;
}

LmAdapter readLmAdapter(const fs::path &folder, const LmConfig &base)
{
    const fs::path config = folder / "adapter_config.json";
    if (!fs::exists(config)) {
        throw Error(ErrorKind::Model, "there is no adapter_config.json in this folder", folder.string(), "Choose the folder of a PEFT adapter");
    }
    const std::string text = readTextFile(config, kMaxConfigBytes);
    LmAdapter adapter(folder.string());
    if (fs::exists(folder / "adapter_model.safetensors") || !fs::exists(folder / "adapter_model.bin")) {
        adapter = parseLmAdapter(text, readSafetensors(folder / "adapter_model.safetensors").tensors, base, config.string());
    } else {
        TorchArchive archive(folder / "adapter_model.bin");
        adapter = parseLmAdapter(text, archive.stateDict(archive.root()), base, config.string());
    }
    adapter.name = folder.filename().string();
    return adapter;
}

}  // namespace braid::weights
