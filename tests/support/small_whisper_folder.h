// A whole small Whisper in a Hugging Face folder, made for a test: hashed weights, Braid's own kind of vocabulary (bytes and four
// special tokens, no timestamps, no languages), windows of 2.4 s that are not padded, 40 ms frames.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/weights/safetensors.h"
#include "tests/support/hashed_whisper.h"

namespace braid::test {

inline weights::WhisperDims smallDims()
{
    weights::WhisperDims dims;
    dims.n_mels = 80;
    dims.n_audio_ctx = 60;
    dims.n_audio_state = dims.n_text_state = 24;
    dims.n_audio_head = 3;
    dims.n_audio_layer = 2;
    dims.n_vocab = 260;
    dims.n_text_ctx = 40;
    dims.n_text_head = 2;
    dims.n_text_layer = 3;
    dims.n_audio_mlp = 56;
    dims.n_text_mlp = 72;
    dims.conv1_stride = 2;
    return dims;
}

// UTF-8 of a code point below 0x800.
inline std::string utf8Of(int code)
{
    if (code < 0x80) {
        return {static_cast<char>(code)};
    }
    return {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
}

using ByteMerges = std::vector<std::pair<std::string, std::string>>;  // as bytes

// `merges` become tokens 256, 257, ... in their order; the special tokens follow.
inline std::string byteTokenizerJson(const ByteMerges &merges = {})
{
    nlohmann::json vocabulary = nlohmann::json::object();
    std::vector<std::string> written(256);
    int next = 0;
    for (int byte = 0; byte < 256; ++byte) {
        // GPT-2 writes printable bytes as themselves and the others from U+0100 on.
        const bool printable = (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
        written[static_cast<std::size_t>(byte)] = utf8Of(printable ? byte : 256 + next);
        vocabulary[written[static_cast<std::size_t>(byte)]] = byte;
        next += printable ? 0 : 1;
    }
    const auto write = [&written](const std::string &bytes) {
        std::string out;
        for (const char byte : bytes) {
            out += written[static_cast<unsigned char>(byte)];
        }
        return out;
    };
    nlohmann::json pairs = nlohmann::json::array();
    for (const auto &[left, right] : merges) {
        vocabulary[write(left + right)] = 256 + pairs.size();
        pairs.push_back({write(left), write(right)});
    }
    nlohmann::json added = nlohmann::json::array();
    std::size_t id = 256 + merges.size();
    for (const char *content : {"<|endoftext|>", "<|startoftranscript|>", "<|notimestamps|>", "<|nospeech|>"}) {
        added.push_back(
            {{"id", id++}, {"content", content}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}});
    }
    const nlohmann::json level = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}};
    return nlohmann::json{{"version", "1.0"},
                          {"truncation", nullptr},
                          {"padding", nullptr},
                          {"added_tokens", added},
                          {"normalizer", nullptr},
                          {"pre_tokenizer", level},
                          {"post_processor", nullptr},
                          {"decoder", level},
                          {"model",
                           {{"type", "BPE"},
                            {"dropout", nullptr},
                            {"unk_token", nullptr},
                            {"continuing_subword_prefix", nullptr},
                            {"end_of_word_suffix", nullptr},
                            {"fuse_unk", false},
                            {"byte_fallback", false},
                            {"vocab", vocabulary},
                            {"merges", pairs}}}}
        .dump();
}

inline std::string huggingFaceName(std::string name)
{
    static const std::pair<const char *, const char *> kRenames[] = {{".blocks.", ".layers."},
                                                                     {".cross_attn_ln", ".encoder_attn_layer_norm"},
                                                                     {".attn_ln", ".self_attn_layer_norm"},
                                                                     {".mlp_ln", ".final_layer_norm"},
                                                                     {".cross_attn.", ".encoder_attn."},
                                                                     {".attn.", ".self_attn."},
                                                                     {".query", ".q_proj"},
                                                                     {".key", ".k_proj"},
                                                                     {".value", ".v_proj"},
                                                                     {"attn.out", "attn.out_proj"},
                                                                     {".mlp.0", ".fc1"},
                                                                     {".mlp.2", ".fc2"},
                                                                     {"decoder.ln.", "decoder.layer_norm."},
                                                                     {"encoder.ln_post", "encoder.layer_norm"},
                                                                     {"token_embedding", "embed_tokens"},
                                                                     {"positional_embedding", "embed_positions.weight"}};
    for (const auto &[from, to] : kRenames) {
        if (const auto at = name.find(from); at != std::string::npos) {
            name.replace(at, std::string(from).size(), to);
        }
    }
    return "model." + name;
}

// Writes the folder; files of it may then be broken by the test. `dims.n_vocab` has room for the tokens of `merges`.
inline void writeSmallWhisperFolder(const std::filesystem::path &folder, const weights::WhisperDims &dims = smallDims(), const ByteMerges &merges = {})
{
    std::filesystem::create_directories(folder);
    weights::WhisperCheckpoint checkpoint = HashedWhisper("folder/", dims).take();
    weights::TensorStore store(folder.string());
    for (const std::string &name : checkpoint.tensors.names()) {
        store.add(huggingFaceName(name), checkpoint.tensors.take(name));
    }
    weights::writeSafetensors(folder / "model.safetensors", store);
    std::ofstream(folder / "tokenizer.json") << byteTokenizerJson(merges);
    std::ofstream(folder / "config.json") << nlohmann::json{
        {"model_type", "whisper"},
        {"d_model", dims.n_audio_state},
        {"num_mel_bins", dims.n_mels},
        {"vocab_size", dims.n_vocab},
        {"encoder_layers", dims.n_audio_layer},
        {"encoder_attention_heads", dims.n_audio_head},
        {"encoder_ffn_dim", dims.n_audio_mlp},
        {"decoder_layers", dims.n_text_layer},
        {"decoder_attention_heads", dims.n_text_head},
        {"decoder_ffn_dim", dims.n_text_mlp},
        {"max_source_positions", dims.n_audio_ctx},
        {"max_target_positions", dims.n_text_ctx},
        {"decoder_start_token_id", 257 + merges.size()},
        {"eos_token_id", 256 + merges.size()},
        {"encoder_conv1_stride", dims.conv1_stride},
        {"encoder_conv2_stride", dims.conv2_stride},
        {"pad_to_window", false},
        {"braid_languages", {"en"}}}.dump();
    std::ofstream(folder / "generation_config.json") << R"({"alignment_heads": [[1, 0], [2, 1]], "suppress_tokens": [], "is_multilingual": false})";
}

}  // namespace braid::test
