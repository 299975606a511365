#include "ui/models/models_page.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>
#include <utility>

#include <QDesktopServices>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

#include "core/model_access/model_access.h"
#include "ui/shared/async.h"
#include "ui/shared/core_words.h"
#include "ui/shared/notice_bar.h"
#include "ui/shared/page_heading.h"

namespace braid::ui {
namespace {

constexpr std::chrono::milliseconds kLookEvery{200};
constexpr int kFilterWidth = 360;

bool isInTheBox(const QString &name)
{
    static constexpr std::array kInTheBox = {models::kCaptionModelInTheBox, models::kTranslatorInTheBox, models::kGermanTranslatorInTheBox,
                                             models::kStreamsModelInTheBox, models::kSingleStreamModelInTheBox};
    return std::any_of(kInTheBox.begin(), kInTheBox.end(), [&name](const char *boxed) { return name == QLatin1String(boxed); });
}

QString factsLine(const CardText &text)
{
    return text.facts.join(QStringLiteral(" \u00b7 "));
}

// Codes and names of all languages: a card shows only some of many.
QString languageWords(const QStringList &codes)
{
    QStringList words = codes;
    for (const QString &code : codes) {
        words << languageName(code);
    }
    return words.join(QLatin1Char(' '));
}

QString licenceText(const QString &licence)
{
    return licence.isEmpty() ? QObject::tr("no licence stated") : QObject::tr("licence %1").arg(licence);
}

}  // namespace

ModelsPage::ModelsPage(const Services &services, SettingsStore &settings, QWidget *parent)
    : QWidget(parent)
    , m_services(services)
    , m_settings(settings)
    , m_cards(new QVBoxLayout)
    , m_filter(new QLineEdit(this))
    , m_notices(new NoticeStack(this))
    , m_clock(new QTimer(this))
{
    auto *heading = new PageHeading(tr("Models"), this);
    QVBoxLayout *layout = layOutPage(*this, *heading);
    m_filter->setPlaceholderText(tr("Filter: name, language, licence"));
    m_filter->setAccessibleName(tr("Show only models that have these words"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setMaximumWidth(kFilterWidth);
    addHeadingButtons(*heading);
    layout->addWidget(m_filter);
    layout->addWidget(m_notices);
    auto *content = new QWidget(this);
    content->setObjectName(QStringLiteral("paper"));
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 8, 0);
    m_cards->setSpacing(12);
    column->addLayout(m_cards);
    column->addStretch(1);
    auto *scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Models"));
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    layout->addWidget(scroll, 1);

    m_clock->setInterval(kLookEvery);
    connect(m_clock, &QTimer::timeout, this, &ModelsPage::lookAtFetches);
    connect(m_filter, &QLineEdit::textChanged, this, &ModelsPage::rebuild);
    connect(&settings, &SettingsStore::changed, this, [this](const Settings &before) {
        if (before.model_name != m_settings.values().model_name) {
            rebuild();
        }
    });
    rebuild();
}

void ModelsPage::addHeadingButtons(PageHeading &heading)
{
    QPushButton *elsewhere = heading.addButton(tr("Use a folder\u2026"), tr("Use a model from another folder"));
    elsewhere->setToolTip(tr("A Whisper folder as Hugging Face keeps it, anywhere on this machine"));
    QPushButton *elsewhere_file = heading.addButton(tr("Use a file\u2026"), tr("Use a model from a single file"));
    elsewhere_file->setToolTip(tr("OpenAI's .pt, CarelessWhisper's .pt or .ckpt"));
    QPushButton *refresh = heading.addButton(tr("Look again"), tr("Look for models again"));
    connect(refresh, &QPushButton::clicked, this, [this] {
        refreshOffers();
        Q_EMIT refreshRequested();
    });
    const auto choose = [this](const QString &title, QFileDialog::FileMode mode, const QStringList &filters) {
        auto *dialog = new QFileDialog(this, title);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(mode);
        if (!filters.isEmpty()) {
            dialog->setNameFilters(filters);
        }
        connect(dialog, &QFileDialog::fileSelected, this, &ModelsPage::modelChosen);
        dialog->open();
    };
    connect(elsewhere, &QPushButton::clicked, this, [choose] { choose(tr("Choose a model folder"), QFileDialog::Directory, {}); });
    connect(elsewhere_file, &QPushButton::clicked, this, [choose] {
        choose(tr("Choose a model file"), QFileDialog::ExistingFile, {tr("Models (*.pt *.ckpt *.safetensors)"), tr("All files (*)")});
    });
}

void ModelsPage::show(const std::vector<ModelEntry> &models)
{
    m_models = models;
    rebuild();
}

void ModelsPage::setFilter(const QString &words)
{
    m_filter->setText(words);
}

// --- lists -----------------------------------------------------------------------------------------------------------------------

void ModelsPage::open(FetchDesk desk)
{
    m_desk = std::move(desk);
    refreshOffers();
}

void ModelsPage::refreshOffers()
{
    const auto tell = [this](const QString &sentence) { m_notices->raiseProblem(sentence); };
    if (m_desk.list_offers) {
        runInBackground(
            this, m_desk.list_offers,
            [this](std::vector<ModelOffer> offers) {
                m_offers = std::move(offers);
                rebuild();
            },
            tell);
    }
    if (m_desk.list_language_models) {
        runInBackground(
            this, m_desk.list_language_models,
            [this](std::vector<ModelEntry> models) {
                m_language_models = std::move(models);
                rebuild();
            },
            tell);
    }
}

const ModelOffer *ModelsPage::offerNamed(const QString &name) const
{
    const auto found = std::find_if(m_offers.begin(), m_offers.end(), [&name](const ModelOffer &offer) { return offer.name == name; });
    return found == m_offers.end() ? nullptr : &*found;
}

bool ModelsPage::isShown(const CardText &text) const
{
    const QString all = QStringList{text.name, text.purpose, factsLine(text), text.words}.join(QLatin1Char(' ')).toLower();
    const QStringList words = m_filter->text().toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(), [&all](const QString &word) { return all.contains(word); });
}

void ModelsPage::rebuild()
{
    const QString card_with_focus = cardWithFocus();
    m_summaries.clear();
    m_cards_of_fetches.clear();
    m_has_usable = false;
    while (QLayoutItem *item = m_cards->takeAt(0)) {
        if (item->widget() != nullptr) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
    addInstalledOnes(Where::InTheBox);
    addInstalledOnes(Where::OnThisDisk);
    bool is_first = true;
    for (const ModelOffer &offer : m_offers) {
        if (offer.state != OfferState::Here) {
            if (std::exchange(is_first, false)) {
                addTitle(tr("To fetch"));
            }
            addOffer(offer);
        }
    }
    if (m_summaries.isEmpty() && !m_filter->text().isEmpty()) {
        addSentence(tr("No model has these words in its name, languages or licence."));
    }
    focusCard(card_with_focus);
}

void ModelsPage::addInstalledOnes(Where where)
{
    bool is_first = true;
    const auto add = [&](const ModelEntry &model, bool for_captions) {
        if (isInTheBox(model.name) != (where == Where::InTheBox) || !isShown(textOf(model))) {
            return;
        }
        if (std::exchange(is_first, false)) {
            addTitleOf(where);
        }
        addInstalled(model, for_captions);
    };
    for (const ModelEntry &model : m_models) {
        add(model, true);
    }
    for (const ModelEntry &model : m_language_models) {
        add(model, false);
    }
    if (is_first && where == Where::OnThisDisk && m_filter->text().isEmpty()) {
        addTitleOf(where);
        addSentence(
            tr("No model of yours is here yet. Fetch one, put a Whisper folder into one of these folders and look again, or use a folder from elsewhere."));
    }
}

// --- cards -----------------------------------------------------------------------------------------------------------------------

void ModelsPage::addTitleOf(Where where)
{
    addTitle(where == Where::InTheBox ? tr("In the box") : tr("On this disk"));
    QStringList folders;
    for (const std::filesystem::path &folder : m_services.model_folders) {
        folders << QString::fromStdString(folder.string());
    }
    if (where == Where::OnThisDisk && !folders.isEmpty()) {
        QLabel *line = addSentence(tr("Looked for in %1").arg(folders.join(QStringLiteral(", "))));
        line->setProperty("soft", true);
        line->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
}

QLabel *ModelsPage::addSentence(const QString &sentence)
{
    auto *label = new QLabel(sentence, this);
    label->setWordWrap(true);
    m_cards->addWidget(label);
    return label;
}

QString ModelsPage::cardWithFocus() const
{
    const QWidget *focused = focusWidget();
    const auto *card = focused == nullptr ? nullptr : qobject_cast<const ModelCard *>(focused->parentWidget());
    return card == nullptr ? QString() : card->accessibleName();
}

void ModelsPage::focusCard(const QString &name)
{
    for (int i = 0; !name.isEmpty() && i < m_cards->count(); ++i) {
        auto *card = qobject_cast<ModelCard *>(m_cards->itemAt(i)->widget());
        if (card != nullptr && card->accessibleName() == name) {
            card->focusFirstButton();
        }
    }
}

void ModelsPage::addTitle(const QString &title)
{
    auto *label = new QLabel(QStringLiteral("<b>%1</b>").arg(title), this);
    label->setProperty("soft", true);
    m_cards->addWidget(label);
}

CardText ModelsPage::textOf(const ModelEntry &model) const
{
    const QString streams = !model.made_for_streaming ? QString()
                            : model.least_chunk_ms < model.most_chunk_ms
                                ? tr("made for live captions, %1 to %2 ms").arg(model.least_chunk_ms).arg(model.most_chunk_ms)
                                : tr("made for live captions, %1 ms").arg(model.least_chunk_ms);
    CardText text{
        model.name, {}, {model.description, sizeText(model.bytes), languagesText(model.languages), streams}, {}, model.problem, languageWords(model.languages)};
    if (const ModelOffer *offer = offerNamed(model.name)) {
        text.purpose = offer->purpose;
        text.facts << licenceText(offer->licence);
    }
    text.facts.removeAll(QString());
    text.place = QString::fromStdString(model.path.string());
    return text;
}

void ModelsPage::addInstalled(const ModelEntry &model, bool for_captions)
{
    const CardText text = textOf(model);
    std::vector<CardAction> actions;
    if (model.problem.isEmpty() && for_captions) {
        const QString chosen = m_settings.values().model_name;
        const bool in_use = chosen == model.name || (chosen.isEmpty() && !m_has_usable);
        m_has_usable = true;
        actions.push_back({in_use ? tr("In use \u2713") : tr("Use"), in_use ? tr("%1 is in use").arg(model.name) : tr("Use %1").arg(model.name), {}});
        if (!in_use) {
            actions.back().action = [this, model_name = model.name] { Q_EMIT modelChosen(model_name); };
        }
    }
    if (m_desk.isThere()) {
        std::error_code ignored;
        const bool is_folder = std::filesystem::is_directory(model.path, ignored);
        const QString folder = QString::fromStdString((is_folder ? model.path : model.path.parent_path()).string());
        actions.push_back({tr("Open folder"), tr("Open the folder of %1").arg(model.name),
                           [folder] { static_cast<void>(QDesktopServices::openUrl(QUrl::fromLocalFile(folder))); }});
    }
    if (const ModelOffer *offer = offerNamed(model.name); offer != nullptr && offer->state == OfferState::Here) {
        actions.push_back({tr("Remove"), tr("Remove %1").arg(model.name), [this, model_name = model.name] { remove(model_name); }});
    }
    addCard(text, actions);
}

void ModelsPage::addOffer(const ModelOffer &offer)
{
    CardText text{offer.name, offer.purpose, {offer.title, offer.use}, offer.page, {}, languageWords(offer.languages)};
    if (offer.bytes > 0) {
        text.facts << sizeText(offer.bytes);
    }
    if (offer.memory_bytes > 0) {
        text.facts << tr("about %1 of memory").arg(sizeText(offer.memory_bytes));
    }
    text.facts << languagesText(offer.languages) << licenceText(offer.licence);
    if (offer.asks_first) {
        text.facts << tr("its page asks you to accept its terms first");
    }
    if (offer.state == OfferState::PartlyHere) {
        text.facts << tr("partly here");
    }
    text.facts.removeAll(QString());
    if (!isShown(text)) {
        return;
    }
    const auto fetch = m_fetches.find(offer.name);
    std::vector<CardAction> actions;
    if (fetch != m_fetches.end()) {
        actions.push_back({tr("Cancel"), tr("Stop fetching %1; what came so far is kept").arg(offer.name), [this, name = offer.name] { m_desk.cancel(name); }});
    } else {
        actions.push_back(
            {offer.state == OfferState::PartlyHere ? tr("Go on") : tr("Get"), tr("Fetch %1").arg(offer.name), [this, name = offer.name] { get(name); }});
    }
    addCard(text, actions);
    if (fetch != m_fetches.end()) {
        auto *card = qobject_cast<ModelCard *>(m_cards->itemAt(m_cards->count() - 1)->widget());
        card->showProgress(fetch->second);
        m_cards_of_fetches[offer.name] = card;
    }
}

void ModelsPage::addCard(const CardText &text, const std::vector<CardAction> &actions)
{
    m_cards->addWidget(new ModelCard(text, actions, this));
    m_summaries << text.name + QStringLiteral(" \u00b7 ") + factsLine(text) + (text.problem.isEmpty() ? QString() : QStringLiteral(" \u00b7 ") + text.problem);
}

// --- fetching and removing -------------------------------------------------------------------------------------------------------

void ModelsPage::get(const QString &name)
{
    if (!m_desk.isThere() || m_fetches.contains(name)) {
        return;
    }
    m_notices->clearProblem();
    m_desk.start(name);
    m_fetches[name] = {name, FetchState::Running, -1, tr("asking what there is"), {}};
    m_clock->start();
    rebuild();
}

void ModelsPage::lookAtFetches()
{
    bool has_ended = false;
    for (const FetchLook &look : m_desk.looks()) {
        if (look.state == FetchState::Running) {
            m_fetches[look.name] = look;
            if (const auto card = m_cards_of_fetches.find(look.name); card != m_cards_of_fetches.end()) {
                card->second->showProgress(look);
            }
            continue;
        }
        has_ended = true;
        m_fetches.erase(look.name);
        if (look.state == FetchState::Failed) {
            m_notices->raiseProblem(look.problem);
        } else if (look.state == FetchState::Done) {
            m_notices->inform(tr("%1 is ready to be used.").arg(look.name), QStringLiteral("fetched"));
        }
    }
    if (m_fetches.empty()) {
        m_clock->stop();
    }
    if (has_ended) {
        refreshOffers();
        rebuild();
        Q_EMIT modelsChanged();
    }
}

void ModelsPage::remove(const QString &name)
{
    runInBackground(
        this, [remove = m_desk.remove, name] { return remove(name); },
        [this, name](bool) {
            m_notices->add({Severity::Information,
                            tr("%1 was removed.").arg(name),
                            {},
                            {{tr("Take it back"), [this, name] { takeBack(name); }}},
                            QStringLiteral("removed")});
            refreshOffers();
            Q_EMIT modelsChanged();
        },
        [this](const QString &sentence) { m_notices->raiseProblem(sentence); });
}

void ModelsPage::takeBack(const QString &name)
{
    runInBackground(
        this, [take_back = m_desk.take_back, name] { return take_back(name); },
        [this](bool) {
            refreshOffers();
            Q_EMIT modelsChanged();
        },
        [this](const QString &sentence) { m_notices->raiseProblem(sentence); });
}

}  // namespace braid::ui
