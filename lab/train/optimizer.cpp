#include "lab/train/optimizer.h"

#include <array>
#include <cmath>

#include <c10/core/GradMode.h>

#include "core/base/error.h"

namespace braid::train {

namespace {

// Matrices of the transformer blocks ("encoder.blocks.0...", "layers.0..."); embeddings, convolutions, heads, norms and adapters (whose
// product is the matrix) stay with Adam.
bool goesToMuon(const std::string &name, const at::Tensor &parameter)
{
    const bool is_in_block = name.find(".blocks.") != name.npos || name.starts_with("layers.");
    return parameter.dim() == 2 && is_in_block && name.find(".lora_") == name.npos;
}

void restoreTensor(at::Tensor &into, const std::map<std::string, at::Tensor> &state, const std::string &name)
{
    const auto found = state.find(name);
    if (found == state.end() || found->second.sizes() != into.sizes()) {
        throw Error(ErrorKind::Input, "the checkpoint's optimizer has no fitting \"" + name + "\"", {}, "It belongs to another recipe; begin a new run");
    }
    into.copy_(found->second);
}

}  // namespace

at::Tensor orthogonalised(const at::Tensor &matrices)
{
    // Coefficients of three steps of x <- a x + b (x x') x + c (x x')^2 x, chosen so that all singular values end near 1.
    constexpr std::array<std::array<double, 3>, 3> kSteps = {{{4.0848, -6.8946, 2.9270}, {3.9505, -6.3029, 2.6377}, {3.7418, -5.5913, 2.3037}}};
    const bool is_square = matrices.size(1) == matrices.size(2);
    at::Tensor x = matrices / (at::sqrt(at::square(matrices).sum({1, 2}, true)) + 1e-7);
    at::Tensor gram = at::matmul(x, x.transpose(1, 2));
    at::Tensor product;
    const at::Tensor eye = at::eye(x.size(1), x.options());
    for (std::size_t k = 0; k < kSteps.size(); ++k) {
        const bool is_last = k + 1 == kSteps.size();
        const auto [a, b, c] = kSteps[k];
        const at::Tensor q = eye * a + gram * b + at::matmul(gram, gram) * c;
        if (is_square) {
            x = at::matmul(q, x);
            gram = is_last ? gram : at::matmul(x, x.transpose(1, 2));
        } else {
            product = product.defined() ? at::matmul(q, product) : q;
            gram = is_last ? gram : at::matmul(at::matmul(q, q), gram);
        }
    }
    return product.defined() ? at::matmul(product, x) : x;
}

Optimizer::Optimizer(const std::map<std::string, at::Tensor> &parameters, const OptimizerSettings &settings)
    : m_settings(settings)
{
    for (const auto &[name, parameter] : parameters) {
        if (!parameter.requires_grad()) {
            continue;
        }
        const auto rate = settings.rates.find(name);
        Slot slot{name, parameter, at::zeros_like(parameter.detach()), {}, rate == settings.rates.end() ? 1.0 : rate->second};
        if (settings.kind == OptimizerKind::Muon && goesToMuon(name, parameter)) {
            m_muon[parameter.sizes().vec()].push_back(std::move(slot));
        } else {
            slot.square = at::zeros_like(parameter.detach());
            m_adam.push_back(std::move(slot));
        }
    }
}

double Optimizer::clipGradients()
{
    double sum = 0;
    const auto visit = [&](const auto &act) {
        for (Slot &slot : m_adam) {
            act(slot);
        }
        for (auto &[shape, slots] : m_muon) {
            for (Slot &slot : slots) {
                act(slot);
            }
        }
    };
    visit([&](Slot &slot) {
        if (slot.parameter.grad().defined()) {
            sum += at::square(at::norm(slot.parameter.grad())).item<double>();
        }
    });
    const double norm = std::sqrt(sum);
    if (m_settings.clip > 0 && std::isfinite(norm) && norm > m_settings.clip) {
        visit([&](Slot &slot) {
            if (slot.parameter.grad().defined()) {
                slot.parameter.mutable_grad().mul_(m_settings.clip / norm);
            }
        });
    }
    return norm;
}

void Optimizer::stepAdam(Slot &slot, double learning_rate) const
{
    const at::Tensor &gradient = slot.parameter.grad();
    const double count = static_cast<double>(m_steps);
    slot.mean.lerp_(gradient, 1 - m_settings.beta1);
    slot.square.mul_(m_settings.beta2).addcmul_(gradient, gradient, 1 - m_settings.beta2);
    const at::Tensor root = at::sqrt(slot.square).div_(std::sqrt(1 - std::pow(m_settings.beta2, count))).add_(m_settings.epsilon);
    at::Tensor value = slot.parameter.detach();
    value.mul_(1 - learning_rate * m_settings.weight_decay);
    value.addcdiv_(slot.mean, root, -learning_rate / (1 - std::pow(m_settings.beta1, count)));
}

void Optimizer::stepMuon(const std::vector<Slot *> &group, double learning_rate) const
{
    std::vector<at::Tensor> directions;
    for (const Slot *slot : group) {
        directions.push_back(at::lerp(slot->parameter.grad(), slot->mean, m_settings.muon_momentum));  // Nesterov's look ahead
    }
    at::Tensor stacked = at::stack(directions);
    const bool is_tall = stacked.size(1) > stacked.size(2);
    stacked = orthogonalised(is_tall ? stacked.transpose(1, 2) : stacked);
    stacked = is_tall ? stacked.transpose(1, 2) : stacked;
    const double size = m_settings.muon_scale * std::sqrt(static_cast<double>(std::max(stacked.size(1), stacked.size(2))));
    for (std::size_t i = 0; i < group.size(); ++i) {
        at::Tensor value = group[i]->parameter.detach();
        const double rate = learning_rate * group[i]->rate;
        value.mul_(1 - rate * m_settings.weight_decay).add_(stacked.select(0, static_cast<std::int64_t>(i)), -rate * size);
    }
}

double Optimizer::step(double learning_rate)
{
    const c10::NoGradGuard no_gradients;
    const double norm = clipGradients();
    if (std::isfinite(norm)) {
        ++m_steps;
        for (Slot &slot : m_adam) {
            if (slot.parameter.grad().defined()) {
                stepAdam(slot, learning_rate * slot.rate);
            }
        }
        std::int64_t number = 0;
        for (auto &[shape, slots] : m_muon) {
            std::vector<Slot *> turn;
            for (Slot &slot : slots) {
                if (!slot.parameter.grad().defined()) {
                    continue;
                }
                slot.mean.lerp_(slot.parameter.grad(), 1 - m_settings.muon_momentum);
                if ((number++ + m_steps) % m_settings.muon_every == 0) {
                    turn.push_back(&slot);
                }
            }
            if (!turn.empty()) {
                stepMuon(turn, learning_rate * static_cast<double>(m_settings.muon_every));
            }
        }
    }
    for (Slot &slot : m_adam) {
        slot.parameter.mutable_grad().reset();
    }
    for (auto &[shape, slots] : m_muon) {
        for (Slot &slot : slots) {
            slot.parameter.mutable_grad().reset();
        }
    }
    return norm;
}

std::map<std::string, at::Tensor> Optimizer::state() const
{
    std::map<std::string, at::Tensor> out;
    for (const Slot &slot : m_adam) {
        out["adam." + slot.name + ".mean"] = slot.mean;
        out["adam." + slot.name + ".square"] = slot.square;
    }
    for (const auto &[shape, slots] : m_muon) {
        for (const Slot &slot : slots) {
            out["muon." + slot.name + ".momentum"] = slot.mean;
        }
    }
    return out;
}

void Optimizer::restore(const std::map<std::string, at::Tensor> &state, std::int64_t steps)
{
    const c10::NoGradGuard no_gradients;
    for (Slot &slot : m_adam) {
        restoreTensor(slot.mean, state, "adam." + slot.name + ".mean");
        restoreTensor(slot.square, state, "adam." + slot.name + ".square");
    }
    for (auto &[shape, slots] : m_muon) {
        for (Slot &slot : slots) {
            restoreTensor(slot.mean, state, "muon." + slot.name + ".momentum");
        }
    }
    m_steps = steps;
}

std::int64_t Optimizer::trainedElements() const
{
    std::int64_t count = 0;
    for (const Slot &slot : m_adam) {
        count += slot.parameter.numel();
    }
    for (const auto &[shape, slots] : m_muon) {
        for (const Slot &slot : slots) {
            count += slot.parameter.numel();
        }
    }
    return count;
}

}  // namespace braid::train
