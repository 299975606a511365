#include "core/text/caption_cues.h"

#include <algorithm>
#include <utility>

#include "core/text/display_width.h"
#include "core/text/sentence_ends.h"

namespace braid::text {
namespace {

// A line feed inside a word would end the cue for whoever reads the file.
std::string inOneLine(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](unsigned char character) { return character < 0x20; }, ' ');
    return text;
}

// Cuts of `text` into two lines at a space; the most even one is the best to read.
std::size_t bestSpace(const std::string &text, std::size_t columns)
{
    std::size_t best = std::string::npos;
    std::size_t best_width = columns + 1;
    for (auto at = text.find(' '); at != std::string::npos; at = text.find(' ', at + 1)) {
        const auto width = std::max(displayWidth(std::string_view(text).substr(0, at)), displayWidth(std::string_view(text).substr(at + 1)));
        if (width < best_width) {
            best = at;
            best_width = width;
        }
    }
    return best;
}

}  // namespace

std::vector<std::string> layOutCue(const std::string &text, const CueLimits &limits)
{
    if (displayWidth(text) <= limits.line_columns) {
        return {text};
    }
    if (const auto space = bestSpace(text, limits.line_columns); space != std::string::npos) {
        return {text.substr(0, space), text.substr(space + 1)};
    }
    // No pair of lines: languages without spaces, endless words, or simply too much. Line by line, at spaces where there are any.
    std::vector<std::string> lines;
    for (std::string_view rest = text; !rest.empty();) {
        auto bytes = std::max<std::size_t>(1, bytesThatFit(rest, limits.line_columns));
        if (bytes < rest.size()) {
            if (const auto space = rest.substr(0, bytes + 1).rfind(' '); space != std::string_view::npos && space > 0) {
                bytes = space;
            }
        }
        lines.emplace_back(rest.substr(0, bytes));
        rest.remove_prefix(bytes);
        rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(' ')));
    }
    return lines;
}

CueBuilder::CueBuilder(CueLimits limits)
    : m_limits(limits)
{
}

std::vector<Cue> CueBuilder::push(const TranscriptItem &item)
{
    const auto *word = std::get_if<Word>(&item);
    if (word == nullptr) {
        m_break = true;
        return {};
    }
    if (word->text.empty()) {
        return {};  // struck out
    }
    std::vector<Cue> cues;
    if (!m_text.empty() && endsBefore(*word)) {
        if (auto cue = close(word->start_sample)) {
            cues.push_back(std::move(*cue));
        }
    }
    m_break = false;
    if (m_text.empty()) {
        m_start = std::max(word->start_sample, m_last_end);
    } else if (!word->starts_without_space) {
        m_text += ' ';
    }
    m_text += inOneLine(word->text);
    m_end = std::max(m_start, word->end_sample);
    return cues;
}

std::vector<Cue> CueBuilder::finish()
{
    std::vector<Cue> cues;
    if (auto cue = close({})) {
        cues.push_back(std::move(*cue));
    }
    return cues;
}

bool CueBuilder::endsBefore(const Word &word) const
{
    const bool too_long = word.end_sample - m_start > m_limits.longest_samples;
    const bool pause = word.start_sample - m_end > m_limits.pause_samples;
    const bool sentence = endsSentence(m_text) && displayWidth(m_text) >= m_limits.sentence_columns;
    return m_break || too_long || pause || sentence || layOutCue(m_text + (word.starts_without_space ? "" : " ") + word.text, m_limits).size() > 2;
}

std::optional<Cue> CueBuilder::close(std::optional<Sample> next_start)
{
    if (m_text.empty()) {
        return {};
    }
    Cue cue;
    cue.start_sample = m_start;
    const Sample to_read = samplesFromSeconds(static_cast<double>(displayWidth(m_text)) / m_limits.columns_per_second);
    const Sample wanted = std::min(m_start + std::max(m_limits.shortest_samples, to_read), m_end + m_limits.lingering_samples);
    cue.end_sample = std::min(std::max(m_end, wanted), m_start + m_limits.longest_samples);
    if (next_start) {
        // A word that begins before this one ended must still leave the cue some time.
        cue.end_sample = std::max(std::min(cue.end_sample, *next_start), m_start + samplesFromMs(1));
    }
    cue.lines = layOutCue(std::exchange(m_text, {}), m_limits);
    m_last_end = cue.end_sample;
    return cue;
}

}  // namespace braid::text
