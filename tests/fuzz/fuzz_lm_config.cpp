// Any text as config.json of a language model; behind a zero byte, as generation_config.json; behind another, as adapter_config.json.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/weights/huggingface_lm.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace braid::weights;
    std::string_view rest(reinterpret_cast<const char *>(data), size);
    std::string_view parts[3];
    for (std::string_view &part : parts) {
        const auto cut = rest.find('\0');
        part = rest.substr(0, cut);
        rest = cut == rest.npos ? std::string_view() : rest.substr(cut + 1);
    }
    LmConfig config;
    try {
        config = parseLmConfig(parts[0], parts[1], "fuzz");
        (void)expectedLmTensors(config);
    } catch (const braid::Error &) {
        config.vocabulary = config.width = config.mlp_width = config.heads = config.key_value_heads = config.head_width = config.layers = 2;
    }
    try {
        // Tensors of the rest: a rank-one adapter for the first layer, so that more than "no tensors" is reached.
        static const float kNumbers[64] = {};
        TensorStore tensors("fuzz");
        const auto tensor = [](std::vector<std::int64_t> shape) {
            StoredTensor stored;
            stored.shape = std::move(shape);
            stored.bytes = std::as_bytes(std::span(kNumbers)).first(static_cast<std::size_t>(stored.elementCount()) * 4);
            return stored;
        };
        if (config.width <= 8 && config.heads * config.head_width <= 32) {
            tensors.add("base_model.model.model.layers.0.self_attn.o_proj.lora_A.weight", tensor({1, config.heads * config.head_width}));
            tensors.add("base_model.model.model.layers.0.self_attn.o_proj.lora_B.weight", tensor({config.width, 1}));
        }
        (void)parseLmAdapter(parts[2], std::move(tensors), config, "fuzz");
    } catch (const braid::Error &) {
    }
    return 0;
}
