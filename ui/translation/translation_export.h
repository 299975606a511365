// Saving a translation: the kind of file follows from its ending (docs/formats.md). Errors: braid::Error.
#pragma once

#include <filesystem>
#include <string>

#include <QStringList>

#include "core/text/transcript.h"
#include "core/translation/translation_journal.h"
#include "ui/translation/bilingual_text.h"

namespace braid::ui {

// Puts what a journal kept behind what `text` holds, as a run that is over.
void appendRecovered(BilingualText &text, const translation::RecoveredTranslation &translation);

// For file dialogs: "Translation (*.txt)", "Both languages, side by side (*.tsv)", ...
[[nodiscard]] QStringList translationFilters();

// Whether any of its source was said: then it has times.
[[nodiscard]] bool hasTimes(const BilingualText &text);
// The translation as a transcript: a sentence's words share the time in which its source was said, each as long as its letters.
[[nodiscard]] text::Transcript timedTranslation(const BilingualText &text);

[[nodiscard]] std::string translationAsText(const BilingualText &text);   // a line for each line of the source
[[nodiscard]] std::string translationAsTable(const BilingualText &text);  // source, a tabulator, translation: a line for each sentence
[[nodiscard]] std::string translationAsJson(const BilingualText &text);   // everything

// Written as a whole or not at all. Throws Error(Usage) for an ending it does not know and for subtitles of what has no times, Error(Storage)
// when the disk refuses.
void exportTranslation(const BilingualText &text, const std::filesystem::path &file);

}  // namespace braid::ui
