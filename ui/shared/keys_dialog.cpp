#include "ui/shared/keys_dialog.h"

#include <utility>

#include <QDialog>
#include <QFormLayout>
#include <QLabel>

namespace braid::ui {

void showKeysDialog(QWidget *parent)
{
    auto *dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("Keyboard and mouse"));
    auto *form = new QFormLayout(dialog);
    form->setContentsMargins(24, 20, 24, 20);
    form->setHorizontalSpacing(32);
    const std::pair<QString, QString> keys[] = {
        {QObject::tr("Space"), QObject::tr("start, stop")},
        {QStringLiteral("L"), QObject::tr("to the newest words")},
        {QStringLiteral("I"), QObject::tr("Inspector")},
        {QObject::tr("Alt+1 to Alt+5"), QObject::tr("the tabs of the Inspector")},
        {QStringLiteral("D"), QObject::tr("fine-tuning: pieces of sound, words read ahead")},
        {QObject::tr("[ and ]"), QObject::tr("shorter, longer pieces of sound; fewer, more words read ahead")},
        {QStringLiteral("S"), QObject::tr("translation: from a word to what it looked at, and back")},
        {QStringLiteral("T"), QObject::tr("captions: a translation under every line; translation and streams: to the field, Esc goes back")},
        {QObject::tr("[ and ], Enter"), QObject::tr("streams: choose a step to go back to, go on from it")},
        {QObject::tr("., R, F"), QObject::tr("streams: one step, replay, fold a lane; with Ctrl+Space and Ctrl+. also from the field")},
        {QObject::tr("F2, Shift+F10"), QObject::tr("streams: rename a lane; its menu, with its colour")},
        {QStringLiteral("C"), QObject::tr("compare two ways of doing it; Esc goes back")},
        {QObject::tr("/ or Ctrl+F"), QObject::tr("find")},
        {QObject::tr("Ctrl+O, Ctrl+E, Ctrl+N"), QObject::tr("open files, save, new page")},
        {QObject::tr("Ctrl+1 to Ctrl+6"), QObject::tr("Captions, Translation, Streams, Models, History, Settings")},
        {QObject::tr("O, Ctrl+Shift+O"), QObject::tr("captions over other windows; how they look")},
        {QStringLiteral("F11"), QObject::tr("present; Esc ends it")},
        {QObject::tr("+ and -, Ctrl and wheel"), QObject::tr("size of captions")},
        {QObject::tr("Left, Right, Enter"), QObject::tr("from word to word, hear it")},
        {QObject::tr("Shift+Enter"), QObject::tr("hear on from this word; Esc stops")},
        {QObject::tr("K, < and >, R"), QObject::tr("captions: play and pause, slower and faster, repeat the line")},
        {QObject::tr("F2, double click; Shift+F2"), QObject::tr("captions: correct a word, or what is selected; its line")},
        {QObject::tr("Ctrl+Z, Ctrl+Shift+Z"), QObject::tr("captions: take a correction back, make it again")},
        {QObject::tr("Right click, Shift+F10"), QObject::tr("what can be done with a word")},
        {QObject::tr("Alt+Up, Alt+Down, Delete"), QObject::tr("recordings: earlier, later, leave out")},
        {QObject::tr("Click a word"), QObject::tr("hear it, keep it in the Inspector")},
        {QObject::tr("Wheel over the waveform"), QObject::tr("zoom at the pointer; drag to move")},
    };
    for (const auto &[key, what] : keys) {
        form->addRow(QStringLiteral("<b>%1</b>").arg(key.toHtmlEscaped()), new QLabel(what, dialog));
    }
    dialog->open();
}

}  // namespace braid::ui
