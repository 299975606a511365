// Learning from a batch in parts at the same time, a thread each: on a CPU many small operations share one thread well and two badly
// (1.25 times as fast). The gradient is the mean of the parts', as in data-parallel training everywhere; the same recipe gives the
// same bits, whichever part is done first. Where several processes train (world.h), each learns as many of the parts.
// Torch header; thread: one, which starts and ends the others within a call.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "lab/train/batch.h"
#include "lab/train/losses.h"
#include "lab/train/network.h"
#include "lab/train/world.h"

namespace braid::train {

class Replicas {
  public:
    // `network` must outlive this object and keep its tensors. `count`: of parts, for each process; `threads`: of libtorch, for each part.
    Replicas(const Network &network, std::int64_t count, int threads, std::shared_ptr<World> world = alone());

    // Leaves the gradients in the network's parameters. `seed`: what is dropped and replaced follows from it. -> the mean over the parts,
    // without a graph; tokens are counted together. Several processes are given the same batch.
    LossParts learn(const Batch &batch, const TextFrame &text, const LossSettings &settings, std::initializer_list<std::uint64_t> seed);

  private:
    // The network's gradients become the mean of all parts' of this process; the others' are taken away.
    void gatherGradients(std::size_t parts);
    // Means over this process become means over all.
    void joinProcesses(LossParts &means, std::size_t own_parts);

    const Network &m_network;
    std::vector<Network> m_others;  // the first part is learned by the network itself
    int m_threads = 1;
    std::shared_ptr<World> m_world;
};

}  // namespace braid::train
