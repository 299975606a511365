#include "ui/inspector/inspector_panel.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/inspector/attention_view.h"
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

}  // namespace

InspectorPanel::InspectorPanel(CaptionController &controller, Appearance &appearance, QWidget *parent)
    : QWidget(parent), m_controller(controller), m_why(new QLabel(this)), m_word(new QLabel(this)), m_facts(new QWidget(this)), m_times(new QLabel(this)), m_lag(new QLabel(this)),
      m_revisions(new QLabel(this)), m_probability(new QLabel(this)), m_tokens(new TokenBars(appearance, this)), m_attention(new AttentionView(appearance, this))
{
    setObjectName(QStringLiteral("inspector"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Inspector"));
    auto *content = new QWidget(this);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(16, 16, 12, 16);
    column->setSpacing(6);
    auto *facts = new QVBoxLayout(m_facts);
    facts->setContentsMargins(0, 0, 0, 0);
    facts->setSpacing(6);
    const auto addSection = [&](const QString &title) {
        auto *label = new QLabel(title, m_facts);
        label->setObjectName(QStringLiteral("section"));
        facts->addSpacing(12);
        facts->addWidget(label);
    };
    m_why->setObjectName(QStringLiteral("section"));
    m_word->setObjectName(QStringLiteral("word"));
    m_word->setWordWrap(true);
    column->addWidget(m_why);
    column->addWidget(m_word);
    column->addWidget(m_probability);
    column->addWidget(m_facts);
    addSection(tr("Tokens and rivals"));
    facts->addWidget(m_tokens);
    addSection(tr("Time"));
    facts->addWidget(m_times);
    facts->addWidget(m_lag);
    addSection(tr("Revisions"));
    facts->addWidget(m_revisions);
    addSection(tr("Attention to the sound"));
    facts->addWidget(m_attention);
    column->addStretch(1);
    for (QLabel *label : {m_times, m_lag, m_revisions, m_probability, m_word}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setFocusPolicy(Qt::NoFocus);
    }
    m_lag->setProperty("soft", true);
    auto *scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Inspector"));
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 0, 0, 0);
    layout->addWidget(scroll);
    show({}, {});
}

void InspectorPanel::show(std::optional<WordRef> ref, const QString &why)
{
    const text::Word *word = ref ? m_controller.transcript().find(*ref) : nullptr;
    m_facts->setVisible(word != nullptr);
    m_word->setVisible(word != nullptr);
    if (word == nullptr) {
        setTextIfNew(m_why, tr("Inspector"));
        setTextIfNew(m_probability, tr("Words show here as they come. Point at one to see how the model found it; click to keep it."));
        m_tokens->show(nullptr);
        m_attention->show({}, nullptr);
        return;
    }
    setTextIfNew(m_why, why);
    setTextIfNew(m_word, QString::fromStdString(word->text));
    setTextIfNew(m_probability, tr("probability %1, %2").arg(static_cast<double>(word->probability), 0, 'f', 2).arg(ref->part == WordPart::Settled ? tr("settled") : tr("not settled yet")));
    setTextIfNew(m_times, wordTimeText(*word) + QLatin1Char('\n') + timeMethodText(word->time_method));
    setTextIfNew(m_lag, wordLagText(*word));
    setTextIfNew(m_revisions, revisionText(*word));
    m_tokens->show(word);
    m_attention->show(m_controller.attentionFor(word), word);
}

QString InspectorPanel::wordText() const
{
    return m_word->text();
}

}  // namespace braid::ui
