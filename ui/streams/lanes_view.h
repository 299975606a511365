// The lanes on the screen: one row of cells a step, time to the right, the newest step lit. Following, scrolling, pointing, pinning,
// folding, moving and naming lanes, and the handle that rewinds. Draws only what is visible. GUI thread; model and appearance outlive it.
#pragma once

#include <optional>
#include <vector>

#include <QAbstractScrollArea>

#include "ui/captions/transcript_accessible.h"
#include "ui/inspector/heat_ramp.h"
#include "ui/shared/appearance.h"
#include "ui/shared/finder.h"
#include "ui/shared/live_scroll.h"
#include "ui/state/streams_memory.h"
#include "ui/streams/lanes_geometry.h"
#include "ui/streams/lanes_model.h"
#include "ui/streams/lanes_painter.h"

namespace braid::ui {

class LaneNameEdit;

class LanesView : public QAbstractScrollArea, public SettledText {
    Q_OBJECT
  public:
    LanesView(const LanesModel &model, Appearance &appearance, QWidget *parent = nullptr);

    [[nodiscard]] const LanesGeometry &geometryNow() const noexcept { return m_geometry; }
    [[nodiscard]] const LanesModel &model() const noexcept { return m_model; }
    [[nodiscard]] const LaneArrangement &arrangement() const noexcept { return m_arrangement; }
    [[nodiscard]] Following following() const noexcept { return m_live.following(); }
    [[nodiscard]] std::optional<CellRef> hoveredCell() const noexcept { return m_marks.hovered; }
    [[nodiscard]] std::optional<CellRef> pinnedCell() const noexcept { return m_marks.pinned; }
    [[nodiscard]] std::optional<CellRef> cursorCell() const noexcept { return m_marks.cursor; }
    // The last row that a rewind being chosen would keep; nothing where none is being chosen.
    [[nodiscard]] std::optional<std::int64_t> rewindMark() const noexcept { return m_marks.keep_until; }
    [[nodiscard]] int tokenPx() const noexcept { return m_token_px; }
    // In words, for screen readers and the tool tip.
    [[nodiscard]] QString describe(CellRef ref) const;

    // The cell under the keyboard's cursor, else the newest step, stream by stream.
    [[nodiscard]] QString newestText() const override;
    // Words in any lane.
    [[nodiscard]] Finder &finder() noexcept { return m_finder; }

    void setArrangement(const LaneArrangement &arrangement);
    void setLaneStates(std::vector<LaneState> states);
    void setTokenPx(int pixels);
    // What `from` attended to; empty weights show the words again.
    void setAttention(std::optional<CellRef> from, CellWeights weights);
    void pin(std::optional<CellRef> ref);
    void followLive();
    void showRow(std::int64_t row);
    // Chooses where to rewind to, by steps: below 0 further back. confirmRewind() asks for it, cancelRewind() lets it be.
    void moveRewindMark(int rows);
    void confirmRewind();
    void cancelRewind();
    // Lets the lane be called otherwise, in the place of its name.
    void editName(int stream);
    // Names narrower, where there is little room.
    void setNamesWidth(int pixels);
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 120}; }

  Q_SIGNALS:
    void hoveredChanged();
    void pinnedChanged();
    void followingChanged();
    void arrangementChanged();
    void laneMenuRequested(int stream, const QPoint &global_position);
    void nameChosen(int stream, const QString &name);
    void tokenSizeRequested(int steps);
    void rewindChosen();  // a rewind is being chosen: the run should stand still meanwhile
    void rewindCancelled();
    void rewindRequested(qint64 last_row);

  protected:
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

  private:
    void onReset();
    [[nodiscard]] int search(const QString &needle, std::int64_t first_row);
    void onRowsAppended(std::int64_t first_row);
    void onRewound();
    void reshape();
    void reviseBands();
    void reviseScrollRange();
    void setHovered(std::optional<CellRef> ref);
    void moveCursor(CellRef to);
    void beginRewind();
    void toggleFold(int stream);
    void placeNameEdit();
    void editNeighbourOf(int stream, int step);
    void openLaneMenuByKey();
    [[nodiscard]] CellRef cursorOrNewest() const;
    [[nodiscard]] QString tipAt(const QPointF &point) const;
    [[nodiscard]] bool handleArrow(int key, Qt::KeyboardModifiers modifiers);

    const LanesModel &m_model;
    Appearance &m_appearance;
    StepColumns m_columns;
    LanesGeometry m_geometry;
    LaneArrangement m_arrangement;
    LanesMarks m_marks;
    std::vector<LaneState> m_states;
    CellWeights m_weights;
    std::vector<CellRef> m_matches;  // by row
    HeatRamp m_ramp;
    int m_token_px = 13;
    bool m_drags_handle = false;
    std::optional<double> m_pan_from;  // pointer's x while steps are being dragged
    bool m_has_panned = false;
    int m_pressed_lane = -1;
    QPoint m_press_position;
    LaneNameEdit *m_name_edit;
    LiveScroll m_live;
    Finder m_finder;
};

}  // namespace braid::ui
