// The list of how words are written, as text: it holds once typing rests or the field is left, and says what is wrong with it. GUI thread.
#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QPlainTextEdit;

namespace braid::ui {

class WordListEditor : public QWidget {
    Q_OBJECT
  public:
    explicit WordListEditor(QWidget *parent = nullptr);
    // Shows `list` unless it is what stands there.
    void show(const QString &list);

  Q_SIGNALS:
    void changed(const QString &list);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void take();
    void showProblem();

    QPlainTextEdit *m_field;
    QLabel *m_problem;
    QTimer m_rest;
    QString m_told;
};

}  // namespace braid::ui
