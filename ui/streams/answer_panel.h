// One stream alone in large type, for the reader in the back row: its name and colour, its words as running text. GUI thread.
#pragma once

#include <QWidget>

#include "ui/shared/appearance.h"
#include "ui/streams/answer_text.h"

class QLabel;

namespace braid::ui {

class ChoiceBox;
class TranscriptView;

class AnswerPanel : public QWidget {
    Q_OBJECT
  public:
    AnswerPanel(const LanesModel &lanes, Appearance &appearance, QWidget *parent = nullptr);
    [[nodiscard]] AnswerText &answer() noexcept { return m_answer; }
    [[nodiscard]] TranscriptView &view() noexcept { return *m_view; }
    void setStream(int stream);
    // For an audience: no heading.
    void setHeadingVisible(bool visible);

  Q_SIGNALS:
    void streamChanged();           // by a person
    void rowActivated(qint64 row);  // a word was clicked: its step
    void captionSizeRequested(int steps);

  protected:
    void paintEvent(QPaintEvent *event) override;

  private:
    void fill();

    const LanesModel &m_lanes;
    Appearance &m_appearance;
    AnswerText m_answer;
    QWidget *m_heading;
    ChoiceBox *m_stream;
    TranscriptView *m_view;
};

}  // namespace braid::ui
