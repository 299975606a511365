// `braid-cli eval translation`: quality against latency, for several k and paradigms on the same sentences.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/choices.h"
#include "app/cli/model_options.h"
#include "app/cli/sub_commands.h"
#include "app/cli/terminal.h"
#include "app/cli/text_lines.h"
#include "app/cli/text_table.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/paradigms/paradigm.h"
#include "lab/evaluation/translation_evaluation.h"

namespace braid::cli {
namespace {

enum class Report : std::uint8_t { Text = 1, Json };
constexpr int kWholeSentence = translation::kMaxK;

struct Pair {
    std::string source;
    std::string reference;
};

struct EvalTranslationOptions {
    std::vector<std::string> files;  // pairs, or source and reference
    TranslatorChoice translator;
    std::vector<int> ks = {1, 3, 5, 7, 9};
    std::vector<std::string> paradigms = {"group"};
    std::vector<double> offsets = {0};  // phi of group streaming
    translation::WaitKSettings wait_k;
    std::size_t limit = 0;  // pairs; 0: all
    std::size_t every = 1;  // one of so many
    double unit_ms = 400;   // 150 words a minute
    Report report = Report::Text;
    bool shows_texts = false;
    bool is_quiet = false;
};

struct Row {
    std::string paradigm;
    double phi = 0;
    int k = 0;
    evaluation::TranslationScores scores;
    translation::TranslationCost cost;
};

std::vector<Pair> readPairs(const EvalTranslationOptions &options)
{
    std::vector<Pair> pairs;
    const std::vector<std::string> first = linesOf(options.files.front());
    const std::vector<std::string> second = options.files.size() > 1 ? linesOf(options.files[1]) : std::vector<std::string>();
    if (options.files.size() > 1 && first.size() != second.size()) {
        throw Error(ErrorKind::Input, "it has " + std::to_string(second.size()) + " lines, but the source has " + std::to_string(first.size()),
                    options.files[1], "Source and reference must go line by line");
    }
    for (std::size_t i = 0; i < first.size(); ++i) {
        const auto tab = first[i].find('\t');
        if (options.files.size() == 1 && tab == std::string::npos) {
            throw Error(ErrorKind::Input, "line " + std::to_string(i + 1) + " has no tab", options.files.front(),
                        "Each line is a source, a tab and its reference; or give two files");
        }
        const bool is_in = i % options.every == 0 && (options.limit == 0 || pairs.size() < options.limit);
        if (is_in) {
            pairs.push_back(options.files.size() > 1 ? Pair{first[i], second[i]}
                                                     : Pair{first[i].substr(0, tab), first[i].substr(tab + 1, first[i].find('\t', tab + 1) - tab - 1)});
        }
    }
    if (pairs.empty()) {
        throw Error(ErrorKind::Input, "there are no sentences in it", options.files.front());
    }
    return pairs;
}

// 128, 0.5
std::string shortest(double number)
{
    char text[32];
    std::snprintf(text, sizeof text, "%g", number);
    return text;
}

double nowSeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Evaluator {
  public:
    Evaluator(const EvalTranslationOptions &options, const models::ModelAccess &access)
        : m_options(options)
        , m_pairs(readPairs(options))
        , m_choice(options.translator.found(access))
        , m_device(access.loader->describe(m_choice.device))
        , m_model(access.loader->loadLanguageModel(m_choice, {}, {}))
    {
    }

    [[nodiscard]] int run()
    {
        Interrupts interrupts;
        for (const std::string &paradigm : m_options.paradigms) {
            // All is read before anything is written: k means nothing there.
            const std::vector<int> ks = paradigm == "offline" ? std::vector<int>{kWholeSentence} : m_options.ks;
            models::TranslatorOptions translator = m_options.translator.options;
            translator.paradigm = paradigm;
            for (const double phi : paradigm == "group" ? m_options.offsets : std::vector<double>{0}) {
                translator.phi = phi;
                for (const int k : ks) {
                    if (interrupts.count() > 0) {
                        break;
                    }
                    m_rows.push_back(evaluate(m_model->makeTranslator(translator), paradigm, phi, k, interrupts));
                }
            }
        }
        std::fputs((m_options.report == Report::Json ? json() : text()).c_str(), stdout);
        return 0;
    }

  private:
    [[nodiscard]] Row evaluate(std::unique_ptr<translation::TranslationModel> model, const std::string &paradigm, double phi, int k, Interrupts &interrupts)
    {
        const bool by_characters = m_options.wait_k.target_unit == translation::ReadingUnit::Characters;
        Row row{paradigm,
                phi,
                k,
                evaluation::TranslationScores(by_characters ? metrics::BleuTokenisation::Characters : metrics::BleuTokenisation::Mteval13a,
                                              by_characters ? metrics::LagUnit::Characters : metrics::LagUnit::Words, m_options.unit_ms),
                {}};
        translation::WaitKSettings settings = m_options.wait_k;
        settings.k = k;
        evaluation::TranslationEvaluator evaluator(std::move(model), settings, m_options.unit_ms, nowSeconds);
        for (const Pair &pair : m_pairs) {
            if (interrupts.count() > 0) {
                break;
            }
            const evaluation::EvaluatedSentence sentence = evaluator.evaluate(pair.source);
            row.scores.add(sentence, pair.reference);
            if (m_options.shows_texts) {
                std::fprintf(stderr, "%s k=%d\n  %s\n  = %s\n  > %s\n", paradigm.c_str(), k, pair.source.c_str(), pair.reference.c_str(),
                             sentence.hypothesis.c_str());
            } else if (!m_options.is_quiet && isTerminal(Stream::Error)) {
                std::fprintf(stderr, "\r\x1b[K%s, k = %d: %lld of %zu", paradigm.c_str(), k, static_cast<long long>(row.scores.sentences()), m_pairs.size());
            }
        }
        if (!m_options.is_quiet && isTerminal(Stream::Error)) {
            std::fputs("\r\x1b[K", stderr);
        }
        row.cost = evaluator.cost();
        return row;
    }

    [[nodiscard]] static double fedPerToken(const Row &row)
    {
        return row.scores.targetTokens() > 0 ? static_cast<double>(row.cost.tokens_fed) / static_cast<double>(row.scores.targetTokens()) : 0;
    }

    [[nodiscard]] static double tokensPerCall(const Row &row)
    {
        return row.cost.target_passes > 0 ? static_cast<double>(row.scores.targetTokens()) / static_cast<double>(row.cost.target_passes) : 0;
    }

    [[nodiscard]] std::string text() const
    {
        std::vector<std::vector<std::string>> rows = {{"paradigm", "phi", "k", "BLEU", "chrF", "AL ref", "AL hyp", "LAAL", "DAL", "LAAL CA ms", "tokens/s",
                                                       "fed/token", "calls/word", "tokens/call", "cut"}};
        for (const Row &row : m_rows) {
            const metrics::LagScores lag = row.scores.lag();
            rows.push_back({row.paradigm, row.paradigm == "group" ? shortest(row.phi) : "", row.k == kWholeSentence ? "all" : std::to_string(row.k),
                            cell(row.scores.bleu(), 2), cell(row.scores.chrf(), 2), cell(lag.average_lagging_reference, 2),
                            cell(lag.average_lagging_hypothesis, 2), cell(lag.length_adaptive, 2), cell(lag.differentiable, 2),
                            cell(row.scores.computationAwareLag().length_adaptive, 0), cell(row.scores.tokensPerSecond(), 1), cell(fedPerToken(row), 2),
                            cell(row.scores.callsPerWord(row.cost.target_passes), 2), cell(tokensPerCall(row), 2), std::to_string(row.scores.cutShort())});
        }
        char heading[300];
        std::snprintf(heading, sizeof heading, "%s on %s, %zu sentences of %s; lag in source words, LAAL CA in ms at %.0f ms a word\n",
                      models::modelName(m_choice.path).c_str(), m_device.c_str(), m_pairs.size(), m_options.files.front().c_str(), m_options.unit_ms);
        return heading + table(rows);
    }

    [[nodiscard]] std::string verificationName() const
    {
        for (const auto &[name, verification] : drafting::kVerifications) {
            if (verification == m_options.translator.options.drafting.verification) {
                return std::string(name);
            }
        }
        return {};
    }

    [[nodiscard]] std::string json() const
    {
        using Json = nlohmann::ordered_json;
        const auto rounded = [](double value) { return std::round(value * 1000) / 1000; };
        const auto lagJson = [&](const metrics::LagScores &lag) {
            return Json{{"al_reference_length", rounded(lag.average_lagging_reference)},
                        {"al_hypothesis_length", rounded(lag.average_lagging_hypothesis)},
                        {"laal", rounded(lag.length_adaptive)},
                        {"dal", rounded(lag.differentiable)},
                        {"ap", rounded(lag.proportion)}};
        };
        Json document = {{"format", "braid-eval-translation"},
                         {"version", 1},
                         {"model", models::modelName(m_choice.path)},
                         {"device", m_device},
                         {"files", m_options.files},
                         {"sentences", m_pairs.size()},
                         {"phi", m_options.offsets.front()},
                         {"unit_ms", m_options.unit_ms},
                         {"heads", m_options.translator.options.drafting.heads},
                         {"verify", verificationName()},
                         {"bleu_signature", "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp"},
                         {"results", Json::array()}};
        for (const Row &row : m_rows) {
            document["results"].push_back({{"paradigm", row.paradigm},
                                           {"phi", row.phi},
                                           {"k", row.k},
                                           {"sentences", row.scores.sentences()},
                                           {"bleu", rounded(row.scores.bleu())},
                                           {"chrf", rounded(row.scores.chrf())},
                                           {"lag_units", lagJson(row.scores.lag())},
                                           {"lag_ms_computation_aware", lagJson(row.scores.computationAwareLag())},
                                           {"compute_s", rounded(row.scores.computeSeconds())},
                                           {"tokens_per_second", rounded(row.scores.tokensPerSecond())},
                                           {"target_tokens", row.scores.targetTokens()},
                                           {"tokens_fed", row.cost.tokens_fed},
                                           {"passes", row.cost.passes},
                                           {"decoder_calls", row.cost.target_passes},
                                           {"calls_per_word", rounded(row.scores.callsPerWord(row.cost.target_passes))},
                                           {"tokens_per_call", rounded(tokensPerCall(row))},
                                           {"cut_short", row.scores.cutShort()}});
        }
        return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
    }

    const EvalTranslationOptions &m_options;
    std::vector<Pair> m_pairs;
    models::ModelChoice m_choice;
    std::string m_device;
    std::shared_ptr<models::LanguageModel> m_model;
    std::vector<Row> m_rows;
};

}  // namespace

void addEvalTranslation(CLI::App &eval, Run &chosen, const models::ModelAccess &access)
{
    const auto options = std::make_shared<EvalTranslationOptions>();
    auto *command = eval.add_subcommand("translation", "Quality against latency: BLEU, chrF and lag for a list of k and paradigms");
    command->add_option("FILE", options->files, "Pairs (a line is source, tab, reference), or two files: source and reference, line by line")
        ->required()
        ->expected(1, 2);
    declareTranslator(*command, options->translator);
    command->remove_option(command->get_option("--paradigm"));
    command->remove_option(command->get_option("--offset"));
    command->add_option("--offset,--offsets", options->offsets, "phi: where the target's positions begin in group streaming; a list sweeps it (default 0)")
        ->delimiter(',')
        ->expected(1, 100);
    command->add_option("--wait-k", options->ks, "Words read before the first is written (default 1 3 5 7 9); 1000: the whole sentence")
        ->delimiter(',')
        ->expected(1, 100);
    command->add_option("--paradigms", options->paradigms, paradigms::paradigmNames() + " (default group)")->delimiter(',')->expected(1, 100);
    const Choices<translation::ReadingUnit> units = {{"words", translation::ReadingUnit::Words}, {"characters", translation::ReadingUnit::Characters}};
    addChoice(*command, "--source-unit", options->wait_k.source_unit, units, "What is read at a time (default words)");
    addChoice(*command, "--target-unit", options->wait_k.target_unit, units, "What is written and counted (default words)");
    command->add_option("--limit", options->limit, "So many sentences at most");
    command->add_option("--every", options->every, "One sentence of so many")->check(CLI::Range(std::size_t{1}, std::size_t{1} << 40U));
    command->add_option("--word-ms", options->unit_ms, "How long a source word takes to arrive, for the computation-aware lag")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1e6));
    addChoice(*command, "--format", options->report, Choices<Report>{{"text", Report::Text}, {"json", Report::Json}}, "A table (default) or a JSON document");
    addFlag(*command, "--texts", "Show every sentence, its reference and its translation");
    addFlag(*command, "--quiet", "No progress");
    command->callback([command, options, &chosen, &access] {
        options->shows_texts = command->count("--texts") > 0;
        options->is_quiet = command->count("--quiet") > 0;
        chosen = [options, &access] {
            for (const double phi : options->offsets) {
                options->translator.options.phi = phi;
                requireOffsetIsUsed(options->translator.options, options->paradigms);
            }
            for (const int k : options->ks) {
                translation::WaitKSettings settings = options->wait_k;
                settings.k = k;
                translation::requireUsable(settings);
            }
            return Evaluator(*options, access).run();
        };
    });
}

}  // namespace braid::cli
