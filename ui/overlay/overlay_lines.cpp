#include "ui/overlay/overlay_lines.h"

#include <algorithm>

namespace braid::ui {
namespace {

constexpr std::size_t kKept = 64;

}  // namespace

void OverlayLines::reshape(double width, Measure measure)
{
    m_width = width;
    m_measure = std::move(measure);
    m_space = m_measure(QStringLiteral(" "));
    clear();
}

void OverlayLines::clear()
{
    m_lines.clear();
    m_tail.clear();
    m_dropped = m_first = 0;
    m_pen = {};
}

void OverlayLines::place(const OverlayWord &word, LinePen &pen, std::vector<QString> &lines) const
{
    if (word.begins_line) {
        pen = {};
    }
    const FlowedWord flowed = flowWord(pen, m_measure(word.text), word.joined, {m_width, m_space, 0});
    if (flowed.new_line || lines.empty()) {
        lines.push_back(word.text);
    } else {
        lines.back() += (word.joined ? QString() : QStringLiteral(" ")) + word.text;
    }
}

void OverlayLines::append(const std::vector<OverlayWord> &words)
{
    for (const OverlayWord &word : words) {
        place(word, m_pen, m_lines);
    }
    if (m_lines.size() > 2 * kKept) {
        const std::size_t over = m_lines.size() - kKept;
        m_lines.erase(m_lines.begin(), m_lines.begin() + static_cast<std::ptrdiff_t>(over));
        m_dropped += over;
    }
}

void OverlayLines::setTail(const std::vector<OverlayWord> &words)
{
    m_tail = words;
}

std::vector<OverlayLine> OverlayLines::newest(int count)
{
    LinePen pen = m_pen;
    std::vector<QString> all = m_lines;
    for (const OverlayWord &word : m_tail) {
        place(word, pen, all);
    }
    const std::size_t wanted = all.size() > static_cast<std::size_t>(count) ? all.size() - static_cast<std::size_t>(count) : 0;
    m_first = std::max(m_first, m_dropped + wanted);
    std::vector<OverlayLine> lines;
    for (std::size_t line = m_first - m_dropped; line < all.size(); ++line) {
        const QString settled = line < m_lines.size() ? m_lines[line] : QString();
        lines.push_back({settled, all[line].mid(settled.size())});
    }
    return lines;
}

}  // namespace braid::ui
