#include "ui/shared/export.h"

#include <QDateTime>
#include <QFileInfo>
#include <QObject>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/streams/table.h"
#include "core/text/bilingual_writer.h"
#include "core/text/transcript_writer.h"
#include "core/text/word_figures.h"
#include "ui/shared/document_export.h"

namespace braid::ui {
namespace {

// Lane by lane: a name, its words.
std::string laneTexts(const streams::Conversation &conversation)
{
    const streams::TextTable table = conversation.table();
    std::string text;
    for (std::size_t stream = 0; stream < table.streams.size(); ++stream) {
        const QString words = QString::fromStdString(table.textOf(stream)).trimmed();
        if (!words.isEmpty()) {
            text += (text.empty() ? "" : "\n") + table.streams[stream] + ":\n" + words.toStdString() + "\n";
        }
    }
    return text;
}

}  // namespace

QStringList exportFilters()
{
    return {QObject::tr("Text (*.txt)"),
            QObject::tr("SubRip subtitles (*.srt)"),
            QObject::tr("WebVTT subtitles (*.vtt)"),
            QObject::tr("JSON with times and tokens (*.json)"),
            QObject::tr("Word document (*.docx)"),
            QObject::tr("PDF document (*.pdf)"),
            QObject::tr("Figures of every word (*.csv)")};
}

void exportTranscript(const text::Transcript &transcript, const std::filesystem::path &file, const text::TranscriptOrigin &origin)
{
    if (isDocument(file)) {
        exportDocument(transcript, file, origin);
        return;
    }
    if (file.extension() == ".csv") {
        writeFileAtomically(file, text::wordFiguresCsv(transcript));
        return;
    }
    const auto format = text::transcriptFormatNamed(file.extension().string());
    if (!format) {
        throw Error(ErrorKind::Usage, "the ending \"" + file.extension().string() + "\" says no kind of captions", file.string(),
                    "End the name with .txt, .srt, .vtt, .json, .docx, .pdf or .csv");
    }
    writeFileAtomically(file, text::formatTranscript(transcript, *format, origin));
}

QStringList bilingualFilters()
{
    return exportFilters() + QStringList{QObject::tr("Text, the translation (*.txt)"),
                                         QObject::tr("SubRip subtitles, the translation (*.srt)"),
                                         QObject::tr("WebVTT subtitles, the translation (*.vtt)"),
                                         QObject::tr("Text, both languages (*.txt)"),
                                         QObject::tr("SubRip subtitles, both languages (*.srt)"),
                                         QObject::tr("WebVTT subtitles, both languages (*.vtt)")};
}

ExportedText exportedTextOf(int filter)
{
    constexpr int kTranslationFilters = 3;
    const int behind = filter - static_cast<int>(exportFilters().size());
    return behind < 0 ? ExportedText::Original : behind < kTranslationFilters ? ExportedText::Translation : ExportedText::Both;
}

void exportTranslated(const text::Transcript &original, const text::Transcript &translation, ExportedText which, const std::filesystem::path &file)
{
    const auto format = text::transcriptFormatNamed(file.extension().string());
    if (!format || *format == text::TranscriptFormat::Json) {
        throw Error(ErrorKind::Usage, "the ending \"" + file.extension().string() + "\" says no kind of translated captions", file.string(),
                    "End the name with .txt, .srt or .vtt");
    }
    writeFileAtomically(file,
                        which == ExportedText::Both ? text::formatBilingual(original, translation, *format) : text::formatTranscript(translation, *format));
}

std::size_t exportEach(const std::vector<NamedTranscript> &all, const std::filesystem::path &folder, const std::string &ending)
{
    std::size_t written = 0;
    for (const NamedTranscript &each : all) {
        std::filesystem::path file = folder / (each.name + ending);
        for (int number = 2; std::filesystem::exists(file); ++number) {
            file = folder / (each.name + " " + std::to_string(number) + ending);
        }
        exportTranscript(each.words, file, each.origin);
        ++written;
    }
    return written;
}

QString proposedFileName(const text::TranscriptOrigin &origin)
{
    const QFileInfo source(QString::fromStdString(origin.source));
    const bool is_file = !source.suffix().isEmpty() && source.suffix().size() <= 5 && !source.suffix().contains(QLatin1Char(' '));
    const QDateTime started = QDateTime::fromString(QString::fromStdString(origin.started_at), Qt::ISODate).toLocalTime();
    return is_file             ? source.completeBaseName() + QStringLiteral(".txt")
           : started.isValid() ? QObject::tr("captions %1.txt").arg(started.toString(QStringLiteral("yyyy-MM-dd HH.mm")))
                               : QObject::tr("captions.txt");
}

QStringList conversationFilters()
{
    return {QObject::tr("Conversation, to open and replay (*.json)"), QObject::tr("Table, a row a step (*.md)"), QObject::tr("Text, lane by lane (*.txt)")};
}

void exportConversation(const streams::Conversation &conversation, const std::filesystem::path &file)
{
    if (file.extension() == ".json") {
        streams::saveConversation(file, conversation);
    } else if (file.extension() == ".md") {
        writeFileAtomically(file, streams::markdownTable(conversation.table()));
    } else if (file.extension() == ".txt") {
        writeFileAtomically(file, laneTexts(conversation));
    } else {
        throw Error(ErrorKind::Usage, "the ending of the file's name says what is written, and this one is unknown", file.string(), "Use .json, .md or .txt");
    }
}

}  // namespace braid::ui
