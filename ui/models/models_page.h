// The models there are, in three parts: in the box, on this disk, to fetch; what each is for, its size, languages and licence, and what can be done with it.
// GUI thread; lists come from background threads. Nothing is asked of the network before a person presses Get.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <QWidget>

#include "ui/models/fetch_desk.h"
#include "ui/models/model_card.h"
#include "ui/state/services.h"
#include "ui/state/settings.h"

class QLabel;
class QLineEdit;
class QTimer;
class QVBoxLayout;

namespace braid::ui {

class NoticeStack;

class ModelsPage : public QWidget {
    Q_OBJECT
  public:
    ModelsPage(const Services &services, SettingsStore &settings, QWidget *parent = nullptr);
    void show(const std::vector<ModelEntry> &models);
    // From now on models can be fetched here.
    void open(FetchDesk desk);
    void setFilter(const QString &words);
    // A line a model, as shown; for tests.
    [[nodiscard]] QStringList summaries() const { return m_summaries; }
    [[nodiscard]] NoticeStack &notices() noexcept { return *m_notices; }
    void get(const QString &name);
    void remove(const QString &name);

  Q_SIGNALS:
    void refreshRequested();
    void modelChosen(const QString &name);
    void modelsChanged();  // one was fetched, removed or taken back

  private:
    enum class Where : std::uint8_t { InTheBox = 1, OnThisDisk };
    void addHeadingButtons(class PageHeading &heading);
    void refreshOffers();
    void rebuild();
    void addInstalledOnes(Where where);
    void addTitle(const QString &title);
    void addTitleOf(Where where);
    QLabel *addSentence(const QString &sentence);
    // Cards are made anew; the keyboard stays on the one that had it.
    [[nodiscard]] QString cardWithFocus() const;
    void focusCard(const QString &name);
    void addInstalled(const ModelEntry &model, bool for_captions);
    void addOffer(const ModelOffer &offer);
    void addCard(const CardText &text, const std::vector<CardAction> &actions);
    void takeBack(const QString &name);
    void lookAtFetches();
    [[nodiscard]] bool isShown(const CardText &text) const;
    [[nodiscard]] const ModelOffer *offerNamed(const QString &name) const;
    [[nodiscard]] CardText textOf(const ModelEntry &model) const;

    const Services &m_services;
    SettingsStore &m_settings;
    FetchDesk m_desk;
    std::vector<ModelEntry> m_models;
    std::vector<ModelEntry> m_language_models;
    std::vector<ModelOffer> m_offers;
    std::map<QString, FetchLook> m_fetches;  // that run
    std::map<QString, ModelCard *> m_cards_of_fetches;
    QVBoxLayout *m_cards;
    QLineEdit *m_filter;
    NoticeStack *m_notices;
    QTimer *m_clock;
    QStringList m_summaries;
    bool m_has_usable = false;
};

}  // namespace braid::ui
