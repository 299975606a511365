#include "ui/overlay/overlay_text.h"

#include <algorithm>
#include <utility>

#include "ui/overlay/overlay_source.h"

namespace braid::ui {
namespace {

constexpr int kWordsLookedBackAt = 400;  // when all is set anew: more than any strip shows

}  // namespace

OverlayText::OverlayText(OverlayPart part, OverlaySource &source, QObject *parent)
    : QObject(parent)
    , m_part(part)
    , m_source(source)
{
    connect(&source, &OverlaySource::changed, this, [this] {
        take();
        Q_EMIT changed();
    });
    connect(&source, &OverlaySource::cleared, this, [this] {
        m_lines.clear();
        m_taken = 0;
        take();
        Q_EMIT changed();
    });
}

void OverlayText::reshape(double width, OverlayLines::Measure measure)
{
    m_lines.reshape(width, std::move(measure));
    m_taken = std::max(0, m_source.count() - kWordsLookedBackAt);
    take();
}

bool OverlayText::isPartOf(OverlayShows shows) const noexcept
{
    return shows == OverlayShows::Both || (m_part == OverlayPart::Translation) == (shows == OverlayShows::Translation);
}

void OverlayText::take()
{
    std::vector<OverlayWord> fresh;
    for (const int count = m_source.count(); m_taken < count; ++m_taken) {
        fresh.push_back(m_source.word(m_taken));
    }
    m_lines.append(fresh);
    m_lines.setTail(m_source.tail());
}

}  // namespace braid::ui
