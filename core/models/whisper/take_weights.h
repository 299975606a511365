// Takes the tensors of one model out of a checkpoint, with their shapes checked. Used while a model is built.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "core/nn/linear.h"
#include "core/nn/placement.h"
#include "core/weights/whisper_checkpoint.h"

namespace braid::models::whisper {

// Told the bytes of every tensor taken; may throw to stop the loading. May be empty.
using TakeWatch = std::function<void(std::uint64_t bytes)>;

class WeightTaker {
  public:
    WeightTaker(weights::WhisperCheckpoint &checkpoint, const nn::Placement &placement, const TakeWatch &watch)
        : m_checkpoint(checkpoint)
        , m_placement(placement)
        , m_watch(watch)
    {
    }

    enum class Bias { Without = 1, With };

    [[nodiscard]] at::Tensor tensor(const std::string &name, std::initializer_list<std::int64_t> shape);
    // The weights of products, [out, in]: as float16 where that loses nothing and is faster (few_rows.h).
    [[nodiscard]] at::Tensor matrix(const std::string &name, std::int64_t out, std::int64_t in);
    // "NAME.weight" [out, in], "NAME.bias" [out], and "NAME.lora_A", "NAME.lora_B" where the checkpoint has them.
    [[nodiscard]] nn::Linear linear(const std::string &name, std::int64_t in, std::int64_t out, Bias bias = Bias::With);
    [[nodiscard]] nn::LayerNorm norm(const std::string &name, std::int64_t width);

  private:
    weights::WhisperCheckpoint &m_checkpoint;
    nn::Placement m_placement;
    const TakeWatch &m_watch;
};

}  // namespace braid::models::whisper
