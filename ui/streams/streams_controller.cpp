#include "ui/streams/streams_controller.h"

#include <algorithm>
#include <utility>

#include "ui/shared/overloaded.h"
#include "ui/state/word_facts.h"

namespace braid::ui {
namespace {

constexpr int kFrameMs = 16;
constexpr int kRestMs = 100;  // between looks while nothing happens
constexpr qint64 kNewsAreOldMs = 1000;

StreamsActivity activityOf(const streams::StreamsSnapshot &snapshot)
{
    if (snapshot.state == streams::StreamsRunState::Loading) {
        return StreamsActivity::Loading;
    }
    switch (snapshot.status.state) {
    case streams::StreamsState::Running:
        return StreamsActivity::Running;
    case streams::StreamsState::Paused:
        return StreamsActivity::Paused;
    case streams::StreamsState::Waiting:
        return StreamsActivity::Waiting;
    case streams::StreamsState::Playing:
        return StreamsActivity::Playing;
    case streams::StreamsState::Ended:
        break;
    }
    return StreamsActivity::Ended;
}

}  // namespace

StreamsController::StreamsController(StreamsKit &kit, QObject *parent)
    : QObject(parent)
    , m_kit(kit)
    , m_snapshot(std::make_shared<const streams::StreamsSnapshot>())
{
    m_frames.setTimerType(Qt::PreciseTimer);
    connect(&m_frames, &QTimer::timeout, this, &StreamsController::onFrame);
    m_since_news.start();
}

StreamsController::~StreamsController() = default;

QString StreamsController::tokenName(std::int32_t token) const
{
    if (token == m_silence || token < 0) {
        return tr("\u00b7 (silent)");
    }
    return m_texts && token < m_texts->size() ? tokenText(m_texts->text(token)) : QStringLiteral("#%1").arg(token);
}

// --- beginning and ending --------------------------------------------------------------------------------------------------------

void StreamsController::prepare(const streams::Layout &layout)
{
    m_typed.assign(layout.size(), {});
    m_switched_off.assign(layout.size(), false);
}

void StreamsController::start(const StreamsChoices &choices)
{
    m_present = choices;
    const streams::Layout &layout = choices.recording ? choices.recording->layout : choices.layout;
    m_texts.reset();
    m_silence = -1;
    m_snapshot = std::make_shared<const streams::StreamsSnapshot>();
    prepare(layout);
    streams::Conversation beginning;
    beginning.layout = layout;
    m_lanes.reset(std::move(beginning));
    try {
        streams::StreamsRunConfig run = m_kit.make_run(choices);
        run.journal_folder = choices.journal_folder;
        m_generation = m_kit.backend->start(std::move(run));
    } catch (const std::exception &error) {
        m_generation = 0;
        setActivity(StreamsActivity::Idle);
        Q_EMIT failed(QString::fromUtf8(error.what()));
        return;
    }
    m_present.recording.reset();  // the run has it; a copy would only cost memory
    m_since_news.restart();
    m_frames.start(kFrameMs);
    setActivity(StreamsActivity::Loading);
    Q_EMIT typedChanged();
}

void StreamsController::stop()
{
    if (m_activity != StreamsActivity::Idle) {
        m_kit.backend->stop();
        m_since_news.restart();
        m_frames.start(kFrameMs);
    }
}

void StreamsController::show(const streams::Conversation &conversation)
{
    if (m_activity != StreamsActivity::Idle) {
        m_kit.backend->stop();
        m_generation = 0;  // whatever still comes belongs to no lanes
        m_frames.stop();
    }
    m_snapshot = std::make_shared<const streams::StreamsSnapshot>();
    m_texts.reset();
    m_silence = -1;
    prepare(conversation.layout);
    setActivity(StreamsActivity::Idle);
    m_lanes.reset(conversation);
    Q_EMIT snapshotChanged();
    Q_EMIT typedChanged();
}

// --- what a person does ----------------------------------------------------------------------------------------------------------

void StreamsController::post(streams::StreamsCommand command)
{
    if (m_activity != StreamsActivity::Idle) {
        m_kit.backend->post(std::move(command));
        m_since_news.restart();
        m_frames.setInterval(kFrameMs);
    }
}

void StreamsController::say(int stream, const std::string &words)
{
    if (m_activity == StreamsActivity::Idle) {
        return;
    }
    const std::size_t left_out = m_typed[static_cast<std::size_t>(stream)].add(words);
    if (left_out > 0) {
        Q_EMIT noticeRaised(tr("At most %1 MB of words can wait; the last %2 kB were left out. Give the text as a file, or say it when there is room.")
                                .arg(kMostTypedBytes >> 20)
                                .arg((left_out + 1023) >> 10));
    }
    giveWords();
    Q_EMIT typedChanged();
}

void StreamsController::endTurn(int stream)
{
    if (m_activity != StreamsActivity::Idle) {
        m_typed[static_cast<std::size_t>(stream)].endTurn();
        giveWords();
    }
}

void StreamsController::interrupt(int stream, const std::string &words)
{
    if (m_activity == StreamsActivity::Idle) {
        return;
    }
    m_typed[static_cast<std::size_t>(stream)].clear();
    post(streams::Interrupt{stream, {}});
    say(stream, words);
}

std::string StreamsController::dropWaiting(int stream)
{
    std::string waited = m_typed[static_cast<std::size_t>(stream)].clear();
    post(streams::Interrupt{stream, {}});
    Q_EMIT typedChanged();
    return waited;
}

void StreamsController::giveWords()
{
    for (std::size_t stream = 0; stream < m_typed.size(); ++stream) {
        while (true) {
            const TypedWords::Piece piece = m_typed[stream].give();
            if (!piece.words.empty()) {
                post(streams::Say{static_cast<int>(stream), piece.words, streams::TextEnd::Whole});
            }
            if (piece.end == TurnEnd::Yes) {
                post(streams::EndTurn{static_cast<int>(stream)});
            } else {
                break;
            }
        }
    }
}

void StreamsController::pause()
{
    post(streams::Pause{});
}

void StreamsController::resume()
{
    post(streams::Resume{});
}

void StreamsController::singleStep()
{
    if (isMoving()) {
        post(streams::Pause{});
    }
    post(streams::SingleStep{});
}

void StreamsController::rewind(std::int64_t last_row)
{
    for (TypedWords &typed : m_typed) {
        typed.clear();
    }
    post(streams::Pause{});
    post(streams::Rewind{last_row});
    Q_EMIT typedChanged();
}

void StreamsController::setVoice(int stream, streams::Voice voice)
{
    m_switched_off[static_cast<std::size_t>(stream)] = voice == streams::Voice::SwitchedOff;
    post(streams::SetVoice{stream, voice});
}

void StreamsController::adjust(int stream, const streams::Sampling &sampling, const streams::SilencePenalty &penalty)
{
    post(streams::Adjust{stream, sampling, penalty});
}

void StreamsController::setTempo(double rows_per_second)
{
    m_present.rows_per_second = rows_per_second;
    post(streams::SetTempo{rows_per_second});
}

void StreamsController::look(const streams::Look &wish)
{
    post(wish);
}

// --- what the engine says --------------------------------------------------------------------------------------------------------

void StreamsController::setActivity(StreamsActivity activity)
{
    if (activity != m_activity) {
        m_activity = activity;
        Q_EMIT activityChanged();
    }
}

void StreamsController::onFrame()
{
    std::vector<streams::StreamsEvent> rows;
    bool has_finished = false;
    for (streams::StreamsEngineEvent &event : m_kit.backend->takeEvents()) {
        if (event.generation == m_generation && m_generation != 0) {
            has_finished = has_finished || std::holds_alternative<streams::StreamsFinished>(event.body);
            take(event.body, rows);
            m_since_news.restart();
        }
    }
    if (!rows.empty()) {
        enterWords(rows);
        m_lanes.take(std::move(rows));
    }
    takeSnapshot();
    resync();
    giveWords();
    if (has_finished) {
        m_frames.stop();
        setActivity(StreamsActivity::Idle);
        Q_EMIT snapshotChanged();
        Q_EMIT finished();
    } else {
        // A page that nothing happens on does not keep the machine awake.
        const int interval = isMoving() && m_activity != StreamsActivity::Waiting ? kFrameMs : m_since_news.elapsed() > kNewsAreOldMs ? kRestMs : kFrameMs;
        if (m_frames.interval() != interval) {
            m_frames.setInterval(interval);
        }
    }
    Q_EMIT frame();
}

void StreamsController::take(streams::StreamsEngineEventBody &body, std::vector<streams::StreamsEvent> &rows)
{
    std::visit(Overloaded{
                   [this](streams::StreamsStarted &started) {
                       m_texts = started.texts;
                       m_silence = started.silence_token;
                       m_device = QString::fromStdString(started.device);
                       m_lanes.reset(std::move(started.beginning));
                       m_typed.resize(m_lanes.layout().size());
                       m_switched_off.resize(m_lanes.layout().size());
                   },
                   [&rows](streams::StreamsEvent &event) { rows.push_back(std::move(event)); },
                   [this](runtime::Notice &notice) { Q_EMIT noticeRaised(QString::fromStdString(notice.sentence)); },
                   [this](runtime::Failed &failure) { Q_EMIT failed(QString::fromStdString(failure.sentence)); },
                   [](streams::StreamsFinished &) {},
               },
               body);
}

void StreamsController::enterWords(const std::vector<streams::StreamsEvent> &events)
{
    bool changed = false;
    for (const streams::StreamsEvent &event : events) {
        if (event.type != streams::StreamsEventType::Row) {
            continue;
        }
        for (std::size_t stream = 0; stream < std::min(event.cells.size(), m_typed.size()); ++stream) {
            if (event.cells[stream].source == streams::CellSource::Fed) {
                m_typed[stream].entered(event.cells[stream].text);
                changed = true;
            }
        }
    }
    if (changed) {
        giveWords();
        Q_EMIT typedChanged();
    }
}

// Nobody waits in the run although we think so: the words entered as something else (accents put together, signs left out).
void StreamsController::resync()
{
    const streams::StreamsStatus &status = m_snapshot->status;
    if (m_activity != StreamsActivity::Waiting || m_since_news.elapsed() < kNewsAreOldMs / 4) {
        return;
    }
    bool changed = false;
    for (std::size_t stream = 0; stream < std::min(m_typed.size(), status.waiting.size()); ++stream) {
        if (status.waiting[stream] == 0 && !m_typed[stream].isEmpty()) {
            m_typed[stream].allEntered();
            changed = true;
        }
    }
    if (changed) {
        Q_EMIT typedChanged();
    }
}

void StreamsController::takeSnapshot()
{
    const auto newest = m_kit.backend->snapshot();
    if (newest == m_snapshot || newest->generation != m_generation || m_generation == 0) {
        return;
    }
    const bool has_looked = newest->status.look != m_snapshot->status.look;
    m_snapshot = newest;
    if (newest->state != streams::StreamsRunState::Finished && newest->state != streams::StreamsRunState::Failed) {
        setActivity(activityOf(*newest));
    }
    Q_EMIT snapshotChanged();
    if (has_looked) {
        Q_EMIT looked();
    }
}

}  // namespace braid::ui
