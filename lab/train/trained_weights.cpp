#include "lab/train/trained_weights.h"

#include <algorithm>

#include <c10/core/GradMode.h>

#include "core/base/error.h"

namespace braid::train {

namespace {

OptimizerSettings settingsOf(const OptimizerRecipe &recipe, const std::map<std::string, double> &rates)
{
    OptimizerSettings settings;
    settings.rates = rates;
    settings.kind = recipe.kind == OptimizerRecipe::Kind::Muon ? OptimizerKind::Muon : OptimizerKind::AdamW;
    settings.weight_decay = recipe.weight_decay;
    settings.clip = recipe.clip;
    settings.beta1 = recipe.beta1;
    settings.beta2 = recipe.beta2;
    settings.epsilon = recipe.epsilon;
    settings.muon_every = recipe.muon_every;
    return settings;
}

void copyInto(const std::map<std::string, at::Tensor> &from, const std::map<std::string, at::Tensor> &into)
{
    const c10::NoGradGuard no_gradients;
    for (const auto &[name, value] : from) {
        at::Tensor target = into.at(name).detach();
        target.copy_(value);
    }
}

}  // namespace

TrainedWeights::TrainedWeights(const std::map<std::string, at::Tensor> &parameters, const OptimizerRecipe &recipe, const std::map<std::string, double> &rates)
    : m_parameters(parameters)
    , m_kept(recipe.average)
    , m_optimizer(parameters, settingsOf(recipe, rates))
{
    if (m_kept > 0) {
        for (const auto &[name, value] : m_parameters) {
            m_average.emplace(name, value.detach().clone());
        }
    }
}

double TrainedWeights::step(double learning_rate, std::int64_t steps)
{
    const double norm = m_optimizer.step(learning_rate);
    const c10::NoGradGuard no_gradients;
    // A young run has no past worth keeping: the average begins with the plain mean.
    const double kept = std::min(m_kept, static_cast<double>(steps + 1) / static_cast<double>(steps + 10));
    for (auto &[name, average] : m_average) {
        const at::Tensor &value = m_parameters.at(name);
        if (value.requires_grad()) {
            average.lerp_(value.detach(), 1 - kept);
        }
    }
    return norm;
}

void TrainedWeights::keepBest()
{
    copyInto(m_average, m_parameters);
}

TrainedWeights::Exchange::Exchange(const TrainedWeights &weights)
    : m_weights(weights)
{
    for (const auto &[name, average] : weights.m_average) {
        m_own.emplace(name, weights.m_parameters.at(name).detach().clone());
    }
    copyInto(weights.m_average, weights.m_parameters);
}

TrainedWeights::Exchange::~Exchange()
{
    copyInto(m_own, m_weights.m_parameters);
}

void TrainedWeights::save(Checkpoint &checkpoint) const
{
    for (const auto &[name, value] : m_parameters) {
        checkpoint.weights.emplace(name, value.detach());
    }
    checkpoint.optimizer = m_optimizer.state();
    checkpoint.optimizer_steps = m_optimizer.steps();
    checkpoint.average = m_average;
}

void TrainedWeights::restore(const Checkpoint &checkpoint)
{
    const c10::NoGradGuard no_gradients;
    const auto take = [](const std::map<std::string, at::Tensor> &from, const std::string &name, at::Tensor into) {
        const auto found = from.find(name);
        if (found == from.end() || found->second.sizes() != into.sizes()) {
            throw Error(ErrorKind::Input, "the checkpoint has no fitting \"" + name + "\"", {}, "It belongs to another recipe; begin a new run");
        }
        into.copy_(found->second);
    };
    for (const auto &[name, value] : m_parameters) {
        take(checkpoint.weights, name, value.detach());
    }
    for (const auto &[name, average] : m_average) {
        take(checkpoint.average.empty() ? checkpoint.weights : checkpoint.average, name, average);
    }
    m_optimizer.restore(checkpoint.optimizer, checkpoint.optimizer_steps);
}

}  // namespace braid::train
