// The recordings that are captioned one after the other, a row each: how far, how long yet; up, down, show, save, leave. Below the row of choices,
// as long as there are any. GUI thread.
#pragma once

#include <vector>

#include <QFrame>

#include "ui/state/caption_queue.h"

class QLabel;
class QPushButton;
class QScrollArea;
class QVBoxLayout;

namespace braid::ui {

class QueueRow;

// "41 %, about 2 min left".
[[nodiscard]] QString progressText(const QueueEntry &entry);
// What stands in a row behind its name: "waits", "done, 512 words", "stopped, 80 words".
[[nodiscard]] QString stateText(const QueueEntry &entry);

class QueuePanel : public QFrame {
    Q_OBJECT
  public:
    explicit QueuePanel(CaptionQueue &queue, QWidget *parent = nullptr);
    // How many rows are seen at once; the others are scrolled to.
    void setMostRows(int rows);
    [[nodiscard]] int rowCount() const noexcept { return static_cast<int>(m_rows.size()); }
    // Name and state of a row, as it is read.
    [[nodiscard]] QString rowText(int row) const;

  Q_SIGNALS:
    void saveRequested(int id);
    void saveAllRequested();
    void tidied();

  private:
    void rebuild();
    void revise();
    void place();

    CaptionQueue &m_queue;
    QLabel *m_title;
    QPushButton *m_go_on;
    QPushButton *m_save_all;
    QPushButton *m_tidy;
    QScrollArea *m_scroll;
    QWidget *m_list;
    QVBoxLayout *m_column;
    std::vector<QueueRow *> m_rows;
    int m_most_rows = 4;
};

}  // namespace braid::ui
