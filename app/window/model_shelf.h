// Keeps the model that was used last: the next run with it starts at once, and runs side by side share it (nothing changes in a model while it
// runs). Thread: any; loading is done under the lock, which covers a run that is being replaced by the next.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

#include "app/window/device_choice.h"
#include "ui/compute_choices.h"

namespace braid::app {

template <typename Model>
class ModelShelf {
  public:
    using Load = std::function<std::shared_ptr<Model>(const std::filesystem::path &path, const models::DeviceChoice &device, const typename Model::Progress &progress, std::stop_token stop)>;
    explicit ModelShelf(Load load) : m_load(std::move(load)) {}

    [[nodiscard]] std::shared_ptr<Model> take(const std::filesystem::path &path, const ui::ComputeChoices &compute, const typename Model::Progress &progress, std::stop_token stop)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_model || m_path != path || !(m_compute == compute)) {
            m_model.reset();
            m_model = m_load(path, deviceChoice(compute), progress, std::move(stop));
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
    Load m_load;
    std::mutex m_mutex;
    std::shared_ptr<Model> m_model;
    std::filesystem::path m_path;
    ui::ComputeChoices m_compute;
};

}  // namespace braid::app
