#include "ui/transcript/transcript_search.h"

#include <algorithm>

namespace braid::ui {

std::vector<TextMatch> findText(const TranscriptModel &model, const QString &needle, int from_word)
{
    std::vector<TextMatch> matches;
    const QString wanted = needle.simplified();
    if (wanted.isEmpty()) {
        return matches;
    }
    std::vector<int> starts;  // where each word of the paragraph begins in `line`
    for (const Paragraph &paragraph : model.paragraphs()) {
        if (paragraph.kind != ParagraphKind::Words || paragraph.first_word + paragraph.word_count <= from_word) {
            continue;
        }
        QString line;
        starts.clear();
        for (int index = paragraph.first_word; index < paragraph.first_word + paragraph.word_count; ++index) {
            const text::Word &word = model.word(index);
            if (index > paragraph.first_word && !word.starts_without_space) {
                line += QLatin1Char(' ');
            }
            starts.push_back(static_cast<int>(line.size()));
            line += QString::fromStdString(word.text);
        }
        const auto place = [&](qsizetype character) {
            const auto after = std::upper_bound(starts.begin(), starts.end(), static_cast<int>(character));
            const auto word = static_cast<int>(after - starts.begin()) - 1;
            return std::pair<int, int>(paragraph.first_word + word, static_cast<int>(character) - starts[static_cast<std::size_t>(word)]);
        };
        for (qsizetype at = line.indexOf(wanted, 0, Qt::CaseInsensitive); at >= 0; at = line.indexOf(wanted, at + wanted.size(), Qt::CaseInsensitive)) {
            const auto [first_word, first_character] = place(at);
            const auto [last_word, last_character] = place(at + wanted.size() - 1);
            if (first_word >= from_word) {
                matches.push_back({first_word, first_character, last_word, last_character + 1});
            }
        }
    }
    return matches;
}

}  // namespace braid::ui
