// Numbers left out at random while training. Torch header; thread: any, with a generator of its own.
#pragma once

#include <ATen/ATen.h>

#include "lab/train/random.h"

namespace braid::train {

// Each number of `x` is zero with probability `share`, the others are as much larger as keeps the mean. `random` decides on a CPU, 16 bits a
// number (libtorch draws one by one, from one generator for all threads: 5 % of a step's time, in an order that depends on who comes
// first). A GPU draws from libtorch's generator, which Replicas seeds for every step: a resumed run draws there, too, what the whole one did.
// `share` 0 returns `x`, and needs no `random`.
[[nodiscard]] at::Tensor drop(const at::Tensor &x, double share, Random *random);

}  // namespace braid::train
