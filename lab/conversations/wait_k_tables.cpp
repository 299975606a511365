#include "lab/conversations/wait_k_tables.h"

#include <algorithm>
#include <map>

#include "core/base/error.h"
#include "lab/conversations/causality.h"

namespace braid::conversations {
namespace {

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}
bool isMark(char c)
{
    return c == '.' || c == ',' || c == ':' || c == ';' || c == '?' || c == '!';
}

// Where the answer may be cut into segments: after a mark.
std::size_t segmentEnd(const std::vector<std::string> &cells, std::size_t start)
{
    std::size_t end = start;
    while (end < cells.size() && !isMark(cells[end].back())) {
        ++end;
    }
    return std::min(end + 1, cells.size());
}

}  // namespace

std::vector<std::string> cellsOfText(std::string_view text)
{
    std::vector<std::string> cells;
    std::size_t at = 0;
    while (at < text.size()) {
        if (isSpace(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && !isSpace(text[end])) {
            ++end;
        }
        std::size_t word_end = end;
        while (word_end > at && isMark(text[word_end - 1])) {
            --word_end;
        }
        if (word_end > at) {
            cells.push_back(" " + std::string(text.substr(at, word_end - at)));
        }
        for (std::size_t i = word_end; i < end; ++i) {
            cells.push_back(std::string(1, text[i]));
        }
        at = end;
    }
    return cells;
}

streams::TextTable waitK(const QuestionAnswer &pair, int k, Early early, const std::string &bridge)
{
    if (k < 0) {
        throw Error(ErrorKind::Usage, "an assistant cannot wait for " + std::to_string(k) + " words");
    }
    const auto question = cellsOfText(pair.question);
    const auto answer = cellsOfText(pair.answer);
    std::map<std::string, std::size_t> first_read;  // word -> the first row after it
    for (std::size_t i = question.size(); i > 0; --i) {
        first_read[plainWord(question[i - 1])] = i;
    }
    std::vector<std::string> said = cellsOfText(bridge);
    said.resize(std::max(said.size(), std::min(static_cast<std::size_t>(k), question.size())));
    for (std::size_t start = 0; start < answer.size();) {
        const std::size_t end = segmentEnd(answer, start);
        for (std::size_t i = start; early == Early::Delayed && i < end; ++i) {
            const std::string word = plainWord(answer[i]);
            const auto read = first_read.find(word);
            const bool said_before =
                std::any_of(answer.begin(), answer.begin() + static_cast<std::ptrdiff_t>(i), [&](const std::string &cell) { return plainWord(cell) == word; });
            // Word i of the segment stands i - start rows after its first.
            if (read != first_read.end() && !isFunctionWord(word) && !said_before && !word.empty() && said.size() + (i - start) < read->second) {
                said.resize(read->second - (i - start));
            }
        }
        said.insert(said.end(), answer.begin() + static_cast<std::ptrdiff_t>(start), answer.begin() + static_cast<std::ptrdiff_t>(end));
        start = end;
    }
    streams::TextTable table{{"User", "Assistant"}, {}};
    for (std::size_t row = 0; row < std::max(question.size(), said.size()); ++row) {
        table.rows.push_back({row < question.size() ? question[row] : "", row < said.size() ? said[row] : ""});
    }
    return table;
}

int smallestCausalK(const QuestionAnswer &pair)
{
    const int most = static_cast<int>(cellsOfText(pair.question).size());
    for (int k = 0; k < most; ++k) {
        if (wordsTooEarly(waitK(pair, k), {streams::StreamRole::User, streams::StreamRole::Assistant}).empty()) {
            return k;
        }
    }
    return most;
}

}  // namespace braid::conversations
