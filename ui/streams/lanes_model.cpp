#include "ui/streams/lanes_model.h"

#include <algorithm>
#include <utility>

#include "core/text/utf8.h"
#include "ui/state/word_facts.h"

namespace braid::ui {

void LanesModel::reset(streams::Conversation beginning)
{
    std::vector<streams::StreamsEvent> events = std::exchange(beginning.events, {});
    m_conversation = std::move(beginning);
    m_rows.clear();
    m_turn_ends.clear();
    m_words.assign(layout().size(), 0);
    m_ends.assign(layout().size(), std::nullopt);
    m_run_end.reset();
    m_looks.assign(layout().size(), {});
    Q_EMIT wasReset();
    take(std::move(events));
}

void LanesModel::take(std::vector<streams::StreamsEvent> events)
{
    // A burst (a replay, an opened conversation) is announced as one.
    std::int64_t first_new = rows();
    const auto announce = [&] {
        if (rows() > first_new) {
            Q_EMIT rowsAppended(first_new);
        }
        first_new = rows();
    };
    for (streams::StreamsEvent &taken : events) {
        const bool is_row = taken.type == streams::StreamsEventType::Row;
        if (is_row && (taken.cells.size() != layout().size() || taken.row != rows())) {
            continue;
        }
        m_conversation.events.push_back(std::move(taken));
        const streams::StreamsEvent &event = m_conversation.events.back();
        const bool has_stream = event.stream >= 0 && event.stream < streams();
        switch (event.type) {
        case streams::StreamsEventType::Row:
            m_rows.push_back(m_conversation.events.size() - 1);
            for (std::size_t stream = 0; stream < event.cells.size(); ++stream) {
                m_words[stream] += event.cells[stream].isSilent() ? 0 : 1;
            }
            break;
        case streams::StreamsEventType::Rewound:
            announce();
            rewindTo(event.row);
            first_new = rows();
            break;
        case streams::StreamsEventType::StreamEnded:
            if (has_stream) {
                m_ends[static_cast<std::size_t>(event.stream)] = LaneEnd{event.row, event.reason};
                announce();
                Q_EMIT laneEnded(event.stream);
            }
            break;
        case streams::StreamsEventType::TurnEnded:
            if (has_stream) {
                m_turn_ends.push_back({event.row, event.stream});
                announce();
                Q_EMIT turnEnded(event.stream);
            }
            break;
        case streams::StreamsEventType::RunEnded:
            m_run_end = event.reason;
            announce();
            Q_EMIT runEnded();
            break;
        case streams::StreamsEventType::Notice:
            announce();
            Q_EMIT noticed(event.stream, QString::fromStdString(event.text));
            break;
        }
    }
    announce();
}

void LanesModel::rewindTo(std::int64_t last_row)
{
    const auto kept = static_cast<std::size_t>(std::clamp<std::int64_t>(last_row + 1, 0, rows()));
    for (std::size_t row = kept; row < m_rows.size(); ++row) {
        const std::vector<streams::Cell> &cells = m_conversation.events[m_rows[row]].cells;
        for (std::size_t stream = 0; stream < m_words.size(); ++stream) {
            m_words[stream] -= cells[stream].isSilent() ? 0 : 1;
        }
    }
    m_rows.resize(kept);
    std::erase_if(m_turn_ends, [this](const CellRef &end) { return end.row >= rows(); });
    for (std::optional<LaneEnd> &end : m_ends) {
        if (end && end->row >= rows()) {
            end.reset();
        }
    }
    m_run_end.reset();
    Q_EMIT rewound(rows());
}

QString LanesModel::textOf(int stream, std::int64_t first_row, std::int64_t last_row) const
{
    std::string text;
    for (std::int64_t row = std::max<std::int64_t>(0, first_row); row <= std::min(last_row, rows() - 1); ++row) {
        text += cell({row, stream}).text;
    }
    return QString::fromStdString(text::toValidUtf8(text)).trimmed();
}

std::int64_t LanesModel::nextWord(int stream, std::int64_t row, Direction direction) const
{
    for (; row >= 0 && row < rows(); row += static_cast<int>(direction)) {
        if (!cell({row, stream}).isSilent()) {
            return row;
        }
    }
    return -1;
}

void LanesModel::setLooks(LaneLooks looks)
{
    if (looks.size() == layout().size() && looks != m_looks) {
        m_looks = std::move(looks);
        Q_EMIT looksChanged();
    }
}

QString LanesModel::nameOf(int stream) const
{
    const auto index = static_cast<std::size_t>(stream);
    return m_looks[index].name.isEmpty() ? layoutNameOf(layout().streams[index]) : m_looks[index].name;
}

streams::LaneColour LanesModel::colourOf(int stream) const
{
    const auto index = static_cast<std::size_t>(stream);
    return m_looks[index].colour.value_or(layout().streams[index].colour);
}

int LanesModel::firstOf(streams::StreamRole role) const noexcept
{
    const auto found = std::find_if(layout().streams.begin(), layout().streams.end(), [role](const streams::Stream &stream) { return stream.role == role; });
    return found == layout().streams.end() ? -1 : static_cast<int>(found - layout().streams.begin());
}

QString cellText(const streams::Cell &cell)
{
    if (cell.isSilent()) {
        return {};
    }
    QString text = tokenText(cell.text);
    if (text.startsWith(QChar(u'\u00b7')) && text.size() > 1) {
        text.remove(0, 1);
    }
    return text;
}

bool continuesWord(const streams::Cell &cell)
{
    if (cell.isSilent() || cell.text.empty()) {
        return false;
    }
    const char first = cell.text.front();
    return first != ' ' && first != '\n' && first != '\t' && cell.text.rfind("<|", 0) != 0;
}

QString endReasonText(streams::EndReason reason)
{
    switch (reason) {
    case streams::EndReason::StopToken:
        return QObject::tr("it said its end mark");
    case streams::EndReason::Silence:
        return QObject::tr("it fell silent");
    case streams::EndReason::MostTokens:
        return QObject::tr("it said as much as its layout allows");
    case streams::EndReason::AllEnded:
        return QObject::tr("every stream has ended");
    case streams::EndReason::MostRows:
        return QObject::tr("the layout allows no more steps");
    case streams::EndReason::ContextFull:
        return QObject::tr("the model was made for no more steps");
    case streams::EndReason::Stopped:
        break;
    }
    return QObject::tr("it was stopped");
}

QString stepClockText(std::int64_t time_ms)
{
    return QStringLiteral("%1:%2.%3").arg(time_ms / 60000).arg(time_ms / 1000 % 60, 2, 10, QLatin1Char('0')).arg(time_ms / 100 % 10);
}

}  // namespace braid::ui
