// A field over words on the page, to correct them in: Enter or going elsewhere keeps what was typed, Escape leaves the words as they were. GUI thread.
#pragma once

#include <QLineEdit>

namespace braid::ui {

class WordEditor : public QLineEdit {
    Q_OBJECT
  public:
    explicit WordEditor(QWidget *viewport);
    // Over `place`, as wide as its words need, inside the viewport.
    void open(const QString &words, const QFont &font, const QRectF &place);
    void moveTo(const QRectF &place);

  Q_SIGNALS:
    void kept(const QString &words);
    void left();
    void doneByKey();  // after either: the focus has nowhere to go yet

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

  private:
    enum class Typed : std::uint8_t { Kept = 1, Dropped };
    void finish(Typed typed);
    void fit();

    QRectF m_place;
};

}  // namespace braid::ui
