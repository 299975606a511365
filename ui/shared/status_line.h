// The status of captions: state, level, what was heard, lag split into compute and policy, real-time factor, where it runs. GUI thread.
#pragma once

#include "core/captions/caption_events.h"
#include "ui/shared/level_meter.h"
#include "ui/shared/status_bar.h"

namespace braid::ui {

struct StatusText {
    QString state;      // "listening", "silence", "no sound arrives", "loading captions-en, 40 %", "finished"
    QString heard;      // "heard 00:12:41"
    QString lag;        // "0.4 s behind"
    QString lag_parts;  // "0.1 computing, 0.3 waiting to be sure"
    QString factor;     // "RTF 0.14"
};

// What the line says of a snapshot. Plain function, tested by data rows.
[[nodiscard]] StatusText statusText(const captions::CaptionSnapshot &snapshot, Sample heard);

class StatusLine : public StatusBar {
    Q_OBJECT
  public:
    explicit StatusLine(Appearance &appearance, QWidget *parent = nullptr);
    // `heard`: of the whole page, where several runs follow one another.
    void show(const captions::CaptionSnapshot &snapshot, Sample heard);
    [[nodiscard]] LevelMeter &meter() noexcept { return *m_meter; }
    [[nodiscard]] QString lagText() const { return figureText(1); }

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    StatusLine(Appearance &appearance, LevelMeter *meter, QWidget *parent);
    LevelMeter *m_meter;
};

}  // namespace braid::ui
