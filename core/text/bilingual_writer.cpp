#include "core/text/bilingual_writer.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/base/error.h"
#include "core/text/caption_cues.h"

namespace braid::text {
namespace {

struct Line {
    Sample start_sample = 0;
    std::string text;
};

// A line feed inside a word would end the line, or the subtitle, for whoever reads the file.
void addWord(std::string &text, const Word &word)
{
    text += (text.empty() || word.starts_without_space ? "" : " ") + word.text;
    std::replace_if(
        text.end() - static_cast<std::ptrdiff_t>(word.text.size()), text.end(), [](unsigned char character) { return character < 0x20; }, ' ');
}

// What is translated in each of the stretches that begin at `starts`, which never fall.
std::vector<std::string> shareOut(std::span<const TranscriptItem> translation, const std::vector<Sample> &starts)
{
    std::vector<std::string> shares(starts.size());
    for (const TranscriptItem &item : translation) {
        const auto *word = std::get_if<Word>(&item);
        if (word == nullptr || starts.empty()) {
            continue;
        }
        const Sample middle = word->start_sample + (word->end_sample - word->start_sample) / 2;
        const auto after = std::upper_bound(starts.begin(), starts.end(), middle);
        addWord(shares[static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, after - starts.begin() - 1))], *word);
    }
    return shares;
}

std::string bilingualText(std::span<const TranscriptItem> original, std::span<const TranscriptItem> translation)
{
    std::vector<Line> lines;
    std::vector<Sample> starts;  // of lines with words
    bool in_line = false;
    for (const TranscriptItem &item : original) {
        if (const auto *word = std::get_if<Word>(&item)) {
            if (word->text.empty()) {
                continue;  // struck out
            }
            if (!in_line) {
                lines.push_back({word->start_sample, {}});
                starts.push_back(starts.empty() ? word->start_sample : std::max(starts.back(), word->start_sample));
            }
            addWord(lines.back().text, *word);
            in_line = true;
        } else {
            in_line = false;
            if (const auto *gap = std::get_if<Gap>(&item)) {
                lines.push_back({-1, gapText(*gap)});
            }
        }
    }
    const std::vector<std::string> translated = shareOut(translation, starts);
    std::string text;
    std::size_t number = 0;
    for (const Line &line : lines) {
        text += (text.empty() ? "" : "\n") + line.text + "\n";
        if (line.start_sample >= 0) {
            const std::string &below = translated[number++];
            text += below.empty() ? "" : below + "\n";
        }
    }
    return text;
}

std::string bilingualCues(std::span<const TranscriptItem> original, std::span<const TranscriptItem> translation, TranscriptFormat format)
{
    CueBuilder builder;
    std::vector<Cue> cues;
    const auto take = [&cues](std::vector<Cue> more) { std::move(more.begin(), more.end(), std::back_inserter(cues)); };
    for (const TranscriptItem &item : original) {
        take(builder.push(item));
    }
    take(builder.finish());
    std::vector<Sample> starts;
    std::transform(cues.begin(), cues.end(), std::back_inserter(starts), [](const Cue &cue) { return cue.start_sample; });
    const std::vector<std::string> translated = shareOut(translation, starts);
    for (std::size_t index = 0; index < cues.size(); ++index) {
        if (!translated[index].empty()) {
            const std::vector<std::string> below = layOutCue(translated[index], {});
            cues[index].lines.insert(cues[index].lines.end(), below.begin(), below.end());
        }
    }
    return formatCues(cues, format);
}

}  // namespace

std::string formatBilingual(std::span<const TranscriptItem> original, std::span<const TranscriptItem> translation, TranscriptFormat format)
{
    switch (format) {
    case TranscriptFormat::Text:
        return bilingualText(original, translation);
    case TranscriptFormat::Srt:
    case TranscriptFormat::Vtt:
        return bilingualCues(original, translation, format);
    case TranscriptFormat::Json:
        break;
    }
    throw Error(ErrorKind::Usage, "both languages are written as text or as subtitles", {}, "Choose .txt, .srt or .vtt");
}

}  // namespace braid::text
