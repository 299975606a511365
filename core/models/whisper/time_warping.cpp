#include "core/models/whisper/time_warping.h"

#include <algorithm>
#include <limits>

namespace braid::models::whisper {

void medianFilter(std::span<float> values, std::size_t columns, std::size_t width)
{
    const auto half = static_cast<std::ptrdiff_t>(width / 2);
    const auto count = static_cast<std::ptrdiff_t>(columns);
    if (columns == 0 || count <= half) {
        return;
    }
    std::vector<float> row(columns);
    std::vector<float> window(width);
    for (std::size_t begin = 0; begin + columns <= values.size(); begin += columns) {
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(begin), count, row.begin());
        for (std::ptrdiff_t c = 0; c < count; ++c) {
            for (std::ptrdiff_t k = -half; k <= half; ++k) {
                std::ptrdiff_t at = c + k < 0 ? -(c + k) : c + k;
                at = at >= count ? 2 * (count - 1) - at : at;
                window[static_cast<std::size_t>(k + half)] = row[static_cast<std::size_t>(at)];
            }
            std::nth_element(window.begin(), window.begin() + half, window.end());
            values[begin + static_cast<std::size_t>(c)] = window[static_cast<std::size_t>(half)];
        }
    }
}

std::vector<std::size_t> warpRows(std::span<const float> costs, std::size_t rows, std::size_t columns)
{
    enum class From : std::uint8_t { Diagonal = 1, Above, Left };
    std::vector<std::size_t> entered(rows, 0);
    if (rows == 0 || columns == 0) {
        return entered;
    }
    constexpr float kFar = std::numeric_limits<float>::infinity();
    std::vector<float> above(columns + 1, kFar);
    std::vector<float> here(columns + 1, kFar);
    std::vector<From> from(rows * columns);
    above[0] = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        here[0] = kFar;
        for (std::size_t c = 0; c < columns; ++c) {
            const float diagonal = above[c];
            const float up = above[c + 1];
            const float left = here[c];
            From best = From::Left;
            float cost = left;
            if (diagonal < up && diagonal < left) {
                best = From::Diagonal;
                cost = diagonal;
            } else if (up < diagonal && up < left) {
                best = From::Above;
                cost = up;
            }
            here[c + 1] = cost + costs[r * columns + c];
            from[r * columns + c] = best;
        }
        std::swap(above, here);
    }
    // Back from the last corner; the leftmost column of each row is where the path enters it.
    std::size_t r = rows - 1;
    std::size_t c = columns - 1;
    for (;;) {
        entered[r] = c;
        if (r == 0) {
            entered[0] = 0;  // along the top edge the path can only have come from the left
            break;
        }
        const From step = from[r * columns + c];
        if (step == From::Above || c == 0) {
            --r;
        } else if (step == From::Diagonal) {
            --r;
            --c;
        } else {
            --c;
        }
    }
    return entered;
}

}  // namespace braid::models::whisper
