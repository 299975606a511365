// Whether a translation stands under the captions, and whose: a button that names it, with a menu of every translator by its languages. The menu
// opens by its key as well where the row has no room for the button. A change is kept in the settings at once. GUI thread.
#pragma once

#include <optional>

#include <QMenu>
#include <QObject>
#include <QPointer>

#include "ui/shared/choices_frame.h"
#include "ui/state/services.h"
#include "ui/state/settings.h"

class QPushButton;

namespace braid::ui {

class TranslateChoice : public QObject {
    Q_OBJECT
  public:
    TranslateChoice(Services &services, SettingsStore &settings, QWidget *row);

    [[nodiscard]] QPushButton &button() noexcept { return *m_button; }
    // What should translate now; nothing where none is wanted, models are still looked for, or it cannot be used (problem() says why).
    [[nodiscard]] std::optional<TranslatorChoices> choices() const;
    [[nodiscard]] bool isWanted() const { return !m_settings.values().captions_translator.isEmpty(); }
    [[nodiscard]] QString problem() const;
    // "French"; empty where none is wanted.
    [[nodiscard]] QString targetLanguage() const;
    void refreshModels();
    void openMenu();
    // "loading translate-en-fr (40 %)"; empty: it is there.
    void showLoading(const QString &activity);
    // While it is open; else null.
    [[nodiscard]] QMenu *menu() const { return m_menu; }

  Q_SIGNALS:
    void changed();  // what choices() says
    void betterModelWanted();

  private:
    void choose(const QString &model, const QString &language);
    void revise();

    Services &m_services;
    SettingsStore &m_settings;
    QWidget &m_row;
    QPushButton *m_button;
    QPointer<QMenu> m_menu;
    QString m_loading;
    FoundList<TranslationModelEntry> m_models;
};

}  // namespace braid::ui
