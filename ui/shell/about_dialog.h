// About: versions, processor, linear algebra, sound devices; and all of it to be copied into a report, without a word that was said. GUI thread.
#pragma once

#include <QDialog>
#include <QString>

#include "ui/state/services.h"
#include "ui/state/settings.h"

class QFormLayout;
class QPushButton;

namespace braid::ui {

// A report for others: what the program and the machine are, what was chosen. No captions, no names of files, no name of the person.
[[nodiscard]] QString diagnosticsText(const ProgramFacts &facts, const Settings &settings);

class AboutDialog : public QDialog {
    Q_OBJECT
  public:
    // `describe` is called off the GUI thread.
    AboutDialog(const std::function<ProgramFacts()> &describe, const Settings &settings, QWidget *parent);
    [[nodiscard]] bool hasArrived() const noexcept { return m_arrived; }

  private:
    void showFacts(const ProgramFacts &facts);

    Settings m_settings;
    QFormLayout *m_form;
    QPushButton *m_copy;
    bool m_arrived = false;
};

}  // namespace braid::ui
