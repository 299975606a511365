// How a translation reads and writes: k, phi, catching up, sampling, each with its number and a sentence. Every change is announced at once. What
// the chosen paradigm does not have is greyed, with the reason. GUI thread.
#pragma once

#include <QFrame>

#include "ui/shared/slider_row.h"
#include "ui/state/translation_tuning.h"

class QCheckBox;
class QDoubleSpinBox;

namespace braid::ui {

class TranslationPanel : public QFrame {
    Q_OBJECT
  public:
    explicit TranslationPanel(QWidget *parent = nullptr);
    // Takes the height that what it says needs; call before it is shown, when the style is known.
    void fit();
    // Shows `tuning`; announces nothing.
    void show(const TranslationTuning &tuning);
    [[nodiscard]] const TranslationTuning &tuning() const noexcept { return m_tuning; }
    using QFrame::show;

  Q_SIGNALS:
    void changed(const braid::ui::TranslationTuning &tuning);  // by a person

  private:
    void fill();
    void take();

    TranslationTuning m_tuning;
    SliderRow m_k;
    QCheckBox *m_whole;
    SliderRow m_catch_up;
    QDoubleSpinBox *m_phi;
    QLabel *m_phi_explanation;
    QDoubleSpinBox *m_temperature;
    QLabel *m_temperature_explanation;
    bool m_filling = false;
};

}  // namespace braid::ui
