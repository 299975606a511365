#include "ui/captions/transcript_search.h"

#include <algorithm>

namespace braid::ui {

void findInRun(const SearchedRun &run, const QString &needle, int from_word, std::vector<TextMatch> &matches)
{
    const QString wanted = needle.simplified();
    if (wanted.isEmpty()) {
        return;
    }
    QString line;
    std::vector<int> starts;  // where each word of the run begins in `line`
    for (int index = run.first_word; index < run.first_word + run.word_count; ++index) {
        if (index > run.first_word && !run.is_joined(index)) {
            line += QLatin1Char(' ');
        }
        starts.push_back(static_cast<int>(line.size()));
        line += run.text_of(index);
    }
    const auto place = [&](qsizetype character) {
        const auto after = std::upper_bound(starts.begin(), starts.end(), static_cast<int>(character));
        const auto word = static_cast<int>(after - starts.begin()) - 1;
        return std::pair<int, int>(run.first_word + word, static_cast<int>(character) - starts[static_cast<std::size_t>(word)]);
    };
    for (qsizetype at = line.indexOf(wanted, 0, Qt::CaseInsensitive); at >= 0; at = line.indexOf(wanted, at + wanted.size(), Qt::CaseInsensitive)) {
        const auto [first_word, first_character] = place(at);
        const auto [last_word, last_character] = place(at + wanted.size() - 1);
        if (first_word >= from_word) {
            matches.push_back({first_word, first_character, last_word, last_character + 1});
        }
    }
}

std::vector<TextMatch> findText(const TranscriptModel &model, const QString &needle, int from_word)
{
    std::vector<TextMatch> matches;
    SearchedRun run;
    run.text_of = [&model](int index) { return QString::fromStdString(model.word(index).text); };
    // A word that was struck out parts nothing.
    run.is_joined = [&model](int index) { return model.word(index).starts_without_space || model.word(index).text.empty(); };
    for (const Paragraph &paragraph : model.paragraphs()) {
        if (paragraph.kind == ParagraphKind::Words && paragraph.first_word + paragraph.word_count > from_word) {
            run.first_word = paragraph.first_word;
            run.word_count = paragraph.word_count;
            findInRun(run, needle, from_word, matches);
        }
    }
    return matches;
}

}  // namespace braid::ui
