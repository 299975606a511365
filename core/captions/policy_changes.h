// What the owner wants changed about a running policy, until the worker comes to it. Only the newest wishes count.
// Thread: the owner asks, the worker takes; one mutex, never held while anything is computed.
#pragma once

#include <mutex>
#include <optional>
#include <utility>

#include "core/captions/caption_engine.h"

namespace braid::captions {

struct PolicyWishes {
    PolicyFactory make_policy;               // empty: the policy stays
    std::optional<PolicySettings> settings;  // for the policy that is there then
};

class PolicyChanges {
  public:
    void adjust(const PolicySettings &settings)
    {
        const std::lock_guard lock(m_mutex);
        auto &wished = m_wishes.settings ? *m_wishes.settings : m_wishes.settings.emplace();
        wished.step_ms = settings.step_ms > 0 ? settings.step_ms : wished.step_ms;
        wished.beam_size = settings.beam_size > 0 ? settings.beam_size : wished.beam_size;
        wished.look_back_tokens = settings.look_back_tokens >= 0 ? settings.look_back_tokens : wished.look_back_tokens;
    }
    // What was adjusted before was meant for the policy that goes.
    void changePolicy(PolicyFactory make_policy)
    {
        const std::lock_guard lock(m_mutex);
        m_wishes = {std::move(make_policy), {}};
    }
    [[nodiscard]] PolicyWishes take()
    {
        const std::lock_guard lock(m_mutex);
        return std::exchange(m_wishes, {});
    }

  private:
    std::mutex m_mutex;
    PolicyWishes m_wishes;
};

}  // namespace braid::captions
