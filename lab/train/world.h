// One training in several processes, on one machine or many (data parallel): each learns from a part of every batch, the gradients are the mean over all
// parts, and every process takes the same step. libtorch's own process groups carry the numbers (c10d, Gloo); who takes part is told by the environment
// variables that torchrun and its like set.
// Torch header; thread: one. Every process makes the same calls in the same order; each waits for the others. Errors: Error(Usage) for an environment that
// says nothing sensible; Error(Device) where another process cannot be reached or has gone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ATen/ATen.h>

namespace braid::train {

class World {
  public:
    virtual ~World() = default;
    [[nodiscard]] virtual int rank() const = 0;  // 0 to size() - 1
    [[nodiscard]] virtual int size() const = 0;
    // float64 or float32 on the CPU, contiguous, of the same shape everywhere: becomes the sum over all processes.
    virtual void sum(at::Tensor &values) = 0;

    // The first one validates, reports and writes files.
    [[nodiscard]] bool isFirst() const { return rank() == 0; }
    [[nodiscard]] bool isAlone() const { return size() == 1; }
    // What the first process has.
    void takeFirsts(std::vector<double> &values);
    void sumNumbers(std::vector<double> &values);
    // One process after the other, so that what one prepares and keeps in a file is found by the next.
    template <typename Work>
    void inTurn(const Work &work)
    {
        for (int turn = 0; turn < size(); ++turn) {
            if (turn == rank()) {
                work();
            }
            waitForAll();
        }
    }

  private:
    void waitForAll();
};

// One process.
[[nodiscard]] std::shared_ptr<World> alone();
// Whether this build can train in several processes.
[[nodiscard]] bool hasProcessGroups();
// By RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT; one process where WORLD_SIZE is not set or 1. Waits until all are there.
[[nodiscard]] std::shared_ptr<World> worldOfEnvironment();

// The gradients that backward() left become their mean over all processes, each counted with its `weight` (0: it had nothing to learn from). A parameter
// that has no gradient anywhere keeps none. -> the sum of the weights
double averageGradients(World &world, const std::map<std::string, at::Tensor> &parameters, double weight);

}  // namespace braid::train
