// The top of a page: its name at the left, what can be done with all of it at the right. GUI thread.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace braid::ui {

class PageHeading : public QWidget {
    Q_OBJECT
  public:
    explicit PageHeading(const QString &title, QWidget *parent);
    void add(QWidget *control);
    QPushButton *addButton(const QString &title, const QString &accessible_name);

  private:
    QHBoxLayout *m_row;
};

// The column of a page that begins with `heading`: margins, spacing and background are the same on every page.
[[nodiscard]] QVBoxLayout *layOutPage(QWidget &page, PageHeading &heading);

}  // namespace braid::ui
