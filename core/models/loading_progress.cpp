#include "core/models/loading_progress.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace braid::models {

LoadingProgress::LoadingProgress(const Progress &progress, std::stop_token stop, std::string name)
    : m_progress(progress)
    , m_stop(std::move(stop))
    , m_name(std::move(name))
{
    tell(0, "opening " + m_name);
}

void LoadingProgress::expect(std::uint64_t bytes)
{
    m_total = static_cast<double>(bytes) + 1;
    tell(0.05, "loading " + m_name);
}

void LoadingProgress::bytesTaken(std::uint64_t bytes)
{
    m_taken += static_cast<double>(bytes);
    tell(std::min(1.0, 0.05 + 0.95 * m_taken / m_total), "loading " + m_name);
}

void LoadingProgress::finished() const
{
    tell(1, m_name + " is loaded");
}

void LoadingProgress::tell(double fraction, const std::string &what) const
{
    if (m_stop.stop_requested()) {
        throw Error(ErrorKind::Cancelled, "loading the model was cancelled");
    }
    if (m_progress) {
        m_progress(fraction, what);
    }
}

}  // namespace braid::models
