// What is looked at of a layer with many outputs, in one pass over its weights, is what comes of having all of them: the sum, the best, those asked for.
#include <QtTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/nn/best_outputs.h"
#include "core/nn/few_rows.h"
#include "core/nn/seen_outputs.h"

using namespace braid::nn;

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

at::Tensor random(std::mt19937 &chance, std::vector<std::int64_t> shape)
{
    std::normal_distribution<float> number;
    at::Tensor numbers = at::empty(shape, at::kFloat);
    std::generate_n(numbers.data_ptr<float>(), numbers.numel(), [&] { return number(chance); });
    return numbers;
}

// As it is defined: all outputs, sorted.
OutputSummary naive(const std::vector<float> &scores, std::int64_t best, const std::vector<std::int64_t> &asked)
{
    OutputSummary summary;
    double sum = 0;
    const float highest = *std::max_element(scores.begin(), scores.end());
    for (const float score : scores) {
        sum += std::exp(static_cast<double>(score) - static_cast<double>(highest));
    }
    summary.log_sum_exp = highest == kNever ? kNever : static_cast<float>(static_cast<double>(highest) + std::log(sum));
    std::vector<std::int64_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&scores](std::int64_t a, std::int64_t b) { return scores[static_cast<std::size_t>(a)] > scores[static_cast<std::size_t>(b)]; });
    order.resize(std::min(order.size(), static_cast<std::size_t>(best)));
    for (const std::int64_t index : order) {
        summary.best.push_back({index, scores[static_cast<std::size_t>(index)]});
    }
    for (const std::int64_t index : asked) {
        summary.asked.push_back(scores[static_cast<std::size_t>(index)]);
    }
    return summary;
}

bool near(float a, float b, float within)
{
    return a == b || std::abs(a - b) <= within;
}

// Empty where they are alike. Scores so near each other that the order of their sums decides may change places.
QString difference(const OutputSummary &ours, const OutputSummary &wanted, float within)
{
    if (!near(ours.log_sum_exp, wanted.log_sum_exp, within)) {
        return QString("sum %1 instead of %2").arg(ours.log_sum_exp).arg(wanted.log_sum_exp);
    }
    if (ours.best.size() != wanted.best.size() || ours.asked.size() != wanted.asked.size()) {
        return QString("%1 best, %2 asked").arg(ours.best.size()).arg(ours.asked.size());
    }
    for (std::size_t i = 0; i < ours.best.size(); ++i) {
        const bool is_tie = (i > 0 && near(wanted.best[i - 1].score, wanted.best[i].score, within)) ||
                            (i + 1 < wanted.best.size() ? near(wanted.best[i + 1].score, wanted.best[i].score, within) : within > 0);
        if (!near(ours.best[i].score, wanted.best[i].score, within) || (!is_tie && ours.best[i].index != wanted.best[i].index)) {
            return QString("best %1: %2 (%3) instead of %4 (%5)")
                .arg(i)
                .arg(ours.best[i].index)
                .arg(ours.best[i].score)
                .arg(wanted.best[i].index)
                .arg(wanted.best[i].score);
        }
    }
    for (std::size_t i = 0; i < ours.asked.size(); ++i) {
        if (!near(ours.asked[i], wanted.asked[i], within)) {
            return QString("asked %1: %2 instead of %3").arg(i).arg(ours.asked[i]).arg(wanted.asked[i]);
        }
    }
    return {};
}

std::vector<std::int64_t> some(std::mt19937 &chance, std::int64_t of, std::size_t count)
{
    std::vector<std::int64_t> chosen;
    for (std::size_t i = 0; i < count; ++i) {
        chosen.push_back(static_cast<std::int64_t>(chance() % static_cast<std::uint32_t>(of)));
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

}  // namespace

class tst_best_outputs : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void cleanup() { at::set_num_threads(1); }

    void ofALayerAsOfAllItsOutputs_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char *kind : {"float32", "float16", "int8", "bfloat16", "adapter", "bias"}) {
            QTest::newRow(kind) << QString(kind);
        }
    }
    void ofALayerAsOfAllItsOutputs()
    {
        QFETCH(QString, kind);
        std::mt19937 chance(static_cast<unsigned>(kind.size()) + 7);
        for (int round = 0; round < 60; ++round) {
            const std::int64_t in = kind == "int8" ? 64 : std::vector<std::int64_t>{5, 37, 64, 96}[chance() % 4];
            const std::int64_t out = std::vector<std::int64_t>{1, 3, 53, 479, 480, 481, 1000, 2710, 18400}[chance() % 9];
            const std::int64_t rows = std::vector<std::int64_t>{1, 2, 5, 6, 7, 13, 40, 97, 130}[chance() % 9];
            at::set_num_threads(round % 3 == 0 ? 3 : 1);
            const at::Tensor weight = random(chance, {out, in});
            const at::Tensor bias = kind == "bias" ? random(chance, {out}) : at::Tensor();
            at::Tensor x = random(chance, {rows, in});
            Linear layer(kind == "float16" ? weight.to(at::kHalf) : kind == "bfloat16" ? weight.to(at::kBFloat16) : weight, bias);
            if (kind == "int8") {
                layer = Linear(toInt8(weight), bias);
            } else if (kind == "bfloat16") {
                x = x.to(at::kBFloat16);
            } else if (kind == "adapter") {
                layer.setAdapter(random(chance, {in, 2}), random(chance, {2, out}));
            }
            const std::vector<std::int64_t> never = some(chance, out, chance() % 2 == 0 ? 0 : static_cast<std::size_t>(out / 2));
            std::vector<std::vector<std::int64_t>> asked;
            for (std::int64_t row = 0; chance() % 3 > 0 && row < rows; ++row) {
                asked.push_back(some(chance, out, chance() % 4));
            }
            asked.resize(asked.empty() ? 0 : static_cast<std::size_t>(rows));
            const OutputWishes wishes{static_cast<std::int64_t>(1 + chance() % 50), never, asked};
            const std::vector<OutputSummary> ours = summariseOutputs(layer, x, wishes);

            const at::Tensor all = layer(x).to(at::kFloat).contiguous();
            QCOMPARE(static_cast<std::int64_t>(ours.size()), rows);
            for (std::int64_t row = 0; row < rows; ++row) {
                std::vector<float> scores(all.data_ptr<float>() + row * out, all.data_ptr<float>() + (row + 1) * out);
                for (const std::int64_t id : never) {
                    scores[static_cast<std::size_t>(id)] = kNever;
                }
                const OutputSummary wanted = naive(scores, wishes.best, asked.empty() ? std::vector<std::int64_t>{} : asked[static_cast<std::size_t>(row)]);
                const QString wrong = difference(ours[static_cast<std::size_t>(row)], wanted, 1e-4f);
                QVERIFY2(wrong.isEmpty(), qPrintable(QString("round %1, row %2: %3").arg(round).arg(row).arg(wrong)));
            }
        }
    }

    // Equal scores, forbidden ones, ones so far apart that their exponentials neither fit a float nor reach one.
    void ofScoresThatAreThere()
    {
        std::mt19937 chance(3);
        for (int round = 0; round < 2000; ++round) {
            std::vector<float> scores(1 + chance() % 1200);
            const float spread = std::vector<float>{0, 0.5f, 3, 100, 10000}[chance() % 5];
            for (float &score : scores) {
                const int kind = static_cast<int>(chance() % 8);
                score = kind == 0  ? kNever
                        : kind < 4 ? std::round(spread * static_cast<float>(chance() % 5))
                                   : spread * static_cast<float>(chance() % 1000) / 500;
            }
            if (chance() % 20 == 0) {
                std::fill(scores.begin(), scores.end(), kNever);
            }
            const auto best = static_cast<std::int64_t>(chance() % 12);
            const OutputSummary wanted = naive(scores, best, {});
            const QString wrong = difference(summariseScores(scores, best), wanted, 0);
            const bool sum_is_near = wrong.startsWith("sum") && near(summariseScores(scores, best).log_sum_exp, wanted.log_sum_exp, 2e-6f * (10 + spread));
            QVERIFY2(wrong.isEmpty() || sum_is_near, qPrintable(QString::number(round) + ": " + wrong));
            const std::vector<OutputScore> ranked = summariseScores(scores, best).best;
            for (std::size_t i = 0; i < ranked.size(); ++i) {
                QCOMPARE(ranked[i].index, wanted.best[i].index);
            }
        }
    }

    void everyKernelOfThisProcessor()
    {
        std::mt19937 chance(5);
        const at::Tensor numbers = random(chance, {997});
        const std::vector<float> scores(numbers.data_ptr<float>(), numbers.data_ptr<float>() + numbers.numel());
        const OutputSummary wanted = naive(scores, 7, {});
        const auto check = [&](const char *name, auto run) {
            SeenOutputs seen(7);
            run(LookAtOutputs{scores.data(), 500, 0, &seen});
            run(LookAtOutputs{scores.data() + 500, 497, 500, &seen});
            QVERIFY2(difference(std::move(seen).summary(), wanted, 1e-5f).isEmpty(), name);
        };
        check("any", [](const LookAtOutputs &look) { look.run<AnyUnit>(); });
#ifdef BRAID_X86_UNITS
        if (thisProcessor() != Processor::Any) {
            check("AVX2", [](const LookAtOutputs &look) { runOnAvx2(look); });
        }
        if (thisProcessor() == Processor::Avx512) {
            check("AVX-512", [](const LookAtOutputs &look) { runOnAvx512(look); });
        }
#endif
    }
};

QTEST_APPLESS_MAIN(tst_best_outputs)
#include "tst_best_outputs.moc"
