// The truth about a translation in one line: state, what was read and written, lag, speed, where it runs. Every figure has a fixed place; less
// important parts give way on a narrow window. GUI thread.
#pragma once

#include <QWidget>

#include "core/engine/translation_events.h"
#include "ui/theme/appearance.h"

class QLabel;

namespace braid::ui {

struct TranslationStatusText {
    QString state;   // "waiting for more source", "translating", "loading translate-en-fr, 40 %", "finished"
    QString amount;  // "read 124, written 118 words"
    QString lag;     // "lag 0.31 s, 4 units"
    QString speed;   // "143.2 tokens/s"
};
// What the line says of a snapshot. Plain function, tested by data rows.
[[nodiscard]] TranslationStatusText statusText(const engine::TranslationSnapshot &snapshot);

class TranslationStatus : public QWidget {
    Q_OBJECT
  public:
    explicit TranslationStatus(Appearance &appearance, QWidget *parent = nullptr);
    void show(const engine::TranslationSnapshot &snapshot);
    using QWidget::show;
    void setCompute(const QString &where, const QString &warning = {});
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString lagText() const;

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void reviseRoom();
    Appearance &m_appearance;
    QLabel *m_dot;
    QLabel *m_state;
    QLabel *m_amount;
    QLabel *m_lag;
    QLabel *m_speed;
    QLabel *m_compute;
};

}  // namespace braid::ui
