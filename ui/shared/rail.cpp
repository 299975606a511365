#include "ui/shared/rail.h"

#include <algorithm>

#include <QButtonGroup>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/shared/icons.h"

namespace braid::ui {
namespace {

constexpr int kLeastWidth = 88;
constexpr QSize kIconSize(24, 24);
constexpr int kNamedHeight = 64;  // of a button with its name, and the space behind it

}  // namespace

Rail::Rail(QWidget *parent)
    : QWidget(parent)
    , m_column(new QVBoxLayout(this))
    , m_pages(new QButtonGroup(this))
{
    setObjectName(QStringLiteral("rail"));
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(tr("Pages"));
    setFixedWidth(kLeastWidth);
    m_column->setContentsMargins(6, 10, 6, 10);
    m_column->setSpacing(4);
    m_pages->setExclusive(true);
    connect(m_pages, &QButtonGroup::idClicked, this, &Rail::pageRequested);
}

QToolButton *Rail::addButton(const QString &icon, const QString &title, const QString &tip)
{
    auto *button = new QToolButton(this);
    button->setProperty("rail", true);
    button->setText(title);
    button->setAccessibleName(title);
    button->setToolTip(tip);
    button->setIconSize(kIconSize);
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_column->addWidget(button);
    const QMargins margins = m_column->contentsMargins();
    setFixedWidth(std::max(width(), button->sizeHint().width() + margins.left() + margins.right()));
    m_buttons.emplace_back(button, icon);
    return button;
}

void Rail::addPage(int id, const QString &icon, const QString &title, const QString &keys)
{
    QToolButton *button = addButton(icon, title, tr("%1 (%2)").arg(title, keys));
    button->setCheckable(true);
    m_pages->addButton(button, id);
}

void Rail::addStretch()
{
    m_column->addStretch(1);
}

void Rail::addAction(const QString &title, const QString &keys, std::function<void()> action)
{
    if (m_more == nullptr) {
        m_more = addButton(QStringLiteral("more"), tr("More"), tr("Open, save, find, compare, present, keys"));
        m_more->setAccessibleName(tr("More actions"));
        m_more->setPopupMode(QToolButton::InstantPopup);
        m_menu = new QMenu(m_more);
        m_more->setMenu(m_menu);
    }
    connect(m_menu->addAction(title + QLatin1Char('\t') + keys), &QAction::triggered, this, [action = std::move(action)] { action(); });
}

void Rail::addSeparator()
{
    if (m_menu != nullptr) {
        m_menu->addSeparator();
    }
}

void Rail::setPage(int id)
{
    if (QAbstractButton *button = m_pages->button(id)) {
        button->setChecked(true);
    }
}

// Where the names do not fit, icons stand alone; a tip says their names.
void Rail::resizeEvent(QResizeEvent *)
{
    const bool has_room = height() >= static_cast<int>(m_buttons.size()) * kNamedHeight;
    for (const auto &[button, icon] : m_buttons) {
        button->setToolButtonStyle(has_room ? Qt::ToolButtonTextUnderIcon : Qt::ToolButtonIconOnly);
    }
    m_column->activate();  // the buttons have their new height in the same frame
}

void Rail::setTheme(const Theme &theme)
{
    for (const auto &[button, icon] : m_buttons) {
        button->setIcon(themedIcon(icon, theme));
    }
}

}  // namespace braid::ui
