// Small models of random weights in the shapes of published ones, with what their folders have and no mark of ours: Qwen2 (byte-level vocabulary, ChatML) and
// Llama (SentencePiece letters with byte fallback, no chat template).
#pragma once

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/text/tokenizer_learner.h"
#include "core/weights/huggingface_lm.h"
#include "core/weights/safetensors.h"
#include "tests/lab/train/language_place.h"
#include "tests/support/hashed_numbers.h"

namespace braid::test {

enum class PublishedLm { Qwen2 = 1, Llama };

// As SentencePiece's models are converted: a piece for every byte, and letters. Without merges, words are spelled.
inline nlohmann::json byteFallbackTokenizer()
{
    nlohmann::json vocabulary = {{"<unk>", 0}, {"<s>", 1}, {"</s>", 2}};
    for (int byte = 0; byte < 256; ++byte) {
        char name[8];
        std::snprintf(name, sizeof name, "<0x%02X>", static_cast<unsigned>(byte));
        vocabulary[name] = vocabulary.size();
    }
    vocabulary["\u2581"] = vocabulary.size();
    for (char letter = 'a'; letter <= 'z'; ++letter) {
        vocabulary[std::string(1, letter)] = vocabulary.size();
    }
    nlohmann::json added = nlohmann::json::array();
    for (const char *name : {"<unk>", "<s>", "</s>"}) {
        added.push_back(
            {{"id", added.size()}, {"content", name}, {"single_word", false}, {"lstrip", false}, {"rstrip", false}, {"normalized", false}, {"special", true}});
    }
    return {{"version", "1.0"},
            {"truncation", nullptr},
            {"padding", nullptr},
            {"added_tokens", added},
            {"normalizer",
             {{"type", "Sequence"},
              {"normalizers", {{{"type", "Prepend"}, {"prepend", "\u2581"}}, {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "\u2581"}}}}}},
            {"pre_tokenizer", nullptr},
            {"post_processor", nullptr},
            {"decoder",
             {{"type", "Sequence"},
              {"decoders",
               {{{"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}},
                {{"type", "ByteFallback"}},
                {{"type", "Fuse"}},
                {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}}}}},
            {"model",
             {{"type", "BPE"},
              {"dropout", nullptr},
              {"unk_token", "<unk>"},
              {"continuing_subword_prefix", nullptr},
              {"end_of_word_suffix", nullptr},
              {"fuse_unk", true},
              {"byte_fallback", true},
              {"vocab", vocabulary},
              {"merges", nlohmann::json::array()}}}};
}

// Uniform numbers in the range in which such a network neither dies nor explodes.
inline weights::StoredTensor calmTensor(const std::string &name, const std::vector<std::int64_t> &shape)
{
    std::size_t count = 1;
    for (const std::int64_t size : shape) {
        count *= static_cast<std::size_t>(size);
    }
    auto values = std::make_shared<std::vector<float>>(hashedNumbers("published/" + name, count));
    const bool is_norm = name.ends_with("norm.weight");
    const float scale = is_norm || name.ends_with(".bias")        ? 0.02f
                        : name.find("embed") != std::string::npos ? 1.0f
                                                                  : 1 / std::sqrt(static_cast<float>(shape[1]));
    for (float &value : *values) {
        value = (is_norm ? 1.0f : 0.0f) + value * scale;
    }
    weights::StoredTensor tensor;
    tensor.shape = shape;
    tensor.bytes = std::as_bytes(std::span(*values));
    tensor.owner = values;
    return tensor;
}

inline void writePublishedLm(const std::filesystem::path &folder, PublishedLm kind)
{
    std::filesystem::create_directories(folder);
    const bool is_qwen = kind == PublishedLm::Qwen2;
    nlohmann::json config = {{"architectures", {is_qwen ? "Qwen2ForCausalLM" : "LlamaForCausalLM"}},
                             {"model_type", is_qwen ? "qwen2" : "llama"},
                             {"hidden_size", 32},
                             {"intermediate_size", 64},
                             {"num_hidden_layers", 2},
                             {"num_attention_heads", 4},
                             {"num_key_value_heads", 2},
                             {"max_position_embeddings", 1024},
                             {"rms_norm_eps", 1e-6},
                             {"rope_theta", 10000.0},
                             {"hidden_act", "silu"},
                             {"tie_word_embeddings", is_qwen},
                             {"torch_dtype", "float32"}};
    if (is_qwen) {
        text::TokenizerLearner learner;
        for (const train::PairText &pair : kPairs) {
            learner.add(" " + pair.source);
            learner.add(" " + pair.target);
        }
        learner.add(" - one - two - three", 50);
        std::ofstream(folder / "tokenizer.json") << learner.json(320, {"<|im_start|>", "<|im_end|>"});
        std::ofstream(folder / "chat_template.jinja")
            << "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
               "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";
        config["vocab_size"] = 320;
        config["eos_token_id"] = 319;
    } else {
        const nlohmann::json tokenizer = byteFallbackTokenizer();
        std::ofstream(folder / "tokenizer.json") << tokenizer.dump();
        config["vocab_size"] = tokenizer["model"]["vocab"].size();
        config["eos_token_id"] = 2;
    }
    std::ofstream(folder / "config.json") << config.dump(1);
    weights::TensorStore store(folder.string());
    for (const weights::ExpectedTensor &tensor : weights::expectedLmTensors(weights::parseLmConfig(config.dump(), "", "config"))) {
        const std::string name = tensor.name.starts_with("lm_head") ? tensor.name : "model." + tensor.name;
        store.add(name, calmTensor(name, tensor.shape));
    }
    weights::writeSafetensors(folder / "model.safetensors", store);
}

}  // namespace braid::test
