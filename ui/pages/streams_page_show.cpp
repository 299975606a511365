// What the Streams page shows: lanes' states, the cell in the Inspector and its attention, figures. What it is made of stands in streams_page.cpp.
#include <algorithm>

#include <QLabel>

#include "ui/pages/streams_page.h"
#include "ui/streams/answer_panel.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/run_figures.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_inspector.h"
#include "ui/streams/streams_status.h"
#include "ui/streams/typing_line.h"
#include "ui/transcript/transcript_view.h"
#include "ui/widgets/label_text.h"
#include "ui/widgets/notice_bar.h"

namespace braid::ui {
namespace {

constexpr qint64 kFiguresEveryMs = 250;
constexpr std::size_t kWaitingWordsShown = 24;

}  // namespace

void StreamsPage::onFrame()
{
    if (m_states_are_old) {
        reviseLaneStates();
    }
    if (m_since_figures.elapsed() >= kFiguresEveryMs) {
        reviseFigures();
    }
    m_answer->view().advanceFades();
}

void StreamsPage::reviseLaneStates()
{
    m_states_are_old = false;
    const LanesModel &lanes = m_controller.lanes();
    std::vector<LaneState> states;
    std::size_t waiting_here = 0;
    for (int stream = 0; stream < lanes.streams(); ++stream) {
        LaneState state;
        const TypedWords &typed = m_controller.typed(stream);
        const std::size_t waiting = typed.wordsWaiting();
        for (const std::string &word : typed.firstWords(kWaitingWordsShown)) {
            state.waiting << QString::fromStdString(word);
        }
        if (stream == m_typing->stream()) {
            state.unfinished = m_typing->unfinished();
            waiting_here = waiting;
        }
        state.is_switched_off = m_controller.isSwitchedOff(stream);
        const std::int64_t words = lanes.wordsOf(stream);
        state.note = waiting > 0              ? tr("%L1 wait").arg(waiting)
            : state.is_switched_off           ? tr("switched off")
            : lanes.endOf(stream).has_value() ? tr("ended, %L1 words").arg(words)
            : words == 1                      ? tr("1 word")
            : words > 0                       ? tr("%L1 words").arg(words)
                                              : QString();
        states.push_back(std::move(state));
    }
    m_lanes->setLaneStates(std::move(states));
    m_typing->showWaiting(waiting_here);
    m_status->show(m_controller);
    reviseEmptyState();
}

void StreamsPage::reviseFigures()
{
    m_since_figures.restart();
    const bool shows_baseline = !m_baseline_lanes->isHidden();
    if (m_inspector->isHidden() && !shows_baseline) {
        return;
    }
    const int answer = m_answer->answer().stream();
    RunFigures parallel = figuresOf(m_controller.lanes(), answer);
    parallel.tokens_per_second = m_controller.snapshot().status.tokens_per_second;
    RunFigures baseline;
    if (shows_baseline) {
        baseline = figuresOf(m_baseline.lanes(), answer);
        baseline.tokens_per_second = m_baseline.snapshot().status.tokens_per_second;
        const QString model = m_baseline.present().model_name;
        setTextIfNew(m_baseline_title, model.isEmpty() ? tr("Baseline: one queue of messages, answered one after the other")
                                                       : tr("Baseline: one queue of messages (%1), %2").arg(model, streamsStatusText(m_baseline.activity(), m_baseline.snapshot(), m_baseline.lanes().rows()).state));
    }
    m_inspector->showFigures(figureLines(parallel, baseline), shows_baseline ? figureLines(baseline, parallel) : std::vector<FigureLine>());
}

void StreamsPage::reviseActivity()
{
    m_choices->setActivity(m_controller.activity(), m_controller.lanes().rows() > 0);
    m_status->show(m_controller);
    if (m_controller.activity() == StreamsActivity::Waiting || m_controller.activity() == StreamsActivity::Paused || m_controller.activity() == StreamsActivity::Ended) {
        m_answer->answer().settle();
    }
    if (m_controller.activity() == StreamsActivity::Running && m_goes_on_with_words) {
        m_goes_on_with_words = false;
    }
    reviseFigures();
    reviseEmptyState();
}

void StreamsPage::reviseEmptyState()
{
    const bool is_empty = m_controller.lanes().rows() == 0;
    m_empty->setVisible(is_empty && m_controller.activity() != StreamsActivity::Loading);
    if (is_empty) {
        const QString text = m_controller.lanes().streams() == 0
            ? tr("<p style=\"font-size:15px\">No layout of streams yet.</p><p>Choose one above, or open a file.</p>")
            : tr("<p style=\"font-size:15px\">Type below.</p><p>Every word enters the user's lane at once; the other lanes read it and speak while you type.</p>");
        setTextIfNew(m_empty, QStringLiteral("<div style=\"color:%1\">%2</div>").arg(m_appearance.colour(ColourToken::InkSoft).name(), text));
        const LanesGeometry &geometry = m_lanes->geometryNow();
        const int left = static_cast<int>(geometry.names_width);
        const int room = m_lanes->viewport()->width() - left;
        m_empty->setFixedWidth(std::clamp(room - 32, 120, 460));
        m_empty->adjustSize();
        // Below the lanes where there is room, else over them.
        const int below = static_cast<int>(geometry.ruler_height + geometry.lanesHeight()) + 24;
        const int last = m_lanes->viewport()->height() - m_empty->height() - 12;
        m_empty->move(left + (room - m_empty->width()) / 2, below <= last ? below : std::max(40, last / 2));
    }
}

// The pointer's, else the keyboard's, else the pinned one.
std::optional<CellRef> StreamsPage::chosenCell() const
{
    return m_lanes->hoveredCell() ? m_lanes->hoveredCell() : m_lanes->cursorCell() ? m_lanes->cursorCell() : m_lanes->pinnedCell();
}

void StreamsPage::showInspected()
{
    const LanesModel &lanes = m_controller.lanes();
    std::optional<CellRef> ref = chosenCell();
    QString why = m_lanes->hoveredCell() ? tr("Under the pointer") : m_lanes->cursorCell() ? tr("Under the cursor") : tr("Pinned");
    const bool is_chosen = ref.has_value();
    if (!is_chosen) {
        why = tr("Newest word");
        const int answer = m_answer->answer().stream();
        const std::int64_t row = answer >= 0 ? lanes.nextWord(answer, lanes.rows() - 1, LanesModel::Direction::Back) : -1;
        if (row >= 0) {
            ref = CellRef{row, answer};
        }
    }
    const bool is_new = ref != m_inspector->cell();
    if (!m_inspector->isHidden()) {
        m_inspector->show(ref, why);
    }
    if (!is_chosen) {
        m_look_soon.stop();
        m_lanes->setAttention({}, {});
    } else if (is_new || m_inspector->isHidden()) {
        m_lanes->setAttention({}, {});
        m_look_soon.start();
    }
}

void StreamsPage::wishLook()
{
    const auto ref = chosenCell();
    if (ref && m_controller.isGoing()) {
        m_controller.look(m_inspector->wishFor(*ref));
    }
}

void StreamsPage::showLook()
{
    const auto &look = m_controller.snapshot().status.look;
    const auto ref = chosenCell();
    m_inspector->showLook();
    if (!look || !ref || !(look->wish == m_inspector->wishFor(*ref)) || !look->problem.empty()) {
        return;
    }
    float greatest = 0;
    for (const sessions::Attended &cell : look->cells) {
        greatest = cell.row >= 0 ? std::max(greatest, cell.weight) : greatest;
    }
    CellWeights weights;
    for (const sessions::Attended &cell : look->cells) {
        if (cell.row >= 0 && greatest > 0) {
            weights.set({cell.row, cell.stream}, cell.weight / greatest);
        }
    }
    m_lanes->setAttention(ref, std::move(weights));
}

void StreamsPage::raiseProblem(const QString &sentence)
{
    m_notices->add({Severity::Danger, sentence, {}, {}, QStringLiteral("problem")});
}

}  // namespace braid::ui
