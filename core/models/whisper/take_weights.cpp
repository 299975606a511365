#include "core/models/whisper/take_weights.h"

#include <array>

#include "core/nn/few_rows.h"

namespace braid::models::whisper {

at::Tensor WeightTaker::tensor(const std::string &name, std::initializer_list<std::int64_t> shape)
{
    const weights::StoredTensor stored = m_checkpoint.tensors.take(name, std::vector<std::int64_t>(shape));
    if (m_watch) {
        m_watch(stored.bytes.size());
    }
    return nn::tensorFrom(stored, m_placement);
}

at::Tensor WeightTaker::matrix(const std::string &name, std::int64_t out, std::int64_t in)
{
    return nn::asHalvesIfExact(tensor(name, {out, in}));
}

nn::Linear WeightTaker::linear(const std::string &name, std::int64_t in, std::int64_t out, Bias bias)
{
    nn::Linear layer(matrix(name + ".weight", out, in), bias == Bias::With ? tensor(name + ".bias", {out}) : at::Tensor());
    if (m_checkpoint.adapters.contains(name + ".lora_A")) {
        at::Tensor a = nn::tensorFrom(m_checkpoint.adapters.take(name + ".lora_A", std::array<std::int64_t, 2>{in, -1}), m_placement);
        at::Tensor b = nn::tensorFrom(m_checkpoint.adapters.take(name + ".lora_B", std::array<std::int64_t, 2>{a.size(1), out}), m_placement);
        layer.setAdapter(std::move(a), std::move(b));
    }
    return layer;
}

nn::LayerNorm WeightTaker::norm(const std::string &name, std::int64_t width)
{
    at::Tensor weight = tensor(name + ".weight", {width});
    return {std::move(weight), tensor(name + ".bias", {width})};
}

}  // namespace braid::models::whisper
