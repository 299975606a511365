#include "lab/train/world.h"

#include <algorithm>

#include <c10/core/GradMode.h>

namespace braid::train {

namespace {

class Alone final : public World {
  public:
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return 1; }
    void sum(at::Tensor &) override {}
};

}  // namespace

void World::sumNumbers(std::vector<double> &values)
{
    at::Tensor tensor = at::empty({static_cast<std::int64_t>(values.size())}, at::kDouble);
    std::copy(values.begin(), values.end(), tensor.data_ptr<double>());
    sum(tensor);
    std::copy_n(tensor.data_ptr<double>(), values.size(), values.begin());
}

void World::takeFirsts(std::vector<double> &values)
{
    if (!isFirst()) {
        std::fill(values.begin(), values.end(), 0.0);
    }
    sumNumbers(values);
}

void World::waitForAll()
{
    std::vector<double> nothing = {0};
    sumNumbers(nothing);
}

std::shared_ptr<World> alone()
{
    return std::make_shared<Alone>();
}

double averageGradients(World &world, const std::map<std::string, at::Tensor> &parameters, double weight)
{
    if (world.isAlone()) {
        return weight;
    }
    const c10::NoGradGuard no_gradients;
    // All gradients in one row, so that one message carries them; behind them whether each is there, and the weight.
    std::vector<at::Tensor> pieces;
    std::vector<at::Tensor> trained;
    std::vector<float> is_there;
    for (const auto &[name, parameter] : parameters) {
        if (!parameter.requires_grad()) {
            continue;
        }
        const bool has_gradient = parameter.grad().defined() && weight > 0;
        trained.push_back(parameter);
        is_there.push_back(has_gradient ? 1.0f : 0.0f);
        pieces.push_back(has_gradient ? parameter.grad().reshape({-1}).to(at::kCPU, at::kFloat) * weight : at::zeros({parameter.numel()}, at::kFloat));
    }
    const auto count = static_cast<std::int64_t>(trained.size());
    at::Tensor rest = at::empty({count + 1}, at::kFloat);
    std::copy(is_there.begin(), is_there.end(), rest.data_ptr<float>());
    rest.data_ptr<float>()[count] = static_cast<float>(weight);
    pieces.push_back(rest);
    at::Tensor all = at::cat(pieces).contiguous();
    world.sum(all);
    const at::Tensor sums = all.narrow(0, all.numel() - count - 1, count + 1);
    const double total = sums[count].item<double>();
    std::int64_t at = 0;
    for (std::int64_t number = 0; number < count; ++number) {
        at::Tensor &parameter = trained[static_cast<std::size_t>(number)];
        const at::Tensor mean = all.narrow(0, at, parameter.numel());
        at += parameter.numel();
        if (sums[number].item<float>() > 0 && total > 0) {
            parameter.mutable_grad() = (mean / total).view(parameter.sizes()).to(parameter.device(), parameter.scalar_type());
        } else {
            parameter.mutable_grad().reset();
        }
    }
    return total;
}

}  // namespace braid::train
