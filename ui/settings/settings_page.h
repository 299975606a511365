// Every setting, in force at once; "As it was" takes the last change back. GUI thread.
#pragma once

#include <vector>

#include <QWidget>

#include "ui/state/settings.h"

class QFormLayout;
class QPushButton;

namespace braid::ui {

class ChoiceBox;

class SettingsPage : public QWidget {
    Q_OBJECT
  public:
    explicit SettingsPage(SettingsStore &settings, QWidget *parent = nullptr);
    [[nodiscard]] bool canUndo() const { return !m_before.empty(); }
    void undo();

  private:
    void fill();
    void change(const std::function<void(Settings &)> &what);
    void copyShown(const Settings &from, Settings &to) const;
    QFormLayout *addGroup(class QVBoxLayout &column, const QString &title);
    ChoiceBox *addChoice(QFormLayout &form, const QString &name, const QString &explanation, const std::vector<std::pair<QString, QVariant>> &entries,
                         std::function<QVariant(const Settings &)> get, std::function<void(Settings &, const QVariant &)> set);
    void addNumber(QFormLayout &form, const QString &name, const QString &explanation, const QString &unit, int least, int most, int step,
                   std::function<int(const Settings &)> get, std::function<void(Settings &, int)> set);
    void addWordList(QFormLayout &form);
    void addSwitch(QFormLayout &form, const QString &name, const QString &explanation, std::function<bool(const Settings &)> get,
                   std::function<void(Settings &, bool)> set);

    SettingsStore &m_settings;
    std::vector<std::function<void(const Settings &)>> m_fillers;              // one a control: shows what holds now
    std::vector<std::function<void(const Settings &, Settings &)>> m_copiers;  // one a control: takes over what it sets
    std::vector<Settings> m_before;                                            // for undoing
    bool m_filling = false;
    QPushButton *m_undo;
};

}  // namespace braid::ui
