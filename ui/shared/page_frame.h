// What the pages of the window are built from, alike on all of them: the paper with notices above it, the column beside it, the words that stand
// where there are no words yet. GUI thread.
#pragma once

#include <QLabel>

#include "ui/shared/appearance.h"

class QSplitter;
class QVBoxLayout;

namespace braid::ui {

class NoticeStack;

// The layout of `paper`, with `notices` over its top.
[[nodiscard]] QVBoxLayout *layOutPaper(QWidget &paper, NoticeStack &notices);
// Thin handles, nothing that can be pushed away.
void setUpColumns(QSplitter &columns);
// Shows or hides the Inspector, the last of `columns`; one that comes gets a third. True when it has come.
bool showInspectorColumn(QSplitter &columns, QWidget &inspector, bool open);

// A heading and a sentence in the middle of an empty view, as wide as it is.
class EmptyState : public QLabel {
    Q_OBJECT
  public:
    EmptyState(QWidget &viewport, const Appearance &appearance);
    void showWords(const QString &title, const QString &sentence);

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

  private:
    void place();
    QWidget &m_viewport;
    const Appearance &m_appearance;
};

}  // namespace braid::ui
