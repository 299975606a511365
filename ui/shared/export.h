// Saving captions and conversations: the kind of file follows from its ending. Errors: braid::Error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/streams/conversation.h"
#include "core/text/transcript.h"
#include "core/text/transcript_writer.h"

namespace braid::ui {

// For file dialogs: "Text (*.txt)", "SubRip subtitles (*.srt)", "WebVTT subtitles (*.vtt)", "JSON with times and tokens (*.json)", "Word document
// (*.docx)", "PDF document (*.pdf)", "Figures of every word (*.csv)".
[[nodiscard]] QStringList exportFilters();
// Written as a whole or not at all. Throws Error(Usage) for an ending it does not know, Error(Storage) when the disk refuses.
void exportTranscript(const text::Transcript &transcript, const std::filesystem::path &file, const text::TranscriptOrigin &origin = {});
// Which words of translated captions are saved.
enum class ExportedText : std::uint8_t { Original = 1, Translation, Both };
// exportFilters(), then those for text and subtitles of the translation, then of both.
[[nodiscard]] QStringList bilingualFilters();
// What the filter of this number saves.
[[nodiscard]] ExportedText exportedTextOf(int filter);
// `translation`: timedTranslation() of `original`. Text and subtitles alone. Throws as exportTranscript().
void exportTranslated(const text::Transcript &original, const text::Transcript &translation, ExportedText which, const std::filesystem::path &file);
// "talk.txt" of "talk.mp4", "captions 2026-11-23 14.05.txt" of a microphone.
[[nodiscard]] QString proposedFileName(const text::TranscriptOrigin &origin);

struct NamedTranscript {
    std::string name;  // of the file, without its ending
    text::Transcript words;
    text::TranscriptOrigin origin;
};
// Each into a file of its own in `folder`; where the name is taken, "talk 2.srt". How many were written. Throws as exportTranscript(). Any thread.
std::size_t exportEach(const std::vector<NamedTranscript> &all, const std::filesystem::path &folder, const std::string &ending);

[[nodiscard]] QStringList conversationFilters();
void exportConversation(const streams::Conversation &conversation, const std::filesystem::path &file);

}  // namespace braid::ui
