// Parallel streams on a small random model: packing row by row is step-by-step decoding, in both published forms; silence that is skipped leaves no
// trace; going back, looking, and hours with a window.
#include <QtTest>

#include <ATen/ATen.h>

#include "core/base/error.h"
#include "core/base/random.h"
#include "core/streams/packing.h"
#include "core/streams/streams_run.h"
#include "tests/core/streams/streams_of.h"
#include "tests/support/small_streams_model.h"

using namespace braid;
using namespace braid::streams;

namespace {

constexpr std::int32_t kSilence = 5;
constexpr float kClose = 2e-4F;

Layout layoutOf(VisibilityForm form, SilenceRule silence, PositionRule positions)
{
    Layout layout;
    layout.name = "four";
    layout.form = form;
    layout.silence = silence;
    layout.silence_text = silence == SilenceRule::Absent ? "" : " t5";
    layout.positions = positions;
    const std::vector<int> all{0, 1, 2, 3};
    layout.streams = {streamOf("System", StreamRole::System, form == VisibilityForm::Blocks ? std::vector<int>{0} : all),
                      streamOf("User", StreamRole::User, all), streamOf("Answer", StreamRole::Assistant, all),
                      streamOf("Audit", StreamRole::Assistant, {1, 2, 3})};
    if (form == VisibilityForm::Blocks) {
        layout.streams[1].opening = "t11";
        layout.streams[2].opening = "t12 t13";
        layout.streams[3].opening = "t14";
    }
    return layout;
}

TokenTable randomTable(Random &random, const Layout &layout, int rows)
{
    TokenTable table;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        std::vector<std::int32_t> column(static_cast<std::size_t>(rows), TokenTable::kSilent);
        const bool in_rows = layout.form == VisibilityForm::Rows;
        const int ends = random.whole(rows / 2, rows);
        for (int row = 0; row < rows; ++row) {
            const bool speaks = in_rows ? random.chance(0.6) : i > 0 && row < ends && (i > 1 || random.chance(0.7));
            if (speaks) {
                column[static_cast<std::size_t>(row)] = random.whole(16, 60);
            }
        }
        table.columns.push_back(column);
        table.streams.push_back(layout.streams[i].name);
    }
    return table;
}

std::vector<std::vector<std::int32_t>> before(const Layout &layout)
{
    std::vector<std::vector<std::int32_t>> tokens(layout.size());
    if (layout.form == VisibilityForm::Blocks) {
        tokens = {{3, 8, 2}, {11}, {12, 13}, {14}};
    }
    return tokens;
}

// float32 [tokens, vocabulary] of the packed sequence in one pass, as a trainer computes it.
at::Tensor whole(const models::lm::DecoderLm &model, const Layout &layout, const PackedTokens &packed)
{
    const auto count = static_cast<std::int64_t>(packed.size());
    const at::Tensor tokens = at::empty({1, count}, at::kLong);
    const at::Tensor stream = at::empty({1, count}, at::kLong);
    const at::Tensor positions = at::empty({1, count}, at::kFloat);
    const at::Tensor seen = at::zeros({1, count, count}, at::kBool);
    const paradigms::Visibility visibility = visibilityOf(layout);
    for (std::int64_t q = 0; q < count; ++q) {
        const auto index = static_cast<std::size_t>(q);
        tokens[0][q] = packed.tokens[index];
        stream[0][q] = packed.entries[index].stream;
        positions[0][q] = packed.entries[index].position;
        for (std::int64_t k = 0; k < count; ++k) {
            seen[0][q][k] = packed.attends(visibility, index, static_cast<std::size_t>(k));
        }
    }
    return model.logits(model.runWhole(tokens, positions, stream, seen))[0];
}

at::Tensor logitsOf(const Prediction &prediction)
{
    const at::Tensor logits = at::zeros({61});
    for (const Candidate &candidate : prediction.candidates) {
        logits[candidate.token] = candidate.logit;
    }
    return logits;
}

// All candidates of every stream that is asked, row after row, fed as a session feeds a table. Silence of streams that are not sampled is left out where
// it is skipped, as a session leaves it out.
struct Walked {
    std::vector<std::vector<Prediction>> rows;  // predictions made from before row 0, row 0, row 1, ...
    std::int64_t entries = 0;
};
Walked walk(models::lm::StreamsDecoder &decoder, const Layout &layout, const PackedTokens &packed, const std::vector<int> &asked)
{
    Walked walked;
    decoder.begin(visibilityOf(layout), layout.size());
    for (std::size_t at = 0; at < packed.size();) {
        std::vector<StreamInput> inputs;
        const std::int64_t step = packed.entries[at].step;
        for (; at < packed.size() && packed.entries[at].step == step; ++at) {
            inputs.push_back({packed.tokens[at], packed.entries[at]});
        }
        PredictionRequest request;
        request.silence_token = layout.silence == SilenceRule::Absent ? -1 : kSilence;
        for (const int stream : asked) {
            if (std::any_of(inputs.begin(), inputs.end(), [stream](const StreamInput &input) { return input.entry.stream == stream; })) {
                request.streams.push_back(stream);
            }
        }
        walked.rows.push_back(decoder.feed(inputs, request));
    }
    walked.entries = decoder.entries();
    return walked;
}

}  // namespace

class TestStreamsDecoder : public QObject {
    Q_OBJECT

    std::shared_ptr<const models::lm::DecoderLm> m_model = test::smallStreamsLm("decoder/", 4);

    struct Form {
        const char *name;
        VisibilityForm form;
        SilenceRule silence;
        PositionRule positions;
    };
    static std::vector<Form> forms()
    {
        return {{"ten streams: rows, silence stored", VisibilityForm::Rows, SilenceRule::Stored, PositionRule::Row},
                {"rows, silence skipped", VisibilityForm::Rows, SilenceRule::Skipped, PositionRule::Row},
                {"rows, own counters, silence skipped", VisibilityForm::Rows, SilenceRule::Skipped, PositionRule::OwnCounter},
                {"system, user, assistants: blocks", VisibilityForm::Blocks, SilenceRule::Absent, PositionRule::OwnCounter}};
    }

  private Q_SLOTS:
    void packingRowByRowIsDecodingStepByStep_data()
    {
        QTest::addColumn<int>("form");
        QTest::addColumn<int>("window");
        for (int i = 0; i < static_cast<int>(forms().size()); ++i) {
            QTest::addRow("%s", forms()[static_cast<std::size_t>(i)].name) << i << 0;
            QTest::addRow("%s, window", forms()[static_cast<std::size_t>(i)].name) << i << 3;
        }
    }
    void packingRowByRowIsDecodingStepByStep()
    {
        QFETCH(int, form);
        QFETCH(int, window);
        const Form chosen = forms()[static_cast<std::size_t>(form)];
        Layout layout = layoutOf(chosen.form, chosen.silence, chosen.positions);
        layout.window_rows = window;
        checkLayout(layout, "test");
        Random random(3, chosen.name);
        for (int round = 0; round < 4; ++round) {
            if (round == 3 && chosen.form == VisibilityForm::Blocks) {
                layout.same_step = SameStep::Visible;
            }
            const TokenTable table = randomTable(random, layout, random.whole(2, 9));
            const PackedTokens packed = pack(layout, table, before(layout), {.silence_token = kSilence});
            const at::Tensor at_once = whole(*m_model, layout, packed);
            const auto decoder = test::decoderOf(m_model);
            const Walked walked = walk(*decoder, layout, packed, {2, 3});
            std::size_t compared = 0;
            std::size_t at = 0;
            for (const auto &predictions : walked.rows) {
                const std::int64_t step = packed.entries[at].step;
                std::map<int, std::size_t> last;
                for (; at < packed.size() && packed.entries[at].step == step; ++at) {
                    last[packed.entries[at].stream] = at;
                }
                for (const Prediction &prediction : predictions) {
                    const at::Tensor wanted = at_once[static_cast<std::int64_t>(last.at(prediction.stream))];
                    QCOMPARE(prediction.candidates.size(), std::size_t(61));
                    const float distance = (logitsOf(prediction) - wanted).abs().max().item<float>();
                    QVERIFY2(distance < kClose, std::to_string(distance).c_str());
                    const at::Tensor logs = at::log_softmax(wanted, 0);
                    QVERIFY(std::abs(prediction.log_sum - (wanted - logs)[0].item<double>()) < 1e-3);
                    QVERIFY(std::abs(prediction.entropy + (logs.exp() * logs).sum().item<double>()) < 1e-3);
                    ++compared;
                }
            }
            QVERIFY(compared >= 2);
        }
    }

    void aSilentStreamChangesNeitherMemoryNorTheOthers()
    {
        const Layout layout = layoutOf(VisibilityForm::Rows, SilenceRule::Skipped, PositionRule::Row);
        Random random(4, "silent");
        TokenTable table = randomTable(random, layout, 12);
        table.columns[3].assign(12, TokenTable::kSilent);
        const PackedTokens packed = pack(layout, table, {}, {.silence_token = kSilence});
        PackedTokens without = packed;  // as if there were no such stream, and nobody's silence but the answer's were fed
        for (std::size_t i = without.size(); i-- > 0;) {
            if (without.entries[i].stream == 3) {
                without.tokens.erase(without.tokens.begin() + static_cast<std::ptrdiff_t>(i));
                without.entries.erase(without.entries.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        const auto decoder = test::decoderOf(m_model);
        const Walked with_it = walk(*decoder, layout, packed, {2});
        const Walked without_it = walk(*decoder, layout, without, {2});
        QCOMPARE(with_it.entries, without_it.entries);
        std::int64_t words = 0;
        for (const auto &column : table.columns) {
            words += std::count_if(column.begin(), column.end(), [](std::int32_t token) { return token >= 0; });
        }
        QCOMPARE(with_it.entries, words);
        for (std::size_t row = 0; row < with_it.rows.size(); ++row) {
            QVERIFY((logitsOf(with_it.rows[row][0]) - logitsOf(without_it.rows[row][0])).abs().max().item<float>() < kClose);
        }
        // Where silence is stored it is memory, and it is heard.
        Layout stored = layout;
        stored.silence = SilenceRule::Stored;
        const Walked heard = walk(*decoder, stored, pack(stored, table, {}, {.silence_token = kSilence}), {2});
        QCOMPARE(heard.entries, std::int64_t(4 * 12));
        QVERIFY((logitsOf(heard.rows.back()[0]) - logitsOf(with_it.rows.back()[0])).abs().max().item<float>() > 1e-2F);
    }

    void fewCandidatesAreTheFirstOnesAndSilence()
    {
        const Layout layout = layoutOf(VisibilityForm::Rows, SilenceRule::Skipped, PositionRule::Row);
        const auto decoder = test::decoderOf(m_model);
        decoder->begin(visibilityOf(layout), 4);
        const std::vector<StreamInput> row{{20, {1, 0, 0}}, {30, {2, 0, 0}}, {31, {3, 0, 0}}};
        const auto all = decoder->feed(row, {{2, 3}, 0, kSilence});
        decoder->begin(visibilityOf(layout), 4);
        const auto few = decoder->feed(row, {{3}, 4, kSilence});
        QCOMPARE(few.size(), std::size_t(1));
        QVERIFY(few[0].candidates.size() == 4 || few[0].candidates.size() == 5);
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(few[0].candidates[i].token, all[1].candidates[i].token);
        }
        QVERIFY(std::any_of(few[0].candidates.begin(), few[0].candidates.end(), [](const Candidate &c) { return c.token == kSilence; }));
        QVERIFY(std::is_sorted(all[0].candidates.begin(), all[0].candidates.end(), [](const Candidate &a, const Candidate &b) { return a.logit > b.logit; }));
    }

    void goingBackIsFreeAndExact()
    {
        for (const Form &form : forms()) {
            Layout layout = layoutOf(form.form, form.silence, form.positions);
            layout.window_rows = form.form == VisibilityForm::Rows ? 6 : 0;
            layout.streams[2].sampling = {0.9, 20, 0.95};
            const auto texts = std::make_shared<test::NumberTexts>();
            const auto run = [&](StreamsRun &r, int rows, const char *words) {
                r.say(1, words, TextEnd::Whole);
                for (int i = 0; i < rows; ++i) {
                    r.step();
                }
            };
            StreamsRun straight(layout, test::decoderOf(m_model), texts, {});
            StreamsRun crooked(layout, test::decoderOf(m_model), texts, {});
            for (StreamsRun *r : {&straight, &crooked}) {
                run(*r, 10, "t20 t21 t22");
            }
            run(crooked, 100, "t40 t41");  // so far that with a window the row to go back to has been forgotten
            crooked.rewind(9);
            run(straight, 6, "t33 t34");
            run(crooked, 6, "t33 t34");
            for (std::int64_t row = 0; row < 16; ++row) {
                for (std::size_t stream = 0; stream < 4; ++stream) {
                    QCOMPARE(crooked.row(row)[stream].token, straight.row(row)[stream].token);
                    QVERIFY(std::abs(crooked.row(row)[stream].probability - straight.row(row)[stream].probability) < 1e-4);
                }
            }
        }
    }

    // What a token attended to, long after: as in the one pass of the packed sequence.
    void aLookIsWhatTheTokenSawThen()
    {
        for (const Form &form : forms()) {
            const Layout layout = layoutOf(form.form, form.silence, form.positions);
            Random random(5, form.name);
            const TokenTable table = randomTable(random, layout, 8);
            const PackedTokens packed = pack(layout, table, before(layout), {.silence_token = kSilence});
            const auto decoder = test::decoderOf(m_model);
            static_cast<void>(walk(*decoder, layout, packed, {}));
            const std::int64_t entries = decoder->entries();
            for (const LookOptions &options :
                 {LookOptions{}, LookOptions{1, {}, LookSummary::Mean}, LookOptions{2, 3, LookSummary::Mean}, LookOptions{{}, {}, LookSummary::Greatest}}) {
                nn::AttentionLook wanted;
                if (options.layer) {
                    wanted.layer = *options.layer;
                }
                if (options.head) {
                    wanted.head = *options.head;
                }
                wanted.summary = options.summary == LookSummary::Mean ? nn::AttentionSummary::Mean : nn::AttentionSummary::Max;
                nn::StreamCache cache = m_model->emptyCache(16);
                static_cast<void>(m_model->run(cache, packed.tokens, packed.entries, visibilityOf(layout), &wanted));
                for (const std::size_t q : {packed.size() / 3, packed.size() / 2, packed.size() - 1}) {
                    const auto attended = decoder->look({packed.tokens[q], packed.entries[q]}, options);
                    std::vector<float> expected;
                    for (std::size_t k = 0; k < packed.size(); ++k) {
                        if (packed.attends(visibilityOf(layout), q, k)) {
                            expected.push_back(wanted.weights[static_cast<std::int64_t>(q)][static_cast<std::int64_t>(k)].item<float>());
                        }
                    }
                    QCOMPARE(attended.size(), expected.size());
                    std::vector<float> found;
                    for (const AttendedEntry &entry : attended) {
                        found.push_back(entry.weight);
                    }
                    std::sort(found.begin(), found.end());
                    std::sort(expected.begin(), expected.end());
                    for (std::size_t i = 0; i < found.size(); ++i) {
                        QVERIFY(std::abs(found[i] - expected[i]) < 1e-4F);
                    }
                }
            }
            QCOMPARE(decoder->entries(), entries);  // nothing has changed
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(decoder->look({packed.tokens[0], packed.entries[0]}, {7, {}, LookSummary::Mean})), Error);
            QVERIFY_EXCEPTION_THROWN(static_cast<void>(decoder->look({packed.tokens[0], packed.entries[0]}, {0, 4, LookSummary::Mean})), Error);
        }
    }

    // Far more rows than the model has positions: with a window the cache stays as large as the window.
    void aLongConversationIsFlatWithAWindow()
    {
        Layout layout = layoutOf(VisibilityForm::Rows, SilenceRule::Stored, PositionRule::Row);
        layout.window_rows = 40;
        const auto decoder = test::decoderOf(test::smallStreamsLm("long/", 4, 1));
        StreamsRun run(layout, decoder, std::make_shared<test::NumberTexts>(), {});
        std::int64_t most = 0;
        for (int row = 0; row < 3000; ++row) {
            QCOMPARE(run.step(), StepResult::Row);
            most = std::max(most, decoder->entries());
            static_cast<void>(run.takeEvents());
        }
        QVERIFY2(most <= 4 * (40 + 64) * 4 / 3 + 4, std::to_string(most).c_str());  // the window, rows to look back at, and a third more
        // What is still in the window can be looked at, what has left it cannot.
        QVERIFY(!decoder->look(*run.explains(2990, 2), {}).empty());
        QVERIFY(decoder->look(*run.explains(100, 2), {}).empty());
    }

    void withoutAWindowTheModelsLimitIsTheEnd()
    {
        const Layout layout = layoutOf(VisibilityForm::Rows, SilenceRule::Skipped, PositionRule::Row);
        StreamsRun run(layout, test::decoderOf(test::smallStreamsLm("long/", 4, 1)), std::make_shared<test::NumberTexts>(), {});
        std::int64_t rows = 0;
        while (run.step() == StepResult::Row) {
            ++rows;
        }
        QCOMPARE(rows, std::int64_t(511));
        QCOMPARE(run.takeEvents().back().reason, EndReason::ContextFull);
    }

    void moreStreamsThanTheModelHasAreRefused()
    {
        const auto decoder = test::decoderOf(m_model);
        QVERIFY_EXCEPTION_THROWN(decoder->begin(paradigms::parallelRows(), 5), Error);
        decoder->begin(paradigms::parallelRows(), 3);
    }
};

QTEST_GUILESS_MAIN(TestStreamsDecoder)
#include "tst_streams_decoder.moc"
