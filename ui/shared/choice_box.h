// A choice that names what is chosen. Keeps its width steady and shortens long names; announces only what a person changes.
#pragma once

#include <QComboBox>

namespace braid::ui {

class ChoiceBox : public QComboBox {
    Q_OBJECT
  public:
    ChoiceBox(const QString &name, const QString &explanation, QWidget *parent = nullptr);
    // The entry whose data equals `data`; false where there is none.
    bool choose(const QVariant &data);
    // A heading inside the list that cannot be chosen.
    void addHeading(const QString &text);
    // A last line that is no choice: it opens something, and what was chosen stays.
    void addDoor(const QString &text);
    [[nodiscard]] bool isDoor(int index) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

    [[nodiscard]] bool isOpen() const;

  Q_SIGNALS:
    void aboutToOpen();  // or the pointer comes: what the list is filled from may be looked up
    void closed();
    void doorChosen();

  protected:
    void keyPressEvent(QKeyEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void showPopup() override;
    void hidePopup() override;
    void enterEvent(QEnterEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

  private:
    int m_chosen = 0;            // the line before the door was chosen
    bool m_is_stepping = false;  // a key steps through the lines of the closed box
};

}  // namespace braid::ui
