// The real engine behind the page's interface.
#pragma once

#include <utility>

#include "ui/state/streams_services.h"

namespace braid::ui {

class StreamsEngineBackend : public StreamsBackend {
  public:
    std::uint64_t start(streams::StreamsRunConfig run) override { return m_engine.start(std::move(run)); }
    void stop() override { m_engine.stop(); }
    void post(streams::StreamsCommand command) override { m_engine.post(std::move(command)); }
    [[nodiscard]] std::vector<streams::StreamsEngineEvent> takeEvents() override { return m_engine.takeEvents(); }
    [[nodiscard]] std::shared_ptr<const streams::StreamsSnapshot> snapshot() const override { return m_engine.snapshot(); }

  private:
    streams::StreamsEngine m_engine;
};

}  // namespace braid::ui
