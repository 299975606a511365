// Everything known about one cell: the one under the pointer, else the keyboard's, else the pinned one, else the newest word. Its
// probability and rivals, and how its attention fell on the lanes; and the figures of the run, beside the baseline's. GUI thread.
#pragma once

#include <optional>
#include <vector>

#include "ui/inspector/inspector_frame.h"
#include "ui/shared/appearance.h"
#include "ui/shared/figure_table.h"
#include "ui/streams/streams_controller.h"

class QLabel;
class QSpinBox;

namespace braid::ui {

class ChoiceBox;
class ShareBars;
class TokenBars;

enum class StreamsTab : std::uint8_t { Word = 1, Run };
inline constexpr int kStreamsTabs = 2;

class StreamsInspector : public InspectorFrame {
    Q_OBJECT
  public:
    StreamsInspector(StreamsController &controller, Appearance &appearance, QWidget *parent = nullptr);
    // `why`: "Under the pointer", "Pinned", "Newest word".
    void show(std::optional<CellRef> ref, const QString &why);
    // The answer to the newest wish to look, where it is about the cell that shows.
    void showLook();
    // What would be asked about `ref`: with the layer, head and summary chosen here.
    [[nodiscard]] streams::Look wishFor(CellRef ref) const;
    [[nodiscard]] std::optional<CellRef> cell() const noexcept { return m_ref; }
    [[nodiscard]] const TokenBars &tokens() const noexcept { return *m_tokens; }
    [[nodiscard]] const ShareBars &shares() const noexcept { return *m_shares; }
    [[nodiscard]] QString lookText() const;
    // Figures of this run, and of the baseline where there is one.
    void showFigures(const std::vector<FigureLine> &parallel, const std::vector<FigureLine> &baseline);

  Q_SIGNALS:
    void lookChanged();  // another layer, head or summary is wished

  private:
    void clearLook(const QString &sentence);

    StreamsController &m_controller;
    Appearance &m_appearance;
    std::optional<CellRef> m_ref;
    TokenBars *m_tokens;
    ChoiceBox *m_summary;
    QSpinBox *m_layer;
    QSpinBox *m_head;
    ShareBars *m_shares;
    QLabel *m_cells = nullptr;
    FigureTable *m_parallel;
    QLabel *m_baseline_title;
    FigureTable *m_baseline;
};

// How a look's weights fall on the streams: sums by stream, of a whole of 1; what was read before the first row counts to its stream.
[[nodiscard]] std::vector<double> sharesOf(const streams::LookAnswer &look, int streams);

}  // namespace braid::ui
