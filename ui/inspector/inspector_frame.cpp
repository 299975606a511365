#include "ui/inspector/inspector_frame.h"

#include <QLabel>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "ui/shared/label_text.h"

namespace braid::ui {

InspectorFrame::InspectorFrame(QWidget *parent)
    : QWidget(parent)
    , m_why(new QLabel(this))
    , m_word(new QLabel(this))
    , m_facts(new QLabel(this))
    , m_tabs(new QTabBar(this))
    , m_pages(new QStackedWidget(this))
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
    for (QLabel *label : {m_word, m_facts}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setFocusPolicy(Qt::NoFocus);
    }
    head->addWidget(m_why);
    head->addWidget(m_word);
    head->addWidget(m_facts);
    layout->addLayout(head);
    m_tabs->setAccessibleName(tr("What the Inspector shows"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setUsesScrollButtons(true);
    m_tabs->setElideMode(Qt::ElideNone);
    layout->addWidget(m_tabs);
    layout->addWidget(m_pages, 1);
    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        m_pages->setCurrentIndex(index);
        Q_EMIT pageChanged(index + 1);
    });
}

void InspectorFrame::openPage(int page)
{
    m_tabs->setCurrentIndex(page - 1);
}

int InspectorFrame::page() const
{
    return m_tabs->currentIndex() + 1;
}

QString InspectorFrame::wordText() const
{
    return m_word->text();
}

void InspectorFrame::setHeading(const QString &why, const QString &word, const QString &facts)
{
    setTextIfNew(m_why, why);
    setTextIfNew(m_word, word);
    setTextIfNew(m_facts, facts);
    m_word->setVisible(!word.isEmpty());
}

QVBoxLayout *InspectorFrame::addPage(const QString &title)
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
    m_pages->addWidget(scroll);
    m_tabs->addTab(title);
    return column;
}

QLabel *InspectorFrame::addText(QVBoxLayout &column)
{
    auto *label = new QLabel(this);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFocusPolicy(Qt::NoFocus);
    column.addWidget(label);
    return label;
}

void InspectorFrame::addSection(QVBoxLayout &column, const QString &title)
{
    auto *label = new QLabel(title, this);
    label->setObjectName(QStringLiteral("section"));
    column.addSpacing(10);
    column.addWidget(label);
}

}  // namespace braid::ui
