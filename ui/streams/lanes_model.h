// A run of parallel streams as the window holds it: rows of cells, append-only but for a rewind, which takes back all rows after one.
// Fed with the run's events alone, so that a live run, a replay and an opened conversation look alike. Every event is kept once: the
// conversation that can be saved is what is shown. GUI thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>

#include "core/streams/conversation.h"
#include "ui/streams/cell_ref.h"
#include "ui/streams/lane_look.h"

namespace braid::ui {

struct LaneEnd {
    std::int64_t row = 0;
    streams::EndReason reason = streams::EndReason::Stopped;
    friend bool operator==(const LaneEnd &, const LaneEnd &) = default;
};

class LanesModel : public QObject {
    Q_OBJECT
  public:
    explicit LanesModel(QObject *parent = nullptr)
        : QObject(parent)
    {
    }

    // Empties it for a run: its layout, model, system text and seed; events in it are taken as take() does. Lanes look as in the layout again.
    void reset(streams::Conversation beginning);
    // Events in order. Rows that do not fit (another number of cells, a gap in the count) are dropped: they belong to no run of this layout.
    void take(std::vector<streams::StreamsEvent> events);

    // All that was told since reset(), taken-back rows too: what is saved and replayed.
    [[nodiscard]] const streams::Conversation &conversation() const noexcept { return m_conversation; }
    [[nodiscard]] const streams::Layout &layout() const noexcept { return m_conversation.layout; }
    [[nodiscard]] int streams() const noexcept { return static_cast<int>(layout().size()); }
    [[nodiscard]] std::int64_t rows() const noexcept { return static_cast<std::int64_t>(m_rows.size()); }
    [[nodiscard]] bool isEmpty() const noexcept { return m_rows.empty(); }
    [[nodiscard]] bool contains(CellRef ref) const noexcept { return ref.row >= 0 && ref.row < rows() && ref.stream >= 0 && ref.stream < streams(); }
    [[nodiscard]] const streams::Cell &cell(CellRef ref) const { return eventOf(ref.row).cells[static_cast<std::size_t>(ref.stream)]; }
    // When the row was made, in ms since the run began.
    [[nodiscard]] std::int64_t timeOf(std::int64_t row) const { return eventOf(row).time_ms; }
    // Cells of the stream that are not silent.
    [[nodiscard]] std::int64_t wordsOf(int stream) const { return m_words[static_cast<std::size_t>(stream)]; }
    [[nodiscard]] std::optional<LaneEnd> endOf(int stream) const { return m_ends[static_cast<std::size_t>(stream)]; }
    // The last rows of the turns that people ended, by row.
    [[nodiscard]] const std::vector<CellRef> &turnEnds() const noexcept { return m_turn_ends; }
    [[nodiscard]] std::optional<streams::EndReason> runEnd() const noexcept { return m_run_end; }
    // The stream's words up to and with `last_row`, joined; valid UTF-8.
    [[nodiscard]] QString textOf(int stream, std::int64_t first_row, std::int64_t last_row) const;
    // The nearest row from `row` on (or back) whose cell of `stream` is not silent; -1 where there is none.
    enum class Direction : std::int8_t { Back = -1, On = 1 };
    [[nodiscard]] std::int64_t nextWord(int stream, std::int64_t row, Direction direction) const;
    // Row in which the stream said its first word; -1.
    [[nodiscard]] std::int64_t firstWord(int stream) const { return nextWord(stream, 0, Direction::On); }

    // What people see in place of the layout's names and colours; one for each stream, else it is left as it is. The conversation keeps the layout's.
    void setLooks(LaneLooks looks);
    [[nodiscard]] const LaneLooks &looks() const noexcept { return m_looks; }
    [[nodiscard]] QString nameOf(int stream) const;
    [[nodiscard]] streams::LaneColour colourOf(int stream) const;
    [[nodiscard]] bool isFed(int stream) const { return !layout().streams[static_cast<std::size_t>(stream)].isSampled(); }
    // First stream of `role`; -1.
    [[nodiscard]] int firstOf(streams::StreamRole role) const noexcept;

  Q_SIGNALS:
    void rowsAppended(qint64 first_row);  // rows first_row.. are new
    void rewound(qint64 rows);            // so many rows stay
    void laneEnded(int stream);
    void turnEnded(int stream);
    void runEnded();
    void noticed(int stream, const QString &sentence);
    void wasReset();
    void looksChanged();

  private:
    [[nodiscard]] const streams::StreamsEvent &eventOf(std::int64_t row) const { return m_conversation.events[m_rows[static_cast<std::size_t>(row)]]; }
    void rewindTo(std::int64_t last_row);

    streams::Conversation m_conversation;
    LaneLooks m_looks;
    std::vector<std::size_t> m_rows;  // the event of each row that stands
    std::vector<CellRef> m_turn_ends;
    std::vector<std::int64_t> m_words;
    std::vector<std::optional<LaneEnd>> m_ends;
    std::optional<streams::EndReason> m_run_end;
};

// What a cell adds to its lane, as it is shown: no leading space, line breaks as signs, bytes of half a character in hexadecimal.
[[nodiscard]] QString cellText(const streams::Cell &cell);
// Whether the cell goes on with the word of the one before it.
[[nodiscard]] bool continuesWord(const streams::Cell &cell);
// "the model stopped: end mark".
[[nodiscard]] QString endReasonText(streams::EndReason reason);
// "0:12.3" of milliseconds.
[[nodiscard]] QString stepClockText(std::int64_t time_ms);

}  // namespace braid::ui
