// The real engine behind the window's interface.
#pragma once

#include "ui/state/services.h"

namespace braid::ui {

class EngineBackend : public CaptionBackend {
  public:
    std::uint64_t start(captions::CaptionRun run) override { return m_engine.start(std::move(run)); }
    void stop() override { m_engine.stop(); }
    void cancel() override { m_engine.cancel(); }
    void adjust(const captions::PolicySettings &settings) override { m_engine.adjust(settings); }
    void changePolicy(captions::PolicyFactory make_policy) override { m_engine.changePolicy(std::move(make_policy)); }
    [[nodiscard]] bool keepCorrections(const std::vector<text::WordCorrection> &corrections) override { return m_engine.keepCorrections(corrections); }
    [[nodiscard]] std::vector<captions::CaptionEvent> takeEvents() override { return m_engine.takeEvents(); }
    [[nodiscard]] std::shared_ptr<const captions::CaptionSnapshot> snapshot() const override { return m_engine.snapshot(); }
    [[nodiscard]] std::vector<float> sound(Sample start, Sample length) const override { return m_engine.sound(start, length); }
    [[nodiscard]] std::filesystem::path journalFolder() const override { return m_engine.journalFolder(); }

  private:
    captions::CaptionEngine m_engine;
};

}  // namespace braid::ui
