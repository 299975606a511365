// One recording of the queue: its name, its state, and what can be done with it. GUI thread; part of QueuePanel.
#pragma once

#include <QFrame>

#include "ui/state/caption_queue.h"

class QLabel;
class QProgressBar;
class QToolButton;

namespace braid::ui {

enum class QueueMove : std::uint8_t { Impossible = 1, Possible };

struct QueueChances {  // what its place in the list allows
    QueueMove up = QueueMove::Impossible;
    QueueMove down = QueueMove::Impossible;
    bool is_shown = false;
    bool page_is_free = false;
};

class QueueRow : public QFrame {
    Q_OBJECT
  public:
    explicit QueueRow(CaptionQueue &queue, QWidget *parent = nullptr);
    void fill(const QueueEntry &entry, const QueueChances &chances);
    void showProgress(const QueueEntry &entry);
    [[nodiscard]] int id() const noexcept { return m_id; }
    [[nodiscard]] QString text() const;

  Q_SIGNALS:
    void saveRequested(int id);

  protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    QToolButton *addButton(const QString &name, const QString &text, const QString &tip);
    void elide();

    CaptionQueue &m_queue;
    QLabel *m_name;
    QProgressBar *m_bar;
    QLabel *m_state;
    QToolButton *m_up;
    QToolButton *m_down;
    QToolButton *m_show;
    QToolButton *m_save;
    QToolButton *m_cancel;
    QString m_title;
    QString m_state_text;
    int m_id = 0;
};

}  // namespace braid::ui
