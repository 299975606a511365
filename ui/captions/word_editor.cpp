#include "ui/captions/word_editor.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>

namespace braid::ui {
namespace {

constexpr int kRoomBesideText = 24;  // frame, padding and the cursor
constexpr int kMargin = 4;

}  // namespace

WordEditor::WordEditor(QWidget *viewport)
    : QLineEdit(viewport)
{
    setObjectName(QStringLiteral("wordEditor"));
    setAccessibleName(tr("Correct the words"));
    setAccessibleDescription(tr("Enter keeps the correction, Escape leaves the words as they were. Nothing in the field strikes them out."));
    setCursor(Qt::IBeamCursor);
    hide();
    connect(this, &QLineEdit::textChanged, this, &WordEditor::fit);
}

void WordEditor::open(const QString &words, const QFont &font, const QRectF &place)
{
    m_place = place;
    // The style sheet of the window names a size of its own.
    setStyleSheet(QStringLiteral("QLineEdit#wordEditor { font-family: \"%1\"; font-size: %2px; padding: 0 6px; }").arg(font.family()).arg(font.pixelSize()));
    setText(words);
    selectAll();
    fit();
    show();
    raise();
    setFocus(Qt::OtherFocusReason);
}

void WordEditor::moveTo(const QRectF &place)
{
    m_place = place;
    fit();
}

void WordEditor::fit()
{
    ensurePolished();
    const int room = parentWidget()->width() - 2 * kMargin;
    const int wanted = fontMetrics().horizontalAdvance(text()) + kRoomBesideText;
    const int least = std::max(fontMetrics().averageCharWidth() * 10, static_cast<int>(m_place.width()) + kRoomBesideText);
    resize(std::min(room, std::max(wanted, least)), static_cast<int>(std::ceil(m_place.height())) + 4);
    const int most_left = std::max(kMargin, parentWidget()->width() - kMargin - width());
    move(std::clamp(static_cast<int>(m_place.left()) - kRoomBesideText / 3, kMargin, most_left), static_cast<int>(m_place.top()) - 2);
}

void WordEditor::finish(Typed typed)
{
    if (isHidden()) {
        return;
    }
    const QString words = text();
    hide();  // first: it loses the focus by that
    if (typed == Typed::Kept) {
        Q_EMIT kept(words);
    }
    Q_EMIT left();
}

void WordEditor::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape) {
        finish(Typed::Dropped);
        Q_EMIT doneByKey();
    } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        finish(Typed::Kept);
        Q_EMIT doneByKey();
    } else {
        QLineEdit::keyPressEvent(event);
        event->accept();  // while words are typed, no key means anything else
    }
}

void WordEditor::focusOutEvent(QFocusEvent *event)
{
    QLineEdit::focusOutEvent(event);
    // Another window, or the field's own menu: the person comes back.
    if (event->reason() != Qt::ActiveWindowFocusReason && event->reason() != Qt::PopupFocusReason) {
        finish(Typed::Kept);
    }
}

}  // namespace braid::ui
