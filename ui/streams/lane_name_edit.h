// The field in which a lane is called otherwise, in the place of its name. Enter and leaving it keep what was typed, Escape does not; what
// cannot be a name changes nothing. Up and Down go on to the neighbour's name. GUI thread; the parent owns it, hidden until open().
#pragma once

#include <QLineEdit>

namespace braid::ui {

class LaneNameEdit : public QLineEdit {
    Q_OBJECT
  public:
    explicit LaneNameEdit(QWidget *parent);

    // For `stream`, which is called `name` now and `layout_name` in its layout.
    void open(int stream, const QString &name, const QString &layout_name);
    // Without keeping what was typed; close() of a widget is something else.
    void cancel();
    [[nodiscard]] bool isOpen() const noexcept { return m_stream >= 0; }
    [[nodiscard]] int stream() const noexcept { return m_stream; }

  Q_SIGNALS:
    void named(int stream, const QString &name);  // another name than before, fit to be one
    void ended();                                 // by Enter or Escape: the view should take the keys
    void neighbourRequested(int stream, int step);

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

  private:
    void keep();

    int m_stream = -1;  // -1: not open
    QString m_before;
};

}  // namespace braid::ui
