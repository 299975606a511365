// The sound a policy still needs: grows at the end, is dropped at the front. Thread: the policy's.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/base/sample_clock.h"

namespace braid::captions {

class SoundWindow {
  public:
    void restart(Sample start_sample)
    {
        m_sound.clear();
        m_start = start_sample;
    }

    void append(std::span<const float> sound) { m_sound.insert(m_sound.end(), sound.begin(), sound.end()); }

    // Drops what lies before `sample`; never more than there is.
    void dropBefore(Sample sample)
    {
        const Sample dropped = std::clamp<Sample>(sample - m_start, 0, length());
        m_sound.erase(m_sound.begin(), m_sound.begin() + dropped);
        m_start += dropped;
    }

    // The sound before `until`, from the start.
    [[nodiscard]] std::span<const float> until(Sample until) const
    {
        return std::span(m_sound).first(static_cast<std::size_t>(std::clamp<Sample>(until - m_start, 0, length())));
    }

    [[nodiscard]] Sample start() const noexcept { return m_start; }
    [[nodiscard]] Sample end() const noexcept { return m_start + length(); }
    [[nodiscard]] Sample length() const noexcept { return static_cast<Sample>(m_sound.size()); }

  private:
    std::vector<float> m_sound;
    Sample m_start = 0;  // session time of m_sound[0]
};

}  // namespace braid::captions
