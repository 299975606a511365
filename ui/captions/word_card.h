// A card of two lines beside a word: how probable it is and what the model would have written instead, and when it was said. The Inspector has the rest.
// Shown while the pointer rests on the word; takes no input itself. A child of the page, above everything on it. GUI thread.
#pragma once

#include <QFrame>

#include "core/text/transcript.h"

class QLabel;

namespace braid::ui {

class WordCard : public QFrame {
    Q_OBJECT
  public:
    explicit WordCard(QWidget *page);
    // Beside `place` (of the page), below it where there is room.
    void show(const text::Word &word, const QRect &place);
    [[nodiscard]] QString text() const;

  private:
    QLabel *m_word;
    QLabel *m_times;
};

}  // namespace braid::ui
