// The words that a run is given: typed, from a script, from a table.
#include <algorithm>

#include "core/base/error.h"
#include "core/streams/streams_run.h"

namespace braid::streams {

int StreamsRun::checkFed(int stream) const
{
    if (stream < 0 || stream >= static_cast<int>(m_layout.size())) {
        throw Error(ErrorKind::Usage, "there is no stream number " + std::to_string(stream), m_layout.name);
    }
    const Stream &named = m_layout.streams[static_cast<std::size_t>(stream)];
    if (named.isSampled()) {
        throw Error(ErrorKind::Usage, "\"" + named.name + "\" speaks for itself; nobody can put words into it", m_layout.name, "Say it in the user's stream");
    }
    if (m_layout.form == VisibilityForm::Blocks && named.role == StreamRole::System) {
        throw Error(ErrorKind::Usage, "the system text is read before the first row", m_layout.name, "Give it when the run is made");
    }
    return stream;
}

void StreamsRun::setSystem(std::string_view text)
{
    const auto system = std::find_if(m_layout.streams.begin(), m_layout.streams.end(), [](const Stream &s) { return s.role == StreamRole::System; });
    if (system == m_layout.streams.end()) {
        throw Error(ErrorKind::Usage, "this layout has no system stream", m_layout.name);
    }
    if (m_begun) {
        throw Error(ErrorKind::Usage, "the system text is read before the first row, and the run has begun", m_layout.name, "Begin a new run");
    }
    const auto index = static_cast<std::size_t>(system - m_layout.streams.begin());
    if (m_layout.form == VisibilityForm::Rows) {  // read like everything else, a token a row
        say(static_cast<int>(index), text, TextEnd::Whole);
        endTurn(static_cast<int>(index));
        return;
    }
    m_before[index] = m_texts->encode(system->opening, TokenTexts::Specials::Recognised);
    for (const std::string_view part : {text, std::string_view(system->closing)}) {
        const auto tokens = m_texts->encode(part, part.data() == text.data() ? TokenTexts::Specials::PlainText : TokenTexts::Specials::Recognised);
        m_before[index].insert(m_before[index].end(), tokens.begin(), tokens.end());
    }
}

void StreamsRun::say(int stream, std::string_view text, TextEnd end)
{
    const auto index = static_cast<std::size_t>(checkFed(stream));
    StreamState &state = m_state.streams[index];
    if (state.turn_ends && m_layout.silence == SilenceRule::Absent) {
        notice(stream, "\"" + m_layout.streams[index].name +
                           "\" has ended its turn, and this layout knows no second one. Begin a new run, or go back to an earlier row.");
        return;
    }
    openTurn(stream);
    const std::size_t left_out = m_queues[index].push(text, end, *m_texts);
    if (left_out > 0) {
        notice(stream, "At most " + std::to_string(m_settings.most_waiting) + " tokens can wait in \"" + m_layout.streams[index].name + "\"; the last " +
                           std::to_string(left_out) + " bytes were left out. Say them when there is room, or give the text as a file.");
    }
}

void StreamsRun::openTurn(int stream)
{
    StreamState &state = m_state.streams[static_cast<std::size_t>(stream)];
    state.turn_ends = false;
    state.turn_ended_at = -1;
    state.closing_waits = !m_layout.streams[static_cast<std::size_t>(stream)].closing.empty();
}

void StreamsRun::obey(const Scripted &line)
{
    switch (line.kind) {
    case ScriptedKind::Words:
        say(line.stream, line.text, TextEnd::Whole);
        break;
    case ScriptedKind::Cell:
        openTurn(line.stream);
        m_queues[static_cast<std::size_t>(line.stream)].pushText(line.text, TokenTexts::Specials::PlainText, *m_texts);
        break;
    case ScriptedKind::TurnEnd:
        endTurn(line.stream);
        break;
    }
}

void StreamsRun::sayAt(std::int64_t row, int stream, std::string_view text)
{
    m_script.emplace(row, Scripted{checkFed(stream), std::string(text), ScriptedKind::Words});
}

void StreamsRun::sayCellAt(std::int64_t row, int stream, std::string_view cell)
{
    m_script.emplace(row, Scripted{checkFed(stream), std::string(cell), ScriptedKind::Cell});
}

void StreamsRun::endTurnAt(std::int64_t row, int stream)
{
    m_script.emplace(row, Scripted{checkFed(stream), {}, ScriptedKind::TurnEnd});
}

void StreamsRun::endTurn(int stream)
{
    const auto index = static_cast<std::size_t>(checkFed(stream));
    m_queues[index].push("", TextEnd::Whole, *m_texts);
    StreamState &state = m_state.streams[index];
    state.turn_ends = true;
    if (state.closing_waits) {
        m_queues[index].pushText(m_layout.streams[index].closing, TokenTexts::Specials::Recognised, *m_texts);
        state.closing_waits = false;
    }
    if (m_queues[index].size() == 0 && state.turn_ended_at < 0) {
        turnHasEnded(stream, rows() - 1);
        if (!m_rows.empty()) {
            m_rows.back().state_after = m_state;
        }
    }
}

void StreamsRun::interrupt(int stream, std::string_view text)
{
    const auto index = static_cast<std::size_t>(checkFed(stream));
    const std::size_t dropped = m_queues[index].clear();
    if (dropped > 0) {
        notice(stream, std::to_string(dropped) + (dropped == 1 ? " waiting token was" : " waiting tokens were") + " dropped for what cuts in.");
    }
    say(stream, text, TextEnd::Whole);
}

}  // namespace braid::streams
