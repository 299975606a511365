#include "ui/captions/translation_rows.h"

#include <algorithm>

#include "ui/captions/word_flow.h"

namespace braid::ui {

void TranslationRows::reshape(double width, Measure measure)
{
    m_width = width;
    m_measure = std::move(measure);
    m_space = m_measure(QStringLiteral(" "));
    m_rows.clear();
}

void TranslationRows::take(const LineTranslations &translations, int first, int count)
{
    m_rows.resize(static_cast<std::size_t>(std::max(count, 0)));
    for (int paragraph = std::max(first, 0); paragraph < count; ++paragraph) {
        m_rows[static_cast<std::size_t>(paragraph)] = setInRows(translations.pieces(paragraph));
    }
}

const std::vector<QString> &TranslationRows::rows(int paragraph) const
{
    static const std::vector<QString> none;
    return paragraph >= 0 && paragraph < static_cast<int>(m_rows.size()) ? m_rows[static_cast<std::size_t>(paragraph)] : none;
}

std::vector<QString> TranslationRows::setInRows(const std::vector<TranslatedPiece> &pieces) const
{
    std::vector<QString> rows;
    LinePen pen;
    for (const TranslatedPiece &piece : pieces) {
        if (flowWord(pen, m_measure(piece.text), piece.joined, {m_width, m_space, 0}).new_line) {
            rows.push_back(piece.text);
        } else {
            rows.back() += (piece.joined ? QString() : QStringLiteral(" ")) + piece.text;
        }
    }
    return rows;
}

}  // namespace braid::ui
