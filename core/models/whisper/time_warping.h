// Dynamic time warping and the filter before it, over plain numbers. No torch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace braid::models::whisper {

// Median over `width` (odd) neighbours of every row of rows x columns, edges reflected; rows shorter than half the width stay as they are.
void medianFilter(std::span<float> values, std::size_t columns, std::size_t width);

// The cheapest monotone path through `costs` (rows x columns): for every row the column where the path enters it.
[[nodiscard]] std::vector<std::size_t> warpRows(std::span<const float> costs, std::size_t rows, std::size_t columns);

}  // namespace braid::models::whisper
