#include "core/streams/streams_session.h"
#include <chrono>

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/streams/one_queue.h"
#include "core/streams/row_rates.h"
#include "core/streams/streams_look.h"
#include "core/streams/streams_playback.h"

namespace braid::streams {

namespace {

constexpr const char *kNoAttentionOfRecordings = "A recording that plays has no attention. Go on from here with its model to see it.";

std::int64_t wordsIn(const std::vector<Cell> &cells)
{
    return std::count_if(cells.begin(), cells.end(), [](const Cell &cell) { return !cell.isSilent(); });
}

std::function<std::int64_t()> steadyClock()
{
    return [began = std::chrono::steady_clock::now()] {
        return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began).count();
    };
}

}  // namespace

struct StreamsSession::Impl {
    StreamsSettings settings;
    std::shared_ptr<StreamsModel> model;  // null: a recording is only played
    std::shared_ptr<const TokenTexts> texts;
    std::unique_ptr<StreamsRun> run;          // null without a model
    std::optional<StreamsPlayback> playback;  // while a recording plays
    std::vector<StreamsEvent> events;
    Pace pace = Pace::Running;
    std::int64_t clock_offset_ms = 0;  // so that a recording's time goes on
    std::int64_t last_row_ms = 0;      // when the newest row was made
    bool is_first_row = true;
    bool has_stopped = false;

    std::optional<Look> wish;
    std::shared_ptr<const LookAnswer> answer;

    runtime::StepTimes step_times;
    RowRates rates;
    double last_step_ms = 0;
    std::int64_t words = 0;
    std::int64_t steps = 0;

    explicit Impl(StreamsSettings given)
        : settings(std::move(given))
    {
    }

    [[nodiscard]] const Layout &layout() const { return run ? run->layout() : settings.layout; }
    [[nodiscard]] std::int64_t nowMs() const { return settings.clock_ms() + clock_offset_ms; }

    void notice(const std::string &sentence)
    {
        collect();  // what was told before stands before
        StreamsEvent event;
        event.type = StreamsEventType::Notice;
        event.row = rows() - 1;
        event.text = sentence;
        event.time_ms = nowMs();
        events.push_back(std::move(event));
    }
    [[nodiscard]] std::int64_t rows() const { return playback ? playback->rows() : run ? run->rows() : 0; }
    [[nodiscard]] bool hasEnded() const { return has_stopped || (!playback && (!run || run->hasEnded())); }
    void collect()
    {
        if (run) {
            for (StreamsEvent &event : run->takeEvents()) {
                events.push_back(std::move(event));
            }
        }
    }

    void makeRun()
    {
        if (settings.form == StreamsForm::OneQueue) {
            model = std::make_shared<OneQueueModel>(settings.layout, model, *texts);
        }
        run = std::make_unique<StreamsRun>(
            settings.layout, model, texts,
            RunSettings{settings.seed, settings.at_silence, settings.rivals, RunSettings().most_waiting, [this] { return nowMs(); }});
    }

    // From what has been played on, the model goes on. False: it cannot, and people were told why.
    bool takeOver()
    {
        if (!playback) {
            return run != nullptr;
        }
        if (!run) {
            notice("A recording without its model can only be played. Choose a model to go on from here.");
            return false;
        }
        if (settings.form == StreamsForm::OneQueue) {
            notice("A recording of one queue can only be played. Begin a new run to ask again.");
            return false;
        }
        const std::vector<StreamsEvent> played = playback->played();
        try {
            run->replay(played);
        } catch (const Error &error) {  // of another model, mostly
            notice(error.sentence());
            run.reset();
            return false;
        }
        static_cast<void>(run->takeEvents());  // they were told when they were played
        if (!played.empty()) {
            clock_offset_ms = std::max<std::int64_t>(0, played.back().time_ms - settings.clock_ms());
        }
        playback.reset();
        last_row_ms = nowMs();
        return true;
    }

    void play()
    {
        const auto told = playback->next(settings.playback == Playback::AtOnce ? StreamsPlayback::HowMuch::All : StreamsPlayback::HowMuch::OneRow);
        events.insert(events.end(), told.begin(), told.end());
        last_row_ms = nowMs();
        if (settings.playback == Playback::AtOnce) {
            pace = Pace::Paused;
        }
        if (playback->isOver()) {
            pace = Pace::Paused;  // the recording is over: what comes next is somebody's wish
            if (run && settings.form == StreamsForm::Parallel) {
                static_cast<void>(takeOver());
            }
        }
    }

    void makeRow()
    {
        const auto began = std::chrono::steady_clock::now();
        StepResult result;
        try {
            result = run->step();
        } catch (...) {
            collect();
            pace = Pace::Paused;  // whoever goes on tries again
            throw;
        }
        if (result == StepResult::Row) {
            last_step_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
            const std::int64_t said = wordsIn(run->row(run->rows() - 1));
            step_times.add(last_step_ms);
            rates.add(last_step_ms, said);
            words += said;
            ++steps;
        }
        is_first_row = false;
        last_row_ms = nowMs();
        collect();
    }

    [[nodiscard]] StreamsState state() const
    {
        if (hasEnded()) {
            return StreamsState::Ended;
        }
        if (pace == Pace::Paused) {
            return StreamsState::Paused;
        }
        if (playback) {
            return StreamsState::Playing;
        }
        return isWaiting() ? StreamsState::Waiting : StreamsState::Running;
    }
    [[nodiscard]] bool isWaiting() const { return !playback && run && settings.at_silence == AtSilence::Waits && run->isQuiet(); }

    // --- commands ---
    void obey(const Say &say)
    {
        if (takeOver()) {
            const std::string_view text = std::string_view(say.text).substr(0, kMostSaidBytes);
            run->say(say.stream, text, say.end);
            if (text.size() < say.text.size()) {
                notice("At most a megabyte can be said at once; the last " + std::to_string(say.text.size() - text.size()) + " bytes were left out.");
            }
        }
    }
    void obey(const EndTurn &end)
    {
        if (takeOver()) {
            run->endTurn(end.stream);
        }
    }
    void obey(const Interrupt &interrupt)
    {
        if (takeOver()) {
            run->interrupt(interrupt.stream, std::string_view(interrupt.text).substr(0, kMostSaidBytes));
        }
    }
    void obey(const Pause &) { pace = Pace::Paused; }
    void obey(const Resume &)
    {
        pace = Pace::Running;
        if (playback && playback->isOver()) {
            static_cast<void>(takeOver());
        }
    }
    void obey(const SingleStep &)
    {
        if (playback && !playback->isOver()) {
            play();
        } else if (takeOver() && !run->hasEnded()) {
            makeRow();
        }
    }
    void obey(const Rewind &rewind)
    {
        if (takeOver()) {
            run->rewind(rewind.row);
            has_stopped = false;
        }
    }
    void obey(const SetVoice &wanted)
    {
        if (run) {
            run->setVoice(wanted.stream, wanted.voice);
        }
    }
    void obey(const Adjust &wanted)
    {
        if (run) {
            run->adjust(wanted.stream, wanted.sampling, wanted.penalty);
        }
    }
    void obey(const SetTempo &tempo) { settings.rows_per_second = std::clamp(tempo.rows_per_second, 0.0, 1000.0); }
    void obey(const TakeOver &)
    {
        if (playback && takeOver()) {
            pace = Pace::Running;
        }
    }
    void obey(const Look &look) { wish = look; }
};

StreamsSession::StreamsSession(StreamsSettings settings, std::shared_ptr<StreamsModel> model, std::shared_ptr<const TokenTexts> texts)
    : m_impl(std::make_unique<Impl>(std::move(settings)))
{
    Impl &me = *m_impl;
    if (!me.settings.clock_ms) {
        me.settings.clock_ms = steadyClock();
    }
    me.model = std::move(model);
    me.texts = std::move(texts);
    me.pace = me.settings.begins;
    if (me.settings.recording) {
        Conversation &recording = *me.settings.recording;
        me.settings.layout = recording.layout;
        me.settings.system = recording.system;
        me.settings.seed = recording.seed;
        me.settings.script.clear();
        me.playback.emplace(std::move(recording.events));
        recording.events.clear();
        if (me.settings.playback == Playback::AtOnce) {
            me.pace = Pace::Running;  // its rows come with the first step
        }
    } else if (!me.model || !me.texts) {
        throw Error(ErrorKind::Usage, "a conversation needs a model, unless it is only played");
    }
    checkLayout(me.settings.layout, me.settings.layout.name);
    if (me.model && me.texts) {
        me.makeRun();
        if (!me.settings.system.empty() && !me.settings.recording) {
            me.run->setSystem(me.settings.system);
        } else if (me.settings.recording && me.settings.layout.form == VisibilityForm::Blocks && !me.settings.system.empty()) {
            me.run->setSystem(me.settings.system);  // it stands before the rows; in rows it is among them
        }
        schedule(me.settings.script, *me.run);
    }
}

StreamsSession::~StreamsSession() = default;

void StreamsSession::obey(const StreamsCommand &command)
{
    try {
        std::visit([this](const auto &wanted) { m_impl->obey(wanted); }, command);
    } catch (const Error &error) {
        if (std::holds_alternative<SingleStep>(command) && error.kind() != ErrorKind::Usage) {
            throw;  // the model's own
        }
        m_impl->notice(error.sentence());
    }
    m_impl->collect();
}

std::int64_t StreamsSession::nowMs() const
{
    return m_impl->nowMs();
}

std::optional<std::int64_t> StreamsSession::nextRowAtMs() const
{
    const Impl &me = *m_impl;
    if (me.pace == Pace::Paused || me.hasEnded() || me.isWaiting()) {
        return {};
    }
    if (me.playback) {
        if (me.playback->isOver()) {
            return {};
        }
        if (me.settings.playback == Playback::AtRecordedTimes) {
            return me.last_row_ms + me.playback->pauseBeforeNextMs();
        }
    }
    const bool at_once = me.is_first_row || me.settings.rows_per_second <= 0 || (me.playback && me.settings.playback == Playback::AtOnce);
    return at_once ? me.last_row_ms : me.last_row_ms + static_cast<std::int64_t>(1000 / me.settings.rows_per_second);
}

bool StreamsSession::step()
{
    Impl &me = *m_impl;
    const auto due = nextRowAtMs();
    if (!due || *due > me.nowMs()) {
        return false;
    }
    if (me.playback) {
        me.is_first_row = false;
        me.play();
    } else {
        me.makeRow();
    }
    return true;
}

void StreamsSession::stop()
{
    Impl &me = *m_impl;
    if (me.run && !me.playback) {
        me.run->stop();
        me.collect();
    }
    me.has_stopped = true;
}

void StreamsSession::answerLook()
{
    Impl &me = *m_impl;
    if (!me.wish) {
        return;
    }
    const Look wish = *std::exchange(me.wish, {});
    me.answer = std::make_shared<const LookAnswer>(me.playback || !me.run ? LookAnswer{wish, {}, kNoAttentionOfRecordings}
                                                                          : lookAt(wish, *me.run, *me.model, *me.texts));
}

std::vector<StreamsEvent> StreamsSession::takeEvents()
{
    return std::exchange(m_impl->events, {});
}

StreamsStatus StreamsSession::status() const
{
    const Impl &me = *m_impl;
    StreamsStatus status;
    status.state = me.state();
    status.rows = me.rows();
    for (std::size_t i = 0; i < me.layout().size(); ++i) {
        status.waiting.push_back(me.run ? me.run->waiting(static_cast<int>(i)) : 0);
        status.unfinished.push_back(me.run ? me.run->unfinished(static_cast<int>(i)) : std::string());
    }
    status.tokens = me.words;
    status.steps = me.steps;
    status.last_step_ms = me.last_step_ms;
    status.step_ms = me.step_times.recent();
    status.tokens_per_second = me.rates.wordsPerSecond();
    status.rows_per_second = me.rates.rowsPerSecond();
    if (me.model) {
        status.cache_entries = me.model->entries();
        status.most_positions = me.model->mostPositions();
    }
    status.look = me.answer;
    return status;
}

bool StreamsSession::hasEnded() const
{
    return m_impl->hasEnded();
}

Conversation StreamsSession::beginning(const std::string &model_name) const
{
    const Impl &me = *m_impl;
    return {me.settings.layout, model_name, me.settings.system, me.settings.seed, {}};
}

const Layout &StreamsSession::layout() const noexcept
{
    return m_impl->layout();
}

std::int32_t StreamsSession::silenceToken() const noexcept
{
    return m_impl->run ? m_impl->run->silenceToken() : -1;
}

}  // namespace braid::streams
