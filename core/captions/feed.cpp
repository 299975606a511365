#include "core/captions/feed.h"

#include <algorithm>
#include <utility>

namespace braid::captions {
namespace {

Sample sampleOf(const FeedMark &mark)
{
    const auto *voice = std::get_if<audio::VoiceEvent>(&mark);
    return voice != nullptr ? voice->sample : std::get<text::Gap>(mark).start_sample;
}

}  // namespace

void Feed::opened(audio::SourceDescription description)
{
    const std::lock_guard lock(m_mutex);
    m_description = std::move(description);
    m_news.notify_all();
}

void Feed::advance(Sample heard, Sample settled, const std::vector<FeedMark> &marks)
{
    const std::lock_guard lock(m_mutex);
    if (m_ended) {
        return;
    }
    m_heard = heard;
    m_settled = std::max(m_settled, std::min(settled, heard));
    m_marks.insert(m_marks.end(), marks.begin(), marks.end());
    m_news.notify_all();
}

void Feed::end()
{
    const std::lock_guard lock(m_mutex);
    m_settled = m_heard;
    m_ended = true;
    m_news.notify_all();
}

void Feed::fail(runtime::RunFailure failure)
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_ended) {
            m_failure = std::move(failure);
        }
    }
    end();
}

void Feed::waitForRoom(Sample limit)
{
    std::unique_lock lock(m_mutex);
    m_room.wait(lock, [&] { return m_released || m_ended || m_heard - m_processed <= limit; });
}

FeedState Feed::next(Sample position, Sample at_most, std::chrono::milliseconds timeout, FeedStretch &stretch)
{
    std::unique_lock lock(m_mutex);
    m_news.wait_for(lock, timeout, [&] { return m_ended || m_settled > position || !m_marks.empty(); });
    stretch = {std::max(position, std::min(m_settled, position + at_most)), std::nullopt, m_settled, m_heard};
    if (!m_marks.empty() && sampleOf(m_marks.front()) <= stretch.until) {
        stretch.until = std::max(position, sampleOf(m_marks.front()));
        stretch.mark = std::move(m_marks.front());
        m_marks.pop_front();
        return FeedState::Stretch;
    }
    if (stretch.until > position) {
        return FeedState::Stretch;
    }
    return m_ended ? FeedState::Over : FeedState::Waiting;
}

void Feed::processed(Sample position)
{
    const std::lock_guard lock(m_mutex);
    m_processed = position;
    m_room.notify_all();
}

std::optional<audio::SourceDescription> Feed::waitOpened(std::chrono::milliseconds timeout)
{
    std::unique_lock lock(m_mutex);
    m_news.wait_for(lock, timeout, [&] { return m_description.has_value() || m_ended; });
    return m_description;
}

void Feed::release()
{
    const std::lock_guard lock(m_mutex);
    m_released = true;
    m_room.notify_all();
    m_news.notify_all();
}

bool Feed::ended() const
{
    const std::lock_guard lock(m_mutex);
    return m_ended;
}

std::optional<runtime::RunFailure> Feed::failure() const
{
    const std::lock_guard lock(m_mutex);
    return m_failure;
}

}  // namespace braid::captions
