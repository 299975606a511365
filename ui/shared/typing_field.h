// A field for words that go on their way as they are typed: every word leaves it with the space behind it; or the whole line with Enter. Pasted
// text never stands in the field: it goes straight on, however long. GUI thread.
#pragma once

#include <cstdint>

#include <QPlainTextEdit>

namespace braid::ui {

// When words leave the field.
enum class TypingMode : std::uint8_t {
    AsTyped = 1,  // each word with the space behind it
    WithEnter,    // the whole line
};

class TypingField : public QPlainTextEdit {
    Q_OBJECT
  public:
    explicit TypingField(QWidget *parent);
    void setMode(TypingMode mode);
    [[nodiscard]] TypingMode mode() const noexcept { return m_mode; }

  Q_SIGNALS:
    void said(const QString &words);         // whole words, to enter as soon as they can
    void interrupted(const QString &words);  // Ctrl+Enter: before everything that waits
    void turnEnded();                        // Enter
    void leaveRequested();                   // Escape or Up: to the lanes

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void insertFromMimeData(const QMimeData *source) override;

  private:
    void giveWords();
    [[nodiscard]] QString takeText();
    TypingMode m_mode = TypingMode::AsTyped;
    bool m_giving = false;
};

}  // namespace braid::ui
