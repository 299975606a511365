<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr_FR" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message>
        <source>%1 looks at</source>
        <translation>%1 regarde</translation>
    </message>
    <message numerus="yes">
        <source>%n word(s)</source>
        <translation>
            <numerusform>%n mot</numerusform>
            <numerusform>%n mots</numerusform>
        </translation>
    </message>
    <message>
        <source>begins</source>
        <translation>commence</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>about %1 s left</source>
        <translation>encore %1 s environ</translation>
    </message>
    <message>
        <source>about %1 min left</source>
        <translation>encore %1 min environ</translation>
    </message>
    <message>
        <source>about %1 h %2 min left</source>
        <translation>encore %1 h %2 min environ</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>en attente</translation>
    </message>
    <message>
        <source>done; nobody speaks in it</source>
        <translation>terminé ; personne n’y parle</translation>
    </message>
    <message>
        <source>done, %1</source>
        <translation>terminé, %1</translation>
    </message>
    <message>
        <source>stopped, %1</source>
        <translation>arrêté, %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Ctrl+C</source>
        <translation>Ctrl+C</translation>
    </message>
    <message>
        <source>Copy all</source>
        <translation>Tout copier</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Tout sélectionner</translation>
    </message>
    <message>
        <source>Ctrl+A</source>
        <translation>Ctrl+A</translation>
    </message>
    <message>
        <source>Hear this word</source>
        <translation>Écouter ce mot</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Entrée</translation>
    </message>
    <message>
        <source>Hear on from here</source>
        <translation>Écouter à partir d’ici</translation>
    </message>
    <message>
        <source>Shift+Enter</source>
        <translation>Maj+Entrée</translation>
    </message>
    <message>
        <source>Keep it in the Inspector</source>
        <translation>Garder dans l’inspecteur</translation>
    </message>
    <message>
        <source>Correct…</source>
        <translation>Corriger…</translation>
    </message>
    <message>
        <source>Correct the line…</source>
        <translation>Corriger la ligne…</translation>
    </message>
    <message>
        <source>Shift+F2</source>
        <translation>Maj+F2</translation>
    </message>
    <message>
        <source>Back to “%1”</source>
        <translation>Revenir à « %1 »</translation>
    </message>
    <message>
        <source>Back to what was heard</source>
        <translation>Revenir à ce qui a été entendu</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation>Ctrl+Z</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Rechercher…</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Enregistrer…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>%1 is not a language model that listens.</source>
        <translation>%1 n’est pas un modèle de langue qui écoute.</translation>
    </message>
    <message>
        <source>%1 is a language model that listens: it has a method of its own.</source>
        <translation>%1 est un modèle de langue qui écoute : il a sa propre méthode.</translation>
    </message>
    <message>
        <source>%1 was not made for streaming: it has to hear what follows.</source>
        <translation>%1 n’est pas conçu pour l’écoute continue : il doit entendre la suite.</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%L1 ms</translation>
    </message>
    <message>
        <source>Model&apos;s own</source>
        <translation>Celui du modèle</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n reading(s)</source>
        <translation>
            <numerusform>%1, %n lecture</numerusform>
            <numerusform>%1, %n lectures</numerusform>
        </translation>
    </message>
    <message>
        <source>or “%1” %2</source>
        <translation>ou « %1 » %2</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%L1 s</translation>
    </message>
    <message>
        <source>Words, of them different</source>
        <translation>Mots, dont différents</translation>
    </message>
    <message>
        <source>Revisions on the way</source>
        <translation>Révisions en cours de route</translation>
    </message>
    <message>
        <source>First word seen after</source>
        <translation>Premier mot visible après</translation>
    </message>
    <message>
        <source>Words seen after, mean</source>
        <translation>Mots visibles après, en moyenne</translation>
    </message>
    <message>
        <source>Words settled after, mean</source>
        <translation>Mots définitifs après, en moyenne</translation>
    </message>
    <message>
        <source>Step, median and 95 %</source>
        <translation>Étape, médiane et 95 %</translation>
    </message>
    <message>
        <source>%1, %2 ms</source>
        <translation>%1, %L2 ms</translation>
    </message>
    <message>
        <source>Real-time factor</source>
        <translation>Facteur temps réel</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 octets</translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%L1 ko</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%L1 Mo</translation>
    </message>
    <message>
        <source>%1 of %2 frames in %3 blocks</source>
        <translation>%1 trames sur %2 en %3 blocs</translation>
    </message>
    <message>
        <source>first block %1</source>
        <translation>premier bloc %1</translation>
    </message>
    <message>
        <source>, newest %1</source>
        <translation>, dernier %1</translation>
    </message>
    <message>
        <source>window from %1, holds %2</source>
        <translation>fenêtre à partir de %1, contient %2</translation>
    </message>
    <message>
        <source> (%1 in each of %2 layers)</source>
        <translation> (%1 dans chacune des %2 couches)</translation>
    </message>
    <message>
        <source>encoder keys and values: %1</source>
        <translation>clés et valeurs de l’encodeur : %1</translation>
    </message>
    <message>
        <source>sound for the decoder: %1</source>
        <translation>son pour le décodeur : %1</translation>
    </message>
    <message>
        <source>tokens: %1</source>
        <translation>jetons : %1</translation>
    </message>
    <message>
        <source>newest step: encoder %1 ms, decoder %2 ms</source>
        <translation>dernière étape : encodeur %L1 ms, décodeur %L2 ms</translation>
    </message>
    <message>
        <source>Frame %1 (%2) has not been encoded yet.</source>
        <translation>La trame %1 (%2) n’est pas encore traitée.</translation>
    </message>
    <message>
        <source>Frame %1 (%2), block %3, sees frames 0 to %4 (up to %5).</source>
        <translation>La trame %1 (%2), bloc %3, voit les trames 0 à %4 (jusqu’à %5).</translation>
    </message>
    <message>
        <source>Frame %1 came later: it is masked.</source>
        <translation>La trame %1 est venue plus tard : elle est masquée.</translation>
    </message>
    <message>
        <source>Frame %1 was computed in the same step.</source>
        <translation>La trame %1 a été calculée à la même étape.</translation>
    </message>
    <message>
        <source>Frame %1 came out of the cache.</source>
        <translation>La trame %1 vient du cache.</translation>
    </message>
    <message>
        <source>No step yet.</source>
        <translation>Aucune étape pour l’instant.</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) of %1</source>
        <translation>
            <numerusform>%n étape de %1</numerusform>
            <numerusform>%n étapes de %1</numerusform>
        </translation>
    </message>
    <message>
        <source>the method</source>
        <translation>la méthode</translation>
    </message>
    <message>
        <source>median %1 ms, 95 % within %2 ms</source>
        <translation>médiane %L1 ms, 95 % en moins de %L2 ms</translation>
    </message>
    <message numerus="yes">
        <source>%n decoder pass(es), RTF %1</source>
        <translation>
            <numerusform>%n passage du décodeur, facteur temps réel %L1</numerusform>
            <numerusform>%n passages du décodeur, facteur temps réel %L1</numerusform>
        </translation>
    </message>
    <message>
        <source>%1   %2 → %3</source>
        <translation>%1   %2 → %3</translation>
    </message>
    <message>
        <source>Step at %1 s: %2 ms for %3 ms of sound</source>
        <translation>Étape à %L1 s : %L2 ms pour %L3 ms de son</translation>
    </message>
    <message>
        <source>
encoder %1 ms, decoder %2 ms</source>
        <translation>
encodeur %L1 ms, décodeur %L2 ms</translation>
    </message>
    <message numerus="yes">
        <source>%n pass(es) of the decoder</source>
        <translation>
            <numerusform>%n passage du décodeur</numerusform>
            <numerusform>%n passages du décodeur</numerusform>
        </translation>
    </message>
    <message>
        <source>Captions</source>
        <translation>Sous-titres</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Conversation</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>Traduction</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%L1 Go</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more language(s)</source>
        <translation>
            <numerusform>%1 et %n autre langue</numerusform>
            <numerusform>%1 et %n autres langues</numerusform>
        </translation>
    </message>
    <message>
        <source>no licence stated</source>
        <translation>aucune licence indiquée</translation>
    </message>
    <message>
        <source>licence %1</source>
        <translation>licence %1</translation>
    </message>
    <message>
        <source>No model found</source>
        <translation>Aucun modèle trouvé</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>Recherche de modèles…</translation>
    </message>
    <message>
        <source>Get a better model…</source>
        <translation>Obtenir un meilleur modèle…</translation>
    </message>
    <message>
        <source>%1 (not there any more)</source>
        <translation>%1 (n’est plus là)</translation>
    </message>
    <message>
        <source>The model %1, which was chosen earlier, is not there any more. Choose another one, or fetch it on the Models page.</source>
        <translation>Le modèle %1, choisi auparavant, n’est plus là. Choisissez-en un autre ou récupérez-le sur la page « Modèles ».</translation>
    </message>
    <message>
        <source>%1 (cannot be used)</source>
        <translation>%1 (inutilisable)</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Texte (*.txt)</translation>
    </message>
    <message>
        <source>SubRip subtitles (*.srt)</source>
        <translation>Sous-titres SubRip (*.srt)</translation>
    </message>
    <message>
        <source>WebVTT subtitles (*.vtt)</source>
        <translation>Sous-titres WebVTT (*.vtt)</translation>
    </message>
    <message>
        <source>JSON with times and tokens (*.json)</source>
        <translation>JSON avec temps et jetons (*.json)</translation>
    </message>
    <message>
        <source>Text, the translation (*.txt)</source>
        <translation>Texte, la traduction (*.txt)</translation>
    </message>
    <message>
        <source>SubRip subtitles, the translation (*.srt)</source>
        <translation>Sous-titres SubRip, la traduction (*.srt)</translation>
    </message>
    <message>
        <source>WebVTT subtitles, the translation (*.vtt)</source>
        <translation>Sous-titres WebVTT, la traduction (*.vtt)</translation>
    </message>
    <message>
        <source>Text, both languages (*.txt)</source>
        <translation>Texte, les deux langues (*.txt)</translation>
    </message>
    <message>
        <source>SubRip subtitles, both languages (*.srt)</source>
        <translation>Sous-titres SubRip, les deux langues (*.srt)</translation>
    </message>
    <message>
        <source>WebVTT subtitles, both languages (*.vtt)</source>
        <translation>Sous-titres WebVTT, les deux langues (*.vtt)</translation>
    </message>
    <message>
        <source>captions %1.txt</source>
        <translation>sous-titres %1.txt</translation>
    </message>
    <message>
        <source>captions.txt</source>
        <translation>sous-titres.txt</translation>
    </message>
    <message>
        <source>Conversation, to open and replay (*.json)</source>
        <translation>Conversation, à rouvrir et à rejouer (*.json)</translation>
    </message>
    <message>
        <source>Table, a row a step (*.md)</source>
        <translation>Tableau, une ligne par étape (*.md)</translation>
    </message>
    <message>
        <source>Text, lane by lane (*.txt)</source>
        <translation>Texte, piste par piste (*.txt)</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>Enregistré sous %1.</translation>
    </message>
    <message>
        <source>Keyboard and mouse</source>
        <translation>Clavier et souris</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Espace</translation>
    </message>
    <message>
        <source>start, stop</source>
        <translation>démarrer, arrêter</translation>
    </message>
    <message>
        <source>to the newest words</source>
        <translation>aller aux derniers mots</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspecteur</translation>
    </message>
    <message>
        <source>Alt+1 to Alt+5</source>
        <translation>Alt+1 à Alt+5</translation>
    </message>
    <message>
        <source>the tabs of the Inspector</source>
        <translation>les onglets de l’inspecteur</translation>
    </message>
    <message>
        <source>fine-tuning: pieces of sound, words read ahead</source>
        <translation>réglages fins : longueur des morceaux de son, mots lus d’avance</translation>
    </message>
    <message>
        <source>[ and ]</source>
        <translation>[ et ]</translation>
    </message>
    <message>
        <source>shorter, longer pieces of sound; fewer, more words read ahead</source>
        <translation>morceaux de son plus courts, plus longs ; moins, plus de mots lus d’avance</translation>
    </message>
    <message>
        <source>translation: from a word to what it looked at, and back</source>
        <translation>traduction : d’un mot à ce qu’il a regardé, et retour</translation>
    </message>
    <message>
        <source>captions: a translation under every line; translation and streams: to the field, Esc goes back</source>
        <translation>sous-titres : une traduction sous chaque ligne ; traduction et flux : au champ de saisie, Échap pour revenir</translation>
    </message>
    <message>
        <source>[ and ], Enter</source>
        <translation>[ et ], Entrée</translation>
    </message>
    <message>
        <source>streams: choose a step to go back to, go on from it</source>
        <translation>flux : choisir une étape où revenir, et repartir de là</translation>
    </message>
    <message>
        <source>., R, F</source>
        <translation>., R, F</translation>
    </message>
    <message>
        <source>streams: one step, replay, fold a lane; with Ctrl+Space and Ctrl+. also from the field</source>
        <translation>flux : une étape, rejouer, replier une piste ; avec Ctrl+Espace et Ctrl+. aussi depuis le champ</translation>
    </message>
    <message>
        <source>F2, Shift+F10</source>
        <translation>F2, Maj+F10</translation>
    </message>
    <message>
        <source>streams: rename a lane; its menu, with its colour</source>
        <translation>flux : renommer une piste ; son menu, avec sa couleur</translation>
    </message>
    <message>
        <source>compare two ways of doing it; Esc goes back</source>
        <translation>comparer deux méthodes ; Échap pour revenir</translation>
    </message>
    <message>
        <source>/ or Ctrl+F</source>
        <translation>/ ou Ctrl+F</translation>
    </message>
    <message>
        <source>find</source>
        <translation>rechercher</translation>
    </message>
    <message>
        <source>Ctrl+O, Ctrl+E, Ctrl+N</source>
        <translation>Ctrl+O, Ctrl+E, Ctrl+N</translation>
    </message>
    <message>
        <source>open files, save, new page</source>
        <translation>ouvrir des fichiers, enregistrer, nouvelle page</translation>
    </message>
    <message>
        <source>Ctrl+1 to Ctrl+6</source>
        <translation>Ctrl+1 à Ctrl+6</translation>
    </message>
    <message>
        <source>Captions, Translation, Streams, Models, History, Settings</source>
        <translation>Sous-titres, Traduction, Flux, Modèles, Historique, Réglages</translation>
    </message>
    <message>
        <source>O, Ctrl+Shift+O</source>
        <translation>O, Ctrl+Maj+O</translation>
    </message>
    <message>
        <source>captions over other windows; how they look</source>
        <translation>sous-titres par-dessus les autres fenêtres ; leur aspect</translation>
    </message>
    <message>
        <source>present; Esc ends it</source>
        <translation>présenter ; Échap pour finir</translation>
    </message>
    <message>
        <source>+ and -, Ctrl and wheel</source>
        <translation>+ et -, Ctrl et molette</translation>
    </message>
    <message>
        <source>size of captions</source>
        <translation>taille des sous-titres</translation>
    </message>
    <message>
        <source>Left, Right, Enter</source>
        <translation>Gauche, Droite, Entrée</translation>
    </message>
    <message>
        <source>from word to word, hear it</source>
        <translation>de mot en mot, l’écouter</translation>
    </message>
    <message>
        <source>hear on from this word; Esc stops</source>
        <translation>écouter à partir de ce mot ; Échap arrête</translation>
    </message>
    <message>
        <source>K, &lt; and &gt;, R</source>
        <translation>K, &lt; et &gt;, R</translation>
    </message>
    <message>
        <source>captions: play and pause, slower and faster, repeat the line</source>
        <translation>sous-titres : lire et mettre en pause, plus lent et plus vite, répéter la ligne</translation>
    </message>
    <message>
        <source>F2, double click; Shift+F2</source>
        <translation>F2, double clic ; Maj+F2</translation>
    </message>
    <message>
        <source>captions: correct a word, or what is selected; its line</source>
        <translation>sous-titres : corriger un mot ou la sélection ; sa ligne</translation>
    </message>
    <message>
        <source>Ctrl+Z, Ctrl+Shift+Z</source>
        <translation>Ctrl+Z, Ctrl+Maj+Z</translation>
    </message>
    <message>
        <source>captions: take a correction back, make it again</source>
        <translation>sous-titres : annuler une correction, la rétablir</translation>
    </message>
    <message>
        <source>Right click, Shift+F10</source>
        <translation>Clic droit, Maj+F10</translation>
    </message>
    <message>
        <source>what can be done with a word</source>
        <translation>ce qu’on peut faire d’un mot</translation>
    </message>
    <message>
        <source>Alt+Up, Alt+Down, Delete</source>
        <translation>Alt+Haut, Alt+Bas, Suppr</translation>
    </message>
    <message>
        <source>recordings: earlier, later, leave out</source>
        <translation>enregistrements : plus tôt, plus tard, laisser de côté</translation>
    </message>
    <message>
        <source>Click a word</source>
        <translation>Clic sur un mot</translation>
    </message>
    <message>
        <source>hear it, keep it in the Inspector</source>
        <translation>l’écouter, le garder dans l’inspecteur</translation>
    </message>
    <message>
        <source>Wheel over the waveform</source>
        <translation>Molette sur la forme d’onde</translation>
    </message>
    <message>
        <source>zoom at the pointer; drag to move</source>
        <translation>agrandir sous le pointeur ; glisser pour déplacer</translation>
    </message>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n seconde</numerusform>
            <numerusform>%n secondes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message>
        <source>A session of %1 was interrupted. Its words and its sound are kept.</source>
        <translation>Une session de %1 a été interrompue. Ses mots et son enregistrement sont conservés.</translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) were interrupted, the last of %1. Their words and their sound are kept; all are under History.</source>
        <translation>
            <numerusform>%n session a été interrompue, la dernière de %1. Mots et son sont conservés ; tout est dans l’historique.</numerusform>
            <numerusform>%n sessions ont été interrompues, la dernière de %1. Mots et son sont conservés ; toutes sont dans l’historique.</numerusform>
        </translation>
    </message>
    <message>
        <source>A conversation of %1 was interrupted. What was said is kept.</source>
        <translation>Une conversation du %1 a été interrompue. Ce qui a été dit est conservé.</translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) were interrupted, the last of %1. What was said is kept.</source>
        <translation>
            <numerusform>%n conversation a été interrompue, la dernière du %1. Ce qui a été dit est conservé.</numerusform>
            <numerusform>%n conversations ont été interrompues, la dernière du %1. Ce qui a été dit est conservé.</numerusform>
        </translation>
    </message>
    <message>
        <source>A translation of %1 was interrupted. Its words are kept.</source>
        <translation>Une traduction du %1 a été interrompue. Ses mots sont conservés.</translation>
    </message>
    <message numerus="yes">
        <source>%n translation(s) were interrupted, the last of %1. Their words are kept.</source>
        <translation>
            <numerusform>%n traduction a été interrompue, la dernière du %1. Ses mots sont conservés.</numerusform>
            <numerusform>%n traductions ont été interrompues, la dernière du %1. Leurs mots sont conservés.</numerusform>
        </translation>
    </message>
    <message>
        <source>Open it</source>
        <translation>L’ouvrir</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>Pas maintenant</translation>
    </message>
    <message>
        <source>loading, %1 %</source>
        <translation>chargement, %1 %</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>prêt</translation>
    </message>
    <message>
        <source>finishing</source>
        <translation>finit</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>terminé</translation>
    </message>
    <message>
        <source>stopped by an error</source>
        <translation>arrêté par une erreur</translation>
    </message>
    <message>
        <source>no sound arrives</source>
        <translation>aucun son n’arrive</translation>
    </message>
    <message>
        <source>silence</source>
        <translation>silence</translation>
    </message>
    <message>
        <source>sound, but no speech</source>
        <translation>du son, mais pas de parole</translation>
    </message>
    <message>
        <source>listening</source>
        <translation>à l’écoute</translation>
    </message>
    <message>
        <source>heard %1</source>
        <translation>entendu %1</translation>
    </message>
    <message>
        <source>%1 s behind</source>
        <translation>%L1 s de retard</translation>
    </message>
    <message>
        <source>%1 computing, %2 waiting to be sure</source>
        <translation>%L1 de calcul, %L2 d’attente</translation>
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
        <translation>Système</translation>
    </message>
    <message>
        <source>Display</source>
        <translation>Affichage</translation>
    </message>
    <message>
        <source>Braid listens</source>
        <translation>Braid écoute</translation>
    </message>
    <message>
        <source>Braid listens to %1</source>
        <translation>Braid écoute %1</translation>
    </message>
    <message>
        <source>Braid captions what was heard</source>
        <translation>Braid sous-titre ce qui a été entendu</translation>
    </message>
    <message>
        <source>Braid does not listen</source>
        <translation>Braid n’écoute pas</translation>
    </message>
    <message>
        <source>%1: the folder cannot be read: %2. Check its permissions.</source>
        <translation>%1 : le dossier ne peut pas être lu : %2. Vérifiez ses droits d’accès.</translation>
    </message>
    <message>
        <source>%1: there are no recordings in this folder. Braid looks for %2.</source>
        <translation>%1 : il n’y a pas d’enregistrement dans ce dossier. Braid cherche %2.</translation>
    </message>
    <message>
        <source>Of %1 recordings the first %2 are taken. Drop the others when these are done.</source>
        <translation>Sur %1 enregistrements, les %2 premiers sont pris. Déposez les autres quand ceux-ci seront terminés.</translation>
    </message>
    <message>
        <source>Sound and video (*.%1)</source>
        <translation>Son et vidéo (*.%1)</translation>
    </message>
    <message>
        <source>%1 s of sound missing</source>
        <translation>%L1 s de son manquent</translation>
    </message>
    <message>
        <source>%1 s of sound missing: %2</source>
        <translation>%L1 s de son manquent : %2</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>whole sentences</source>
        <translation>phrases entières</translation>
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
        <translation>%1 à %2 (%L3 s)</translation>
    </message>
    <message>
        <source>from cross-attention, time-warped</source>
        <translation>d’après l’attention du modèle</translation>
    </message>
    <message>
        <source>spread between the model&apos;s own time marks</source>
        <translation>réparti entre les repères de temps du modèle</translation>
    </message>
    <message>
        <source>the chunk in which it first appeared</source>
        <translation>le morceau de son où il est apparu</translation>
    </message>
    <message>
        <source>the chunk in which it first appeared, and where in it the token attended</source>
        <translation>le morceau de son où il est apparu, et l’endroit que le modèle y a regardé</translation>
    </message>
    <message>
        <source>estimated from its neighbours</source>
        <translation>estimé d’après ses voisins</translation>
    </message>
    <message>
        <source>not known how</source>
        <translation>on ne sait comment</translation>
    </message>
    <message>
        <source>first seen %1 s after its end</source>
        <translation>visible %L1 s après sa fin</translation>
    </message>
    <message>
        <source>settled after %1 s</source>
        <translation>définitif après %L1 s</translation>
    </message>
    <message>
        <source>not settled yet</source>
        <translation>pas encore définitif</translation>
    </message>
    <message>
        <source>never changed</source>
        <translation>jamais modifié</translation>
    </message>
    <message numerus="yes">
        <source>changed %n time(s)</source>
        <translation>
            <numerusform>modifié une fois</numerusform>
            <numerusform>modifié %n fois</numerusform>
        </translation>
    </message>
    <message>
        <source>%1; said “%2” before</source>
        <translation>%1 ; auparavant « %2 »</translation>
    </message>
    <message>
        <source>(end)</source>
        <translation>(fin)</translation>
    </message>
    <message>
        <source>
→ “%1” when %2 was heard</source>
        <translation>
→ « %1 » quand %2 avait été entendu</translation>
    </message>
    <message>
        <source>
→ “%1”</source>
        <translation>
→ « %1 »</translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) in all</source>
        <translation>
            <numerusform>%n modification en tout</numerusform>
            <numerusform>%n modifications en tout</numerusform>
        </translation>
    </message>
    <message>
        <source>Blue</source>
        <translation>Bleu</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Vert</translation>
    </message>
    <message>
        <source>Pink</source>
        <translation>Rose</translation>
    </message>
    <message>
        <source>Sky blue</source>
        <translation>Bleu ciel</translation>
    </message>
    <message>
        <source>Vermilion</source>
        <translation>Vermillon</translation>
    </message>
    <message>
        <source>Yellow</source>
        <translation>Jaune</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>Gris</translation>
    </message>
    <message>
        <source>it said its end mark</source>
        <translation>il a dit sa marque de fin</translation>
    </message>
    <message>
        <source>it fell silent</source>
        <translation>il s’est tu</translation>
    </message>
    <message>
        <source>it said as much as its layout allows</source>
        <translation>il a dit autant que sa disposition le permet</translation>
    </message>
    <message>
        <source>every stream has ended</source>
        <translation>tous les flux sont finis</translation>
    </message>
    <message>
        <source>the layout allows no more steps</source>
        <translation>la disposition n’autorise plus d’étapes</translation>
    </message>
    <message>
        <source>the model was made for no more steps</source>
        <translation>le modèle n’est pas conçu pour plus d’étapes</translation>
    </message>
    <message>
        <source>it was stopped</source>
        <translation>il a été arrêté</translation>
    </message>
    <message>
        <source>step</source>
        <translation>étape</translation>
    </message>
    <message>
        <source>Nothing asked yet</source>
        <translation>Rien n’a encore été demandé</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>pas encore</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), %1 s</source>
        <translation>
            <numerusform>%n étape, %L1 s</numerusform>
            <numerusform>%n étapes, %L1 s</numerusform>
        </translation>
    </message>
    <message>
        <source>while it was asked</source>
        <translation>pendant la question</translation>
    </message>
    <message>
        <source>after the question</source>
        <translation>après la question</translation>
    </message>
    <message>
        <source>Words read before the answer</source>
        <translation>Mots lus avant la réponse</translation>
    </message>
    <message>
        <source>First word of the answer</source>
        <translation>Premier mot de la réponse</translation>
    </message>
    <message>
        <source>It began</source>
        <translation>Elle a commencé</translation>
    </message>
    <message>
        <source>Last word of all</source>
        <translation>Dernier mot de tous</translation>
    </message>
    <message>
        <source>Tokens a second</source>
        <translation>Jetons par seconde</translation>
    </message>
    <message>
        <source>nobody had to say anything</source>
        <translation>personne n’avait rien à dire</translation>
    </message>
    <message>
        <source>given: the layout&apos;s warm start</source>
        <translation>donné : l’amorce de la disposition</translation>
    </message>
    <message>
        <source>fed: somebody&apos;s word</source>
        <translation>saisi : le mot de quelqu’un</translation>
    </message>
    <message>
        <source>not asked: the stream has ended or is switched off</source>
        <translation>non interrogé : le flux est fini ou désactivé</translation>
    </message>
    <message>
        <source>probability %1, entropy %2 nats</source>
        <translation>probabilité %L1, entropie %L2 nats</translation>
    </message>
    <message>
        <source>Full speed</source>
        <translation>Pleine vitesse</translation>
    </message>
    <message>
        <source>%1 steps/s</source>
        <translation>%L1 étapes/s</translation>
    </message>
    <message>
        <source>not running</source>
        <translation>à l’arrêt</translation>
    </message>
    <message>
        <source>running</source>
        <translation>en marche</translation>
    </message>
    <message>
        <source>waits for words</source>
        <translation>attend des mots</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>en pause</translation>
    </message>
    <message>
        <source>replays</source>
        <translation>rejoue</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>fini</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>étape %1</translation>
    </message>
    <message>
        <source>%1 ms a step</source>
        <translation>%L1 ms par étape</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%L1 jetons/s</translation>
    </message>
    <message>
        <source>%1 in the cache, room for %2 steps</source>
        <translation>%1 en cache, place pour %2 étapes</translation>
    </message>
    <message>
        <source>%1 in the cache</source>
        <translation>%1 en cache</translation>
    </message>
    <message numerus="yes">
        <source>%n more sentence(s) wait</source>
        <translation>
            <numerusform>Une autre phrase attend</numerusform>
            <numerusform>%n autres phrases attendent</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unit(s) ahead had been read</source>
        <translation>
            <numerusform>%n unité avait été lue d’avance</numerusform>
            <numerusform>%n unités avaient été lues d’avance</numerusform>
        </translation>
    </message>
    <message>
        <source>no unit ahead had been read</source>
        <translation>aucune unité n’avait été lue d’avance</translation>
    </message>
    <message>
        <source>%1 behind its source, of it %2 computing; %3</source>
        <translation>%1 derrière la source, dont %2 de calcul ; %3</translation>
    </message>
    <message>
        <source>Translation (*.txt)</source>
        <translation>Traduction (*.txt)</translation>
    </message>
    <message>
        <source>Both languages, sentence by sentence (*.tsv)</source>
        <translation>Les deux langues, phrase par phrase (*.tsv)</translation>
    </message>
    <message>
        <source>JSON with lags, tokens and attention (*.json)</source>
        <translation>JSON avec retards, jetons et attention (*.json)</translation>
    </message>
    <message numerus="yes">
        <source>Written after %n unit(s) had been read.</source>
        <translation>
            <numerusform>Écrit après la lecture de %n unité.</numerusform>
            <numerusform>Écrit après la lecture de %n unités.</numerusform>
        </translation>
    </message>
    <message>
        <source>
It grew too long and was cut.</source>
        <translation>
Devenu trop long, il a été coupé.</translation>
    </message>
    <message>
        <source>Nothing written yet.</source>
        <translation>Rien d’écrit pour l’instant.</translation>
    </message>
    <message>
        <source>%1 tokens a second
%2 tokens written, %3 fed through the model (%4 for each)
%5 passes, %6 s inside the model
cache now: %7 entries, %8</source>
        <translation>%L1 jetons par seconde
%L2 jetons écrits, %L3 passés par le modèle (%L4 pour chacun)
%L5 passages, %L6 s dans le modèle
cache actuel : %L7 entrées, %8</translation>
    </message>
    <message>
        <source>Tokens written, fed through the model</source>
        <translation>Jetons écrits, passés par le modèle</translation>
    </message>
    <message>
        <source>Fed for each token written</source>
        <translation>Traités par jeton écrit</translation>
    </message>
    <message>
        <source>Time inside the model</source>
        <translation>Temps dans le modèle</translation>
    </message>
    <message>
        <source>Lag, mean</source>
        <translation>Retard moyen</translation>
    </message>
    <message>
        <source>%1 units, %2</source>
        <translation>%L1 unités, %2</translation>
    </message>
    <message>
        <source>%1 tokens/s, fed %2 for %3</source>
        <translation>%L1 jetons/s, %L2 traités pour %L3</translation>
    </message>
    <message>
        <source>translating</source>
        <translation>traduit</translation>
    </message>
    <message>
        <source>read %1, written %2 words</source>
        <translation>%1 lus, %2 mots écrits</translation>
    </message>
    <message>
        <source>lag –</source>
        <translation>retard –</translation>
    </message>
    <message>
        <source>lag %1 s, mean %2 units</source>
        <translation>retard %L1 s, %L2 unités en moyenne</translation>
    </message>
    <message>
        <source>captions</source>
        <translation>sous-titres</translation>
    </message>
    <message>
        <source>translation and streams</source>
        <translation>traduction et flux</translation>
    </message>
    <message>
        <source>asking what there is</source>
        <translation>consulte ce qu’il y a</translation>
    </message>
    <message>
        <source>trying again soon: %1</source>
        <translation>nouvel essai bientôt : %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
    <message>
        <source>checking %1</source>
        <translation>vérification de %1</translation>
    </message>
    <message>
        <source>%1, %2/s</source>
        <translation>%1, %2/s</translation>
    </message>
    <message>
        <source>%1, %2 left</source>
        <translation>%1, encore %2</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Processeur</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n core(s)</source>
        <translation>
            <numerusform>%1, %n cœur</numerusform>
            <numerusform>%1, %n cœurs</numerusform>
        </translation>
    </message>
    <message>
        <source>Linear algebra</source>
        <translation>Algèbre linéaire</translation>
    </message>
    <message>
        <source>Computes on</source>
        <translation>Calcule sur</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>Carte graphique</translation>
    </message>
    <message>
        <source>Sound devices</source>
        <translation>Périphériques audio</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>Words will stand here</source>
        <translation>Les mots s’afficheront ici</translation>
    </message>
    <message>
        <source>Press Space to start, or drop recordings on this window.</source>
        <translation>Appuyez sur Espace pour démarrer, ou déposez des enregistrements sur cette fenêtre.</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Démarrage…</translation>
    </message>
    <message>
        <source>What is said meanwhile is kept and captioned afterwards.</source>
        <translation>Ce qui est dit entre-temps est gardé et sous-titré ensuite.</translation>
    </message>
    <message>
        <source>No sound arrives yet</source>
        <translation>Aucun son n’arrive encore</translation>
    </message>
    <message>
        <source>Is the right source chosen, and is it not muted?</source>
        <translation>La bonne source est-elle choisie, et n’est-elle pas coupée ?</translation>
    </message>
    <message>
        <source>Silence</source>
        <translation>Silence</translation>
    </message>
    <message>
        <source>Sound, but no speech</source>
        <translation>Du son, mais pas de parole</translation>
    </message>
    <message>
        <source>Listening…</source>
        <translation>À l’écoute…</translation>
    </message>
    <message>
        <source>Words appear as they are said.</source>
        <translation>Les mots apparaissent à mesure qu’ils sont dits.</translation>
    </message>
    <message>
        <source>Word document (*.docx)</source>
        <translation>Document Word (*.docx)</translation>
    </message>
    <message>
        <source>PDF document (*.pdf)</source>
        <translation>Document PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Figures of every word (*.csv)</source>
        <translation>Chiffres de chaque mot (*.csv)</translation>
    </message>
</context>
<context>
    <name>braid::ui::AboutDialog</name>
    <message>
        <source>Copy diagnostics</source>
        <translation>Copier les informations</translation>
    </message>
    <message>
        <source>About Braid</source>
        <translation>À propos de Braid</translation>
    </message>
    <message>
        <source>Braid %1</source>
        <translation>Braid %1</translation>
    </message>
    <message>
        <source>Live captions, live translation and parallel streams, on this machine.</source>
        <translation>Sous-titres en direct, traduction en direct et flux parallèles, sur cet ordinateur.</translation>
    </message>
    <message>
        <source>These lines and what is chosen, without any captions</source>
        <translation>Ces lignes et les réglages, sans aucun sous-titre</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problème</translation>
    </message>
    <message>
        <source>Braid</source>
        <translation>Braid</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Copié</translation>
    </message>
</context>
<context>
    <name>braid::ui::AlignmentMap</name>
    <message>
        <source>Attention over the source</source>
        <translation>Attention portée à la source</translation>
    </message>
    <message>
        <source>Rows are words of the translation, columns units of the source; darker means looked at more. Up and Down go from word to word.</source>
        <translation>Les lignes sont les mots de la traduction, les colonnes les unités de la source ; plus sombre : plus regardé. Haut et Bas vont de mot en mot.</translation>
    </message>
    <message>
        <source>(end)</source>
        <translation>(fin)</translation>
    </message>
    <message>
        <source>What each word looked at shows here as it is written.</source>
        <translation>Ce que chaque mot a regardé s’affiche ici à mesure qu’il est écrit.</translation>
    </message>
    <message>
        <source>“%1” over “%2”: %3</source>
        <translation>« %1 » sur « %2 » : %3</translation>
    </message>
    <message>
        <source>“%1” was written before “%2” was read</source>
        <translation>« %1 » a été écrit avant la lecture de « %2 »</translation>
    </message>
</context>
<context>
    <name>braid::ui::AnswerPanel</name>
    <message>
        <source>In large type</source>
        <translation>En grand</translation>
    </message>
    <message>
        <source>The stream that stands alone in large type</source>
        <translation>Le flux affiché seul en grand</translation>
    </message>
    <message>
        <source>The answer in large type</source>
        <translation>La réponse en grand</translation>
    </message>
</context>
<context>
    <name>braid::ui::AttentionView</name>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Rows are tokens, columns are moments of the sound; darker means looked at more.</source>
        <translation>Les lignes sont des jetons, les colonnes des instants du son ; plus sombre : plus regardé.</translation>
    </message>
    <message>
        <source>No attention is kept for this word.</source>
        <translation>Aucune attention n’est conservée pour ce mot.</translation>
    </message>
    <message>
        <source>%1 at %2 s: %3</source>
        <translation>%1 à %L2 s : %L3</translation>
    </message>
</context>
<context>
    <name>braid::ui::BilingualView</name>
    <message>
        <source>Back to live</source>
        <translation>Revenir au direct</translation>
    </message>
    <message>
        <source>Back to the newest words (L)</source>
        <translation>Revenir aux derniers mots (L)</translation>
    </message>
    <message numerus="yes">
        <source>%n new sentence(s)</source>
        <translation>
            <numerusform>%n nouvelle phrase</numerusform>
            <numerusform>%n nouvelles phrases</numerusform>
        </translation>
    </message>
    <message>
        <source>Source and translation</source>
        <translation>Source et traduction</translation>
    </message>
    <message>
        <source>Sentence beside sentence. Left and Right move from word to word, S changes the side, Enter keeps a word in the Inspector.</source>
        <translation>Phrase à côté de phrase. Gauche et Droite vont de mot en mot, S change de côté, Entrée garde un mot dans l’inspecteur.</translation>
    </message>
</context>
<context>
    <name>braid::ui::CacheView</name>
    <message>
        <source>Encoder mask and cache</source>
        <translation>Masque et cache de l’encodeur</translation>
    </message>
    <message>
        <source>sees →</source>
        <translation>voit →</translation>
    </message>
    <message>
        <source>← frame</source>
        <translation>← trame</translation>
    </message>
</context>
<context>
    <name>braid::ui::CaptionController</name>
    <message>
        <source>Source: %1
Model: %2
Method: %3
Device: %4, %5</source>
        <translation>Source : %1
Modèle : %2
Méthode : %3
Appareil : %4, %5</translation>
    </message>
</context>
<context>
    <name>braid::ui::CaptionsPage</name>
    <message>
        <source>Find in captions</source>
        <translation>Rechercher dans les sous-titres</translation>
    </message>
    <message>
        <source>The sound of this word is no longer there: this session kept no journal.</source>
        <translation>Le son de ce mot n’est plus là : cette session n’a pas été conservée.</translation>
    </message>
    <message>
        <source>Newest word</source>
        <translation>Dernier mot</translation>
    </message>
    <message>
        <source>Under the pointer</source>
        <translation>Sous le pointeur</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Épinglé</translation>
    </message>
    <message>
        <source>not usable</source>
        <translation>inutilisable</translation>
    </message>
    <message>
        <source>Save captions</source>
        <translation>Enregistrer les sous-titres</translation>
    </message>
    <message>
        <source>Finished recordings were taken off the list.</source>
        <translation>Les enregistrements terminés ont été retirés de la liste.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>%1 waits until you stop listening. What was said until then is kept.</source>
        <translation>%1 attend que vous arrêtiez l’écoute. Ce qui est dit jusque-là est conservé.</translation>
    </message>
    <message numerus="yes">
        <source>%n recording(s) wait until you stop listening. What was said until then is kept.</source>
        <translation>
            <numerusform>%n enregistrement attend que vous arrêtiez l’écoute. Ce qui est dit jusque-là est conservé.</numerusform>
            <numerusform>%n enregistrements attendent que vous arrêtiez l’écoute. Ce qui est dit jusque-là est conservé.</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop listening now</source>
        <translation>Arrêter l’écoute maintenant</translation>
    </message>
    <message>
        <source>Open recordings</source>
        <translation>Ouvrir des enregistrements</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>Save all captions in</source>
        <translation>Enregistrer tous les sous-titres dans</translation>
    </message>
    <message numerus="yes">
        <source>Saved %n file(s) in %1.</source>
        <translation>
            <numerusform>%n fichier enregistré dans %1.</numerusform>
            <numerusform>%n fichiers enregistrés dans %1.</numerusform>
        </translation>
    </message>
    <message>
        <source>This is a recording that comes with Braid, captioned now, on this machine, as it plays.</source>
        <translation>Cet enregistrement est fourni avec Braid ; il est sous-titré maintenant, sur cet ordinateur, pendant sa lecture.</translation>
    </message>
    <message>
        <source>Use my microphone</source>
        <translation>Utiliser mon micro</translation>
    </message>
    <message>
        <source>No microphone was found.</source>
        <translation>Aucun micro n’a été trouvé.</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Chercher à nouveau</translation>
    </message>
    <message>
        <source>Caption what this computer plays</source>
        <translation>Sous-titrer ce que joue cet ordinateur</translation>
    </message>
    <message>
        <source>Open a recording…</source>
        <translation>Ouvrir un enregistrement…</translation>
    </message>
    <message>
        <source>There are no settled words to save yet.</source>
        <translation>Il n’y a pas encore de mots définitifs à enregistrer.</translation>
    </message>
</context>
<context>
    <name>braid::ui::CaptionsTranslation</name>
    <message>
        <source>captions</source>
        <translation>sous-titres</translation>
    </message>
</context>
<context>
    <name>braid::ui::CellInspection</name>
    <message>
        <source>Under the pointer</source>
        <translation>Sous le pointeur</translation>
    </message>
    <message>
        <source>Under the cursor</source>
        <translation>Sous le curseur</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Épinglé</translation>
    </message>
    <message>
        <source>Newest word</source>
        <translation>Dernier mot</translation>
    </message>
</context>
<context>
    <name>braid::ui::ChoicesFrame</name>
    <message>
        <source>Start</source>
        <translation>Démarrer</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>Arrêter tout de suite</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>%1 (Space)</source>
        <translation>%1 (Espace)</translation>
    </message>
</context>
<context>
    <name>braid::ui::ChoicesRow</name>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>Where the sound comes from</source>
        <translation>D’où vient le son</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modèle</translation>
    </message>
    <message>
        <source>The model that listens</source>
        <translation>Le modèle qui écoute</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Langue</translation>
    </message>
    <message>
        <source>The language that is spoken</source>
        <translation>La langue parlée</translation>
    </message>
    <message>
        <source>Compare…</source>
        <translation>Comparer…</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Incrustation</translation>
    </message>
    <message>
        <source>Compare two methods</source>
        <translation>Comparer deux méthodes</translation>
    </message>
    <message>
        <source>Two methods on the same sound, side by side (C)</source>
        <translation>Deux méthodes sur le même son, côte à côte (C)</translation>
    </message>
    <message>
        <source>Captions over other windows</source>
        <translation>Sous-titres par-dessus les autres fenêtres</translation>
    </message>
    <message>
        <source>The newest lines in a strip over other windows (O)</source>
        <translation>Les dernières lignes dans un bandeau par-dessus les autres fenêtres (O)</translation>
    </message>
    <message numerus="yes">
        <source>%1, %2 Hz, %n channel(s)</source>
        <translation>
            <numerusform>%1, %2 Hz, %n canal</numerusform>
            <numerusform>%1, %2 Hz, %n canaux</numerusform>
        </translation>
    </message>
    <message>
        <source>Microphones</source>
        <translation>Micros</translation>
    </message>
    <message>
        <source>What this computer plays</source>
        <translation>Ce que joue cet ordinateur</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Enregistrements</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Ouvrir un fichier…</translation>
    </message>
    <message>
        <source>No microphone found</source>
        <translation>Aucun micro trouvé</translation>
    </message>
    <message>
        <source>Looking for devices…</source>
        <translation>Recherche d’appareils…</translation>
    </message>
    <message>
        <source>Detect</source>
        <translation>Détecter</translation>
    </message>
    <message>
        <source>No model was found. The Models page says where Braid looks for them.</source>
        <translation>Aucun modèle n’a été trouvé. La page « Modèles » dit où Braid les cherche.</translation>
    </message>
    <message>
        <source>Still looking for models. Try again in a moment.</source>
        <translation>La recherche de modèles continue. Réessayez dans un instant.</translation>
    </message>
    <message>
        <source>No microphone was found. Plug one in and choose it above, or open a recording.</source>
        <translation>Aucun micro n’a été trouvé. Branchez-en un et choisissez-le ci-dessus, ou ouvrez un enregistrement.</translation>
    </message>
    <message>
        <source>Still looking for microphones. Try again in a moment.</source>
        <translation>La recherche de micros continue. Réessayez dans un instant.</translation>
    </message>
    <message>
        <source>Finish at once, without captioning what was heard last</source>
        <translation>Finir tout de suite, sans sous-titrer ce qui vient d’être entendu</translation>
    </message>
</context>
<context>
    <name>braid::ui::ComparePage</name>
    <message>
        <source>left side</source>
        <translation>côté gauche</translation>
    </message>
    <message>
        <source>right side</source>
        <translation>côté droit</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Démarrer</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparer</translation>
    </message>
    <message>
        <source>Back to captions</source>
        <translation>Retour aux sous-titres</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Échap</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Enregistrer…</translation>
    </message>
    <message>
        <source>Save the comparison</source>
        <translation>Enregistrer la comparaison</translation>
    </message>
    <message>
        <source>Waveform and the left side&apos;s words in time</source>
        <translation>Forme d’onde et mots du côté gauche dans le temps</translation>
    </message>
    <message>
        <source>The right side&apos;s words in time</source>
        <translation>Mots du côté droit dans le temps</translation>
    </message>
    <message>
        <source>The sound of this word is no longer there.</source>
        <translation>Le son de ce mot n’est plus là.</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1 avec %2</translation>
    </message>
    <message>
        <source>waits for its turn</source>
        <translation>attend son tour</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>Arrêter tout de suite</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
    <message>
        <source>%1 comparing</source>
        <translation>%1 la comparaison</translation>
    </message>
    <message>
        <source>%1 (Space)</source>
        <translation>%1 (Espace)</translation>
    </message>
    <message>
        <source>Choose a method for each side, then press Space. Both hear exactly the same sound.</source>
        <translation>Choisissez une méthode pour chaque côté, puis appuyez sur Espace. Les deux entendent exactement le même son.</translation>
    </message>
    <message>
        <source>No differing words so far.</source>
        <translation>Aucun mot différent pour l’instant.</translation>
    </message>
    <message numerus="yes">
        <source>They differ in %n place(s), underlined.</source>
        <translation>
            <numerusform>Ils diffèrent à %n endroit, souligné.</numerusform>
            <numerusform>Ils diffèrent à %n endroits, soulignés.</numerusform>
        </translation>
    </message>
    <message>
        <source> Both run at once and share this machine.</source>
        <translation> Les deux tournent en même temps et se partagent cet ordinateur.</translation>
    </message>
    <message>
        <source> They run one after the other, each with the machine to itself.</source>
        <translation> Ils tournent l’un après l’autre, chacun avec l’ordinateur pour lui seul.</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Texte (*.txt)</translation>
    </message>
    <message>
        <source>JSON with times and tokens (*.json)</source>
        <translation>JSON avec temps et jetons (*.json)</translation>
    </message>
    <message>
        <source>comparison.txt</source>
        <translation>comparaison.txt</translation>
    </message>
</context>
<context>
    <name>braid::ui::CompareSidePanel</name>
    <message>
        <source>Method, %1</source>
        <translation>Méthode, %1</translation>
    </message>
    <message>
        <source>Captions, %1</source>
        <translation>Sous-titres, %1</translation>
    </message>
</context>
<context>
    <name>braid::ui::Corrections</name>
    <message>
        <source>The correction stands on the page, but could not be kept with the recording: %1</source>
        <translation>La correction est sur la page, mais n’a pas pu être gardée avec l’enregistrement : %1</translation>
    </message>
</context>
<context>
    <name>braid::ui::FindBar</name>
    <message>
        <source>Previous match</source>
        <translation>Résultat précédent</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Résultat suivant</translation>
    </message>
    <message>
        <source>Close finding</source>
        <translation>Fermer la recherche</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>rien trouvé</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 sur %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::HistoryModel</name>
    <message>
        <source>%1 (interrupted)</source>
        <translation>%1 (interrompu)</translation>
    </message>
    <message>
        <source>(no words)</source>
        <translation>(aucun mot)</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Quand</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Quoi</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>Durée</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>Begins</source>
        <translation>Commence par</translation>
    </message>
    <message>
        <source>Where it was said</source>
        <translation>Où cela a été dit</translation>
    </message>
</context>
<context>
    <name>braid::ui::HistoryPage</name>
    <message>
        <source>Open</source>
        <translation>Ouvrir</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Enregistrer sous…</translation>
    </message>
    <message>
        <source>Move to bin</source>
        <translation>Mettre à la corbeille</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Historique</translation>
    </message>
    <message>
        <source>Search all sessions</source>
        <translation>Rechercher dans toutes les sessions</translation>
    </message>
    <message>
        <source>Open session</source>
        <translation>Ouvrir la session</translation>
    </message>
    <message>
        <source>Save session as</source>
        <translation>Enregistrer la session sous</translation>
    </message>
    <message>
        <source>Move session to bin</source>
        <translation>Mettre la session à la corbeille</translation>
    </message>
    <message>
        <source>Sessions</source>
        <translation>Sessions</translation>
    </message>
    <message>
        <source>Nothing here yet. Every session is kept in %1 – captions with their sound, translations, conversations – unless you switch that off under Settings.</source>
        <translation>Rien ici pour l’instant. Chaque session est conservée dans %1 – sous-titres avec leur son, traductions, conversations – sauf si vous le désactivez dans les réglages.</translation>
    </message>
    <message>
        <source>No session holds these words.</source>
        <translation>Aucune session ne contient ces mots.</translation>
    </message>
    <message>
        <source>Save session</source>
        <translation>Enregistrer la session</translation>
    </message>
    <message>
        <source>%1 could not be moved to the bin. It is still here.</source>
        <translation>%1 n’a pas pu être mis à la corbeille. Il est toujours ici.</translation>
    </message>
    <message>
        <source>The session is in the bin.</source>
        <translation>La session est dans la corbeille.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>It could not be taken back. It is in the bin as %1.</source>
        <translation>Elle n’a pas pu être reprise. Elle est dans la corbeille sous le nom %1.</translation>
    </message>
</context>
<context>
    <name>braid::ui::InspectorFrame</name>
    <message>
        <source>Inspector</source>
        <translation>Inspecteur</translation>
    </message>
    <message>
        <source>What the Inspector shows</source>
        <translation>Ce que montre l’inspecteur</translation>
    </message>
</context>
<context>
    <name>braid::ui::InspectorPanel</name>
    <message>
        <source>Token</source>
        <translation>Jeton</translation>
    </message>
    <message>
        <source>What it was</source>
        <translation>Ce que c’était</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Temps</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Durées</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Étapes</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>Révisions</translation>
    </message>
    <message>
        <source>No word has changed yet. When the model thinks better of one, what it was shows here.</source>
        <translation>Aucun mot n’a encore changé. Quand le modèle se ravise, ce qui était là s’affiche ici.</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspecteur</translation>
    </message>
    <message>
        <source>Words show here as they come. Point at one to see how the model found it; click to keep it.</source>
        <translation>Les mots s’affichent ici à mesure. Pointez-en un pour voir comment le modèle l’a trouvé ; cliquez pour le garder.</translation>
    </message>
    <message>
        <source>probability %1, %2</source>
        <translation>probabilité %L1, %2</translation>
    </message>
    <message>
        <source>settled</source>
        <translation>définitif</translation>
    </message>
    <message>
        <source>not settled yet</source>
        <translation>pas encore définitif</translation>
    </message>
    <message>
        <source>Nothing is cached. A model made for streaming keeps what it has computed of the sound; it shows here, block by block.</source>
        <translation>Rien n’est en cache. Un modèle conçu pour l’écoute continue garde ce qu’il a calculé du son ; on le voit ici, bloc par bloc.</translation>
    </message>
</context>
<context>
    <name>braid::ui::LagChart</name>
    <message>
        <source>Lag of the newest words</source>
        <translation>Retard des derniers mots</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>calcul</translation>
    </message>
    <message>
        <source>waiting for source</source>
        <translation>attente de la source</translation>
    </message>
    <message>
        <source>“%1”: %2</source>
        <translation>« %1 » : %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::LaneNameEdit</name>
    <message>
        <source>Name of the lane</source>
        <translation>Nom de la piste</translation>
    </message>
    <message>
        <source>Enter keeps the name, Escape leaves it as it was, Up and Down go to the neighbours&apos; names.</source>
        <translation>Entrée garde le nom, Échap le laisse tel quel, Haut et Bas vont aux noms voisins.</translation>
    </message>
    <message>
        <source>Name of the lane %1</source>
        <translation>Nom de la piste %1</translation>
    </message>
</context>
<context>
    <name>braid::ui::LanePreferences</name>
    <message>
        <source>Fold	F</source>
        <translation>Replier	F</translation>
    </message>
    <message>
        <source>Open	F</source>
        <translation>Déplier	F</translation>
    </message>
    <message>
        <source>Move up	Ctrl+Up</source>
        <translation>Monter	Ctrl+Haut</translation>
    </message>
    <message>
        <source>Move down	Ctrl+Down</source>
        <translation>Descendre	Ctrl+Bas</translation>
    </message>
    <message>
        <source>Rename…	F2</source>
        <translation>Renommer…	F2</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Couleur</translation>
    </message>
    <message>
        <source>As in the layout</source>
        <translation>Comme dans la disposition</translation>
    </message>
    <message>
        <source>Show in large type</source>
        <translation>Afficher en grand</translation>
    </message>
    <message>
        <source>Switched off: it says nothing</source>
        <translation>Désactivé : il ne dit rien</translation>
    </message>
    <message>
        <source>Type into it</source>
        <translation>Écrire dans ce flux</translation>
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
        <translation>Aller au direct</translation>
    </message>
    <message>
        <source>To the newest step (L)</source>
        <translation>À la dernière étape (L)</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>Flux</translation>
    </message>
    <message>
        <source>A row of cells a step, a lane a stream. Arrows move from cell to cell, Enter keeps one in the Inspector, brackets choose a step to go back to, F2 renames a lane, Shift+F10 opens its menu.</source>
        <translation>Une rangée de cellules par étape, une piste par flux. Les flèches vont de cellule en cellule, Entrée en garde une dans l’inspecteur, les crochets choisissent une étape où revenir, F2 renomme une piste, Maj+F10 ouvre son menu.</translation>
    </message>
    <message>
        <source>Drag left to go back</source>
        <translation>Glissez vers la gauche pour revenir en arrière</translation>
    </message>
    <message numerus="yes">
        <source>Go on from step %1: %n taken back</source>
        <translation>
            <numerusform>Repartir de l’étape %1 : %n annulée</numerusform>
            <numerusform>Repartir de l’étape %1 : %n annulées</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1, étape %2</translation>
    </message>
    <message>
        <source>%1: not asked</source>
        <translation>%1 : non interrogé</translation>
    </message>
    <message>
        <source>%1: silent</source>
        <translation>%1 : silencieux</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
    <message>
        <source>%1, probability %2</source>
        <translation>%1, probabilité %2</translation>
    </message>
    <message>
        <source>Drag left to take steps back and go on from there with other words ([ and ] do the same, Enter confirms)</source>
        <translation>Glissez vers la gauche pour annuler des étapes et repartir de là avec d’autres mots ([ et ] font de même, Entrée confirme)</translation>
    </message>
    <message>
        <source>Step %1, made after %2</source>
        <translation>Étape %1, faite après %2</translation>
    </message>
    <message>
        <source>Fold %1 (F)</source>
        <translation>Replier %1 (F)</translation>
    </message>
    <message>
        <source>Open %1 (F)</source>
        <translation>Déplier %1 (F)</translation>
    </message>
    <message>
        <source>%1. Drag to move the lane (Ctrl+Up, Ctrl+Down), double click to rename it (F2); right click for more</source>
        <translation>%1. Glissez pour déplacer la piste (Ctrl+Haut, Ctrl+Bas), double-cliquez pour la renommer (F2) ; clic droit pour plus</translation>
    </message>
    <message>
        <source>%1. The stream has ended: %2</source>
        <translation>%1. Le flux est fini : %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::LevelMeter</name>
    <message>
        <source>Sound level</source>
        <translation>Niveau sonore</translation>
    </message>
    <message>
        <source>Sound level %1 dB, peak %2 dB</source>
        <translation>Niveau sonore %1 dB, crête %2 dB</translation>
    </message>
</context>
<context>
    <name>braid::ui::LiveScroll</name>
    <message>
        <source>Live</source>
        <translation>Direct</translation>
    </message>
    <message>
        <source>Live  ↓  %1</source>
        <translation>Direct  ↓  %1</translation>
    </message>
    <message>
        <source>Live  ↓</source>
        <translation>Direct  ↓</translation>
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
        <translation>Ctrl+%1</translation>
    </message>
    <message>
        <source>Captions</source>
        <translation>Sous-titres</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>Traduction</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>Flux</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modèles</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Historique</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Réglages</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Ouvrir…</translation>
    </message>
    <message>
        <source>Ctrl+O</source>
        <translation>Ctrl+O</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Enregistrer…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>New page</source>
        <translation>Nouvelle page</translation>
    </message>
    <message>
        <source>Ctrl+N</source>
        <translation>Ctrl+N</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Rechercher</translation>
    </message>
    <message>
        <source>Go to live</source>
        <translation>Aller au direct</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspecteur</translation>
    </message>
    <message>
        <source>Fine-tuning</source>
        <translation>Réglages fins</translation>
    </message>
    <message>
        <source>Translate the captions</source>
        <translation>Traduire les sous-titres</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparer</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Texte plus grand</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Texte plus petit</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Incrustation</translation>
    </message>
    <message>
        <source>Overlay…</source>
        <translation>Incrustation…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+O</source>
        <translation>Ctrl+Maj+O</translation>
    </message>
    <message>
        <source>Present</source>
        <translation>Présenter</translation>
    </message>
    <message>
        <source>Caption the sample</source>
        <translation>Sous-titrer l’exemple</translation>
    </message>
    <message>
        <source>Keyboard and mouse</source>
        <translation>Clavier et souris</translation>
    </message>
    <message>
        <source>About Braid</source>
        <translation>À propos de Braid</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Quitter</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
</context>
<context>
    <name>braid::ui::ModelCard</name>
    <message>
        <source>How much of it is here</source>
        <translation>Quelle part est là</translation>
    </message>
</context>
<context>
    <name>braid::ui::ModelsPage</name>
    <message>
        <source>Models</source>
        <translation>Modèles</translation>
    </message>
    <message>
        <source>Filter: name, language, licence</source>
        <translation>Filtre : nom, langue, licence</translation>
    </message>
    <message>
        <source>Show only models that have these words</source>
        <translation>N’afficher que les modèles qui ont ces mots</translation>
    </message>
    <message>
        <source>Use a folder…</source>
        <translation>Utiliser un dossier…</translation>
    </message>
    <message>
        <source>Use a model from another folder</source>
        <translation>Utiliser un modèle d’un autre dossier</translation>
    </message>
    <message>
        <source>A Whisper folder as Hugging Face keeps it, anywhere on this machine</source>
        <translation>Un dossier Whisper tel que chez Hugging Face, n’importe où sur cet ordinateur</translation>
    </message>
    <message>
        <source>Use a file…</source>
        <translation>Utiliser un fichier…</translation>
    </message>
    <message>
        <source>Use a model from a single file</source>
        <translation>Utiliser un modèle d’un seul fichier</translation>
    </message>
    <message>
        <source>OpenAI&apos;s .pt, CarelessWhisper&apos;s .pt or .ckpt</source>
        <translation>.pt d’OpenAI, .pt ou .ckpt de CarelessWhisper</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Chercher à nouveau</translation>
    </message>
    <message>
        <source>Look for models again</source>
        <translation>Chercher à nouveau des modèles</translation>
    </message>
    <message>
        <source>Choose a model folder</source>
        <translation>Choisir un dossier de modèle</translation>
    </message>
    <message>
        <source>Choose a model file</source>
        <translation>Choisir un fichier de modèle</translation>
    </message>
    <message>
        <source>Models (*.pt *.ckpt *.safetensors)</source>
        <translation>Modèles (*.pt *.ckpt *.safetensors)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>To fetch</source>
        <translation>À télécharger</translation>
    </message>
    <message>
        <source>No model has these words in its name, languages or licence.</source>
        <translation>Aucun modèle n’a ces mots dans son nom, ses langues ou sa licence.</translation>
    </message>
    <message>
        <source>No model of yours is here yet. Fetch one, put a Whisper folder into one of these folders and look again, or use a folder from elsewhere.</source>
        <translation>Aucun modèle à vous ici pour l’instant. Téléchargez-en un, mettez un dossier Whisper dans l’un de ces dossiers et cherchez à nouveau, ou utilisez un dossier d’ailleurs.</translation>
    </message>
    <message>
        <source>In the box</source>
        <translation>Fournis</translation>
    </message>
    <message>
        <source>On this disk</source>
        <translation>Sur ce disque</translation>
    </message>
    <message>
        <source>Looked for in %1</source>
        <translation>Cherchés dans %1</translation>
    </message>
    <message>
        <source>made for live captions, %1 to %2 ms</source>
        <translation>conçu pour le direct, %1 à %2 ms</translation>
    </message>
    <message>
        <source>made for live captions, %1 ms</source>
        <translation>conçu pour le direct, %1 ms</translation>
    </message>
    <message>
        <source>In use ✓</source>
        <translation>Utilisé ✓</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Utiliser</translation>
    </message>
    <message>
        <source>%1 is in use</source>
        <translation>%1 est utilisé</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>Utiliser %1</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>Ouvrir le dossier</translation>
    </message>
    <message>
        <source>Open the folder of %1</source>
        <translation>Ouvrir le dossier de %1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Retirer</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>Retirer %1</translation>
    </message>
    <message>
        <source>about %1 of memory</source>
        <translation>environ %1 de mémoire</translation>
    </message>
    <message>
        <source>its page asks you to accept its terms first</source>
        <translation>sa page demande d’abord votre accord</translation>
    </message>
    <message>
        <source>partly here</source>
        <translation>en partie là</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>Stop fetching %1; what came so far is kept</source>
        <translation>Arrêter le téléchargement de %1 ; ce qui est venu est gardé</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Continuer</translation>
    </message>
    <message>
        <source>Get</source>
        <translation>Obtenir</translation>
    </message>
    <message>
        <source>Fetch %1</source>
        <translation>Télécharger %1</translation>
    </message>
    <message>
        <source>asking what there is</source>
        <translation>consulte ce qu’il y a</translation>
    </message>
    <message>
        <source>%1 is ready to be used.</source>
        <translation>%1 est prêt.</translation>
    </message>
    <message>
        <source>%1 was removed.</source>
        <translation>%1 a été retiré.</translation>
    </message>
    <message>
        <source>Take it back</source>
        <translation>Le reprendre</translation>
    </message>
</context>
<context>
    <name>braid::ui::NoticeBar</name>
    <message>
        <source>Details</source>
        <translation>Détails</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>Afficher les détails</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Copier</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Copier les détails</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Fermer</translation>
    </message>
</context>
<context>
    <name>braid::ui::OverlayCanvas</name>
    <message>
        <source>Captions over other windows</source>
        <translation>Sous-titres par-dessus les autres fenêtres</translation>
    </message>
</context>
<context>
    <name>braid::ui::OverlayDesk</name>
    <message>
        <source>Braid captions for streaming</source>
        <translation>Sous-titres Braid pour la diffusion</translation>
    </message>
</context>
<context>
    <name>braid::ui::OverlayDialog</name>
    <message>
        <source>Overlay</source>
        <translation>Incrustation</translation>
    </message>
    <message>
        <source>Show or hide the overlay (O)</source>
        <translation>Afficher ou masquer l’incrustation (O)</translation>
    </message>
    <message>
        <source>Over other windows</source>
        <translation>Par-dessus les autres fenêtres</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Emplacement</translation>
    </message>
    <message>
        <source>At the top</source>
        <translation>En haut</translation>
    </message>
    <message>
        <source>At the bottom</source>
        <translation>En bas</translation>
    </message>
    <message>
        <source>Where I put it</source>
        <translation>Où je la mets</translation>
    </message>
    <message>
        <source>Under Wayland the desktop decides where a window stands and whether it stays on top: drag the strip where you want it, and ask the desktop (Alt+Space) to keep it above.</source>
        <translation>Sous Wayland, c’est le bureau qui décide où se place une fenêtre et si elle reste au-dessus : glissez le bandeau où vous le voulez, et demandez au bureau (Alt+Espace) de le garder au-dessus.</translation>
    </message>
    <message>
        <source>Clicks go to what lies behind it</source>
        <translation>Les clics vont à ce qui est derrière</translation>
    </message>
    <message>
        <source>It can then be moved and closed from this dialog and the menu alone</source>
        <translation>On ne peut alors la déplacer et la fermer que d’ici et par le menu</translation>
    </message>
    <message>
        <source>Shows</source>
        <translation>Affiche</translation>
    </message>
    <message>
        <source>What is said</source>
        <translation>Ce qui est dit</translation>
    </message>
    <message>
        <source>Its translation</source>
        <translation>Sa traduction</translation>
    </message>
    <message>
        <source>Both, the translation below</source>
        <translation>Les deux, la traduction dessous</translation>
    </message>
    <message>
        <source>Lines of each</source>
        <translation>Lignes de chacun</translation>
    </message>
    <message>
        <source>Letters</source>
        <translation>Lettres</translation>
    </message>
    <message>
        <source>Font</source>
        <translation>Police</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Taille</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>Couleur</translation>
    </message>
    <message>
        <source>Outline</source>
        <translation>Contour</translation>
    </message>
    <message>
        <source>Colour of the outline</source>
        <translation>Couleur du contour</translation>
    </message>
    <message>
        <source>Behind the letters</source>
        <translation>Derrière les lettres</translation>
    </message>
    <message>
        <source>How opaque that is</source>
        <translation>Son opacité</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>For streaming (OBS)</source>
        <translation>Pour la diffusion (OBS)</translation>
    </message>
    <message>
        <source>Show or hide the plain window</source>
        <translation>Afficher ou masquer la fenêtre unie</translation>
    </message>
    <message>
        <source>Captions on one colour, in a window that OBS takes as &quot;Window capture&quot; and keys out</source>
        <translation>Sous-titres sur une couleur unie, dans une fenêtre qu’OBS prend par « Capture de fenêtre » et détoure</translation>
    </message>
    <message>
        <source>Its colour</source>
        <translation>Sa couleur</translation>
    </message>
    <message>
        <source>Live text file</source>
        <translation>Fichier texte en direct</translation>
    </message>
    <message>
        <source>none</source>
        <translation>aucun</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Choisir…</translation>
    </message>
    <message>
        <source>Choose the live text file</source>
        <translation>Choisir le fichier texte en direct</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Finir</translation>
    </message>
    <message>
        <source>Write no live text file</source>
        <translation>Ne plus écrire de fichier texte</translation>
    </message>
    <message>
        <source>Write the newest lines to</source>
        <translation>Écrire les dernières lignes dans</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Texte (*.txt)</translation>
    </message>
    <message>
        <source>captions-live.txt</source>
        <translation>sous-titres-direct.txt</translation>
    </message>
</context>
<context>
    <name>braid::ui::OverlayWindow</name>
    <message>
        <source>Braid captions</source>
        <translation>Sous-titres Braid</translation>
    </message>
    <message>
        <source>Captions over other windows</source>
        <translation>Sous-titres par-dessus les autres fenêtres</translation>
    </message>
    <message>
        <source>Drag to move, drag an end to make it wider; the right button for more</source>
        <translation>Glissez pour déplacer, glissez un bord pour élargir ; bouton droit pour plus</translation>
    </message>
    <message>
        <source>At the top</source>
        <translation>En haut</translation>
    </message>
    <message>
        <source>At the bottom</source>
        <translation>En bas</translation>
    </message>
    <message>
        <source>Where I put it</source>
        <translation>Où je la mets</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>Traduction</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Les deux</translation>
    </message>
    <message>
        <source>Font, colours and more…</source>
        <translation>Police, couleurs et plus…</translation>
    </message>
    <message>
        <source>Close the overlay</source>
        <translation>Fermer l’incrustation</translation>
    </message>
</context>
<context>
    <name>braid::ui::OverviewStrip</name>
    <message>
        <source>The whole run</source>
        <translation>Tout le déroulement</translation>
    </message>
    <message>
        <source>Where in the run the lanes stand; in the lanes, Home and End go to its ends.</source>
        <translation>Où en sont les pistes dans le déroulement ; dans les pistes, Début et Fin vont à ses bouts.</translation>
    </message>
    <message>
        <source>Step %1, %2</source>
        <translation>Étape %1, %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::PlayerBar</name>
    <message>
        <source>Speed</source>
        <translation>Vitesse</translation>
    </message>
    <message>
        <source>How fast it is played, at the same pitch (&lt; and &gt;)</source>
        <translation>Vitesse de lecture, à la même hauteur (&lt; et &gt;)</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Repeat line</source>
        <translation>Répéter la ligne</translation>
    </message>
    <message>
        <source>Repeat the line</source>
        <translation>Répéter la ligne</translation>
    </message>
    <message>
        <source>The line that plays, over and over (R)</source>
        <translation>La ligne en cours, encore et encore (R)</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Lire</translation>
    </message>
    <message>
        <source>Pause (K)</source>
        <translation>Pause (K)</translation>
    </message>
    <message>
        <source>Play (K)</source>
        <translation>Lire (K)</translation>
    </message>
</context>
<context>
    <name>braid::ui::QueuePanel</name>
    <message>
        <source>Go on</source>
        <translation>Continuer</translation>
    </message>
    <message>
        <source>Save all…</source>
        <translation>Tout enregistrer…</translation>
    </message>
    <message>
        <source>Clear finished</source>
        <translation>Retirer les terminés</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Enregistrements</translation>
    </message>
    <message>
        <source>Caption those that wait</source>
        <translation>Sous-titrer ceux qui attendent</translation>
    </message>
    <message>
        <source>Each in a file of its own, in one folder</source>
        <translation>Chacun dans son fichier, dans un même dossier</translation>
    </message>
    <message>
        <source>Takes finished recordings off this list; nothing is deleted from the disk</source>
        <translation>Retire de la liste les enregistrements terminés ; rien n’est effacé du disque</translation>
    </message>
    <message>
        <source>Recordings: %1 of %2 done</source>
        <translation>Enregistrements : %1 sur %2 terminés</translation>
    </message>
</context>
<context>
    <name>braid::ui::QueueRow</name>
    <message>
        <source>Earlier (Alt+Up)</source>
        <translation>Plus tôt (Alt+Haut)</translation>
    </message>
    <message>
        <source>Later (Alt+Down)</source>
        <translation>Plus tard (Alt+Bas)</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Afficher</translation>
    </message>
    <message>
        <source>Its words on the page</source>
        <translation>Ses mots sur la page</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Enregistrer…</translation>
    </message>
    <message>
        <source>Its words as a file of their own</source>
        <translation>Ses mots dans un fichier à part</translation>
    </message>
    <message>
        <source>Leave it out (Delete)</source>
        <translation>Laisser de côté (Suppr)</translation>
    </message>
    <message>
        <source>Stop it here; what was heard is kept (Delete)</source>
        <translation>Arrêter ici ; ce qui a été entendu est gardé (Suppr)</translation>
    </message>
    <message>
        <source>%1 earlier</source>
        <translation>%1 plus tôt</translation>
    </message>
    <message>
        <source>%1 later</source>
        <translation>%1 plus tard</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>Afficher %1</translation>
    </message>
    <message>
        <source>Save %1</source>
        <translation>Enregistrer %1</translation>
    </message>
    <message>
        <source>Stop %1</source>
        <translation>Arrêter %1</translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation>Laisser %1 de côté</translation>
    </message>
    <message>
        <source>How far %1 is</source>
        <translation>Où en est %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1 : %2</translation>
    </message>
</context>
<context>
    <name>braid::ui::Rail</name>
    <message>
        <source>Pages</source>
        <translation>Pages</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Plus</translation>
    </message>
    <message>
        <source>Open, save, find, compare, present, keys</source>
        <translation>Ouvrir, enregistrer, rechercher, comparer, présenter, touches</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>Autres actions</translation>
    </message>
</context>
<context>
    <name>braid::ui::RevisionList</name>
    <message>
        <source>Newest revisions</source>
        <translation>Dernières révisions</translation>
    </message>
</context>
<context>
    <name>braid::ui::RevisionListModel</name>
    <message>
        <source>at %1, %2 became %3</source>
        <translation>à %1, %2 est devenu %3</translation>
    </message>
    <message>
        <source>“%1” at %2 became “%3” when %4 had been heard</source>
        <translation>« %1 » à %2 est devenu « %3 » quand %4 avait été entendu</translation>
    </message>
</context>
<context>
    <name>braid::ui::SettingsPage</name>
    <message>
        <source>Undo last change</source>
        <translation>Annuler le dernier changement</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Réglages</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Tout réinitialiser</translation>
    </message>
    <message>
        <source>Set everything on this page back</source>
        <translation>Réinitialiser tout ce qui est sur cette page</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Apparence</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Comme le bureau</translation>
    </message>
    <message>
        <source>Language of the window</source>
        <translation>Langue de la fenêtre</translation>
    </message>
    <message>
        <source>Takes effect when Braid is started the next time</source>
        <translation>Prend effet au prochain démarrage de Braid</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Thème</translation>
    </message>
    <message>
        <source>Colours of the whole window</source>
        <translation>Couleurs de toute la fenêtre</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Clair</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Sombre</translation>
    </message>
    <message>
        <source>High contrast, light</source>
        <translation>Contraste élevé, clair</translation>
    </message>
    <message>
        <source>High contrast, dark</source>
        <translation>Contraste élevé, sombre</translation>
    </message>
    <message>
        <source>Caption size</source>
        <translation>Taille des sous-titres</translation>
    </message>
    <message>
        <source>Also Ctrl and the wheel over the captions, or + and -</source>
        <translation>Aussi Ctrl et la molette sur les sous-titres, ou + et -</translation>
    </message>
    <message>
        <source> px</source>
        <translation> px</translation>
    </message>
    <message>
        <source>Times beside the lines</source>
        <translation>Heures à côté des lignes</translation>
    </message>
    <message>
        <source>Of what was captured live; recordings show their own time</source>
        <translation>De ce qui a été capté en direct ; les enregistrements montrent leur propre temps</translation>
    </message>
    <message>
        <source>Since the beginning</source>
        <translation>Depuis le début</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>Heure du jour</translation>
    </message>
    <message>
        <source>Icon in the tray</source>
        <translation>Icône dans la barre système</translation>
    </message>
    <message>
        <source>Says whether Braid listens; starts, stops and shows the overlay</source>
        <translation>Dit si Braid écoute ; démarre, arrête et montre l’incrustation</translation>
    </message>
    <message>
        <source>Mark unlikely words</source>
        <translation>Marquer les mots incertains</translation>
    </message>
    <message>
        <source>A lighter line under words of which the model was less than half sure</source>
        <translation>Un trait plus clair sous les mots dont le modèle était sûr à moins de la moitié</translation>
    </message>
    <message>
        <source>Less motion</source>
        <translation>Moins d’animations</translation>
    </message>
    <message>
        <source>The page jumps instead of gliding; nothing fades</source>
        <translation>La page saute au lieu de glisser ; pas de fondu</translation>
    </message>
    <message>
        <source>Listening</source>
        <translation>Écoute</translation>
    </message>
    <message>
        <source>Sound before speech</source>
        <translation>Son avant la parole</translation>
    </message>
    <message>
        <source>How much before the first detected speech belongs to it. Raise it when first words are clipped.</source>
        <translation>Ce qui, avant la première parole détectée, en fait partie. Augmentez-le si les premiers mots sont coupés.</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>Silence that settles the words</source>
        <translation>Silence qui fixe les mots</translation>
    </message>
    <message>
        <source>After this much silence everything said before is final</source>
        <translation>Après ce silence, tout ce qui a été dit avant est définitif</translation>
    </message>
    <message>
        <source>A new line begins</source>
        <translation>Une nouvelle ligne commence</translation>
    </message>
    <message>
        <source>Where the captions are cut into lines</source>
        <translation>Où les sous-titres sont coupés en lignes</translation>
    </message>
    <message>
        <source>After sentences and pauses</source>
        <translation>Après phrases et pauses</translation>
    </message>
    <message>
        <source>After pauses</source>
        <translation>Après les pauses</translation>
    </message>
    <message>
        <source>After sentences</source>
        <translation>Après les phrases</translation>
    </message>
    <message>
        <source>Pause that ends a line</source>
        <translation>Pause qui finit une ligne</translation>
    </message>
    <message>
        <source>Silence between two words after which the next begins a new line</source>
        <translation>Silence entre deux mots après lequel le suivant commence une ligne</translation>
    </message>
    <message>
        <source>Files at their own pace</source>
        <translation>Fichiers à leur rythme</translation>
    </message>
    <message>
        <source>As if played, instead of as fast as this machine can</source>
        <translation>Comme à la lecture, au lieu d’aussi vite que cet ordinateur le peut</translation>
    </message>
    <message>
        <source>Computation</source>
        <translation>Calcul</translation>
    </message>
    <message>
        <source>Runs on</source>
        <translation>S’exécute sur</translation>
    </message>
    <message>
        <source>Automatic takes a graphics card where there is a suitable one</source>
        <translation>« Automatique » prend une carte graphique s’il y en a une qui convient</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatique</translation>
    </message>
    <message>
        <source>Processor</source>
        <translation>Processeur</translation>
    </message>
    <message>
        <source>NVIDIA graphics card</source>
        <translation>Carte graphique NVIDIA</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Précision</translation>
    </message>
    <message>
        <source>Fewer bits need less memory; on a processor they are seldom faster</source>
        <translation>Moins de bits demandent moins de mémoire ; sur un processeur, c’est rarement plus rapide</translation>
    </message>
    <message>
        <source>32 bit</source>
        <translation>32 bits</translation>
    </message>
    <message>
        <source>16 bit (bfloat16)</source>
        <translation>16 bits (bfloat16)</translation>
    </message>
    <message>
        <source>16 bit (float16)</source>
        <translation>16 bits (float16)</translation>
    </message>
    <message>
        <source>8 bit (int8 weights)</source>
        <translation>8 bits (poids int8)</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Fils du processeur</translation>
    </message>
    <message>
        <source>How many parts of the processor compute at once; Braid chooses where nothing is set</source>
        <translation>Combien de parties du processeur calculent à la fois ; sans réglage, Braid choisit</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>Conservation</translation>
    </message>
    <message>
        <source>Keep every session</source>
        <translation>Conserver chaque session</translation>
    </message>
    <message>
        <source>Words and sound, conversations and translations, on this machine; recovers after a crash</source>
        <translation>Mots et son, conversations, traductions, sur cet ordinateur ; utile après un plantage</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Mots</translation>
    </message>
    <message>
        <source>Mask profanity</source>
        <translation>Masquer les grossièretés</translation>
    </message>
    <message>
        <source>English swear words, with asterisks; the list above can add and spare words</source>
        <translation>En anglais, avec des astérisques ; la liste ci-dessus en ajoute ou en épargne</translation>
    </message>
</context>
<context>
    <name>braid::ui::ShareBars</name>
    <message>
        <source>%1 %2 %</source>
        <translation>%1 %2 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>braid::ui::SourceLine</name>
    <message>
        <source>When words go</source>
        <translation>Envoi des mots</translation>
    </message>
    <message>
        <source>When words leave the field</source>
        <translation>Quand les mots quittent le champ</translation>
    </message>
    <message>
        <source>As I type</source>
        <translation>À la frappe</translation>
    </message>
    <message>
        <source>With Enter</source>
        <translation>Avec Entrée</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>Ouvrir…</translation>
    </message>
    <message>
        <source>Open a text</source>
        <translation>Ouvrir un texte</translation>
    </message>
    <message>
        <source>Translate a text file (Ctrl+O)</source>
        <translation>Traduire un fichier texte (Ctrl+O)</translation>
    </message>
    <message>
        <source>Go to the captions</source>
        <translation>Aller aux sous-titres</translation>
    </message>
    <message>
        <source>Text to translate</source>
        <translation>Texte à traduire</translation>
    </message>
    <message>
        <source>Every word is translated with the space behind it. Enter ends the sentence. Pasted text goes at once.</source>
        <translation>Chaque mot est traduit avec l’espace qui le suit. Entrée finit la phrase. Un texte collé part tout de suite.</translation>
    </message>
    <message>
        <source>Enter sends the line. Pasted text of several lines goes at once.</source>
        <translation>Entrée envoie la ligne. Un texte collé de plusieurs lignes part tout de suite.</translation>
    </message>
    <message>
        <source>Type or paste here, then press Enter</source>
        <translation>Tapez ou collez ici, puis appuyez sur Entrée</translation>
    </message>
    <message>
        <source>Text to translate, in %1</source>
        <translation>Texte à traduire, en %1</translation>
    </message>
    <message>
        <source>Type or paste here; Enter ends the sentence</source>
        <translation>Tapez ou collez ici ; Entrée finit la phrase</translation>
    </message>
</context>
<context>
    <name>braid::ui::StatusBar</name>
    <message>
        <source>State</source>
        <translation>État</translation>
    </message>
    <message>
        <source>Where it runs</source>
        <translation>Où cela s’exécute</translation>
    </message>
</context>
<context>
    <name>braid::ui::StatusLine</name>
    <message>
        <source>Whether it listens</source>
        <translation>Si l’on écoute</translation>
    </message>
    <message>
        <source>listening</source>
        <translation>à l’écoute</translation>
    </message>
    <message>
        <source>Sound heard</source>
        <translation>Son entendu</translation>
    </message>
    <message>
        <source>heard %1</source>
        <translation>entendu %1</translation>
    </message>
    <message>
        <source>Lag</source>
        <translation>Retard</translation>
    </message>
    <message>
        <source>How far the words are behind the sound.</source>
        <translation>Le retard des mots sur le son.</translation>
    </message>
    <message>
        <source>%1 s behind</source>
        <translation>%L1 s de retard</translation>
    </message>
    <message>
        <source>Parts of the lag</source>
        <translation>Parts du retard</translation>
    </message>
    <message>
        <source>Computing: heard but not yet processed.
Waiting: processed, but held back until the model is sure.</source>
        <translation>Calcul : entendu, mais pas encore traité.
Attente : traité, mais retenu jusqu’à ce que le modèle soit sûr.</translation>
    </message>
    <message>
        <source>%1 computing, %2 waiting to be sure</source>
        <translation>%L1 de calcul, %L2 d’attente</translation>
    </message>
    <message>
        <source>Real-time factor</source>
        <translation>Facteur temps réel</translation>
    </message>
    <message>
        <source>Real-time factor: seconds of computing for a second of sound. Below 1 keeps up.</source>
        <translation>Facteur temps réel : secondes de calcul par seconde de son. Sous 1, le rythme est tenu.</translation>
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
        <translation>Durée des dernières étapes</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%L1 ms</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>encodeur</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>décodeur</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>reste</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsChoicesRow</name>
    <message>
        <source>Layout</source>
        <translation>Disposition</translation>
    </message>
    <message>
        <source>Which streams there are and who sees whom</source>
        <translation>Quels flux il y a et qui voit qui</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modèle</translation>
    </message>
    <message>
        <source>The model that speaks in all of them</source>
        <translation>Le modèle qui parle dans tous</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Référence</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Nouveau</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Rejouer</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Étape</translation>
    </message>
    <message>
        <source>Baseline beside it</source>
        <translation>Référence à côté</translation>
    </message>
    <message>
        <source>The same words to one queue of messages, side by side (C)</source>
        <translation>Les mêmes mots à une seule file de messages, côte à côte (C)</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Nouvelle conversation</translation>
    </message>
    <message>
        <source>An empty page (Ctrl+N)</source>
        <translation>Une page vide (Ctrl+N)</translation>
    </message>
    <message>
        <source>Replay this conversation</source>
        <translation>Rejouer cette conversation</translation>
    </message>
    <message>
        <source>Every step again, exactly as it was and when it was (R)</source>
        <translation>Chaque étape à nouveau, exactement comme et quand elle était (R)</translation>
    </message>
    <message>
        <source>One step</source>
        <translation>Une étape</translation>
    </message>
    <message>
        <source>One step, then pause (.)</source>
        <translation>Une étape, puis pause (.)</translation>
    </message>
    <message>
        <source>No layout found</source>
        <translation>Aucune disposition trouvée</translation>
    </message>
    <message>
        <source>Looking for layouts…</source>
        <translation>Recherche de dispositions…</translation>
    </message>
    <message>
        <source>Open a layout…</source>
        <translation>Ouvrir une disposition…</translation>
    </message>
    <message>
        <source>%1 (not for this layout)</source>
        <translation>%1 (pas pour cette disposition)</translation>
    </message>
    <message>
        <source>No layout of streams was found. Open one with the first choice above.</source>
        <translation>Aucune disposition de flux n’a été trouvée. Ouvrez-en une avec le premier choix ci-dessus.</translation>
    </message>
    <message>
        <source>Still looking for layouts. Try again in a moment.</source>
        <translation>La recherche de dispositions continue. Réessayez dans un instant.</translation>
    </message>
    <message>
        <source>Still looking for models. Try again in a moment.</source>
        <translation>La recherche de modèles continue. Réessayez dans un instant.</translation>
    </message>
    <message>
        <source>No model for parallel streams was found. The Models page says where Braid looks for them.</source>
        <translation>Aucun modèle pour flux parallèles n’a été trouvé. La page « Modèles » dit où Braid les cherche.</translation>
    </message>
    <message>
        <source>No model of one queue of messages was found, so there is nothing to compare with.</source>
        <translation>Aucun modèle à une seule file de messages n’a été trouvé, il n’y a donc rien à comparer.</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Démarrer</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Continuer</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>%1 (Space)</source>
        <translation>%1 (Espace)</translation>
    </message>
    <message>
        <source>How it runs: %1</source>
        <translation>Déroulement : %1</translation>
    </message>
    <message>
        <source>Tempo, sampling, seed, system text (D)</source>
        <translation>Rythme, tirage des mots, graine, texte système (D)</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsController</name>
    <message>
        <source>· (silent)</source>
        <translation>· (silence)</translation>
    </message>
    <message>
        <source>At most %1 MB of words can wait; the last %2 kB were left out. Give the text as a file, or say it when there is room.</source>
        <translation>Au plus %1 Mo de mots peuvent attendre ; les %2 derniers ko ont été laissés de côté. Donnez le texte en fichier, ou dites-le quand il y aura de la place.</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsFiles</name>
    <message>
        <source>There is nothing to save yet.</source>
        <translation>Il n’y a encore rien à enregistrer.</translation>
    </message>
    <message>
        <source>Save the conversation</source>
        <translation>Enregistrer la conversation</translation>
    </message>
    <message>
        <source>conversation.json</source>
        <translation>conversation.json</translation>
    </message>
    <message>
        <source>Open a conversation, a layout or a text</source>
        <translation>Ouvrir une conversation, une disposition ou un texte</translation>
    </message>
    <message>
        <source>Conversations, layouts and texts (*.json *.txt)</source>
        <translation>Conversations, dispositions et textes (*.json *.txt)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>One conversation shows at a time: the first of %1 files is opened.</source>
        <translation>On n’affiche qu’une conversation à la fois : le premier des %1 fichiers est ouvert.</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsInspector</name>
    <message>
        <source>Heads together</source>
        <translation>Têtes réunies</translation>
    </message>
    <message>
        <source>How layers and heads are put together</source>
        <translation>Comment les couches et les têtes sont réunies</translation>
    </message>
    <message>
        <source>One queue of messages</source>
        <translation>Une file de messages</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Mot</translation>
    </message>
    <message>
        <source>What it attended to</source>
        <translation>Ce qu’il a regardé</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Moyenne</translation>
    </message>
    <message>
        <source>Greatest</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>All layers</source>
        <translation>Couches</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Couche</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>Têtes</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Tête</translation>
    </message>
    <message>
        <source>Attention by stream</source>
        <translation>Attention par flux</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Déroulement</translation>
    </message>
    <message>
        <source>Parallel streams</source>
        <translation>Flux parallèles</translation>
    </message>
    <message>
        <source>Nothing chosen</source>
        <translation>Rien de choisi</translation>
    </message>
    <message>
        <source>Point at a word in a lane to see what the model had in mind.</source>
        <translation>Pointez un mot dans une piste pour voir ce que le modèle avait en vue.</translation>
    </message>
    <message>
        <source>%1, step %2, %3</source>
        <translation>%1, étape %2, %3</translation>
    </message>
    <message>
        <source>silent; %1</source>
        <translation>silence ; %1</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>before step 1</source>
        <translation>avant l’étape 1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>étape %1</translation>
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
        <translation>Rechercher dans les pistes</translation>
    </message>
    <message>
        <source>The baseline: one queue of messages</source>
        <translation>La référence : une file de messages</translation>
    </message>
    <message>
        <source>The captions are not running. Start them on their page (Ctrl+1), and what they settle enters here.</source>
        <translation>Les sous-titres ne tournent pas. Démarrez-les sur leur page (Ctrl+1), et ce qui y devient définitif entre ici.</translation>
    </message>
    <message>
        <source>The baseline stopped: %1</source>
        <translation>La référence s’est arrêtée : %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln wait</source>
        <translation>
            <numerusform>%Ln attend</numerusform>
            <numerusform>%Ln attendent</numerusform>
        </translation>
    </message>
    <message>
        <source>switched off</source>
        <translation>désactivé</translation>
    </message>
    <message numerus="yes">
        <source>ended, %Ln word(s)</source>
        <translation>
            <numerusform>fini, %Ln mot</numerusform>
            <numerusform>fini, %Ln mots</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln word(s)</source>
        <translation>
            <numerusform>%Ln mot</numerusform>
            <numerusform>%Ln mots</numerusform>
        </translation>
    </message>
    <message>
        <source>Baseline: one queue of messages, answered one after the other</source>
        <translation>Référence : une file de messages, l’un après l’autre</translation>
    </message>
    <message>
        <source>Baseline: one queue of messages (%1), %2</source>
        <translation>Référence : une file de messages (%1), %2</translation>
    </message>
    <message>
        <source>&lt;p&gt;It knows small tasks such as these. Try one:&lt;/p&gt;&lt;p&gt;%1&lt;/p&gt;</source>
        <translation>&lt;p&gt;Il sait faire de petits exercices comme ceux-ci (en anglais). Essayez-en un :&lt;/p&gt;&lt;p&gt;%1&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p style=&quot;font-size:15px&quot;&gt;No layout of streams yet.&lt;/p&gt;&lt;p&gt;Choose one above, or open a file.&lt;/p&gt;</source>
        <translation>&lt;p style=&quot;font-size:15px&quot;&gt;Pas encore de disposition de flux.&lt;/p&gt;&lt;p&gt;Choisissez-en une ci-dessus, ou ouvrez un fichier.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p style=&quot;font-size:15px&quot;&gt;Type below.&lt;/p&gt;&lt;p&gt;Every word enters the user&apos;s lane at once; the other lanes read it and speak while you type.&lt;/p&gt;</source>
        <translation>&lt;p style=&quot;font-size:15px&quot;&gt;Tapez ci-dessous.&lt;/p&gt;&lt;p&gt;Chaque mot entre aussitôt dans la piste de l’utilisateur ; les autres pistes le lisent et parlent pendant que vous tapez.&lt;/p&gt;</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsPanel</name>
    <message>
        <source>Whose sampling</source>
        <translation>Tirage de</translation>
    </message>
    <message>
        <source>The streams that the next rows are about</source>
        <translation>Les flux concernés par les lignes suivantes</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Réinitialiser</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Référence</translation>
    </message>
    <message>
        <source>The model of the single queue of messages</source>
        <translation>Le modèle de la file unique de messages</translation>
    </message>
    <message>
        <source>How it runs</source>
        <translation>Déroulement</translation>
    </message>
    <message>
        <source>From the next step on</source>
        <translation>Dès la prochaine étape</translation>
    </message>
    <message>
        <source>Tempo</source>
        <translation>Rythme</translation>
    </message>
    <message>
        <source> steps/s</source>
        <translation> étapes/s</translation>
    </message>
    <message>
        <source>A small model is faster than people read. The right end is as fast as it goes.</source>
        <translation>Un petit modèle va plus vite qu’on ne lit. Tout à droite : aussi vite que possible.</translation>
    </message>
    <message>
        <source>As the layout says</source>
        <translation>Selon la disposition</translation>
    </message>
    <message>
        <source>Sampling as the layout says</source>
        <translation>Tirage selon la disposition</translation>
    </message>
    <message>
        <source>Streams</source>
        <translation>Flux</translation>
    </message>
    <message>
        <source>0 (the most probable)</source>
        <translation>0 (le plus probable)</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Température</translation>
    </message>
    <message>
        <source>0 (all)</source>
        <translation>0 (tous)</translation>
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
        <translation>Retiré du poids du silence : au-dessus de 0 le flux parle plus, en dessous moins</translation>
    </message>
    <message>
        <source> on silence</source>
        <translation> sur le silence</translation>
    </message>
    <message>
        <source>Penalty</source>
        <translation>Pénalité</translation>
    </message>
    <message>
        <source>From the next start on</source>
        <translation>Dès le prochain démarrage</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Graine</translation>
    </message>
    <message>
        <source>System</source>
        <translation>Système</translation>
    </message>
    <message>
        <source>One queue of messages: the same words, answered one after the other.</source>
        <translation>Une file de messages : les mêmes mots, l’un après l’autre.</translation>
    </message>
    <message>
        <source>, full</source>
        <translation>, pleine</translation>
    </message>
    <message>
        <source>All who speak</source>
        <translation>Tous ceux qui parlent</translation>
    </message>
    <message>
        <source>What the system stream says before everything else</source>
        <translation>Ce que le flux système dit avant tout le reste</translation>
    </message>
    <message>
        <source>This layout has no system stream</source>
        <translation>Cette disposition n’a pas de flux système</translation>
    </message>
    <message>
        <source>No model found</source>
        <translation>Aucun modèle trouvé</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsRun</name>
    <message>
        <source>This conversation goes on as it is. The new choice holds from the next one.</source>
        <translation>Cette conversation continue telle quelle. Le nouveau choix vaut dès la suivante.</translation>
    </message>
    <message>
        <source>Begin a new one</source>
        <translation>En commencer une nouvelle</translation>
    </message>
    <message>
        <source>A new conversation.</source>
        <translation>Une nouvelle conversation.</translation>
    </message>
    <message>
        <source>Bring the last one back</source>
        <translation>Reprendre la dernière</translation>
    </message>
    <message>
        <source>The words that waited were dropped.</source>
        <translation>Les mots en attente ont été abandonnés.</translation>
    </message>
    <message>
        <source>Say them after all</source>
        <translation>Les dire quand même</translation>
    </message>
    <message>
        <source>This conversation is only shown. Open it with a model that can run its layout, and it can go on from any step.</source>
        <translation>Cette conversation n’est qu’affichée. Ouvrez-la avec un modèle qui convient à sa disposition, et elle pourra repartir de n’importe quelle étape.</translation>
    </message>
    <message numerus="yes">
        <source>Back at step %1; %n step(s) were taken back. Type other words and it goes on with them, or press Space to go on without.</source>
        <translation>
            <numerusform>Retour à l’étape %1 ; %n étape a été annulée. Tapez d’autres mots pour repartir avec eux, ou appuyez sur Espace pour repartir sans.</numerusform>
            <numerusform>Retour à l’étape %1 ; %n étapes ont été annulées. Tapez d’autres mots pour repartir avec eux, ou appuyez sur Espace pour repartir sans.</numerusform>
        </translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Annuler</translation>
    </message>
    <message>
        <source>“%1”, which said this, is not here or cannot run this layout: the conversation can be read and replayed, but not gone on with.</source>
        <translation>« %1 », qui a dit ceci, n’est pas ici ou ne convient pas à cette disposition : la conversation peut être lue et rejouée, mais pas continuée.</translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsStatusLine</name>
    <message>
        <source>Whether it runs</source>
        <translation>Si cela tourne</translation>
    </message>
    <message>
        <source>waits for words</source>
        <translation>attend des mots</translation>
    </message>
    <message>
        <source>Steps made</source>
        <translation>Étapes faites</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>étape %1</translation>
    </message>
    <message>
        <source>Time of a step</source>
        <translation>Durée d’une étape</translation>
    </message>
    <message>
        <source>Computing one row of tokens, one for every stream: the median of the newest steps</source>
        <translation>Le calcul d’une rangée de jetons, un par flux : la médiane des dernières étapes</translation>
    </message>
    <message>
        <source>%1 ms a step</source>
        <translation>%L1 ms par étape</translation>
    </message>
    <message>
        <source>Tokens a second</source>
        <translation>Jetons par seconde</translation>
    </message>
    <message>
        <source>Over all streams, of the time the newest steps took to compute; silence does not count</source>
        <translation>Sur tous les flux, rapporté au temps de calcul des dernières étapes ; le silence ne compte pas</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%L1 jetons/s</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
</context>
<context>
    <name>braid::ui::TimelineView</name>
    <message>
        <source>Waveform and words in time</source>
        <translation>Forme d’onde et mots dans le temps</translation>
    </message>
    <message>
        <source>Left and right move, plus and minus zoom, L goes to live.</source>
        <translation>Gauche et Droite déplacent, plus et moins agrandissent et réduisent, L va au direct.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TokenBars</name>
    <message>
        <source>Tokens and their rivals</source>
        <translation>Jetons et leurs rivaux</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>This word has no tokens to show.</source>
        <translation>Ce mot n’a pas de jeton à montrer.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranscriptView</name>
    <message>
        <source>Back to live</source>
        <translation>Revenir au direct</translation>
    </message>
    <message>
        <source>Back to the newest words (L)</source>
        <translation>Revenir aux derniers mots (L)</translation>
    </message>
    <message numerus="yes">
        <source>%n new line(s)</source>
        <translation>
            <numerusform>%n nouvelle ligne</numerusform>
            <numerusform>%n nouvelles lignes</numerusform>
        </translation>
    </message>
    <message>
        <source>Captions</source>
        <translation>Sous-titres</translation>
    </message>
    <message>
        <source>Settled words in order. Arrow keys move from word to word, Enter plays the word, F2 corrects it.</source>
        <translation>Mots définitifs dans l’ordre. Les flèches vont de mot en mot, Entrée lit le mot, F2 le corrige.</translation>
    </message>
    <message>
        <source>%1, corrected</source>
        <translation>%1, corrigé</translation>
    </message>
    <message>
        <source>struck out</source>
        <translation>supprimé</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslateChoice</name>
    <message>
        <source>Translate</source>
        <translation>Traduire</translation>
    </message>
    <message>
        <source>→ %1</source>
        <translation>→ %1</translation>
    </message>
    <message>
        <source>Translation under the captions: %1</source>
        <translation>Traduction sous les sous-titres : %1</translation>
    </message>
    <message>
        <source>Translation under the captions: off</source>
        <translation>Traduction sous les sous-titres : désactivée</translation>
    </message>
    <message>
        <source>A translation under every line (T)</source>
        <translation>Une traduction sous chaque ligne (T)</translation>
    </message>
    <message>
        <source>Translation under the captions</source>
        <translation>Traduction sous les sous-titres</translation>
    </message>
    <message>
        <source>No translation</source>
        <translation>Pas de traduction</translation>
    </message>
    <message>
        <source>%1 (cannot be used)</source>
        <translation>%1 (inutilisable)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>No model that translates was found</source>
        <translation>Aucun modèle de traduction trouvé</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>Recherche de modèles…</translation>
    </message>
    <message>
        <source>Get a better model…</source>
        <translation>Obtenir un meilleur modèle…</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationChoicesRow</name>
    <message>
        <source>Source</source>
        <translation>Source</translation>
    </message>
    <message>
        <source>Where the text comes from</source>
        <translation>D’où vient le texte</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modèle</translation>
    </message>
    <message>
        <source>The model that translates</source>
        <translation>Le modèle qui traduit</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>Langues</translation>
    </message>
    <message>
        <source>From which language into which</source>
        <translation>De quelle langue vers laquelle</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Comparer</translation>
    </message>
    <message>
        <source>Compare two methods</source>
        <translation>Comparer deux méthodes</translation>
    </message>
    <message>
        <source>Two methods on the same source, side by side (C)</source>
        <translation>Deux méthodes sur la même source, côte à côte (C)</translation>
    </message>
    <message>
        <source>Typed text</source>
        <translation>Texte saisi</translation>
    </message>
    <message>
        <source>What you type or paste below, as you do</source>
        <translation>Ce que vous tapez ou collez ci-dessous, à mesure</translation>
    </message>
    <message>
        <source>The captions</source>
        <translation>Les sous-titres</translation>
    </message>
    <message>
        <source>What is said, as the Captions page settles it</source>
        <translation>Ce qui est dit, dès que c’est définitif sur la page des sous-titres</translation>
    </message>
    <message>
        <source>Open a text…</source>
        <translation>Ouvrir un texte…</translation>
    </message>
    <message>
        <source>No model that translates was found. The Models page says where Braid looks for them.</source>
        <translation>Aucun modèle de traduction n’a été trouvé. La page « Modèles » dit où Braid les cherche.</translation>
    </message>
    <message>
        <source>Still looking for models. Try again in a moment.</source>
        <translation>La recherche de modèles continue. Réessayez dans un instant.</translation>
    </message>
    <message>
        <source>Finish at once, without translating what is left</source>
        <translation>Finir tout de suite, sans traduire le reste</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationController</name>
    <message>
        <source>Source: %1
Model: %2
%3</source>
        <translation>Source : %1
Modèle : %2
%3</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationControls</name>
    <message>
        <source>Method%1</source>
        <translation>Méthode%1</translation>
    </message>
    <message>
        <source>How source and translation share the model&apos;s memory</source>
        <translation>Comment source et traduction se partagent la mémoire du modèle</translation>
    </message>
    <message>
        <source>k, phi, catching up and chance (D). [ and ] read fewer and more ahead.</source>
        <translation>k, phi, rattrapage et hasard (D). [ et ] lisent moins et plus d’avance.</translation>
    </message>
    <message>
        <source>k, phi and catching up: %1</source>
        <translation>k, phi et rattrapage : %1</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationInspector</name>
    <message>
        <source>Scale</source>
        <translation>Échelle</translation>
    </message>
    <message>
        <source>What the darkest cell of the picture is</source>
        <translation>Ce que vaut la cellule la plus sombre de l’image</translation>
    </message>
    <message>
        <source>Leave out the first unit</source>
        <translation>Sans première unité</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>How it is drawn</source>
        <translation>Comment c’est dessiné</translation>
    </message>
    <message>
        <source>Each word by itself</source>
        <translation>Chaque mot à part</translation>
    </message>
    <message>
        <source>Each source unit by itself</source>
        <translation>Chaque unité de la source à part</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>Tel quel</translation>
    </message>
    <message>
        <source>The first unit often draws attention for no reason of its own</source>
        <translation>La première unité attire souvent l’attention sans raison propre</translation>
    </message>
    <message>
        <source>How strongly small weights show</source>
        <translation>Combien les petits poids ressortent</translation>
    </message>
    <message>
        <source>Left brings small weights out</source>
        <translation>À gauche, les petits poids ressortent</translation>
    </message>
    <message>
        <source>The orange line is what had been read. Attention shows where the model looked, not why it chose a word.</source>
        <translation>La ligne orange est ce qui avait été lu. L’attention montre où le modèle a regardé, non pourquoi il a choisi un mot.</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>Mot</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Quand</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>Durées</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>Ce que cela coûte</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>Inspecteur</translation>
    </message>
    <message>
        <source>Point at a word to see what the model looked at when it wrote it; click to keep it.</source>
        <translation>Pointez un mot pour voir ce que le modèle a regardé en l’écrivant ; cliquez pour le garder.</translation>
    </message>
    <message>
        <source>Newest word</source>
        <translation>Dernier mot</translation>
    </message>
    <message>
        <source>probability %1, %2 s behind</source>
        <translation>probabilité %L1, %L2 s de retard</translation>
    </message>
    <message>
        <source>read by the model</source>
        <translation>lu par le modèle</translation>
    </message>
    <message>
        <source>waits to be read</source>
        <translation>attend d’être lu</translation>
    </message>
    <message>
        <source>A unit of the source: it was given, not chosen.</source>
        <translation>Une unité de la source : elle était donnée, non choisie.</translation>
    </message>
    <message numerus="yes">
        <source>mean %1 s and %2 units behind, over %n word(s)</source>
        <translation>
            <numerusform>en moyenne %L1 s et %L2 unités de retard, sur %n mot</numerusform>
            <numerusform>en moyenne %L1 s et %L2 unités de retard, sur %n mots</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationPage</name>
    <message>
        <source>left side</source>
        <translation>côté gauche</translation>
    </message>
    <message>
        <source>Find in both languages</source>
        <translation>Rechercher dans les deux langues</translation>
    </message>
    <message>
        <source>Under the pointer</source>
        <translation>Sous le pointeur</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Épinglé</translation>
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
        <translation>Suit les sous-titres de %1 dès qu’ils sont définitifs.</translation>
    </message>
    <message>
        <source>Follows the captions. They are not running: start them, and what they settle is translated.</source>
        <translation>Suit les sous-titres. Ils ne tournent pas : démarrez-les, et ce qui devient définitif est traduit.</translation>
    </message>
    <message>
        <source>The captions are running. Press Start to translate them.</source>
        <translation>Les sous-titres tournent. Appuyez sur Démarrer pour les traduire.</translation>
    </message>
    <message>
        <source>Press Start here and on the Captions page: what is said there is translated here.</source>
        <translation>Appuyez sur Démarrer ici et sur la page des sous-titres : ce qui y est dit est traduit ici.</translation>
    </message>
    <message>
        <source>The translation will stand here</source>
        <translation>La traduction s’affichera ici</translation>
    </message>
    <message>
        <source>Type or paste below, or drop a text on this window. Words are translated while you go on.</source>
        <translation>Tapez ou collez ci-dessous, ou déposez un texte sur cette fenêtre. Les mots sont traduits pendant que vous continuez.</translation>
    </message>
    <message>
        <source>Start the captions, and press Space here.</source>
        <translation>Démarrez les sous-titres, et appuyez ici sur Espace.</translation>
    </message>
    <message>
        <source>Waiting for the first words</source>
        <translation>Attend les premiers mots</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Démarrage…</translation>
    </message>
    <message>
        <source>What you give meanwhile is kept and translated afterwards.</source>
        <translation>Ce que vous donnez entre-temps est gardé et traduit ensuite.</translation>
    </message>
    <message>
        <source>not usable</source>
        <translation>inutilisable</translation>
    </message>
    <message>
        <source>typed text</source>
        <translation>texte saisi</translation>
    </message>
    <message>
        <source>This text is longer than 8 million letters. Cut it into parts and give them one after the other.</source>
        <translation>Ce texte dépasse 8 millions de caractères. Coupez-le et donnez les parties l’une après l’autre.</translation>
    </message>
    <message>
        <source>captions</source>
        <translation>sous-titres</translation>
    </message>
    <message>
        <source>This build of Braid has no models: translation needs libtorch.</source>
        <translation>Cette version de Braid n’a pas de modèles : la traduction a besoin de libtorch.</translation>
    </message>
    <message>
        <source>right side</source>
        <translation>côté droit</translation>
    </message>
    <message>
        <source>, right side</source>
        <translation>, côté droit</translation>
    </message>
    <message>
        <source>Open texts</source>
        <translation>Ouvrir des textes</translation>
    </message>
    <message>
        <source>Text (*.txt *.md *.text)</source>
        <translation>Texte (*.txt *.md *.text)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Tous les fichiers (*)</translation>
    </message>
    <message>
        <source>There is no translation to save yet.</source>
        <translation>Il n’y a pas encore de traduction à enregistrer.</translation>
    </message>
    <message>
        <source>Save the translation</source>
        <translation>Enregistrer la traduction</translation>
    </message>
    <message>
        <source>translation.txt</source>
        <translation>traduction.txt</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationPanel</name>
    <message>
        <source>Read whole sentences</source>
        <translation>Lire des phrases entières</translation>
    </message>
    <message>
        <source>How it reads and writes</source>
        <translation>Lecture et écriture</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>Catch up</source>
        <translation>Rattrapage</translation>
    </message>
    <message>
        <source>φ (phi)</source>
        <translation>φ (phi)</translation>
    </message>
    <message>
        <source>Chance</source>
        <translation>Hasard</translation>
    </message>
    <message>
        <source>Units of the source read before the first word is written. Fewer is sooner, more errs less. Holds at once.</source>
        <translation>Unités de la source lues avant d’écrire le premier mot. Moins : plus tôt ; plus : moins d’erreurs. Effet immédiat.</translation>
    </message>
    <message>
        <source>When more units than this wait, all are read in one go. 0 never does.</source>
        <translation>Quand plus d’unités que cela attendent, toutes sont lues d’un coup. 0 : jamais.</translation>
    </message>
    <message>
        <source>Temperature of the choice among words; 0 always takes the most probable. From the next sentence on.</source>
        <translation>Liberté du choix parmi les mots ; 0 prend toujours le plus probable. Dès la phrase suivante.</translation>
    </message>
    <message>
        <source>Where the translation&apos;s positions begin; fractions too. From the next sentence on.</source>
        <translation>Où commencent les positions de la traduction ; fractions aussi. Dès la phrase suivante.</translation>
    </message>
    <message>
        <source>Only group streaming gives the translation positions of its own.</source>
        <translation>Seule la méthode « Groupes » donne à la traduction ses propres positions.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationSide</name>
    <message>
        <source>Source and translation, %1</source>
        <translation>Source et traduction, %1</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Vitesse</translation>
    </message>
    <message>
        <source>Tokens written a second inside the model; tokens that went through it for those written.
Methods that re-encode feed the same tokens again and again.</source>
        <translation>Jetons écrits par seconde dans le modèle ; jetons passés par lui pour les écrire.
Les méthodes qui recalculent repassent sans cesse les mêmes jetons.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationStatus</name>
    <message>
        <source>Whether it translates</source>
        <translation>Si l’on traduit</translation>
    </message>
    <message>
        <source>waiting for more source</source>
        <translation>attend la suite</translation>
    </message>
    <message>
        <source>Words read and written</source>
        <translation>Mots lus et écrits</translation>
    </message>
    <message>
        <source>read %1, written %2 words</source>
        <translation>%1 lus, %2 mots écrits</translation>
    </message>
    <message>
        <source>Lag</source>
        <translation>Retard</translation>
    </message>
    <message>
        <source>How far the newest word was behind the source unit of the same number, and how many units ahead had been read on average.</source>
        <translation>Le retard du dernier mot sur l’unité de même rang dans la source, et combien d’unités étaient lues d’avance en moyenne.</translation>
    </message>
    <message>
        <source>lag %1 s, mean %2 units</source>
        <translation>retard %L1 s, %L2 unités en moyenne</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Vitesse</translation>
    </message>
    <message>
        <source>Tokens written for a second inside the model</source>
        <translation>Jetons écrits par seconde dans le modèle</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%L1 jetons/s</translation>
    </message>
</context>
<context>
    <name>braid::ui::Tray</name>
    <message>
        <source>Start</source>
        <translation>Démarrer</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Incrustation</translation>
    </message>
    <message>
        <source>Show the window</source>
        <translation>Afficher la fenêtre</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Quitter</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Arrêter</translation>
    </message>
</context>
<context>
    <name>braid::ui::TuningControls</name>
    <message>
        <source>Method</source>
        <translation>Méthode</translation>
    </message>
    <message>
        <source>When words count as settled</source>
        <translation>Quand les mots sont tenus pour définitifs</translation>
    </message>
    <message>
        <source>Fine-tuning (D). [ and ] make the pieces of sound shorter and longer.</source>
        <translation>Réglages fins (D). [ et ] raccourcissent et allongent les morceaux de son.</translation>
    </message>
    <message>
        <source>Fine-tuning: %1</source>
        <translation>Réglages fins : %1</translation>
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
        <translation>Comme le modèle préfère</translation>
    </message>
    <message>
        <source>Fine-tuning</source>
        <translation>Réglages fins</translation>
    </message>
    <message>
        <source>Piece of sound</source>
        <translation>Morceau de son</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>Piece of sound as the model likes it</source>
        <translation>Morceau de son, comme le modèle préfère</translation>
    </message>
    <message>
        <source>Readings</source>
        <translation>Lectures</translation>
    </message>
    <message>
        <source>May take back</source>
        <translation>Peut reprendre</translation>
    </message>
    <message>
        <source>How much new sound is awaited each time. Shorter pieces answer sooner, longer ones err less.</source>
        <translation>Combien de son nouveau est attendu chaque fois. Des morceaux courts répondent plus tôt, des longs se trompent moins.</translation>
    </message>
    <message>
        <source>How much new sound is awaited each time. This model was made for %1&#xa0;ms alone.</source>
        <translation>Combien de son nouveau est attendu chaque fois. Ce modèle n’est conçu que pour %1 ms.</translation>
    </message>
    <message>
        <source>%1 The first takes %2&#xa0;ms or more.</source>
        <translation>%1 Le premier demande %2 ms ou plus.</translation>
    </message>
    <message>
        <source>How many readings of the sound are kept side by side. More cost more, and err a little less.</source>
        <translation>Combien de lectures du son sont suivies côte à côte. Plus coûte plus, et se trompe un peu moins.</translation>
    </message>
    <message>
        <source>Only where words stream: this method makes one reading.</source>
        <translation>Seulement en écoute continue : cette méthode suit une seule lecture.</translation>
    </message>
    <message>
        <source>How many of the newest pieces of words may still be taken back. 0 settles at once, more revise more.</source>
        <translation>Combien des derniers morceaux de mots peuvent encore être repris. 0 fixe tout de suite, plus révise plus.</translation>
    </message>
    <message>
        <source>Only where words stream: this method settles in its own way.</source>
        <translation>Seulement en écoute continue : cette méthode fixe les mots à sa manière.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TypingField</name>
    <message>
        <source>Words for the stream</source>
        <translation>Mots pour le flux</translation>
    </message>
    <message>
        <source>Type: each word enters as you press Space, Enter ends your turn</source>
        <translation>Tapez : chaque mot entre à l’appui sur Espace, Entrée finit votre tour</translation>
    </message>
    <message>
        <source>Type, then press Enter</source>
        <translation>Tapez, puis appuyez sur Entrée</translation>
    </message>
    <message>
        <source>Every word enters the stream with the space behind it. Enter ends your turn, Control and Enter cut in.</source>
        <translation>Chaque mot entre dans le flux avec l’espace qui le suit. Entrée finit votre tour, Ctrl et Entrée coupent la parole.</translation>
    </message>
    <message>
        <source>Enter sends the line and ends your turn, Control and Enter cut in.</source>
        <translation>Entrée envoie la ligne et finit votre tour, Ctrl et Entrée coupent la parole.</translation>
    </message>
</context>
<context>
    <name>braid::ui::TypingLine</name>
    <message>
        <source>Stream</source>
        <translation>Flux</translation>
    </message>
    <message>
        <source>The stream that your words enter</source>
        <translation>Le flux où entrent vos mots</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>Abandonner</translation>
    </message>
    <message>
        <source>End turn</source>
        <translation>Fin du tour</translation>
    </message>
    <message>
        <source>When words enter</source>
        <translation>Entrée des mots</translation>
    </message>
    <message>
        <source>When words leave the line</source>
        <translation>Quand les mots quittent la ligne</translation>
    </message>
    <message>
        <source>Voice</source>
        <translation>Voix</translation>
    </message>
    <message>
        <source>Follow the captions</source>
        <translation>Suivre les sous-titres</translation>
    </message>
    <message>
        <source>What the Captions page hears enters this stream as it settles; a pause ends the turn</source>
        <translation>Ce qu’entend la page des sous-titres entre dans ce flux dès que c’est définitif ; une pause finit le tour</translation>
    </message>
    <message>
        <source>As I type</source>
        <translation>À la frappe</translation>
    </message>
    <message>
        <source>With Enter</source>
        <translation>Avec Entrée</translation>
    </message>
    <message>
        <source>Words that wait to enter</source>
        <translation>Mots qui attendent d’entrer</translation>
    </message>
    <message>
        <source>Drop the words that wait</source>
        <translation>Abandonner les mots en attente</translation>
    </message>
    <message>
        <source>End your turn</source>
        <translation>Finir votre tour</translation>
    </message>
    <message>
        <source>Your words are over: whoever waits for that begins (Enter)</source>
        <translation>Vous avez fini : qui attendait cela commence (Entrée)</translation>
    </message>
    <message>
        <source>Words for the stream</source>
        <translation>Mots pour le flux</translation>
    </message>
    <message>
        <source>Words for %1</source>
        <translation>Mots pour %1</translation>
    </message>
    <message>
        <source>Type; Enter ends your turn</source>
        <translation>Tapez ; Entrée finit votre tour</translation>
    </message>
    <message>
        <source>Type, then Enter</source>
        <translation>Tapez, puis Entrée</translation>
    </message>
    <message numerus="yes">
        <source>%Ln word(s) wait</source>
        <translation>
            <numerusform>%Ln mot attend</numerusform>
            <numerusform>%Ln mots attendent</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::WelcomeCard</name>
    <message>
        <source>Braid writes down what is said while it is said: by you, by this computer, in recordings. Below: one that comes with it.</source>
        <translation>Braid écrit ce qui est dit pendant qu’on le dit : par vous, par cet ordinateur, dans des enregistrements. Ci-dessous : celui qui est fourni.</translation>
    </message>
    <message>
        <source>Sound stays on this machine, and nothing is kept of it.</source>
        <translation>Le son reste sur cet ordinateur, et rien n’en est conservé.</translation>
    </message>
    <message>
        <source>Sound stays on this machine. Words and sound are kept in %1, unless you want none kept.</source>
        <translation>Le son reste sur cet ordinateur. Mots et son sont conservés dans %1, sauf si vous le refusez.</translation>
    </message>
    <message>
        <source>The model in the box is good for clear English; for other languages, accents and noise there are better ones.</source>
        <translation>Le modèle fourni est bon pour un anglais clair ; pour d’autres langues, des accents et du bruit, il en existe de meilleurs.</translation>
    </message>
    <message>
        <source>Welcome to Braid</source>
        <translation>Bienvenue dans Braid</translation>
    </message>
    <message>
        <source>Use my microphone</source>
        <translation>Utiliser mon micro</translation>
    </message>
    <message>
        <source>Get a better model…</source>
        <translation>Obtenir un meilleur modèle…</translation>
    </message>
    <message>
        <source>Keep sessions</source>
        <translation>Conserver les sessions</translation>
    </message>
    <message>
        <source>Also in Settings, at any time</source>
        <translation>Aussi dans les réglages, à tout moment</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Fermer</translation>
    </message>
</context>
<context>
    <name>braid::ui::WordCard</name>
    <message>
        <source>%1
corrected; heard as “%2”</source>
        <translation>%1
corrigé ; entendu « %2 »</translation>
    </message>
</context>
<context>
    <name>braid::ui::WordEditor</name>
    <message>
        <source>Correct the words</source>
        <translation>Corriger les mots</translation>
    </message>
    <message>
        <source>Enter keeps the correction, Escape leaves the words as they were. Nothing in the field strikes them out.</source>
        <translation>Entrée garde la correction, Échap laisse les mots tels quels. Un champ vide les supprime.</translation>
    </message>
</context>
<context>
    <name>braid::ui::WordListEditor</name>
    <message>
        <source>An entry a line: what is heard, an arrow, and how it is written. Words with * before them are written with asterisks. It holds for words that are still to come.</source>
        <translation>Une entrée par ligne : ce qui est entendu, une flèche, et comment cela s’écrit. Les mots précédés de * s’écrivent avec des astérisques. Cela vaut pour les mots à venir.</translation>
    </message>
    <message>
        <source>Words that are written so</source>
        <translation>Mots qui s’écrivent ainsi</translation>
    </message>
    <message>
        <source>Nothing of this list holds: %1</source>
        <translation>Rien de cette liste n’est appliqué : %1</translation>
    </message>
</context>
<context>
    <name>core</name>
    <message>
        <source>Recommended</source>
        <translation>Recommandé</translation>
    </message>
    <message>
        <source>Chosen for the model: Streaming where it was made for that, Language model where it is one, else Quick</source>
        <translation>Selon le modèle : Continu s’il est conçu pour cela, Modèle de langue si c’en est un, sinon Rapide</translation>
    </message>
    <message>
        <source>Streaming</source>
        <translation>Continu</translation>
    </message>
    <message>
        <source>Every sound is looked at once; the newest pieces of words may still be taken back (CarelessWhisper)</source>
        <translation>Chaque son est regardé une fois ; les derniers morceaux de mots peuvent encore être repris (CarelessWhisper)</translation>
    </message>
    <message>
        <source>Careful</source>
        <translation>Prudent</translation>
    </message>
    <message>
        <source>A word is settled when two looks in a row agree on it (LocalAgreement)</source>
        <translation>Un mot est définitif quand deux examens de suite s’accordent (LocalAgreement)</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>Rapide</translation>
    </message>
    <message>
        <source>A word is settled when the model did not look at the very end of the sound for it (AlignAtt)</source>
        <translation>Un mot est définitif quand le modèle n’a pas regardé la toute fin du son pour lui (AlignAtt)</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Modèle de langue</translation>
    </message>
    <message>
        <source>A language model that listens, a stretch of speech at a time; what it wrote is settled at once (wait-k)</source>
        <translation>Un modèle de langue qui écoute, un passage après l’autre ; ce qu’il a écrit est aussitôt définitif (wait-k)</translation>
    </message>
    <message>
        <source>Group streaming</source>
        <translation>Groupes</translation>
    </message>
    <message>
        <source>Source and target count their own positions: nothing is ever computed again</source>
        <translation>Source et traduction comptent leurs propres positions : rien n’est jamais recalculé</translation>
    </message>
    <message>
        <source>Re-encode all</source>
        <translation>Tout recalculer</translation>
    </message>
    <message>
        <source>After every read all that was written is fed again: what group streaming saves</source>
        <translation>Après chaque lecture, tout ce qui est écrit repasse par le modèle : ce qu’évite « Groupes »</translation>
    </message>
    <message>
        <source>Re-encode positions</source>
        <translation>Recalculer les positions</translation>
    </message>
    <message>
        <source>After every read the written tokens move to new positions</source>
        <translation>Après chaque lecture, les jetons écrits changent de position</translation>
    </message>
    <message>
        <source>No re-encoding</source>
        <translation>Sans recalcul</translation>
    </message>
    <message>
        <source>Positions by arrival; the source does not see the target</source>
        <translation>Positions selon l’arrivée ; la source ne voit pas la traduction</translation>
    </message>
    <message>
        <source>Interleaved</source>
        <translation>En alternance</translation>
    </message>
    <message>
        <source>Source and target in one row, as they come</source>
        <translation>Source et traduction en une seule rangée, comme elles viennent</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>D’un bloc</translation>
    </message>
    <message>
        <source>Reads the whole sentence, then writes</source>
        <translation>Lit la phrase entière, puis écrit</translation>
    </message>
    <message>
        <source>opening the source</source>
        <translation>ouvre la source</translation>
    </message>
    <message>
        <source>listening</source>
        <translation>à l’écoute</translation>
    </message>
    <message>
        <source>captioning what was heard</source>
        <translation>sous-titre ce qui a été entendu</translation>
    </message>
    <message>
        <source>waiting for more source</source>
        <translation>attend la suite</translation>
    </message>
    <message>
        <source>translating</source>
        <translation>traduit</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>terminé</translation>
    </message>
    <message>
        <source>the computer could not keep up</source>
        <translation>l’ordinateur n’a pas suivi</translation>
    </message>
    <message>
        <source>Streaming Whisper</source>
        <translation>Whisper continu</translation>
    </message>
    <message>
        <source>Language model that listens</source>
        <translation>Modèle de langue qui écoute</translation>
    </message>
    <message>
        <source>loading %1</source>
        <translation>charge %1</translation>
    </message>
    <message>
        <source>changing the method of %1</source>
        <translation>change la méthode de %1</translation>
    </message>
    <message>
        <source>%1 parameters</source>
        <translation>%1 paramètres</translation>
    </message>
    <message>
        <source>%1 languages</source>
        <translation>%1 langues</translation>
    </message>
    <message>
        <source>%1 tokens a step</source>
        <translation>%1 jetons par étape</translation>
    </message>
    <message>
        <source>%1 streams</source>
        <translation>%1 flux</translation>
    </message>
    <message>
        <source>The smallest; any language roughly, on any machine.</source>
        <translation>Le plus petit ; toute langue approximativement, sur tout ordinateur.</translation>
    </message>
    <message>
        <source>The smallest for English alone.</source>
        <translation>Le plus petit pour l’anglais seul.</translation>
    </message>
    <message>
        <source>Small and quick, any language.</source>
        <translation>Petit et rapide, toute langue.</translation>
    </message>
    <message>
        <source>Small and quick, English alone.</source>
        <translation>Petit et rapide, anglais seul.</translation>
    </message>
    <message>
        <source>Good captions of the larger languages on an ordinary machine.</source>
        <translation>De bons sous-titres des grandes langues sur un ordinateur ordinaire.</translation>
    </message>
    <message>
        <source>Good English captions on an ordinary machine.</source>
        <translation>De bons sous-titres anglais sur un ordinateur ordinaire.</translation>
    </message>
    <message>
        <source>Better in any language; wants a fast machine or a GPU to keep up live.</source>
        <translation>Meilleur en toute langue ; il faut un ordinateur rapide ou une carte graphique pour suivre en direct.</translation>
    </message>
    <message>
        <source>Better English; wants a fast machine or a GPU to keep up live.</source>
        <translation>Meilleur en anglais ; il faut un ordinateur rapide ou une carte graphique pour suivre en direct.</translation>
    </message>
    <message>
        <source>The best in most languages; wants a GPU to keep up live.</source>
        <translation>Le meilleur dans la plupart des langues ; il faut une carte graphique pour suivre en direct.</translation>
    </message>
    <message>
        <source>Nearly large-v3 with a short decoder, several times as fast; it was not made for translating.</source>
        <translation>Presque large-v3 avec un décodeur court, plusieurs fois plus rapide ; il n’est pas conçu pour traduire.</translation>
    </message>
    <message>
        <source>English; a short decoder makes it quicker than small.en.</source>
        <translation>Anglais ; un décodeur court le rend plus rapide que small.en.</translation>
    </message>
    <message>
        <source>Made for live captions in chunks of 300 ms; English. Its makers state no licence for the weights.</source>
        <translation>Conçu pour le direct par morceaux de 300 ms ; anglais. Ses auteurs n’indiquent pas de licence pour les poids.</translation>
    </message>
    <message>
        <source>Made for live captions in chunks of 300 ms; English, better than base. Its makers state no licence for the weights.</source>
        <translation>Conçu pour le direct par morceaux de 300 ms ; anglais, meilleur que base. Ses auteurs n’indiquent pas de licence pour les poids.</translation>
    </message>
    <message>
        <source>Translates as it is told and runs parallel streams; small and rough. It knows more languages than are listed.</source>
        <translation>Traduit sur consigne et fait tourner des flux parallèles ; petit et approximatif. Il connaît plus de langues que celles listées.</translation>
    </message>
    <message>
        <source>Translates as it is told and runs parallel streams; better than 0.5B. It knows more languages than are listed.</source>
        <translation>Traduit sur consigne et fait tourner des flux parallèles ; meilleur que 0.5B. Il connaît plus de langues que celles listées.</translation>
    </message>
    <message>
        <source>Follows instructions in about a hundred languages; small.</source>
        <translation>Suit des consignes dans une centaine de langues ; petit.</translation>
    </message>
    <message>
        <source>Follows instructions in about a hundred languages; better than 0.6B.</source>
        <translation>Suit des consignes dans une centaine de langues ; meilleur que 0.6B.</translation>
    </message>
    <message>
        <source>Write it as &quot;lib torch -&gt; libtorch&quot;, or as &quot;* word&quot; to mask a word</source>
        <translation>Écrivez « lib torch -&gt; libtorch », ou « * mot » pour masquer un mot</translation>
    </message>
    <message>
        <source>Save the list as UTF-8</source>
        <translation>Enregistrez la liste en UTF-8</translation>
    </message>
    <message>
        <source>An entry has at most 8 words and 200 bytes a side</source>
        <translation>Une entrée a au plus 8 mots et 200 octets par côté</translation>
    </message>
    <message>
        <source>A list has at most 20000 entries</source>
        <translation>Une liste a au plus 20000 entrées</translation>
    </message>
    <message>
        <source>line %1 says nothing to write</source>
        <translation>la ligne %1 ne dit pas quoi écrire</translation>
    </message>
    <message>
        <source>line %1 has a side without words</source>
        <translation>la ligne %1 a un côté sans mots</translation>
    </message>
    <message>
        <source>line %1 is too long</source>
        <translation>la ligne %1 est trop longue</translation>
    </message>
    <message>
        <source>line %1 is not UTF-8 text</source>
        <translation>la ligne %1 n’est pas du texte UTF-8</translation>
    </message>
    <message>
        <source>line %1 is one too many</source>
        <translation>la ligne %1 est de trop</translation>
    </message>
</context>
<context>
    <name>language</name>
    <message>
        <source>English</source>
        <translation>Anglais</translation>
    </message>
    <message>
        <source>Chinese</source>
        <translation>Chinois</translation>
    </message>
    <message>
        <source>German</source>
        <translation>Allemand</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>Espagnol</translation>
    </message>
    <message>
        <source>Russian</source>
        <translation>Russe</translation>
    </message>
    <message>
        <source>Korean</source>
        <translation>Coréen</translation>
    </message>
    <message>
        <source>French</source>
        <translation>Français</translation>
    </message>
    <message>
        <source>Japanese</source>
        <translation>Japonais</translation>
    </message>
    <message>
        <source>Portuguese</source>
        <translation>Portugais</translation>
    </message>
    <message>
        <source>Turkish</source>
        <translation>Turc</translation>
    </message>
    <message>
        <source>Polish</source>
        <translation>Polonais</translation>
    </message>
    <message>
        <source>Catalan</source>
        <translation>Catalan</translation>
    </message>
    <message>
        <source>Dutch</source>
        <translation>Néerlandais</translation>
    </message>
    <message>
        <source>Arabic</source>
        <translation>Arabe</translation>
    </message>
    <message>
        <source>Swedish</source>
        <translation>Suédois</translation>
    </message>
    <message>
        <source>Italian</source>
        <translation>Italien</translation>
    </message>
    <message>
        <source>Indonesian</source>
        <translation>Indonésien</translation>
    </message>
    <message>
        <source>Hindi</source>
        <translation>Hindi</translation>
    </message>
    <message>
        <source>Finnish</source>
        <translation>Finnois</translation>
    </message>
    <message>
        <source>Vietnamese</source>
        <translation>Vietnamien</translation>
    </message>
    <message>
        <source>Hebrew</source>
        <translation>Hébreu</translation>
    </message>
    <message>
        <source>Ukrainian</source>
        <translation>Ukrainien</translation>
    </message>
    <message>
        <source>Greek</source>
        <translation>Grec</translation>
    </message>
    <message>
        <source>Malay</source>
        <translation>Malais</translation>
    </message>
    <message>
        <source>Czech</source>
        <translation>Tchèque</translation>
    </message>
    <message>
        <source>Romanian</source>
        <translation>Roumain</translation>
    </message>
    <message>
        <source>Danish</source>
        <translation>Danois</translation>
    </message>
    <message>
        <source>Hungarian</source>
        <translation>Hongrois</translation>
    </message>
    <message>
        <source>Tamil</source>
        <translation>Tamoul</translation>
    </message>
    <message>
        <source>Norwegian</source>
        <translation>Norvégien</translation>
    </message>
    <message>
        <source>Thai</source>
        <translation>Thaï</translation>
    </message>
    <message>
        <source>Urdu</source>
        <translation>Ourdou</translation>
    </message>
    <message>
        <source>Croatian</source>
        <translation>Croate</translation>
    </message>
    <message>
        <source>Bulgarian</source>
        <translation>Bulgare</translation>
    </message>
    <message>
        <source>Lithuanian</source>
        <translation>Lituanien</translation>
    </message>
    <message>
        <source>Latin</source>
        <translation>Latin</translation>
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
        <translation>Gallois</translation>
    </message>
    <message>
        <source>Slovak</source>
        <translation>Slovaque</translation>
    </message>
    <message>
        <source>Telugu</source>
        <translation>Télougou</translation>
    </message>
    <message>
        <source>Persian</source>
        <translation>Persan</translation>
    </message>
    <message>
        <source>Latvian</source>
        <translation>Letton</translation>
    </message>
    <message>
        <source>Bengali</source>
        <translation>Bengali</translation>
    </message>
    <message>
        <source>Serbian</source>
        <translation>Serbe</translation>
    </message>
    <message>
        <source>Azerbaijani</source>
        <translation>Azéri</translation>
    </message>
    <message>
        <source>Slovenian</source>
        <translation>Slovène</translation>
    </message>
    <message>
        <source>Kannada</source>
        <translation>Kannada</translation>
    </message>
    <message>
        <source>Estonian</source>
        <translation>Estonien</translation>
    </message>
    <message>
        <source>Macedonian</source>
        <translation>Macédonien</translation>
    </message>
    <message>
        <source>Breton</source>
        <translation>Breton</translation>
    </message>
    <message>
        <source>Basque</source>
        <translation>Basque</translation>
    </message>
    <message>
        <source>Icelandic</source>
        <translation>Islandais</translation>
    </message>
    <message>
        <source>Armenian</source>
        <translation>Arménien</translation>
    </message>
    <message>
        <source>Nepali</source>
        <translation>Népalais</translation>
    </message>
    <message>
        <source>Mongolian</source>
        <translation>Mongol</translation>
    </message>
    <message>
        <source>Bosnian</source>
        <translation>Bosniaque</translation>
    </message>
    <message>
        <source>Kazakh</source>
        <translation>Kazakh</translation>
    </message>
    <message>
        <source>Albanian</source>
        <translation>Albanais</translation>
    </message>
    <message>
        <source>Swahili</source>
        <translation>Swahili</translation>
    </message>
    <message>
        <source>Galician</source>
        <translation>Galicien</translation>
    </message>
    <message>
        <source>Marathi</source>
        <translation>Marathi</translation>
    </message>
    <message>
        <source>Punjabi</source>
        <translation>Pendjabi</translation>
    </message>
    <message>
        <source>Sinhala</source>
        <translation>Cingalais</translation>
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
        <translation>Occitan</translation>
    </message>
    <message>
        <source>Georgian</source>
        <translation>Géorgien</translation>
    </message>
    <message>
        <source>Belarusian</source>
        <translation>Biélorusse</translation>
    </message>
    <message>
        <source>Tajik</source>
        <translation>Tadjik</translation>
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
        <translation>Amharique</translation>
    </message>
    <message>
        <source>Yiddish</source>
        <translation>Yiddish</translation>
    </message>
    <message>
        <source>Lao</source>
        <translation>Lao</translation>
    </message>
    <message>
        <source>Uzbek</source>
        <translation>Ouzbek</translation>
    </message>
    <message>
        <source>Faroese</source>
        <translation>Féroïen</translation>
    </message>
    <message>
        <source>Haitian Creole</source>
        <translation>Créole haïtien</translation>
    </message>
    <message>
        <source>Pashto</source>
        <translation>Pachto</translation>
    </message>
    <message>
        <source>Turkmen</source>
        <translation>Turkmène</translation>
    </message>
    <message>
        <source>Nynorsk</source>
        <translation>Nynorsk</translation>
    </message>
    <message>
        <source>Maltese</source>
        <translation>Maltais</translation>
    </message>
    <message>
        <source>Sanskrit</source>
        <translation>Sanskrit</translation>
    </message>
    <message>
        <source>Luxembourgish</source>
        <translation>Luxembourgeois</translation>
    </message>
    <message>
        <source>Myanmar</source>
        <translation>Birman</translation>
    </message>
    <message>
        <source>Tibetan</source>
        <translation>Tibétain</translation>
    </message>
    <message>
        <source>Tagalog</source>
        <translation>Tagalog</translation>
    </message>
    <message>
        <source>Malagasy</source>
        <translation>Malgache</translation>
    </message>
    <message>
        <source>Assamese</source>
        <translation>Assamais</translation>
    </message>
    <message>
        <source>Tatar</source>
        <translation>Tatar</translation>
    </message>
    <message>
        <source>Hawaiian</source>
        <translation>Hawaïen</translation>
    </message>
    <message>
        <source>Lingala</source>
        <translation>Lingala</translation>
    </message>
    <message>
        <source>Hausa</source>
        <translation>Haoussa</translation>
    </message>
    <message>
        <source>Bashkir</source>
        <translation>Bachkir</translation>
    </message>
    <message>
        <source>Javanese</source>
        <translation>Javanais</translation>
    </message>
    <message>
        <source>Sundanese</source>
        <translation>Soundanais</translation>
    </message>
    <message>
        <source>Cantonese</source>
        <translation>Cantonais</translation>
    </message>
</context>
</TS>
