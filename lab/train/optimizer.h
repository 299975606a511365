// AdamW (Loshchilov and Hutter 2019) and Muon (Jordan et al. 2024: momentum, then Newton-Schulz steps towards the nearest
// semi-orthogonal matrix) over the trained parameters of a network. With Muon the matrices of the transformer blocks go that way and
// everything else AdamW's; its updates are scaled to the root mean square of Adam's, so that one learning rate serves both.
//
// `muon_every`: each step orthogonalises only every n-th matrix with n times the step; the momentum spans twenty steps, so little
// is lost, and on a CPU the greater part of the optimizer's time is saved. Torch header; thread: one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>

namespace braid::train {

enum class OptimizerKind : std::uint8_t { AdamW = 1, Muon };

struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::AdamW;
    double weight_decay = 0.01;
    double beta1 = 0.9;
    double beta2 = 0.98;
    double epsilon = 1e-8;
    double muon_momentum = 0.95;
    double muon_scale = 0.2;
    std::int64_t muon_every = 1;
    double clip = 0;                      // the greatest norm of all gradients together; 0: as they are
    std::map<std::string, double> rates;  // of parameters by name, as shares of the step's learning rate; 1 where a name is missing
};

class Optimizer {
  public:
    // `parameters`: those with requires_grad() are trained; tensors are shared with the network.
    Optimizer(const std::map<std::string, at::Tensor> &parameters, const OptimizerSettings &settings);

    // One step along the gradients that backward() left, which are then forgotten. Returns their norm before clipping; a step
    // whose norm is not finite is left out.
    double step(double learning_rate);

    // Everything a resumed run needs: "adam.NAME.mean", "adam.NAME.square", "muon.NAME.momentum", and the steps so far.
    [[nodiscard]] std::map<std::string, at::Tensor> state() const;
    [[nodiscard]] std::int64_t steps() const noexcept { return m_steps; }
    // Throws Error(Input) where something is missing or of another shape.
    void restore(const std::map<std::string, at::Tensor> &state, std::int64_t steps);
    [[nodiscard]] std::int64_t trainedElements() const;

  private:
    struct Slot {
        std::string name;
        at::Tensor parameter;
        at::Tensor mean;    // Muon's momentum, too
        at::Tensor square;  // Adam's alone
        double rate = 1;    // share of the step's
    };
    [[nodiscard]] double clipGradients();
    void stepAdam(Slot &slot, double learning_rate) const;
    void stepMuon(const std::vector<Slot *> &group, double learning_rate) const;

    OptimizerSettings m_settings;
    std::vector<Slot> m_adam;
    std::map<std::vector<std::int64_t>, std::vector<Slot>> m_muon;  // by shape: orthogonalised together
    std::int64_t m_steps = 0;
};

// Towards the nearest semi-orthogonal matrix: [N, r, c] with r <= c. Wide matrices iterate on their Gram matrix alone:
// x_k = P_k x_0 and s_k = P_k^2 s_0, all of them polynomials of s_0.
[[nodiscard]] at::Tensor orthogonalised(const at::Tensor &matrices);

}  // namespace braid::train
