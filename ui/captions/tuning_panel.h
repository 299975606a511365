// How the model decodes: chunk, beam, look-back, each as a slider with its number and a sentence. Every change is announced at once and
// holds from the next step. What the chosen policy does not have is greyed, with the reason. GUI thread.
#pragma once

#include <QFrame>

#include "ui/shared/slider_row.h"
#include "ui/state/caption_tuning.h"

class QCheckBox;

namespace braid::ui {

// What the chosen model and policy can do.
struct TuningRange {
    int least_chunk_ms = 100;
    int most_chunk_ms = 1000;
    int own_chunk_ms = 0;    // 0: not known
    int first_chunk_ms = 0;  // 0: not known
    bool streams = true;     // has beams and a look-back
    friend bool operator==(const TuningRange &, const TuningRange &) = default;
};

class TuningPanel : public QFrame {
    Q_OBJECT
  public:
    explicit TuningPanel(QWidget *parent = nullptr);
    void setRange(const TuningRange &range);
    // Takes the height that what it says needs; call before it is shown, when the style is known.
    void fit();
    // Shows `tuning`; announces nothing.
    void show(const CaptionTuning &tuning);
    [[nodiscard]] const CaptionTuning &tuning() const noexcept { return m_tuning; }
    using QFrame::show;

  Q_SIGNALS:
    void changed(const braid::ui::CaptionTuning &tuning);  // by a person

  private:
    void take();
    void fill();

    CaptionTuning m_tuning;
    TuningRange m_range;
    SliderRow m_chunk;
    SliderRow m_beam;
    SliderRow m_look_back;
    QCheckBox *m_own_chunk;
    bool m_filling = false;
};

// "300 ms, beam 5": what a button that opens the panel says.
[[nodiscard]] QString tuningText(const CaptionTuning &tuning, const TuningRange &range);

}  // namespace braid::ui
