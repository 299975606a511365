#include "core/streams/streams_run.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/streams/silence.h"

namespace braid::streams {

StreamsRun::StreamsRun(Layout layout, std::shared_ptr<StreamsModel> model, std::shared_ptr<const TokenTexts> texts, RunSettings settings)
    : m_layout(std::move(layout))
    , m_model(std::move(model))
    , m_texts(std::move(texts))
    , m_settings(std::move(settings))
    , m_positions(m_layout)
    , m_voices(m_layout.size(), Voice::Heard)
{
    checkLayout(m_layout, m_layout.name);
    m_silence = silenceTokenOf(m_layout, *m_texts).value_or(m_silence);
    m_before.resize(m_layout.size());
    m_state.streams.resize(m_layout.size());
    const FirstWord first = m_layout.form == VisibilityForm::Rows ? FirstWord::Spaced : FirstWord::Bare;
    for (std::size_t i = 0; i < m_layout.size(); ++i) {
        const Stream &stream = m_layout.streams[i];
        m_before[i] = m_texts->encode(stream.opening, TokenTexts::Specials::Recognised);
        m_queues.emplace_back(m_settings.most_waiting, first);
        m_state.streams[i].closing_waits = !stream.closing.empty();
        if (stream.role == StreamRole::User) {
            m_user = static_cast<int>(i);
        }
        if (m_layout.form == VisibilityForm::Blocks && stream.isSampled() && m_before[i].empty()) {
            throw Error(ErrorKind::Input, "\"" + stream.name + "\" has nothing to begin from", m_layout.name,
                        "Give it an \"opening\" that this model has tokens for");
        }
    }
    m_first_state = m_state;
}

StreamsRun::~StreamsRun() = default;

bool StreamsRun::someoneWaits() const
{
    return !m_script.empty() || std::any_of(m_queues.begin(), m_queues.end(), [](const WordQueue &queue) { return queue.size() > 0; });
}

bool StreamsRun::isQuiet() const
{
    return m_layout.stop.silent_rows > 0 && m_state.silent_rows >= m_layout.stop.silent_rows && !someoneWaits();
}

// --- one row ---

std::int64_t StreamsRun::rowsSinceUser() const
{
    if (m_user < 0) {
        return rows();  // nobody speaks: always after the user
    }
    const std::int64_t ended_at = m_state.streams[static_cast<std::size_t>(m_user)].turn_ended_at;
    return ended_at >= 0 ? rows() - ended_at : 0;  // a word that enters with the row being made has not been read yet
}

Cell StreamsRun::sampledCell(int stream, const std::vector<Prediction> &predictions)
{
    const Stream &spoken = m_layout.streams[static_cast<std::size_t>(stream)];
    const auto prediction = std::find_if(predictions.begin(), predictions.end(), [stream](const Prediction &p) { return p.stream == stream; });
    if (prediction == predictions.end()) {
        Cell silenced;
        silenced.source = CellSource::Silenced;
        return silenced;
    }
    if (prediction->candidates.empty()) {
        throw Error(ErrorKind::Internal, "the model predicts nothing for \"" + spoken.name + "\"");
    }
    Random random(m_settings.seed ^ (spoken.seed * 0x9E3779B97F4A7C15U), spoken.name, static_cast<std::uint64_t>(rows()));
    const double penalty = m_silence < 0 ? 0 : penaltyAt(spoken.penalty, rowsSinceUser());
    const Choice choice = choose(*prediction, spoken.sampling, penalty, m_silence, m_settings.rivals, random);
    Cell cell{choice.token == m_silence ? -1 : choice.token, {}, CellSource::Sampled, choice.probability, choice.entropy, choice.rivals};
    if (!cell.isSilent()) {
        cell.text = m_texts->text(cell.token);
    }
    return cell;
}

Cell StreamsRun::fedCell(int stream)
{
    Cell cell;
    cell.token = m_queues[static_cast<std::size_t>(stream)].pop();
    if (cell.token == m_silence) {
        cell.token = -1;  // a person who types the word for silence says nothing
    }
    if (!cell.isSilent()) {
        cell.source = CellSource::Fed;
        cell.text = m_texts->text(cell.token);
    }
    return cell;
}

std::vector<Cell> StreamsRun::nextCells(const std::vector<Prediction> &predictions)
{
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < m_layout.size(); ++i) {
        const Stream &stream = m_layout.streams[i];
        if (rows() < static_cast<std::int64_t>(stream.warm_start.size())) {
            Cell cell;
            const std::string &text = stream.warm_start[static_cast<std::size_t>(rows())];
            const auto tokens = m_texts->encode(text, TokenTexts::Specials::Recognised);
            if (!text.empty() && tokens.size() != 1) {
                throw Error(ErrorKind::Model, "the warm start \"" + text + "\" of \"" + stream.name + "\" is not one token of this model", m_layout.name,
                            "Write it as single tokens, one a row");
            }
            if (!text.empty() && tokens.front() != m_silence) {
                cell = {tokens.front(), text, CellSource::Given, 1, 0, {}};
            }
            cells.push_back(std::move(cell));
        } else {
            cells.push_back(stream.isSampled() ? sampledCell(static_cast<int>(i), predictions) : fedCell(static_cast<int>(i)));
        }
    }
    return cells;
}

// Rows count on for ever; own counters stop with their streams. No position may reach the model's limit, unless nothing so far apart is ever seen together.
bool StreamsRun::isContextFull()
{
    const std::int64_t most = m_model->mostPositions();
    const bool forgets_all = m_layout.form == VisibilityForm::Rows && m_layout.window_rows > 0 && m_layout.kept_rows == 0 && m_layout.window_rows <= most;
    if (most <= 0 || forgets_all) {
        return false;
    }
    std::int64_t reached = m_layout.positions == PositionRule::Row ? rows() : 0;
    if (m_layout.positions == PositionRule::OwnCounter && m_begun) {
        const auto counts = m_positions.mark();
        std::int64_t system = 0;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            std::int64_t &greatest = m_layout.streams[i].role == StreamRole::System ? system : reached;
            greatest = std::max(greatest, counts[i]);
        }
        reached += system;
    }
    return reached + 1 >= most;
}

StepResult StreamsRun::step()
{
    if (m_state.ended) {
        return StepResult::Ended;
    }
    const auto due = m_script.upper_bound(rows());
    std::vector<Scripted> lines;
    for (auto line = m_script.begin(); line != due; ++line) {
        lines.push_back(line->second);
    }
    m_script.erase(m_script.begin(), due);
    for (const Scripted &line : lines) {
        obey(line);
    }
    if (isContextFull()) {
        notice(-1, "The model was made for " + std::to_string(m_model->mostPositions()) +
                       " positions, and they are used up. Begin a new run, or go back to an earlier row.");
        m_state.ended = true;
        tell({StreamsEventType::RunEnded, rows() - 1, {}, -1, EndReason::ContextFull, {}, 0});
        return StepResult::Ended;
    }
    beginIfNeeded();
    if (!m_rows.empty()) {
        m_rows.back().mark = m_model->mark();
        m_rows.back().positions = m_positions.mark();
    }
    try {
        commit(nextCells(feedNewest()));
    } catch (...) {
        takeBackFeeding();
        throw;
    }
    return StepResult::Row;
}

// --- ends ---

void StreamsRun::turnHasEnded(int stream, std::int64_t row)
{
    m_state.streams[static_cast<std::size_t>(stream)].turn_ended_at = std::max<std::int64_t>(row, 0);
    tell({StreamsEventType::TurnEnded, row, {}, stream, EndReason::Stopped, {}, 0});
}

void StreamsRun::updateStream(int stream, const Cell &cell)
{
    const auto index = static_cast<std::size_t>(stream);
    const Stream &layout = m_layout.streams[index];
    StreamState &state = m_state.streams[index];
    if (cell.isSilent()) {
        ++state.silent_rows;
    } else {
        ++state.words;
        state.silent_rows = 0;
    }
    if (!layout.isSampled()) {
        if (state.turn_ends && m_queues[index].size() == 0 && state.turn_ended_at < 0) {
            turnHasEnded(stream, rows());  // with the row about to be committed
        }
        return;
    }
    const auto ends = [&](EndReason reason) {
        if (!state.ended) {
            state.ended = true;
            tell({StreamsEventType::StreamEnded, rows(), {}, stream, reason, {}, 0});
        }
    };
    const auto &stops = layout.stop.tokens;
    if (!cell.isSilent() && std::find(stops.begin(), stops.end(), cell.text) != stops.end()) {
        ends(EndReason::StopToken);
    } else if (layout.stop.most_tokens > 0 && state.words >= layout.stop.most_tokens) {
        ends(EndReason::MostTokens);
    } else if (layout.stop.silent_rows > 0 && state.words > 0 && state.silent_rows >= layout.stop.silent_rows) {
        ends(EndReason::Silence);
    }
}

void StreamsRun::endWhole()
{
    const RunStop &stop = m_layout.stop;
    const auto ends = [&](EndReason reason) {
        m_state.ended = true;
        tell({StreamsEventType::RunEnded, rows() - 1, {}, -1, reason, {}, 0});
    };
    const auto hasStreamEnded = [&](int stream) {
        const StreamState &state = m_state.streams[static_cast<std::size_t>(stream)];
        return m_layout.streams[static_cast<std::size_t>(stream)].isSampled() ? state.ended : state.turn_ended_at >= 0;
    };
    if (!stop.all_ended.empty() && std::all_of(stop.all_ended.begin(), stop.all_ended.end(), hasStreamEnded)) {
        ends(EndReason::AllEnded);
    } else if (m_settings.at_silence == AtSilence::Ends && isQuiet()) {
        ends(EndReason::Silence);
    } else if (stop.most_rows > 0 && rows() >= stop.most_rows) {
        ends(EndReason::MostRows);
    }
}

void StreamsRun::commit(std::vector<Cell> cells)
{
    StreamsEvent event{StreamsEventType::Row, rows(), cells, -1, EndReason::Stopped, {}, 0};
    tell(std::move(event));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        updateStream(static_cast<int>(i), cells[i]);
    }
    const bool silent = std::all_of(cells.begin(), cells.end(), [](const Cell &cell) { return cell.isSilent(); });
    m_state.silent_rows = silent ? m_state.silent_rows + 1 : 0;
    Row row;
    row.cells = std::move(cells);
    m_rows.push_back(std::move(row));
    endWhole();
    m_rows.back().state_after = m_state;
}

void StreamsRun::stop()
{
    if (!m_state.ended) {
        m_state.ended = true;
        tell({StreamsEventType::RunEnded, rows() - 1, {}, -1, EndReason::Stopped, {}, 0});
    }
}

int StreamsRun::checkSampled(int stream) const
{
    if (stream < 0 || stream >= static_cast<int>(m_layout.size()) || !m_layout.streams[static_cast<std::size_t>(stream)].isSampled()) {
        throw Error(ErrorKind::Usage, "only a stream that is sampled can be switched off or adjusted", m_layout.name);
    }
    return stream;
}

void StreamsRun::setVoice(int stream, Voice voice)
{
    m_voices[static_cast<std::size_t>(checkSampled(stream))] = voice;
}

void StreamsRun::adjust(int stream, const Sampling &sampling, const SilencePenalty &penalty)
{
    Layout adjusted = m_layout;
    Stream &changed = adjusted.streams[static_cast<std::size_t>(checkSampled(stream))];
    changed.sampling = sampling;
    changed.penalty = penalty;
    checkLayout(adjusted, adjusted.name);
    m_layout = std::move(adjusted);
}

// --- out ---

void StreamsRun::tell(StreamsEvent event)
{
    event.time_ms = m_settings.clock_ms ? m_settings.clock_ms() : 0;
    m_events.push_back(std::move(event));
}

void StreamsRun::notice(int stream, const std::string &sentence)
{
    tell({StreamsEventType::Notice, rows() - 1, {}, stream, EndReason::Stopped, sentence, 0});
}

std::vector<StreamsEvent> StreamsRun::takeEvents()
{
    return std::exchange(m_events, {});
}

}  // namespace braid::streams
