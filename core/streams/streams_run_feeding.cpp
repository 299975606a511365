// What a run feeds to its model, how it goes back, and how it plays a recording again.
#include <algorithm>

#include "core/base/error.h"
#include "core/streams/streams_run.h"

namespace braid::streams {
namespace {

constexpr std::int64_t kRowsReadAtOnce = 32;

}  // namespace

std::vector<StreamInput> StreamsRun::inputsBefore(Positions &positions) const
{
    std::vector<StreamInput> inputs;
    for (const bool system : {true, false}) {  // the others count from where the system text ends
        for (std::size_t i = 0; i < m_layout.size(); ++i) {
            if ((m_layout.streams[i].role == StreamRole::System) != system) {
                continue;
            }
            for (const std::int32_t token : m_before[i]) {
                const auto stream = static_cast<std::int32_t>(i);
                inputs.push_back({token, {stream, positions.next(stream, -1, EntryKind::Token), -1, EntryKind::Token}});
            }
        }
    }
    return inputs;
}

std::vector<StreamInput> StreamsRun::inputsOf(std::int64_t row, Positions &positions) const
{
    std::vector<StreamInput> inputs;
    const Row &newest = m_rows[static_cast<std::size_t>(row)];
    for (std::size_t i = 0; i < m_layout.size(); ++i) {
        const auto stream = static_cast<std::int32_t>(i);
        const bool silent = newest.cells[i].isSilent();
        // Silence that leaves no trace is fed only where something follows from it.
        const bool is_asked = m_layout.streams[i].isSampled() && !newest.state_after.streams[i].ended;
        if (silent && (m_layout.silence == SilenceRule::Absent || (m_layout.silence == SilenceRule::Skipped && !is_asked))) {
            continue;
        }
        const EntryKind kind = silent ? EntryKind::Silent : EntryKind::Token;
        inputs.push_back({silent ? m_silence : newest.cells[i].token, {stream, positions.next(stream, row, kind), row, kind}});
    }
    return inputs;
}

void StreamsRun::beginIfNeeded()
{
    if (m_begun) {
        return;
    }
    m_model->begin(visibilityOf(m_layout), m_layout.size());
    m_positions = Positions(m_layout);
    m_start_mark = m_model->mark();
    m_start_positions = m_positions.mark();
    m_begun = true;
}

std::vector<Prediction> StreamsRun::feedNewest()
{
    const std::vector<StreamInput> inputs = m_rows.empty() ? inputsBefore(m_positions) : inputsOf(rows() - 1, m_positions);
    PredictionRequest request;
    request.silence_token = m_silence;
    const bool is_all_in = std::all_of(m_queues.begin(), m_queues.end(), [](const WordQueue &queue) { return queue.size() == 0; });
    request.user_turn = rowsSinceUser() > 0 && is_all_in ? UserTurn::Over : UserTurn::Open;
    std::size_t most = 1;
    bool all = false;
    for (const int stream : m_layout.sampled()) {
        const auto index = static_cast<std::size_t>(stream);
        const bool was_fed = std::any_of(inputs.begin(), inputs.end(), [stream](const StreamInput &input) { return input.entry.stream == stream; });
        const bool is_warm = rows() < static_cast<std::int64_t>(m_layout.streams[index].warm_start.size());
        if (was_fed && !is_warm && !m_state.streams[index].ended && m_voices[index] == Voice::Heard) {
            request.streams.push_back(stream);
            const std::size_t needed = candidatesNeeded(m_layout.streams[index].sampling, m_settings.rivals);
            all = all || needed == 0;
            most = std::max(most, needed);
        }
    }
    request.most_candidates = all ? 0 : most;
    if (inputs.empty()) {
        return {};
    }
    return m_model->feed(inputs, request);
}

std::optional<StreamInput> StreamsRun::explains(std::int64_t row, int stream) const
{
    if (row < 0 || row >= rows() || stream < 0 || stream >= static_cast<int>(m_layout.size())) {
        return {};
    }
    const CellSource source = this->row(row)[static_cast<std::size_t>(stream)].source;
    const std::int64_t fed = source == CellSource::Sampled ? row - 1 : row;
    if (!m_begun || source == CellSource::Silenced || source == CellSource::Nobody) {
        return {};
    }
    if (fed < 0) {  // the last token of its opening; system and openings stand at steps below 0
        if (m_before[static_cast<std::size_t>(stream)].empty()) {
            return {};
        }
        Positions positions(m_layout);
        std::optional<StreamInput> last;
        for (const StreamInput &input : inputsBefore(positions)) {
            last = input.entry.stream == stream ? input : last;
        }
        return last;
    }
    Positions positions = m_positions;
    if (fed + 1 < rows()) {  // the newest row has not been fed: positions stand before it
        positions.rewind(m_rows[static_cast<std::size_t>(fed)].positions);
    }
    for (const StreamInput &input : inputsOf(fed, positions)) {
        if (input.entry.stream == stream) {
            return input;
        }
    }
    return {};
}

// Rows from .. until - 1, a handful in a pass: their tags say what each of them saw.
void StreamsRun::readAgain(std::int64_t from, std::int64_t until)
{
    PredictionRequest nothing;
    nothing.silence_token = m_silence;
    for (std::int64_t row = from; row < until;) {
        const std::int64_t end = std::min(until, row + kRowsReadAtOnce);
        m_rows[static_cast<std::size_t>(row)].mark = m_model->mark();
        std::vector<StreamInput> inputs;
        for (const std::int64_t first = row; row < end; ++row) {
            Row &read = m_rows[static_cast<std::size_t>(row)];
            if (row > first) {
                read.mark.reset();
            }
            read.positions = m_positions.mark();
            const auto of_row = inputsOf(row, m_positions);
            inputs.insert(inputs.end(), of_row.begin(), of_row.end());
        }
        if (!inputs.empty()) {
            (void)m_model->feed(inputs, nothing);
        }
    }
}

void StreamsRun::readAllAgain(std::int64_t until)
{
    m_begun = false;
    beginIfNeeded();
    PredictionRequest nothing;
    nothing.silence_token = m_silence;
    if (const auto inputs = inputsBefore(m_positions); !inputs.empty()) {
        (void)m_model->feed(inputs, nothing);
    }
    readAgain(0, until);
}

// Brings model and positions to where they stood before row `row` was fed.
void StreamsRun::standBefore(std::int64_t row)
{
    std::int64_t marked = row;
    while (marked > 0 && !m_rows[static_cast<std::size_t>(marked)].mark) {
        --marked;
    }
    const Row &place = m_rows[static_cast<std::size_t>(marked)];
    if (!place.mark || m_model->rewind(*place.mark) == StreamsModel::Rewinding::Forgotten) {
        readAllAgain(row);
        return;
    }
    m_positions.rewind(place.positions);
    readAgain(marked, row);
}

void StreamsRun::standBeforeAll()
{
    m_positions.rewind(m_start_positions);
    if (m_model->rewind(m_start_mark) == StreamsModel::Rewinding::Forgotten) {
        m_begun = false;
        beginIfNeeded();
    }
}

// No row came of what was fed: back to before it, so that the caller can try again.
void StreamsRun::takeBackFeeding()
{
    if (m_rows.empty()) {
        standBeforeAll();
    } else {
        standBefore(rows() - 1);
    }
}

void StreamsRun::rewind(std::int64_t row)
{
    if (row < -1 || row >= rows()) {
        throw Error(ErrorKind::Usage, "there is no row " + std::to_string(row) + " to go back to", m_layout.name);
    }
    for (WordQueue &queue : m_queues) {
        queue.clear();
    }
    m_script.clear();
    const bool was_newest = row + 1 == rows();
    m_rows.resize(static_cast<std::size_t>(row + 1));
    if (!was_newest && m_begun) {
        if (row < 0) {
            standBeforeAll();
        } else {
            standBefore(row);  // it is fed again by the next step
        }
    }
    m_state = m_rows.empty() ? m_first_state : m_rows.back().state_after;
    m_state.ended = false;
    for (std::size_t i = 0; i < m_layout.size(); ++i) {
        StreamState &state = m_state.streams[i];
        m_queues[i].continueAfter(state.words);
        // What waited then is gone: a turn whose last word had not entered is open again.
        if (!m_layout.streams[i].isSampled() && state.turn_ended_at < 0) {
            state.turn_ends = false;
            state.closing_waits = !m_layout.streams[i].closing.empty();
        }
    }
    tell({StreamsEventType::Rewound, row, {}, -1, EndReason::Stopped, {}, 0});
}

void StreamsRun::replay(const std::vector<StreamsEvent> &events)
{
    if (m_begun || !m_rows.empty()) {
        throw Error(ErrorKind::Usage, "a recording is played before the first row of a run", m_layout.name);
    }
    for (const StreamsEvent &event : events) {
        if (event.type == StreamsEventType::Row) {
            if (event.cells.size() != m_layout.size() || event.row != rows()) {
                throw Error(ErrorKind::Input, "row " + std::to_string(event.row) + " of the recording does not fit the layout or the rows before it",
                            m_layout.name);
            }
            for (std::size_t i = 0; i < event.cells.size(); ++i) {
                const auto is_strange = [this](std::int32_t token) { return token >= m_texts->size(); };
                const auto &rivals = event.cells[i].rivals;
                if (is_strange(event.cells[i].token) ||
                    std::any_of(rivals.begin(), rivals.end(), [&](const Rival &rival) { return is_strange(rival.token); })) {
                    throw Error(ErrorKind::Input, "row " + std::to_string(event.row) + " of the recording holds a token that this model does not have",
                                m_layout.name, "Open it with the model it was recorded with");
                }
                StreamState &state = m_state.streams[i];
                if (event.cells[i].source == CellSource::Fed && state.turn_ended_at >= 0) {  // a new turn
                    state.turn_ends = false;
                    state.turn_ended_at = -1;
                }
                updateStream(static_cast<int>(i), event.cells[i]);
            }
            const bool silent = std::all_of(event.cells.begin(), event.cells.end(), [](const Cell &cell) { return cell.isSilent(); });
            m_state.silent_rows = silent ? m_state.silent_rows + 1 : 0;
            Row row;
            row.cells = event.cells;
            m_rows.push_back(std::move(row));
            m_rows.back().state_after = m_state;
        } else if (event.type == StreamsEventType::Rewound) {
            if (event.row < -1 || event.row >= rows()) {
                throw Error(ErrorKind::Input, "the recording goes back to a row that it does not have", m_layout.name);
            }
            m_rows.resize(static_cast<std::size_t>(event.row + 1));
            m_state = m_rows.empty() ? m_first_state : m_rows.back().state_after;
            m_state.ended = false;
        } else if (event.type == StreamsEventType::TurnEnded) {
            if (event.stream < 0 || event.stream >= static_cast<int>(m_layout.size())) {
                throw Error(ErrorKind::Input, "the recording names a stream that the layout does not have", m_layout.name);
            }
            StreamState &state = m_state.streams[static_cast<std::size_t>(event.stream)];
            state.turn_ends = true;
            state.turn_ended_at = std::max<std::int64_t>(event.row, 0);
            state.closing_waits = false;
            if (!m_rows.empty()) {
                m_rows.back().state_after = m_state;
            }
        } else if (event.type == StreamsEventType::RunEnded) {
            m_state.ended = true;
        }
    }
    for (std::size_t i = 0; i < m_layout.size(); ++i) {
        m_queues[i].continueAfter(m_state.streams[i].words);
    }
    m_events = events;  // as they were told, not as they would be now
    if (!m_rows.empty()) {
        readAllAgain(rows() - 1);
    }
}

}  // namespace braid::streams
