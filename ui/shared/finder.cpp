#include "ui/shared/finder.h"

#include <algorithm>

namespace braid::ui {

void Finder::find(const QString &needle)
{
    m_needle = needle.simplified();
    m_count = m_view.search(m_needle, 0);
    m_current = -1;
    if (m_count > 0) {
        showMatch(m_view.first_on_page());
    } else {
        tell();
    }
}

void Finder::showMatch(int index)
{
    if (m_count > 0) {
        m_current = (index % m_count + m_count) % m_count;
        m_view.reveal(m_current);
        tell();
    }
}

void Finder::searchFrom(std::int64_t first)
{
    if (!m_needle.isEmpty()) {
        m_count = m_view.search(m_needle, first);
        m_current = m_count == 0 ? -1 : std::clamp(m_current, 0, m_count - 1);
        tell();
    }
}

void Finder::keepFirst(int count)
{
    m_count = count;
    m_current = std::min(m_current, count - 1);
    tell();
}

void Finder::tell()
{
    m_view.update();
    Q_EMIT changed();
}

}  // namespace braid::ui
