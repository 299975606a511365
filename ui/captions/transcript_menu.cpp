#include "ui/captions/transcript_menu.h"

#include <QApplication>
#include <QClipboard>
#include <QMenu>

#include "ui/captions/transcript_view.h"

namespace braid::ui {

QMenu *makeTranscriptMenu(TranscriptView &view, int word, const TranscriptActions &actions, QWidget *parent)
{
    auto *menu = new QMenu(parent);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto add = [menu](const QString &title, const QString &keys, bool possible, auto action) {
        QAction *entry = menu->addAction(keys.isEmpty() ? title : title + QLatin1Char('\t') + keys);
        entry->setEnabled(possible);
        QObject::connect(entry, &QAction::triggered, menu, action);
    };
    const bool on_word = word >= 0;
    const bool has_words = view.model().wordCount() > 0;
    add(QObject::tr("Copy"), QObject::tr("Ctrl+C"), !view.selectedText().isEmpty(), [&view] { view.copySelection(); });
    add(QObject::tr("Copy all"), {}, has_words, [&view] { QApplication::clipboard()->setText(view.model().plainText(0, view.model().wordCount() - 1)); });
    add(QObject::tr("Select all"), QObject::tr("Ctrl+A"), has_words, [&view] { view.selectAll(); });
    menu->addSeparator();
    add(QObject::tr("Hear this word"), QObject::tr("Enter"), on_word, [actions, word] { actions.hear(word); });
    add(QObject::tr("Hear on from here"), QObject::tr("Shift+Enter"), on_word, [actions, word] { actions.hear_on(word); });
    add(QObject::tr("Keep it in the Inspector"), {}, on_word, [&view, word] { view.pinWord(WordRef{WordPart::Settled, word}); });
    menu->addSeparator();
    add(QObject::tr("Correct\u2026"), QStringLiteral("F2"), on_word, [&view, word] {
        const auto chosen = view.wordsToCorrect();
        const bool in_selection = chosen && chosen->first <= word && word <= chosen->second;
        view.correct(in_selection ? chosen->first : word, in_selection ? chosen->second : word);
    });
    add(QObject::tr("Correct the line\u2026"), QObject::tr("Shift+F2"), on_word,
        [&view, word] { view.correct(view.lineOf(word).first, view.lineOf(word).second); });
    const bool is_corrected = on_word && text::isCorrected(view.model().word(word));
    add(is_corrected ? QObject::tr("Back to \u201c%1\u201d").arg(QString::fromStdString(view.model().word(word).heard)) : QObject::tr("Back to what was heard"),
        {}, is_corrected, [actions, word] { actions.take_back(word); });
    add(QObject::tr("Undo"), QObject::tr("Ctrl+Z"), static_cast<bool>(actions.undo), [actions] { actions.undo(); });
    menu->addSeparator();
    add(QObject::tr("Find\u2026"), QStringLiteral("/"), has_words, actions.find);
    add(QObject::tr("Save\u2026"), QObject::tr("Ctrl+E"), has_words, actions.save);
    return menu;
}

}  // namespace braid::ui
