// Everything a run needs to go on exactly where it was: weights, the optimizer's moments, the weights' average, how far it is and which
// batch comes next. A folder OUT/checkpoint with state.json, weights.safetensors, optimizer.safetensors and, where there is an average,
// average.safetensors; written beside the old one and put in its place when complete (docs/formats.md).
// Torch header. Errors: Error(Storage), Error(Input). Thread: any.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <ATen/ATen.h>

#include "lab/train/loader.h"
#include "lab/train/schedule.h"

namespace braid::train {

struct Checkpoint {
    Progress progress;
    LoaderPlace next;  // the batch that comes next
    std::int64_t optimizer_steps = 0;
    std::uint64_t recipe_key = 0;  // of the recipe's text
    std::map<std::string, at::Tensor> weights;
    std::map<std::string, at::Tensor> optimizer;
    std::map<std::string, at::Tensor> average;  // may be empty
};

void writeCheckpoint(const std::filesystem::path &out, const Checkpoint &checkpoint);
// Nothing where OUT has no checkpoint.
[[nodiscard]] std::optional<Checkpoint> readCheckpoint(const std::filesystem::path &out);

}  // namespace braid::train
