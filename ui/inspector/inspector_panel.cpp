#include "ui/inspector/inspector_panel.h"

#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "ui/inspector/attention_view.h"
#include "ui/inspector/cache_view.h"
#include "ui/inspector/revision_list.h"
#include "ui/inspector/step_chart.h"
#include "ui/inspector/token_bars.h"
#include "ui/transcript/word_facts.h"

namespace braid::ui {
namespace {

void setTextIfNew(QLabel *label, const QString &text)
{
    if (label->text() != text) {
        label->setText(text);
    }
}

QString stepFacts(const engine::Statistics &statistics, const QString &policy)
{
    if (statistics.steps == 0) {
        return QObject::tr("No step yet.");
    }
    return QObject::tr("%1 steps of %2\nmedian %3 ms, 95 % within %4 ms\n%5 decoder passes, RTF %6")
        .arg(statistics.steps)
        .arg(policy.isEmpty() ? QObject::tr("the policy") : policy)
        .arg(statistics.step_ms_median, 0, 'f', 1)
        .arg(statistics.step_ms_p95, 0, 'f', 1)
        .arg(statistics.decoder_steps)
        .arg(statistics.real_time_factor, 0, 'f', 2);
}

}  // namespace

InspectorPanel::InspectorPanel(CaptionController &controller, Appearance &appearance, QWidget *parent)
    : QWidget(parent), m_controller(controller), m_why(new QLabel(this)), m_word(new QLabel(this)), m_probability(new QLabel(this)), m_tabs(new QTabBar(this)), m_pages(new QStackedWidget(this)),
      m_tokens(new TokenBars(appearance, this)), m_attention(new AttentionView(appearance, this)), m_steps(new StepChart(appearance, this)), m_changes(new RevisionList(this)),
      m_cache(new CacheView(appearance, this))
{
    setObjectName(QStringLiteral("inspector"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Inspector"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 0, 0, 0);
    layout->setSpacing(0);
    auto *head = new QVBoxLayout;
    head->setContentsMargins(16, 14, 12, 8);
    head->setSpacing(4);
    m_why->setObjectName(QStringLiteral("section"));
    m_word->setObjectName(QStringLiteral("word"));
    for (QLabel *label : {m_word, m_probability}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setFocusPolicy(Qt::NoFocus);
    }
    head->addWidget(m_why);
    head->addWidget(m_word);
    head->addWidget(m_probability);
    layout->addLayout(head);
    m_tabs->setAccessibleName(tr("What the Inspector shows"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideNone);
    layout->addWidget(m_tabs);
    layout->addWidget(m_pages, 1);

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

    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_pages->setCurrentIndex(index);
        showTab();
        Q_EMIT tabChanged(tab());
    });
    connect(m_tokens, &TokenBars::tokenHovered, this, &InspectorPanel::tokenHovered);
    connect(m_changes, &RevisionList::placeActivated, this, &InspectorPanel::placeActivated);
    show({}, {});
}

QVBoxLayout *InspectorPanel::addPage(const QString &title)
{
    auto *content = new QWidget(this);
    content->setAutoFillBackground(false);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(16, 12, 12, 12);
    column->setSpacing(6);
    auto *scroll = new QScrollArea(this);
    scroll->setAccessibleName(title);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    m_tabs->addTab(title);
    m_pages->addWidget(scroll);
    return column;
}

QLabel *InspectorPanel::addText(QVBoxLayout &column)
{
    auto *label = new QLabel(this);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFocusPolicy(Qt::NoFocus);
    column.addWidget(label);
    return label;
}

void InspectorPanel::addSection(QVBoxLayout &column, const QString &title)
{
    auto *label = new QLabel(title, this);
    label->setObjectName(QStringLiteral("section"));
    column.addSpacing(10);
    column.addWidget(label);
}

InspectorTab InspectorPanel::tab() const
{
    return static_cast<InspectorTab>(m_tabs->currentIndex() + 1);
}

void InspectorPanel::openTab(InspectorTab tab)
{
    m_tabs->setCurrentIndex(static_cast<int>(tab) - 1);
}

void InspectorPanel::show(std::optional<WordRef> ref, const QString &why)
{
    m_ref = ref;
    const text::Word *word = ref ? m_controller.transcript().find(*ref) : nullptr;
    m_word->setVisible(word != nullptr);
    if (word == nullptr) {
        setTextIfNew(m_why, tr("Inspector"));
        setTextIfNew(m_probability, tr("Words show here as they come. Point at one to see how the model found it; click to keep it."));
    } else {
        setTextIfNew(m_why, why);
        setTextIfNew(m_word, QString::fromStdString(word->text));
        setTextIfNew(m_probability,
                     tr("probability %1, %2").arg(static_cast<double>(word->probability), 0, 'f', 2).arg(ref->part == WordPart::Settled ? tr("settled") : tr("not settled yet")));
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
    const engine::CaptionSnapshot &snapshot = m_controller.snapshot();
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
        setTextIfNew(m_cache_facts, snapshot.encoder ? cacheFacts(*snapshot.encoder, m_controller.runStart()).join(QLatin1Char('\n'))
                                                     : tr("Nothing is cached. A streaming policy on a causal model keeps what its encoder has computed; here it shows, block by block."));
        break;
    }
}

QString InspectorPanel::wordText() const
{
    return m_word->text();
}

QString InspectorPanel::historyText() const
{
    return m_history->text();
}

}  // namespace braid::ui
