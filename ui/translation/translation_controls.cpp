#include "ui/translation/translation_controls.h"

#include <algorithm>

#include <QPushButton>

#include "ui/shared/choice_box.h"
#include "ui/shared/popup_panel.h"

namespace braid::ui {

TranslationControls::TranslationControls(const QString &whose, QWidget *parent)
    : QObject(parent)
    , m_paradigm(new ChoiceBox(tr("Method%1").arg(whose), tr("How source and translation share the model's memory"), parent))
    , m_button(new QPushButton(parent))
    , m_panel(new TranslationPanel(parent))
{
    m_paradigm->setObjectName(QStringLiteral("paradigm"));
    for (const ParadigmEntry &entry : translationParadigms()) {
        m_paradigm->addItem(entry.title, entry.id);
        m_paradigm->setItemData(m_paradigm->count() - 1, entry.explanation, Qt::ToolTipRole);
    }
    m_button->setObjectName(QStringLiteral("waitK"));
    m_button->setProperty("choice", true);
    m_button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_button->setToolTip(tr("k, phi, catching up and chance (D). [ and ] read fewer and more ahead."));
    m_panel->setWindowFlags(Qt::Popup | Qt::FramelessWindowHint);
    m_panel->hide();
    connect(m_button, &QPushButton::clicked, this, &TranslationControls::openPanel);
    connect(m_paradigm, &ChoiceBox::activated, this, [this] {
        TranslationTuning tuning = m_tuning;
        tuning.paradigm = m_paradigm->currentData().toString();
        take(tuning);
    });
    connect(m_panel, &TranslationPanel::changed, this, &TranslationControls::take);
    revise();
}

void TranslationControls::take(const TranslationTuning &tuning)
{
    if (!(tuning == m_tuning)) {
        m_tuning = tuning;
        revise();
        Q_EMIT changed();
    }
}

void TranslationControls::show(const TranslationTuning &tuning)
{
    m_tuning = tuning;
    revise();
}

void TranslationControls::revise()
{
    m_paradigm->choose(m_tuning.paradigm);
    m_panel->show(m_tuning);
    const QString text = tuningText(m_tuning);
    m_button->setText(text);
    // Room for the chevron that the style draws at the right end.
    m_button->setFixedWidth(m_button->fontMetrics().horizontalAdvance(text) + 44);
    m_button->setAccessibleName(tr("k, phi and catching up: %1").arg(text));
}

void TranslationControls::openPanel()
{
    if (m_button->isVisible()) {
        m_panel->fit();
        openBelow(*m_panel, *m_button);
    }
}

void TranslationControls::stepK(int direction)
{
    TranslationTuning tuning = m_tuning;
    const int now = tuning.k == kWholeSentence ? kMostWaitK + 1 : tuning.k;
    const int next = std::clamp(now + direction, 1, kMostWaitK + 1);
    tuning.k = next > kMostWaitK ? kWholeSentence : next;
    take(tuning);
}

}  // namespace braid::ui
