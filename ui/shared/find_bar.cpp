#include "ui/shared/find_bar.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "ui/shared/finder.h"

namespace braid::ui {

FindBar::FindBar(Finder &finder, QWidget &view, const QString &title, Place place, QWidget *parent)
    : QFrame(parent)
    , m_finder(finder)
    , m_view(view)
    , m_place(place)
    , m_field(new QLineEdit(this))
    , m_count(new QLabel(this))
{
    setObjectName(QStringLiteral("findBar"));
    m_field->setObjectName(QStringLiteral("findField"));
    m_field->setPlaceholderText(title);
    m_field->setAccessibleName(title);
    m_field->setMinimumWidth(180);
    m_count->setMinimumWidth(m_count->fontMetrics().horizontalAdvance(QStringLiteral("0000 of 0000")));
    m_count->setProperty("soft", true);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 6, 6, 6);
    layout->addWidget(m_field);
    layout->addWidget(m_count);
    const auto addButton = [&](const QString &text, const QString &name, auto action) {
        auto *button = new QToolButton(this);
        button->setText(text);
        button->setAccessibleName(name);
        button->setToolTip(name);
        connect(button, &QToolButton::clicked, this, action);
        layout->addWidget(button);
    };
    addButton(QStringLiteral("\u2191"), tr("Previous match"), [this] { m_finder.showMatch(m_finder.current() - 1); });
    addButton(QStringLiteral("\u2193"), tr("Next match"), [this] { m_finder.showMatch(m_finder.current() + 1); });
    addButton(QStringLiteral("\u2715"), tr("Close finding"), [this] { close(); });
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString &needle) { m_finder.find(needle); });
    connect(m_field, &QLineEdit::returnPressed, this, [this] { m_finder.showMatch(m_finder.current() + 1); });
    connect(&m_finder, &Finder::changed, this, &FindBar::refresh);
    m_view.installEventFilter(this);
    refresh();
    hide();
}

// In the upper right corner, or where it was made: over the names of lanes, whose newest words stand at the right.
void FindBar::place()
{
    if (m_place == Place::TopRight) {
        const QPoint corner = m_view.mapTo(parentWidget(), QPoint(m_view.width(), 0));
        move(std::max(8, corner.x() - width() - 24), corner.y() + 8);
    }
}

bool FindBar::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize && !isHidden()) {
        place();
    }
    return QFrame::eventFilter(watched, event);
}

void FindBar::open()
{
    adjustSize();
    place();
    show();
    raise();
    m_field->setFocus();
    m_field->selectAll();
    m_finder.find(m_field->text());
}

void FindBar::openWith(const QString &words)
{
    if (!words.isEmpty()) {
        m_field->setText(words);
        open();
    }
}

void FindBar::close()
{
    hide();
    m_finder.find({});
    m_view.setFocus();
}

void FindBar::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        close();
        return;
    }
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_field->hasFocus()) {
        // The field has already acted; without this Enter would also reach the window.
        if (event->modifiers().testFlag(Qt::ShiftModifier)) {
            m_finder.showMatch(m_finder.current() - 2);
        }
        return;
    }
    QFrame::keyPressEvent(event);
}

QString FindBar::countText() const
{
    return m_count->text();
}

void FindBar::refresh()
{
    if (m_field->text().trimmed().isEmpty()) {
        m_count->clear();
    } else if (m_finder.count() == 0) {
        m_count->setText(tr("nothing found"));
    } else {
        m_count->setText(tr("%1 of %2").arg(m_finder.current() + 1).arg(m_finder.count()));
    }
}

}  // namespace braid::ui
