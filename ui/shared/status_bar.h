// One line that says how a run is: a dot, its state, figures, where it runs. Every figure has a fixed place, so that nothing moves while numbers
// change; on a narrow window the less important give way. GUI thread; the appearance outlives it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <QStringList>
#include <QWidget>

#include "core/runtime/run_events.h"
#include "ui/shared/appearance.h"

class QHBoxLayout;
class QLabel;

namespace braid::ui {

// "loading, 40 %", or what the run says of it.
[[nodiscard]] QString loadingText(const std::string &activity, double fraction);
// The state of a run in a word or two; `while_listening`: of one that takes its source.
[[nodiscard]] QString runStateText(runtime::RunState state, const std::string &activity, double loading_fraction, const QString &while_listening);

class StatusBar : public QWidget {
    Q_OBJECT
  public:
    enum class Room : std::uint8_t { Always = 1, WhereThereIs };
    struct Figure {
        QString name;  // for screen readers
        QString tip;
        QString widest;  // the longest it says; empty: as long as it is
        Room room = Room::Always;
    };
    // `beside_state` stands between the state and the figures; may be null. Figures give way from the last to the first.
    StatusBar(Appearance &appearance, const QString &dot_name, const QString &widest_state, const std::vector<Figure> &figures, QWidget *beside_state,
              QWidget *parent);

    // `figures`: a text each.
    void showRun(runtime::RunState dot, const QString &state, const QStringList &figures);
    void setCompute(const QString &where, const QString &warning = {});
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString figureText(std::size_t figure) const;

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    struct ShownFigure {
        QLabel *label = nullptr;
        Room room = Room::Always;
    };
    void reviseRoom();
    Appearance &m_appearance;
    QLabel *m_dot;
    QLabel *m_state;
    QWidget *m_beside_state;
    std::vector<ShownFigure> m_figures;
    QLabel *m_compute;
};

}  // namespace braid::ui
