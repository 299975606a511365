#include "ui/streams/streams_run.h"

#include <algorithm>
#include <utility>

#include "ui/shared/notice_bar.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_panel.h"

namespace braid::ui {
namespace {

const QString kRewoundNotice = QStringLiteral("rewound");
const QString kNextStartNotice = QStringLiteral("next start");

}  // namespace

StreamsRun::StreamsRun(StreamsServices &services, SettingsStore &settings, StreamsChoicesRow &choices, NoticeStack &notices)
    : m_services(services)
    , m_settings(settings)
    , m_choices(choices)
    , m_notices(notices)
    , m_conversation(services.parallel)
    , m_baseline(services.baseline)
{
}

// --- starting --------------------------------------------------------------------------------------------------------------------

void StreamsRun::begin(StreamsChoices choices)
{
    choices.journal_folder = m_settings.values().keeps_journals ? m_services.journal_folder : std::filesystem::path();
    m_notices.clearProblem();
    m_notices.remove(kRewoundNotice);
    m_notices.remove(kNextStartNotice);
    m_goes_on_with_words = false;
    m_conversation.start(choices);
    Q_EMIT began();
}

bool StreamsRun::start()
{
    QString problem;
    const auto choices = m_choices.choices(problem);
    if (!choices) {
        m_notices.raiseProblem(problem);
        return false;
    }
    begin(*choices);
    startBaseline();
    return m_conversation.isGoing();
}

void StreamsRun::startBaseline()
{
    if (!m_settings.values().streams.shows_baseline) {
        return;
    }
    QString problem;
    auto choices = m_choices.baselineChoices(problem);
    if (!choices) {
        m_notices.add({Severity::Warn, problem, {}, {}, QStringLiteral("baseline")});
        return;
    }
    // The same lanes as beside it, also where another layout was chosen meanwhile.
    choices->layout = m_conversation.lanes().layout();
    m_notices.remove(QStringLiteral("baseline"));
    m_baseline.start(*choices);
}

void StreamsRun::startOrPause()
{
    switch (m_conversation.activity()) {
    case StreamsActivity::Idle:
        start();
        break;
    case StreamsActivity::Loading:
        m_conversation.stop();
        m_baseline.stop();
        break;
    case StreamsActivity::Paused:
        resume();
        m_notices.remove(kRewoundNotice);
        break;
    case StreamsActivity::Running:
    case StreamsActivity::Waiting:
    case StreamsActivity::Playing:
        pause();
        break;
    case StreamsActivity::Ended:
        break;
    }
}

void StreamsRun::singleStep()
{
    if (!m_conversation.isGoing() && !start()) {
        return;
    }
    m_conversation.singleStep();
    m_baseline.singleStep();
}

void StreamsRun::offerNextStart()
{
    if (m_conversation.lanes().rows() == 0) {
        if (m_conversation.isGoing()) {
            start();
        } else {
            showEmptyLanes();
        }
        return;
    }
    m_notices.add({Severity::Information,
                   tr("This conversation goes on as it is. The new choice holds from the next one."),
                   {},
                   {{tr("Begin a new one"), [this] { beginAnew(); }}},
                   kNextStartNotice});
}

void StreamsRun::showEmptyLanes()
{
    const auto layout = m_choices.layout();
    streams::Conversation nothing;
    if (layout) {
        nothing.layout = *layout;
    }
    m_conversation.show(nothing);
    m_baseline.show(nothing);
    Q_EMIT emptied();
}

void StreamsRun::beginAnew()
{
    const streams::Conversation before = m_conversation.lanes().conversation();
    m_baseline.stop();
    m_goes_on_with_words = false;
    m_notices.remove(kRewoundNotice);
    m_notices.remove(kNextStartNotice);
    showEmptyLanes();
    if (!before.events.empty()) {
        m_notices.add(
            {Severity::Information, tr("A new conversation."), {}, {{tr("Bring the last one back"), [this, before] { show(before); }}}, QStringLiteral("new")});
    }
    Q_EMIT wordsWanted();
}

void StreamsRun::pause()
{
    m_conversation.pause();
    m_baseline.pause();
}

void StreamsRun::resume()
{
    m_conversation.resume();
    m_baseline.resume();
}

void StreamsRun::onActivity()
{
    if (m_conversation.activity() == StreamsActivity::Running) {
        m_goes_on_with_words = false;
    }
}

void StreamsRun::setTempo(double rows_per_second)
{
    m_conversation.setTempo(rows_per_second);
    m_baseline.setTempo(rows_per_second);
}

void StreamsRun::adjust(int stream)
{
    const auto chosen = m_choices.layout();
    if (chosen && chosen->name == m_conversation.lanes().layout().name) {
        const StreamTuning &tuning = m_choices.panel().tuningOf(stream);
        m_conversation.adjust(stream, tuning.sampling, tuning.penalty);
        m_baseline.adjust(stream, tuning.sampling, tuning.penalty);
    }
}

void StreamsRun::setBaselineShown(bool shown)
{
    if (!shown) {
        m_baseline.stop();
        if (m_services.baseline.forget_model) {
            m_services.baseline.forget_model();
        }
    } else if (m_conversation.isGoing()) {
        startBaseline();
        rewindBaseline(m_conversation.lanes().rows() - 1);
    }
}

// --- typing ----------------------------------------------------------------------------------------------------------------------

void StreamsRun::say(int stream, const QString &words)
{
    if (stream < 0 || (!m_conversation.isGoing() && !start())) {
        return;
    }
    const std::string said = words.toStdString();
    m_conversation.say(stream, said);
    m_baseline.say(stream, said);
    if (m_goes_on_with_words) {
        m_goes_on_with_words = false;
        m_notices.remove(kRewoundNotice);
        resume();
    }
}

void StreamsRun::endTurn(int stream)
{
    m_conversation.endTurn(stream);
    m_baseline.endTurn(stream);
}

void StreamsRun::interrupt(int stream, const QString &words)
{
    if (m_conversation.isGoing() || start()) {
        m_conversation.interrupt(stream, words.toStdString());
        m_baseline.interrupt(stream, words.toStdString());
    }
}

void StreamsRun::dropWaiting(int stream)
{
    const std::string waited = m_conversation.dropWaiting(stream);
    m_baseline.dropWaiting(stream);
    m_notices.add({Severity::Information,
                   tr("The words that waited were dropped."),
                   {},
                   {{tr("Say them after all"), [this, stream, waited] { say(stream, QString::fromStdString(waited)); }}},
                   QStringLiteral("dropped")});
    Q_EMIT wordsWanted();
}

// --- going back ------------------------------------------------------------------------------------------------------------------

void StreamsRun::holdForRewind()
{
    m_moved_before_rewind = m_conversation.isMoving();
    if (m_moved_before_rewind) {
        pause();
    }
}

void StreamsRun::letGoOfRewind()
{
    if (m_moved_before_rewind) {
        resume();
    }
}

void StreamsRun::rewindTo(std::int64_t last_row)
{
    if (!m_conversation.isGoing()) {
        m_notices.raiseProblem(tr("This conversation is only shown. Open it with a model that can run its layout, and it can go on from any step."));
        return;
    }
    const std::int64_t lost = m_conversation.lanes().rows() - 1 - last_row;
    const std::size_t events = m_conversation.lanes().conversation().events.size();
    m_conversation.rewind(last_row);
    rewindBaseline(last_row);
    m_goes_on_with_words = true;
    m_notices.add({Severity::Information,
                   tr("Back at step %1; %n step(s) were taken back. Type other words and it goes on with them, or press Space to go on without.", nullptr,
                      static_cast<int>(lost))
                       .arg(last_row + 1),
                   {},
                   {{tr("Undo"), [this, events] { undoRewind(events); }}},
                   kRewoundNotice});
    Q_EMIT wordsWanted();
}

// The run as it was before: its recording up to there, played at once.
void StreamsRun::undoRewind(std::size_t events)
{
    streams::Conversation before = m_conversation.lanes().conversation();
    before.events.resize(std::min(events, before.events.size()));
    show(std::move(before));
}

// The queue of messages has other rows: it begins anew and reads what stands in the lanes up to there.
void StreamsRun::rewindBaseline(std::int64_t last_row)
{
    if (!m_baseline.isGoing()) {
        return;
    }
    const LanesModel &lanes = m_conversation.lanes();
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

// --- conversations that were recorded ---------------------------------------------------------------------------------------------

void StreamsRun::show(streams::Conversation conversation)
{
    play(std::move(conversation), streams::Playback::AtOnce);
}

void StreamsRun::replay()
{
    if (m_conversation.lanes().rows() > 0) {
        play(m_conversation.lanes().conversation(), streams::Playback::AtRecordedTimes);
    }
}

void StreamsRun::play(streams::Conversation conversation, streams::Playback playback)
{
    StreamsChoices choices = m_choices.withCompute({});
    choices.layout = conversation.layout;
    choices.model_name = QString::fromStdString(conversation.model);
    choices.playback = playback;
    const StreamsModelEntry *model = m_choices.modelFor(conversation.layout, choices.model_name);
    if (model != nullptr) {
        choices.model = model->path;
    } else {
        m_notices.inform(
            tr("\u201c%1\u201d, which said this, is not here or cannot run this layout: the conversation can be read and replayed, but not gone on with.")
                .arg(choices.model_name),
            QStringLiteral("model"));
    }
    choices.recording = std::move(conversation);
    m_baseline.stop();
    begin(std::move(choices));
}

}  // namespace braid::ui
