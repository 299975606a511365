// The truth in one line: state, level, what was heard, lag split into compute and policy, real-time factor, where it runs.
// Every figure has a fixed place, so that nothing dances. Less important parts give way on a narrow window. GUI thread.
#pragma once

#include <QWidget>

#include "core/engine/caption_events.h"
#include "ui/theme/appearance.h"
#include "ui/widgets/level_meter.h"

class QLabel;

namespace braid::ui {

struct StatusText {
    QString state;    // "listening", "silence", "no sound", "loading captions-en, 40 %", "finished"
    QString heard;    // "heard 00:12:41"
    QString lag;      // "lag 0.31 s = 0.05 compute + 0.26 policy"
    QString factor;   // "RTF 0.14"
};

// What the line says of a snapshot. Plain function, tested by data rows.
[[nodiscard]] StatusText statusText(const engine::CaptionSnapshot &snapshot, Sample heard);

class StatusLine : public QWidget {
    Q_OBJECT
  public:
    explicit StatusLine(Appearance &appearance, QWidget *parent = nullptr);
    // `heard`: of the whole page, where several runs follow one another.
    void show(const engine::CaptionSnapshot &snapshot, Sample heard);
    void setCompute(const QString &where, const QString &warning = {});
    [[nodiscard]] LevelMeter &meter() noexcept { return *m_meter; }
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString lagText() const;

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void reviseRoom();
    Appearance &m_appearance;
    LevelMeter *m_meter;
    QLabel *m_dot;
    QLabel *m_state;
    QLabel *m_heard;
    QLabel *m_lag;
    QLabel *m_factor;
    QLabel *m_compute;
};

}  // namespace braid::ui
