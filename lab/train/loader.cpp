#include "lab/train/loader.h"

#include <utility>

#include "core/base/error.h"

namespace braid::train {

namespace {

constexpr std::uint64_t kAhead = 6;

}  // namespace

Loader::Loader(const SpeechLibrary &library, const WindowMaker &maker, const Recipe &recipe, LoaderPlace from)
    : m_library(library)
    , m_maker(maker)
    , m_recipe(recipe)
    , m_claim(from)
{
    m_plan = planEpoch(m_library, m_recipe, m_maker.frameSamples(), m_claim.epoch);
    if (m_plan.empty()) {
        throw Error(ErrorKind::Input, "no utterance of the corpora fits into a window", m_recipe.path.string(),
                    "Choose longer windows (\"windows.longest_s\")");
    }
    for (std::int64_t i = 0; i < m_recipe.loader_threads; ++i) {
        m_threads.emplace_back([this] { work(); });
    }
}

Loader::~Loader()
{
    {
        const std::lock_guard lock(m_mutex);
        m_is_stopping = true;
    }
    m_changed.notify_all();
    for (std::thread &thread : m_threads) {
        thread.join();
    }
}

LoaderPlace Loader::claim(PlannedBatch &planned, bool &ends_epoch)
{
    while (m_claim.number >= m_plan.size()) {
        m_claim = {m_claim.epoch + 1, 0};
        m_plan = planEpoch(m_library, m_recipe, m_maker.frameSamples(), m_claim.epoch);
    }
    const LoaderPlace place = m_claim;
    planned = m_plan[m_claim.number++];
    ends_epoch = m_claim.number == m_plan.size();
    ++m_claimed;
    return place;
}

void Loader::work()
{
    for (;;) {
        Item item;
        PlannedBatch planned;
        std::uint64_t turn = 0;
        try {
            {
                std::unique_lock lock(m_mutex);
                m_changed.wait(lock, [this] { return m_is_stopping || m_claimed < m_taken + kAhead; });
                if (m_is_stopping) {
                    return;
                }
                turn = m_claimed;
                item.place = claim(planned, item.ends_epoch);
            }
            item.batch = m_maker.make(planned, item.place.epoch, item.place.number);
        } catch (...) {
            const std::lock_guard lock(m_mutex);
            m_failure = std::current_exception();
            m_is_stopping = true;
            m_changed.notify_all();
            return;
        }
        {
            const std::lock_guard lock(m_mutex);
            m_ready.emplace(turn, std::move(item));
        }
        m_changed.notify_all();
    }
}

Loader::Item Loader::next()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_failure != nullptr || m_ready.count(m_taken) > 0; });
    if (m_failure != nullptr) {
        std::rethrow_exception(m_failure);
    }
    auto node = m_ready.extract(m_taken++);
    lock.unlock();
    m_changed.notify_all();
    return std::move(node.mapped());
}

}  // namespace braid::train
