// A whole small language model in a Hugging Face folder, made for a test: hashed weights, a byte-level vocabulary learnt from a few words, and either the
// frame of Braid's own translation models, the chat template of a published family, or seven streams with their marks.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

#include "core/text/tokenizer_learner.h"
#include "core/weights/safetensors.h"
#include "tests/support/hashed_lm.h"

namespace braid::test {

enum class SmallLmKind { Framed = 1, Chat, Streams };

inline nlohmann::json smallLmConfig(std::int64_t context)
{
    return {{"architectures", {"Qwen3ForCausalLM"}},
            {"model_type", "qwen3"},
            {"vocab_size", 320},
            {"hidden_size", 24},
            {"intermediate_size", 40},
            {"num_hidden_layers", 3},
            {"num_attention_heads", 4},
            {"num_key_value_heads", 2},
            {"head_dim", 10},
            {"max_position_embeddings", context},
            {"rms_norm_eps", 1e-6},
            {"rope_theta", 10000.0},
            {"hidden_act", "silu"},
            {"attention_bias", false},
            {"use_sliding_window", false},
            {"tie_word_embeddings", true},
            {"eos_token_id", 319},
            {"torch_dtype", "float32"}};
}

// Writes the folder; files of it may then be broken by the test.
inline void writeSmallLmFolder(const std::filesystem::path &folder, SmallLmKind kind, std::int64_t context = 512, const weights::LmTokenHeads &heads = {})
{
    std::filesystem::create_directories(folder);
    nlohmann::json config = smallLmConfig(context);
    text::TokenizerLearner learner;
    learner.add("the cat sat on the mat and the dog saw the cat", 3);
    learner.add("le chat le chien la maison le chat dort", 3);
    if (kind == SmallLmKind::Framed) {
        config["braid_translation"] = {{"source", "en"}, {"target", "fr"}, {"phi", {0}}};
        std::ofstream(folder / "tokenizer.json") << learner.json(320, {"<|source|>", "<|target|>", "<|end|>"});
    } else if (kind == SmallLmKind::Streams) {
        config["num_channels"] = 7;
        config["channel_embedding_method"] = "additive";
        learner.add("- one - two - three", 50);
        std::ofstream(folder / "tokenizer.json") << learner.json(
            320, {"<|System|>", "<|User|>", "<|Document|>", "<|Answer|>", "<|Working|>", "<|Check|>", "<|Audit|>", "<|end|>"});
    } else {
        std::ofstream(folder / "tokenizer.json") << learner.json(320, {"<|im_start|>", "<|im_end|>"});
        std::ofstream(folder / "chat_template.jinja")
            << "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
               "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";
    }
    if (heads.count > 1) {
        config["braid_token_heads"] = {{"kind", weights::headKindName(heads.kind)}, {"count", heads.count}};
    }
    const std::string text = config.dump(1);
    std::ofstream(folder / "config.json") << text;
    weights::TensorStore store(folder.string());
    for (const weights::ExpectedTensor &tensor : weights::expectedLmTensors(weights::parseLmConfig(text, "", "config"))) {
        const std::string name = "model." + tensor.name;
        store.add(name, hashedLmTensor("small/", name, tensor.shape, 1));
    }
    weights::writeSafetensors(folder / "model.safetensors", store);
}

}  // namespace braid::test
