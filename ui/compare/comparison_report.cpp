#include "ui/compare/comparison_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/text/transcript_json.h"

namespace braid::ui {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double value, int digits)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.*f", digits, value);
    return text;
}

double rounded(double value)
{
    return std::round(value * 1000) / 1000;
}

// One line: a name, then both sides in columns.
std::string row(const std::string &name, const std::string &left, const std::string &right)
{
    const auto padded = [](const std::string &text, std::size_t width) {
        return text.size() < width ? text + std::string(width - text.size(), ' ') : text + " ";
    };
    std::string line = padded(name, 26) + padded(left, 30) + right;
    return line + "\n";
}

std::string plainText(const ComparisonSide &side)
{
    std::string text;
    std::size_t word = 0;
    for (const auto &item : side.transcript) {
        const auto *said = std::get_if<text::Word>(&item);
        if (said == nullptr) {
            text += "\n";
            continue;
        }
        if (!text.empty() && text.back() != '\n' && !said->starts_without_space) {
            text += ' ';
        }
        // What the other side has differently stands in braces.
        const bool differs = word < side.differs.size() && side.differs[word];
        text += differs ? "{" + said->text + "}" : said->text;
        ++word;
    }
    return text;
}

Json sideAsJson(const ComparisonSide &side)
{
    const SideFigures &f = side.figures;
    Json json = {{"policy", side.policy},
                 {"words", f.words},
                 {"differing_words", f.differing_words},
                 {"revisions", f.revisions},
                 {"first_word_lag_s", rounded(f.first_word_s)},
                 {"mean_seen_lag_s", rounded(f.seen_s)},
                 {"mean_settled_lag_s", rounded(f.settled_s)},
                 {"real_time_factor", rounded(f.real_time_factor)},
                 {"step_ms_median", rounded(f.step_ms_median)},
                 {"step_ms_p95", rounded(f.step_ms_p95)},
                 {"steps", f.steps},
                 {"decoder_steps", f.decoder_steps},
                 {"items", Json::array()}};
    std::size_t word = 0;
    for (const auto &item : side.transcript) {
        Json entry = text::itemToJson(item);
        if (std::holds_alternative<text::Word>(item)) {
            if (word < side.differs.size() && side.differs[word]) {
                entry["differs"] = true;
            }
            ++word;
        }
        json["items"].push_back(std::move(entry));
    }
    return json;
}

}  // namespace

namespace {

struct Mean {
    double sum = 0;
    double squares = 0;
    std::int64_t count = 0;

    void add(double value)
    {
        sum += value;
        squares += value * value;
        ++count;
    }
    [[nodiscard]] double value() const { return count > 0 ? sum / static_cast<double>(count) : 0; }
    [[nodiscard]] double standardError() const
    {
        const auto n = static_cast<double>(count);
        return count > 1 ? std::sqrt(std::max(0.0, squares / n - value() * value()) / (n - 1)) : 0;
    }
};

}  // namespace

SideFigures figuresOf(const text::Transcript &transcript, const captions::Statistics &statistics, const std::vector<bool> &differs)
{
    SideFigures figures;
    Mean seen_s;
    Mean settled_s;
    for (const auto &item : transcript) {
        const auto *word = std::get_if<text::Word>(&item);
        if (word == nullptr) {
            continue;
        }
        const double seen = secondsFromSamples(word->first_seen_sample - word->end_sample);
        if (figures.words == 0) {
            figures.first_word_s = seen;
        }
        seen_s.add(seen);
        settled_s.add(secondsFromSamples(word->committed_sample - word->end_sample));
        ++figures.words;
    }
    figures.seen_s = seen_s.value();
    figures.seen_error_s = seen_s.standardError();
    figures.settled_s = settled_s.value();
    figures.settled_error_s = settled_s.standardError();
    for (const bool differing : differs) {
        figures.differing_words += differing ? 1 : 0;
    }
    figures.revisions = statistics.revisions;
    figures.real_time_factor = statistics.real_time_factor;
    figures.step_ms_median = statistics.step_ms_median;
    figures.step_ms_p95 = statistics.step_ms_p95;
    figures.steps = statistics.steps;
    figures.decoder_steps = statistics.decoder_steps;
    return figures;
}

std::string comparisonAsText(const ComparisonReport &report)
{
    const SideFigures &l = report.left.figures;
    const SideFigures &r = report.right.figures;
    std::string text = "Braid: two policies on the same sound\n\n";
    text += "source  " + report.source + "\nmodel   " + report.model + "\nheard   " + number(report.heard_s, 1) + " s\n";
    text += report.turns == ComparisonTurns::Together ? "Both ran at the same time and shared the machine.\n\n" : "They ran one after the other.\n\n";
    text += row("", report.left.policy, report.right.policy);
    text += row("words", std::to_string(l.words), std::to_string(r.words));
    text += row("differing words", std::to_string(l.differing_words), std::to_string(r.differing_words));
    text += row("revisions", std::to_string(l.revisions), std::to_string(r.revisions));
    text += row("first word seen after", number(l.first_word_s, 2) + " s", number(r.first_word_s, 2) + " s");
    text += row("words seen after, mean", number(l.seen_s, 2) + " s", number(r.seen_s, 2) + " s");
    text += row("words settled after, mean", number(l.settled_s, 2) + " s", number(r.settled_s, 2) + " s");
    text += row("real-time factor", number(l.real_time_factor, 3), number(r.real_time_factor, 3));
    text += row("step, median", number(l.step_ms_median, 1) + " ms", number(r.step_ms_median, 1) + " ms");
    text += row("step, 95 % within", number(l.step_ms_p95, 1) + " ms", number(r.step_ms_p95, 1) + " ms");
    text += row("decoder passes", std::to_string(l.decoder_steps), std::to_string(r.decoder_steps));
    text += "\nThey differ in " + std::to_string(report.differing_places) + " places; differing words stand in braces.\n";
    text += "\n--- " + report.left.policy + "\n" + plainText(report.left) + "\n\n--- " + report.right.policy + "\n" + plainText(report.right) + "\n";
    return text;
}

std::string comparisonAsJson(const ComparisonReport &report)
{
    const Json json = {{"format", "braid-comparison"},
                       {"version", 1},
                       {"source", report.source},
                       {"model", report.model},
                       {"heard_s", rounded(report.heard_s)},
                       {"turns", report.turns == ComparisonTurns::Together ? "together" : "one after the other"},
                       {"differing_places", report.differing_places},
                       {"left", sideAsJson(report.left)},
                       {"right", sideAsJson(report.right)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void saveComparison(const ComparisonReport &report, const std::filesystem::path &file)
{
    const std::string ending = file.extension().string();
    if (ending != ".txt" && ending != ".json") {
        throw Error(ErrorKind::Usage, "the ending \"" + ending + "\" says no kind of comparison", file.string(), "End the name with .txt or .json");
    }
    writeFileAtomically(file, ending == ".json" ? comparisonAsJson(report) : comparisonAsText(report));
}

}  // namespace braid::ui
