// Figures of one side of a comparison, a line each; what beats the other side stands in bold. GUI thread.
#pragma once

#include <utility>
#include <vector>

#include <QString>
#include <QWidget>

class QGridLayout;
class QLabel;

namespace braid::ui {

// A figure as it is shown, and whether it beats the other side's by more than chance.
struct FigureLine {
    QString name;
    QString value;
    bool better = false;
    friend bool operator==(const FigureLine &, const FigureLine &) = default;
};

class FigureTable : public QWidget {
    Q_OBJECT
  public:
    explicit FigureTable(QWidget *parent);
    void show(const std::vector<FigureLine> &lines);
    using QWidget::show;

  private:
    QGridLayout *m_grid;
    std::vector<std::pair<QLabel *, QLabel *>> m_lines;
};

}  // namespace braid::ui
