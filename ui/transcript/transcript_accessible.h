// What screen readers are told about the transcript: settled lines, once each; the word under the keyboard cursor. Never the tail.
// (Qt 6.4 has no announcement event: a text insertion of the settled line is what readers speak.)
#pragma once

#include <QAccessibleWidget>

#include "core/text/transcript.h"

namespace braid::ui {

class TranscriptView;

// Registers the interface for TranscriptView; call once per process before a window is shown.
void installTranscriptAccessibility();
void announceSettledLine(TranscriptView *view, const QString &line);
void announceWord(TranscriptView *view, const text::Word &word);

}  // namespace braid::ui
