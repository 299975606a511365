// The status of a translation: state, what was read and written, lag, speed, where it runs. GUI thread.
#pragma once

#include "core/translation/translation_run_events.h"
#include "ui/shared/status_bar.h"

namespace braid::ui {

struct TranslationStatusText {
    QString state;   // "waiting for more source", "translating", "loading translate-en-fr, 40 %", "finished"
    QString amount;  // "read 124, written 118 words"
    QString lag;     // "lag 0.31 s, 4 units"
    QString speed;   // "143.2 tokens/s"
};
// What the line says of a snapshot. Plain function, tested by data rows.
[[nodiscard]] TranslationStatusText statusText(const translation::TranslationSnapshot &snapshot);

class TranslationStatus : public StatusBar {
    Q_OBJECT
  public:
    explicit TranslationStatus(Appearance &appearance, QWidget *parent = nullptr);
    void show(const translation::TranslationSnapshot &snapshot);
    using QWidget::show;
    [[nodiscard]] QString lagText() const { return figureText(1); }
};

}  // namespace braid::ui
