// A card of the Models page: what a model is, and what can be done with it. GUI thread; whoever makes it owns it through its parent.
#pragma once

#include <functional>
#include <vector>

#include <QFrame>
#include <QString>
#include <QStringList>

#include "ui/models/fetch_desk.h"

class QHBoxLayout;
class QLabel;
class QProgressBar;
class QVBoxLayout;

namespace braid::ui {

struct CardAction {
    QString title;
    QString accessible_name;
    std::function<void()> action;  // empty: shown, but nothing to do
};

struct CardText {
    QString name;
    QString purpose;  // may be empty
    QStringList facts;
    QString place;    // a path, or an address as a link
    QString problem;  // a sentence, or empty
    QString words;    // what else the filter finds it by
};

class ModelCard : public QFrame {
    Q_OBJECT
  public:
    ModelCard(const CardText &text, const std::vector<CardAction> &actions, QWidget *parent);
    // A bar and a line below the facts.
    void showProgress(const FetchLook &look);
    void focusFirstButton();

  private:
    QVBoxLayout *m_column;
    QProgressBar *m_bar = nullptr;
    QLabel *m_line = nullptr;
};

[[nodiscard]] QString sizeText(std::uint64_t bytes);
// "English, French", or how many there are where they are many.
[[nodiscard]] QString languagesText(const QStringList &codes);

}  // namespace braid::ui
