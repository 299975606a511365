// What the benchmarks share: times of the processor, per thread, so that other programs on the machine count little (they still share its caches and its
// memory), and the floors that steps are compared with, measured here and now with the same number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/nn/few_rows.h"

namespace braid::bench {

inline double processorMs()
{
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6) / at::get_num_threads();
}

// The best of several runs, in milliseconds of each thread.
inline double bestMs(int runs, const std::function<void()> &work)
{
    work();
    double best = 1e300;
    for (int i = 0; i < runs; ++i) {
        const double begin = processorMs();
        work();
        best = std::min(best, processorMs() - begin);
    }
    return best;
}

// Reading: a product with one row over a matrix of about so many bytes, which is what a decoder step is; a small one would lie in a cache, as a small
// model's weights do.
inline double readingGigabytesPerSecond(double bytes)
{
    const std::int64_t rows = std::max<std::int64_t>(64, static_cast<std::int64_t>(bytes / 4 / 4096));
    const at::Tensor matrix = at::rand({rows, 4096});
    const at::Tensor x = at::rand({1, 4096});
    const double ms = bestMs(9, [&] { static_cast<void>(nn::fewRowsLinear(x, matrix, {})); });
    return static_cast<double>(matrix.nbytes()) / ms / 1e6;
}

}  // namespace braid::bench
