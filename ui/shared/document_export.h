// Captions as documents that people read, print and write on in: a title, and a paragraph a line, each with the time at which it was said. DOCX (Office Open
// XML, ISO/IEC 29500) and PDF. Any thread. Errors: braid::Error.
#pragma once

#include <filesystem>
#include <span>

#include <QByteArray>

#include "core/text/transcript.h"
#include "core/text/transcript_writer.h"

namespace braid::ui {

// Whether the ending of the file's name says so.
[[nodiscard]] bool isDocument(const std::filesystem::path &file);
// Written as a whole or not at all. Throws Error(Storage) when the disk refuses.
void exportDocument(std::span<const text::TranscriptItem> items, const std::filesystem::path &file, const text::TranscriptOrigin &origin);

[[nodiscard]] QByteArray docxOf(std::span<const text::TranscriptItem> items, const text::TranscriptOrigin &origin);
[[nodiscard]] QByteArray pdfOf(std::span<const text::TranscriptItem> items, const text::TranscriptOrigin &origin);

}  // namespace braid::ui
