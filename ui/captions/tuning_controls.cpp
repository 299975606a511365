#include "ui/captions/tuning_controls.h"

#include <algorithm>

#include <QPushButton>
#include <QStandardItemModel>

#include "ui/shared/choice_box.h"
#include "ui/shared/core_words.h"
#include "ui/shared/popup_panel.h"

namespace braid::ui {
namespace {

constexpr int kChunkStepMs = 100;
constexpr int kDefaultChunkMs = 300;

QString whyNot(const PolicyEntry &policy, const ModelEntry &model)
{
    if (policy.listens != model.listens) {
        return policy.listens ? QObject::tr("%1 is not a language model that listens.").arg(model.name)
                              : QObject::tr("%1 is a language model that listens: it has a method of its own.").arg(model.name);
    }
    return QObject::tr("%1 was not made for streaming: it has to hear what follows.").arg(model.name);
}

}  // namespace

std::vector<PolicyEntry> policyEntries(const models::CaptionPolicies &policies)
{
    std::vector<PolicyEntry> entries;
    for (const models::CaptionPolicyEntry &policy : policies.entries()) {
        if (policy.make) {
            entries.push_back({QString::fromStdString(policy.name), coreWords(policy.title), coreWords(policy.description),
                               policy.runs == models::PolicyRuns::OnStreamingModels, policy.runs == models::PolicyRuns::AsTheModelLikes,
                               policy.runs == models::PolicyRuns::OnSpeechLanguageModels});
        }
    }
    return entries;
}

TuningControls::TuningControls(const std::vector<PolicyEntry> &policies, QWidget *parent)
    : QObject(parent)
    , m_policies(policies)
    , m_policy(new ChoiceBox(tr("Method"), tr("When words count as settled"), parent))
    , m_button(new QPushButton(parent))
    , m_panel(new TuningPanel(parent))
{
    m_policy->setObjectName(QStringLiteral("policy"));
    for (const PolicyEntry &policy : policies) {
        m_policy->addItem(policy.title, policy.id);
        m_policy->setItemData(m_policy->count() - 1, policy.explanation, Qt::ToolTipRole);
    }
    m_button->setObjectName(QStringLiteral("decoding"));
    m_button->setProperty("choice", true);
    m_button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_button->setToolTip(tr("Fine-tuning (D). [ and ] make the pieces of sound shorter and longer."));
    m_panel->setWindowFlags(Qt::Popup | Qt::FramelessWindowHint);
    m_panel->hide();
    connect(m_button, &QPushButton::clicked, this, &TuningControls::openPanel);
    connect(m_policy, &ChoiceBox::activated, this, [this] {
        m_tuning.policy = m_policy->currentData().toString();
        revise();
        Q_EMIT changed();
    });
    connect(m_panel, &TuningPanel::changed, this, [this](const CaptionTuning &tuning) {
        m_tuning.chunk_ms = tuning.chunk_ms;
        m_tuning.beam_size = tuning.beam_size;
        m_tuning.look_back_tokens = tuning.look_back_tokens;
        revise();
        Q_EMIT changed();
    });
    revise();
}

const PolicyEntry *TuningControls::chosenPolicy() const
{
    const auto found = std::find_if(m_policies.begin(), m_policies.end(), [this](const PolicyEntry &policy) { return policy.id == m_tuning.policy; });
    return found != m_policies.end() ? &*found : m_policies.empty() ? nullptr : &m_policies.front();
}

void TuningControls::show(const CaptionTuning &tuning)
{
    m_tuning = tuning;
    revise();
}

void TuningControls::setModel(const ModelEntry *model)
{
    m_model_streams = model != nullptr && model->made_for_streaming;
    m_least_chunk_ms = m_model_streams ? model->least_chunk_ms : kLeastChunkMs;
    m_most_chunk_ms = m_model_streams ? model->most_chunk_ms : kMostChunkMs;
    m_own_chunk_ms = m_model_streams ? model->own_chunk_ms : 0;
    m_first_chunk_ms = m_model_streams ? model->first_chunk_ms : 0;
    auto *items = qobject_cast<QStandardItemModel *>(m_policy->model());
    for (std::size_t index = 0; items != nullptr && index < m_policies.size(); ++index) {
        const bool usable = runsOn(m_policies[index], model);
        QStandardItem *item = items->item(static_cast<int>(index));
        item->setEnabled(usable);
        item->setToolTip(usable ? m_policies[index].explanation : whyNot(m_policies[index], *model));
    }
    // What was chosen for another model cannot run on this one: the nearest that can takes its place.
    const PolicyEntry *chosen = chosenPolicy();
    const auto instead =
        std::find_if(m_policies.begin(), m_policies.end(), [](const PolicyEntry &policy) { return policy.follows_the_model && !policy.streams; });
    if (chosen != nullptr && !runsOn(*chosen, model) && instead != m_policies.end()) {
        m_tuning.policy = instead->id;
    }
    revise();
}

void TuningControls::revise()
{
    const PolicyEntry *policy = chosenPolicy();
    const bool streams = policy != nullptr && (policy->streams || (policy->follows_the_model && m_model_streams));
    m_range = streams ? TuningRange{m_least_chunk_ms, m_most_chunk_ms, m_own_chunk_ms, m_first_chunk_ms, true}
                      : TuningRange{kLeastChunkMs, kMostChunkMs, 0, 0, false};
    if (policy != nullptr) {
        m_policy->choose(policy->id);
    }
    if (m_tuning.chunk_ms > 0) {
        m_tuning.chunk_ms = std::clamp(m_tuning.chunk_ms, m_range.least_chunk_ms, m_range.most_chunk_ms);
    }
    m_panel->setRange(m_range);
    m_panel->show(m_tuning);
    const QString text = tuningText(m_tuning, m_range);
    m_button->setText(text);
    // Room for the chevron that the style draws at the right end.
    m_button->setFixedWidth(m_button->fontMetrics().horizontalAdvance(text) + 44);
    m_button->setAccessibleName(tr("Fine-tuning: %1").arg(m_button->text()));
}

QString TuningControls::description() const
{
    return tr("%1, %2").arg(m_policy->currentText(), tuningText(m_tuning, m_range));
}

void TuningControls::openPanel()
{
    if (!m_button->isVisible()) {
        return;
    }
    m_panel->fit();
    openBelow(*m_panel, *m_button);
}

void TuningControls::stepChunk(int direction)
{
    const int now = m_tuning.chunk_ms > 0 ? m_tuning.chunk_ms : m_own_chunk_ms > 0 ? m_own_chunk_ms : kDefaultChunkMs;
    // To the next whole step: 350 becomes 400 or 300.
    const int next = direction > 0 ? (now / kChunkStepMs + 1) * kChunkStepMs : (now + kChunkStepMs - 1) / kChunkStepMs * kChunkStepMs - kChunkStepMs;
    const int wanted = std::clamp(next, m_range.least_chunk_ms, m_range.most_chunk_ms);
    if (wanted != m_tuning.chunk_ms) {
        m_tuning.chunk_ms = wanted;
        revise();
        Q_EMIT changed();
    }
}

}  // namespace braid::ui
