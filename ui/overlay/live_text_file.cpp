#include "ui/overlay/live_text_file.h"

#include <algorithm>

#include <QStringList>

#include "core/base/file.h"
#include "ui/overlay/overlay_source.h"
#include "ui/shared/async.h"

namespace braid::ui {
namespace {

constexpr double kLineCharacters = 42;  // what subtitles have
constexpr int kWordsLookedBackAt = 200;

}  // namespace

LiveTextFile::LiveTextFile(OverlaySource &captions, OverlaySource &translation, QObject *parent)
    : QObject(parent)
{
    m_texts[0].source = &captions;
    m_texts[1].source = &translation;
    for (Text &text : m_texts) {
        text.flow.reshape(kLineCharacters, [](const QString &word) { return static_cast<double>(word.size()); });
        text.taken = std::max(0, text.source->count() - kWordsLookedBackAt);
        connect(text.source, &OverlaySource::changed, this, &LiveTextFile::take);
        connect(text.source, &OverlaySource::cleared, this, [this, &text] {
            text.flow.clear();
            text.taken = 0;
            take();
        });
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
    for (Text &text : m_texts) {
        std::vector<OverlayWord> fresh;
        for (const int count = text.source->count(); text.taken < count; ++text.taken) {
            fresh.push_back(text.source->word(text.taken));
        }
        text.flow.append(fresh);
        text.flow.setTail(text.source->tail());
        const bool is_translation = &text == &m_texts[1];
        if (m_options.shows == OverlayShows::Both || is_translation == (m_options.shows == OverlayShows::Translation)) {
            for (const OverlayLine &line : text.flow.newest(m_options.lines)) {
                lines << line.text();
            }
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
