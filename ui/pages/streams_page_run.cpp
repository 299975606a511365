// Running on the Streams page: starting, typing, going back, the baseline beside it. What it is made of stands in streams_page.cpp.
#include <algorithm>
#include <utility>

#include "ui/pages/streams_page.h"
#include "ui/streams/answer_panel.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/typing_line.h"
#include "ui/transcript/transcript_view.h"
#include "ui/widgets/notice_bar.h"

namespace braid::ui {
namespace {

const QString kProblemNotice = QStringLiteral("problem");
const QString kRewoundNotice = QStringLiteral("rewound");
const QString kNextStartNotice = QStringLiteral("next start");

}  // namespace

// --- starting --------------------------------------------------------------------------------------------------------------------

void StreamsPage::begin(StreamsChoices choices)
{
    choices.journal_folder = m_settings.values().keeps_journals ? m_services.journal_folder : std::filesystem::path();
    m_notices->remove(kProblemNotice);
    m_notices->remove(kRewoundNotice);
    m_notices->remove(kNextStartNotice);
    m_goes_on_with_words = false;
    m_controller.start(choices);
    m_answer->view().followLive();
}

bool StreamsPage::start()
{
    QString problem;
    const auto choices = m_choices->choices(problem);
    if (!choices) {
        raiseProblem(problem);
        return false;
    }
    begin(*choices);
    startBaseline();
    return m_controller.isGoing();
}

void StreamsPage::startBaseline()
{
    if (!m_settings.values().streams.shows_baseline) {
        return;
    }
    QString problem;
    auto choices = m_choices->baselineChoices(problem);
    if (!choices) {
        m_notices->add({Severity::Warn, problem, {}, {}, QStringLiteral("baseline")});
        return;
    }
    // The same lanes as beside it, also where another layout was chosen meanwhile.
    choices->layout = m_controller.lanes().layout();
    m_notices->remove(QStringLiteral("baseline"));
    m_baseline.start(*choices);
}

void StreamsPage::startOrStop()
{
    switch (m_controller.activity()) {
    case StreamsActivity::Idle: start(); break;
    case StreamsActivity::Loading:
        m_controller.stop();
        m_baseline.stop();
        break;
    case StreamsActivity::Paused:
        m_controller.resume();
        m_baseline.resume();
        m_notices->remove(kRewoundNotice);
        break;
    case StreamsActivity::Running:
    case StreamsActivity::Waiting:
    case StreamsActivity::Playing:
        m_controller.pause();
        m_baseline.pause();
        break;
    case StreamsActivity::Ended: break;
    }
}

void StreamsPage::singleStep()
{
    if (!m_controller.isGoing() && !start()) {
        return;
    }
    m_controller.singleStep();
    m_baseline.singleStep();
}

// Another layout or model: at once where nothing was said yet, else when the person says so.
void StreamsPage::offerNextStart()
{
    if (m_controller.lanes().rows() == 0) {
        if (m_controller.isGoing()) {
            start();
        } else {
            showEmptyLanes();
        }
        return;
    }
    m_notices->add({Severity::Information, tr("This conversation goes on as it is. The new choice holds from the next one."), {}, {{tr("Begin a new one"), [this] { newPage(); }}}, kNextStartNotice});
}

void StreamsPage::showEmptyLanes()
{
    const auto layout = m_choices->layout();
    streams::Conversation nothing;
    if (layout) {
        nothing.layout = *layout;
    }
    m_controller.show(nothing);
    m_baseline.show(nothing);
    m_states_are_old = true;
    reviseLaneStates();
    reviseActivity();
}

void StreamsPage::newPage()
{
    const streams::Conversation before = m_controller.lanes().conversation();
    m_baseline.stop();
    m_goes_on_with_words = false;
    m_notices->remove(kRewoundNotice);
    m_notices->remove(kNextStartNotice);
    showEmptyLanes();
    if (!before.events.empty()) {
        m_notices->add({Severity::Information, tr("A new conversation."), {}, {{tr("Bring the last one back"), [this, before] { showConversation(before); }}}, QStringLiteral("new")});
    }
    m_typing->field().setFocus();
}

// --- typing ----------------------------------------------------------------------------------------------------------------------

void StreamsPage::say(int stream, const QString &words)
{
    if (stream < 0 || (!m_controller.isGoing() && !start())) {
        return;
    }
    const std::string said = words.toStdString();
    m_controller.say(stream, said);
    m_baseline.say(stream, said);
    if (m_goes_on_with_words) {
        m_goes_on_with_words = false;
        m_notices->remove(kRewoundNotice);
        m_controller.resume();
        m_baseline.resume();
    }
}

void StreamsPage::endTurn(int stream)
{
    m_controller.endTurn(stream);
    m_baseline.endTurn(stream);
}

// What the captions have settled since: words enter, a new line ends the turn.
void StreamsPage::giveCaptions()
{
    const text::Transcript &items = m_captions.transcript().items();
    const int stream = m_typing->stream();
    QString words;
    for (; m_captions_given < items.size() && m_typing->followsCaptions() && stream >= 0; ++m_captions_given) {
        if (const auto *word = std::get_if<text::Word>(&items[m_captions_given])) {
            words += (words.isEmpty() || word->starts_without_space ? QString() : QStringLiteral(" ")) + QString::fromStdString(word->text);
        } else if (std::holds_alternative<text::LineBreak>(items[m_captions_given])) {
            if (!words.isEmpty()) {
                say(stream, std::exchange(words, {}));
            }
            endTurn(stream);
        }
    }
    if (!words.isEmpty()) {
        say(stream, words);
    }
    m_captions_given = items.size();
}

// --- going back ------------------------------------------------------------------------------------------------------------------

void StreamsPage::rewindTo(std::int64_t last_row)
{
    if (!m_controller.isGoing()) {
        raiseProblem(tr("This conversation is only shown. Open it with a model that can run its layout, and it can go on from any step."));
        return;
    }
    const std::int64_t lost = m_controller.lanes().rows() - 1 - last_row;
    const std::size_t events = m_controller.lanes().conversation().events.size();
    m_controller.rewind(last_row);
    rewindBaseline(last_row);
    m_goes_on_with_words = true;
    m_notices->add({Severity::Information,
                    tr("Back at step %1; %2 taken back. Type other words and it goes on with them, or press Space to go on without.").arg(last_row + 1).arg(lost == 1 ? tr("one step was") : tr("%1 steps were").arg(lost)),
                    {},
                    {{tr("Undo"), [this, events] { undoRewind(events); }}},
                    kRewoundNotice});
    m_typing->field().setFocus();
}

// The run as it was before: its recording up to there, played at once.
void StreamsPage::undoRewind(std::size_t events)
{
    streams::Conversation before = m_controller.lanes().conversation();
    before.events.resize(std::min(events, before.events.size()));
    showConversation(std::move(before));
}

// The queue of messages has other rows: it begins anew and reads what stands in the lanes up to there.
void StreamsPage::rewindBaseline(std::int64_t last_row)
{
    if (!m_baseline.isGoing()) {
        return;
    }
    const LanesModel &lanes = m_controller.lanes();
    if (m_baseline.lanes().rows() > 0) {
        m_baseline.rewind(-1);
        m_baseline.resume();
    }
    for (int stream = 0; stream < lanes.streams(); ++stream) {
        if (!lanes.isFed(stream)) {
            continue;
        }
        std::int64_t from = 0;
        for (const CellRef &end : lanes.turnEnds()) {
            if (end.stream == stream && end.row <= last_row) {
                m_baseline.say(stream, lanes.textOf(stream, from, end.row).toStdString());
                m_baseline.endTurn(stream);
                from = end.row + 1;
            }
        }
        const std::string rest = lanes.textOf(stream, from, last_row).toStdString();
        if (!rest.empty()) {
            m_baseline.say(stream, rest);
        }
    }
}

}  // namespace braid::ui
