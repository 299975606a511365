#include "ui/overlay/live_text_file.h"

#include <QStringList>

#include "core/base/file.h"
#include "ui/overlay/overlay_source.h"
#include "ui/shared/async.h"

namespace braid::ui {
namespace {

constexpr double kLineCharacters = 42;  // what subtitles have

}  // namespace

LiveTextFile::LiveTextFile(OverlaySource &captions, OverlaySource &translation, QObject *parent)
    : QObject(parent)
    , m_texts{new OverlayText(OverlayPart::Captions, captions, this), new OverlayText(OverlayPart::Translation, translation, this)}
{
    for (OverlayText *text : m_texts) {
        text->reshape(kLineCharacters, [](const QString &word) { return static_cast<double>(word.size()); });
        connect(text, &OverlayText::changed, this, &LiveTextFile::take);
    }
}

void LiveTextFile::setOptions(const OverlayOptions &options)
{
    m_options = options;
    const std::filesystem::path file = options.text_file.toStdString();
    if (file != m_file) {
        m_file = file;
        m_written = QString();
        m_told = false;
    }
    take();
}

void LiveTextFile::take()
{
    if (m_file.empty()) {
        return;
    }
    QStringList lines;
    for (OverlayText *text : m_texts) {
        if (!text->isPartOf(m_options.shows)) {
            continue;
        }
        for (const OverlayLine &line : text->newest(m_options.lines)) {
            lines << line.text();
        }
    }
    const QString content = lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
    if (content != m_written) {
        m_written = content;
        write(content);
    }
}

void LiveTextFile::write(const QString &content)
{
    if (m_is_writing) {
        m_waits = content;
        return;
    }
    m_is_writing = true;
    const auto next = [this] {
        m_is_writing = false;
        if (const auto waits = std::exchange(m_waits, {})) {
            write(*waits);
        }
    };
    runInBackground(
        this,
        [file = m_file, bytes = content.toStdString()] {
            writeFileAtomically(file, bytes);
            return 0;
        },
        [next](int) { next(); },
        [this, next](const QString &problem) {
            if (!m_told) {
                m_told = true;
                Q_EMIT failed(problem);
            }
            next();
        });
}

}  // namespace braid::ui
