// "/" finds: a field, "3 of 15", next and previous. GUI thread; the view outlives it. Whoever makes it connects the view's matchesChanged() to refresh().
#pragma once

#include <QFrame>

class QLabel;
class QLineEdit;

namespace braid::ui {

class Findable;

class FindBar : public QFrame {
    Q_OBJECT
  public:
    // `view` gets the focus back when finding ends. `title`: "Find in captions".
    FindBar(Findable &view, QWidget &view_widget, const QString &title, QWidget *parent);
    // Shows it with the cursor in the field.
    void open();
    void close();
    [[nodiscard]] QString countText() const;
    void refresh();

  protected:
    void keyPressEvent(QKeyEvent *event) override;

  private:
    Findable &m_view;
    QWidget &m_view_widget;
    QLineEdit *m_field;
    QLabel *m_count;
};

}  // namespace braid::ui
