// How the overlay looks and where it stands, the plain window and the live text file: every change holds at once. GUI thread.
#pragma once

#include <functional>
#include <vector>

#include <QDialog>

#include "ui/state/settings.h"

class QFormLayout;

namespace braid::ui {

class OverlayDialog : public QDialog {
    Q_OBJECT
  public:
    OverlayDialog(SettingsStore &settings, QWidget *parent);

  Q_SIGNALS:
    void overlayRequested();      // shown or hidden
    void plainWindowRequested();  // likewise

  private:
    using Options = OverlayOptions;
    void addPlace(QFormLayout &form);
    void addLetters(QFormLayout &form);
    void addStreaming(QFormLayout &form);
    void addChoice(QFormLayout &form, const QString &name, const std::vector<std::pair<QString, int>> &entries, std::function<int(const Options &)> get,
                   std::function<void(Options &, int)> set);
    void addNumber(QFormLayout &form, const QString &name, const QString &unit, int least, int most, std::function<int(const Options &)> get,
                   std::function<void(Options &, int)> set);
    void addColour(QFormLayout &form, const QString &name, QColor Options::*member);
    void change(const std::function<void(Options &)> &what);
    void fill();
    [[nodiscard]] QString screenName() const;

    SettingsStore &m_settings;
    std::vector<std::function<void(const Options &)>> m_fillers;
    bool m_filling = false;
};

}  // namespace braid::ui
