#include "ui/compare/word_differences.h"

#include <algorithm>
#include <span>

#include "core/metrics/text_normaliser.h"
#include "core/metrics/word_error_rate.h"

namespace braid::ui {
namespace {

// So many words in a row in common are no accident: what lies before them stays as it is, if enough has come after them.
constexpr std::size_t kAnchorWords = 12;
constexpr std::size_t kWordsAfterAnchor = 40;
constexpr std::size_t kMostAligned = 2000;  // words a side, at a time

}  // namespace

void WordDifferences::read(const TranscriptModel &model, Side &side)
{
    for (int index = static_cast<int>(side.words.size()); index < model.wordCount(); ++index) {
        const std::string &text = model.word(index).text;
        const std::string plain = metrics::normalised(text);
        side.words.push_back(plain.empty() ? text : plain);
    }
    side.differs.resize(side.words.size(), false);
}

void WordDifferences::clear()
{
    *this = {};
}

void WordDifferences::update(const TranscriptModel &left, const TranscriptModel &right, ComparisonState state)
{
    read(left, m_left);
    read(right, m_right);
    for (bool again = true; again;) {
        again = false;
        const auto left_words = std::span(m_left.words).subspan(m_left.sure).first(std::min(kMostAligned, m_left.words.size() - m_left.sure));
        const auto right_words = std::span(m_right.words).subspan(m_right.sure).first(std::min(kMostAligned, m_right.words.size() - m_right.sure));
        const auto edits = metrics::alignWords(left_words, right_words);
        std::fill(m_left.differs.begin() + static_cast<std::ptrdiff_t>(m_left.sure), m_left.differs.end(), false);
        std::fill(m_right.differs.begin() + static_cast<std::ptrdiff_t>(m_right.sure), m_right.differs.end(), false);
        std::size_t last_common = 0;
        for (std::size_t index = 0; index < edits.size(); ++index) {
            last_common = edits[index].kind == metrics::EditKind::Same ? index + 1 : last_common;
        }
        const std::size_t told = state == ComparisonState::Over ? edits.size() : last_common;
        m_open_places = 0;
        std::size_t run = 0;
        std::size_t anchor = 0;  // edits before this one are sure
        int places_at_anchor = 0;
        bool in_place = false;
        for (std::size_t index = 0; index < told; ++index) {
            const metrics::Edit &edit = edits[index];
            const bool same = edit.kind == metrics::EditKind::Same;
            if (!same && edit.kind != metrics::EditKind::Insertion) {
                m_left.differs[m_left.sure + edit.reference_index] = true;
            }
            if (!same && edit.kind != metrics::EditKind::Deletion) {
                m_right.differs[m_right.sure + edit.hypothesis_index] = true;
            }
            m_open_places += !same && !in_place ? 1 : 0;
            in_place = !same;
            run = same ? run + 1 : 0;
            if (run >= kAnchorWords && left_words.size() - edit.reference_index > kWordsAfterAnchor &&
                right_words.size() - edit.hypothesis_index > kWordsAfterAnchor) {
                anchor = index + 1;
                places_at_anchor = m_open_places;
            }
        }
        if (anchor > 0) {
            const bool cut = m_left.sure + left_words.size() < m_left.words.size() || m_right.sure + right_words.size() < m_right.words.size();
            m_left.sure += edits[anchor - 1].reference_index + 1;
            m_right.sure += edits[anchor - 1].hypothesis_index + 1;
            m_sure_places += places_at_anchor;
            m_open_places -= places_at_anchor;
            again = cut;  // more than one piece is waiting
        }
    }
}

}  // namespace braid::ui
