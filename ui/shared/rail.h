// The rail at the left: pages, and a menu of everything that has no place of its own. GUI thread.
#pragma once

#include <functional>
#include <vector>

#include <QWidget>

#include "ui/shared/theme.h"

class QButtonGroup;
class QMenu;
class QToolButton;
class QVBoxLayout;

namespace braid::ui {

class Rail : public QWidget {
    Q_OBJECT
  public:
    explicit Rail(QWidget *parent);
    // `id`: what pageRequested() says; `icon`: of resources/icons.
    void addPage(int id, const QString &icon, const QString &title, const QString &keys);
    void addStretch();
    // An entry of the menu at the bottom.
    void addAction(const QString &title, const QString &keys, std::function<void()> action);
    void addSeparator();
    // Marks the page that shows; an id without a button changes nothing.
    void setPage(int id);
    void setTheme(const Theme &theme);

  Q_SIGNALS:
    void pageRequested(int id);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    QToolButton *addButton(const QString &icon, const QString &title, const QString &tip);

    QVBoxLayout *m_column;
    QButtonGroup *m_pages;
    QToolButton *m_more = nullptr;
    QMenu *m_menu = nullptr;
    std::vector<std::pair<QToolButton *, QString>> m_buttons;  // drawn anew when the theme changes
};

}  // namespace braid::ui
