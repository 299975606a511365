#include "lab/conversations/quality.h"

#include <algorithm>
#include <map>

#include "core/text/utf8.h"
#include "lab/conversations/causality.h"

namespace braid::conversations {
namespace {

using Triple = std::vector<std::string>;

std::map<Triple, int> triplesOf(const streams::TextTable &table, std::size_t stream)
{
    const auto words = wordsOf(table, stream);
    std::map<Triple, int> triples;
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
        ++triples[{words[i].word, words[i + 1].word, words[i + 2].word}];
    }
    return triples;
}

int totalOf(const std::map<Triple, int> &triples)
{
    int total = 0;
    for (const auto &[triple, count] : triples) {
        total += count;
    }
    return total;
}

bool isMalformed(const std::string &cell, const streams::Stream &stream)
{
    if (!text::isValidUtf8(cell) || cell.find("\xEF\xBF\xBD") != cell.npos) {
        return true;
    }
    if (std::any_of(cell.begin(), cell.end(), [](unsigned char c) { return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F; })) {
        return true;
    }
    if (std::find(stream.stop.tokens.begin(), stream.stop.tokens.end(), cell) != stream.stop.tokens.end() || cell == stream.closing) {
        return false;
    }
    return cell.find("<|") != cell.npos || cell.find("|>") != cell.npos || cell.find("---") != cell.npos;
}

bool isComplete(const std::string &text, const streams::Stream &stream)
{
    if (std::any_of(stream.stop.tokens.begin(), stream.stop.tokens.end(), [&](const std::string &stop) { return text.ends_with(stop); })) {
        return true;
    }
    return !text.empty() && (text.back() == '.' || text.back() == '?' || text.back() == '!');
}

void checkStream(const streams::Stream &stream, const streams::TextTable &table, std::size_t index, const QualityRules &rules, std::vector<Finding> &found)
{
    const std::size_t words = table.wordsOf(index);
    if (words == 0) {
        if (rules.must_speak.contains(stream.name)) {
            found.push_back({index, Flaw::Empty, 0, {}});
        }
        return;
    }
    for (const auto &row : table.rows) {
        if (!row[index].empty() && isMalformed(row[index], stream)) {
            found.push_back({index, Flaw::Malformed, 1, text::toValidUtf8(row[index])});
            break;
        }
    }
    if (words < rules.least_words || words > rules.most_words) {
        found.push_back({index, words < rules.least_words ? Flaw::TooShort : Flaw::TooLong, static_cast<double>(words), {}});
    }
    const auto triples = triplesOf(table, index);
    const int total = totalOf(triples);
    const double looping = total == 0 ? 0 : 1 - static_cast<double>(triples.size()) / total;
    if (total >= 6 && looping > rules.most_looping) {
        found.push_back({index, Flaw::Loops, looping, {}});
    }
    if (rules.must_complete.contains(stream.name) && !isComplete(table.textOf(index), stream)) {
        found.push_back({index, Flaw::Incomplete, 1, table.textOf(index).substr(0, 200)});
    }
}

void checkEchoes(const streams::Layout &layout, const streams::TextTable &table, const QualityRules &rules, std::vector<Finding> &found)
{
    for (std::size_t a = 0; a < layout.size(); ++a) {
        const auto own = triplesOf(table, a);
        if (!layout.streams[a].isSampled() || totalOf(own) < 4) {
            continue;
        }
        for (std::size_t b = 0; b < layout.size(); ++b) {
            if (b == a || !layout.streams[b].isSampled()) {
                continue;
            }
            const auto other = triplesOf(table, b);
            int shared = 0;
            for (const auto &[triple, count] : own) {
                shared += other.contains(triple) ? count : 0;
            }
            if (const double echo = static_cast<double>(shared) / totalOf(own); echo > rules.most_echo) {
                found.push_back({a, Flaw::Echo, echo, layout.streams[b].name});
                break;
            }
        }
    }
}

}  // namespace

std::string_view nameOf(Flaw flaw) noexcept
{
    constexpr std::string_view names[] = {"malformed", "loops", "incomplete", "too short", "too long", "empty", "echo", "not parallel", "too early"};
    return names[static_cast<std::size_t>(flaw) - 1];
}

std::vector<Finding> findFlaws(const streams::Layout &layout, const streams::TextTable &given, const QualityRules &rules)
{
    const streams::TextTable table = streams::inOrderOf(layout, given, "the table");
    std::vector<Finding> found;
    std::vector<streams::StreamRole> roles;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        roles.push_back(layout.streams[i].role);
        checkStream(layout.streams[i], table, i, rules, found);
    }
    checkEchoes(layout, table, rules, found);
    const auto parallel = std::count_if(table.rows.begin(), table.rows.end(), [](const auto &row) {
        return std::count_if(row.begin(), row.end(), [](const std::string &cell) { return !cell.empty(); }) >= 2;
    });
    if (const double share = table.rows.empty() ? 0 : static_cast<double>(parallel) / static_cast<double>(table.rows.size()); share < rules.least_parallel) {
        found.push_back({layout.size(), Flaw::NotParallel, share, {}});
    }
    for (const TooEarly &early : wordsTooEarly(table, roles, rules.common)) {
        found.push_back({early.stream, Flaw::TooEarly, static_cast<double>(early.read_at - early.row), early.word});
    }
    return found;
}

}  // namespace braid::conversations
