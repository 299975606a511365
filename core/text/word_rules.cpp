#include "core/text/word_rules.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/text/unicode_classes.h"
#include "core/text/unicode_normalisation.h"
#include "core/text/utf8.h"

namespace braid::text {
namespace {

constexpr std::string_view kArrow = "->";
constexpr char32_t kMask = U'*';

std::u32string characters(std::string_view text)
{
    std::u32string points;
    for (std::size_t offset = 0; offset < text.size();) {
        const Utf8Character character = characterAt(text, offset);
        points += character.code_point;
        offset += std::max<std::size_t>(1, character.length);
    }
    return points;
}

std::string utf8(std::u32string_view points)
{
    std::string text;
    for (const char32_t point : points) {
        appendUtf8(text, point);
    }
    return text;
}

std::u32string inSmallLetters(std::u32string_view text)
{
    std::u32string small(text);
    std::transform(small.begin(), small.end(), small.begin(), lowerCase);
    return small;
}

bool isCapital(char32_t point)
{
    return lowerCase(point) != point;
}
bool isLetterOrDigit(char32_t point)
{
    return isWordCharacter(point);
}

// Words with single spaces between.
std::string tidied(std::string_view text)
{
    std::string words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_not_of(" \t\r", at);
        if (begin == std::string_view::npos) {
            break;
        }
        at = std::min(text.find_first_of(" \t\r", begin), text.size());
        words += (words.empty() ? "" : " ") + std::string(text.substr(begin, at - begin));
    }
    return words;
}

// What stands in `words` from `first` to `end`, and where each of its words begins in it.
std::u32string joined(const std::vector<Word> &words, std::size_t first, std::size_t end)
{
    std::u32string text;
    for (std::size_t i = first; i < end; ++i) {
        text += (i == first || words[i].starts_without_space ? U"" : U" ") + characters(words[i].text);
    }
    return text;
}

// Pieces of one written word: a script with spaces, and none between them.
bool hangTogether(const Word &before, const Word &after)
{
    const std::u32string left = characters(before.text);
    const std::u32string right = characters(after.text);
    const auto is_letter = [](char32_t point) { return isLetterOrDigit(point) && !isWrittenWithoutSpaces(point); };
    return after.starts_without_space && !left.empty() && !right.empty() && is_letter(left.back()) && is_letter(right.front());
}

// How many characters at the front and at the back are no letters and digits.
std::size_t marksBefore(std::u32string_view text)
{
    return static_cast<std::size_t>(std::find_if(text.begin(), text.end(), isLetterOrDigit) - text.begin());
}
std::size_t marksBehind(std::u32string_view text)
{
    return static_cast<std::size_t>(std::find_if(text.rbegin(), text.rend(), isLetterOrDigit) - text.rbegin());
}

// "'s" of a possessive, which is no part of the word.
std::size_t possessiveAt(std::u32string_view text, std::size_t end)
{
    const bool is_there = end >= 3 && (text[end - 2] == U'\'' || text[end - 2] == U'\u2019') && lowerCase(text[end - 1]) == U's';
    return is_there ? 2 : 0;
}

std::string masked(std::u32string_view said)
{
    std::u32string text(said);
    bool begins = true;
    for (char32_t &point : text) {
        const bool is_letter = isLetterOrDigit(point);
        point = is_letter && !begins ? kMask : point;
        begins = !is_letter && (begins || point == U' ');
    }
    return utf8(text);
}

// A spelling in small letters takes the capitals that were said: of a sentence's begin, or of all of it.
std::string withCapitalsOf(const std::string &written, std::u32string_view said)
{
    std::u32string text = characters(written);
    const auto letters = static_cast<std::size_t>(std::count_if(said.begin(), said.end(), isLetterOrDigit));
    if (std::any_of(text.begin(), text.end(), isCapital) || said.empty() || !isCapital(said.front())) {
        return written;
    }
    const auto capitals = static_cast<std::size_t>(std::count_if(said.begin(), said.end(), isCapital));
    const std::size_t count = capitals == letters && letters > 1 ? text.size() : 1;
    std::transform(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count), text.begin(), upperCase);
    return utf8(text);
}

Word merged(std::vector<Word> parts, std::string text)
{
    Word word = std::move(parts.front());
    std::string heard = word.text;
    float probability = word.probability;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        Word &part = parts[i];
        heard += (part.starts_without_space ? "" : " ") + part.text;
        word.end_sample = std::max(word.end_sample, part.end_sample);
        word.first_seen_sample = std::max(word.first_seen_sample, part.first_seen_sample);
        word.committed_sample = std::max(word.committed_sample, part.committed_sample);
        word.revision_count = std::max(word.revision_count, part.revision_count);
        probability += part.probability;
        word.tokens.insert(word.tokens.end(), std::make_move_iterator(part.tokens.begin()), std::make_move_iterator(part.tokens.end()));
    }
    word.probability = probability / static_cast<float>(parts.size());
    word.heard = text == heard ? std::string() : std::move(heard);
    word.text = std::move(text);
    return word;
}

}  // namespace

WordRules WordRules::parse(std::string_view list, const std::string &name)
{
    WordRules rules;
    std::size_t number = 0;
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find('\n', at), list.size());
        const std::string_view raw = list.substr(at, end - at);
        at = end + 1;
        ++number;
        const auto refuse = [&name, number](const std::string &what, const std::string &remedy) {
            throw Error(ErrorKind::Input, "line " + std::to_string(number) + " " + what, name, remedy);
        };
        const std::string line = tidied(number == 1 && raw.starts_with("\xEF\xBB\xBF") ? raw.substr(3) : raw);
        if (line.empty() || line.front() == '#') {
            continue;
        }
        if (!isValidUtf8(line) || line.find('\0') != std::string::npos) {
            refuse("is not UTF-8 text", "Save the list as UTF-8");
        }
        const std::size_t arrow = line.find(kArrow);
        const bool is_masked = line.front() == '*';
        if (!is_masked && arrow == std::string::npos) {
            refuse("says nothing to write", "Write it as \"lib torch -> libtorch\", or as \"* word\" to mask a word");
        }
        const std::string heard = tidied(is_masked ? std::string_view(line).substr(1) : std::string_view(line).substr(0, arrow));
        const std::string written = is_masked ? std::string() : tidied(std::string_view(line).substr(arrow + kArrow.size()));
        if (heard.empty() || (!is_masked && written.empty())) {
            refuse("has a side without words", "Write it as \"lib torch -> libtorch\", or as \"* word\" to mask a word");
        }
        if (std::max(heard.size(), written.size()) > kMostWordRuleBytes ||
            static_cast<std::size_t>(std::count(heard.begin(), heard.end(), ' ')) >= kMostWordsOfRule) {
            refuse("is too long",
                   "An entry has at most " + std::to_string(kMostWordsOfRule) + " words and " + std::to_string(kMostWordRuleBytes) + " bytes a side");
        }
        if (rules.m_entries.size() >= kMostWordRules) {
            refuse("is one too many", "A list has at most " + std::to_string(kMostWordRules) + " entries");
        }
        const std::u32string said = characters(heard);
        rules.insert({said, written, std::any_of(said.begin(), said.end(), isCapital)});
    }
    return rules;
}

void WordRules::insert(Entry entry)
{
    const std::u32string folded = inSmallLetters(entry.heard);
    std::vector<Entry> &same = m_entries[folded];
    const auto minds_alike = [&entry](const Entry &one) { return one.minds_case == entry.minds_case && (!one.minds_case || one.heard == entry.heard); };
    if (std::any_of(same.begin(), same.end(), minds_alike)) {
        return;  // the first one counts
    }
    for (std::size_t space = folded.find(U' '); space != std::u32string::npos; space = folded.find(U' ', space + 1)) {
        m_beginnings.insert(folded.substr(0, space));
    }
    m_longest = std::max(m_longest, folded.size());
    same.insert(entry.minds_case ? same.begin() : same.end(), std::move(entry));
}

void WordRules::add(const WordRules &more)
{
    for (const auto &[folded, entries] : more.m_entries) {
        for (const Entry &entry : entries) {
            insert(entry);
        }
    }
}

const WordRules::Entry *WordRules::entryFor(std::u32string_view said, std::u32string_view folded) const
{
    const auto same = m_entries.find(std::u32string(folded));
    if (same == m_entries.end()) {
        return nullptr;
    }
    const auto entry = std::find_if(same->second.begin(), same->second.end(), [&](const Entry &one) { return !one.minds_case || one.heard == said; });
    return entry != same->second.end() ? &*entry : nullptr;
}

WordRules::Found WordRules::longestAt(const std::vector<Word> &words, std::size_t first, std::size_t end) const
{
    Found found;
    if (first > 0 && hangTogether(words[first - 1], words[first])) {
        return found;
    }
    const std::size_t first_size = characters(words[first].text).size();
    for (std::size_t behind = first + 1; behind <= end && words[behind - 1].heard.empty(); ++behind) {
        const std::u32string text = joined(words, first, behind);
        // An entry begins in the first word and ends in the last: a word of marks alone beside it may be decided already, or come later.
        const std::size_t last_begin = text.size() - characters(words[behind - 1].text).size();
        const std::size_t before = marksBefore(text);
        if (text.size() > m_longest + before + marksBehind(text) + 2) {
            break;  // two: of a possessive
        }
        if (before == text.size() || (behind < end && hangTogether(words[behind - 1], words[behind]))) {
            continue;
        }
        const std::u32string folded = inSmallLetters(text);
        // An entry may itself begin and end with marks ("c++"): as much of them as it has belongs to it.
        const auto take = [&](std::size_t from, std::size_t until) {
            const auto part = std::u32string_view(text).substr(from, until - from);
            const Entry *entry = entryFor(part, std::u32string_view(folded).substr(from, until - from));
            if (entry != nullptr) {
                const std::string written = entry->written.empty() ? masked(part) : withCapitalsOf(entry->written, part);
                found = {behind - first, utf8(std::u32string_view(text).substr(0, from)) + written + utf8(std::u32string_view(text).substr(until))};
            }
            return entry != nullptr;
        };
        const std::size_t letters_end = text.size() - marksBehind(text);
        bool is_taken = false;
        for (std::size_t from = 0; from <= before && from < first_size && !is_taken; ++from) {
            for (std::size_t until = text.size(); until >= letters_end && until > std::max(from, last_begin) && !is_taken; --until) {
                is_taken = take(from, until);
            }
            const std::size_t possessive = possessiveAt(text, letters_end);
            is_taken = is_taken || (possessive > 0 && letters_end - possessive > std::max(from, last_begin) && take(from, letters_end - possessive));
        }
    }
    return found;
}

bool WordRules::mayGoOn(const std::vector<Word> &words, std::size_t first, std::size_t end) const
{
    if (m_beginnings.empty()) {
        return false;
    }
    const std::u32string folded = inSmallLetters(joined(words, first, end));
    for (std::size_t from = 0; from <= marksBefore(folded) && from < folded.size(); ++from) {
        if (m_beginnings.contains(folded.substr(from))) {
            return true;
        }
    }
    return false;
}

std::vector<Word> WordRules::decide(std::vector<Word> &waiting, WordsToCome to_come) const
{
    if (isEmpty()) {
        return std::exchange(waiting, {});
    }
    std::vector<Word> decided;
    std::size_t at = 0;
    while (at < waiting.size()) {
        if (to_come == WordsToCome::Maybe && mayGoOn(waiting, at, waiting.size())) {
            break;
        }
        Found found = waiting[at].heard.empty() ? longestAt(waiting, at, waiting.size()) : Found{};
        const std::size_t count = std::max<std::size_t>(1, found.words);
        if (found.words == 0) {
            decided.push_back(waiting[at]);
        } else {
            const auto begin = waiting.begin() + static_cast<std::ptrdiff_t>(at);
            decided.push_back(merged({begin, begin + static_cast<std::ptrdiff_t>(count)}, std::move(found.text)));
        }
        at += count;
    }
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(at));
    return decided;
}

Transcript WordRules::applied(const Transcript &transcript) const
{
    Transcript written;
    std::vector<Word> line;
    const auto end_line = [&] {
        for (Word &word : decide(line, WordsToCome::None)) {
            written.emplace_back(std::move(word));
        }
    };
    for (const TranscriptItem &item : transcript) {
        if (const auto *word = std::get_if<Word>(&item)) {
            line.push_back(*word);
        } else {
            end_line();
            written.push_back(item);
        }
    }
    end_line();
    return written;
}

}  // namespace braid::text
