// Keeps the language model that was used last: the next run with it starts at once, and two runs side by side share it (nothing changes in a
// model while it runs). Thread: any; loading is done under the lock.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <stop_token>

#include "app/window/device_choice.h"
#include "core/models/language_model.h"
#include "ui/compute_choices.h"

namespace braid::app {

class LanguageModelShelf {
  public:
    [[nodiscard]] std::shared_ptr<models::LanguageModel> take(const std::filesystem::path &path, const ui::ComputeChoices &compute, const models::LanguageModel::Progress &progress,
                                                              std::stop_token stop)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_model || m_path != path || !(m_compute == compute)) {
            m_model.reset();
            m_model = models::LanguageModel::load(path, deviceChoice(compute), {}, progress, stop);
            m_path = path;
            m_compute = compute;
        }
        return m_model;
    }
    // Gives it back; what still runs on it keeps it until its end.
    void clear()
    {
        const std::lock_guard lock(m_mutex);
        m_model.reset();
    }

  private:
    std::mutex m_mutex;
    std::shared_ptr<models::LanguageModel> m_model;
    std::filesystem::path m_path;
    ui::ComputeChoices m_compute;
};

}  // namespace braid::app
