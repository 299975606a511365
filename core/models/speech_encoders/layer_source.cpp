#include "core/models/speech_encoders/layer_source.h"

#include <utility>

namespace braid::models::speech {

nn::Linear LayerSource::linear(const std::string &name, std::int64_t in, std::int64_t out) const
{
    at::Tensor weight = find(name + ".weight", {out, in});
    at::Tensor bias = find(name + ".bias", {out});
    // Of a network in training the layer must be the parameter itself, not a copy in a faster form.
    return storage == nn::WeightStorage::Floats ? nn::Linear(std::move(weight), std::move(bias)) : nn::linearFrom(weight, std::move(bias), storage);
}

nn::LayerNorm LayerSource::norm(const std::string &name, std::int64_t width, double epsilon) const
{
    at::Tensor weight = find(name + ".weight", {width});
    return {std::move(weight), find(name + ".bias", {width}), epsilon};
}

LayerSource takingFrom(weights::TensorStore &tensors, const nn::Placement &placement)
{
    const auto find = [&tensors, placement](const std::string &name, const std::vector<std::int64_t> &shape) {
        return nn::tensorFrom(tensors.take(name, shape), placement);
    };
    return {find, placement.storage};
}

}  // namespace braid::models::speech
