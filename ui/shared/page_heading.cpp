#include "ui/shared/page_heading.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace braid::ui {

PageHeading::PageHeading(const QString &title, QWidget *parent)
    : QWidget(parent)
    , m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    auto *label = new QLabel(title, this);
    label->setObjectName(QStringLiteral("title"));
    m_row->addWidget(label);
    m_row->addStretch(1);
}

void PageHeading::add(QWidget *control)
{
    m_row->addWidget(control);
}

QPushButton *PageHeading::addButton(const QString &title, const QString &accessible_name)
{
    auto *button = new QPushButton(title, this);
    button->setAccessibleName(accessible_name);
    m_row->addWidget(button);
    return button;
}

QVBoxLayout *layOutPage(QWidget &page, PageHeading &heading)
{
    page.setObjectName(QStringLiteral("page"));
    page.setAttribute(Qt::WA_StyledBackground);
    auto *column = new QVBoxLayout(&page);
    column->setContentsMargins(32, 24, 32, 24);
    column->setSpacing(12);
    column->addWidget(&heading);
    return column;
}

}  // namespace braid::ui
