// A batch learned from in parts at the same time: nothing of it is lost, the gradient is the mean of the parts', and who is done first
// does not matter. Dropout by our own numbers.
#include <QtTest>

#include <cmath>
#include <cstring>

#include <ATen/ATen.h>

#include "core/models/whisper/streaming_mel.h"
#include "lab/train/batch_parts.h"
#include "lab/train/dropout.h"
#include "lab/train/replicas.h"
#include "tests/lab/train/tiny_dims.h"

using namespace braid;
using namespace braid::train;

namespace {

constexpr std::int64_t kBands = 5;
const TextFrame kText = {{15}, 14};

// Five windows of different lengths, a row at the end of each and one in the middle of some.
Batch batchOf(int stride)
{
    train::Random random({7, static_cast<std::uint64_t>(stride)});
    Batch batch;
    batch.window_frames = {4, 9, 7, 12, 5};
    batch.windows = static_cast<std::int64_t>(batch.window_frames.size());
    batch.frames = 12;
    batch.bands = kBands;
    batch.seconds = 37;
    batch.feature_width = 3;
    batch.mel_frames = models::whisper::melFramesOf(batch.frames, test::stridesOf(stride));
    const Sample frame = test::frameSamplesOf(stride);
    batch.chunking = captions::Chunking{frame, 3 * frame, 2 * frame};
    batch.mel.resize(static_cast<std::size_t>(batch.windows * batch.mel_frames * kBands));
    for (std::int64_t window = 0; window < batch.windows; ++window) {
        const std::int64_t own = batch.window_frames[static_cast<std::size_t>(window)];
        std::generate_n(batch.mel.begin() + window * batch.mel_frames * kBands, models::whisper::melFramesOf(own, test::stridesOf(stride)) * kBands,
                        [&] { return static_cast<float>(random.normal()); });
        for (std::int64_t t = 0; t < batch.frames; ++t) {
            batch.frame_labels.push_back(t < own ? static_cast<std::int32_t>(random.below(15)) : -1);
            batch.feature_known.push_back(t < own && t % 3 != 1 ? 1.0f : 0.0f);
            for (int i = 0; i < 3; ++i) {
                batch.features.push_back(static_cast<float>(random.normal()));
            }
        }
        if (window % 2 == 0) {
            batch.rows.push_back({window, 3, {static_cast<std::int32_t>(window)}, {1}});
        }
        batch.rows.push_back({window, own, {static_cast<std::int32_t>(window), 9, 2}, {1, 2, -1}});
    }
    return batch;
}

Network networkOf(int stride, at::ScalarType type)
{
    NetworkTypes types;
    types.parameters = types.products = type;
    Network network(test::tinyDims(stride), 5, types);
    network.addHead("frames", 12, 17, 5);
    network.addHead("features", 12, 3, 5);
    return network;
}

LossSettings settings()
{
    LossSettings all;
    all.frames = 0.7;
    all.attention = 0.3;
    all.features = 0.2;
    all.attention_heads = {{1, 0}, {0, 1}};
    return all;
}

std::map<std::string, at::Tensor> takeGradients(const Network &network)
{
    std::map<std::string, at::Tensor> gradients;
    for (const auto &[name, parameter] : network.parameters()) {
        if (parameter.grad().defined()) {
            gradients.emplace(name, parameter.grad().clone());
            at::Tensor emptied = parameter;
            emptied.mutable_grad().reset();
        }
    }
    return gradients;
}

}  // namespace

class tst_learning_in_parts : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void partsHoldWhatTheBatchHeld_data()
    {
        QTest::addColumn<int>("stride");
        QTest::newRow("20 ms frames") << 1;
        QTest::newRow("40 ms frames") << 2;
        QTest::newRow("every second frame") << 4;
    }

    void partsHoldWhatTheBatchHeld()
    {
        QFETCH(int, stride);
        const Batch batch = batchOf(stride);
        const std::vector<Batch> parts = splitBatch(batch, 2, test::stridesOf(stride));
        QCOMPARE(parts.size(), std::size_t{2});
        QCOMPARE(parts[0].window_frames, (std::vector<std::int64_t>{4, 7, 5}));
        QCOMPARE(parts[1].window_frames, (std::vector<std::int64_t>{9, 12}));
        QCOMPARE(parts[0].frames, std::int64_t{7});
        QCOMPARE(parts[0].mel_frames, models::whisper::melFramesOf(7, test::stridesOf(stride)));
        QCOMPARE(parts[0].mel.size(), static_cast<std::size_t>(3 * parts[0].mel_frames * kBands));
        QCOMPARE(parts[0].rows.size() + parts[1].rows.size(), batch.rows.size());
        QVERIFY(std::abs(parts[0].seconds - 16) < 1e-9 && std::abs(parts[1].seconds - 21) < 1e-9);
        // Window 4 of the batch is window 2 of the first part.
        QCOMPARE(parts[0].rows.back().window, std::int64_t{2});
        QCOMPARE(parts[0].rows.back().tokens, batch.rows.back().tokens);
        const std::int64_t own = models::whisper::melFramesOf(5, test::stridesOf(stride)) * kBands;
        QVERIFY(std::equal(parts[0].mel.begin() + 2 * parts[0].mel_frames * kBands, parts[0].mel.begin() + 2 * parts[0].mel_frames * kBands + own,
                           batch.mel.begin() + 4 * batch.mel_frames * kBands));
        QVERIFY(std::equal(parts[0].features.begin() + 2 * 7 * 3, parts[0].features.end(), batch.features.begin() + 4 * 12 * 3));
        QVERIFY(std::equal(parts[0].frame_labels.begin() + 2 * 7, parts[0].frame_labels.end(), batch.frame_labels.begin() + 4 * 12));
    }

    void thereAreNotMorePartsThanWindows()
    {
        QCOMPARE(splitBatch(batchOf(2), 9, {2, 2}).size(), std::size_t{5});
        QCOMPARE(splitBatch(batchOf(2), 1, {2, 2}).size(), std::size_t{1});
        QCOMPARE(splitBatch(batchOf(2), 1, {2, 2})[0].mel, batchOf(2).mel);
    }

    void everyTimePointIsInOneOfTheBatchesByPoint()
    {
        const Batch batch = batchOf(2);
        const std::vector<Batch> points = splitByPoint(batch, {2, 2});
        QCOMPARE(points.size(), std::size_t{2});
        QCOMPARE(points[0].windows, std::int64_t{5});
        QCOMPARE(points[0].mel, batch.mel);
        QCOMPARE(points[1].window_frames, (std::vector<std::int64_t>{4, 7, 5}));  // those with a second row
        QCOMPARE(points[0].seconds + points[1].seconds, batch.seconds);
        for (const TextRow &row : points[1].rows) {
            QCOMPARE(row.visible_frames, points[1].window_frames[static_cast<std::size_t>(row.window)]);
        }
        // The text's loss is a mean over tokens: together they have what the whole batch has.
        const Network network = networkOf(2, at::kDouble);
        LossSettings text_alone;
        const auto lossOf = [&](const Batch &part) {
            train::Random unused({1});
            return computeLosses(network, part, kText, text_alone, unused);
        };
        const LossParts whole = lossOf(batch);
        const LossParts first = lossOf(points[0]);
        const LossParts second = lossOf(points[1]);
        QCOMPARE(first.tokens + second.tokens, whole.tokens);
        QVERIFY(std::abs(first.text * first.tokens + second.text * second.tokens - whole.text * whole.tokens) < 1e-9);
    }

    void theGradientIsTheMeanOfTheParts()
    {
        const Batch batch = batchOf(2);
        const Network alone = networkOf(2, at::kDouble);
        std::map<std::string, at::Tensor> sum;
        double text = 0;
        for (const Batch &part : splitBatch(batch, 3, {2, 2})) {
            train::Random unused({1});
            LossParts losses = computeLosses(alone, part, kText, settings(), unused);
            losses.total.backward();
            text += losses.text / 3;
            for (const auto &[name, gradient] : takeGradients(alone)) {
                sum[name] = sum.count(name) > 0 ? sum[name] + gradient / 3 : gradient / 3;
            }
        }
        const Network network = networkOf(2, at::kDouble);
        Replicas replicas(network, 3, 1);
        const LossParts losses = replicas.learn(batch, kText, settings(), {1});
        QVERIFY(std::abs(losses.text - text) < 1e-12);
        QCOMPARE(losses.tokens, 3.0 + 5 * 4 + 3);  // a token and the end in three rows, three and the end in five
        const auto gradients = takeGradients(network);
        QCOMPARE(gradients.size(), sum.size());
        for (const auto &[name, gradient] : gradients) {
            QVERIFY2(at::allclose(gradient, sum.at(name), 1e-10, 1e-12), name.c_str());
        }
    }

    void replicasFollowTheNetwork()
    {
        const Network network = networkOf(2, at::kDouble);
        Replicas replicas(network, 2, 1);
        const double before = replicas.learn(batchOf(2), kText, settings(), {1}).text;
        for (const auto &[name, gradient] : takeGradients(network)) {
            at::Tensor value = network.parameters().at(name).detach();
            value.sub_(gradient, 0.05);
        }
        QVERIFY(replicas.learn(batchOf(2), kText, settings(), {1}).text < before);
    }

    void whoIsDoneFirstDoesNotMatter()
    {
        LossSettings with_chance = settings();
        with_chance.dropout = {0.2, 0.3, nullptr};
        with_chance.token_replacement = 0.3;
        const Network network = networkOf(2, at::kFloat);
        Replicas replicas(network, 4, 1);
        std::vector<std::map<std::string, at::Tensor>> runs;
        for (const std::uint64_t seed : {1, 1, 1, 1, 2}) {
            (void)replicas.learn(batchOf(2), kText, with_chance, {3, seed});
            runs.push_back(takeGradients(network));
        }
        const std::string name = "decoder.blocks.1.mlp.0.weight";
        for (int again = 1; again < 4; ++again) {
            for (const auto &[key, gradient] : runs[0]) {
                QVERIFY2(at::equal(gradient, runs[static_cast<std::size_t>(again)].at(key)), key.c_str());
            }
        }
        QVERIFY(!at::equal(runs[0].at(name), runs[4].at(name)));
    }

    void aFailureInAPartIsTold()
    {
        Batch batch = batchOf(2);
        batch.rows[4].tokens.resize(40, 3);  // more than the decoder's 14 places
        batch.rows[4].token_frames.resize(40, -1);
        const Network network = networkOf(2, at::kFloat);
        Replicas replicas(network, 5, 1);
        QVERIFY_THROWS_EXCEPTION(std::exception, (void)replicas.learn(batch, kText, settings(), {1}));
    }

    // A GPU's dropout draws from libtorch's generators, which are seeded together: what holds for the one of this processor holds for them.
    void libtorchDrawsWhatTheStepsSeedSays()
    {
        const Network network = networkOf(2, at::kFloat);
        Replicas replicas(network, 1, 1);
        const auto drawnAfter = [&](std::uint64_t step) {
            (void)replicas.learn(batchOf(2), kText, settings(), {1, step});
            (void)takeGradients(network);
            return at::rand({8});
        };
        const at::Tensor drawn = drawnAfter(5);
        QVERIFY(!at::equal(drawnAfter(6), drawn));
        QVERIFY(at::equal(drawnAfter(5), drawn));
    }

    void droppedAsOftenAsAskedAndTheMeanStays()
    {
        train::Random random({11});
        const at::Tensor x = at::full({100, 1003}, 2.0);
        const at::Tensor y = drop(x, 0.15, &random);
        const double zeros = at::eq(y, 0).sum().item<double>() / static_cast<double>(x.numel());
        QVERIFY2(std::abs(zeros - 0.15) < 0.004, qPrintable(QString::number(zeros)));  // three deviations
        QVERIFY(std::abs(y.mean().item<double>() - 2) < 0.01);
        const double kept = y.max().item<double>();
        QVERIFY(std::abs(kept - 2 / 0.85) < 1e-3);
        QVERIFY(at::logical_or(at::eq(y, 0), at::eq(y, kept)).all().item<bool>());
        // Neighbours are dropped independently of each other.
        const at::Tensor gone = at::eq(y, 0).to(at::kDouble);
        const double both = (gone.narrow(1, 0, 1002) * gone.narrow(1, 1, 1002)).mean().item<double>();
        QVERIFY2(std::abs(both - 0.15 * 0.15) < 0.002, qPrintable(QString::number(both)));
        QVERIFY(drop(x, 0, nullptr).is_same(x));
    }
};

QTEST_GUILESS_MAIN(tst_learning_in_parts)
#include "tst_learning_in_parts.moc"
