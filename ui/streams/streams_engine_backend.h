// The real engine behind the page's interface.
#pragma once

#include <utility>

#include "ui/streams/streams_services.h"

namespace braid::ui {

class StreamsEngineBackend : public StreamsBackend {
  public:
    std::uint64_t start(engine::StreamsRunConfig run) override { return m_engine.start(std::move(run)); }
    void stop() override { m_engine.stop(); }
    void post(sessions::StreamsCommand command) override { m_engine.post(std::move(command)); }
    [[nodiscard]] std::vector<engine::StreamsEngineEvent> takeEvents() override { return m_engine.takeEvents(); }
    [[nodiscard]] std::shared_ptr<const engine::StreamsSnapshot> snapshot() const override { return m_engine.snapshot(); }

  private:
    engine::StreamsEngine m_engine;
};

}  // namespace braid::ui
