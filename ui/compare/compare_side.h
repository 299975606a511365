// One side of a comparison: a policy with its own engine, what it writes, its figures. GUI thread.
#pragma once

#include <memory>

#include <QWidget>

#include "ui/compare/comparison_report.h"
#include "ui/shared/appearance.h"
#include "ui/shared/figure_table.h"
#include "ui/state/caption_controller.h"
#include "ui/state/services.h"

class QLabel;

namespace braid::ui {

class TranscriptView;
class TuningControls;

[[nodiscard]] std::vector<FigureLine> figureLines(const SideFigures &mine, const SideFigures &other);

class CompareSidePanel : public QWidget {
    Q_OBJECT
  public:
    CompareSidePanel(EngineKit kit, Services &services, Appearance &appearance, const QString &name, QWidget *parent);
    ~CompareSidePanel() override;

    [[nodiscard]] CaptionController &controller() noexcept { return *m_controller; }
    [[nodiscard]] TranscriptView &transcriptView() noexcept { return *m_transcript; }
    [[nodiscard]] TuningControls &tuning() noexcept { return *m_tuning; }
    [[nodiscard]] EngineKit &kit() noexcept { return m_kit; }
    void showFigures(const std::vector<FigureLine> &lines);
    void showState(const QString &text) const;
    [[nodiscard]] QString stateText() const;

  Q_SIGNALS:
    void wordHovered(std::optional<braid::ui::WordRef> ref);
    void tuned();

  private:
    EngineKit m_kit;
    std::unique_ptr<CaptionController> m_controller;
    TuningControls *m_tuning;
    TranscriptView *m_transcript;
    QLabel *m_state;
    FigureTable *m_figures;
};

}  // namespace braid::ui
