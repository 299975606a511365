#include "lab/conversations/causality.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

namespace braid::conversations {
namespace {

constexpr std::string_view kFunctionWords[] = {
    "a",    "about", "all",   "also",  "am",    "an",   "and",   "any",  "are",    "as",  "at",   "be",   "because", "been", "but",  "by",
    "can",  "could", "did",   "do",    "does",  "each", "for",   "from", "had",    "has", "have", "he",   "her",     "his",  "how",  "i",
    "if",   "in",    "into",  "is",    "it",    "its",  "just",  "let",  "may",    "me",  "more", "most", "my",      "no",   "not",  "now",
    "of",   "on",    "one",   "or",    "other", "our",  "out",   "she",  "should", "so",  "some", "such", "than",    "that", "the",  "their",
    "them", "then",  "there", "these", "they",  "this", "those", "to",   "too",    "up",  "us",   "very", "was",     "we",   "were", "what",
    "when", "where", "which", "while", "who",   "why",  "will",  "with", "would",  "yes", "you",  "your", "both",    "only", "over", "under"};

}  // namespace

bool isFunctionWord(const std::string &word)
{
    return std::find(std::begin(kFunctionWords), std::end(kFunctionWords), word) != std::end(kFunctionWords);
}

std::string plainWord(std::string_view cell)
{
    const auto is_edge = [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x80 && !(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z');
    };
    while (!cell.empty() && is_edge(cell.front())) {
        cell.remove_prefix(1);
    }
    while (!cell.empty() && is_edge(cell.back())) {
        cell.remove_suffix(1);
    }
    std::string word(cell);
    for (char &c : word) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
    return word;
}

std::vector<ReadWord> wordsOf(const streams::TextTable &table, std::size_t stream)
{
    std::vector<ReadWord> words;
    std::string joined;
    const auto flush = [&] {
        if (!words.empty()) {
            words.back().word = plainWord(joined);
        }
    };
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const std::string &cell = table.rows[row][stream];
        if (cell.empty()) {
            continue;
        }
        if (cell.front() == ' ' || cell.front() == '\n' || words.empty()) {
            flush();
            joined.clear();
            words.push_back({{}, row, row});
        }
        joined += cell;
        if (!plainWord(cell).empty()) {
            words.back().whole_at = row;
        }
    }
    flush();
    std::erase_if(words, [](const ReadWord &word) { return word.word.empty(); });
    return words;
}

std::vector<TooEarly> wordsTooEarly(const streams::TextTable &table, const std::vector<streams::StreamRole> &roles, const std::set<std::string> &common)
{
    std::map<std::string, std::size_t> read_at;  // by fed streams: when a word is first whole
    std::map<std::string, std::size_t> said_at;  // by anybody
    std::vector<std::vector<ReadWord>> words;
    for (std::size_t stream = 0; stream < table.streams.size(); ++stream) {
        words.push_back(wordsOf(table, stream));
        for (const ReadWord &word : words.back()) {
            const auto earliest = [&](std::map<std::string, std::size_t> &map) {
                const auto [entry, is_new] = map.emplace(word.word, word.whole_at);
                entry->second = std::min(entry->second, word.whole_at);
            };
            if (roles[stream] != streams::StreamRole::Assistant) {
                earliest(read_at);
            }
            earliest(said_at);
        }
    }
    std::vector<TooEarly> found;
    for (std::size_t stream = 0; stream < words.size(); ++stream) {
        if (roles[stream] != streams::StreamRole::Assistant) {
            continue;
        }
        for (const ReadWord &word : words[stream]) {
            const auto read = read_at.find(word.word);
            if (read != read_at.end() && read->second >= word.row && said_at.at(word.word) >= word.row && !isFunctionWord(word.word) &&
                !common.contains(word.word)) {
                found.push_back({stream, word.row, word.word, read->second});
            }
        }
    }
    return found;
}

}  // namespace braid::conversations
