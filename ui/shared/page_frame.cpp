#include "ui/shared/page_frame.h"

#include <algorithm>

#include <QEvent>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/shared/notice_bar.h"

namespace braid::ui {

QVBoxLayout *layOutPaper(QWidget &paper, NoticeStack &notices)
{
    paper.setObjectName(QStringLiteral("paper"));
    paper.setAttribute(Qt::WA_StyledBackground);
    auto *column = new QVBoxLayout(&paper);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    notices.floatOverParent();
    return column;
}

void setUpColumns(QSplitter &columns)
{
    columns.setHandleWidth(1);
    columns.setChildrenCollapsible(false);
}

bool showInspectorColumn(QSplitter &columns, QWidget &inspector, bool open)
{
    const bool was_open = inspector.isVisibleTo(columns.parentWidget());
    inspector.setVisible(open);
    if (open && !was_open) {
        const int whole = std::max(columns.parentWidget()->width(), 600);
        columns.setSizes({whole * 2 / 3, whole / 3});
    }
    return open && !was_open;
}

EmptyState::EmptyState(QWidget &viewport, const Appearance &appearance)
    : QLabel(&viewport)
    , m_viewport(viewport)
    , m_appearance(appearance)
{
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setTextFormat(Qt::RichText);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    viewport.installEventFilter(this);
}

void EmptyState::showWords(const QString &title, const QString &sentence)
{
    setText(QStringLiteral("<div style='font-size:22px'>%1</div><div style='font-size:14px; color:%3; margin-top:8px'>%2</div>")
                .arg(title.toHtmlEscaped(), sentence.toHtmlEscaped(), m_appearance.colour(ColourToken::InkSoft).name()));
    place();
}

bool EmptyState::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize) {
        place();
    }
    return QLabel::eventFilter(watched, event);
}

void EmptyState::place()
{
    setGeometry(m_viewport.rect().adjusted(24, 0, -24, 0));
}

}  // namespace braid::ui
