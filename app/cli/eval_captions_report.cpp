// The figures of an evaluation as a table for people and as a JSON document.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/cli/eval_captions.h"
#include "app/cli/text_table.h"
#include "lab/metrics/percentiles.h"

namespace braid::cli {
namespace {

double mean(const std::vector<double> &values)
{
    return values.empty() ? 0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

const char *utterancesName(Utterances utterances)
{
    return utterances == Utterances::Voice ? "voice" : "whole";
}

const char *normaliserName(Normaliser normaliser)
{
    return normaliser == Normaliser::English ? "english" : "basic";
}

double realTimeFactor(const EvalResult &result)
{
    return result.heard_s > 0 ? result.compute_s / result.heard_s : 0;
}

double passesPerChunk(const EvalResult &result)
{
    return result.step_ms.empty() ? 0 : static_cast<double>(result.decoder_passes) / static_cast<double>(result.step_ms.size());
}

double revisedShare(const EvalResult &result)
{
    return result.words == 0 ? 0 : static_cast<double>(result.revised_words) / static_cast<double>(result.words);
}

nlohmann::ordered_json spread(const std::vector<double> &values)
{
    if (values.empty()) {
        return nullptr;
    }
    const auto rounded = [](double value) { return std::round(value * 1000) / 1000; };
    return {{"mean", rounded(mean(values))},
            {"p50", rounded(metrics::percentile(values, 50))},
            {"p95", rounded(metrics::percentile(values, 95))},
            {"p99", rounded(metrics::percentile(values, 99))}};
}

nlohmann::ordered_json errorsJson(const metrics::WordErrors &errors)
{
    if (errors.reference_words == 0) {
        return nullptr;
    }
    return {{"rate", errors.rate()},
            {"substitutions", errors.substitutions},
            {"insertions", errors.insertions},
            {"deletions", errors.deletions},
            {"reference_words", errors.reference_words}};
}

nlohmann::ordered_json marksJson(const metrics::MarkCounts &counts)
{
    return {{"precision", counts.precision()}, {"recall", counts.recall()}, {"f1", counts.f1()},
            {"right", counts.right},           {"given", counts.given},     {"reference", counts.reference}};
}

constexpr const char *kHowPunctuationCounts =
    "Words are aligned as for the word error rate; the mark behind each (\"!\" is a full stop) and whether it begins with a capital are compared; those of missing words count against recall, of inserted words against precision.";
constexpr const char *kPunctuationNotMeasured = "Punctuation and capitals were not measured: the references have none.";
constexpr const char *kHowLagsCount =
    "From a word's end to its first sight and to its commitment: sound heard plus computing, as if each step began when its sound was there and the step before was done; \"of sound\" is without computing. Ends are the reference's word "
    "times (of words said right), or the policy's own where the reference has none.";

const char *lagEnds(const WordLags &lags)
{
    return lags.by_policy == 0 ? "reference" : lags.by_reference == 0 ? "policy" : "both";
}

std::vector<std::string> lagRow(const EvalResult &result)
{
    std::vector<std::string> row = {result.policy, std::to_string(result.lags.seen_ms.size()), lagEnds(result.lags)};
    for (const std::vector<double> *lag : {&result.lags.seen_live_ms, &result.lags.settled_live_ms, &result.lags.seen_ms, &result.lags.settled_ms}) {
        row.push_back(cell(metrics::percentile(*lag, 50), 0));
        row.push_back(cell(metrics::percentile(*lag, 95), 0));
    }
    return row;
}

std::vector<std::string> punctuationRow(const EvalResult &result)
{
    std::vector<std::string> row = {result.policy, std::to_string(result.punctuation.texts)};
    for (const metrics::MarkCounts *counts :
         {&result.punctuation.full_stops, &result.punctuation.commas, &result.punctuation.question_marks, &result.punctuation.capitals}) {
        row.push_back(std::to_string(counts->reference));
        row.push_back(cell(100 * counts->precision(), 1, counts->given > 0));
        row.push_back(cell(100 * counts->recall(), 1, counts->reference > 0));
        row.push_back(cell(100 * counts->f1(), 1, counts->reference > 0));
    }
    return row;
}

}  // namespace

std::string evalTable(const Evaluation &evaluation)
{
    const auto &[setting, results, unreadable] = evaluation;
    std::vector<std::vector<std::string>> rows = {
        {"policy", "chunk ms", "WER %", "RWER %", "ARWER %", "RTF", "mean of chunks", "compute ms", "p50", "p95", "p99", "passes", "1st word ms", "revised %"}};
    std::vector<std::vector<std::string>> lags = {
        {"lag, ms", "words", "ends", "seen p50", "p95", "settled p50", "p95", "of sound: seen p50", "p95", "settled p50", "p95"}};
    std::vector<std::vector<std::string>> punctuation = {{"punctuation", "texts", "full stops", "P %", "R %", "F1 %", "commas", "P %", "R %", "F1 %",
                                                          "question marks", "P %", "R %", "F1 %", "capitals", "P %", "R %", "F1 %"}};
    bool has_references = false;
    std::vector<std::vector<std::string>> times = {{"word times", "P240 %", "R240 %", "P80 %", "R80 %", "start ms", "end ms", "words"}};
    std::vector<std::vector<std::string>> speechless = {{"nobody speaks", "recordings", "min", "false words", "a minute"}};
    std::vector<std::vector<std::string>> lasting = {{"long recordings", "number", "longest min", "first tenth ms", "p50", "last tenth ms", "p50"}};
    for (const EvalResult &result : results) {
        const bool streams = !result.lags.settled_ms.empty();
        rows.push_back({result.policy, cell(result.chunk_ms, 0, result.chunk_ms > 0), cell(100 * result.errors.rate(), 2, result.errors.reference_words > 0),
                        cell(100 * result.relative_errors.rate(), 2, result.relative_errors.reference_words > 0),
                        cell(100 * result.aligned_errors.rate(), 2, result.aligned_errors.reference_words > 0),
                        cell(realTimeFactor(result), 3, result.recordings > 0), cell(mean(result.chunk_rtf), 3, !result.chunk_rtf.empty()),
                        cell(mean(result.step_ms), 1), cell(metrics::percentile(result.step_ms, 50), 1), cell(metrics::percentile(result.step_ms, 95), 1),
                        cell(metrics::percentile(result.step_ms, 99), 1), cell(passesPerChunk(result), 2, result.decoder_passes > 0),
                        cell(mean(result.first_word_lag_ms), 0, streams), cell(100 * revisedShare(result), 1, streams)});
        if (streams) {
            lags.push_back(lagRow(result));
        }
        has_references = has_references || result.errors.reference_words > 0;
        if (result.punctuation.texts > 0) {
            punctuation.push_back(punctuationRow(result));
        }
        const metrics::WordTimeScore &score = result.times;
        if (score.given + score.missed > 0) {
            times.push_back({result.policy, cell(100 * score.precision(score.within_240_ms), 1), cell(100 * score.recall(score.within_240_ms), 1),
                             cell(100 * score.precision(score.within_80_ms), 1), cell(100 * score.recall(score.within_80_ms), 1),
                             cell(score.meanStartDeviation_ms(), 1), cell(score.meanEndDeviation_ms(), 1), std::to_string(score.given)});
        }
        const LongResult &over = result.long_ones;
        if (over.recordings > 0) {
            lasting.push_back({result.policy, std::to_string(over.recordings), cell(over.longest_s / 60, 1), cell(mean(over.first_tenth_ms), 1),
                               cell(metrics::percentile(over.first_tenth_ms, 50), 1), cell(mean(over.last_tenth_ms), 1),
                               cell(metrics::percentile(over.last_tenth_ms, 50), 1)});
        }
        const SpeechlessResult &silent = result.speechless;
        if (silent.recordings > 0) {
            speechless.push_back({result.policy, std::to_string(silent.recordings), cell(silent.heard_s / 60, 1), std::to_string(silent.words),
                                  cell(silent.wordsPerMinute(), 2)});
        }
    }
    std::int64_t recordings = 0;
    double heard_s = 0;
    for (const EvalResult &result : results) {
        recordings = std::max(recordings, result.recordings);
        heard_s = std::max(heard_s, result.heard_s);
    }
    char head[160];
    std::snprintf(head, sizeof head, "%lld recordings, %.1f min, %s utterances, %s normaliser%s\n", static_cast<long long>(recordings), heard_s / 60,
                  utterancesName(setting.utterances), normaliserName(setting.normaliser), setting.is_whole ? "" : ", interrupted");
    const std::string left_out = unreadable == 0 ? "" : std::to_string(unreadable) + " more could not be read and were left out\n";
    std::string text = setting.model + " on " + setting.device + ", " + setting.manifest.string() + "\n" + head + left_out + "\n" + table(rows);
    if (lags.size() > 1) {
        text += "\n" + table(lags);
        text += kHowLagsCount;
        text += "\n";
    }
    if (punctuation.size() > 1) {
        text += "\n" + table(punctuation);
        text += kHowPunctuationCounts;
        text += "\n";
    } else if (has_references) {
        text += "\n";
        text += kPunctuationNotMeasured;
        text += "\n";
    }
    if (times.size() > 1) {
        text += "\n" + table(times);
    }
    if (lasting.size() > 1) {
        text += "\n" + table(lasting);
    }
    if (speechless.size() > 1) {
        text += "\n" + table(speechless);
    }
    return text;
}

std::string evalJson(const Evaluation &evaluation)
{
    const auto &[setting, results, unreadable] = evaluation;
    nlohmann::ordered_json document = {{"format", "braid-eval-captions"},
                                       {"version", 2},
                                       {"model", setting.model},
                                       {"device", setting.device},
                                       {"manifest", setting.manifest.string()},
                                       {"normaliser", normaliserName(setting.normaliser)},
                                       {"utterances", utterancesName(setting.utterances)},
                                       {"whole", setting.is_whole},
                                       {"unreadable_recordings", unreadable},
                                       {"how_lags_count", kHowLagsCount},
                                       {"how_punctuation_counts", kHowPunctuationCounts},
                                       {"policies", nlohmann::ordered_json::array()}};
    for (const EvalResult &result : results) {
        nlohmann::ordered_json one = {{"policy", result.policy},
                                      {"chunk_ms", result.chunk_ms},
                                      {"recordings", result.recordings},
                                      {"heard_s", result.heard_s},
                                      {"wer", errorsJson(result.errors)},
                                      {"rwer", errorsJson(result.relative_errors)},
                                      {"arwer", errorsJson(result.aligned_errors)},
                                      {"real_time_factor", realTimeFactor(result)},
                                      {"real_time_factor_of_chunks", spread(result.chunk_rtf)},
                                      {"compute_ms", spread(result.step_ms)},
                                      {"chunks", result.step_ms.size()},
                                      {"decoder_passes", result.decoder_passes},
                                      {"first_word_lag_ms", spread(result.first_word_lag_ms)},
                                      {"seen_lag_ms", spread(result.lags.seen_ms)},
                                      {"settled_lag_ms", spread(result.lags.settled_ms)},
                                      {"seen_live_lag_ms", spread(result.lags.seen_live_ms)},
                                      {"settled_live_lag_ms", spread(result.lags.settled_live_ms)},
                                      {"lag_words", {{"ends_of_reference", result.lags.by_reference}, {"ends_of_policy", result.lags.by_policy}}},
                                      {"words", result.words},
                                      {"revised_words", result.revised_words}};
        const metrics::PunctuationScore &marks = result.punctuation;
        one["punctuation"] = nullptr;
        if (marks.texts > 0) {
            one["punctuation"] = {{"texts", marks.texts},
                                  {"full_stops", marksJson(marks.full_stops)},
                                  {"commas", marksJson(marks.commas)},
                                  {"question_marks", marksJson(marks.question_marks)},
                                  {"capitals", marksJson(marks.capitals)}};
        }
        const metrics::WordTimeScore &score = result.times;
        one["word_times"] = nullptr;
        if (score.given + score.missed > 0) {
            one["word_times"] = {{"precision_240_ms", score.precision(score.within_240_ms)},
                                 {"recall_240_ms", score.recall(score.within_240_ms)},
                                 {"precision_80_ms", score.precision(score.within_80_ms)},
                                 {"recall_80_ms", score.recall(score.within_80_ms)},
                                 {"start_deviation_ms", score.meanStartDeviation_ms()},
                                 {"end_deviation_ms", score.meanEndDeviation_ms()},
                                 {"given", score.given},
                                 {"paired", score.paired},
                                 {"missed", score.missed}};
        }
        one["speechless"] = nullptr;
        if (result.speechless.recordings > 0) {
            one["speechless"] = {{"recordings", result.speechless.recordings},
                                 {"heard_s", result.speechless.heard_s},
                                 {"words", result.speechless.words},
                                 {"words_per_minute", result.speechless.wordsPerMinute()}};
        }
        one["long_recordings"] = nullptr;
        if (result.long_ones.recordings > 0) {
            one["long_recordings"] = {{"recordings", result.long_ones.recordings},
                                      {"longest_s", result.long_ones.longest_s},
                                      {"first_tenth_ms", spread(result.long_ones.first_tenth_ms)},
                                      {"last_tenth_ms", spread(result.long_ones.last_tenth_ms)}};
        }
        document["policies"].push_back(std::move(one));
    }
    return document.dump(2) + "\n";
}

}  // namespace braid::cli
