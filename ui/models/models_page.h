// What models are installed: size, languages, and where one cannot be used, why. GUI thread.
#pragma once

#include <vector>

#include <QWidget>

#include "ui/state/services.h"
#include "ui/state/settings.h"

class QLabel;
class QVBoxLayout;

namespace braid::ui {

class ModelsPage : public QWidget {
    Q_OBJECT
  public:
    ModelsPage(const Services &services, SettingsStore &settings, QWidget *parent = nullptr);
    void show(const std::vector<ModelEntry> &models);
    // A line a model, as shown; for tests.
    [[nodiscard]] QStringList summaries() const { return m_summaries; }

  Q_SIGNALS:
    void refreshRequested();
    void modelChosen(const QString &name);

  private:
    void rebuild();
    void addCard(const ModelEntry &model);

    const Services &m_services;
    SettingsStore &m_settings;
    std::vector<ModelEntry> m_models;
    QVBoxLayout *m_cards;
    QLabel *m_folders;
    QStringList m_summaries;
};

[[nodiscard]] QString sizeText(std::uint64_t bytes);

}  // namespace braid::ui
