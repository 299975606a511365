// "/" finds: a field, "3 of 15", next and previous. GUI thread; the view outlives it.
#pragma once

#include <QFrame>

class QLabel;
class QLineEdit;

namespace braid::ui {

class TranscriptView;

class FindBar : public QFrame {
    Q_OBJECT
  public:
    FindBar(TranscriptView &view, QWidget *parent);
    // Shows it with the cursor in the field.
    void open();
    void close();
    [[nodiscard]] QString countText() const;

  protected:
    void keyPressEvent(QKeyEvent *event) override;

  private:
    void refresh();

    TranscriptView &m_view;
    QLineEdit *m_field;
    QLabel *m_count;
};

}  // namespace braid::ui
