// A lock-free ring of float samples between one producer (the audio callback) and one consumer (the pump).
//
// Memory order: each side writes its own index with release after it has touched the samples, and reads the other's with acquire
// before it touches them; so samples seen through an index are complete, and room seen through an index is free.
// Sound that finds no room is dropped in whole blocks and counted. Once something has been dropped, everything is dropped until the
// consumer has emptied the ring and taken the count: so a loss has one exact place in the sound, after all that was read before.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

namespace braid::audio {

class SampleRing {
  public:
    // Room for at least `capacity` samples; rounded up to a power of two.
    explicit SampleRing(std::size_t capacity)
        : m_samples(std::bit_ceil(std::max<std::size_t>(capacity, 2)))
        , m_mask(m_samples.size() - 1)
    {
    }
    SampleRing(const SampleRing &) = delete;
    SampleRing &operator=(const SampleRing &) = delete;

    [[nodiscard]] std::size_t capacity() const noexcept { return m_samples.size(); }

    // Producer only. Takes the whole block or drops the whole block; never waits, locks or allocates. True: taken.
    bool write(std::span<const float> block) noexcept
    {
        const std::size_t written = m_written.load(std::memory_order_relaxed);
        const std::size_t room = m_samples.size() - (written - m_read.load(std::memory_order_acquire));
        if (m_dropped.load(std::memory_order_acquire) > 0 || block.size() > room) {
            m_dropped.fetch_add(block.size(), std::memory_order_acq_rel);
            return false;
        }
        const std::size_t begin = written & m_mask;
        const std::size_t first = std::min(block.size(), m_samples.size() - begin);
        copy(m_samples.data() + begin, block.data(), first);
        copy(m_samples.data(), block.data() + first, block.size() - first);
        m_written.store(written + block.size(), std::memory_order_release);
        return true;
    }

    // Consumer only. Moves up to `sound.size()` samples out; returns how many.
    std::size_t read(std::span<float> sound) noexcept
    {
        const std::size_t taken = m_read.load(std::memory_order_relaxed);
        const std::size_t count = std::min(sound.size(), m_written.load(std::memory_order_acquire) - taken);
        const std::size_t begin = taken & m_mask;
        const std::size_t first = std::min(count, m_samples.size() - begin);
        copy(sound.data(), m_samples.data() + begin, first);
        copy(sound.data() + first, m_samples.data(), count - first);
        m_read.store(taken + count, std::memory_order_release);
        return count;
    }

    // Consumer only.
    [[nodiscard]] std::size_t available() const noexcept { return m_written.load(std::memory_order_acquire) - m_read.load(std::memory_order_relaxed); }

    // Consumer only. How many samples were dropped right after those already read; the producer may write again. Zero while the ring
    // still holds samples from before the loss.
    [[nodiscard]] std::size_t takeDropped() noexcept
    {
        // The producer adds nothing to the ring while the count stands, so "empty" stays true between the two lines.
        if (m_dropped.load(std::memory_order_acquire) == 0 || available() > 0) {
            return 0;
        }
        return m_dropped.exchange(0, std::memory_order_acq_rel);
    }

  private:
    static void copy(float *to, const float *from, std::size_t count) noexcept
    {
        if (count > 0) {
            std::memcpy(to, from, count * sizeof(float));
        }
    }

    std::vector<float> m_samples;
    const std::size_t m_mask;
    // Indices grow for ever and wrap with std::size_t; each on its own cache line, so that the two sides do not slow each other.
    alignas(64) std::atomic<std::size_t> m_written{0};
    alignas(64) std::atomic<std::size_t> m_read{0};
    alignas(64) std::atomic<std::size_t> m_dropped{0};
};

}  // namespace braid::audio
