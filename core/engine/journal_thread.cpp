#include "core/engine/journal_thread.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "core/base/error.h"

namespace braid::engine {
namespace {

constexpr std::chrono::seconds kSyncEvery{1};
constexpr Sample kComfortableSamples = samplesFromSeconds(30);  // a source that can wait is held back above this
constexpr Sample kMostSamples = samplesFromSeconds(900);        // a disk that takes nothing for so long loses the sound

}  // namespace

JournalThread::JournalThread(std::filesystem::path parent, std::function<void(std::string)> on_trouble)
    : m_parent(std::move(parent))
    , m_on_trouble(std::move(on_trouble))
{
}

JournalThread::~JournalThread()
{
    finish();
}

void JournalThread::begin(JournalInfo info)
{
    const std::lock_guard lock(m_mutex);
    if (m_phase == Phase::Idle) {
        m_phase = Phase::Making;
        m_thread = std::thread([this, info = std::move(info)] { run(info); });
    }
}

void JournalThread::describePolicy(std::string policy)
{
    post(std::move(policy), 0);
}

void JournalThread::postSound(std::span<const float> sound)
{
    post(std::vector<float>(sound.begin(), sound.end()), static_cast<Sample>(sound.size()));
}

void JournalThread::postSilence(Sample length_samples)
{
    post(Silence{length_samples}, 0);
}

void JournalThread::post(Work work, Sample samples)
{
    bool too_much = false;
    {
        const std::lock_guard lock(m_mutex);
        if (m_phase == Phase::Idle || m_phase == Phase::Closed || m_finishing || (!m_keeps_sound && !std::holds_alternative<std::string>(work))) {
            return;
        }
        too_much = m_waiting_samples + samples > kMostSamples;
        if (!too_much) {
            m_work.push_back(std::move(work));
            m_waiting_samples += samples;
            m_changed.notify_all();
        }
    }
    if (too_much) {
        loseSound("The disk did not take the sound for a quarter of an hour; the sound of this session is no longer kept.");
    }
}

void JournalThread::waitForRoom()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_waiting_samples <= kComfortableSamples || m_finishing || m_phase == Phase::Idle || m_phase == Phase::Closed; });
}

void JournalThread::appendItems(std::span<const text::TranscriptItem> items)
{
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_phase != Phase::Making; });
        if (m_phase != Phase::Open || !m_keeps_items) {
            return;
        }
    }
    try {
        const std::lock_guard lock(m_items_mutex);
        m_writer->appendItems(items);
    } catch (const std::exception &problem) {
        const std::lock_guard lock(m_mutex);
        m_keeps_items = false;
        trouble(std::string("The transcript is no longer kept in the journal: ") + problem.what());
    }
}

void JournalThread::finish()
{
    {
        const std::lock_guard lock(m_mutex);
        m_finishing = true;
        m_changed.notify_all();
    }
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

std::filesystem::path JournalThread::folder() const
{
    const std::lock_guard lock(m_mutex);
    return m_writer ? m_writer->folder() : std::filesystem::path();
}

// Call with m_mutex held.
void JournalThread::trouble(const std::string &sentence)
{
    if (!std::exchange(m_told, true)) {
        m_on_trouble(sentence);
    }
}

void JournalThread::loseSound(const std::string &sentence)
{
    const std::lock_guard lock(m_mutex);
    m_keeps_sound = false;
    std::erase_if(m_work, [](const Work &work) { return !std::holds_alternative<std::string>(work); });
    m_waiting_samples = 0;
    m_changed.notify_all();
    trouble(sentence);
}

void JournalThread::run(const JournalInfo &info)
{
    try {
        auto writer = std::make_unique<JournalWriter>(m_parent, info);
        const std::lock_guard lock(m_mutex);
        m_writer = std::move(writer);
        m_phase = Phase::Open;
        m_changed.notify_all();
    } catch (const std::exception &problem) {
        const std::lock_guard lock(m_mutex);
        m_phase = Phase::Closed;
        m_work.clear();
        m_waiting_samples = 0;
        m_changed.notify_all();
        trouble(std::string("This session is not kept in a journal: ") + problem.what());
        return;
    }
    auto next_sync = std::chrono::steady_clock::now() + kSyncEvery;
    for (;;) {
        std::deque<Work> work;
        bool finishing = false;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait_until(lock, next_sync, [&] { return !m_work.empty() || m_finishing; });
            work.swap(m_work);
            m_waiting_samples = 0;
            finishing = m_finishing;
            m_changed.notify_all();
        }
        try {
            for (auto &piece : work) {
                write(piece);
            }
            if (finishing) {
                const std::lock_guard lock(m_items_mutex);
                m_writer->finish();
            } else if (std::chrono::steady_clock::now() >= next_sync) {
                m_writer->sync();
                next_sync = std::chrono::steady_clock::now() + kSyncEvery;
            }
        } catch (const std::exception &problem) {
            loseSound(std::string("The sound of this session is no longer kept: ") + problem.what());
        }
        if (finishing) {
            const std::lock_guard lock(m_mutex);
            m_phase = Phase::Closed;
            m_changed.notify_all();
            return;
        }
    }
}

void JournalThread::write(Work &work)
{
    if (const auto *sound = std::get_if<std::vector<float>>(&work)) {
        m_writer->appendSound(*sound);
    } else if (const auto *policy = std::get_if<std::string>(&work)) {
        m_writer->describePolicy(*policy);
    } else {
        static constexpr std::array<float, 4096> zeros{};
        for (Sample left = std::get<Silence>(work).length_samples; left > 0;) {
            const auto count = std::min<Sample>(left, zeros.size());
            m_writer->appendSound(std::span(zeros).first(static_cast<std::size_t>(count)));
            left -= count;
        }
    }
}

}  // namespace braid::engine
