// The wall clock as live and paced sources see it; tests put their own in its place and let hours pass in an instant.
#pragma once

#include <chrono>
#include <thread>

namespace braid::audio {

using TimePoint = std::chrono::steady_clock::time_point;

// Thread: now() from any thread, the audio callback included (it neither locks nor allocates); sleepFor() never from the callback.
class Clock {
  public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual TimePoint now() const noexcept { return std::chrono::steady_clock::now(); }
    virtual void sleepFor(std::chrono::nanoseconds duration) { std::this_thread::sleep_for(duration); }
};

}  // namespace braid::audio
