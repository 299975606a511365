#include "ui/inspector/inspector_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/inspector/attention_view.h"
#include "ui/inspector/cache_view.h"
#include "ui/inspector/revision_list.h"
#include "ui/inspector/step_chart.h"
#include "ui/inspector/token_bars.h"
#include "ui/shared/label_text.h"
#include "ui/state/word_facts.h"

namespace braid::ui {
namespace {

QString stepFacts(const captions::Statistics &statistics, const QString &policy)
{
    if (statistics.steps == 0) {
        return QObject::tr("No step yet.");
    }
    const QString steps =
        QObject::tr("%n step(s) of %1", nullptr, static_cast<int>(statistics.steps)).arg(policy.isEmpty() ? QObject::tr("the method") : policy);
    const QString times = QObject::tr("median %1 ms, 95 % within %2 ms").arg(statistics.step_ms_median, 0, 'f', 1).arg(statistics.step_ms_p95, 0, 'f', 1);
    const QString passes =
        QObject::tr("%n decoder pass(es), RTF %1", nullptr, static_cast<int>(statistics.decoder_steps)).arg(statistics.real_time_factor, 0, 'f', 2);
    return steps + QLatin1Char('\n') + times + QLatin1Char('\n') + passes;
}

}  // namespace

InspectorPanel::InspectorPanel(CaptionController &controller, Appearance &appearance, QWidget *parent)
    : InspectorFrame(parent)
    , m_controller(controller)
    , m_tokens(new TokenBars(appearance, this))
    , m_attention(new AttentionView(appearance, this))
    , m_steps(new StepChart(appearance, this))
    , m_changes(new RevisionList(this))
    , m_cache(new CacheView(appearance, this))
{
    QVBoxLayout *token = addPage(tr("Token"));
    token->addWidget(m_tokens);
    addSection(*token, tr("What it was"));
    m_history = addText(*token);
    addSection(*token, tr("Time"));
    m_times = addText(*token);
    token->addStretch(1);
    QVBoxLayout *attention = addPage(tr("Attention"));
    attention->addWidget(m_attention);
    attention->addStretch(1);
    QVBoxLayout *timing = addPage(tr("Timing"));
    m_lag = addText(*timing);
    addSection(*timing, tr("Steps"));
    timing->addWidget(m_steps);
    m_step_facts = addText(*timing);
    m_step_facts->setProperty("soft", true);
    timing->addStretch(1);
    QVBoxLayout *changes = addPage(tr("Changes"));
    m_no_changes = addText(*changes);
    m_no_changes->setText(tr("No word has changed yet. When the model thinks better of one, what it was shows here."));
    m_no_changes->setProperty("soft", true);
    changes->addWidget(m_changes, 1);
    QVBoxLayout *cache = addPage(tr("Cache"));
    cache->addWidget(m_cache);
    m_cache_facts = addText(*cache);
    cache->addStretch(1);

    connect(this, &InspectorFrame::pageChanged, this, [this] {
        showTab();
        Q_EMIT tabChanged(tab());
    });
    connect(m_tokens, &TokenBars::tokenHovered, this, &InspectorPanel::tokenHovered);
    connect(m_changes, &RevisionList::placeActivated, this, &InspectorPanel::placeActivated);
    show({}, {});
}

void InspectorPanel::show(std::optional<WordRef> ref, const QString &why)
{
    m_ref = ref;
    const text::Word *word = ref ? m_controller.transcript().find(*ref) : nullptr;
    if (word == nullptr) {
        setHeading(tr("Inspector"), {}, tr("Words show here as they come. Point at one to see how the model found it; click to keep it."));
    } else {
        setHeading(why, QString::fromStdString(word->text),
                   tr("probability %1, %2")
                       .arg(static_cast<double>(word->probability), 0, 'f', 2)
                       .arg(ref->part == WordPart::Settled ? tr("settled") : tr("not settled yet")));
    }
    showTab();
}

void InspectorPanel::showState()
{
    if (tab() != InspectorTab::Token && tab() != InspectorTab::Attention) {
        showTab();
    }
}

void InspectorPanel::showToken(const text::Word &word)
{
    setTextIfNew(m_history, historyOf(m_controller.revisions().chainOf(word), word));
    setTextIfNew(m_times, wordTimeText(word) + QLatin1Char('\n') + timeMethodText(word.time_method));
}

void InspectorPanel::showTab()
{
    const text::Word *word = m_ref ? m_controller.transcript().find(*m_ref) : nullptr;
    const captions::CaptionSnapshot &snapshot = m_controller.snapshot();
    switch (tab()) {
    case InspectorTab::Token:
        m_tokens->show(word);
        m_tokens->parentWidget()->setVisible(word != nullptr);
        if (word != nullptr) {
            showToken(*word);
        }
        break;
    case InspectorTab::Attention:
        m_attention->show(word != nullptr ? m_controller.attentionFor(word) : AttentionRecord(), word);
        break;
    case InspectorTab::Timing:
        setTextIfNew(m_lag, word != nullptr ? wordLagText(*word) : QString());
        m_lag->setVisible(word != nullptr);
        m_steps->show(snapshot.steps, m_controller.runStart());
        setTextIfNew(m_step_facts, stepFacts(snapshot.statistics, QString::fromStdString(snapshot.policy)));
        break;
    case InspectorTab::Changes:
        m_changes->follow(m_controller.revisions());
        m_no_changes->setVisible(m_controller.revisions().all().empty());
        m_changes->setVisible(!m_controller.revisions().all().empty());
        break;
    case InspectorTab::Cache:
        m_cache->show(snapshot.encoder, m_controller.runStart());
        m_cache->setVisible(snapshot.encoder != nullptr);
        setTextIfNew(m_cache_facts,
                     snapshot.encoder
                         ? cacheFacts(*snapshot.encoder, m_controller.runStart()).join(QLatin1Char('\n'))
                         : tr("Nothing is cached. A model made for streaming keeps what it has computed of the sound; it shows here, block by block."));
        break;
    }
}

QString InspectorPanel::historyText() const
{
    return m_history->text();
}

}  // namespace braid::ui
