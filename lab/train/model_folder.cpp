#include "lab/train/model_folder.h"

#include <array>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strict_json.h"
#include "core/weights/whisper_names.h"
#include "lab/train/tensor_files.h"

namespace braid::train {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

json configOf(const ModelDescription &description, const text::WhisperTokenizer &tokenizer)
{
    const weights::WhisperDims &dims = description.dims;
    return {{"model_type", "whisper"},
            {"architectures", {"WhisperForConditionalGeneration"}},
            {"activation_function", "gelu"},
            {"d_model", dims.n_audio_state},
            {"num_mel_bins", dims.n_mels},
            {"vocab_size", dims.n_vocab},
            {"encoder_layers", dims.n_audio_layer},
            {"encoder_attention_heads", dims.n_audio_head},
            {"encoder_ffn_dim", dims.audioMlp()},
            {"decoder_layers", dims.n_text_layer},
            {"decoder_attention_heads", dims.n_text_head},
            {"decoder_ffn_dim", dims.textMlp()},
            {"num_hidden_layers", dims.n_audio_layer},
            {"is_encoder_decoder", true},
            {"scale_embedding", false},
            {"tie_word_embeddings", true},
            {"max_source_positions", dims.n_audio_ctx},
            {"max_target_positions", dims.n_text_ctx},
            {"bos_token_id", tokenizer.endOfText()},
            {"eos_token_id", tokenizer.endOfText()},
            {"pad_token_id", tokenizer.endOfText()},
            {"decoder_start_token_id", tokenizer.startOfTranscript()},
            {"encoder_conv1_stride", dims.conv1_stride},
            {"encoder_conv2_stride", dims.conv2_stride},
            {"pad_to_window", description.padding == weights::WindowPadding::FullWindow},
            {"braid_languages", description.languages.empty() ? std::vector<std::string>{"en"} : description.languages}};
}

json generationOf(const ModelDescription &description, const text::WhisperTokenizer &tokenizer)
{
    json out = {{"suppress_tokens", json::array()},
                {"begin_suppress_tokens", json::array()},
                {"is_multilingual", tokenizer.isMultilingual()},
                {"bos_token_id", tokenizer.endOfText()},
                {"eos_token_id", tokenizer.endOfText()},
                {"pad_token_id", tokenizer.endOfText()},
                {"decoder_start_token_id", tokenizer.startOfTranscript()},
                {"max_length", description.dims.n_text_ctx}};
    if (const auto no_timestamps = tokenizer.noTimestamps()) {
        out["no_timestamps_token_id"] = *no_timestamps;
    }
    return out;
}

json storedOr(const fs::path &folder, const char *name, json fallback)
{
    const fs::path path = folder / name;
    return !folder.empty() && fs::exists(path) ? parseStrictJson(readTextFile(path, 4u << 20), path.string()) : std::move(fallback);
}

}  // namespace

std::string huggingFaceNameOf(std::string_view name)
{
    using Pair = std::array<std::string_view, 2>;
    static constexpr std::array<Pair, 14> kLayerParts = {{{"attn.query.", "self_attn.q_proj."},
                                                          {"attn.key.", "self_attn.k_proj."},
                                                          {"attn.value.", "self_attn.v_proj."},
                                                          {"attn.out.", "self_attn.out_proj."},
                                                          {"attn_ln.", "self_attn_layer_norm."},
                                                          {"cross_attn.query.", "encoder_attn.q_proj."},
                                                          {"cross_attn.key.", "encoder_attn.k_proj."},
                                                          {"cross_attn.value.", "encoder_attn.v_proj."},
                                                          {"cross_attn.out.", "encoder_attn.out_proj."},
                                                          {"cross_attn_ln.", "encoder_attn_layer_norm."},
                                                          {"mlp.0.", "fc1."},
                                                          {"mlp.2.", "fc2."},
                                                          {"mlp_ln.", "final_layer_norm."},
                                                          {"", ""}}};
    static constexpr std::array<Pair, 5> kSideParts = {{{"positional_embedding", "embed_positions.weight"},
                                                        {"token_embedding.weight", "embed_tokens.weight"},
                                                        {"ln_post.", "layer_norm."},
                                                        {"ln.", "layer_norm."},
                                                        {"conv", "conv"}}};
    const auto dot = name.find('.');
    const std::string side = std::string(name.substr(0, dot == name.npos ? 0 : dot + 1));
    std::string_view rest = name.substr(side.size());
    std::string out = "model." + side;
    if (rest.starts_with("blocks.")) {
        const auto end = rest.find('.', 7);
        out += "layers." + std::string(rest.substr(7, end - 6));
        rest.remove_prefix(std::min(rest.size(), end + 1));
        for (const auto &[ours, theirs] : kLayerParts) {
            if (!ours.empty() && rest.starts_with(ours)) {
                out += std::string(theirs) + std::string(rest.substr(ours.size()));
                break;
            }
        }
    } else {
        for (const auto &[ours, theirs] : kSideParts) {
            if (rest.starts_with(ours)) {
                out += std::string(theirs) + std::string(rest.substr(ours.size()));
                break;
            }
        }
    }
    if (weights::openAiNameOf(out) != name) {
        throw Error(ErrorKind::Internal, "the tensor \"" + std::string(name) + "\" has no name in a Hugging Face folder");
    }
    return out;
}

void writeModelFolder(const fs::path &folder, const ModelDescription &description, const std::map<std::string, at::Tensor> &parameters, at::ScalarType type)
{
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) {
        throw Error(ErrorKind::Storage, "the folder cannot be made (" + problem.message() + ")", folder.string());
    }
    const auto tokenizer = text::WhisperTokenizer::load(description.tokenizer, description.dims.n_vocab);
    json config = storedOr(description.source_folder, "config.json", configOf(description, *tokenizer));
    config["torch_dtype"] = type == at::kHalf ? "float16" : "float32";
    config["braid_streaming"] = {{"first_chunk_ms", description.first_chunk_ms},
                                 {"default_chunk_ms", description.default_chunk_ms},
                                 {"chunk_ms_min", description.chunk_ms_min},
                                 {"chunk_ms_max", description.chunk_ms_max}};
    json generation = storedOr(description.source_folder, "generation_config.json", generationOf(description, *tokenizer));
    json heads = json::array();
    for (const auto &[layer, head] : description.alignment_heads) {
        heads.push_back({layer, head});
    }
    generation["alignment_heads"] = heads;
    writeFileAtomically(folder / "config.json", config.dump(2) + "\n");
    writeFileAtomically(folder / "generation_config.json", generation.dump(2) + "\n");
    if (const fs::path copy = folder / description.tokenizer.filename(); !fs::exists(copy) || !fs::equivalent(copy, description.tokenizer)) {
        writeFileAtomically(copy, readTextFile(description.tokenizer));
    }
    std::map<std::string, at::Tensor> named;
    for (const auto &[name, value] : parameters) {
        if (!name.starts_with("heads.")) {
            named.emplace(huggingFaceNameOf(name), value);
        }
    }
    writeTensors(folder / "model.safetensors", named, type);
}

}  // namespace braid::train
