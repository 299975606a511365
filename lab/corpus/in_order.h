// Independent pieces of work on several threads, taken in their order: what is written down is the same for any number of threads, and a
// run that was stopped has done a beginning of the list.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace braid::corpus {

// Whether to go on; asked between pieces, on the calling thread.
using GoOn = std::function<bool()>;

// `work(worker, index)` gives a Result, on one of `workers` threads (worker is 0 .. workers - 1, so each can have tools of its own);
// `take(index, result)` is called on the calling thread, indexes rising from `first`. The first exception ends it and is thrown again.
template <typename Result>
void runInOrder(std::size_t first, std::size_t count, int workers, const std::function<Result(int, std::size_t)> &work,
                const std::function<void(std::size_t, Result &&)> &take, const GoOn &go_on)
{
    const auto threads = static_cast<std::size_t>(std::clamp(workers, 1, 256));
    const std::size_t batch = threads * 16;
    for (std::size_t begin = first; begin < count && go_on(); begin += batch) {
        const std::size_t end = std::min(count, begin + batch);
        std::vector<Result> results(end - begin);
        std::atomic<std::size_t> next{begin};
        std::exception_ptr trouble;
        std::mutex trouble_lock;
        const auto loop = [&](int worker) {
            for (std::size_t i = next++; i < end; i = next++) {
                try {
                    results[i - begin] = work(worker, i);
                } catch (...) {
                    const std::lock_guard hold(trouble_lock);
                    trouble = trouble ? trouble : std::current_exception();
                    next = end;
                }
            }
        };
        {
            std::vector<std::jthread> others;
            for (std::size_t worker = 1; worker < threads; ++worker) {
                others.emplace_back(loop, static_cast<int>(worker));
            }
            loop(0);
        }
        if (trouble) {
            std::rethrow_exception(trouble);
        }
        for (std::size_t i = begin; i < end; ++i) {
            take(i, std::move(results[i - begin]));
        }
    }
}

}  // namespace braid::corpus
