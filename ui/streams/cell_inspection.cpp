#include "ui/streams/cell_inspection.h"

#include <algorithm>

#include "ui/streams/answer_panel.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/streams_controller.h"
#include "ui/streams/streams_inspector.h"

namespace braid::ui {
namespace {

constexpr int kAskAfterMs = 60;  // a pointer that has come to rest

}  // namespace

CellInspection::CellInspection(StreamsController &run, LanesView &lanes, AnswerPanel &answer, StreamsInspector &inspector)
    : m_run(run)
    , m_lanes(lanes)
    , m_answer(answer)
    , m_inspector(inspector)
{
    m_ask_soon.setSingleShot(true);
    m_ask_soon.setInterval(kAskAfterMs);
    connect(&m_ask_soon, &QTimer::timeout, this, &CellInspection::ask);
    connect(&lanes, &LanesView::hoveredChanged, this, &CellInspection::show);
    connect(&lanes, &LanesView::pinnedChanged, this, &CellInspection::show);
    connect(&inspector, &StreamsInspector::lookChanged, this, &CellInspection::ask);
    connect(&run, &StreamsController::looked, this, &CellInspection::showAnswer);
}

// The pointer's, else the keyboard's, else the pinned one.
std::optional<CellRef> CellInspection::chosen() const
{
    return m_lanes.hoveredCell() ? m_lanes.hoveredCell() : m_lanes.cursorCell() ? m_lanes.cursorCell() : m_lanes.pinnedCell();
}

void CellInspection::show()
{
    const LanesModel &lanes = m_run.lanes();
    std::optional<CellRef> ref = chosen();
    QString why = m_lanes.hoveredCell() ? tr("Under the pointer") : m_lanes.cursorCell() ? tr("Under the cursor") : tr("Pinned");
    const bool is_chosen = ref.has_value();
    if (!is_chosen) {
        why = tr("Newest word");
        const int answer = m_answer.answer().stream();
        const std::int64_t row = answer >= 0 ? lanes.nextWord(answer, lanes.rows() - 1, LanesModel::Direction::Back) : -1;
        if (row >= 0) {
            ref = CellRef{row, answer};
        }
    }
    const bool is_new = ref != m_inspector.cell();
    if (!m_inspector.isHidden()) {
        m_inspector.show(ref, why);
    }
    if (!is_chosen) {
        m_ask_soon.stop();
        m_lanes.setAttention({}, {});
    } else if (is_new || m_inspector.isHidden()) {
        m_lanes.setAttention({}, {});
        m_ask_soon.start();
    }
}

void CellInspection::ask()
{
    const auto ref = chosen();
    if (ref && m_run.isGoing()) {
        m_run.look(m_inspector.wishFor(*ref));
    }
}

void CellInspection::showAnswer()
{
    const auto &look = m_run.snapshot().status.look;
    const auto ref = chosen();
    m_inspector.showLook();
    if (!look || !ref || !(look->wish == m_inspector.wishFor(*ref)) || !look->problem.empty()) {
        return;
    }
    float greatest = 0;
    for (const streams::Attended &cell : look->cells) {
        greatest = cell.row >= 0 ? std::max(greatest, cell.weight) : greatest;
    }
    CellWeights weights;
    for (const streams::Attended &cell : look->cells) {
        if (cell.row >= 0 && greatest > 0) {
            weights.set({cell.row, cell.stream}, cell.weight / greatest);
        }
    }
    m_lanes.setAttention(ref, std::move(weights));
}

}  // namespace braid::ui
