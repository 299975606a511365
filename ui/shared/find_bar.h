// "/" finds: a field, "3 of 15", next and previous. Stands over the view and stays there. GUI thread; finder and view outlive it.
#pragma once

#include <cstdint>

#include <QFrame>

class QLabel;
class QLineEdit;

namespace braid::ui {

class Finder;

class FindBar : public QFrame {
    Q_OBJECT
  public:
    enum class Place : std::uint8_t { TopRight = 1, TopLeft };
    // `view` is what `finder` finds in; it gets the focus back when finding ends. `title`: "Find in captions". `parent` holds `view`, too.
    FindBar(Finder &finder, QWidget &view, const QString &title, Place place, QWidget *parent);
    // Shows it with the cursor in the field.
    void open();
    // Shows it with these words, at their first place; no words: nothing.
    void openWith(const QString &words);
    void close();
    [[nodiscard]] QString countText() const;

  protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

  private:
    void place();
    void refresh();

    Finder &m_finder;
    QWidget &m_view;
    Place m_place;
    QLineEdit *m_field;
    QLabel *m_count;
};

}  // namespace braid::ui
