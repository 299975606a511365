#include "core/captions/source_tee.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace braid::captions {
namespace {

constexpr std::chrono::milliseconds kReadTimeout{50};
constexpr std::chrono::milliseconds kPatience{3000};
constexpr std::size_t kPieceSamples = samplesFromMs(100);

// What a branch still has to say. The sound itself lies in the branch's queue.
struct Item {
    Sample sound_samples = 0;
    Sample gap_samples = 0;
    std::string notice;
};

struct Queue {
    std::deque<Item> items;
    std::deque<float> sound;
    Sample lost_samples = 0;  // dropped since the branch was read last
    bool stopped = false;     // takes nothing new
};

}  // namespace

struct SourceTee::State {
    std::function<std::unique_ptr<audio::Source>()> open;
    Sample most_queued = 0;

    std::mutex start_mutex;  // held while the source is opened
    std::mutex mutex;        // guards what follows; never held while reading the source
    std::condition_variable news;
    std::unique_ptr<audio::Source> source;
    audio::SourceDescription description;
    std::exception_ptr failure;
    std::vector<Queue> queues;
    bool started = false;
    bool ended = false;
    bool finishing = false;
    std::atomic<bool> close = false;
    std::thread thread;

    // `self` keeps the state for the thread.
    void start(const std::shared_ptr<State> &self)
    {
        const std::lock_guard starting(start_mutex);
        {
            const std::lock_guard lock(mutex);
            if (started) {
                return;  // a failure since then comes after the sound before it
            }
            if (failure) {
                std::rethrow_exception(failure);
            }
        }
        try {
            auto opened = open();
            opened->start();
            const std::lock_guard lock(mutex);
            description = opened->description();
            source = std::move(opened);
            if (finishing) {
                source->stop();
            }
            started = true;
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
            throw;
        }
        thread = std::thread([self] { self->pump(); });
    }

    void pump()
    {
        std::vector<float> buffer(kPieceSamples);
        try {
            while (!close) {
                audio::ReadResult result = source->read(buffer, kReadTimeout);
                if (!give(result, std::span<const float>(buffer).first(std::min(result.samples, buffer.size())))) {
                    break;
                }
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        ended = true;
        news.notify_all();
    }

    // False at the end of the source.
    bool give(const audio::ReadResult &result, std::span<const float> sound)
    {
        const std::lock_guard lock(mutex);
        for (Queue &queue : queues) {
            if (queue.stopped) {
                continue;
            }
            if (result.state == audio::ReadState::Sound) {
                queue.items.push_back({static_cast<Sample>(sound.size()), 0, result.notice});
                queue.sound.insert(queue.sound.end(), sound.begin(), sound.end());
            } else if (result.state == audio::ReadState::Gap || !result.notice.empty()) {
                queue.items.push_back({0, result.state == audio::ReadState::Gap ? result.gap_samples : 0, result.notice});
            }
            dropOldest(queue);
        }
        news.notify_all();
        return result.state != audio::ReadState::End;
    }

    // Call with `mutex` held.
    void dropOldest(Queue &queue) const
    {
        while (static_cast<Sample>(queue.sound.size()) > most_queued && !queue.items.empty()) {
            const Item &oldest = queue.items.front();
            queue.lost_samples += oldest.sound_samples + oldest.gap_samples;
            queue.sound.erase(queue.sound.begin(), queue.sound.begin() + static_cast<std::ptrdiff_t>(oldest.sound_samples));
            queue.items.pop_front();
        }
    }

    audio::ReadResult read(std::size_t index, std::span<float> out, std::chrono::milliseconds timeout)
    {
        std::unique_lock lock(mutex);
        Queue &queue = queues[index];
        news.wait_for(lock, timeout, [&] { return !queue.items.empty() || queue.lost_samples > 0 || ended || queue.stopped; });
        if (queue.lost_samples > 0) {
            return {audio::ReadState::Gap, 0, std::exchange(queue.lost_samples, 0), "The computer could not keep up with the sound."};
        }
        if (queue.items.empty()) {
            if (failure && !queue.stopped) {
                std::rethrow_exception(failure);
            }
            return {ended || queue.stopped ? audio::ReadState::End : audio::ReadState::Nothing, 0, 0, {}};
        }
        Item &item = queue.items.front();
        std::string notice = std::exchange(item.notice, {});
        if (item.sound_samples == 0) {
            const Sample gap = item.gap_samples;
            queue.items.pop_front();
            return {gap > 0 ? audio::ReadState::Gap : audio::ReadState::Nothing, 0, gap, std::move(notice)};
        }
        const auto count = std::min(out.size(), static_cast<std::size_t>(item.sound_samples));
        std::copy_n(queue.sound.begin(), count, out.begin());
        queue.sound.erase(queue.sound.begin(), queue.sound.begin() + static_cast<std::ptrdiff_t>(count));
        item.sound_samples -= static_cast<Sample>(count);
        if (item.sound_samples == 0) {
            queue.items.pop_front();
        }
        return {audio::ReadState::Sound, count, 0, std::move(notice)};
    }

    void stop(std::size_t index)
    {
        const std::lock_guard lock(mutex);
        if (finishing) {
            return;  // the end is on its way to everybody
        }
        queues[index].stopped = true;
        news.notify_all();
        if (std::all_of(queues.begin(), queues.end(), [](const Queue &queue) { return queue.stopped; })) {
            close = true;
            stopSource();
        }
    }

    void finish()
    {
        const std::lock_guard lock(mutex);
        finishing = true;
        stopSource();
    }

    // Call with `mutex` held. Source::stop() may come from any thread.
    void stopSource() const
    {
        if (source) {
            source->stop();
        }
    }
};

// Holds the tee: the source lives as long as anybody may read it.
class SourceTee::Branch final : public audio::Source {
  public:
    Branch(std::shared_ptr<SourceTee> tee, std::size_t index)
        : m_tee(std::move(tee))
        , m_index(index)
    {
    }
    ~Branch() override { stop(); }
    Branch(const Branch &) = delete;
    Branch &operator=(const Branch &) = delete;

    void start() override { m_tee->m_state->start(m_tee->m_state); }
    [[nodiscard]] audio::ReadResult read(std::span<float> sound, std::chrono::milliseconds timeout) override
    {
        return m_tee->m_state->read(m_index, sound, timeout);
    }
    void stop() override { m_tee->m_state->stop(m_index); }
    [[nodiscard]] audio::SourceDescription description() const override
    {
        const std::lock_guard lock(m_tee->m_state->mutex);
        return m_tee->m_state->description;
    }

  private:
    std::shared_ptr<SourceTee> m_tee;
    std::size_t m_index;
};

SourceTee::SourceTee(std::shared_ptr<State> state)
    : m_state(std::move(state))
{
}

SourceTee::~SourceTee()
{
    m_state->close = true;
    std::unique_lock lock(m_state->mutex);
    m_state->stopSource();
    if (!m_state->thread.joinable()) {
        return;
    }
    const bool ended = m_state->news.wait_for(lock, kPatience, [this] { return m_state->ended; });
    lock.unlock();
    if (ended) {
        m_state->thread.join();
    } else {
        // It hangs in the system. The thread owns all it touches, so it may be left behind.
        m_state->thread.detach();
    }
}

void SourceTee::finish()
{
    m_state->finish();
}

std::shared_ptr<SourceTee> SourceTee::make(std::function<std::unique_ptr<audio::Source>()> open, int branches, Sample most_queued_samples)
{
    auto state = std::make_shared<State>();
    state->open = std::move(open);
    state->most_queued = std::max<Sample>(most_queued_samples, kPieceSamples);
    state->queues.resize(static_cast<std::size_t>(std::max(branches, 1)));
    return std::shared_ptr<SourceTee>(new SourceTee(std::move(state)));
}

std::unique_ptr<audio::Source> SourceTee::branch(int index)
{
    if (index < 0 || static_cast<std::size_t>(index) >= m_state->queues.size()) {
        throw Error(ErrorKind::Internal, "a tee has no branch " + std::to_string(index));
    }
    return std::make_unique<Branch>(shared_from_this(), static_cast<std::size_t>(index));
}

}  // namespace braid::captions
