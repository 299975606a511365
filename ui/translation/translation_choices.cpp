#include "ui/translation/translation_choices.h"

#include <algorithm>

#include <QPushButton>

#include "ui/state/translation_pairs.h"
#include "ui/translation/translation_controls.h"

namespace braid::ui {
namespace {

const QString kOpenEntry = QStringLiteral("open");
constexpr int kRoomForCompare = 900;

}  // namespace

TranslationChoicesRow::TranslationChoicesRow(Services &services, SettingsStore &settings, QWidget *parent)
    : ChoicesFrame(parent)
    , m_services(services)
    , m_settings(settings)
    , m_source(new ChoiceBox(tr("Source"), tr("Where the text comes from"), this))
    , m_model(new ChoiceBox(tr("Model"), tr("The model that translates"), this))
    , m_language(new ChoiceBox(tr("Languages"), tr("From which language into which"), this))
    , m_controls(new TranslationControls({}, this))
    , m_compare(new QPushButton(tr("Compare"), this))
{
    layOut({m_source, m_model, m_language, &m_controls->paradigmBox(), &m_controls->tuningButton()}, {m_compare});
    giveWayBelow(kRoomForCompare, m_compare);
    m_compare->setObjectName(QStringLiteral("compare"));
    m_compare->setCheckable(true);
    m_compare->setAccessibleName(tr("Compare two methods"));
    m_compare->setToolTip(tr("Two methods on the same source, side by side (C)"));
    m_source->setObjectName(QStringLiteral("source"));
    m_model->setObjectName(QStringLiteral("model"));
    m_language->setObjectName(QStringLiteral("language"));
    m_controls->show(settings.values().translation);
    fillSources();
    fillModels();

    connect(m_compare, &QPushButton::clicked, this, &TranslationChoicesRow::compareRequested);
    connect(m_source, &ChoiceBox::activated, this, [this] {
        const QVariant chosen = m_source->currentData();
        if (chosen.toString() == kOpenEntry) {
            fillSources();  // the entry is an action, not a choice
            Q_EMIT openRequested();
            return;
        }
        m_settings.update([&chosen](Settings &s) { s.translation_source = static_cast<TranslationSource>(chosen.toInt()); });
    });
    connect(m_model, &ChoiceBox::doorChosen, this, &ChoicesFrame::betterModelWanted);
    connect(m_model, &ChoiceBox::activated, this, [this](int index) {
        if (!m_model->isDoor(index)) {
            m_settings.update([this](Settings &s) { s.translation_model = m_model->currentData().toString(); });
        }
    });
    connect(m_language, &ChoiceBox::activated, this, &TranslationChoicesRow::chooseLanguages);
    connect(m_controls, &TranslationControls::changed, this, &TranslationChoicesRow::keepTuning);
    connect(&settings, &SettingsStore::changed, this, [this](const Settings &before) {
        const Settings &now = m_settings.values();
        if (before.translation_source != now.translation_source) {
            fillSources();
            Q_EMIT sourceChanged();
        }
        if (before.translation_model != now.translation_model) {
            fillModels();
        }
        if (!(before.translation == now.translation)) {
            m_controls->show(now.translation);
        }
        if (before.translation_model != now.translation_model || !(before.translation == now.translation)) {
            Q_EMIT tuningChanged();
        }
    });
    refreshModels();
}

void TranslationChoicesRow::keepTuning()
{
    m_settings.update([this](Settings &s) { s.translation = m_controls->tuning(); });
}

void TranslationChoicesRow::refreshModels()
{
    if (!m_services.list_translation_models) {
        m_models.arrived = true;
        return;
    }
    m_models.find(this, m_services.list_translation_models, [this] {
        fillModels();
        Q_EMIT listsChanged();
    });
}

void TranslationChoicesRow::fillSources()
{
    m_source->clear();
    m_source->addItem(tr("Typed text"), static_cast<int>(TranslationSource::Typed));
    m_source->setItemData(0, tr("What you type or paste below, as you do"), Qt::ToolTipRole);
    m_source->addItem(tr("The captions"), static_cast<int>(TranslationSource::Captions));
    m_source->setItemData(1, tr("What is said, as the Captions page settles it"), Qt::ToolTipRole);
    m_source->addItem(tr("Open a text\u2026"), kOpenEntry);
    m_source->choose(static_cast<int>(m_settings.values().translation_source));
}

void TranslationChoicesRow::fillModels()
{
    fillModelBox(*m_model, m_models, m_settings.values().translation_model);
    fillLanguages();
}

void TranslationChoicesRow::fillLanguages()
{
    m_language->clear();
    const TranslationModelEntry *model = chosenModel();
    const QString own = model == nullptr ? QString() : ownPair(*model);
    std::vector<LanguagePair> pairs;
    if (!own.isEmpty()) {
        for (const TranslationModelEntry &each : m_models.entries) {
            const QString pair = each.problem.isEmpty() ? ownPair(each) : QString();
            const bool is_new = std::none_of(pairs.begin(), pairs.end(), [&pair](const LanguagePair &before) { return before.code == pair; });
            if (!pair.isEmpty() && is_new) {
                pairs.push_back(pairOf(pair));
            }
        }
    } else if (model != nullptr) {
        pairs = pairsOf(*model);
    }
    for (const LanguagePair &pair : pairs) {
        m_language->addItem(pair.name(), pair.code);
    }
    m_language->setEnabled(m_language->count() > 1);
    m_language->setVisible(m_language->count() > 0);
    if (!m_language->choose(own.isEmpty() ? m_settings.values().translation.language : own) && m_language->count() > 0) {
        m_language->setCurrentIndex(0);
    }
}

// A model that is told the languages takes them; from one made for a pair, another pair leads to the model made for that.
void TranslationChoicesRow::chooseLanguages()
{
    const QString pair = m_language->currentData().toString();
    const TranslationModelEntry *model = chosenModel();
    if (model == nullptr || ownPair(*model) == pair) {
        return;
    }
    if (!ownPair(*model).isEmpty()) {
        const auto made_for_it = std::find_if(m_models.entries.begin(), m_models.entries.end(),
                                              [&pair](const TranslationModelEntry &each) { return each.problem.isEmpty() && ownPair(each) == pair; });
        if (made_for_it != m_models.entries.end()) {
            m_settings.update([name = made_for_it->name](Settings &s) { s.translation_model = name; });
        }
        return;
    }
    TranslationTuning tuning = m_controls->tuning();
    tuning.language = pair;
    m_controls->show(tuning);
    keepTuning();
}

const TranslationModelEntry *TranslationChoicesRow::chosenModel() const
{
    return m_models.named(m_model->currentData().toString());
}

QString TranslationChoicesRow::sourceLanguage() const
{
    return m_language->count() == 0 ? QString() : m_language->currentText().section(QStringLiteral(" \u2192 "), 0, 0);
}

QString TranslationChoicesRow::targetLanguage() const
{
    return m_language->count() == 0 ? QString() : m_language->currentText().section(QStringLiteral(" \u2192 "), 1, 1);
}

std::optional<TranslatorChoices> TranslationChoicesRow::choices(QString &problem) const
{
    const TranslationModelEntry *model = chosenModel();
    if (model == nullptr && m_models.isMissing(m_settings.values().translation_model)) {
        problem = missingModelSentence(m_settings.values().translation_model);
        return {};
    }
    if (model == nullptr) {
        problem = m_models.whyNone(tr("No model that translates was found. The Models page says where Braid looks for them."),
                                   tr("Still looking for models. Try again in a moment."));
        return {};
    }
    if (!model->problem.isEmpty()) {
        problem = model->problem;
        return {};
    }
    TranslatorChoices choices{model->path, model->name, m_controls->tuning(), m_settings.values().compute};
    choices.tuning.language = ownPair(*model).isEmpty() ? m_language->currentData().toString() : QString();
    return choices;
}

void TranslationChoicesRow::setActivity(RunActivity activity, bool loading)
{
    showRun(activity, loading, tr("Finish at once, without translating what is left"));
}

void TranslationChoicesRow::setComparing(bool comparing)
{
    m_compare->setChecked(comparing);
}

}  // namespace braid::ui
