// Where a person types into a stream while everything else runs. As they type, every word leaves the line with the space behind it and
// enters the lane; or the whole line with Enter. Pasted text never stands in the line: it goes straight on its way, however long. GUI thread.
#pragma once

#include <QWidget>

#include "ui/shared/typing_field.h"
#include "ui/streams/lanes_model.h"

class QLabel;
class QPushButton;

namespace braid::ui {

class ChoiceBox;

class TypingLine : public QWidget {
    Q_OBJECT
  public:
    explicit TypingLine(QWidget *parent = nullptr);
    // The streams that people may feed, the user's first.
    void setStreams(const LanesModel &lanes);
    [[nodiscard]] int stream() const;
    void setStream(int stream);
    void setMode(TypingMode mode);
    [[nodiscard]] TypingMode mode() const;
    // Whether the captions' words enter as they settle.
    [[nodiscard]] bool followsCaptions() const;
    // "38 words wait", with a way to drop them; nothing waits: neither.
    void showWaiting(std::size_t words);
    [[nodiscard]] TypingField &field() noexcept { return *m_field; }
    // The word that stands in the line, unfinished.
    [[nodiscard]] QString unfinished() const;
    // What gives way on a narrow window does not widen it.
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, QWidget::minimumSizeHint().height()}; }

  Q_SIGNALS:
    void said(int stream, const QString &words);
    void interrupted(int stream, const QString &words);
    void turnEnded(int stream);
    void unfinishedChanged();
    void streamChanged();
    void modeChanged();
    void dropRequested(int stream);
    void leaveRequested();
    void captionsToggled(bool followed);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    void reviseWords();

    ChoiceBox *m_stream;
    TypingField *m_field;
    QLabel *m_waiting;
    QPushButton *m_drop;
    QPushButton *m_end;
    ChoiceBox *m_mode;
    QPushButton *m_captions;
};

}  // namespace braid::ui
