// The real engine behind the window's interface.
#pragma once

#include "ui/services.h"

namespace braid::ui {

class EngineBackend : public CaptionBackend {
  public:
    std::uint64_t start(engine::CaptionRun run) override { return m_engine.start(std::move(run)); }
    void stop() override { m_engine.stop(); }
    void cancel() override { m_engine.cancel(); }
    void adjust(const decoding::PolicySettings &settings) override { m_engine.adjust(settings); }
    void changePolicy(engine::PolicyFactory make_policy) override { m_engine.changePolicy(std::move(make_policy)); }
    [[nodiscard]] std::vector<engine::CaptionEvent> takeEvents() override { return m_engine.takeEvents(); }
    [[nodiscard]] std::shared_ptr<const engine::CaptionSnapshot> snapshot() const override { return m_engine.snapshot(); }
    [[nodiscard]] std::vector<float> sound(Sample start, Sample length) const override { return m_engine.sound(start, length); }
    [[nodiscard]] std::filesystem::path journalFolder() const override { return m_engine.journalFolder(); }

  private:
    engine::CaptionEngine m_engine;
};

}  // namespace braid::ui
