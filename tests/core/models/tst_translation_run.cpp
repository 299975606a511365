// Every paradigm over the one cache, against slow and obvious recomputation: the equivalences of the streaming paper, on small random weights.
#include <QtTest>

#include <algorithm>
#include <numeric>
#include <random>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/base/error.h"
#include "core/models/decoder_lm/translation_run.h"
#include "tests/support/hashed_lm.h"

using namespace braid;
using namespace braid::models;
using namespace braid::paradigms;

namespace {

weights::LmConfig smallConfig(std::int64_t layers)
{
    weights::LmConfig config;
    config.family = weights::LmFamily::Qwen3;
    config.vocabulary = 61;
    config.width = 18;
    config.mlp_width = 30;
    config.layers = layers;
    config.heads = 4;
    config.key_value_heads = 2;
    config.head_width = 10;
    config.context = 512;
    config.head_norms = true;
    config.attention_scale = 1 / std::sqrt(10.0);
    config.rope.width = 10;
    config.rope.theta = 100;
    config.windows.assign(static_cast<std::size_t>(layers), 0);
    return config;
}

lm::DecoderLm smallModel(std::int64_t layers = 3)
{
    weights::LmCheckpoint checkpoint = test::hashedLm("run/", smallConfig(layers));
    return lm::DecoderLm(checkpoint, {});
}

// Tokens of a passage in segments: instruction, words, end; header, words, end.
struct Passage {
    std::vector<std::vector<std::int32_t>> source;
    std::vector<std::vector<std::int32_t>> target;

    [[nodiscard]] static std::vector<std::int64_t> lengths(const std::vector<std::vector<std::int32_t>> &segments)
    {
        std::vector<std::int64_t> result;
        for (const auto &segment : segments) {
            result.push_back(static_cast<std::int64_t>(segment.size()));
        }
        return result;
    }
    [[nodiscard]] static std::vector<std::int32_t> joined(const std::vector<std::vector<std::int32_t>> &segments, std::size_t count)
    {
        std::vector<std::int32_t> tokens;
        for (std::size_t i = 0; i < count; ++i) {
            tokens.insert(tokens.end(), segments[i].begin(), segments[i].end());
        }
        return tokens;
    }
};

Passage randomPassage(std::mt19937 &random)
{
    const auto segments = [&random](std::size_t count) {
        std::vector<std::vector<std::int32_t>> result(count);
        for (auto &segment : result) {
            segment.resize(1 + random() % 3);
            for (auto &token : segment) {
                token = static_cast<std::int32_t>(random() % 61);
            }
        }
        return result;
    };
    return {segments(4 + random() % 4), segments(4 + random() % 4)};
}

// What wait-k does, with the target given: the prediction of every target token behind the header, in order [predictions, vocabulary].
at::Tensor streamed(const lm::DecoderLm &model, const Paradigm &paradigm, const Passage &passage, std::size_t k, std::int64_t *fed = nullptr)
{
    lm::TranslationRun run(model, paradigm, 4);
    const bool one_queue = paradigm.visibility == causal();
    std::size_t read = 0;
    const auto readUpTo = [&](std::size_t segments) {
        for (; read < std::min(segments, passage.source.size()); ++read) {
            run.read(passage.source[read]);
        }
    };
    std::vector<at::Tensor> predictions;
    readUpTo(one_queue ? k + 1 : k);
    run.write(passage.target.front());
    run.feed();
    for (std::size_t word = 1; word < passage.target.size(); ++word) {
        readUpTo(k + word);
        for (const std::int32_t token : passage.target[word]) {
            predictions.push_back(run.predict());
            run.write(std::vector<std::int32_t>{token});
        }
        run.feed();
    }
    if (fed != nullptr) {
        *fed = run.tokensFed();
    }
    return at::stack(predictions);
}

// The same from the training form: all tokens at once under one mask.
at::Tensor masked(const lm::DecoderLm &model, const TrainingTokens &tokens, const std::vector<std::int32_t> &all)
{
    const auto count = static_cast<std::int64_t>(tokens.entries.size());
    const at::Tensor ids = at::empty({1, count}, at::kLong);
    const at::Tensor positions = at::empty({1, count}, at::kDouble);
    const at::Tensor seen = at::empty({1, count, count}, at::kBool);
    std::vector<std::pair<std::int64_t, std::int64_t>> rows;  // by what they predict
    for (std::int64_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        ids.data_ptr<std::int64_t>()[i] = all[static_cast<std::size_t>(tokens.token_of[at])];
        positions.data_ptr<double>()[i] = tokens.entries[at].position;
    }
    std::vector<std::uint8_t> bytes;
    visibleEntries(sourceApart(), tokens.entries, 0, 0, bytes);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t *>(seen.data_ptr<bool>()));
    const at::Tensor hidden = model.runWhole(ids, positions, {}, seen)[0];
    std::vector<std::int64_t> counting;
    for (std::int64_t i = 0; i < count; ++i) {
        if (tokens.counts[static_cast<std::size_t>(i)] != 0) {
            counting.push_back(i);
        }
    }
    return model.logits(hidden.index_select(0, at::tensor(counting)));
}

double distance(const at::Tensor &a, const at::Tensor &b)
{
    return a.sizes() == b.sizes() ? (a - b).abs().max().item<double>() : INFINITY;
}

constexpr double kSame = 2e-4;

#define VERIFY_SAME(a, b)                                                                                                                                      \
    do {                                                                                                                                                       \
        const double difference = distance(a, b);                                                                                                              \
        QVERIFY2(difference < kSame, qPrintable(QString::number(difference)));                                                                                 \
    } while (false)

}  // namespace

class tst_translation_run : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { at::set_num_threads(2); }

    // What streams from the cache is what was trained under the mask, row by row (figure 5 (c); table 2; any phi).
    void cacheEqualsTrainingMask()
    {
        const lm::DecoderLm model = smallModel();
        std::mt19937 random(1);
        for (int trial = 0; trial < 6; ++trial) {
            const Passage passage = randomPassage(random);
            const std::size_t k = 1 + random() % 3;
            std::vector<std::int32_t> all = Passage::joined(passage.source, passage.source.size());
            const std::vector<std::int32_t> target = Passage::joined(passage.target, passage.target.size());
            all.insert(all.end(), target.begin(), target.end());
            for (const Paradigm &paradigm : {groupStreaming(0), groupStreaming(0.5), groupStreaming(37), batchStreaming(Reencoding::None),
                                             withoutPositions(Removed::Source), withoutPositions(Removed::Target), withoutPositions(Removed::Both)}) {
                const TrainingTokens tokens =
                    waitKTokens(paradigm, Passage::lengths(passage.source), Passage::lengths(passage.target), static_cast<std::int64_t>(k));
                VERIFY_SAME(streamed(model, paradigm, passage, k), masked(model, tokens, all));
            }
        }
    }

    // Interleaved: the cache is one causal pass over the tokens in their order.
    void interleavedEqualsOneCausalPass()
    {
        const lm::DecoderLm model = smallModel();
        std::mt19937 random(2);
        const Passage passage = randomPassage(random);
        const std::vector<std::int64_t> source = Passage::lengths(passage.source);
        const TrainingTokens tokens = waitKTokens(interleaved(), source, Passage::lengths(passage.target), 2);
        std::vector<std::int32_t> all = Passage::joined(passage.source, passage.source.size());
        const std::vector<std::int32_t> target = Passage::joined(passage.target, passage.target.size());
        all.insert(all.end(), target.begin(), target.end());
        const auto count = static_cast<std::int64_t>(tokens.entries.size());
        const at::Tensor ids = at::empty({1, count}, at::kLong);
        std::vector<std::int64_t> counting;
        for (std::int64_t i = 0; i < count; ++i) {
            ids.data_ptr<std::int64_t>()[i] = all[static_cast<std::size_t>(tokens.token_of[static_cast<std::size_t>(i)])];
            if (tokens.counts[static_cast<std::size_t>(i)] != 0) {
                counting.push_back(i);
            }
        }
        const at::Tensor positions = at::arange(count, at::kDouble).unsqueeze(0);
        const at::Tensor hidden = model.runWhole(ids, positions, {}, at::ones({1, count, count}, at::kBool).tril())[0];
        VERIFY_SAME(streamed(model, interleaved(), passage, 2), model.logits(hidden.index_select(0, at::tensor(counting))));
    }

    // Full re-encoding: at every prediction the same as a fresh run over what is there, source then target.
    void fullReencodingEqualsFreshRuns()
    {
        const lm::DecoderLm model = smallModel();
        std::mt19937 random(3);
        const Passage passage = randomPassage(random);
        lm::TranslationRun run(model, batchStreaming(Reencoding::All), 4);
        run.read(passage.source[0]);
        run.write(passage.target[0]);
        for (std::size_t word = 1; word < std::min(passage.source.size(), passage.target.size()); ++word) {
            run.read(passage.source[word]);
            for (const std::int32_t token : passage.target[word]) {
                std::vector<std::int32_t> all = run.source();
                all.insert(all.end(), run.target().begin(), run.target().end());
                std::vector<Entry> entries;
                for (std::size_t i = 0; i < all.size(); ++i) {
                    entries.push_back({kSource, static_cast<double>(i), 0, EntryKind::Token});
                }
                nn::StreamCache fresh = model.emptyCache(64);
                const at::Tensor hidden = model.run(fresh, all, entries, causal());
                VERIFY_SAME(run.predict(), model.logits(hidden[hidden.size(0) - 1]));
                run.write(std::vector<std::int32_t>{token});
            }
        }
    }

    // The training examples of full re-encoding are those runs.
    void fullReencodingEqualsItsTrainingExamples()
    {
        const lm::DecoderLm model = smallModel();
        std::mt19937 random(4);
        const Passage passage = randomPassage(random);
        std::vector<std::int32_t> all = Passage::joined(passage.source, passage.source.size());
        const std::vector<std::int32_t> target = Passage::joined(passage.target, passage.target.size());
        all.insert(all.end(), target.begin(), target.end());
        std::vector<at::Tensor> rows;
        for (const TrainingTokens &state : reencodedTokens(Passage::lengths(passage.source), Passage::lengths(passage.target), 2)) {
            rows.push_back(masked(model, state, all));
        }
        VERIFY_SAME(streamed(model, batchStreaming(Reencoding::All), passage, 2), at::cat(rows));
    }

    // phi as long as the source is the offline batch; other phis are not.
    void groupWithPhiOfSourceLengthIsOfflineBatch()
    {
        const lm::DecoderLm model = smallModel();
        std::mt19937 random(5);
        const Passage passage = randomPassage(random);
        const auto length = static_cast<double>(Passage::joined(passage.source, passage.source.size()).size());
        const at::Tensor offline = streamed(model, offlineBatch(), passage, passage.source.size());
        VERIFY_SAME(streamed(model, groupStreaming(length), passage, passage.source.size()), offline);
        QVERIFY(distance(streamed(model, groupStreaming(0), passage, passage.source.size()), offline) > 10 * kSame);
    }

    // In a model of one layer keys and values know nothing of what was seen, so moving keys is all that encoding again would do. In deeper ones it is less.
    void positionReencodingMovesKeysOnly()
    {
        std::mt19937 random(6);
        const Passage passage = randomPassage(random);
        const lm::DecoderLm flat = smallModel(1);
        VERIFY_SAME(streamed(flat, batchStreaming(Reencoding::Positions), passage, 1), streamed(flat, batchStreaming(Reencoding::All), passage, 1));
        const lm::DecoderLm deep = smallModel(3);
        QVERIFY(distance(streamed(deep, batchStreaming(Reencoding::Positions), passage, 1), streamed(deep, batchStreaming(Reencoding::All), passage, 1)) >
                10 * kSame);
    }

    // What re-encoding costs: without, every token is fed once, and the last of each word once more.
    void tokensFedGrowOnlyWithReencoding()
    {
        const lm::DecoderLm model = smallModel(1);
        std::mt19937 random(7);
        Passage passage = randomPassage(random);
        passage.source.resize(4, {5});
        passage.target.resize(4, {6});
        std::int64_t group = 0;
        std::int64_t all = 0;
        static_cast<void>(streamed(model, groupStreaming(0), passage, 1, &group));
        static_cast<void>(streamed(model, batchStreaming(Reencoding::All), passage, 1, &all));
        const auto tokens = static_cast<std::int64_t>(Passage::joined(passage.source, 4).size() + Passage::joined(passage.target, 4).size());
        QCOMPARE(group, tokens + 3);  // before each of three words something was read
        QVERIFY(all > group);
    }

    void takingBackIsAsIfNeverWritten()
    {
        const lm::DecoderLm model = smallModel();
        for (const Paradigm &paradigm : {groupStreaming(0.5), interleaved(), batchStreaming(Reencoding::Positions), batchStreaming(Reencoding::All)}) {
            lm::TranslationRun plain(model, paradigm);
            lm::TranslationRun undone(model, paradigm);
            for (lm::TranslationRun *run : {&plain, &undone}) {
                run->read(std::vector<std::int32_t>{1, 2, 3});
                run->write(std::vector<std::int32_t>{4, 5});
            }
            static_cast<void>(undone.predict());
            undone.write(std::vector<std::int32_t>{6, 7, 8});
            static_cast<void>(undone.predict());
            undone.unwrite(3);
            VERIFY_SAME(undone.predict(), plain.predict());
            undone.read(std::vector<std::int32_t>{9});
            plain.read(std::vector<std::int32_t>{9});
            VERIFY_SAME(undone.predict(), plain.predict());
        }
    }

    // A token that was written, overtaken by a read and taken back: the one before it predicts again, having seen what was read.
    void takingBackWhatAReadOvertook()
    {
        const lm::DecoderLm model = smallModel();
        lm::TranslationRun plain(model, groupStreaming(0));
        lm::TranslationRun undone(model, groupStreaming(0));
        for (lm::TranslationRun *run : {&plain, &undone}) {
            run->read(std::vector<std::int32_t>{1, 2, 3});
            run->write(std::vector<std::int32_t>{4, 5});
            static_cast<void>(run->predict());
        }
        undone.write(std::vector<std::int32_t>{6});
        undone.read(std::vector<std::int32_t>{9});
        undone.unwrite(1);
        plain.read(std::vector<std::int32_t>{9});
        VERIFY_SAME(undone.predict(), plain.predict());
    }

    void attentionOfThePredictingToken()
    {
        const lm::DecoderLm model = smallModel();
        lm::TranslationRun run(model, groupStreaming(0));
        run.read(std::vector<std::int32_t>{1, 2, 3});
        run.write(std::vector<std::int32_t>{4, 5});
        const at::Tensor plain = run.predict();
        nn::AttentionLook look;
        VERIFY_SAME(run.predict(&look), plain);
        QCOMPARE(look.weights.size(0), 1);
        QCOMPARE(look.weights.size(1), run.cache().length());
        QVERIFY(std::abs(look.weights.sum().item<double>() - 1) < 1e-5);
        QCOMPARE(run.sourceColumns(), (std::vector<std::int64_t>{0, 1, 2}));
        nn::AttentionLook one{2, 3, nn::AttentionSummary::Max, {}};
        static_cast<void>(run.predict(&one));
        QVERIFY(std::abs(one.weights.sum().item<double>() - 1) < 1e-5);
        nn::AttentionLook highest{{}, {}, nn::AttentionSummary::Max, {}};
        static_cast<void>(run.predict(&highest));
        QVERIFY((highest.weights >= one.weights - 1e-6).all().item<bool>());
    }

    void offlineDoesNotReadOn()
    {
        const lm::DecoderLm model = smallModel(1);
        lm::TranslationRun run(model, offlineBatch());
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(run.predict()), Error);
        run.read(std::vector<std::int32_t>{1});
        run.write(std::vector<std::int32_t>{2});
        QVERIFY_EXCEPTION_THROWN(run.read(std::vector<std::int32_t>{3}), Error);
        QVERIFY_EXCEPTION_THROWN(lm::TranslationRun(model, groupStreaming(0)).read(std::vector<std::int32_t>{61}), Error);
    }

    // Gradients reach every weight through the whole form.
    void gradientsFlow()
    {
        const lm::DecoderLm model = smallModel(2);
        at::Tensor embedding = model.weights().embedding();
        embedding.requires_grad_(true);
        const at::Tensor ids = at::arange(6, at::kLong).unsqueeze(0);
        const at::Tensor hidden = model.runWhole(ids, at::arange(6, at::kDouble).unsqueeze(0), {}, at::ones({1, 6, 6}, at::kBool).tril());
        model.logits(hidden).sum().backward();
        QVERIFY(embedding.grad().defined());
        QVERIFY(embedding.grad()[3].abs().sum().item<double>() > 0);
    }
};

QTEST_GUILESS_MAIN(tst_translation_run)
#include "tst_translation_run.moc"
