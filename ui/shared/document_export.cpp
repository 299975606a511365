#include "ui/shared/document_export.h"

#include <string>
#include <vector>

#include <QBuffer>
#include <QDateTime>
#include <QFileInfo>
#include <QLocale>
#include <QObject>
#include <QPageSize>
#include <QPdfWriter>
#include <QTextCursor>
#include <QTextDocument>

#include "core/base/file.h"
#include "ui/shared/stored_zip.h"

namespace braid::ui {
namespace {

struct Paragraph {
    QString time;
    QString text;
};

struct Pages {
    QString title;
    QString about;  // when it was, and what wrote it
    std::vector<Paragraph> paragraphs;
};

Pages pagesOf(std::span<const text::TranscriptItem> items, const text::TranscriptOrigin &origin)
{
    Pages pages;
    const QString source = QString::fromStdString(origin.source);
    pages.title = source.isEmpty() ? QObject::tr("Captions") : QFileInfo(source).fileName();
    const QDateTime started = QDateTime::fromString(QString::fromStdString(origin.started_at), Qt::ISODate).toLocalTime();
    pages.about = started.isValid() ? QLocale().toString(started, QLocale::LongFormat) : QString();
    bool is_open = false;
    for (const text::TranscriptItem &item : items) {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            if (word->text.empty()) {
                continue;  // struck out
            }
            if (!is_open) {
                pages.paragraphs.push_back({QString::fromStdString(formatClock(word->start_sample)), {}});
                is_open = true;
            }
            QString &text = pages.paragraphs.back().text;
            text += (text.isEmpty() || word->starts_without_space ? QString() : QStringLiteral(" ")) + QString::fromStdString(word->text);
            continue;
        }
        is_open = false;
        if (const auto *gap = std::get_if<text::Gap>(&item)) {
            pages.paragraphs.push_back({QString::fromStdString(formatClock(gap->start_sample)), QString::fromStdString(text::gapText(*gap))});
        }
    }
    return pages;
}

// Text for XML 1.0, which has no control characters.
QByteArray xmlOf(const QString &text)
{
    QString clean;
    for (const QChar character : text) {
        clean += character >= QLatin1Char(' ') && character.unicode() < 0xFFFE ? character : QLatin1Char(' ');
    }
    return clean.toHtmlEscaped().toUtf8();
}

QByteArray runOf(const QString &text, const char *properties)
{
    return QByteArray("<w:r><w:rPr>") + properties + "</w:rPr><w:t xml:space=\"preserve\">" + xmlOf(text) + "</w:t></w:r>";
}

}  // namespace

bool isDocument(const std::filesystem::path &file)
{
    const QString ending = QString::fromStdString(file.extension().string()).toLower();
    return ending == QLatin1String(".docx") || ending == QLatin1String(".pdf");
}

QByteArray docxOf(std::span<const text::TranscriptItem> items, const text::TranscriptOrigin &origin)
{
    const Pages pages = pagesOf(items, origin);
    // Half points; the time hangs to the left of its paragraph.
    QByteArray body = "<w:p><w:pPr><w:spacing w:after=\"120\"/></w:pPr>" + runOf(pages.title, "<w:b/><w:sz w:val=\"32\"/>") + "</w:p>";
    if (!pages.about.isEmpty()) {
        body += "<w:p><w:pPr><w:spacing w:after=\"360\"/></w:pPr>" + runOf(pages.about, "<w:color w:val=\"5B616B\"/>") + "</w:p>";
    }
    for (const Paragraph &paragraph : pages.paragraphs) {
        body += "<w:p><w:pPr><w:tabs><w:tab w:val=\"left\" w:pos=\"1200\"/></w:tabs><w:spacing w:after=\"160\" w:line=\"320\" w:lineRule=\"auto\"/>"
                "<w:ind w:left=\"1200\" w:hanging=\"1200\"/></w:pPr>" +
                runOf(paragraph.time, "<w:color w:val=\"5B616B\"/><w:sz w:val=\"18\"/>") + "<w:r><w:tab/></w:r>" +
                runOf(paragraph.text, "<w:sz w:val=\"24\"/>") + "</w:p>";
    }
    const QByteArray head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
    StoredZip zip;
    zip.add("[Content_Types].xml", head + "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">"
                                          "<Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
                                          "<Override PartName=\"/word/document.xml\" "
                                          "ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>");
    zip.add("_rels/.rels", head + "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">"
                                  "<Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" "
                                  "Target=\"word/document.xml\"/></Relationships>");
    zip.add("word/document.xml", head + "<w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><w:body>" + body +
                                     "<w:sectPr><w:pgSz w:w=\"11906\" w:h=\"16838\"/>"
                                     "<w:pgMar w:top=\"1134\" w:right=\"1134\" w:bottom=\"1134\" w:left=\"1134\" w:header=\"0\" w:footer=\"0\" w:gutter=\"0\"/>"
                                     "</w:sectPr></w:body></w:document>");
    return zip.finish();
}

QByteArray pdfOf(std::span<const text::TranscriptItem> items, const text::TranscriptOrigin &origin)
{
    const Pages pages = pagesOf(items, origin);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(QLocale().measurementSystem() == QLocale::ImperialUSSystem ? QPageSize::Letter : QPageSize::A4));
    writer.setPageMargins(QMarginsF());  // the document has margins of its own, and numbers its pages in them
    writer.setTitle(pages.title);
    writer.setCreator(QStringLiteral("Braid"));
    QTextDocument document;
    QTextCursor cursor(&document);
    const auto add = [&cursor](const QString &text, double points, bool is_soft, double behind) {
        QTextBlockFormat block;
        block.setBottomMargin(behind);
        block.setLineHeight(130, QTextBlockFormat::ProportionalHeight);
        QTextCharFormat letters;
        letters.setFontPointSize(points);
        letters.setForeground(is_soft ? QColor(0x5B, 0x61, 0x6B) : QColor(Qt::black));
        if (!cursor.atStart()) {
            cursor.insertBlock();
        }
        cursor.setBlockFormat(block);
        cursor.insertText(text, letters);
    };
    add(pages.title, 16, false, 4);
    if (!pages.about.isEmpty()) {
        add(pages.about, 9, true, 16);
    }
    for (const Paragraph &paragraph : pages.paragraphs) {
        add(paragraph.time, 8, true, 0);
        add(paragraph.text, 11, false, 8);
    }
    document.print(&writer);
    buffer.close();
    return bytes;
}

void exportDocument(std::span<const text::TranscriptItem> items, const std::filesystem::path &file, const text::TranscriptOrigin &origin)
{
    const bool is_pdf = QString::fromStdString(file.extension().string()).toLower() == QLatin1String(".pdf");
    const QByteArray bytes = is_pdf ? pdfOf(items, origin) : docxOf(items, origin);
    writeFileAtomically(file, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

}  // namespace braid::ui
