// Parallel streams against numbers made from the facts of the released decoders (tests/parity/make_streams_parity.py): what is fed and seen, positions,
// stream embedding, silence stored and skipped, the silence penalty and its ramp, the order of sampling's filters.
#include <QtTest>

#include <fstream>

#include <nlohmann/json.hpp>

#include "core/base/random.h"
#include "core/streams/sampling.h"
#include "core/streams/streams_run.h"
#include "tests/core/streams/streams_of.h"
#include "tests/support/small_streams_model.h"

using namespace braid;
using namespace braid::streams;
using nlohmann::json;

class TestStreamsParity : public QObject {
    Q_OBJECT

    json m_numbers;

    static std::string textOf(const std::vector<std::int32_t> &tokens)
    {
        std::string text;
        for (const std::int32_t token : tokens) {
            text += (text.empty() ? "t" : " t") + std::to_string(token);
        }
        return text;
    }
    // The table and the probabilities of what was sampled, row by row.
    static void compare(const StreamsRun &run, const json &wanted, std::int32_t silence, std::int64_t first_sampled_row)
    {
        std::size_t next = 0;
        const auto probabilities = wanted.at("probabilities").get<std::vector<double>>();
        const auto table = wanted.at("table").get<std::vector<std::vector<std::int32_t>>>();
        for (std::size_t row = 0; row < table.size(); ++row) {
            for (std::size_t stream = 0; stream < table[row].size(); ++stream) {
                const Cell &cell = run.row(static_cast<std::int64_t>(row))[stream];
                QVERIFY2(cell.token == (table[row][stream] == silence ? -1 : table[row][stream]),
                         qPrintable(QString("row %1, stream %2").arg(row).arg(stream)));
                if (cell.source == CellSource::Sampled && static_cast<std::int64_t>(row) >= first_sampled_row) {
                    QVERIFY(std::abs(cell.probability - probabilities.at(next++)) < 1e-4);
                }
            }
        }
        QCOMPARE(next, probabilities.size());
    }

  private Q_SLOTS:
    void initTestCase()
    {
        std::ifstream file(BRAID_SOURCE_DIR "/tests/parity/streams_parity.json");
        m_numbers = json::parse(file);
    }

    void tenStreamsForm()
    {
        for (const json &wanted : m_numbers.at("rows")) {
            const auto silence = wanted.at("silence").get<std::int32_t>();
            const std::vector<int> all{0, 1, 2, 3};
            Layout layout;
            layout.name = "rows";
            layout.silence = wanted.at("skip_silence").get<bool>() ? SilenceRule::Skipped : SilenceRule::Stored;
            layout.silence_text = " t" + std::to_string(silence);
            layout.streams = {streamOf("User", StreamRole::User, all), streamOf("Output", StreamRole::Assistant, all),
                              streamOf("A", StreamRole::Assistant, all), streamOf("B", StreamRole::Assistant, all)};
            const auto warm = wanted.at("warm").get<std::vector<std::int32_t>>();
            for (std::size_t i = 0; i < warm.size(); ++i) {
                layout.streams[i + 1].warm_start = {warm[i] == silence ? "" : " t" + std::to_string(warm[i])};
            }
            layout.streams[1].penalty = {wanted.at("penalty").get<double>(), PenaltyTime::AfterUser, wanted.at("ramp").get<int>()};
            StreamsRun run(layout, test::decoderOf(test::smallStreamsLm("streams-rows/", 4)), std::make_shared<test::NumberTexts>(), {});
            for (const auto &[row, token] : wanted.at("user").items()) {
                run.sayAt(std::stoll(row), 0, "t" + std::to_string(token.get<int>()));
            }
            run.endTurnAt(wanted.at("user_ends").get<std::int64_t>(), 0);
            for (std::size_t row = 0; row < wanted.at("table").size(); ++row) {
                run.step();
            }
            compare(run, wanted, silence, 1);
        }
    }

    void systemUserAssistantsForm()
    {
        for (const json &wanted : m_numbers.at("blocks")) {
            const bool between = wanted.at("between").get<bool>();
            Layout layout;
            layout.name = "blocks";
            layout.form = VisibilityForm::Blocks;
            layout.positions = PositionRule::OwnCounter;
            layout.silence = SilenceRule::Absent;
            layout.same_step = wanted.at("same_step").get<bool>() ? SameStep::Visible : SameStep::Hidden;
            layout.between_assistants = between ? BetweenAssistants::Visible : BetweenAssistants::Hidden;
            using Seen = std::vector<int>;
            layout.streams = {streamOf("System", StreamRole::System, {0}), streamOf("User", StreamRole::User, {0, 1, 2, 3}),
                              streamOf("Assistant", StreamRole::Assistant, between ? Seen{0, 1, 2, 3} : Seen{0, 1, 2}),
                              streamOf("Audit", StreamRole::Assistant, between ? Seen{0, 1, 2, 3} : Seen{0, 1, 3})};
            const auto openings = wanted.at("openings").get<std::vector<std::vector<std::int32_t>>>();
            for (std::size_t i = 0; i < openings.size(); ++i) {
                layout.streams[i + 1].opening = textOf(openings[i]);
            }
            StreamsRun run(layout, test::decoderOf(test::smallStreamsLm("streams-blocks/", 4)), std::make_shared<test::NumberTexts>(), {});
            run.setSystem(textOf(wanted.at("system").get<std::vector<std::int32_t>>()));
            run.say(1, textOf(wanted.at("question").get<std::vector<std::int32_t>>()), TextEnd::Whole);
            for (std::size_t step = 0; step < wanted.at("table").size(); ++step) {
                run.step();
            }
            compare(run, wanted, -1, 0);
        }
    }

    void filtersInTheirOrder()
    {
        for (const json &wanted : m_numbers.at("filters")) {
            const auto logits = wanted.at("logits").get<std::vector<float>>();
            const auto probabilities = wanted.at("probabilities").get<std::vector<double>>();
            const Sampling sampling{wanted.at("temperature").get<double>(), wanted.at("top_k").get<int>(), wanted.at("top_p").get<double>()};
            Prediction prediction;
            for (std::size_t i = 0; i < logits.size(); ++i) {
                prediction.candidates.push_back({static_cast<std::int32_t>(i), logits[i]});
            }
            std::sort(prediction.candidates.begin(), prediction.candidates.end(), [](const Candidate &a, const Candidate &b) { return a.logit > b.logit; });
            constexpr int kDraws = 40'000;
            std::vector<int> drawn(logits.size(), 0);
            for (int i = 0; i < kDraws; ++i) {
                Random random(1, "parity", static_cast<std::uint64_t>(i));
                ++drawn[static_cast<std::size_t>(choose(prediction, sampling, 0, -1, 0, random).token)];
            }
            for (std::size_t i = 0; i < logits.size(); ++i) {
                if (probabilities[i] == 0) {
                    QCOMPARE(drawn[i], 0);
                }
                QVERIFY(std::abs(static_cast<double>(drawn[i]) / kDraws - probabilities[i]) < 0.012);
            }
        }
    }
};

QTEST_GUILESS_MAIN(TestStreamsParity)
#include "tst_streams_parity.moc"
