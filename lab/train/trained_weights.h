// The parameters of a network while they are trained: the optimizer that changes them, their average, and both in a checkpoint.
// Torch header; thread: one.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <ATen/ATen.h>

#include "lab/train/checkpoint.h"
#include "lab/train/optimizer.h"
#include "lab/train/run_recipe.h"

namespace braid::train {

class TrainedWeights {
  public:
    // `parameters` are shared with the network, which must not exchange them; those with requires_grad() are trained. `rates`: of some of
    // them, as shares of the rate.
    TrainedWeights(const std::map<std::string, at::Tensor> &parameters, const OptimizerRecipe &recipe, const std::map<std::string, double> &rates = {});

    // One step along the gradients that backward() left (optimizer.h), then the average. `steps`: those before this one. -> the gradients' norm
    double step(double learning_rate, std::int64_t steps);

    // Runs `work` with the averaged weights in the network's place, where the recipe keeps an average.
    template <typename Work>
    void withAverage(const Work &work) const
    {
        const Exchange exchange(*this);
        work();
    }
    // The network gets the weights that validate best.
    void keepBest();
    // The weights that validate best: the average where there is one.
    [[nodiscard]] const std::map<std::string, at::Tensor> &best() const noexcept { return m_average.empty() ? m_parameters : m_average; }

    [[nodiscard]] const std::map<std::string, at::Tensor> &parameters() const noexcept { return m_parameters; }

    void save(Checkpoint &checkpoint) const;
    // Throws Error(Input) where the checkpoint does not fit the network.
    void restore(const Checkpoint &checkpoint);

  private:
    class Exchange {
      public:
        explicit Exchange(const TrainedWeights &weights);
        ~Exchange();
        Exchange(const Exchange &) = delete;
        Exchange &operator=(const Exchange &) = delete;

      private:
        const TrainedWeights &m_weights;
        std::map<std::string, at::Tensor> m_own;
    };

    std::map<std::string, at::Tensor> m_parameters;
    double m_kept = 0;  // share of the average kept each step; 0: no average
    std::map<std::string, at::Tensor> m_average;
    Optimizer m_optimizer;
};

}  // namespace braid::train
