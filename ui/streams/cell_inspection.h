// Which cell of the lanes the Inspector shows, and what it attended to: asked of the run when the pointer has come to rest, drawn on the lanes when
// the answer is there. GUI thread; what it is made from outlives it.
#pragma once

#include <optional>

#include <QTimer>

#include "ui/streams/cell_ref.h"

namespace braid::ui {

class AnswerPanel;
class LanesView;
class StreamsController;
class StreamsInspector;

class CellInspection : public QObject {
    Q_OBJECT
  public:
    CellInspection(StreamsController &run, LanesView &lanes, AnswerPanel &answer, StreamsInspector &inspector);
    // The cell that is chosen now, else the newest word of the answer.
    void show();

  private:
    [[nodiscard]] std::optional<CellRef> chosen() const;
    void ask();
    void showAnswer();

    StreamsController &m_run;
    LanesView &m_lanes;
    AnswerPanel &m_answer;
    StreamsInspector &m_inspector;
    QTimer m_ask_soon;
};

}  // namespace braid::ui
