// `braid-cli eval captions`: what a policy is asked to do, and what came of it. The command: eval_command.cpp, the tables: eval_report.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "core/metrics/word_error_rate.h"
#include "core/metrics/word_times.h"

namespace braid::cli {

struct EvalPolicy {
    std::string name;        // as it was asked for: "streaming:beam=5"
    CaptionOptions options;  // of one policy; model, device and language are those of the whole evaluation
};

// "streaming:beam=5,chunk=300,stability=paper"; `common` is what holds for all. Throws Error(Usage) naming what is possible.
[[nodiscard]] EvalPolicy parseEvalPolicy(const std::string &text, const CaptionOptions &common);

struct EvalResult {
    std::string policy;
    std::int64_t recordings = 0;
    double heard_s = 0;
    double compute_s = 0;
    metrics::WordErrors errors;
    metrics::WordErrors relative_errors;  // RWER; none for offline
    metrics::WordErrors aligned_errors;   // ARWER; none without word times
    std::vector<double> step_ms;          // of every chunk
    std::vector<double> first_word_lag_ms;  // when something first stood there, after the first word's end; by sound heard, computing not counted
    std::vector<double> seen_lag_ms;        // when a word first stood there, after its end
    std::vector<double> settled_lag_ms;     // when it could no longer change
    std::int64_t words = 0;
    std::int64_t revised_words = 0;
    std::int64_t decoder_passes = 0;
    metrics::WordTimeScore times;  // where the manifest has word times
};

struct EvalSetting {
    std::string model;
    std::string device;
    std::filesystem::path manifest;
    std::string normaliser;
    std::string utterances;  // "whole" or "voice"
    bool is_whole = true;    // false: interrupted
};

[[nodiscard]] std::string evalTable(const EvalSetting &setting, const std::vector<EvalResult> &results);
[[nodiscard]] std::string evalJson(const EvalSetting &setting, const std::vector<EvalResult> &results);

}  // namespace braid::cli
