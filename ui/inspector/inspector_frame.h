// The column at the right of a room: a heading that says which word it is about and why, and tabs, a question each. Only the tab that shows
// need be kept up to date. GUI thread.
#pragma once

#include <QWidget>

class QLabel;
class QStackedWidget;
class QTabBar;
class QVBoxLayout;

namespace braid::ui {

class InspectorFrame : public QWidget {
    Q_OBJECT
  public:
    explicit InspectorFrame(QWidget *parent);
    // Counted from 1.
    void openPage(int page);
    [[nodiscard]] int page() const;
    [[nodiscard]] QString wordText() const;
    [[nodiscard]] QSize sizeHint() const override { return {320, 400}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 100}; }

  Q_SIGNALS:
    void pageChanged(int page);

  protected:
    // `why`: "Under the pointer", "Pinned", "Newest word"; `word` may be empty.
    void setHeading(const QString &why, const QString &word, const QString &facts);
    // The column of a new tab, which scrolls where it is longer than the window.
    QVBoxLayout *addPage(const QString &title);
    QLabel *addText(QVBoxLayout &column);
    void addSection(QVBoxLayout &column, const QString &title);

  private:
    QLabel *m_why;
    QLabel *m_word;
    QLabel *m_facts;
    QTabBar *m_tabs;
    QStackedWidget *m_pages;
};

}  // namespace braid::ui
