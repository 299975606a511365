// Paradigm and k as two controls of a row: a choice of paradigms and a button that says k and phi and opens the panel. The page has one pair, its
// other side another. GUI thread.
#pragma once

#include <QObject>

#include "ui/translation/translation_panel.h"

class QPushButton;

namespace braid::ui {

class ChoiceBox;

class TranslationControls : public QObject {
    Q_OBJECT
  public:
    // The controls are children of `parent`, to be put into its layout.
    TranslationControls(const QString &whose, QWidget *parent);

    [[nodiscard]] ChoiceBox &paradigmBox() noexcept { return *m_paradigm; }
    [[nodiscard]] QPushButton &tuningButton() noexcept { return *m_button; }
    [[nodiscard]] TranslationPanel &panel() noexcept { return *m_panel; }
    [[nodiscard]] const TranslationTuning &tuning() const noexcept { return m_tuning; }
    // Shows `tuning`; announces nothing.
    void show(const TranslationTuning &tuning);
    void openPanel();
    // One more or one less k, by key.
    void stepK(int direction);

  Q_SIGNALS:
    void changed();  // by a person

  private:
    void revise();
    void take(const TranslationTuning &tuning);

    ChoiceBox *m_paradigm;
    QPushButton *m_button;
    TranslationPanel *m_panel;
    TranslationTuning m_tuning;
};

}  // namespace braid::ui
