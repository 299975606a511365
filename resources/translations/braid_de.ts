<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message>
        <source>%1 looks at</source>
        <translation>%1 achtet auf</translation>
    </message>
    <message numerus="yes">
        <source>%n word(s)</source>
        <translation>
            <numerusform>%n Wort</numerusform>
            <numerusform>%n Wörter</numerusform>
        </translation>
    </message>
    <message>
        <source>begins</source>
        <translation>beginnt</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>about %1 s left</source>
        <translation>noch etwa %1 s</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>noch etwa %1 min</translation>
    </message>
    <message>
        <source>about %1 h %2 min left</source>
        <translation>noch etwa %1 h %2 min</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>done; nobody speaks in it</source>
        <translation>fertig; niemand spricht darin</translation>
    </message>
    <message>
        <source>done, %1</source>
        <translation>fertig, %1</translation>
    </message>
    <message>
        <source>stopped, %1</source>
        <translation>angehalten, %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Strg+C</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Alles kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Ctrl+A</source>
        <translation>Strg+A</translation>
    </message>
    <message>
        <source>Hear this word</source>
        <translation>Dieses Wort anhören</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Hear on from here</source>
        <translation>Ab hier anhören</translation>
    </message>
    <message>
        <source>Shift+Enter</source>
        <translation>Umschalt+Eingabe</translation>
    </message>
    <message>
        <source>Keep it in the Inspector</source>
        <translation>Im Inspektor festhalten</translation>
    </message>
    <message>
        <source>Correct…</source>
        <translation>Berichtigen …</translation>
    </message>
    <message>
        <source>Correct the line…</source>
        <translation>Zeile berichtigen …</translation>
    </message>
    <message>
        <source>Shift+F2</source>
        <translation>Umschalt+F2</translation>
    </message>
    <message>
        <source>Back to “%1”</source>
        <translation>Zurück zu „%1“</translation>
    </message>
    <message>
        <source>Back to what was heard</source>
        <translation>Zurück zum Gehörten</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation>Strg+Z</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen …</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Strg+E</translation>
    </message>
    <message>
        <source>%1 is not a language model that listens.</source>
        <translation>%1 ist kein Sprachmodell, das zuhört.</translation>
    </message>
    <message>
        <source>%1 is a language model that listens: it has a method of its own.</source>
        <translation>%1 ist ein Sprachmodell, das zuhört: Es hat ein eigenes Verfahren.</translation>
    </message>
    <message>
        <source>%1 was not made for streaming: it has to hear what follows.</source>
        <translation>%1 ist nicht für fortlaufendes Hören gemacht: Es muss hören, was folgt.</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%L1 ms</translation>
    </message>
    <message>
        <source>Model&apos;s own</source>
        <translation>Wie das Modell</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n reading(s)</source>
        <translation>
            <numerusform>%1, %n Lesart</numerusform>
            <numerusform>%1, %n Lesarten</numerusform>
        </translation>
    </message>
    <message>
        <source>or “%1” %2</source>
        <translation>oder „%1“ %2</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%L1 s</translation>
    </message>
    <message>
        <source>Words, of them different</source>
        <translation>Wörter, davon verschieden</translation>
    </message>
    <message>
        <source>Revisions on the way</source>
        <translation>Änderungen unterwegs</translation>
    </message>
    <message>
        <source>First word seen after</source>
        <translation>Erstes Wort zu sehen nach</translation>
    </message>
    <message>
        <source>Words seen after, mean</source>
        <translation>Wörter zu sehen nach, im Mittel</translation>
    </message>
    <message>
        <source>Words settled after, mean</source>
        <translation>Wörter endgültig nach, im Mittel</translation>
    </message>
    <message>
        <source>Step, median and 95 %</source>
        <translation>Schritt, Median und 95 %</translation>
    </message>
    <message>
        <source>%1, %2 ms</source>
        <translation>%1, %L2 ms</translation>
    </message>
    <message>
        <source>Real-time factor</source>
        <translation>Echtzeitfaktor</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Byte</translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%L1 kB</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%L1 MB</translation>
    </message>
    <message>
        <source>%1 of %2 frames in %3 blocks</source>
        <translation>%1 von %2 Rahmen in %3 Blöcken</translation>
    </message>
    <message>
        <source>first block %1</source>
        <translation>erster Block %1</translation>
    </message>
    <message>
        <source>, newest %1</source>
        <translation>, neuester %1</translation>
    </message>
    <message>
        <source>window from %1, holds %2</source>
        <translation>Fenster ab %1, enthält %2</translation>
    </message>
    <message>
        <source> (%1 in each of %2 layers)</source>
        <translation> (%1 in jeder von %2 Ebenen)</translation>
    </message>
    <message>
        <source>encoder keys and values: %1</source>
        <translation>Schlüssel und Werte des Encoders: %1</translation>
    </message>
    <message>
        <source>sound for the decoder: %1</source>
        <translation>Ton für den Decoder: %1</translation>
    </message>
    <message>
        <source>tokens: %1</source>
        <translation>Token: %1</translation>
    </message>
    <message>
        <source>newest step: encoder %1 ms, decoder %2 ms</source>
        <translation>neuester Schritt: Encoder %L1 ms, Decoder %L2 ms</translation>
    </message>
    <message>
        <source>Frame %1 (%2) has not been encoded yet.</source>
        <translation>Rahmen %1 (%2) ist noch nicht verarbeitet.</translation>
    </message>
    <message>
        <source>Frame %1 (%2), block %3, sees frames 0 to %4 (up to %5).</source>
        <translation>Rahmen %1 (%2), Block %3, sieht die Rahmen 0 bis %4 (bis %5).</translation>
    </message>
    <message>
        <source>Frame %1 came later: it is masked.</source>
        <translation>Rahmen %1 kam später: Er ist verdeckt.</translation>
    </message>
    <message>
        <source>Frame %1 was computed in the same step.</source>
        <translation>Rahmen %1 wurde im selben Schritt berechnet.</translation>
    </message>
    <message>
        <source>Frame %1 came out of the cache.</source>
        <translation>Rahmen %1 kam aus dem Zwischenspeicher.</translation>
    </message>
    <message>
        <source>No step yet.</source>
        <translation>Noch kein Schritt.</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) of %1</source>
        <translation>
            <numerusform>%n Schritt von %1</numerusform>
            <numerusform>%n Schritte von %1</numerusform>
        </translation>
    </message>
    <message>
        <source>the method</source>
        <translation>das Verfahren</translation>
    </message>
    <message>
        <source>median %1 ms, 95 % within %2 ms</source>
        <translation>Median %L1 ms, 95 % innerhalb von %L2 ms</translation>
    </message>
    <message numerus="yes">
        <source>%n decoder pass(es), RTF %1</source>
        <translation>
            <numerusform>%n Durchgang des Decoders, Echtzeitfaktor %L1</numerusform>
            <numerusform>%n Durchgänge des Decoders, Echtzeitfaktor %L1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1   %2 → %3</source>
        <translation>%1   %2 → %3</translation>
    </message>
    <message>
        <source>Step at %1 s: %2 ms for %3 ms of sound</source>
        <translation>Schritt bei %L1 s: %L2 ms für %L3 ms Ton</translation>
    </message>
    <message>
        <source>
encoder %1 ms, decoder %2 ms</source>
        <translation>
Encoder %L1 ms, Decoder %L2 ms</translation>
    </message>
    <message numerus="yes">
        <source>%n pass(es) of the decoder</source>
        <translation>
            <numerusform>%n Durchgang des Decoders</numerusform>
            <numerusform>%n Durchgänge des Decoders</numerusform>
        </translation>
    </message>
    <message>
        <source>Captions</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>Übersetzung</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%L1 GB</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more language(s)</source>
        <translation>
            <numerusform>%1 und %n weitere Sprache</numerusform>
            <numerusform>%1 und %n weitere Sprachen</numerusform>
        </translation>
    </message>
    <message>
        <source>no licence stated</source>
        <translation>keine Lizenz angegeben</translation>
    </message>
    <message>
        <source>licence %1</source>
        <translation>Lizenz %1</translation>
    </message>
    <message>
        <source>No model found</source>
        <translation>Kein Modell gefunden</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>Modelle werden gesucht …</translation>
    </message>
    <message>
        <source>Get a better model…</source>
        <translation>Ein besseres Modell holen …</translation>
    </message>
    <message>
        <source>%1 (not there any more)</source>
        <translation>%1 (nicht mehr da)</translation>
    </message>
    <message>
        <source>The model %1, which was chosen earlier, is not there any more. Choose another one, or fetch it on the Models page.</source>
        <translation>Das früher gewählte Modell %1 ist nicht mehr da. Wählen Sie ein anderes, oder holen Sie es auf der Seite „Modelle“.</translation>
    </message>
    <message>
        <source>%1 (cannot be used)</source>
        <translation>%1 (nicht verwendbar)</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
    <message>
        <source>SubRip subtitles (*.srt)</source>
        <translation>SubRip-Untertitel (*.srt)</translation>
    </message>
    <message>
        <source>WebVTT subtitles (*.vtt)</source>
        <translation>WebVTT-Untertitel (*.vtt)</translation>
    </message>
    <message>
        <source>JSON with times and tokens (*.json)</source>
        <translation>JSON mit Zeiten und Token (*.json)</translation>
    </message>
    <message>
        <source>Text, the translation (*.txt)</source>
        <translation>Text, die Übersetzung (*.txt)</translation>
    </message>
    <message>
        <source>SubRip subtitles, the translation (*.srt)</source>
        <translation>SubRip-Untertitel, die Übersetzung (*.srt)</translation>
    </message>
    <message>
        <source>WebVTT subtitles, the translation (*.vtt)</source>
        <translation>WebVTT-Untertitel, die Übersetzung (*.vtt)</translation>
    </message>
    <message>
        <source>Text, both languages (*.txt)</source>
        <translation>Text, beide Sprachen (*.txt)</translation>
    </message>
    <message>
        <source>SubRip subtitles, both languages (*.srt)</source>
        <translation>SubRip-Untertitel, beide Sprachen (*.srt)</translation>
    </message>
    <message>
        <source>WebVTT subtitles, both languages (*.vtt)</source>
        <translation>WebVTT-Untertitel, beide Sprachen (*.vtt)</translation>
    </message>
    <message>
        <source>captions %1.txt</source>
        <translation>Untertitel %1.txt</translation>
    </message>
    <message>
        <source>captions.txt</source>
        <translation>Untertitel.txt</translation>
    </message>
    <message>
        <source>Conversation, to open and replay (*.json)</source>
        <translation>Gespräch, zum Öffnen und Wiederholen (*.json)</translation>
    </message>
    <message>
        <source>Table, a row a step (*.md)</source>
        <translation>Tabelle, eine Zeile je Schritt (*.md)</translation>
    </message>
    <message>
        <source>Text, lane by lane (*.txt)</source>
        <translation>Text, Spur für Spur (*.txt)</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>Gespeichert als %1.</translation>
    </message>
    <message>
        <source>Keyboard and mouse</source>
        <translation>Tastatur und Maus</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>start, stop</source>
        <translation>beginnen, anhalten</translation>
    </message>
    <message>
        <source>to the newest words</source>
        <translation>zu den neuesten Wörtern</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Alt+1 to Alt+5</source>
        <translation>Alt+1 bis Alt+5</translation>
    </message>
    <message>
        <source>the tabs of the Inspector</source>
        <translation>die Reiter des Inspektors</translation>
    </message>
    <message>
        <source>fine-tuning: pieces of sound, words read ahead</source>
        <translation>Feineinstellung: Länge der Tonstücke, vorausgelesene Wörter</translation>
    </message>
    <message>
        <source>[ and ]</source>
        <translation>[ und ]</translation>
    </message>
    <message>
        <source>shorter, longer pieces of sound; fewer, more words read ahead</source>
        <translation>kürzere, längere Tonstücke; weniger, mehr Wörter vorauslesen</translation>
    </message>
    <message>
        <source>translation: from a word to what it looked at, and back</source>
        <translation>Übersetzung: von einem Wort zu dem, worauf es achtete, und zurück</translation>
    </message>
    <message>
        <source>captions: a translation under every line; translation and streams: to the field, Esc goes back</source>
        <translation>Untertitel: eine Übersetzung unter jeder Zeile; Übersetzung und Streams: zum Eingabefeld, Esc führt zurück</translation>
    </message>
    <message>
        <source>[ and ], Enter</source>
        <translation>[ und ], Eingabe</translation>
    </message>
    <message>
        <source>streams: choose a step to go back to, go on from it</source>
        <translation>Streams: einen Schritt wählen, zu dem es zurückgeht, und von dort weitermachen</translation>
    </message>
    <message>
        <source>., R, F</source>
        <translation>., R, F</translation>
    </message>
    <message>
        <source>streams: one step, replay, fold a lane; with Ctrl+Space and Ctrl+. also from the field</source>
        <translation>Streams: ein Schritt, wiederholen, Spur einklappen; mit Strg+Leertaste und Strg+. auch aus dem Eingabefeld</translation>
    </message>
    <message>
        <source>F2, Shift+F10</source>
        <translation>F2, Umschalt+F10</translation>
    </message>
    <message>
        <source>streams: rename a lane; its menu, with its colour</source>
        <translation>Streams: eine Spur umbenennen; ihr Menü, mit ihrer Farbe</translation>
    </message>
    <message>
        <source>compare two ways of doing it; Esc goes back</source>
        <translation>zwei Verfahren vergleichen; Esc führt zurück</translation>
    </message>
    <message>
        <source>/ or Ctrl+F</source>
        <translation>/ oder Strg+F</translation>
    </message>
    <message>
        <source>find</source>
        <translation>suchen</translation>
    </message>
    <message>
        <source>Ctrl+O, Ctrl+E, Ctrl+N</source>
        <translation>Strg+O, Strg+E, Strg+N</translation>
    </message>
    <message>
        <source>open files, save, new page</source>
        <translation>Dateien öffnen, speichern, neue Seite</translation>
    </message>
    <message>
        <source>Ctrl+1 to Ctrl+6</source>
        <translation>Strg+1 bis Strg+6</translation>
    </message>
    <message>
        <source>Captions, Translation, Streams, Models, History, Settings</source>
        <translation>Untertitel, Übersetzung, Streams, Modelle, Verlauf, Einstellungen</translation>
    </message>
    <message>
        <source>O, Ctrl+Shift+O</source>
        <translation>O, Strg+Umschalt+O</translation>
    </message>
    <message>
        <source>captions over other windows; how they look</source>
        <translation>Untertitel über anderen Fenstern; wie sie aussehen</translation>
    </message>
    <message>
        <source>present; Esc ends it</source>
        <translation>Vorführen; Esc beendet es</translation>
    </message>
    <message>
        <source>+ and -, Ctrl and wheel</source>
        <translation>+ und -, Strg und Mausrad</translation>
    </message>
    <message>
        <source>size of captions</source>
        <translation>Größe der Untertitel</translation>
    </message>
    <message>
        <source>Left, Right, Enter</source>
        <translation>Links, Rechts, Eingabe</translation>
    </message>
    <message>
        <source>from word to word, hear it</source>
        <translation>von Wort zu Wort, es anhören</translation>
    </message>
    <message>
        <source>hear on from this word; Esc stops</source>
        <translation>ab diesem Wort anhören; Esc hält an</translation>
    </message>
    <message>
        <source>K, &lt; and &gt;, R</source>
        <translation>K, &lt; und &gt;, R</translation>
    </message>
    <message>
        <source>captions: play and pause, slower and faster, repeat the line</source>
        <translation>Untertitel: abspielen und pausieren, langsamer und schneller, Zeile wiederholen</translation>
    </message>
    <message>
        <source>F2, double click; Shift+F2</source>
        <translation>F2, Doppelklick; Umschalt+F2</translation>
    </message>
    <message>
        <source>captions: correct a word, or what is selected; its line</source>
        <translation>Untertitel: ein Wort oder die Auswahl berichtigen; die Zeile</translation>
    </message>
    <message>
        <source>Ctrl+Z, Ctrl+Shift+Z</source>
        <translation>Strg+Z, Strg+Umschalt+Z</translation>
    </message>
    <message>
        <source>captions: take a correction back, make it again</source>
        <translation>Untertitel: eine Berichtigung zurücknehmen, wiederherstellen</translation>
    </message>
    <message>
        <source>Right click, Shift+F10</source>
        <translation>Rechtsklick, Umschalt+F10</translation>
    </message>
    <message>
        <source>what can be done with a word</source>
        <translation>was mit einem Wort möglich ist</translation>
    </message>
    <message>
        <source>Alt+Up, Alt+Down, Delete</source>
        <translation>Alt+Auf, Alt+Ab, Entf</translation>
    </message>
    <message>
        <source>recordings: earlier, later, leave out</source>
        <translation>Aufnahmen: früher, später, weglassen</translation>
    </message>
    <message>
        <source>Click a word</source>
        <translation>Klick auf ein Wort</translation>
    </message>
    <message>
        <source>hear it, keep it in the Inspector</source>
        <translation>es anhören, im Inspektor festhalten</translation>
    </message>
    <message>
        <source>Wheel over the waveform</source>
        <translation>Mausrad über der Wellenform</translation>
    </message>
    <message>
        <source>zoom at the pointer; drag to move</source>
        <translation>am Zeiger vergrößern; ziehen verschiebt</translation>
    </message>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n Sekunde</numerusform>
            <numerusform>%n Sekunden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n Minute</numerusform>
            <numerusform>%n Minuten</numerusform>
        </translation>
    </message>
    <message>
        <source>A session of %1 was interrupted. Its words and its sound are kept.</source>
        <translation>Eine Sitzung von %1 wurde unterbrochen. Ihre Wörter und ihr Ton sind erhalten.</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) were interrupted, the last of %1. Their words and their sound are kept; all are under History.</source>
        <translation>
            <numerusform>%n Sitzung wurde unterbrochen, die letzte von %1. Wörter und Ton sind erhalten; alle stehen im Verlauf.</numerusform>
            <numerusform>%n Sitzungen wurden unterbrochen, die letzte von %1. Wörter und Ton sind erhalten; alle stehen im Verlauf.</numerusform>
        </translation>
    </message>
    <message>
        <source>A conversation of %1 was interrupted. What was said is kept.</source>
        <translation>Ein Gespräch vom %1 wurde unterbrochen. Was gesagt wurde, ist erhalten.</translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) were interrupted, the last of %1. What was said is kept.</source>
        <translation>
            <numerusform>%n Gespräch wurde unterbrochen, das letzte vom %1. Was gesagt wurde, ist erhalten.</numerusform>
            <numerusform>%n Gespräche wurden unterbrochen, das letzte vom %1. Was gesagt wurde, ist erhalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>A translation of %1 was interrupted. Its words are kept.</source>
        <translation>Eine Übersetzung vom %1 wurde unterbrochen. Ihre Wörter sind erhalten.</translation>
    </message>
    <message numerus="yes">
        <source>%n translation(s) were interrupted, the last of %1. Their words are kept.</source>
        <translation>
            <numerusform>%n Übersetzung wurde unterbrochen, die letzte vom %1. Ihre Wörter sind erhalten.</numerusform>
            <numerusform>%n Übersetzungen wurden unterbrochen, die letzte vom %1. Ihre Wörter sind erhalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Jetzt nicht</translation>
    </message>
    <message>
        <source>loading, %1 %</source>
        <translation>wird geladen, %1 %</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>finishing</source>
        <translation>wird abgeschlossen</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>stopped by an error</source>
        <translation>durch einen Fehler angehalten</translation>
    </message>
    <message>
        <source>no sound arrives</source>
        <translation>es kommt kein Ton an</translation>
    </message>
    <message>
        <source>silence</source>
        <translation>Stille</translation>
    </message>
    <message>
        <source>sound, but no speech</source>
        <translation>Ton, aber keine Sprache</translation>
    </message>
    <message>
        <source>listening</source>
        <translation>hört zu</translation>
    </message>
    <message>
        <source>heard %1</source>
        <translation>gehört %1</translation>
    </message>
    <message>
        <source>%1 s behind</source>
        <translation>%L1 s zurück</translation>
    </message>
    <message>
        <source>%1 computing, %2 waiting to be sure</source>
        <translation>%L1 Rechnen, %L2 bis es sicher ist</translation>
    </message>
    <message>
        <source>RTF %1</source>
        <translation>RTF %L1</translation>
    </message>
    <message>
        <source>Qt</source>
        <translation>Qt</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>Anzeige</translation>
    </message>
    <message>
        <source>Braid listens</source>
        <translation>Braid hört zu</translation>
    </message>
    <message>
        <source>Braid listens to %1</source>
        <translation>Braid hört %1 zu</translation>
    </message>
    <message>
        <source>Braid captions what was heard</source>
        <translation>Braid untertitelt das Gehörte</translation>
    </message>
    <message>
        <source>Braid does not listen</source>
        <translation>Braid hört nicht zu</translation>
    </message>
    <message>
        <source>%1: the folder cannot be read: %2. Check its permissions.</source>
        <translation>%1: Der Ordner kann nicht gelesen werden: %2. Prüfen Sie seine Zugriffsrechte.</translation>
    </message>
    <message>
        <source>%1: there are no recordings in this folder. Braid looks for %2.</source>
        <translation>%1: In diesem Ordner sind keine Aufnahmen. Braid sucht nach %2.</translation>
    </message>
    <message>
        <source>Of %1 recordings the first %2 are taken. Drop the others when these are done.</source>
        <translation>Von %1 Aufnahmen werden die ersten %2 genommen. Ziehen Sie die anderen herein, wenn diese fertig sind.</translation>
    </message>
    <message>
        <source>Sound and video (*.%1)</source>
        <translation>Ton und Video (*.%1)</translation>
    </message>
    <message>
        <source>%1 s of sound missing</source>
        <translation>%L1 s Ton fehlen</translation>
    </message>
    <message>
        <source>%1 s of sound missing: %2</source>
        <translation>%L1 s Ton fehlen: %2</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>whole sentences</source>
        <translation>ganze Sätze</translation>
    </message>
    <message>
        <source>k %1</source>
        <translation>k %1</translation>
    </message>
    <message>
        <source>%1, φ %2</source>
        <translation>%1, φ %2</translation>
    </message>
    <message>
        <source>%1 to %2 (%3 s)</source>
        <translation>%1 bis %2 (%L3 s)</translation>
    </message>
    <message>
        <source>from cross-attention, time-warped</source>
        <translation>aus der Aufmerksamkeit des Modells</translation>
    </message>
    <message>
        <source>spread between the model&apos;s own time marks</source>
        <translation>verteilt zwischen den Zeitmarken des Modells</translation>
    </message>
    <message>
        <source>the chunk in which it first appeared</source>
        <translation>das Tonstück, in dem es zuerst erschien</translation>
    </message>
    <message>
        <source>the chunk in which it first appeared, and where in it the token attended</source>
        <translation>das Tonstück, in dem es zuerst erschien, und wohin darin das Modell achtete</translation>
    </message>
    <message>
        <source>estimated from its neighbours</source>
        <translation>aus den Nachbarn geschätzt</translation>
    </message>
    <message>
        <source>not known how</source>
        <translation>wie, ist nicht bekannt</translation>
    </message>
    <message>
        <source>first seen %1 s after its end</source>
        <translation>zuerst zu sehen %L1 s nach seinem Ende</translation>
    </message>
    <message>
        <source>settled after %1 s</source>
        <translation>endgültig nach %L1 s</translation>
    </message>
    <message>
        <source>not settled yet</source>
        <translation>noch nicht endgültig</translation>
    </message>
    <message>
        <source>never changed</source>
        <translation>nie geändert</translation>
    </message>
    <message numerus="yes">
        <source>changed %n time(s)</source>
        <translation>
            <numerusform>einmal geändert</numerusform>
            <numerusform>%n-mal geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; said “%2” before</source>
        <translation>%1; vorher „%2“</translation>
    </message>
    <message>
        <source>(end)</source>
        <translation>(Ende)</translation>
    </message>
    <message>
        <source>
→ “%1” when %2 was heard</source>
        <translation>
→ „%1“, als %2 gehört war</translation>
    </message>
    <message>
        <source>
→ “%1”</source>
        <translation>
→ „%1“</translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) in all</source>
        <translation>
            <numerusform>insgesamt %n Änderung</numerusform>
            <numerusform>insgesamt %n Änderungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Blau</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>Pink</source>
        <translation>Rosa</translation>
    </message>
    <message>
        <source>Sky blue</source>
        <translation>Himmelblau</translation>
    </message>
    <message>
        <source>Vermilion</source>
        <translation>Zinnober</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>Gelb</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>Grau</translation>
    </message>
    <message>
        <source>it said its end mark</source>
        <translation>er hat sein Ende gesagt</translation>
    </message>
    <message>
        <source>it fell silent</source>
        <translation>er ist verstummt</translation>
    </message>
    <message>
        <source>it said as much as its layout allows</source>
        <translation>er hat so viel gesagt, wie seine Anordnung zulässt</translation>
    </message>
    <message>
        <source>every stream has ended</source>
        <translation>jeder Stream ist zu Ende</translation>
    </message>
    <message>
        <source>the layout allows no more steps</source>
        <translation>die Anordnung lässt keine Schritte mehr zu</translation>
    </message>
    <message>
        <source>the model was made for no more steps</source>
        <translation>für mehr Schritte ist das Modell nicht gemacht</translation>
    </message>
    <message>
        <source>it was stopped</source>
        <translation>er wurde angehalten</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Nothing asked yet</source>
        <translation>Noch nichts gefragt</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>noch nicht</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), %1 s</source>
        <translation>
            <numerusform>%n Schritt, %L1 s</numerusform>
            <numerusform>%n Schritte, %L1 s</numerusform>
        </translation>
    </message>
    <message>
        <source>while it was asked</source>
        <translation>noch während der Frage</translation>
    </message>
    <message>
        <source>after the question</source>
        <translation>nach der Frage</translation>
    </message>
    <message>
        <source>Words read before the answer</source>
        <translation>Vor der Antwort gelesene Wörter</translation>
    </message>
    <message>
        <source>First word of the answer</source>
        <translation>Erstes Wort der Antwort</translation>
    </message>
    <message>
        <source>It began</source>
        <translation>Sie begann</translation>
    </message>
    <message>
        <source>Last word of all</source>
        <translation>Letztes Wort von allen</translation>
    </message>
    <message>
        <source>Tokens a second</source>
        <translation>Token je Sekunde</translation>
    </message>
    <message>
        <source>nobody had to say anything</source>
        <translation>niemand hatte etwas zu sagen</translation>
    </message>
    <message>
        <source>given: the layout&apos;s warm start</source>
        <translation>vorgegeben: der Anlauf der Anordnung</translation>
    </message>
    <message>
        <source>fed: somebody&apos;s word</source>
        <translation>eingegeben: jemandes Wort</translation>
    </message>
    <message>
        <source>not asked: the stream has ended or is switched off</source>
        <translation>nicht gefragt: Der Stream ist zu Ende oder abgeschaltet</translation>
    </message>
    <message>
        <source>probability %1, entropy %2 nats</source>
        <translation>Wahrscheinlichkeit %L1, Entropie %L2 nat</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>So schnell es geht</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%L1 Schritte/s</translation>
    </message>
    <message>
        <source>not running</source>
        <translation>läuft nicht</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>waits for words</source>
        <translation>wartet auf Wörter</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>replays</source>
        <translation>wiederholt</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1 ms a step</source>
        <translation>%L1 ms je Schritt</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%L1 Token/s</translation>
    </message>
    <message>
        <source>%1 in the cache, room for %2 steps</source>
        <translation>%1 im Zwischenspeicher, Platz für %2 Schritte</translation>
    </message>
    <message>
        <source>%1 in the cache</source>
        <translation>%1 im Zwischenspeicher</translation>
    </message>
    <message numerus="yes">
        <source>%n more sentence(s) wait</source>
        <translation>
            <numerusform>Ein weiterer Satz wartet</numerusform>
            <numerusform>%n weitere Sätze warten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unit(s) ahead had been read</source>
        <translation>
            <numerusform>%n Einheit war vorausgelesen</numerusform>
            <numerusform>%n Einheiten waren vorausgelesen</numerusform>
        </translation>
    </message>
    <message>
        <source>no unit ahead had been read</source>
        <translation>keine Einheit war vorausgelesen</translation>
    </message>
    <message>
        <source>%1 behind its source, of it %2 computing; %3</source>
        <translation>%1 hinter der Quelle, davon %2 Rechnen; %3</translation>
    </message>
    <message>
        <source>Translation (*.txt)</source>
        <translation>Übersetzung (*.txt)</translation>
    </message>
    <message>
        <source>Both languages, sentence by sentence (*.tsv)</source>
        <translation>Beide Sprachen, Satz für Satz (*.tsv)</translation>
    </message>
    <message>
        <source>JSON with lags, tokens and attention (*.json)</source>
        <translation>JSON mit Verzögerungen, Token und Aufmerksamkeit (*.json)</translation>
    </message>
    <message numerus="yes">
        <source>Written after %n unit(s) had been read.</source>
        <translation>
            <numerusform>Geschrieben, nachdem %n Einheit gelesen war.</numerusform>
            <numerusform>Geschrieben, nachdem %n Einheiten gelesen waren.</numerusform>
        </translation>
    </message>
    <message>
        <source>
It grew too long and was cut.</source>
        <translation>
Es wurde zu lang und abgeschnitten.</translation>
    </message>
    <message>
        <source>Nothing written yet.</source>
        <translation>Noch nichts geschrieben.</translation>
    </message>
    <message>
        <source>%1 tokens a second
%2 tokens written, %3 fed through the model (%4 for each)
%5 passes, %6 s inside the model
cache now: %7 entries, %8</source>
        <translation>%L1 Token je Sekunde
%L2 Token geschrieben, %L3 durch das Modell geschickt (%L4 für jedes)
%L5 Durchgänge, %L6 s im Modell
Zwischenspeicher jetzt: %L7 Einträge, %8</translation>
    </message>
    <message>
        <source>Tokens written, fed through the model</source>
        <translation>Token geschrieben, durch das Modell geschickt</translation>
    </message>
    <message>
        <source>Fed for each token written</source>
        <translation>Je geschriebenem Token verarbeitet</translation>
    </message>
    <message>
        <source>Time inside the model</source>
        <translation>Zeit im Modell</translation>
    </message>
    <message>
        <source>Lag, mean</source>
        <translation>Verzögerung, im Mittel</translation>
    </message>
    <message>
        <source>%1 units, %2</source>
        <translation>%L1 Einheiten, %2</translation>
    </message>
    <message>
        <source>%1 tokens/s, fed %2 for %3</source>
        <translation>%L1 Token/s, %L2 verarbeitet für %L3</translation>
    </message>
    <message>
        <source>translating</source>
        <translation>übersetzt</translation>
    </message>
    <message>
        <source>read %1, written %2 words</source>
        <translation>%1 gelesen, %2 Wörter geschrieben</translation>
    </message>
    <message>
        <source>lag –</source>
        <translation>Verzögerung –</translation>
    </message>
    <message>
        <source>lag %1 s, mean %2 units</source>
        <translation>%L1 s zurück, im Mittel %L2 Einheiten</translation>
    </message>
    <message>
        <source>captions</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>translation and streams</source>
        <translation>Übersetzung und Streams</translation>
    </message>
    <message>
        <source>asking what there is</source>
        <translation>fragt, was es gibt</translation>
    </message>
    <message>
        <source>trying again soon: %1</source>
        <translation>versucht es bald wieder: %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>checking %1</source>
        <translation>%1 werden geprüft</translation>
    </message>
    <message>
        <source>%1, %2/s</source>
        <translation>%1, %2/s</translation>
    </message>
    <message>
        <source>%1, %2 left</source>
        <translation>%1, noch %2</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n core(s)</source>
        <translation>
            <numerusform>%1, %n Kern</numerusform>
            <numerusform>%1, %n Kerne</numerusform>
        </translation>
    </message>
    <message>
        <source>Linear algebra</source>
        <translation>Lineare Algebra</translation>
    </message>
    <message>
        <source>Computes on</source>
        <translation>Rechnet auf</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>Grafikkarte</translation>
    </message>
    <message>
        <source>Sound devices</source>
        <translation>Tongeräte</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Words will stand here</source>
        <translation>Hier werden Wörter stehen</translation>
    </message>
    <message>
        <source>Press Space to start, or drop recordings on this window.</source>
        <translation>Mit der Leertaste beginnen, oder Aufnahmen auf dieses Fenster ziehen.</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Beginnt …</translation>
    </message>
    <message>
        <source>What is said meanwhile is kept and captioned afterwards.</source>
        <translation>Was inzwischen gesagt wird, wird aufgehoben und danach untertitelt.</translation>
    </message>
    <message>
        <source>No sound arrives yet</source>
        <translation>Noch kommt kein Ton an</translation>
    </message>
    <message>
        <source>Is the right source chosen, and is it not muted?</source>
        <translation>Ist die richtige Quelle gewählt, und ist sie nicht stummgeschaltet?</translation>
    </message>
    <message>
        <source>Silence</source>
        <translation>Stille</translation>
    </message>
    <message>
        <source>Sound, but no speech</source>
        <translation>Ton, aber keine Sprache</translation>
    </message>
    <message>
        <source>Listening…</source>
        <translation>Hört zu …</translation>
    </message>
    <message>
        <source>Words appear as they are said.</source>
        <translation>Wörter erscheinen, während sie gesprochen werden.</translation>
    </message>
    <message>
        <source>Word document (*.docx)</source>
        <translation>Word-Dokument (*.docx)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>PDF-Dokument (*.pdf)</translation>
    </message>
    <message>
        <source>Figures of every word (*.csv)</source>
        <translation>Zahlen zu jedem Wort (*.csv)</translation>
    </message>
</context>
<context>
    <name>braid::ui::AboutDialog</name>
    <message>
        <source>Copy diagnostics</source>
        <translation>Angaben kopieren</translation>
    </message>
    <message>
        <source>About Braid</source>
        <translation>Über Braid</translation>
    </message>
    <message>
        <source>Braid %1</source>
        <translation>Braid %1</translation>
    </message>
    <message>
        <source>Live captions, live translation and parallel streams, on this machine.</source>
        <translation>Live-Untertitel, Live-Übersetzung und parallele Streams, auf diesem Rechner.</translation>
    </message>
    <message>
        <source>These lines and what is chosen, without any captions</source>
        <translation>Diese Zeilen und die Einstellungen, ohne jeden Untertitel</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Braid</source>
        <translation>Braid</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>braid::ui::AlignmentMap</name>
    <message>
        <source>Attention over the source</source>
        <translation>Aufmerksamkeit auf die Quelle</translation>
    </message>
    <message>
        <source>Rows are words of the translation, columns units of the source; darker means looked at more. Up and Down go from word to word.</source>
        <translation>Zeilen sind Wörter der Übersetzung, Spalten Einheiten der Quelle; dunkler heißt: mehr beachtet. Auf und Ab gehen von Wort zu Wort.</translation>
    </message>
    <message>
        <source>(end)</source>
        <translation>(Ende)</translation>
    </message>
    <message>
        <source>What each word looked at shows here as it is written.</source>
        <translation>Hier steht, worauf jedes Wort achtete, während es geschrieben wird.</translation>
    </message>
    <message>
        <source>“%1” over “%2”: %3</source>
        <translation>„%1“ über „%2“: %3</translation>
    </message>
    <message>
        <source>“%1” was written before “%2” was read</source>
        <translation>„%1“ wurde geschrieben, bevor „%2“ gelesen war</translation>
    </message>
</context>
<context>
    <name>braid::ui::AnswerPanel</name>
    <message>
        <source>In large type</source>
        <translation>In großer Schrift</translation>
    </message>
    <message>
        <source>The stream that stands alone in large type</source>
        <translation>Der Stream, der allein in großer Schrift steht</translation>
    </message>
    <message>
        <source>The answer in large type</source>
        <translation>Die Antwort in großer Schrift</translation>
    </message>
</context>
<context>
    <name>braid::ui::AttentionView</name>
    <message>
        <source>Attention</source>
        <translation>Aufmerksamkeit</translation>
    </message>
    <message>
        <source>Rows are tokens, columns are moments of the sound; darker means looked at more.</source>
        <translation>Zeilen sind Token, Spalten Zeitpunkte im Ton; dunkler heißt: mehr beachtet.</translation>
    </message>
    <message>
        <source>No attention is kept for this word.</source>
        <translation>Für dieses Wort ist keine Aufmerksamkeit aufgehoben.</translation>
    </message>
    <message>
        <source>%1 at %2 s: %3</source>
        <translation>%1 bei %L2 s: %L3</translation>
    </message>
</context>
<context>
    <name>braid::ui::BilingualView</name>
    <message>
        <source>Back to live</source>
        <translation>Zurück zum Neuesten</translation>
    </message>
    <message>
        <source>Back to the newest words (L)</source>
        <translation>Zurück zu den neuesten Wörtern (L)</translation>
    </message>
    <message numerus="yes">
        <source>%n new sentence(s)</source>
        <translation>
            <numerusform>%n neuer Satz</numerusform>
            <numerusform>%n neue Sätze</numerusform>
        </translation>
    </message>
    <message>
        <source>Source and translation</source>
        <translation>Quelle und Übersetzung</translation>
    </message>
    <message>
        <source>Sentence beside sentence. Left and Right move from word to word, S changes the side, Enter keeps a word in the Inspector.</source>
        <translation>Satz neben Satz. Links und Rechts gehen von Wort zu Wort, S wechselt die Seite, Eingabe hält ein Wort im Inspektor fest.</translation>
    </message>
</context>
<context>
    <name>braid::ui::CacheView</name>
    <message>
        <source>Encoder mask and cache</source>
        <translation>Maske und Zwischenspeicher des Encoders</translation>
    </message>
    <message>
        <source>sees →</source>
        <translation>sieht →</translation>
    </message>
    <message>
        <source>← frame</source>
        <translation>← Rahmen</translation>
    </message>
</context>
<context>
    <name>braid::ui::CaptionController</name>
    <message>
        <source>Source: %1
Model: %2
Method: %3
Device: %4, %5</source>
        <translation>Quelle: %1
Modell: %2
Verfahren: %3
Gerät: %4, %5</translation>
    </message>
</context>
<context>
    <name>braid::ui::CaptionsPage</name>
    <message>
        <source>Find in captions</source>
        <translation>In den Untertiteln suchen</translation>
    </message>
    <message>
        <source>The sound of this word is no longer there: this session kept no journal.</source>
        <translation>Der Ton dieses Wortes ist nicht mehr da: Diese Sitzung wurde nicht aufgehoben.</translation>
    </message>
    <message>
        <source>Newest word</source>
        <translation>Neuestes Wort</translation>
    </message>
    <message>
        <source>Under the pointer</source>
        <translation>Unter dem Zeiger</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Festgehalten</translation>
    </message>
    <message>
        <source>not usable</source>
        <translation>nicht verwendbar</translation>
    </message>
    <message>
        <source>Save captions</source>
        <translation>Untertitel speichern</translation>
    </message>
    <message>
        <source>Finished recordings were taken off the list.</source>
        <translation>Fertige Aufnahmen wurden von der Liste genommen.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>%1 waits until you stop listening. What was said until then is kept.</source>
        <translation>%1 wartet, bis Sie das Zuhören beenden. Was bis dahin gesagt wird, bleibt erhalten.</translation>
    </message>
    <message numerus="yes">
        <source>%n recording(s) wait until you stop listening. What was said until then is kept.</source>
        <translation>
            <numerusform>%n Aufnahme wartet, bis Sie das Zuhören beenden. Was bis dahin gesagt wird, bleibt erhalten.</numerusform>
            <numerusform>%n Aufnahmen warten, bis Sie das Zuhören beenden. Was bis dahin gesagt wird, bleibt erhalten.</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop listening now</source>
        <translation>Zuhören jetzt beenden</translation>
    </message>
    <message>
        <source>Open recordings</source>
        <translation>Aufnahmen öffnen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save all captions in</source>
        <translation>Alle Untertitel speichern in</translation>
    </message>
    <message numerus="yes">
        <source>Saved %n file(s) in %1.</source>
        <translation>
            <numerusform>%n Datei in %1 gespeichert.</numerusform>
            <numerusform>%n Dateien in %1 gespeichert.</numerusform>
        </translation>
    </message>
    <message>
        <source>This is a recording that comes with Braid, captioned now, on this machine, as it plays.</source>
        <translation>Diese Aufnahme kommt mit Braid; sie wird jetzt, auf diesem Rechner, beim Abspielen untertitelt.</translation>
    </message>
    <message>
        <source>Use my microphone</source>
        <translation>Mein Mikrofon verwenden</translation>
    </message>
    <message>
        <source>No microphone was found.</source>
        <translation>Es wurde kein Mikrofon gefunden.</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Noch einmal suchen</translation>
    </message>
    <message>
        <source>Caption what this computer plays</source>
        <translation>Untertiteln, was dieser Rechner abspielt</translation>
    </message>
    <message>
        <source>Open a recording…</source>
        <translation>Eine Aufnahme öffnen …</translation>
    </message>
    <message>
        <source>There are no settled words to save yet.</source>
        <translation>Es gibt noch keine endgültigen Wörter zu speichern.</translation>
    </message>
</context>
<context>
    <name>braid::ui::CaptionsTranslation</name>
    <message>
        <source>captions</source>
        <translation>Untertitel</translation>
    </message>
</context>
<context>
    <name>braid::ui::CellInspection</name>
    <message>
        <source>Under the pointer</source>
        <translation>Unter dem Zeiger</translation>
    </message>
    <message>
        <source>Under the cursor</source>
        <translation>Unter der Schreibmarke</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Festgehalten</translation>
    </message>
    <message>
        <source>Newest word</source>
        <translation>Neuestes Wort</translation>
    </message>
</context>
<context>
    <name>braid::ui::ChoicesFrame</name>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>Sofort anhalten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>%1 (Space)</source>
        <translation>%1 (Leertaste)</translation>
    </message>
</context>
<context>
    <name>braid::ui::ChoicesRow</name>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Where the sound comes from</source>
        <translation>Woher der Ton kommt</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>The model that listens</source>
        <translation>Das Modell, das zuhört</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>The language that is spoken</source>
        <translation>Die Sprache, die gesprochen wird</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>Vergleichen …</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Einblendung</translation>
    </message>
    <message>
        <source>Compare two methods</source>
        <translation>Zwei Verfahren vergleichen</translation>
    </message>
    <message>
        <source>Two methods on the same sound, side by side (C)</source>
        <translation>Zwei Verfahren am selben Ton, nebeneinander (C)</translation>
    </message>
    <message>
        <source>Captions over other windows</source>
        <translation>Untertitel über anderen Fenstern</translation>
    </message>
    <message>
        <source>The newest lines in a strip over other windows (O)</source>
        <translation>Die neuesten Zeilen in einem Streifen über anderen Fenstern (O)</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2 Hz, %n channel(s)</source>
        <translation>
            <numerusform>%1, %2 Hz, %n Kanal</numerusform>
            <numerusform>%1, %2 Hz, %n Kanäle</numerusform>
        </translation>
    </message>
    <message>
        <source>Microphones</source>
        <translation>Mikrofone</translation>
    </message>
    <message>
        <source>What this computer plays</source>
        <translation>Was dieser Rechner abspielt</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufnahmen</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Eine Datei öffnen …</translation>
    </message>
    <message>
        <source>No microphone found</source>
        <translation>Kein Mikrofon gefunden</translation>
    </message>
    <message>
        <source>Looking for devices…</source>
        <translation>Geräte werden gesucht …</translation>
    </message>
    <message>
        <source>Detect</source>
        <translation>Erkennen</translation>
    </message>
    <message>
        <source>No model was found. The Models page says where Braid looks for them.</source>
        <translation>Es wurde kein Modell gefunden. Die Seite „Modelle“ sagt, wo Braid danach sucht.</translation>
    </message>
    <message>
        <source>Still looking for models. Try again in a moment.</source>
        <translation>Modelle werden noch gesucht. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>No microphone was found. Plug one in and choose it above, or open a recording.</source>
        <translation>Es wurde kein Mikrofon gefunden. Schließen Sie eines an und wählen Sie es oben, oder öffnen Sie eine Aufnahme.</translation>
    </message>
    <message>
        <source>Still looking for microphones. Try again in a moment.</source>
        <translation>Mikrofone werden noch gesucht. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>Finish at once, without captioning what was heard last</source>
        <translation>Sofort beenden, ohne das zuletzt Gehörte zu untertiteln</translation>
    </message>
</context>
<context>
    <name>braid::ui::ComparePage</name>
    <message>
        <source>left side</source>
        <translation>linke Seite</translation>
    </message>
    <message>
        <source>right side</source>
        <translation>rechte Seite</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Back to captions</source>
        <translation>Zurück zu den Untertiteln</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Save the comparison</source>
        <translation>Den Vergleich speichern</translation>
    </message>
    <message>
        <source>Waveform and the left side&apos;s words in time</source>
        <translation>Wellenform und die Wörter der linken Seite in der Zeit</translation>
    </message>
    <message>
        <source>The right side&apos;s words in time</source>
        <translation>Die Wörter der rechten Seite in der Zeit</translation>
    </message>
    <message>
        <source>The sound of this word is no longer there.</source>
        <translation>Der Ton dieses Wortes ist nicht mehr da.</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1 mit %2</translation>
    </message>
    <message>
        <source>waits for its turn</source>
        <translation>wartet, bis sie an der Reihe ist</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>Sofort anhalten</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>%1 comparing</source>
        <translation>%1: Vergleich</translation>
    </message>
    <message>
        <source>%1 (Space)</source>
        <translation>%1 (Leertaste)</translation>
    </message>
    <message>
        <source>Choose a method for each side, then press Space. Both hear exactly the same sound.</source>
        <translation>Wählen Sie für jede Seite ein Verfahren, dann drücken Sie die Leertaste. Beide hören genau denselben Ton.</translation>
    </message>
    <message>
        <source>No differing words so far.</source>
        <translation>Bisher keine verschiedenen Wörter.</translation>
    </message>
    <message numerus="yes">
        <source>They differ in %n place(s), underlined.</source>
        <translation>
            <numerusform>Sie unterscheiden sich an %n Stelle, unterstrichen.</numerusform>
            <numerusform>Sie unterscheiden sich an %n Stellen, unterstrichen.</numerusform>
        </translation>
    </message>
    <message>
        <source> Both run at once and share this machine.</source>
        <translation> Beide laufen zugleich und teilen sich diesen Rechner.</translation>
    </message>
    <message>
        <source> They run one after the other, each with the machine to itself.</source>
        <translation> Sie laufen nacheinander, jedes mit dem Rechner für sich.</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
    <message>
        <source>JSON with times and tokens (*.json)</source>
        <translation>JSON mit Zeiten und Token (*.json)</translation>
    </message>
    <message>
        <source>comparison.txt</source>
        <translation>Vergleich.txt</translation>
    </message>
</context>
<context>
    <name>braid::ui::CompareSidePanel</name>
    <message>
        <source>Method, %1</source>
        <translation>Verfahren, %1</translation>
    </message>
    <message>
        <source>Captions, %1</source>
        <translation>Untertitel, %1</translation>
    </message>
</context>
<context>
    <name>braid::ui::Corrections</name>
    <message>
        <source>The correction stands on the page, but could not be kept with the recording: %1</source>
        <translation>Die Berichtigung steht auf der Seite, konnte aber nicht bei der Aufnahme abgelegt werden: %1</translation>
    </message>
</context>
<context>
    <name>braid::ui::FindBar</name>
    <message>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Close finding</source>
        <translation>Suche schließen</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>nichts gefunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::HistoryModel</name>
    <message>
        <source>%1 (interrupted)</source>
        <translation>%1 (unterbrochen)</translation>
    </message>
    <message>
        <source>(no words)</source>
        <translation>(keine Wörter)</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Begins</source>
        <translation>Beginnt mit</translation>
    </message>
    <message>
        <source>Where it was said</source>
        <translation>Wo es gesagt wurde</translation>
    </message>
</context>
<context>
    <name>braid::ui::HistoryPage</name>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter …</translation>
    </message>
    <message>
        <source>Move to bin</source>
        <translation>In den Papierkorb</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Search all sessions</source>
        <translation>Alle Sitzungen durchsuchen</translation>
    </message>
    <message>
        <source>Open session</source>
        <translation>Sitzung öffnen</translation>
    </message>
    <message>
        <source>Save session as</source>
        <translation>Sitzung speichern unter</translation>
    </message>
    <message>
        <source>Move session to bin</source>
        <translation>Sitzung in den Papierkorb verschieben</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Sitzungen</translation>
    </message>
    <message>
        <source>Nothing here yet. Every session is kept in %1 – captions with their sound, translations, conversations – unless you switch that off under Settings.</source>
        <translation>Hier ist noch nichts. Jede Sitzung wird in %1 aufgehoben – Untertitel mit ihrem Ton, Übersetzungen, Gespräche –, sofern Sie das nicht in den Einstellungen abschalten.</translation>
    </message>
    <message>
        <source>No session holds these words.</source>
        <translation>Keine Sitzung enthält diese Wörter.</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>Sitzung speichern</translation>
    </message>
    <message>
        <source>%1 could not be moved to the bin. It is still here.</source>
        <translation>%1 konnte nicht in den Papierkorb verschoben werden. Es ist noch hier.</translation>
    </message>
    <message>
        <source>The session is in the bin.</source>
        <translation>Die Sitzung ist im Papierkorb.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>It could not be taken back. It is in the bin as %1.</source>
        <translation>Sie konnte nicht zurückgeholt werden. Sie liegt als %1 im Papierkorb.</translation>
    </message>
</context>
<context>
    <name>braid::ui::InspectorFrame</name>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>What the Inspector shows</source>
        <translation>Was der Inspektor zeigt</translation>
    </message>
</context>
<context>
    <name>braid::ui::InspectorPanel</name>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>What it was</source>
        <translation>Was vorher da stand</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Aufmerksamkeit</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>No word has changed yet. When the model thinks better of one, what it was shows here.</source>
        <translation>Noch hat sich kein Wort geändert. Wenn das Modell sich eines Besseren besinnt, steht hier, was vorher da war.</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Words show here as they come. Point at one to see how the model found it; click to keep it.</source>
        <translation>Hier stehen Wörter, wie sie kommen. Zeigen Sie auf eines, um zu sehen, wie das Modell es fand; ein Klick hält es fest.</translation>
    </message>
    <message>
        <source>probability %1, %2</source>
        <translation>Wahrscheinlichkeit %L1, %2</translation>
    </message>
    <message>
        <source>settled</source>
        <translation>endgültig</translation>
    </message>
    <message>
        <source>not settled yet</source>
        <translation>noch nicht endgültig</translation>
    </message>
    <message>
        <source>Nothing is cached. A model made for streaming keeps what it has computed of the sound; it shows here, block by block.</source>
        <translation>Nichts ist zwischengespeichert. Ein Modell für fortlaufendes Hören hebt auf, was es vom Ton schon berechnet hat; hier ist es zu sehen, Block für Block.</translation>
    </message>
</context>
<context>
    <name>braid::ui::LagChart</name>
    <message>
        <source>Lag of the newest words</source>
        <translation>Verzögerung der neuesten Wörter</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>waiting for source</source>
        <translation>Warten auf die Quelle</translation>
    </message>
    <message>
        <source>“%1”: %2</source>
        <translation>„%1“: %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::LaneNameEdit</name>
    <message>
        <source>Name of the lane</source>
        <translation>Name der Spur</translation>
    </message>
    <message>
        <source>Enter keeps the name, Escape leaves it as it was, Up and Down go to the neighbours&apos; names.</source>
        <translation>Eingabe übernimmt den Namen, Escape lässt ihn, wie er war, Auf und Ab gehen zu den Namen der Nachbarn.</translation>
    </message>
    <message>
        <source>Name of the lane %1</source>
        <translation>Name der Spur %1</translation>
    </message>
</context>
<context>
    <name>braid::ui::LanePreferences</name>
    <message>
        <source>Fold	F</source>
        <translation>Einklappen	F</translation>
    </message>
    <message>
        <source>Open	F</source>
        <translation>Aufklappen	F</translation>
    </message>
    <message>
        <source>Move up	Ctrl+Up</source>
        <translation>Nach oben	Strg+Auf</translation>
    </message>
    <message>
        <source>Move down	Ctrl+Down</source>
        <translation>Nach unten	Strg+Ab</translation>
    </message>
    <message>
        <source>Rename…	F2</source>
        <translation>Umbenennen …	F2</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>As in the layout</source>
        <translation>Wie in der Anordnung</translation>
    </message>
    <message>
        <source>Show in large type</source>
        <translation>In großer Schrift zeigen</translation>
    </message>
    <message>
        <source>Switched off: it says nothing</source>
        <translation>Abgeschaltet: Er sagt nichts</translation>
    </message>
    <message>
        <source>Type into it</source>
        <translation>Hier hinein schreiben</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::LanesView</name>
    <message>
        <source>Go to live</source>
        <translation>Zum Neuesten</translation>
    </message>
    <message>
        <source>To the newest step (L)</source>
        <translation>Zum neuesten Schritt (L)</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>Streams</translation>
    </message>
    <message>
        <source>A row of cells a step, a lane a stream. Arrows move from cell to cell, Enter keeps one in the Inspector, brackets choose a step to go back to, F2 renames a lane, Shift+F10 opens its menu.</source>
        <translation>Je Schritt eine Reihe von Zellen, je Stream eine Spur. Pfeile gehen von Zelle zu Zelle, Eingabe hält eine im Inspektor fest, eckige Klammern wählen einen Schritt, zu dem es zurückgeht, F2 benennt eine Spur um, Umschalt+F10 öffnet ihr Menü.</translation>
    </message>
    <message>
        <source>Drag left to go back</source>
        <translation>Nach links ziehen, um zurückzugehen</translation>
    </message>
    <message numerus="yes">
        <source>Go on from step %1: %n taken back</source>
        <translation>
            <numerusform>Weiter ab Schritt %1: %n zurückgenommen</numerusform>
            <numerusform>Weiter ab Schritt %1: %n zurückgenommen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, Schritt %2</translation>
    </message>
    <message>
        <source>%1: not asked</source>
        <translation>%1: nicht gefragt</translation>
    </message>
    <message>
        <source>%1: silent</source>
        <translation>%1: schweigt</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1, probability %2</source>
        <translation>%1, Wahrscheinlichkeit %2</translation>
    </message>
    <message>
        <source>Drag left to take steps back and go on from there with other words ([ and ] do the same, Enter confirms)</source>
        <translation>Nach links ziehen, um Schritte zurückzunehmen und von dort mit anderen Wörtern weiterzumachen ([ und ] tun dasselbe, Eingabe bestätigt)</translation>
    </message>
    <message>
        <source>Step %1, made after %2</source>
        <translation>Schritt %1, gemacht nach %2</translation>
    </message>
    <message>
        <source>Fold %1 (F)</source>
        <translation>%1 einklappen (F)</translation>
    </message>
    <message>
        <source>Open %1 (F)</source>
        <translation>%1 aufklappen (F)</translation>
    </message>
    <message>
        <source>%1. Drag to move the lane (Ctrl+Up, Ctrl+Down), double click to rename it (F2); right click for more</source>
        <translation>%1. Ziehen verschiebt die Spur (Strg+Auf, Strg+Ab), Doppelklick benennt sie um (F2); Rechtsklick für mehr</translation>
    </message>
    <message>
        <source>%1. The stream has ended: %2</source>
        <translation>%1. Der Stream ist zu Ende: %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::LevelMeter</name>
    <message>
        <source>Sound level</source>
        <translation>Lautstärke</translation>
    </message>
    <message>
        <source>Sound level %1 dB, peak %2 dB</source>
        <translation>Lautstärke %1 dB, Spitze %2 dB</translation>
    </message>
</context>
<context>
    <name>braid::ui::LiveScroll</name>
    <message>
        <source>Live</source>
        <translation>Neuestes</translation>
    </message>
    <message>
        <source>Live  ↓  %1</source>
        <translation>Neuestes  ↓  %1</translation>
    </message>
    <message>
        <source>Live  ↓</source>
        <translation>Neuestes  ↓</translation>
    </message>
</context>
<context>
    <name>braid::ui::MainWindow</name>
    <message>
        <source>Braid</source>
        <translation>Braid</translation>
    </message>
    <message>
        <source>%1 – Braid</source>
        <translation>%1 – Braid</translation>
    </message>
    <message>
        <source>Ctrl+%1</source>
        <translation>Strg+%1</translation>
    </message>
    <message>
        <source>Captions</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>Übersetzung</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>Streams</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Ctrl+O</source>
        <translation>Strg+O</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Strg+E</translation>
    </message>
    <message>
        <source>New page</source>
        <translation>Neue Seite</translation>
    </message>
    <message>
        <source>Ctrl+N</source>
        <translation>Strg+N</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Go to live</source>
        <translation>Zum Neuesten</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Fine-tuning</source>
        <translation>Feineinstellung</translation>
    </message>
    <message>
        <source>Translate the captions</source>
        <translation>Untertitel übersetzen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größere Schrift</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinere Schrift</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Einblendung</translation>
    </message>
    <message>
        <source>Overlay…</source>
        <translation>Einblendung …</translation>
    </message>
    <message>
        <source>Ctrl+Shift+O</source>
        <translation>Strg+Umschalt+O</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>Vorführen</translation>
    </message>
    <message>
        <source>Caption the sample</source>
        <translation>Das Beispiel untertiteln</translation>
    </message>
    <message>
        <source>Keyboard and mouse</source>
        <translation>Tastatur und Maus</translation>
    </message>
    <message>
        <source>About Braid</source>
        <translation>Über Braid</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Strg+Q</translation>
    </message>
</context>
<context>
    <name>braid::ui::ModelCard</name>
    <message>
        <source>How much of it is here</source>
        <translation>Wie viel davon da ist</translation>
    </message>
</context>
<context>
    <name>braid::ui::ModelsPage</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Filter: name, language, licence</source>
        <translation>Filter: Name, Sprache, Lizenz</translation>
    </message>
    <message>
        <source>Show only models that have these words</source>
        <translation>Nur Modelle mit diesen Wörtern zeigen</translation>
    </message>
    <message>
        <source>Use a folder…</source>
        <translation>Ordner verwenden …</translation>
    </message>
    <message>
        <source>Use a model from another folder</source>
        <translation>Ein Modell aus einem anderen Ordner verwenden</translation>
    </message>
    <message>
        <source>A Whisper folder as Hugging Face keeps it, anywhere on this machine</source>
        <translation>Ein Whisper-Ordner, wie Hugging Face ihn führt, irgendwo auf diesem Rechner</translation>
    </message>
    <message>
        <source>Use a file…</source>
        <translation>Datei verwenden …</translation>
    </message>
    <message>
        <source>Use a model from a single file</source>
        <translation>Ein Modell aus einer einzelnen Datei verwenden</translation>
    </message>
    <message>
        <source>OpenAI&apos;s .pt, CarelessWhisper&apos;s .pt or .ckpt</source>
        <translation>.pt von OpenAI, .pt oder .ckpt von CarelessWhisper</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Noch einmal suchen</translation>
    </message>
    <message>
        <source>Look for models again</source>
        <translation>Noch einmal nach Modellen suchen</translation>
    </message>
    <message>
        <source>Choose a model folder</source>
        <translation>Einen Modellordner wählen</translation>
    </message>
    <message>
        <source>Choose a model file</source>
        <translation>Eine Modelldatei wählen</translation>
    </message>
    <message>
        <source>Models (*.pt *.ckpt *.safetensors)</source>
        <translation>Modelle (*.pt *.ckpt *.safetensors)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>To fetch</source>
        <translation>Zum Herunterladen</translation>
    </message>
    <message>
        <source>No model has these words in its name, languages or licence.</source>
        <translation>Kein Modell hat diese Wörter in Name, Sprachen oder Lizenz.</translation>
    </message>
    <message>
        <source>No model of yours is here yet. Fetch one, put a Whisper folder into one of these folders and look again, or use a folder from elsewhere.</source>
        <translation>Hier ist noch kein Modell von Ihnen. Laden Sie eines herunter, legen Sie einen Whisper-Ordner in einen dieser Ordner und suchen Sie noch einmal, oder verwenden Sie einen Ordner von anderswo.</translation>
    </message>
    <message>
        <source>In the box</source>
        <translation>Mitgeliefert</translation>
    </message>
    <message>
        <source>On this disk</source>
        <translation>Auf diesem Rechner</translation>
    </message>
    <message>
        <source>Looked for in %1</source>
        <translation>Gesucht in %1</translation>
    </message>
    <message>
        <source>made for live captions, %1 to %2 ms</source>
        <translation>für Live-Untertitel gemacht, %1 bis %2 ms</translation>
    </message>
    <message>
        <source>made for live captions, %1 ms</source>
        <translation>für Live-Untertitel gemacht, %1 ms</translation>
    </message>
    <message>
        <source>In use ✓</source>
        <translation>In Gebrauch ✓</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>%1 is in use</source>
        <translation>%1 ist in Gebrauch</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 verwenden</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Open the folder of %1</source>
        <translation>Den Ordner von %1 öffnen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>about %1 of memory</source>
        <translation>etwa %1 Arbeitsspeicher</translation>
    </message>
    <message>
        <source>its page asks you to accept its terms first</source>
        <translation>seine Seite verlangt vorher Ihre Zustimmung</translation>
    </message>
    <message>
        <source>partly here</source>
        <translation>teilweise da</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Stop fetching %1; what came so far is kept</source>
        <translation>Den Abruf von %1 anhalten; was schon kam, bleibt</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>Fetch %1</source>
        <translation>%1 herunterladen</translation>
    </message>
    <message>
        <source>asking what there is</source>
        <translation>fragt, was es gibt</translation>
    </message>
    <message>
        <source>%1 is ready to be used.</source>
        <translation>%1 kann jetzt verwendet werden.</translation>
    </message>
    <message>
        <source>%1 was removed.</source>
        <translation>%1 wurde entfernt.</translation>
    </message>
    <message>
        <source>Take it back</source>
        <translation>Zurückholen</translation>
    </message>
</context>
<context>
    <name>braid::ui::NoticeBar</name>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>Einzelheiten zeigen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>braid::ui::OverlayCanvas</name>
    <message>
        <source>Captions over other windows</source>
        <translation>Untertitel über anderen Fenstern</translation>
    </message>
</context>
<context>
    <name>braid::ui::OverlayDesk</name>
    <message>
        <source>Braid captions for streaming</source>
        <translation>Braid-Untertitel für Streaming</translation>
    </message>
</context>
<context>
    <name>braid::ui::OverlayDialog</name>
    <message>
        <source>Overlay</source>
        <translation>Einblendung</translation>
    </message>
    <message>
        <source>Show or hide the overlay (O)</source>
        <translation>Die Einblendung zeigen oder verbergen (O)</translation>
    </message>
    <message>
        <source>Over other windows</source>
        <translation>Über anderen Fenstern</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>At the top</source>
        <translation>Oben</translation>
    </message>
    <message>
        <source>At the bottom</source>
        <translation>Unten</translation>
    </message>
    <message>
        <source>Where I put it</source>
        <translation>Wo ich sie hinlege</translation>
    </message>
    <message>
        <source>Under Wayland the desktop decides where a window stands and whether it stays on top: drag the strip where you want it, and ask the desktop (Alt+Space) to keep it above.</source>
        <translation>Unter Wayland bestimmt die Arbeitsumgebung, wo ein Fenster steht und ob es vorn bleibt: Ziehen Sie den Streifen dorthin, wo Sie ihn haben wollen, und bitten Sie die Arbeitsumgebung (Alt+Leertaste), ihn vorn zu halten.</translation>
    </message>
    <message>
        <source>Clicks go to what lies behind it</source>
        <translation>Klicks gehen an das, was dahinter liegt</translation>
    </message>
    <message>
        <source>It can then be moved and closed from this dialog and the menu alone</source>
        <translation>Sie lässt sich dann nur noch hier und über das Menü verschieben und schließen</translation>
    </message>
    <message>
        <source>Shows</source>
        <translation>Zeigt</translation>
    </message>
    <message>
        <source>What is said</source>
        <translation>Was gesagt wird</translation>
    </message>
    <message>
        <source>Its translation</source>
        <translation>Die Übersetzung davon</translation>
    </message>
    <message>
        <source>Both, the translation below</source>
        <translation>Beides, die Übersetzung darunter</translation>
    </message>
    <message>
        <source>Lines of each</source>
        <translation>Zeilen von jedem</translation>
    </message>
    <message>
        <source>Letters</source>
        <translation>Schrift</translation>
    </message>
    <message>
        <source>Font</source>
        <translation>Schriftart</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Farbe</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Umriss</translation>
    </message>
    <message>
        <source>Colour of the outline</source>
        <translation>Farbe des Umrisses</translation>
    </message>
    <message>
        <source>Behind the letters</source>
        <translation>Hinter der Schrift</translation>
    </message>
    <message>
        <source>How opaque that is</source>
        <translation>Wie deckend das ist</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>For streaming (OBS)</source>
        <translation>Für Streaming (OBS)</translation>
    </message>
    <message>
        <source>Show or hide the plain window</source>
        <translation>Das einfarbige Fenster zeigen oder verbergen</translation>
    </message>
    <message>
        <source>Captions on one colour, in a window that OBS takes as &quot;Window capture&quot; and keys out</source>
        <translation>Untertitel auf einer Farbe, in einem Fenster, das OBS als „Fensteraufnahme“ nimmt und freistellt</translation>
    </message>
    <message>
        <source>Its colour</source>
        <translation>Seine Farbe</translation>
    </message>
    <message>
        <source>Live text file</source>
        <translation>Live-Textdatei</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>Choose the live text file</source>
        <translation>Die Live-Textdatei wählen</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Write no live text file</source>
        <translation>Keine Live-Textdatei schreiben</translation>
    </message>
    <message>
        <source>Write the newest lines to</source>
        <translation>Die neuesten Zeilen schreiben in</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
    <message>
        <source>captions-live.txt</source>
        <translation>untertitel-live.txt</translation>
    </message>
</context>
<context>
    <name>braid::ui::OverlayWindow</name>
    <message>
        <source>Braid captions</source>
        <translation>Braid-Untertitel</translation>
    </message>
    <message>
        <source>Captions over other windows</source>
        <translation>Untertitel über anderen Fenstern</translation>
    </message>
    <message>
        <source>Drag to move, drag an end to make it wider; the right button for more</source>
        <translation>Ziehen verschiebt, an einem Ende ziehen verbreitert; die rechte Taste für mehr</translation>
    </message>
    <message>
        <source>At the top</source>
        <translation>Oben</translation>
    </message>
    <message>
        <source>At the bottom</source>
        <translation>Unten</translation>
    </message>
    <message>
        <source>Where I put it</source>
        <translation>Wo ich sie hinlege</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>Übersetzung</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beides</translation>
    </message>
    <message>
        <source>Font, colours and more…</source>
        <translation>Schrift, Farben und mehr …</translation>
    </message>
    <message>
        <source>Close the overlay</source>
        <translation>Die Einblendung schließen</translation>
    </message>
</context>
<context>
    <name>braid::ui::OverviewStrip</name>
    <message>
        <source>The whole run</source>
        <translation>Der ganze Lauf</translation>
    </message>
    <message>
        <source>Where in the run the lanes stand; in the lanes, Home and End go to its ends.</source>
        <translation>Wo im Lauf die Spuren stehen; in den Spuren gehen Pos1 und Ende an seine Enden.</translation>
    </message>
    <message>
        <source>Step %1, %2</source>
        <translation>Schritt %1, %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::PlayerBar</name>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>How fast it is played, at the same pitch (&lt; and &gt;)</source>
        <translation>Wie schnell abgespielt wird, bei gleicher Tonhöhe (&lt; und &gt;)</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Stelle</translation>
    </message>
    <message>
        <source>Repeat line</source>
        <translation>Zeile wiederholen</translation>
    </message>
    <message>
        <source>Repeat the line</source>
        <translation>Die Zeile wiederholen</translation>
    </message>
    <message>
        <source>The line that plays, over and over (R)</source>
        <translation>Die Zeile, die läuft, immer wieder (R)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>Pause (K)</source>
        <translation>Pause (K)</translation>
    </message>
    <message>
        <source>Play (K)</source>
        <translation>Abspielen (K)</translation>
    </message>
</context>
<context>
    <name>braid::ui::QueuePanel</name>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Save all…</source>
        <translation>Alle speichern …</translation>
    </message>
    <message>
        <source>Clear finished</source>
        <translation>Fertige ausräumen</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufnahmen</translation>
    </message>
    <message>
        <source>Caption those that wait</source>
        <translation>Die wartenden untertiteln</translation>
    </message>
    <message>
        <source>Each in a file of its own, in one folder</source>
        <translation>Jede in einer eigenen Datei, in einem Ordner</translation>
    </message>
    <message>
        <source>Takes finished recordings off this list; nothing is deleted from the disk</source>
        <translation>Nimmt fertige Aufnahmen von dieser Liste; auf der Festplatte wird nichts gelöscht</translation>
    </message>
    <message>
        <source>Recordings: %1 of %2 done</source>
        <translation>Aufnahmen: %1 von %2 fertig</translation>
    </message>
</context>
<context>
    <name>braid::ui::QueueRow</name>
    <message>
        <source>Earlier (Alt+Up)</source>
        <translation>Früher (Alt+Auf)</translation>
    </message>
    <message>
        <source>Later (Alt+Down)</source>
        <translation>Später (Alt+Ab)</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Its words on the page</source>
        <translation>Ihre Wörter auf die Seite</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern …</translation>
    </message>
    <message>
        <source>Its words as a file of their own</source>
        <translation>Ihre Wörter als eigene Datei</translation>
    </message>
    <message>
        <source>Leave it out (Delete)</source>
        <translation>Weglassen (Entf)</translation>
    </message>
    <message>
        <source>Stop it here; what was heard is kept (Delete)</source>
        <translation>Hier anhalten; das Gehörte bleibt (Entf)</translation>
    </message>
    <message>
        <source>%1 earlier</source>
        <translation>%1 früher</translation>
    </message>
    <message>
        <source>%1 later</source>
        <translation>%1 später</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>%1 speichern</translation>
    </message>
    <message>
        <source>Stop %1</source>
        <translation>%1 anhalten</translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation>%1 weglassen</translation>
    </message>
    <message>
        <source>How far %1 is</source>
        <translation>Wie weit %1 ist</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::Rail</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Open, save, find, compare, present, keys</source>
        <translation>Öffnen, speichern, suchen, vergleichen, vorführen, Tasten</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>Weitere Aktionen</translation>
    </message>
</context>
<context>
    <name>braid::ui::RevisionList</name>
    <message>
        <source>Newest revisions</source>
        <translation>Neueste Änderungen</translation>
    </message>
</context>
<context>
    <name>braid::ui::RevisionListModel</name>
    <message>
        <source>at %1, %2 became %3</source>
        <translation>bei %1 wurde aus %2 %3</translation>
    </message>
    <message>
        <source>“%1” at %2 became “%3” when %4 had been heard</source>
        <translation>„%1“ bei %2 wurde zu „%3“, als %4 gehört war</translation>
    </message>
</context>
<context>
    <name>braid::ui::SettingsPage</name>
    <message>
        <source>Undo last change</source>
        <translation>Letzte Änderung zurücknehmen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Alles zurücksetzen</translation>
    </message>
    <message>
        <source>Set everything on this page back</source>
        <translation>Alles auf dieser Seite zurücksetzen</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Language of the window</source>
        <translation>Sprache des Fensters</translation>
    </message>
    <message>
        <source>Takes effect when Braid is started the next time</source>
        <translation>Gilt, wenn Braid das nächste Mal gestartet wird</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Colours of the whole window</source>
        <translation>Farben des ganzen Fensters</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast, light</source>
        <translation>Hoher Kontrast, hell</translation>
    </message>
    <message>
        <source>High contrast, dark</source>
        <translation>Hoher Kontrast, dunkel</translation>
    </message>
    <message>
        <source>Caption size</source>
        <translation>Größe der Untertitel</translation>
    </message>
    <message>
        <source>Also Ctrl and the wheel over the captions, or + and -</source>
        <translation>Auch Strg und Mausrad über den Untertiteln, oder + und -</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Times beside the lines</source>
        <translation>Zeiten neben den Zeilen</translation>
    </message>
    <message>
        <source>Of what was captured live; recordings show their own time</source>
        <translation>Bei live Mitgeschriebenem; Aufnahmen zeigen ihre eigene Zeit</translation>
    </message>
    <message>
        <source>Since the beginning</source>
        <translation>Seit dem Beginn</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>Uhrzeit</translation>
    </message>
    <message>
        <source>Icon in the tray</source>
        <translation>Symbol im Infobereich</translation>
    </message>
    <message>
        <source>Says whether Braid listens; starts, stops and shows the overlay</source>
        <translation>Sagt, ob Braid zuhört; startet, hält an und zeigt die Einblendung</translation>
    </message>
    <message>
        <source>Mark unlikely words</source>
        <translation>Unsichere Wörter kennzeichnen</translation>
    </message>
    <message>
        <source>A lighter line under words of which the model was less than half sure</source>
        <translation>Eine hellere Linie unter Wörtern, bei denen das Modell weniger als halb sicher war</translation>
    </message>
    <message>
        <source>Less motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>The page jumps instead of gliding; nothing fades</source>
        <translation>Die Seite springt, statt zu gleiten; nichts blendet über</translation>
    </message>
    <message>
        <source>Listening</source>
        <translation>Zuhören</translation>
    </message>
    <message>
        <source>Sound before speech</source>
        <translation>Ton vor der Sprache</translation>
    </message>
    <message>
        <source>How much before the first detected speech belongs to it. Raise it when first words are clipped.</source>
        <translation>Wie viel vor der ersten erkannten Sprache dazugehört. Erhöhen Sie es, wenn erste Wörter abgeschnitten sind.</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>Silence that settles the words</source>
        <translation>Stille, nach der alles feststeht</translation>
    </message>
    <message>
        <source>After this much silence everything said before is final</source>
        <translation>Nach so viel Stille ist alles vorher Gesagte endgültig</translation>
    </message>
    <message>
        <source>A new line begins</source>
        <translation>Eine neue Zeile beginnt</translation>
    </message>
    <message>
        <source>Where the captions are cut into lines</source>
        <translation>Wo die Untertitel in Zeilen geteilt werden</translation>
    </message>
    <message>
        <source>After sentences and pauses</source>
        <translation>Nach Sätzen und Pausen</translation>
    </message>
    <message>
        <source>After pauses</source>
        <translation>Nach Pausen</translation>
    </message>
    <message>
        <source>After sentences</source>
        <translation>Nach Sätzen</translation>
    </message>
    <message>
        <source>Pause that ends a line</source>
        <translation>Pause, die eine Zeile beendet</translation>
    </message>
    <message>
        <source>Silence between two words after which the next begins a new line</source>
        <translation>Stille zwischen zwei Wörtern, nach der das nächste eine neue Zeile beginnt</translation>
    </message>
    <message>
        <source>Files at their own pace</source>
        <translation>Dateien in ihrem Tempo</translation>
    </message>
    <message>
        <source>As if played, instead of as fast as this machine can</source>
        <translation>Wie beim Abspielen, statt so schnell, wie dieser Rechner kann</translation>
    </message>
    <message>
        <source>Computation</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>Läuft auf</translation>
    </message>
    <message>
        <source>Automatic takes a graphics card where there is a suitable one</source>
        <translation>„Automatisch“ nimmt eine Grafikkarte, wo es eine geeignete gibt</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Prozessor</translation>
    </message>
    <message>
        <source>NVIDIA graphics card</source>
        <translation>NVIDIA-Grafikkarte</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Fewer bits need less memory; on a processor they are seldom faster</source>
        <translation>Weniger Bit brauchen weniger Speicher; auf einem Prozessor sind sie selten schneller</translation>
    </message>
    <message>
        <source>32 bit</source>
        <translation>32 Bit</translation>
    </message>
    <message>
        <source>16 bit (bfloat16)</source>
        <translation>16 Bit (bfloat16)</translation>
    </message>
    <message>
        <source>16 bit (float16)</source>
        <translation>16 Bit (float16)</translation>
    </message>
    <message>
        <source>8 bit (int8 weights)</source>
        <translation>8 Bit (int8-Gewichte)</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Prozessor-Threads</translation>
    </message>
    <message>
        <source>How many parts of the processor compute at once; Braid chooses where nothing is set</source>
        <translation>Wie viele Teile des Prozessors zugleich rechnen; ist nichts gesetzt, wählt Braid</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Aufheben</translation>
    </message>
    <message>
        <source>Keep every session</source>
        <translation>Jede Sitzung aufheben</translation>
    </message>
    <message>
        <source>Words and sound, conversations and translations, on this machine; recovers after a crash</source>
        <translation>Wörter und Ton, Gespräche, Übersetzungen, auf diesem Rechner; hilft nach einem Absturz</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Mask profanity</source>
        <translation>Schimpfwörter verdecken</translation>
    </message>
    <message>
        <source>English swear words, with asterisks; the list above can add and spare words</source>
        <translation>Englische, mit Sternchen; die Liste oben kann hinzufügen und ausnehmen</translation>
    </message>
</context>
<context>
    <name>braid::ui::ShareBars</name>
    <message>
        <source>%1 %2 %</source>
        <translation>%1 %2 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>braid::ui::SourceLine</name>
    <message>
        <source>When words go</source>
        <translation>Wann Wörter abgehen</translation>
    </message>
    <message>
        <source>When words leave the field</source>
        <translation>Wann Wörter das Feld verlassen</translation>
    </message>
    <message>
        <source>As I type</source>
        <translation>Beim Tippen</translation>
    </message>
    <message>
        <source>With Enter</source>
        <translation>Mit Eingabe</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Öffnen …</translation>
    </message>
    <message>
        <source>Open a text</source>
        <translation>Einen Text öffnen</translation>
    </message>
    <message>
        <source>Translate a text file (Ctrl+O)</source>
        <translation>Eine Textdatei übersetzen (Strg+O)</translation>
    </message>
    <message>
        <source>Go to the captions</source>
        <translation>Zu den Untertiteln</translation>
    </message>
    <message>
        <source>Text to translate</source>
        <translation>Zu übersetzender Text</translation>
    </message>
    <message>
        <source>Every word is translated with the space behind it. Enter ends the sentence. Pasted text goes at once.</source>
        <translation>Jedes Wort wird mit dem Leerzeichen dahinter übersetzt. Eingabe beendet den Satz. Eingefügter Text geht sofort ab.</translation>
    </message>
    <message>
        <source>Enter sends the line. Pasted text of several lines goes at once.</source>
        <translation>Eingabe schickt die Zeile ab. Eingefügter Text mit mehreren Zeilen geht sofort ab.</translation>
    </message>
    <message>
        <source>Type or paste here, then press Enter</source>
        <translation>Hier tippen oder einfügen, dann Eingabe drücken</translation>
    </message>
    <message>
        <source>Text to translate, in %1</source>
        <translation>Zu übersetzender Text, auf %1</translation>
    </message>
    <message>
        <source>Type or paste here; Enter ends the sentence</source>
        <translation>Tippen oder einfügen; Eingabe beendet den Satz</translation>
    </message>
</context>
<context>
    <name>braid::ui::StatusBar</name>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Where it runs</source>
        <translation>Wo es läuft</translation>
    </message>
</context>
<context>
    <name>braid::ui::StatusLine</name>
    <message>
        <source>Whether it listens</source>
        <translation>Ob zugehört wird</translation>
    </message>
    <message>
        <source>listening</source>
        <translation>hört zu</translation>
    </message>
    <message>
        <source>Sound heard</source>
        <translation>Gehörter Ton</translation>
    </message>
    <message>
        <source>heard %1</source>
        <translation>gehört %1</translation>
    </message>
    <message>
        <source>Lag</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>How far the words are behind the sound.</source>
        <translation>Wie weit die Wörter hinter dem Ton zurück sind.</translation>
    </message>
    <message>
        <source>%1 s behind</source>
        <translation>%L1 s zurück</translation>
    </message>
    <message>
        <source>Parts of the lag</source>
        <translation>Teile der Verzögerung</translation>
    </message>
    <message>
        <source>Computing: heard but not yet processed.
Waiting: processed, but held back until the model is sure.</source>
        <translation>Rechnen: gehört, aber noch nicht verarbeitet.
Warten: verarbeitet, aber zurückgehalten, bis das Modell sicher ist.</translation>
    </message>
    <message>
        <source>%1 computing, %2 waiting to be sure</source>
        <translation>%L1 Rechnen, %L2 bis es sicher ist</translation>
    </message>
    <message>
        <source>Real-time factor</source>
        <translation>Echtzeitfaktor</translation>
    </message>
    <message>
        <source>Real-time factor: seconds of computing for a second of sound. Below 1 keeps up.</source>
        <translation>Echtzeitfaktor: Sekunden Rechnen für eine Sekunde Ton. Unter 1 hält es Schritt.</translation>
    </message>
    <message>
        <source>RTF %1</source>
        <translation>RTF %L1</translation>
    </message>
</context>
<context>
    <name>braid::ui::StepChart</name>
    <message>
        <source>Time of the newest steps</source>
        <translation>Zeit der neuesten Schritte</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%L1 ms</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>Encoder</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>Decoder</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>Rest</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsChoicesRow</name>
    <message>
        <source>Layout</source>
        <translation>Anordnung</translation>
    </message>
    <message>
        <source>Which streams there are and who sees whom</source>
        <translation>Welche Streams es gibt und wer wen sieht</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>The model that speaks in all of them</source>
        <translation>Das Modell, das in allen spricht</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Baseline beside it</source>
        <translation>Vergleich daneben</translation>
    </message>
    <message>
        <source>The same words to one queue of messages, side by side (C)</source>
        <translation>Dieselben Wörter an eine einzige Reihe von Nachrichten, nebeneinander (C)</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Neues Gespräch</translation>
    </message>
    <message>
        <source>An empty page (Ctrl+N)</source>
        <translation>Eine leere Seite (Strg+N)</translation>
    </message>
    <message>
        <source>Replay this conversation</source>
        <translation>Dieses Gespräch wiederholen</translation>
    </message>
    <message>
        <source>Every step again, exactly as it was and when it was (R)</source>
        <translation>Jeder Schritt noch einmal, genau wie und wann er war (R)</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>Ein Schritt</translation>
    </message>
    <message>
        <source>One step, then pause (.)</source>
        <translation>Ein Schritt, dann Pause (.)</translation>
    </message>
    <message>
        <source>No layout found</source>
        <translation>Keine Anordnung gefunden</translation>
    </message>
    <message>
        <source>Looking for layouts…</source>
        <translation>Anordnungen werden gesucht …</translation>
    </message>
    <message>
        <source>Open a layout…</source>
        <translation>Eine Anordnung öffnen …</translation>
    </message>
    <message>
        <source>%1 (not for this layout)</source>
        <translation>%1 (nicht für diese Anordnung)</translation>
    </message>
    <message>
        <source>No layout of streams was found. Open one with the first choice above.</source>
        <translation>Es wurde keine Anordnung von Streams gefunden. Öffnen Sie eine mit der ersten Auswahl oben.</translation>
    </message>
    <message>
        <source>Still looking for layouts. Try again in a moment.</source>
        <translation>Anordnungen werden noch gesucht. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>Still looking for models. Try again in a moment.</source>
        <translation>Modelle werden noch gesucht. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>No model for parallel streams was found. The Models page says where Braid looks for them.</source>
        <translation>Es wurde kein Modell für parallele Streams gefunden. Die Seite „Modelle“ sagt, wo Braid danach sucht.</translation>
    </message>
    <message>
        <source>No model of one queue of messages was found, so there is nothing to compare with.</source>
        <translation>Es wurde kein Modell für eine einzige Reihe von Nachrichten gefunden, also ist nichts zum Vergleichen da.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>%1 (Space)</source>
        <translation>%1 (Leertaste)</translation>
    </message>
    <message>
        <source>How it runs: %1</source>
        <translation>Wie es läuft: %1</translation>
    </message>
    <message>
        <source>Tempo, sampling, seed, system text (D)</source>
        <translation>Tempo, Auswahl der Wörter, Startzahl, Systemtext (D)</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsController</name>
    <message>
        <source>· (silent)</source>
        <translation>· (schweigt)</translation>
    </message>
    <message>
        <source>At most %1 MB of words can wait; the last %2 kB were left out. Give the text as a file, or say it when there is room.</source>
        <translation>Höchstens %1 MB an Wörtern können warten; die letzten %2 kB wurden weggelassen. Geben Sie den Text als Datei, oder sagen Sie es, wenn Platz ist.</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsFiles</name>
    <message>
        <source>There is nothing to save yet.</source>
        <translation>Es gibt noch nichts zu speichern.</translation>
    </message>
    <message>
        <source>Save the conversation</source>
        <translation>Das Gespräch speichern</translation>
    </message>
    <message>
        <source>conversation.json</source>
        <translation>Gespräch.json</translation>
    </message>
    <message>
        <source>Open a conversation, a layout or a text</source>
        <translation>Ein Gespräch, eine Anordnung oder einen Text öffnen</translation>
    </message>
    <message>
        <source>Conversations, layouts and texts (*.json *.txt)</source>
        <translation>Gespräche, Anordnungen und Texte (*.json *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>One conversation shows at a time: the first of %1 files is opened.</source>
        <translation>Es wird nur ein Gespräch gezeigt: Von %1 Dateien wird die erste geöffnet.</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsInspector</name>
    <message>
        <source>Heads together</source>
        <translation>Köpfe zusammen</translation>
    </message>
    <message>
        <source>How layers and heads are put together</source>
        <translation>Wie Ebenen und Köpfe zusammengefasst werden</translation>
    </message>
    <message>
        <source>One queue of messages</source>
        <translation>Eine Reihe von Nachrichten</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Wort</translation>
    </message>
    <message>
        <source>What it attended to</source>
        <translation>Worauf es achtete</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Greatest</source>
        <translation>Größtes</translation>
    </message>
    <message>
        <source>All layers</source>
        <translation>Alle Ebenen</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>Alle Köpfe</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Kopf</translation>
    </message>
    <message>
        <source>Attention by stream</source>
        <translation>Aufmerksamkeit je Stream</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Parallel streams</source>
        <translation>Parallele Streams</translation>
    </message>
    <message>
        <source>Nothing chosen</source>
        <translation>Nichts gewählt</translation>
    </message>
    <message>
        <source>Point at a word in a lane to see what the model had in mind.</source>
        <translation>Zeigen Sie auf ein Wort in einer Spur, um zu sehen, was das Modell dabei vor Augen hatte.</translation>
    </message>
    <message>
        <source>%1, step %2, %3</source>
        <translation>%1, Schritt %2, %3</translation>
    </message>
    <message>
        <source>silent; %1</source>
        <translation>schweigt; %1</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>before step 1</source>
        <translation>vor Schritt 1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1  %2, %3, %4</source>
        <translation>%1  %2, %3, %4</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsPage</name>
    <message>
        <source>Find in lanes</source>
        <translation>In den Spuren suchen</translation>
    </message>
    <message>
        <source>The baseline: one queue of messages</source>
        <translation>Der Vergleich: eine Reihe von Nachrichten</translation>
    </message>
    <message>
        <source>The captions are not running. Start them on their page (Ctrl+1), and what they settle enters here.</source>
        <translation>Die Untertitel laufen nicht. Starten Sie sie auf ihrer Seite (Strg+1); was dort feststeht, kommt hier hinein.</translation>
    </message>
    <message>
        <source>The baseline stopped: %1</source>
        <translation>Der Vergleich hielt an: %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait</source>
        <translation>
            <numerusform>%Ln wartet</numerusform>
            <numerusform>%Ln warten</numerusform>
        </translation>
    </message>
    <message>
        <source>switched off</source>
        <translation>abgeschaltet</translation>
    </message>
    <message numerus="yes">
        <source>ended, %Ln word(s)</source>
        <translation>
            <numerusform>zu Ende, %Ln Wort</numerusform>
            <numerusform>zu Ende, %Ln Wörter</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln word(s)</source>
        <translation>
            <numerusform>%Ln Wort</numerusform>
            <numerusform>%Ln Wörter</numerusform>
        </translation>
    </message>
    <message>
        <source>Baseline: one queue of messages, answered one after the other</source>
        <translation>Vergleich: eine Reihe von Nachrichten, eine nach der anderen beantwortet</translation>
    </message>
    <message>
        <source>Baseline: one queue of messages (%1), %2</source>
        <translation>Vergleich: eine Reihe von Nachrichten (%1), %2</translation>
    </message>
    <message>
        <source>&lt;p&gt;It knows small tasks such as these. Try one:&lt;/p&gt;&lt;p&gt;%1&lt;/p&gt;</source>
        <translation>&lt;p&gt;Es kann kleine Aufgaben wie diese (auf Englisch). Versuchen Sie eine:&lt;/p&gt;&lt;p&gt;%1&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p style=&quot;font-size:15px&quot;&gt;No layout of streams yet.&lt;/p&gt;&lt;p&gt;Choose one above, or open a file.&lt;/p&gt;</source>
        <translation>&lt;p style=&quot;font-size:15px&quot;&gt;Noch keine Anordnung von Streams.&lt;/p&gt;&lt;p&gt;Wählen Sie oben eine, oder öffnen Sie eine Datei.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p style=&quot;font-size:15px&quot;&gt;Type below.&lt;/p&gt;&lt;p&gt;Every word enters the user&apos;s lane at once; the other lanes read it and speak while you type.&lt;/p&gt;</source>
        <translation>&lt;p style=&quot;font-size:15px&quot;&gt;Tippen Sie unten.&lt;/p&gt;&lt;p&gt;Jedes Wort kommt sofort in die Spur des Benutzers; die anderen Spuren lesen es und sprechen, während Sie tippen.&lt;/p&gt;</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsPanel</name>
    <message>
        <source>Whose sampling</source>
        <translation>Wessen Auswahl</translation>
    </message>
    <message>
        <source>The streams that the next rows are about</source>
        <translation>Die Streams, um die es in den nächsten Zeilen geht</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>The model of the single queue of messages</source>
        <translation>Das Modell der einen Reihe von Nachrichten</translation>
    </message>
    <message>
        <source>How it runs</source>
        <translation>Wie es läuft</translation>
    </message>
    <message>
        <source>From the next step on</source>
        <translation>Ab dem nächsten Schritt</translation>
    </message>
    <message>
        <source>Tempo</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source> steps/s</source>
        <translation> Schritte/s</translation>
    </message>
    <message>
        <source>A small model is faster than people read. The right end is as fast as it goes.</source>
        <translation>Ein kleines Modell ist schneller, als Menschen lesen. Ganz rechts: so schnell es geht.</translation>
    </message>
    <message>
        <source>As the layout says</source>
        <translation>Wie die Anordnung sagt</translation>
    </message>
    <message>
        <source>Sampling as the layout says</source>
        <translation>Auswahl, wie die Anordnung sagt</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>Streams</translation>
    </message>
    <message>
        <source>0 (the most probable)</source>
        <translation>0 (das wahrscheinlichste)</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>0 (all)</source>
        <translation>0 (alle)</translation>
    </message>
    <message>
        <source>Top k</source>
        <translation>Top k</translation>
    </message>
    <message>
        <source>Top p</source>
        <translation>Top p</translation>
    </message>
    <message>
        <source>Taken from the logit of silence: above 0 the stream speaks more, below it speaks less</source>
        <translation>Wird vom Wert der Stille abgezogen: Über 0 spricht der Stream mehr, darunter weniger</translation>
    </message>
    <message>
        <source> on silence</source>
        <translation> auf Stille</translation>
    </message>
    <message>
        <source>Penalty</source>
        <translation>Abzug</translation>
    </message>
    <message>
        <source>From the next start on</source>
        <translation>Ab dem nächsten Start</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startzahl</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>One queue of messages: the same words, answered one after the other.</source>
        <translation>Eine Reihe von Nachrichten: dieselben Wörter, eine nach der anderen beantwortet.</translation>
    </message>
    <message>
        <source>, full</source>
        <translation>, voll</translation>
    </message>
    <message>
        <source>All who speak</source>
        <translation>Alle, die sprechen</translation>
    </message>
    <message>
        <source>What the system stream says before everything else</source>
        <translation>Was der System-Stream vor allem anderen sagt</translation>
    </message>
    <message>
        <source>This layout has no system stream</source>
        <translation>Diese Anordnung hat keinen System-Stream</translation>
    </message>
    <message>
        <source>No model found</source>
        <translation>Kein Modell gefunden</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsRun</name>
    <message>
        <source>This conversation goes on as it is. The new choice holds from the next one.</source>
        <translation>Dieses Gespräch geht weiter, wie es ist. Die neue Wahl gilt ab dem nächsten.</translation>
    </message>
    <message>
        <source>Begin a new one</source>
        <translation>Ein neues beginnen</translation>
    </message>
    <message>
        <source>A new conversation.</source>
        <translation>Ein neues Gespräch.</translation>
    </message>
    <message>
        <source>Bring the last one back</source>
        <translation>Das letzte zurückholen</translation>
    </message>
    <message>
        <source>The words that waited were dropped.</source>
        <translation>Die wartenden Wörter wurden verworfen.</translation>
    </message>
    <message>
        <source>Say them after all</source>
        <translation>Sie doch sagen</translation>
    </message>
    <message>
        <source>This conversation is only shown. Open it with a model that can run its layout, and it can go on from any step.</source>
        <translation>Dieses Gespräch wird nur gezeigt. Öffnen Sie es mit einem Modell, das seine Anordnung beherrscht, dann kann es ab jedem Schritt weitergehen.</translation>
    </message>
    <message numerus="yes">
        <source>Back at step %1; %n step(s) were taken back. Type other words and it goes on with them, or press Space to go on without.</source>
        <translation>
            <numerusform>Zurück bei Schritt %1; %n Schritt wurde zurückgenommen. Tippen Sie andere Wörter, und es geht damit weiter, oder drücken Sie die Leertaste, um ohne weiterzumachen.</numerusform>
            <numerusform>Zurück bei Schritt %1; %n Schritte wurden zurückgenommen. Tippen Sie andere Wörter, und es geht damit weiter, oder drücken Sie die Leertaste, um ohne weiterzumachen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>“%1”, which said this, is not here or cannot run this layout: the conversation can be read and replayed, but not gone on with.</source>
        <translation>„%1“, das dies gesagt hat, ist nicht hier oder beherrscht diese Anordnung nicht: Das Gespräch kann gelesen und wiederholt, aber nicht fortgesetzt werden.</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsStatusLine</name>
    <message>
        <source>Whether it runs</source>
        <translation>Ob es läuft</translation>
    </message>
    <message>
        <source>waits for words</source>
        <translation>wartet auf Wörter</translation>
    </message>
    <message>
        <source>Steps made</source>
        <translation>Gemachte Schritte</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Time of a step</source>
        <translation>Zeit eines Schrittes</translation>
    </message>
    <message>
        <source>Computing one row of tokens, one for every stream: the median of the newest steps</source>
        <translation>Das Rechnen einer Reihe von Token, eines je Stream: der Median der neuesten Schritte</translation>
    </message>
    <message>
        <source>%1 ms a step</source>
        <translation>%L1 ms je Schritt</translation>
    </message>
    <message>
        <source>Tokens a second</source>
        <translation>Token je Sekunde</translation>
    </message>
    <message>
        <source>Over all streams, of the time the newest steps took to compute; silence does not count</source>
        <translation>Über alle Streams, bezogen auf die Rechenzeit der neuesten Schritte; Stille zählt nicht</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%L1 Token/s</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Speicher</translation>
    </message>
</context>
<context>
    <name>braid::ui::TimelineView</name>
    <message>
        <source>Waveform and words in time</source>
        <translation>Wellenform und Wörter in der Zeit</translation>
    </message>
    <message>
        <source>Left and right move, plus and minus zoom, L goes to live.</source>
        <translation>Links und Rechts verschieben, Plus und Minus vergrößern und verkleinern, L geht zum Neuesten.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TokenBars</name>
    <message>
        <source>Tokens and their rivals</source>
        <translation>Token und ihre Rivalen</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>This word has no tokens to show.</source>
        <translation>Zu diesem Wort gibt es keine Token zu zeigen.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranscriptView</name>
    <message>
        <source>Back to live</source>
        <translation>Zurück zum Neuesten</translation>
    </message>
    <message>
        <source>Back to the newest words (L)</source>
        <translation>Zurück zu den neuesten Wörtern (L)</translation>
    </message>
    <message numerus="yes">
        <source>%n new line(s)</source>
        <translation>
            <numerusform>%n neue Zeile</numerusform>
            <numerusform>%n neue Zeilen</numerusform>
        </translation>
    </message>
    <message>
        <source>Captions</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>Settled words in order. Arrow keys move from word to word, Enter plays the word, F2 corrects it.</source>
        <translation>Endgültige Wörter der Reihe nach. Pfeiltasten gehen von Wort zu Wort, Eingabe spielt das Wort ab, F2 berichtigt es.</translation>
    </message>
    <message>
        <source>%1, corrected</source>
        <translation>%1, berichtigt</translation>
    </message>
    <message>
        <source>struck out</source>
        <translation>gestrichen</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslateChoice</name>
    <message>
        <source>Translate</source>
        <translation>Übersetzen</translation>
    </message>
    <message>
        <source>→ %1</source>
        <translation>→ %1</translation>
    </message>
    <message>
        <source>Translation under the captions: %1</source>
        <translation>Übersetzung unter den Untertiteln: %1</translation>
    </message>
    <message>
        <source>Translation under the captions: off</source>
        <translation>Übersetzung unter den Untertiteln: aus</translation>
    </message>
    <message>
        <source>A translation under every line (T)</source>
        <translation>Eine Übersetzung unter jeder Zeile (T)</translation>
    </message>
    <message>
        <source>Translation under the captions</source>
        <translation>Übersetzung unter den Untertiteln</translation>
    </message>
    <message>
        <source>No translation</source>
        <translation>Keine Übersetzung</translation>
    </message>
    <message>
        <source>%1 (cannot be used)</source>
        <translation>%1 (nicht verwendbar)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>No model that translates was found</source>
        <translation>Kein übersetzendes Modell gefunden</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>Modelle werden gesucht …</translation>
    </message>
    <message>
        <source>Get a better model…</source>
        <translation>Ein besseres Modell holen …</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationChoicesRow</name>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Where the text comes from</source>
        <translation>Woher der Text kommt</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>The model that translates</source>
        <translation>Das Modell, das übersetzt</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>Sprachen</translation>
    </message>
    <message>
        <source>From which language into which</source>
        <translation>Aus welcher Sprache in welche</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Compare two methods</source>
        <translation>Zwei Verfahren vergleichen</translation>
    </message>
    <message>
        <source>Two methods on the same source, side by side (C)</source>
        <translation>Zwei Verfahren an derselben Quelle, nebeneinander (C)</translation>
    </message>
    <message>
        <source>Typed text</source>
        <translation>Eingetippter Text</translation>
    </message>
    <message>
        <source>What you type or paste below, as you do</source>
        <translation>Was Sie unten tippen oder einfügen, noch während Sie es tun</translation>
    </message>
    <message>
        <source>The captions</source>
        <translation>Die Untertitel</translation>
    </message>
    <message>
        <source>What is said, as the Captions page settles it</source>
        <translation>Was gesagt wird, sobald es auf der Untertitel-Seite feststeht</translation>
    </message>
    <message>
        <source>Open a text…</source>
        <translation>Einen Text öffnen …</translation>
    </message>
    <message>
        <source>No model that translates was found. The Models page says where Braid looks for them.</source>
        <translation>Es wurde kein übersetzendes Modell gefunden. Die Seite „Modelle“ sagt, wo Braid danach sucht.</translation>
    </message>
    <message>
        <source>Still looking for models. Try again in a moment.</source>
        <translation>Modelle werden noch gesucht. Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>Finish at once, without translating what is left</source>
        <translation>Sofort beenden, ohne den Rest zu übersetzen</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationController</name>
    <message>
        <source>Source: %1
Model: %2
%3</source>
        <translation>Quelle: %1
Modell: %2
%3</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationControls</name>
    <message>
        <source>Method%1</source>
        <translation>Verfahren%1</translation>
    </message>
    <message>
        <source>How source and translation share the model&apos;s memory</source>
        <translation>Wie sich Quelle und Übersetzung das Gedächtnis des Modells teilen</translation>
    </message>
    <message>
        <source>k, phi, catching up and chance (D). [ and ] read fewer and more ahead.</source>
        <translation>k, Phi, Aufholen und Zufall (D). [ und ] lesen weniger und mehr voraus.</translation>
    </message>
    <message>
        <source>k, phi and catching up: %1</source>
        <translation>k, Phi und Aufholen: %1</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationInspector</name>
    <message>
        <source>Scale</source>
        <translation>Maßstab</translation>
    </message>
    <message>
        <source>What the darkest cell of the picture is</source>
        <translation>Was die dunkelste Zelle des Bildes ist</translation>
    </message>
    <message>
        <source>Leave out the first unit</source>
        <translation>Ohne erste Einheit</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Aufmerksamkeit</translation>
    </message>
    <message>
        <source>How it is drawn</source>
        <translation>Wie es gezeichnet wird</translation>
    </message>
    <message>
        <source>Each word by itself</source>
        <translation>Jedes Wort für sich</translation>
    </message>
    <message>
        <source>Each source unit by itself</source>
        <translation>Jede Einheit der Quelle für sich</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>Wie es ist</translation>
    </message>
    <message>
        <source>The first unit often draws attention for no reason of its own</source>
        <translation>Die erste Einheit zieht oft ohne eigenen Grund Aufmerksamkeit auf sich</translation>
    </message>
    <message>
        <source>How strongly small weights show</source>
        <translation>Wie stark sich kleine Gewichte zeigen</translation>
    </message>
    <message>
        <source>Left brings small weights out</source>
        <translation>Links hebt kleine Gewichte hervor</translation>
    </message>
    <message>
        <source>The orange line is what had been read. Attention shows where the model looked, not why it chose a word.</source>
        <translation>Die orange Linie ist, was gelesen war. Aufmerksamkeit zeigt, wohin das Modell sah, nicht, warum es ein Wort wählte.</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Wort</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>Was es kostet</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspektor</translation>
    </message>
    <message>
        <source>Point at a word to see what the model looked at when it wrote it; click to keep it.</source>
        <translation>Zeigen Sie auf ein Wort, um zu sehen, worauf das Modell achtete, als es das Wort schrieb; ein Klick hält es fest.</translation>
    </message>
    <message>
        <source>Newest word</source>
        <translation>Neuestes Wort</translation>
    </message>
    <message>
        <source>probability %1, %2 s behind</source>
        <translation>Wahrscheinlichkeit %L1, %L2 s zurück</translation>
    </message>
    <message>
        <source>read by the model</source>
        <translation>vom Modell gelesen</translation>
    </message>
    <message>
        <source>waits to be read</source>
        <translation>wartet darauf, gelesen zu werden</translation>
    </message>
    <message>
        <source>A unit of the source: it was given, not chosen.</source>
        <translation>Eine Einheit der Quelle: Sie war gegeben, nicht gewählt.</translation>
    </message>
    <message numerus="yes">
        <source>mean %1 s and %2 units behind, over %n word(s)</source>
        <translation>
            <numerusform>im Mittel %L1 s und %L2 Einheiten zurück, über %n Wort</numerusform>
            <numerusform>im Mittel %L1 s und %L2 Einheiten zurück, über %n Wörter</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationPage</name>
    <message>
        <source>left side</source>
        <translation>linke Seite</translation>
    </message>
    <message>
        <source>Find in both languages</source>
        <translation>In beiden Sprachen suchen</translation>
    </message>
    <message>
        <source>Under the pointer</source>
        <translation>Unter dem Zeiger</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Festgehalten</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1    %2</source>
        <translation>%1    %2</translation>
    </message>
    <message>
        <source>Follows the captions of %1 as they settle.</source>
        <translation>Folgt den Untertiteln von %1, sobald sie feststehen.</translation>
    </message>
    <message>
        <source>Follows the captions. They are not running: start them, and what they settle is translated.</source>
        <translation>Folgt den Untertiteln. Sie laufen nicht: Starten Sie sie, dann wird übersetzt, was feststeht.</translation>
    </message>
    <message>
        <source>The captions are running. Press Start to translate them.</source>
        <translation>Die Untertitel laufen. Drücken Sie Start, um sie zu übersetzen.</translation>
    </message>
    <message>
        <source>Press Start here and on the Captions page: what is said there is translated here.</source>
        <translation>Drücken Sie hier und auf der Untertitel-Seite Start: Was dort gesagt wird, wird hier übersetzt.</translation>
    </message>
    <message>
        <source>The translation will stand here</source>
        <translation>Hier wird die Übersetzung stehen</translation>
    </message>
    <message>
        <source>Type or paste below, or drop a text on this window. Words are translated while you go on.</source>
        <translation>Tippen oder fügen Sie unten ein, oder ziehen Sie einen Text auf dieses Fenster. Übersetzt wird, während Sie weitermachen.</translation>
    </message>
    <message>
        <source>Start the captions, and press Space here.</source>
        <translation>Starten Sie die Untertitel, und drücken Sie hier die Leertaste.</translation>
    </message>
    <message>
        <source>Waiting for the first words</source>
        <translation>Wartet auf die ersten Wörter</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Beginnt …</translation>
    </message>
    <message>
        <source>What you give meanwhile is kept and translated afterwards.</source>
        <translation>Was Sie inzwischen eingeben, wird aufgehoben und danach übersetzt.</translation>
    </message>
    <message>
        <source>not usable</source>
        <translation>nicht verwendbar</translation>
    </message>
    <message>
        <source>typed text</source>
        <translation>eingetippter Text</translation>
    </message>
    <message>
        <source>This text is longer than 8 million letters. Cut it into parts and give them one after the other.</source>
        <translation>Dieser Text ist länger als 8 Millionen Zeichen. Teilen Sie ihn, und geben Sie die Teile nacheinander.</translation>
    </message>
    <message>
        <source>captions</source>
        <translation>Untertitel</translation>
    </message>
    <message>
        <source>This build of Braid has no models: translation needs libtorch.</source>
        <translation>Diese Fassung von Braid hat keine Modelle: Übersetzen braucht libtorch.</translation>
    </message>
    <message>
        <source>right side</source>
        <translation>rechte Seite</translation>
    </message>
    <message>
        <source>, right side</source>
        <translation>, rechte Seite</translation>
    </message>
    <message>
        <source>Open texts</source>
        <translation>Texte öffnen</translation>
    </message>
    <message>
        <source>Text (*.txt *.md *.text)</source>
        <translation>Text (*.txt *.md *.text)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>There is no translation to save yet.</source>
        <translation>Es gibt noch keine Übersetzung zu speichern.</translation>
    </message>
    <message>
        <source>Save the translation</source>
        <translation>Die Übersetzung speichern</translation>
    </message>
    <message>
        <source>translation.txt</source>
        <translation>Übersetzung.txt</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationPanel</name>
    <message>
        <source>Read whole sentences</source>
        <translation>Ganze Sätze lesen</translation>
    </message>
    <message>
        <source>How it reads and writes</source>
        <translation>Wie gelesen und geschrieben wird</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>Catch up</source>
        <translation>Aufholen</translation>
    </message>
    <message>
        <source>φ (phi)</source>
        <translation>φ (Phi)</translation>
    </message>
    <message>
        <source>Chance</source>
        <translation>Zufall</translation>
    </message>
    <message>
        <source>Units of the source read before the first word is written. Fewer is sooner, more errs less. Holds at once.</source>
        <translation>Einheiten der Quelle, die gelesen werden, bevor das erste Wort geschrieben wird. Weniger ist früher, mehr irrt weniger. Gilt sofort.</translation>
    </message>
    <message>
        <source>When more units than this wait, all are read in one go. 0 never does.</source>
        <translation>Wenn mehr Einheiten als diese warten, werden alle auf einmal gelesen. 0: nie.</translation>
    </message>
    <message>
        <source>Temperature of the choice among words; 0 always takes the most probable. From the next sentence on.</source>
        <translation>Wie frei unter den Wörtern gewählt wird; 0 nimmt immer das wahrscheinlichste. Ab dem nächsten Satz.</translation>
    </message>
    <message>
        <source>Where the translation&apos;s positions begin; fractions too. From the next sentence on.</source>
        <translation>Wo die Positionen der Übersetzung beginnen; auch Bruchteile. Ab dem nächsten Satz.</translation>
    </message>
    <message>
        <source>Only group streaming gives the translation positions of its own.</source>
        <translation>Nur „Gruppen“ gibt der Übersetzung eigene Positionen.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationSide</name>
    <message>
        <source>Source and translation, %1</source>
        <translation>Quelle und Übersetzung, %1</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Tokens written a second inside the model; tokens that went through it for those written.
Methods that re-encode feed the same tokens again and again.</source>
        <translation>Je Sekunde im Modell geschriebene Token; Token, die dafür durch das Modell gingen.
Verfahren, die neu berechnen, schicken dieselben Token immer wieder hindurch.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationStatus</name>
    <message>
        <source>Whether it translates</source>
        <translation>Ob übersetzt wird</translation>
    </message>
    <message>
        <source>waiting for more source</source>
        <translation>wartet auf mehr Text</translation>
    </message>
    <message>
        <source>Words read and written</source>
        <translation>Gelesene und geschriebene Wörter</translation>
    </message>
    <message>
        <source>read %1, written %2 words</source>
        <translation>%1 gelesen, %2 Wörter geschrieben</translation>
    </message>
    <message>
        <source>Lag</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>How far the newest word was behind the source unit of the same number, and how many units ahead had been read on average.</source>
        <translation>Wie weit das neueste Wort hinter der Einheit der Quelle mit derselben Nummer war, und wie viele Einheiten im Mittel vorausgelesen waren.</translation>
    </message>
    <message>
        <source>lag %1 s, mean %2 units</source>
        <translation>%L1 s zurück, im Mittel %L2 Einheiten</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Tokens written for a second inside the model</source>
        <translation>Geschriebene Token je Sekunde im Modell</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%L1 Token/s</translation>
    </message>
</context>
<context>
    <name>braid::ui::Tray</name>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Einblendung</translation>
    </message>
    <message>
        <source>Show the window</source>
        <translation>Das Fenster zeigen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
</context>
<context>
    <name>braid::ui::TuningControls</name>
    <message>
        <source>Method</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>When words count as settled</source>
        <translation>Wann Wörter als endgültig gelten</translation>
    </message>
    <message>
        <source>Fine-tuning (D). [ and ] make the pieces of sound shorter and longer.</source>
        <translation>Feineinstellung (D). [ und ] machen die Tonstücke kürzer und länger.</translation>
    </message>
    <message>
        <source>Fine-tuning: %1</source>
        <translation>Feineinstellung: %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::TuningPanel</name>
    <message>
        <source>As the model likes it</source>
        <translation>Wie es dem Modell am besten passt</translation>
    </message>
    <message>
        <source>Fine-tuning</source>
        <translation>Feineinstellung</translation>
    </message>
    <message>
        <source>Piece of sound</source>
        <translation>Tonstück</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>Piece of sound as the model likes it</source>
        <translation>Tonstück, wie es dem Modell am besten passt</translation>
    </message>
    <message>
        <source>Readings</source>
        <translation>Lesarten</translation>
    </message>
    <message>
        <source>May take back</source>
        <translation>Zurücknehmen</translation>
    </message>
    <message>
        <source>How much new sound is awaited each time. Shorter pieces answer sooner, longer ones err less.</source>
        <translation>Auf wie viel neuen Ton jedes Mal gewartet wird. Kürzere Stücke antworten früher, längere irren weniger.</translation>
    </message>
    <message>
        <source>How much new sound is awaited each time. This model was made for %1&#xa0;ms alone.</source>
        <translation>Auf wie viel neuen Ton jedes Mal gewartet wird. Dieses Modell ist nur für %1 ms gemacht.</translation>
    </message>
    <message>
        <source>%1 The first takes %2&#xa0;ms or more.</source>
        <translation>%1 Das erste braucht %2 ms oder mehr.</translation>
    </message>
    <message>
        <source>How many readings of the sound are kept side by side. More cost more, and err a little less.</source>
        <translation>Wie viele Lesarten des Tons nebeneinander verfolgt werden. Mehr kosten mehr und irren etwas weniger.</translation>
    </message>
    <message>
        <source>Only where words stream: this method makes one reading.</source>
        <translation>Nur, wo Wörter fortlaufend kommen: Dieses Verfahren verfolgt eine Lesart.</translation>
    </message>
    <message>
        <source>How many of the newest pieces of words may still be taken back. 0 settles at once, more revise more.</source>
        <translation>Wie viele der neuesten Wortteile noch zurückgenommen werden dürfen. 0 legt sofort fest, mehr ändern mehr.</translation>
    </message>
    <message>
        <source>Only where words stream: this method settles in its own way.</source>
        <translation>Nur, wo Wörter fortlaufend kommen: Dieses Verfahren legt auf seine Weise fest.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TypingField</name>
    <message>
        <source>Words for the stream</source>
        <translation>Wörter für den Stream</translation>
    </message>
    <message>
        <source>Type: each word enters as you press Space, Enter ends your turn</source>
        <translation>Tippen: Jedes Wort geht mit der Leertaste hinein, Eingabe beendet, was Sie sagen</translation>
    </message>
    <message>
        <source>Type, then press Enter</source>
        <translation>Tippen, dann Eingabe drücken</translation>
    </message>
    <message>
        <source>Every word enters the stream with the space behind it. Enter ends your turn, Control and Enter cut in.</source>
        <translation>Jedes Wort geht mit dem Leerzeichen dahinter in den Stream. Eingabe beendet, was Sie sagen, Strg und Eingabe fallen ins Wort.</translation>
    </message>
    <message>
        <source>Enter sends the line and ends your turn, Control and Enter cut in.</source>
        <translation>Eingabe schickt die Zeile ab und beendet, was Sie sagen, Strg und Eingabe fallen ins Wort.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TypingLine</name>
    <message>
        <source>Stream</source>
        <translation>Stream</translation>
    </message>
    <message>
        <source>The stream that your words enter</source>
        <translation>Der Stream, in den Ihre Wörter gehen</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>End turn</source>
        <translation>Ausgeredet</translation>
    </message>
    <message>
        <source>When words enter</source>
        <translation>Wann Wörter hineingehen</translation>
    </message>
    <message>
        <source>When words leave the line</source>
        <translation>Wann Wörter die Zeile verlassen</translation>
    </message>
    <message>
        <source>Voice</source>
        <translation>Stimme</translation>
    </message>
    <message>
        <source>Follow the captions</source>
        <translation>Den Untertiteln folgen</translation>
    </message>
    <message>
        <source>What the Captions page hears enters this stream as it settles; a pause ends the turn</source>
        <translation>Was die Untertitel-Seite hört, geht in diesen Stream, sobald es feststeht; eine Pause beendet das Gesagte</translation>
    </message>
    <message>
        <source>As I type</source>
        <translation>Beim Tippen</translation>
    </message>
    <message>
        <source>With Enter</source>
        <translation>Mit Eingabe</translation>
    </message>
    <message>
        <source>Words that wait to enter</source>
        <translation>Wörter, die darauf warten, hineinzugehen</translation>
    </message>
    <message>
        <source>Drop the words that wait</source>
        <translation>Die wartenden Wörter verwerfen</translation>
    </message>
    <message>
        <source>End your turn</source>
        <translation>Beenden, was Sie sagen</translation>
    </message>
    <message>
        <source>Your words are over: whoever waits for that begins (Enter)</source>
        <translation>Sie haben ausgeredet: Wer darauf wartet, beginnt (Eingabe)</translation>
    </message>
    <message>
        <source>Words for the stream</source>
        <translation>Wörter für den Stream</translation>
    </message>
    <message>
        <source>Words for %1</source>
        <translation>Wörter für %1</translation>
    </message>
    <message>
        <source>Type; Enter ends your turn</source>
        <translation>Tippen; Eingabe beendet, was Sie sagen</translation>
    </message>
    <message>
        <source>Type, then Enter</source>
        <translation>Tippen, dann Eingabe</translation>
    </message>
    <message numerus="yes">
        <source>%Ln word(s) wait</source>
        <translation>
            <numerusform>%Ln Wort wartet</numerusform>
            <numerusform>%Ln Wörter warten</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::WelcomeCard</name>
    <message>
        <source>Braid writes down what is said while it is said: by you, by this computer, in recordings. Below: one that comes with it.</source>
        <translation>Braid schreibt auf, was gesagt wird, während es gesagt wird: von Ihnen, von diesem Rechner, in Aufnahmen. Unten: eine, die mitkommt.</translation>
    </message>
    <message>
        <source>Sound stays on this machine, and nothing is kept of it.</source>
        <translation>Der Ton bleibt auf diesem Rechner, und nichts davon wird aufgehoben.</translation>
    </message>
    <message>
        <source>Sound stays on this machine. Words and sound are kept in %1, unless you want none kept.</source>
        <translation>Der Ton bleibt auf diesem Rechner. Wörter und Ton werden in %1 aufgehoben, wenn Sie es nicht abschalten.</translation>
    </message>
    <message>
        <source>The model in the box is good for clear English; for other languages, accents and noise there are better ones.</source>
        <translation>Das mitgelieferte Modell ist gut für deutliches Englisch; für andere Sprachen, Akzente und Lärm gibt es bessere.</translation>
    </message>
    <message>
        <source>Welcome to Braid</source>
        <translation>Willkommen bei Braid</translation>
    </message>
    <message>
        <source>Use my microphone</source>
        <translation>Mein Mikrofon verwenden</translation>
    </message>
    <message>
        <source>Get a better model…</source>
        <translation>Ein besseres Modell holen …</translation>
    </message>
    <message>
        <source>Keep sessions</source>
        <translation>Sitzungen aufheben</translation>
    </message>
    <message>
        <source>Also in Settings, at any time</source>
        <translation>Auch in den Einstellungen, jederzeit</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>braid::ui::WordCard</name>
    <message>
        <source>%1
corrected; heard as “%2”</source>
        <translation>%1
berichtigt; gehört als „%2“</translation>
    </message>
</context>
<context>
    <name>braid::ui::WordEditor</name>
    <message>
        <source>Correct the words</source>
        <translation>Die Wörter berichtigen</translation>
    </message>
    <message>
        <source>Enter keeps the correction, Escape leaves the words as they were. Nothing in the field strikes them out.</source>
        <translation>Eingabe übernimmt die Berichtigung, Escape lässt die Wörter, wie sie waren. Ein leeres Feld streicht sie.</translation>
    </message>
</context>
<context>
    <name>braid::ui::WordListEditor</name>
    <message>
        <source>An entry a line: what is heard, an arrow, and how it is written. Words with * before them are written with asterisks. It holds for words that are still to come.</source>
        <translation>Ein Eintrag je Zeile: was gehört wird, ein Pfeil, und wie es geschrieben wird. Wörter mit * davor werden mit Sternchen geschrieben. Es gilt für Wörter, die noch kommen.</translation>
    </message>
    <message>
        <source>Words that are written so</source>
        <translation>Wörter, die so geschrieben werden</translation>
    </message>
    <message>
        <source>Nothing of this list holds: %1</source>
        <translation>Nichts von dieser Liste gilt: %1</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>Recommended</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>Chosen for the model: Streaming where it was made for that, Language model where it is one, else Quick</source>
        <translation>Passend zum Modell: Fortlaufend, wo es dafür gemacht ist, Sprachmodell, wo es eines ist, sonst Schnell</translation>
    </message>
    <message>
        <source>Streaming</source>
        <translation>Fortlaufend</translation>
    </message>
    <message>
        <source>Every sound is looked at once; the newest pieces of words may still be taken back (CarelessWhisper)</source>
        <translation>Jeder Ton wird einmal angesehen; die neuesten Wortteile können noch zurückgenommen werden (CarelessWhisper)</translation>
    </message>
    <message>
        <source>Careful</source>
        <translation>Sorgfältig</translation>
    </message>
    <message>
        <source>A word is settled when two looks in a row agree on it (LocalAgreement)</source>
        <translation>Ein Wort steht fest, wenn zwei Blicke hintereinander darin übereinstimmen (LocalAgreement)</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>A word is settled when the model did not look at the very end of the sound for it (AlignAtt)</source>
        <translation>Ein Wort steht fest, wenn das Modell dafür nicht ganz an das Ende des Tons sah (AlignAtt)</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>A language model that listens, a stretch of speech at a time; what it wrote is settled at once (wait-k)</source>
        <translation>Ein Sprachmodell, das zuhört, einen Abschnitt Sprache nach dem anderen; was es schrieb, steht sofort fest (wait-k)</translation>
    </message>
    <message>
        <source>Group streaming</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Source and target count their own positions: nothing is ever computed again</source>
        <translation>Quelle und Übersetzung zählen ihre eigenen Positionen: Nichts wird je noch einmal berechnet</translation>
    </message>
    <message>
        <source>Re-encode all</source>
        <translation>Alles neu berechnen</translation>
    </message>
    <message>
        <source>After every read all that was written is fed again: what group streaming saves</source>
        <translation>Nach jedem Lesen wird alles Geschriebene noch einmal durchgeschickt: was „Gruppen“ erspart</translation>
    </message>
    <message>
        <source>Re-encode positions</source>
        <translation>Positionen neu berechnen</translation>
    </message>
    <message>
        <source>After every read the written tokens move to new positions</source>
        <translation>Nach jedem Lesen rücken die geschriebenen Token auf neue Positionen</translation>
    </message>
    <message>
        <source>No re-encoding</source>
        <translation>Ohne Neuberechnung</translation>
    </message>
    <message>
        <source>Positions by arrival; the source does not see the target</source>
        <translation>Positionen nach der Ankunft; die Quelle sieht die Übersetzung nicht</translation>
    </message>
    <message>
        <source>Interleaved</source>
        <translation>Abwechselnd</translation>
    </message>
    <message>
        <source>Source and target in one row, as they come</source>
        <translation>Quelle und Übersetzung in einer Reihe, wie sie kommen</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>Am Stück</translation>
    </message>
    <message>
        <source>Reads the whole sentence, then writes</source>
        <translation>Liest den ganzen Satz, dann schreibt es</translation>
    </message>
    <message>
        <source>opening the source</source>
        <translation>öffnet die Quelle</translation>
    </message>
    <message>
        <source>listening</source>
        <translation>hört zu</translation>
    </message>
    <message>
        <source>captioning what was heard</source>
        <translation>untertitelt das Gehörte</translation>
    </message>
    <message>
        <source>waiting for more source</source>
        <translation>wartet auf mehr Text</translation>
    </message>
    <message>
        <source>translating</source>
        <translation>übersetzt</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>the computer could not keep up</source>
        <translation>der Rechner kam nicht mit</translation>
    </message>
    <message>
        <source>Streaming Whisper</source>
        <translation>Fortlaufendes Whisper</translation>
    </message>
    <message>
        <source>Language model that listens</source>
        <translation>Sprachmodell, das zuhört</translation>
    </message>
    <message>
        <source>loading %1</source>
        <translation>lädt %1</translation>
    </message>
    <message>
        <source>changing the method of %1</source>
        <translation>wechselt das Verfahren von %1</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 Parameter</translation>
    </message>
    <message>
        <source>%1 languages</source>
        <translation>%1 Sprachen</translation>
    </message>
    <message>
        <source>%1 tokens a step</source>
        <translation>%1 Token je Schritt</translation>
    </message>
    <message>
        <source>%1 streams</source>
        <translation>%1 Streams</translation>
    </message>
    <message>
        <source>The smallest; any language roughly, on any machine.</source>
        <translation>Das kleinste; jede Sprache ungefähr, auf jedem Rechner.</translation>
    </message>
    <message>
        <source>The smallest for English alone.</source>
        <translation>Das kleinste nur für Englisch.</translation>
    </message>
    <message>
        <source>Small and quick, any language.</source>
        <translation>Klein und schnell, jede Sprache.</translation>
    </message>
    <message>
        <source>Small and quick, English alone.</source>
        <translation>Klein und schnell, nur Englisch.</translation>
    </message>
    <message>
        <source>Good captions of the larger languages on an ordinary machine.</source>
        <translation>Gute Untertitel der größeren Sprachen auf einem gewöhnlichen Rechner.</translation>
    </message>
    <message>
        <source>Good English captions on an ordinary machine.</source>
        <translation>Gute englische Untertitel auf einem gewöhnlichen Rechner.</translation>
    </message>
    <message>
        <source>Better in any language; wants a fast machine or a GPU to keep up live.</source>
        <translation>Besser in jeder Sprache; braucht einen schnellen Rechner oder eine Grafikkarte, um live mitzukommen.</translation>
    </message>
    <message>
        <source>Better English; wants a fast machine or a GPU to keep up live.</source>
        <translation>Besseres Englisch; braucht einen schnellen Rechner oder eine Grafikkarte, um live mitzukommen.</translation>
    </message>
    <message>
        <source>The best in most languages; wants a GPU to keep up live.</source>
        <translation>Das beste in den meisten Sprachen; braucht eine Grafikkarte, um live mitzukommen.</translation>
    </message>
    <message>
        <source>Nearly large-v3 with a short decoder, several times as fast; it was not made for translating.</source>
        <translation>Fast large-v3 mit kurzem Decoder, um ein Mehrfaches schneller; fürs Übersetzen nicht gemacht.</translation>
    </message>
    <message>
        <source>English; a short decoder makes it quicker than small.en.</source>
        <translation>Englisch; ein kurzer Decoder macht es schneller als small.en.</translation>
    </message>
    <message>
        <source>Made for live captions in chunks of 300 ms; English. Its makers state no licence for the weights.</source>
        <translation>Für Live-Untertitel in Stücken von 300 ms gemacht; Englisch. Seine Hersteller nennen keine Lizenz für die Gewichte.</translation>
    </message>
    <message>
        <source>Made for live captions in chunks of 300 ms; English, better than base. Its makers state no licence for the weights.</source>
        <translation>Für Live-Untertitel in Stücken von 300 ms gemacht; Englisch, besser als base. Seine Hersteller nennen keine Lizenz für die Gewichte.</translation>
    </message>
    <message>
        <source>Translates as it is told and runs parallel streams; small and rough. It knows more languages than are listed.</source>
        <translation>Übersetzt auf Anweisung und betreibt parallele Streams; klein und grob. Es kann mehr Sprachen, als hier stehen.</translation>
    </message>
    <message>
        <source>Translates as it is told and runs parallel streams; better than 0.5B. It knows more languages than are listed.</source>
        <translation>Übersetzt auf Anweisung und betreibt parallele Streams; besser als 0.5B. Es kann mehr Sprachen, als hier stehen.</translation>
    </message>
    <message>
        <source>Follows instructions in about a hundred languages; small.</source>
        <translation>Folgt Anweisungen in etwa hundert Sprachen; klein.</translation>
    </message>
    <message>
        <source>Follows instructions in about a hundred languages; better than 0.6B.</source>
        <translation>Folgt Anweisungen in etwa hundert Sprachen; besser als 0.6B.</translation>
    </message>
    <message>
        <source>Write it as &quot;lib torch -&gt; libtorch&quot;, or as &quot;* word&quot; to mask a word</source>
        <translation>Schreiben Sie „lib torch -&gt; libtorch“, oder „* Wort“, um ein Wort zu verdecken</translation>
    </message>
    <message>
        <source>Save the list as UTF-8</source>
        <translation>Speichern Sie die Liste als UTF-8</translation>
    </message>
    <message>
        <source>An entry has at most 8 words and 200 bytes a side</source>
        <translation>Ein Eintrag hat höchstens 8 Wörter und 200 Byte je Seite</translation>
    </message>
    <message>
        <source>A list has at most 20000 entries</source>
        <translation>Eine Liste hat höchstens 20000 Einträge</translation>
    </message>
    <message>
        <source>line %1 says nothing to write</source>
        <translation>Zeile %1 sagt nicht, was zu schreiben ist</translation>
    </message>
    <message>
        <source>line %1 has a side without words</source>
        <translation>Zeile %1 hat eine Seite ohne Wörter</translation>
    </message>
    <message>
        <source>line %1 is too long</source>
        <translation>Zeile %1 ist zu lang</translation>
    </message>
    <message>
        <source>line %1 is not UTF-8 text</source>
        <translation>Zeile %1 ist kein UTF-8-Text</translation>
    </message>
    <message>
        <source>line %1 is one too many</source>
        <translation>Zeile %1 ist eine zu viel</translation>
    </message>
</context>
<context>
    <name>language</name>
    <message>
        <source>English</source>
        <translation>Englisch</translation>
    </message>
    <message>
        <source>Chinese</source>
        <translation>Chinesisch</translation>
    </message>
    <message>
        <source>German</source>
        <translation>Deutsch</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>Spanisch</translation>
    </message>
    <message>
        <source>Russian</source>
        <translation>Russisch</translation>
    </message>
    <message>
        <source>Korean</source>
        <translation>Koreanisch</translation>
    </message>
    <message>
        <source>French</source>
        <translation>Französisch</translation>
    </message>
    <message>
        <source>Japanese</source>
        <translation>Japanisch</translation>
    </message>
    <message>
        <source>Portuguese</source>
        <translation>Portugiesisch</translation>
    </message>
    <message>
        <source>Turkish</source>
        <translation>Türkisch</translation>
    </message>
    <message>
        <source>Polish</source>
        <translation>Polnisch</translation>
    </message>
    <message>
        <source>Catalan</source>
        <translation>Katalanisch</translation>
    </message>
    <message>
        <source>Dutch</source>
        <translation>Niederländisch</translation>
    </message>
    <message>
        <source>Arabic</source>
        <translation>Arabisch</translation>
    </message>
    <message>
        <source>Swedish</source>
        <translation>Schwedisch</translation>
    </message>
    <message>
        <source>Italian</source>
        <translation>Italienisch</translation>
    </message>
    <message>
        <source>Indonesian</source>
        <translation>Indonesisch</translation>
    </message>
    <message>
        <source>Hindi</source>
        <translation>Hindi</translation>
    </message>
    <message>
        <source>Finnish</source>
        <translation>Finnisch</translation>
    </message>
    <message>
        <source>Vietnamese</source>
        <translation>Vietnamesisch</translation>
    </message>
    <message>
        <source>Hebrew</source>
        <translation>Hebräisch</translation>
    </message>
    <message>
        <source>Ukrainian</source>
        <translation>Ukrainisch</translation>
    </message>
    <message>
        <source>Greek</source>
        <translation>Griechisch</translation>
    </message>
    <message>
        <source>Malay</source>
        <translation>Malaiisch</translation>
    </message>
    <message>
        <source>Czech</source>
        <translation>Tschechisch</translation>
    </message>
    <message>
        <source>Romanian</source>
        <translation>Rumänisch</translation>
    </message>
    <message>
        <source>Danish</source>
        <translation>Dänisch</translation>
    </message>
    <message>
        <source>Hungarian</source>
        <translation>Ungarisch</translation>
    </message>
    <message>
        <source>Tamil</source>
        <translation>Tamil</translation>
    </message>
    <message>
        <source>Norwegian</source>
        <translation>Norwegisch</translation>
    </message>
    <message>
        <source>Thai</source>
        <translation>Thailändisch</translation>
    </message>
    <message>
        <source>Urdu</source>
        <translation>Urdu</translation>
    </message>
    <message>
        <source>Croatian</source>
        <translation>Kroatisch</translation>
    </message>
    <message>
        <source>Bulgarian</source>
        <translation>Bulgarisch</translation>
    </message>
    <message>
        <source>Lithuanian</source>
        <translation>Litauisch</translation>
    </message>
    <message>
        <source>Latin</source>
        <translation>Latein</translation>
    </message>
    <message>
        <source>Maori</source>
        <translation>Maori</translation>
    </message>
    <message>
        <source>Malayalam</source>
        <translation>Malayalam</translation>
    </message>
    <message>
        <source>Welsh</source>
        <translation>Walisisch</translation>
    </message>
    <message>
        <source>Slovak</source>
        <translation>Slowakisch</translation>
    </message>
    <message>
        <source>Telugu</source>
        <translation>Telugu</translation>
    </message>
    <message>
        <source>Persian</source>
        <translation>Persisch</translation>
    </message>
    <message>
        <source>Latvian</source>
        <translation>Lettisch</translation>
    </message>
    <message>
        <source>Bengali</source>
        <translation>Bengalisch</translation>
    </message>
    <message>
        <source>Serbian</source>
        <translation>Serbisch</translation>
    </message>
    <message>
        <source>Azerbaijani</source>
        <translation>Aserbaidschanisch</translation>
    </message>
    <message>
        <source>Slovenian</source>
        <translation>Slowenisch</translation>
    </message>
    <message>
        <source>Kannada</source>
        <translation>Kannada</translation>
    </message>
    <message>
        <source>Estonian</source>
        <translation>Estnisch</translation>
    </message>
    <message>
        <source>Macedonian</source>
        <translation>Mazedonisch</translation>
    </message>
    <message>
        <source>Breton</source>
        <translation>Bretonisch</translation>
    </message>
    <message>
        <source>Basque</source>
        <translation>Baskisch</translation>
    </message>
    <message>
        <source>Icelandic</source>
        <translation>Isländisch</translation>
    </message>
    <message>
        <source>Armenian</source>
        <translation>Armenisch</translation>
    </message>
    <message>
        <source>Nepali</source>
        <translation>Nepalesisch</translation>
    </message>
    <message>
        <source>Mongolian</source>
        <translation>Mongolisch</translation>
    </message>
    <message>
        <source>Bosnian</source>
        <translation>Bosnisch</translation>
    </message>
    <message>
        <source>Kazakh</source>
        <translation>Kasachisch</translation>
    </message>
    <message>
        <source>Albanian</source>
        <translation>Albanisch</translation>
    </message>
    <message>
        <source>Swahili</source>
        <translation>Swahili</translation>
    </message>
    <message>
        <source>Galician</source>
        <translation>Galicisch</translation>
    </message>
    <message>
        <source>Marathi</source>
        <translation>Marathi</translation>
    </message>
    <message>
        <source>Punjabi</source>
        <translation>Pandschabi</translation>
    </message>
    <message>
        <source>Sinhala</source>
        <translation>Singhalesisch</translation>
    </message>
    <message>
        <source>Khmer</source>
        <translation>Khmer</translation>
    </message>
    <message>
        <source>Shona</source>
        <translation>Shona</translation>
    </message>
    <message>
        <source>Yoruba</source>
        <translation>Yoruba</translation>
    </message>
    <message>
        <source>Somali</source>
        <translation>Somali</translation>
    </message>
    <message>
        <source>Afrikaans</source>
        <translation>Afrikaans</translation>
    </message>
    <message>
        <source>Occitan</source>
        <translation>Okzitanisch</translation>
    </message>
    <message>
        <source>Georgian</source>
        <translation>Georgisch</translation>
    </message>
    <message>
        <source>Belarusian</source>
        <translation>Belarussisch</translation>
    </message>
    <message>
        <source>Tajik</source>
        <translation>Tadschikisch</translation>
    </message>
    <message>
        <source>Sindhi</source>
        <translation>Sindhi</translation>
    </message>
    <message>
        <source>Gujarati</source>
        <translation>Gujarati</translation>
    </message>
    <message>
        <source>Amharic</source>
        <translation>Amharisch</translation>
    </message>
    <message>
        <source>Yiddish</source>
        <translation>Jiddisch</translation>
    </message>
    <message>
        <source>Lao</source>
        <translation>Laotisch</translation>
    </message>
    <message>
        <source>Uzbek</source>
        <translation>Usbekisch</translation>
    </message>
    <message>
        <source>Faroese</source>
        <translation>Färöisch</translation>
    </message>
    <message>
        <source>Haitian Creole</source>
        <translation>Haitianisches Kreol</translation>
    </message>
    <message>
        <source>Pashto</source>
        <translation>Paschtu</translation>
    </message>
    <message>
        <source>Turkmen</source>
        <translation>Turkmenisch</translation>
    </message>
    <message>
        <source>Nynorsk</source>
        <translation>Neunorwegisch</translation>
    </message>
    <message>
        <source>Maltese</source>
        <translation>Maltesisch</translation>
    </message>
    <message>
        <source>Sanskrit</source>
        <translation>Sanskrit</translation>
    </message>
    <message>
        <source>Luxembourgish</source>
        <translation>Luxemburgisch</translation>
    </message>
    <message>
        <source>Myanmar</source>
        <translation>Birmanisch</translation>
    </message>
    <message>
        <source>Tibetan</source>
        <translation>Tibetisch</translation>
    </message>
    <message>
        <source>Tagalog</source>
        <translation>Tagalog</translation>
    </message>
    <message>
        <source>Malagasy</source>
        <translation>Madagassisch</translation>
    </message>
    <message>
        <source>Assamese</source>
        <translation>Assamesisch</translation>
    </message>
    <message>
        <source>Tatar</source>
        <translation>Tatarisch</translation>
    </message>
    <message>
        <source>Hawaiian</source>
        <translation>Hawaiisch</translation>
    </message>
    <message>
        <source>Lingala</source>
        <translation>Lingala</translation>
    </message>
    <message>
        <source>Hausa</source>
        <translation>Hausa</translation>
    </message>
    <message>
        <source>Bashkir</source>
        <translation>Baschkirisch</translation>
    </message>
    <message>
        <source>Javanese</source>
        <translation>Javanisch</translation>
    </message>
    <message>
        <source>Sundanese</source>
        <translation>Sundanesisch</translation>
    </message>
    <message>
        <source>Cantonese</source>
        <translation>Kantonesisch</translation>
    </message>
</context>
</TS>
