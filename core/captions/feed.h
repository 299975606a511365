// What the pump tells the worker: how far sound has come, how far voice activity is settled, and the marks (utterances begin and
// end, gaps) in time order. The sound itself lies in the SoundStore; so a worker that falls behind costs no memory here.
// Thread: the pump calls the first group, the worker the second, anybody the third. The mutex is never held while computing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/audio/source.h"
#include "core/audio/voice_activity.h"
#include "core/runtime/failure.h"
#include "core/text/transcript.h"

namespace braid::captions {

using FeedMark = std::variant<audio::VoiceEvent, text::Gap>;

// The next thing for the session: sound up to `until`, then the mark, if there is one.
struct FeedStretch {
    Sample until = 0;
    std::optional<FeedMark> mark;
    Sample settled = 0;  // how far it could go: the backlog is settled - position
    Sample heard = 0;    // captured so far
};

enum class FeedState { Stretch = 1, Waiting, Over };

class Feed {
  public:
    // --- pump
    void opened(audio::SourceDescription description);
    void advance(Sample heard, Sample settled, const std::vector<FeedMark> &marks);
    void end();
    void fail(runtime::RunFailure failure);  // and end
    // Blocks while more than `limit` samples wait for the worker, until release().
    void waitForRoom(Sample limit);

    // --- worker
    // Over: everything was given out and no more will come. Waiting: nothing new within `timeout`.
    [[nodiscard]] FeedState next(Sample position, Sample at_most, std::chrono::milliseconds timeout, FeedStretch &stretch);
    void processed(Sample position);
    // Empty when the source has neither opened nor ended within `timeout`, or has failed to open.
    [[nodiscard]] std::optional<audio::SourceDescription> waitOpened(std::chrono::milliseconds timeout);

    // --- any
    // From now on waitForRoom() never blocks.
    void release();
    [[nodiscard]] bool ended() const;
    [[nodiscard]] std::optional<runtime::RunFailure> failure() const;

  private:
    mutable std::mutex m_mutex;
    std::condition_variable m_news;  // for the worker
    std::condition_variable m_room;  // for the pump
    std::optional<audio::SourceDescription> m_description;
    std::optional<runtime::RunFailure> m_failure;
    std::deque<FeedMark> m_marks;
    Sample m_heard = 0;
    Sample m_settled = 0;
    Sample m_processed = 0;
    bool m_ended = false;
    bool m_released = false;
};

}  // namespace braid::captions
