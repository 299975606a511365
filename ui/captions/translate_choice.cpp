#include "ui/captions/translate_choice.h"

#include <algorithm>

#include <QActionGroup>
#include <QMenu>
#include <QPushButton>

#include "ui/state/translation_pairs.h"

namespace braid::ui {

TranslateChoice::TranslateChoice(Services &services, SettingsStore &settings, QWidget *row)
    : QObject(row)
    , m_services(services)
    , m_settings(settings)
    , m_row(*row)
    , m_button(new QPushButton(row))
{
    m_button->setObjectName(QStringLiteral("translate"));
    m_button->setProperty("choice", true);
    m_button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(m_button, &QPushButton::clicked, this, &TranslateChoice::openMenu);
    connect(&settings, &SettingsStore::changed, this, [this](const Settings &before) {
        const Settings &now = m_settings.values();
        if (before.captions_translator != now.captions_translator || before.captions_translator_language != now.captions_translator_language ||
            !(before.translation == now.translation) || !(before.compute == now.compute)) {
            revise();
            Q_EMIT changed();
        }
    });
    revise();  // the row asks for the models
}

void TranslateChoice::refreshModels()
{
    if (!m_services.list_translation_models) {
        m_models.arrived = true;
        return;
    }
    m_models.find(this, m_services.list_translation_models, [this] {
        revise();
        Q_EMIT changed();
    });
}

std::optional<TranslatorChoices> TranslateChoice::choices() const
{
    const Settings &s = m_settings.values();
    const TranslationModelEntry *model = s.captions_translator.isEmpty() ? nullptr : m_models.named(s.captions_translator);
    if (model == nullptr || !model->problem.isEmpty()) {
        return {};
    }
    // How it reads and writes is set on the Translation page.
    TranslatorChoices choices{model->path, model->name, s.translation, s.compute};
    choices.tuning.language = s.captions_translator_language;
    return choices;
}

QString TranslateChoice::problem() const
{
    const QString &wanted = m_settings.values().captions_translator;
    const TranslationModelEntry *model = m_models.named(wanted);
    if (wanted.isEmpty() || !m_models.arrived) {
        return {};
    }
    if (model == nullptr) {
        return m_models.problem.isEmpty() ? missingModelSentence(wanted) : m_models.problem;
    }
    return model->problem;
}

QString TranslateChoice::targetLanguage() const
{
    const Settings &s = m_settings.values();
    const TranslationModelEntry *model = s.captions_translator.isEmpty() ? nullptr : m_models.named(s.captions_translator);
    if (model != nullptr) {
        for (const LanguagePair &pair : pairsOf(*model)) {
            if (pair.code == s.captions_translator_language) {
                return pair.target;
            }
        }
    }
    return {};
}

void TranslateChoice::choose(const QString &model, const QString &language)
{
    m_settings.update([&](Settings &s) {
        s.captions_translator = model;
        s.captions_translator_language = language;
    });
}

void TranslateChoice::revise()
{
    const QString target = targetLanguage();
    const QString text = !isWanted() ? tr("Translate") : target.isEmpty() ? m_settings.values().captions_translator : tr("\u2192 %1").arg(target);
    m_button->setText(m_loading.isEmpty() ? text : text + QStringLiteral(" \u2026"));
    // Room for the chevron that the style draws at the right end.
    m_button->setFixedWidth(m_button->fontMetrics().horizontalAdvance(m_button->text()) + 44);
    m_button->setAccessibleName(isWanted() ? tr("Translation under the captions: %1").arg(target) : tr("Translation under the captions: off"));
    const QString why_not = problem();
    m_button->setToolTip(!why_not.isEmpty() ? why_not : !m_loading.isEmpty() ? m_loading : tr("A translation under every line (T)"));
}

void TranslateChoice::showLoading(const QString &activity)
{
    if (activity != m_loading) {
        m_loading = activity;
        revise();
    }
}

void TranslateChoice::openMenu()
{
    if (m_menu) {
        m_menu->close();
    }
    auto *menu = new QMenu(&m_row);
    m_menu = menu;
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    menu->setAccessibleName(tr("Translation under the captions"));
    auto *group = new QActionGroup(menu);
    const auto add = [&](const QString &title, const QString &model, const QString &language) {
        QAction *entry = menu->addAction(title);
        entry->setCheckable(true);
        entry->setActionGroup(group);
        const Settings &s = m_settings.values();
        entry->setChecked(s.captions_translator == model && (model.isEmpty() || s.captions_translator_language == language));
        connect(entry, &QAction::triggered, this, [this, model, language] { choose(model, language); });
        return entry;
    };
    add(tr("No translation"), {}, {});
    const auto usable =
        std::count_if(m_models.entries.begin(), m_models.entries.end(), [](const TranslationModelEntry &each) { return each.problem.isEmpty(); });
    for (const TranslationModelEntry &model : m_models.entries) {
        const std::vector<LanguagePair> pairs = pairsOf(model);
        if (!model.problem.isEmpty()) {
            QAction *entry = add(tr("%1 (cannot be used)").arg(model.name), model.name, {});
            entry->setEnabled(false);
            entry->setToolTip(model.problem);
            continue;
        }
        menu->addSeparator();
        for (const LanguagePair &pair : pairs) {
            const QString title = usable > 1 ? tr("%1 (%2)").arg(pair.name(), model.name) : pair.name();
            add(title, model.name, pair.code)->setToolTip(model.description);
        }
    }
    if (m_models.entries.empty()) {
        menu->addAction(m_models.whyNone(tr("No model that translates was found"), tr("Looking for models\u2026")))->setEnabled(false);
    }
    menu->addSeparator();
    connect(menu->addAction(tr("Get a better model\u2026")), &QAction::triggered, this, &TranslateChoice::betterModelWanted);
    menu->popup(m_button->isVisible() ? m_button->mapToGlobal(QPoint(0, m_button->height())) : m_row.mapToGlobal(QPoint(16, m_row.height())));
}

}  // namespace braid::ui
