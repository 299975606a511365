#include "ui/session/export.h"

#include <QObject>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/transcript_writer.h"

namespace braid::ui {

QStringList exportFilters()
{
    return {QObject::tr("Text (*.txt)"), QObject::tr("SubRip subtitles (*.srt)"), QObject::tr("WebVTT subtitles (*.vtt)"), QObject::tr("JSON with times and tokens (*.json)")};
}

void exportTranscript(const text::Transcript &transcript, const std::filesystem::path &file)
{
    const auto format = text::transcriptFormatNamed(file.extension().string());
    if (!format) {
        throw Error(ErrorKind::Usage, "the ending \"" + file.extension().string() + "\" says no kind of captions", file.string(), "End the name with .txt, .srt, .vtt or .json");
    }
    writeFileAtomically(file, text::formatTranscript(transcript, *format));
}

}  // namespace braid::ui
