#include "ui/shared/typing_field.h"

#include <QKeyEvent>
#include <QMimeData>
#include <QTextDocument>

namespace braid::ui {
namespace {

constexpr int kLongestInLine = 400;  // characters; what is longer is on its way at once

}  // namespace

TypingField::TypingField(QWidget *parent)
    : QPlainTextEdit(parent)
{
    setObjectName(QStringLiteral("typing"));
    setAccessibleName(tr("Words for the stream"));
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTabChangesFocus(true);
    setUndoRedoEnabled(false);
    document()->setDocumentMargin(6);
    setFixedHeight(34);
    connect(this, &QPlainTextEdit::textChanged, this, &TypingField::giveWords);
    setMode(TypingMode::AsTyped);
}

void TypingField::setMode(TypingMode mode)
{
    m_mode = mode;
    setPlaceholderText(mode == TypingMode::AsTyped ? tr("Type: each word enters as you press Space, Enter ends your turn") : tr("Type, then press Enter"));
    setAccessibleDescription(mode == TypingMode::AsTyped
                                 ? tr("Every word enters the stream with the space behind it. Enter ends your turn, Control and Enter cut in.")
                                 : tr("Enter sends the line and ends your turn, Control and Enter cut in."));
}

QString TypingField::takeText()
{
    const QString text = toPlainText().simplified();
    m_giving = true;
    clear();
    m_giving = false;
    return text;
}

void TypingField::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        const QString words = takeText();
        if (event->modifiers().testFlag(Qt::ControlModifier)) {
            if (!words.isEmpty()) {
                Q_EMIT interrupted(words);
            }
            return;
        }
        if (!words.isEmpty()) {
            Q_EMIT said(words);
        }
        Q_EMIT turnEnded();
    } else if (event->key() == Qt::Key_Escape || (event->key() == Qt::Key_Up && event->modifiers() == Qt::NoModifier)) {
        Q_EMIT leaveRequested();
        event->setAccepted(event->key() != Qt::Key_Escape);  // the window ends presenting with it
    } else {
        QPlainTextEdit::keyPressEvent(event);
    }
}

void TypingField::insertFromMimeData(const QMimeData *source)
{
    const QString text = source->text();
    const bool stays = m_mode == TypingMode::WithEnter && text.size() < kLongestInLine && !text.contains(QLatin1Char('\n'));
    const bool is_one_word = text.size() < kLongestInLine && text.simplified() == text && !text.contains(QLatin1Char(' '));
    if (stays || is_one_word) {
        QPlainTextEdit::insertFromMimeData(source);
        return;
    }
    const QString before = takeText();
    Q_EMIT said(before.isEmpty() ? text : before + text);
}

// What ends in a space is whole and goes; what does not is still being typed.
void TypingField::giveWords()
{
    if (m_giving || m_mode == TypingMode::WithEnter) {
        return;
    }
    const QString text = toPlainText();
    qsizetype end = text.size();
    while (end > 0 && !text[end - 1].isSpace()) {
        --end;
    }
    if (text.size() - end > kLongestInLine) {
        end = text.size();
    }
    if (end == 0) {
        return;
    }
    const QString words = text.left(end).simplified();
    const QString rest = text.mid(end);
    m_giving = true;
    setPlainText(rest);
    moveCursor(QTextCursor::End);
    m_giving = false;
    if (!words.isEmpty()) {
        Q_EMIT said(words);
    }
}

}  // namespace braid::ui
