<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message numerus="yes">
        <source>%n word(s)</source>
        <translation>
            <numerusform>%n word</numerusform>
            <numerusform>%n words</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n reading(s)</source>
        <translation>
            <numerusform>%1, %n reading</numerusform>
            <numerusform>%1, %n readings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s) of %1</source>
        <translation>
            <numerusform>%n step of %1</numerusform>
            <numerusform>%n steps of %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n decoder pass(es), RTF %1</source>
        <translation>
            <numerusform>%n decoder pass, RTF %1</numerusform>
            <numerusform>%n decoder passes, RTF %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pass(es) of the decoder</source>
        <translation>
            <numerusform>%n pass of the decoder</numerusform>
            <numerusform>%n passes of the decoder</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more language(s)</source>
        <translation>
            <numerusform>%1 and %n more language</numerusform>
            <numerusform>%1 and %n more languages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n second(s)</source>
        <translation>
            <numerusform>%n second</numerusform>
            <numerusform>%n seconds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s)</source>
        <translation>
            <numerusform>%n minute</numerusform>
            <numerusform>%n minutes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n session(s) were interrupted, the last of %1. Their words and their sound are kept; all are under History.</source>
        <translation>
            <numerusform>%n session was interrupted, the last of %1. Its words and its sound are kept; it is under History.</numerusform>
            <numerusform>%n sessions were interrupted, the last of %1. Their words and their sound are kept; all are under History.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n conversation(s) were interrupted, the last of %1. What was said is kept.</source>
        <translation>
            <numerusform>%n conversation was interrupted, the last of %1. What was said is kept.</numerusform>
            <numerusform>%n conversations were interrupted, the last of %1. What was said is kept.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n translation(s) were interrupted, the last of %1. Their words are kept.</source>
        <translation>
            <numerusform>%n translation was interrupted, the last of %1. Its words are kept.</numerusform>
            <numerusform>%n translations were interrupted, the last of %1. Their words are kept.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>changed %n time(s)</source>
        <translation>
            <numerusform>changed once</numerusform>
            <numerusform>changed %n times</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n change(s) in all</source>
        <translation>
            <numerusform>%n change in all</numerusform>
            <numerusform>%n changes in all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), %1 s</source>
        <translation>
            <numerusform>%n step, %1 s</numerusform>
            <numerusform>%n steps, %1 s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more sentence(s) wait</source>
        <translation>
            <numerusform>One more sentence waits</numerusform>
            <numerusform>%n more sentences wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unit(s) ahead had been read</source>
        <translation>
            <numerusform>one unit ahead had been read</numerusform>
            <numerusform>%n units ahead had been read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Written after %n unit(s) had been read.</source>
        <translation>
            <numerusform>Written after one unit had been read.</numerusform>
            <numerusform>Written after %n units had been read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n core(s)</source>
        <translation>
            <numerusform>%1, %n core</numerusform>
            <numerusform>%1, %n cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::BilingualView</name>
    <message numerus="yes">
        <source>%n new sentence(s)</source>
        <translation>
            <numerusform>one new sentence</numerusform>
            <numerusform>%n new sentences</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::CaptionsPage</name>
    <message numerus="yes">
        <source>%n recording(s) wait until you stop listening. What was said until then is kept.</source>
        <translation>
            <numerusform>%n recording waits until you stop listening. What was said until then is kept.</numerusform>
            <numerusform>%n recordings wait until you stop listening. What was said until then is kept.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Saved %n file(s) in %1.</source>
        <translation>
            <numerusform>Saved %n file in %1.</numerusform>
            <numerusform>Saved %n files in %1.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::ChoicesRow</name>
    <message numerus="yes">
        <source>%1, %2 Hz, %n channel(s)</source>
        <translation>
            <numerusform>%1, %2 Hz, %n channel</numerusform>
            <numerusform>%1, %2 Hz, %n channels</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::ComparePage</name>
    <message numerus="yes">
        <source>They differ in %n place(s), underlined.</source>
        <translation>
            <numerusform>They differ in %n place, underlined.</numerusform>
            <numerusform>They differ in %n places, underlined.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::LanesView</name>
    <message numerus="yes">
        <source>Go on from step %1: %n taken back</source>
        <translation>
            <numerusform>Go on from step %1: %n taken back</numerusform>
            <numerusform>Go on from step %1: %n taken back</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsPage</name>
    <message numerus="yes">
        <source>%Ln wait</source>
        <translation>
            <numerusform>%Ln waits</numerusform>
            <numerusform>%Ln wait</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>ended, %Ln word(s)</source>
        <translation>
            <numerusform>ended, %Ln word</numerusform>
            <numerusform>ended, %Ln words</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln word(s)</source>
        <translation>
            <numerusform>%Ln word</numerusform>
            <numerusform>%Ln words</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::StreamsRun</name>
    <message numerus="yes">
        <source>Back at step %1; %n step(s) were taken back. Type other words and it goes on with them, or press Space to go on without.</source>
        <translation>
            <numerusform>Back at step %1; one step was taken back. Type other words and it goes on with them, or press Space to go on without.</numerusform>
            <numerusform>Back at step %1; %n steps were taken back. Type other words and it goes on with them, or press Space to go on without.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::TranscriptView</name>
    <message numerus="yes">
        <source>%n new line(s)</source>
        <translation>
            <numerusform>%n new line</numerusform>
            <numerusform>%n new lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::TranslationInspector</name>
    <message numerus="yes">
        <source>mean %1 s and %2 units behind, over %n word(s)</source>
        <translation>
            <numerusform>mean %1 s and %2 units behind, over %n word</numerusform>
            <numerusform>mean %1 s and %2 units behind, over %n words</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>braid::ui::TypingLine</name>
    <message numerus="yes">
        <source>%Ln word(s) wait</source>
        <translation>
            <numerusform>%Ln word waits</numerusform>
            <numerusform>%Ln words wait</numerusform>
        </translation>
    </message>
</context>
</TS>
