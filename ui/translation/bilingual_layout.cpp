#include "ui/translation/bilingual_layout.h"

#include <algorithm>
#include <cmath>

namespace braid::ui {
namespace {

constexpr double kBesideBand = 4;  // the path keeps off the letters

}  // namespace

void BilingualLayout::reshape(const BilingualShape &shape, Measure measure)
{
    if (measure) {
        m_measure = std::move(measure);
        m_source.widths.clear();
        m_target.widths.clear();
    }
    m_shape = shape;
    m_sentences.clear();
    for (Side *side : {&m_source, &m_target}) {
        side->places.clear();
        side->sentences.clear();
    }
    m_open_word = {};
    m_open_sentence = -1;
    m_unfinished = 0;
}

void BilingualLayout::clear()
{
    m_source.widths.clear();
    m_target.widths.clear();
    reshape(m_shape);
}

void BilingualLayout::placeColumn(const BilingualText &text, TextSide side, int sentence, int first, int count)
{
    Side &all = sideOf(side);
    SentencePlace &place = m_sentences[static_cast<std::size_t>(sentence)];
    Column &column = side == TextSide::Source ? place.source : place.target;
    column.first = first;
    for (; column.count < count; ++column.count) {
        const PieceRef ref{side, first + column.count};
        const auto position = static_cast<std::size_t>(ref.index);
        if (position >= all.widths.size()) {
            all.widths.push_back(static_cast<float>(m_measure ? m_measure(text.textOf(ref)) : 0));
        }
        if (column.count == 0) {
            column.right_to_left = text.textOf(ref).isRightToLeft();
        }
        const FlowedWord flowed =
            flowWord(column.pen, static_cast<double>(all.widths[position]), text.isJoined(ref), {m_shape.column_width, m_shape.space_width, m_shape.hanging});
        column.rows += flowed.new_line ? 1 : 0;
        all.places.push_back({static_cast<float>(flowed.left), all.widths[position], column.rows - 1});
        all.sentences.push_back(sentence);
    }
}

void BilingualLayout::placeSentence(const BilingualText &text, int index)
{
    const SentencePair &sentence = text.sentences()[static_cast<std::size_t>(index)];
    if (index >= sentenceCount()) {
        m_sentences.emplace_back();
        m_sentences.back().line = sentence.line;
    }
    placeColumn(text, TextSide::Source, index, sentence.first_unit, sentence.unit_count);
    placeColumn(text, TextSide::Target, index, sentence.first_word, sentence.word_count);
    SentencePlace &place = m_sentences[static_cast<std::size_t>(index)];
    place.tail_rows = 0;
    place.top = m_shape.top;
    if (index > 0) {
        const SentencePlace &before = m_sentences[static_cast<std::size_t>(index) - 1];
        place.top = before.top + heightOf(before) + m_shape.sentence_space + (before.line != place.line ? m_shape.line_space : 0);
    }
}

void BilingualLayout::place(const BilingualText &text)
{
    const auto all = static_cast<int>(text.sentences().size());
    const int wanted = std::min(all, text.firstOpen() + 1 + kWaitingSentencesPlaced);
    const int from = m_unfinished;
    m_unfinished = text.firstOpen();
    for (int index = from; index < wanted; ++index) {
        placeSentence(text, index);
        if (index == text.firstOpen()) {
            placeOpenWord(text);
        }
    }
    if (text.firstOpen() >= wanted) {
        m_open_word = {};
        m_open_sentence = -1;
    }
}

void BilingualLayout::placeOpenWord(const BilingualText &text)
{
    m_open_word = {};
    m_open_sentence = text.firstOpen();
    SentencePlace &sentence = m_sentences[static_cast<std::size_t>(m_open_sentence)];
    if (text.openWord().isEmpty()) {
        return;
    }
    LinePen pen = sentence.target.pen;
    const double width = m_measure ? m_measure(text.openWord()) : 0;
    const FlowedWord flowed = flowWord(pen, width, false, {m_shape.column_width, m_shape.space_width, m_shape.hanging});
    sentence.tail_rows = sentence.target.rows + (flowed.new_line ? 1 : 0);
    if (sentence.target.count == 0) {
        sentence.target.right_to_left = text.openWord().isRightToLeft();
    }
    m_open_word = rectOf({static_cast<float>(flowed.left), static_cast<float>(width), sentence.tail_rows - 1}, sentence, TextSide::Target);
}

double BilingualLayout::heightOf(const SentencePlace &sentence) const
{
    const int rows = std::max({1, sentence.source.rows, sentence.target.rows, sentence.tail_rows});
    return rows * m_shape.rowPitch() - (m_shape.arrangement == PairArrangement::Interlinear ? m_shape.pair_space : 0);
}

QRectF BilingualLayout::rectOf(const PiecePlace &place, const SentencePlace &sentence, TextSide side) const
{
    // A piece wider than the whole line is drawn narrower, never cut off.
    const double width = std::min<double>(place.width, m_shape.column_width);
    const bool right_to_left = side == TextSide::Source ? sentence.source.right_to_left : sentence.target.right_to_left;
    const double left = right_to_left ? m_shape.column_width - place.left - width : place.left;
    return {m_shape.columnLeft(side) + left, sentence.top + m_shape.rowTop(side, place.row), width, m_shape.line_height};
}

QRectF BilingualLayout::pieceRect(PieceRef ref) const
{
    const Side &side = sideOf(ref.side);
    if (ref.index < 0 || ref.index >= static_cast<int>(side.places.size())) {
        return {};
    }
    const auto position = static_cast<std::size_t>(ref.index);
    return rectOf(side.places[position], m_sentences[static_cast<std::size_t>(side.sentences[position])], ref.side);
}

QRectF BilingualLayout::sentenceRect(int sentence) const
{
    if (sentence < 0 || sentence >= sentenceCount()) {
        return {};
    }
    const SentencePlace &place = m_sentences[static_cast<std::size_t>(sentence)];
    return {m_shape.left, place.top, m_shape.columnLeft(TextSide::Target) + m_shape.column_width - m_shape.left, heightOf(place)};
}

QRectF BilingualLayout::bandRect(int sentence) const
{
    const QRectF row = sentenceRect(sentence);
    return row.isEmpty() ? QRectF() : QRectF(m_shape.bandLeft(), row.top() + kBesideBand, m_shape.band_width, row.height() - 2 * kBesideBand);
}

int BilingualLayout::firstSentenceBelow(double y) const
{
    const auto found = std::partition_point(m_sentences.begin(), m_sentences.end(), [&](const SentencePlace &s) { return s.top + heightOf(s) <= y; });
    return static_cast<int>(found - m_sentences.begin());
}

TextSide BilingualLayout::sideAt(const QPointF &point) const
{
    if (m_shape.arrangement == PairArrangement::SideBySide) {
        return point.x() < m_shape.bandLeft() + m_shape.band_width / 2 ? TextSide::Source : TextSide::Target;
    }
    const int sentence = firstSentenceBelow(point.y());
    if (sentence >= sentenceCount()) {
        return TextSide::Target;
    }
    const double within = std::fmod(std::max(0.0, point.y() - m_sentences[static_cast<std::size_t>(sentence)].top), m_shape.rowPitch());
    return within < m_shape.line_height ? TextSide::Source : TextSide::Target;
}

std::optional<PieceRef> BilingualLayout::pieceAt(const QPointF &point) const
{
    const int index = firstSentenceBelow(point.y());
    if (index >= sentenceCount() || point.y() < m_sentences[static_cast<std::size_t>(index)].top) {
        return {};
    }
    const SentencePlace &sentence = m_sentences[static_cast<std::size_t>(index)];
    const TextSide side = sideAt(point);
    const Column &column = side == TextSide::Source ? sentence.source : sentence.target;
    for (int piece = column.first; piece < column.first + column.count; ++piece) {
        if (pieceRect({side, piece}).contains(point)) {
            return PieceRef{side, piece};
        }
    }
    return {};
}

std::optional<PieceRef> BilingualLayout::nearest(TextSide side, const QPointF &point) const
{
    const auto columnOf = [side](const SentencePlace &sentence) -> const Column & { return side == TextSide::Source ? sentence.source : sentence.target; };
    int index = std::min(firstSentenceBelow(point.y()), sentenceCount() - 1);
    while (index > 0 && columnOf(m_sentences[static_cast<std::size_t>(index)]).count == 0) {
        --index;
    }
    if (index < 0) {
        return {};
    }
    const Column &column = columnOf(m_sentences[static_cast<std::size_t>(index)]);
    std::optional<PieceRef> found;
    double nearest = INFINITY;
    for (int piece = column.first; piece < column.first + column.count; ++piece) {
        const QRectF rect = pieceRect({side, piece});
        const double across = std::max(0.0, std::abs(rect.center().x() - point.x()) - rect.width() / 2);
        const double down = std::max(0.0, std::abs(rect.center().y() - point.y()) - rect.height() / 2);
        const double distance = across + 10 * down;  // the line counts more than the place in it
        if (distance < nearest) {
            nearest = distance;
            found = PieceRef{side, piece};
        }
    }
    return found;
}

double BilingualLayout::contentHeight() const
{
    return m_sentences.empty() ? m_shape.top : m_sentences.back().top + heightOf(m_sentences.back());
}

}  // namespace braid::ui
