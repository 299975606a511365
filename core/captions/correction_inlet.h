// Corrections by a person, on their way into the journal of a run that goes on. Thread: the owner puts, the worker takes; one mutex.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "core/text/correction.h"

namespace braid::captions {

enum class InletState : std::uint8_t { Open = 1, Closed };

class CorrectionInlet {
  public:
    // False: the worker takes nothing any more; then they are the owner's to keep.
    [[nodiscard]] bool put(const std::vector<text::WordCorrection> &corrections)
    {
        const std::lock_guard lock(m_mutex);
        if (m_state == InletState::Closed) {
            return false;
        }
        m_waiting.insert(m_waiting.end(), corrections.begin(), corrections.end());
        return true;
    }
    [[nodiscard]] std::vector<text::WordCorrection> take(InletState afterwards = InletState::Open)
    {
        const std::lock_guard lock(m_mutex);
        m_state = afterwards;
        return std::exchange(m_waiting, {});
    }

  private:
    std::mutex m_mutex;
    std::vector<text::WordCorrection> m_waiting;
    InletState m_state = InletState::Open;
};

}  // namespace braid::captions
