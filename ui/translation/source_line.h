// Where the source comes from, below the text: a field to type in, or a sentence that says which captions are followed. GUI thread.
#pragma once

#include <QWidget>

#include "ui/shared/typing_field.h"

class QLabel;
class QPushButton;
class QStackedLayout;

namespace braid::ui {

class ChoiceBox;

class SourceLine : public QWidget {
    Q_OBJECT
  public:
    explicit SourceLine(QWidget *parent = nullptr);
    void showField(const QString &language);
    // `sentence`: what is followed; the button leads to the captions.
    void showFollowed(const QString &sentence);
    void setMode(TypingMode mode);
    [[nodiscard]] TypingField &field() noexcept { return *m_field; }
    [[nodiscard]] QString followedText() const;

  Q_SIGNALS:
    void typed(const QString &text);  // whole words, with the white space behind them
    void modeChanged(braid::ui::TypingMode mode);
    void openRequested();
    void captionsRequested();
    void leaveRequested();

  private:
    QStackedLayout *m_pages;
    TypingField *m_field;
    ChoiceBox *m_mode;
    QLabel *m_followed;
    QPushButton *m_captions;
};

}  // namespace braid::ui
