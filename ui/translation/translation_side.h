// One side of the Translation page: a run of its own, a line that says what translates and how fast, the text of both languages, and, where two
// sides are compared, its figures. GUI thread.
#pragma once

#include <memory>

#include <QWidget>

#include "ui/shared/appearance.h"
#include "ui/shared/figure_table.h"
#include "ui/translation/translation_controller.h"

class QHBoxLayout;
class QLabel;

namespace braid::ui {

class BilingualView;

// What a side cost, as lines; `other` is the side it is compared with.
[[nodiscard]] std::vector<FigureLine> costLines(const translation::TranslationStatistics &mine, const translation::TranslationStatistics &other);
// "143.2", "1,430".
[[nodiscard]] QString rateText(double per_second);
// "143.2 tokens/s, fed 512 for 498".
[[nodiscard]] QString speedText(const translation::TranslationStatistics &statistics);

class TranslationSide : public QWidget {
    Q_OBJECT
  public:
    TranslationSide(TranslationKit kit, const QString &name, Appearance &appearance, QWidget *parent);
    ~TranslationSide() override;

    [[nodiscard]] TranslationController &controller() noexcept { return *m_controller; }
    [[nodiscard]] const TranslationController &controller() const noexcept { return *m_controller; }
    [[nodiscard]] BilingualView &view() noexcept { return *m_view; }
    // Where controls of this side alone may stand, at the left of its line.
    [[nodiscard]] QHBoxLayout &headRow() noexcept { return *m_head_row; }
    void setTitle(const QString &title);
    // Speed and state, from the newest snapshot.
    void showState();
    [[nodiscard]] QString speed() const;
    void showFigures(const std::vector<FigureLine> &lines);
    void setFiguresShown(bool shown);
    void setHeadShown(bool shown);

  protected:
    void resizeEvent(QResizeEvent *event) override;

  private:
    std::unique_ptr<TranslationController> m_controller;
    QWidget *m_head;
    QHBoxLayout *m_head_row;
    QLabel *m_title;
    QLabel *m_speed;
    BilingualView *m_view;
    QWidget *m_line;
    FigureTable *m_figures;
};

}  // namespace braid::ui
