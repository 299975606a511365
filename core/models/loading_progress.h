// Tells how far the loading of a model has come, and ends it where that is wished. Thread: the one that loads.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "core/model_access/caption_model.h"

namespace braid::models {

class LoadingProgress {
  public:
    // Tells "opening NAME". Here and below: throws Error(Cancelled) where `stop` asks for it. `progress` may be empty; it outlives this.
    LoadingProgress(const Progress &progress, std::stop_token stop, std::string name);

    // Of how many bytes of weights bytesTaken() will tell.
    void expect(std::uint64_t bytes);
    void bytesTaken(std::uint64_t bytes);
    void finished() const;

  private:
    void tell(double fraction, const std::string &what) const;

    const Progress &m_progress;
    std::stop_token m_stop;
    std::string m_name;
    double m_total = 1;
    double m_taken = 0;
};

}  // namespace braid::models
