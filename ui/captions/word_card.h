// A card beside a word: its tokens with their probabilities and rivals as bars, what it was before, its time. Shown while the pointer
// rests on the word; takes no input itself. A child of the page, above everything on it. GUI thread.
#pragma once

#include <QFrame>

#include "core/text/transcript.h"
#include "ui/shared/appearance.h"
#include "ui/state/revision_history.h"

class QLabel;

namespace braid::ui {

class TokenBars;

class WordCard : public QFrame {
    Q_OBJECT
  public:
    WordCard(Appearance &appearance, QWidget *page);
    // Beside `place` (of the page), below it where there is room.
    void show(const text::Word &word, const std::vector<SaidBefore> &history, const QRect &place);
    [[nodiscard]] QString text() const;

  private:
    QLabel *m_word;
    TokenBars *m_tokens;
    QLabel *m_history;
    QLabel *m_times;
};

}  // namespace braid::ui
