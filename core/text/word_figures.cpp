#include "core/text/word_figures.h"

#include <charconv>

namespace braid::text {
namespace {

// Whatever the locale says: a point, three digits.
std::string number(double value)
{
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 3).ptr;
    return {text, end};
}

std::string quoted(const std::string &text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string cell = "\"";
    for (const char character : text) {
        cell += character == '"' ? "\"\"" : std::string(1, character);
    }
    return cell + "\"";
}

std::string after(Sample heard, const Word &word)
{
    return heard > 0 ? number(secondsFromSamples(heard - word.end_sample)) : std::string();
}

}  // namespace

std::string wordFiguresCsv(std::span<const TranscriptItem> items)
{
    std::string table = "start_s,end_s,word,heard,probability,seen_after_s,settled_after_s,changes\r\n";
    for (const TranscriptItem &item : items) {
        if (const auto *word = std::get_if<Word>(&item)) {
            table += number(secondsFromSamples(word->start_sample)) + "," + number(secondsFromSamples(word->end_sample)) + "," + quoted(word->text) + "," +
                     quoted(word->heard) + "," + number(static_cast<double>(word->probability)) + "," + after(word->first_seen_sample, *word) + "," +
                     after(word->committed_sample, *word) + "," + std::to_string(word->revision_count) + "\r\n";
        }
    }
    return table;
}

}  // namespace braid::text
