#include "ui/captions/transcript_layout.h"

#include <algorithm>
#include <cmath>

namespace braid::ui {

TranscriptLayout::Placed TranscriptLayout::place(Pen &pen, double width, bool joined) const
{
    const FlowedWord flowed = flowWord(pen.line, width, joined, {m_shape.text_width, m_shape.space_width, kHangingEm * m_shape.line_height / 1.4});
    pen.bottom += flowed.new_line ? pitch() : 0;
    return {{static_cast<float>(flowed.left), static_cast<float>(width), 0}, flowed.new_line};
}

void TranscriptLayout::reshape(const TranscriptShape &shape, Measure measure)
{
    if (measure) {
        m_measure = std::move(measure);
        m_widths.clear();
    }
    m_shape = shape;
    m_places.clear();
    m_rows.clear();
    m_row_right_to_left.clear();
    m_tail_places.clear();
    m_tail_rows.clear();
    m_tail_row_right_to_left.clear();
    m_paragraphs_placed = 0;
    m_paragraph_rows.clear();
    m_pen = Pen{{}, shape.top, false};
}

bool TranscriptLayout::setTranslatedRows(int paragraph, int rows)
{
    const auto index = static_cast<std::size_t>(paragraph);
    if (index >= m_translated_rows.size()) {
        m_translated_rows.resize(index + 1);
    }
    const double before = overflowOf(index);
    m_translated_rows[index] = rows;
    const double now = overflowOf(index);
    if (index + 1 == m_paragraphs_placed && !m_rows.empty()) {
        m_rows.back().height = pitch() + now;  // nothing settled stands below it
        return false;
    }
    return now != before;
}

double TranscriptLayout::overflowOf(std::size_t paragraph) const
{
    const bool is_placed = paragraph < m_paragraph_rows.size() && m_paragraph_rows[paragraph] > 0 && paragraph < m_translated_rows.size();
    return is_placed ? m_shape.translation_height * std::max(0, m_translated_rows[paragraph] - m_paragraph_rows[paragraph]) : 0;
}

void TranscriptLayout::measureAnew(int word, const QString &text)
{
    const auto position = static_cast<std::size_t>(word);
    if (position < m_widths.size() && m_measure) {
        m_widths[position] = static_cast<float>(m_measure(text));
    }
}

void TranscriptLayout::clear()
{
    m_widths.clear();
    m_translated_rows.clear();
    reshape(m_shape);
}

void TranscriptLayout::placeSettled(const TranscriptModel &model)
{
    const auto &paragraphs = model.paragraphs();
    std::size_t index = m_paragraphs_placed == 0 ? 0 : m_paragraphs_placed - 1;
    for (; index < paragraphs.size(); ++index) {
        const Paragraph &paragraph = paragraphs[index];
        if (index >= m_paragraphs_placed) {
            m_pen.bottom += m_rows.empty() ? 0 : m_shape.paragraph_space + overflowOf(index - 1);
            m_pen.line.fresh = true;
            m_paragraphs_placed = index + 1;
            m_paragraph_rows.push_back(0);
            if (paragraph.kind != ParagraphKind::Words) {
                m_rows.push_back({m_pen.bottom, static_cast<int>(index), paragraph.first_word, 0, m_shape.line_height});
                m_row_right_to_left.push_back(false);
                m_pen.bottom += m_shape.line_height;
                continue;
            }
        }
        const int end = paragraph.first_word + paragraph.word_count;
        for (int number = std::max(paragraph.first_word, static_cast<int>(m_places.size())); number < end; ++number) {
            const text::Word &word = model.word(number);
            const auto position = static_cast<std::size_t>(number);
            if (position >= m_widths.size()) {
                m_widths.push_back(static_cast<float>(m_measure ? m_measure(shownText(word)) : 0));
            }
            if (m_pen.line.fresh) {
                m_pen.right_to_left = shownText(word).isRightToLeft();
            }
            Placed placed = place(m_pen, m_widths[position], word.starts_without_space);
            if (placed.new_row) {
                if (m_paragraph_rows.back() > 0) {
                    m_rows.back().height = pitch();  // the translation goes on below this one
                }
                m_rows.push_back({m_pen.bottom - pitch(), static_cast<int>(index), number, 0, pitch()});
                m_row_right_to_left.push_back(m_pen.right_to_left);
                ++m_paragraph_rows.back();
            }
            placed.place.row = static_cast<int>(m_rows.size()) - 1;
            ++m_rows.back().word_count;
            m_places.push_back(placed.place);
        }
        if (paragraph.kind == ParagraphKind::Words && !m_rows.empty()) {
            m_rows.back().height = pitch() + overflowOf(index);
        }
    }
}

void TranscriptLayout::placeTail(const TranscriptModel &model)
{
    m_tail_places.clear();
    m_tail_rows.clear();
    m_tail_row_right_to_left.clear();
    Pen pen = m_pen;
    const auto paragraph = static_cast<int>(model.paragraphs().size()) - (model.tailStartsParagraph() ? 0 : 1);
    const bool own_paragraph = model.tailStartsParagraph();
    if (own_paragraph) {
        pen.bottom += m_rows.empty() ? 0 : m_shape.paragraph_space + overflowOf(m_paragraphs_placed - 1);
        pen.line.fresh = true;
    }
    const auto &tail = model.tail();
    for (std::size_t number = 0; number < tail.size(); ++number) {
        const QString text = QString::fromStdString(tail[number].text);
        if (pen.line.fresh) {
            pen.right_to_left = text.isRightToLeft();
        }
        Placed placed = place(pen, static_cast<float>(m_measure ? m_measure(text) : 0), tail[number].starts_without_space);
        if (placed.new_row || m_tail_rows.empty()) {
            m_tail_rows.push_back({pen.bottom - pitch(), paragraph, static_cast<int>(number), 0, pitch()});
            m_tail_row_right_to_left.push_back(pen.right_to_left);
        }
        placed.place.row = static_cast<int>(m_tail_rows.size()) - 1;
        ++m_tail_rows.back().word_count;
        m_tail_places.push_back(placed.place);
    }
}

QRectF TranscriptLayout::rectOf(const WordPlace &place, const TranscriptRow &row, bool right_to_left) const
{
    // A word wider than the whole line is drawn narrower, never cut off.
    const double width = std::min<double>(place.width, m_shape.text_width);
    const double left = right_to_left ? m_shape.text_width - place.left - width : place.left;
    return {m_shape.text_left + left, row.top, width, m_shape.line_height};
}

QRectF TranscriptLayout::wordRect(WordRef ref) const
{
    const bool settled = ref.part == WordPart::Settled;
    const auto &places = settled ? m_places : m_tail_places;
    if (ref.index < 0 || ref.index >= static_cast<int>(places.size())) {
        return {};
    }
    const WordPlace &place = places[static_cast<std::size_t>(ref.index)];
    const auto row = static_cast<std::size_t>(place.row);
    return rectOf(place, settled ? m_rows[row] : m_tail_rows[row], isRightToLeft(place.row, ref.part));
}

bool TranscriptLayout::isRightToLeft(int row, WordPart part) const
{
    return part == WordPart::Settled ? m_row_right_to_left[static_cast<std::size_t>(row)] : m_tail_row_right_to_left[static_cast<std::size_t>(row)];
}

std::size_t TranscriptLayout::firstRowBelow(double y) const
{
    const auto row = std::partition_point(m_rows.begin(), m_rows.end(), [&](const TranscriptRow &r) { return r.top + r.height <= y; });
    return static_cast<std::size_t>(row - m_rows.begin());
}

std::optional<WordRef> TranscriptLayout::wordAt(const QPointF &point) const
{
    const auto search = [&](const TranscriptRow &row, WordPart part) -> std::optional<WordRef> {
        if (point.y() < row.top || point.y() >= row.top + m_shape.line_height) {
            return {};
        }
        for (int index = row.first_word; index < row.first_word + row.word_count; ++index) {
            if (wordRect({part, index}).contains(point)) {
                return WordRef{part, index};
            }
        }
        return {};
    };
    const std::size_t row = firstRowBelow(point.y());
    if (row < m_rows.size()) {
        if (const auto found = search(m_rows[row], WordPart::Settled)) {
            return found;
        }
    }
    for (const TranscriptRow &tail_row : m_tail_rows) {
        if (const auto found = search(tail_row, WordPart::Tail)) {
            return found;
        }
    }
    return {};
}

std::optional<int> TranscriptLayout::nearestSettled(const QPointF &point) const
{
    if (m_places.empty()) {
        return {};
    }
    std::size_t row = std::min(firstRowBelow(point.y()), m_rows.size() - 1);
    while (row > 0 && m_rows[row].word_count == 0) {
        --row;
    }
    const TranscriptRow &found = m_rows[row];
    if (found.word_count == 0) {
        return 0;
    }
    int nearest = found.first_word;
    double distance = INFINITY;
    for (int index = found.first_word; index < found.first_word + found.word_count; ++index) {
        const QRectF rect = wordRect({WordPart::Settled, index});
        const double away = std::abs(rect.center().x() - point.x()) - rect.width() / 2;
        if (away < distance) {
            distance = away;
            nearest = index;
        }
    }
    return nearest;
}

QRectF TranscriptLayout::tailRect() const
{
    if (m_tail_rows.empty()) {
        return {};
    }
    const double top = m_tail_rows.front().top;
    return {m_shape.text_left, top, m_shape.text_width + m_shape.line_height, m_tail_rows.back().top + pitch() - top};
}

double TranscriptLayout::contentHeight() const
{
    const double settled = m_rows.empty() ? m_pen.bottom : m_pen.bottom + overflowOf(m_paragraphs_placed - 1);
    return m_tail_rows.empty() ? settled : std::max(settled, m_tail_rows.back().top + pitch());
}

}  // namespace braid::ui
