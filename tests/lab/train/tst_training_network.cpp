// The trainer's forward pass, losses, gradients and optimizers: against the program's own encoder and decoder, against PyTorch, against
// finite differences and against formulas written down by hand. Every size is different.
#include <QtTest>

#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/models/whisper/decoder.h"
#include "core/models/whisper/encoder.h"
#include "core/models/whisper/streaming_mel.h"
#include "lab/train/losses.h"
#include "lab/train/network.h"
#include "lab/train/optimizer.h"
#include "tests/lab/train/tiny_dims.h"
#include "tests/support/hashed_whisper.h"

using namespace braid;
using namespace braid::train;

namespace {

constexpr std::int64_t kWidth = 7;
const std::vector<std::int64_t> kWindows = {7, 11};

at::Tensor hashedTensor(const std::string &name, at::IntArrayRef shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        count *= size;
    }
    const std::vector<float> numbers = test::hashedNumbers(name, static_cast<std::size_t>(count));
    return at::from_blob(const_cast<float *>(numbers.data()), shape, at::kFloat).clone();
}

void setParameter(Network &network, const std::string &name, const at::Tensor &value)
{
    at::Tensor into = network.parameters().at(name).detach();
    into.copy_(value);
}

// Weights and heads as tests/parity/make_training_parity.py makes them.
Network hashedNetwork(int stride, const NetworkTypes &types)
{
    const std::string tag = "train" + std::to_string(stride) + "/";
    const weights::WhisperCheckpoint checkpoint = test::HashedWhisper(tag, test::tinyDims(stride)).take();
    Network network(checkpoint, types);
    for (const auto &[name, out] : {std::pair<std::string, std::int64_t>{"frames", 17}, {"features", kWidth}}) {
        network.addHead(name, 12, out, 1);
        setParameter(network, "heads." + name + ".weight", hashedTensor(tag + "heads." + name + ".weight", {out, 12}) * 0.5);
        setParameter(network, "heads." + name + ".bias", hashedTensor(tag + "heads." + name + ".bias", {out}) * 0.125);
    }
    return network;
}

captions::Chunking chunkingOf(int stride)
{
    const Sample frame = test::frameSamplesOf(stride);
    return {frame, 3 * frame, 2 * frame};
}

std::int64_t melFramesOf(std::int64_t frames, int stride)
{
    return models::whisper::melFramesOf(frames, test::stridesOf(stride));
}

at::Tensor melOf(int stride, std::size_t window)
{
    return hashedTensor("mel" + std::to_string(stride) + "/" + std::to_string(window), {melFramesOf(kWindows[window], stride), 5});
}

// The batch that the script computes without padding.
Batch hashedBatch(int stride)
{
    Batch batch;
    batch.windows = 2;
    batch.bands = 5;
    batch.frames = 11;
    batch.mel_frames = melFramesOf(11, stride);
    batch.window_frames = kWindows;
    batch.chunking = chunkingOf(stride);
    batch.mel.resize(static_cast<std::size_t>(2 * batch.mel_frames * 5), 0.0f);
    batch.feature_width = kWidth;
    batch.features.resize(2 * 11 * kWidth, 0.0f);
    batch.feature_known.resize(2 * 11, 0.0f);
    for (std::size_t window = 0; window < 2; ++window) {
        const at::Tensor mel = melOf(stride, window);
        std::copy_n(mel.data_ptr<float>(), mel.numel(), batch.mel.begin() + static_cast<std::ptrdiff_t>(window) * batch.mel_frames * 5);
        const at::Tensor goal = hashedTensor("goal" + std::to_string(window), {kWindows[window], kWidth});
        std::copy_n(goal.data_ptr<float>(), goal.numel(), batch.features.begin() + static_cast<std::ptrdiff_t>(window) * 11 * kWidth);
        for (std::int64_t t = 0; t < kWindows[window]; ++t) {
            batch.feature_known[window * 11 + static_cast<std::size_t>(t)] = t % 3 != 1 ? 1.0f : 0.0f;
        }
    }
    batch.rows = {{0, 3, {4, 9}, {1, 2}}, {0, 7, {4, 9, 2, 2}, {1, 2, 5, -1}}, {1, 5, {}, {}}, {1, 11, {1, 13, 0}, {3, 7, 10}}};
    batch.frame_labels = {14, 4, 4, 9, 2, 2, 14, -1, -1, -1, -1, 14, -1, 1, 1, 14, 13, 13, 13, 0, 0, 14};
    return batch;
}

const TextFrame kText = {{15, 16}, 14};

LossSettings settingsOfScript()
{
    LossSettings settings;
    settings.text = 1;
    settings.frames = 0.7;
    settings.attention = 0.3;
    settings.features = 0.5;
    settings.label_smoothing = 0.1;
    settings.attention_heads = {{0, 1}, {1, 0}};
    return settings;
}

double totalLoss(const Network &network, const Batch &batch, const LossSettings &settings)
{
    train::Random random({1});
    return computeLosses(network, batch, kText, settings, random).total.item<double>();
}

double distance(const at::Tensor &a, const at::Tensor &b)
{
    return a.sizes() == b.sizes() ? (a.detach().to(at::kDouble) - b.detach().to(at::kDouble)).abs().max().item<double>() : INFINITY;
}

const std::vector<std::string> kAdapted = {"encoder.blocks.0.attn.query", "encoder.blocks.1.attn.out", "decoder.blocks.0.attn.value",
                                           "decoder.blocks.1.cross_attn.key"};

weights::WhisperCheckpoint adaptedCheckpoint(int stride)
{
    test::HashedWhisper whisper("adapted/", test::tinyDims(stride));
    for (const std::string &name : kAdapted) {
        whisper.addAdapter(name, 4);
    }
    return whisper.take();
}

const NetworkTypes kDouble = {at::kCPU, at::kDouble, at::kDouble};

}  // namespace

class tst_training_network : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void maskAsThePaperDefinesIt();
    void equalsTheProgramsEncoderAndDecoder_data();
    void equalsTheProgramsEncoderAndDecoder();
    void whatPadsAWindowDoesNotMatter();
    void lossesAndGradientsOfPyTorch_data();
    void lossesAndGradientsOfPyTorch();
    void gradientsByFiniteDifferences();
    void onlyAdaptersAreTrainedWhereThereAreSome();
    void replacedTokensAreNeverTargets();
    void bfloat16ProductsStayClose();
    void adamAsDefined();
    void muonStepsAreOrthogonal_data();
    void muonStepsAreOrthogonal();
    void muonTakesTurnsAndReachesEveryMatrix();
    void gradientsAreClippedTogether();
    void aStepWithoutNumbersIsLeftOut();
};

void tst_training_network::maskAsThePaperDefinesIt()
{
    // Equation 11: tau 3 frames, tau_0 6, on 14 frames; frame i sees j where its block is not before j's, or both lie in the first tau_0.
    const captions::Chunking chunking{320, 6 * 320, 3 * 320};
    const at::Tensor mask = blockMask(std::vector<std::int64_t>{14}, 14, chunking, at::kFloat);
    for (std::int64_t i = 0; i < 14; ++i) {
        for (std::int64_t j = 0; j < 14; ++j) {
            const bool is_open = i / 3 >= j / 3 || (i < 6 && j < 6);
            QCOMPARE(mask[0][0][i][j].item<float>(), is_open ? 0.0f : -std::numeric_limits<float>::infinity());
        }
    }
    QVERIFY(!blockMask(std::vector<std::int64_t>{14, 14}, 14, std::nullopt, at::kFloat).defined());
    const at::Tensor padded = blockMask(std::vector<std::int64_t>{4, 9}, 9, std::nullopt, at::kFloat);
    for (std::int64_t i = 0; i < 9; ++i) {
        for (std::int64_t j = 0; j < 9; ++j) {
            QCOMPARE(std::isinf(padded[0][0][i][j].item<float>()), j >= 4);
            QCOMPARE(padded[1][0][i][j].item<float>(), 0.0f);
        }
    }
}

void tst_training_network::equalsTheProgramsEncoderAndDecoder_data()
{
    QTest::addColumn<int>("stride");
    QTest::addColumn<std::int64_t>("chunk_samples");
    for (const int stride : {1, 2, 4}) {
        const Sample frame = test::frameSamplesOf(stride);
        for (const std::int64_t chunk : {frame, frame * 25 / 16, 3 * frame}) {
            QTest::addRow("stride %d, chunks of %lld samples", stride, static_cast<long long>(chunk)) << stride << chunk;
        }
    }
}

void tst_training_network::equalsTheProgramsEncoderAndDecoder()
{
    QFETCH(int, stride);
    QFETCH(std::int64_t, chunk_samples);
    const c10::NoGradGuard no_gradients;
    const NetworkTypes types;
    Network network(adaptedCheckpoint(stride), types);
    QCOMPARE(network.adapterRank(), 4);
    weights::WhisperCheckpoint checkpoint = adaptedCheckpoint(stride);
    const nn::Placement placement;
    models::whisper::Encoder encoder(checkpoint, placement);
    models::whisper::Decoder decoder(checkpoint, placement);
    encoder.switchAdapters(nn::AdapterState::On);
    decoder.switchAdapters(nn::AdapterState::On);

    const captions::Chunking chunking{test::frameSamplesOf(stride), 3 * test::frameSamplesOf(stride), chunk_samples};
    Batch batch = hashedBatch(stride);
    const at::Tensor mel = at::from_blob(batch.mel.data(), {2, batch.mel_frames, 5}, at::kFloat).clone();
    const at::Tensor encoded = network.encode(mel, kWindows, chunking);
    const std::vector<std::vector<std::int32_t>> rows = {{15, 16, 4, 9, 2}, {15, 16, 1, 13, 0}};
    const std::vector<std::int64_t> visible = {5, 11};
    const at::Tensor tokens = at::tensor(std::vector<std::int64_t>{15, 16, 4, 9, 2, 15, 16, 1, 13, 0}, at::kLong).view({2, 5});
    const DecodedRows decoded = network.decode(encoded, tokens, std::vector<std::int64_t>{0, 1}, visible);
    const at::Tensor logits = network.logits(decoded.hidden);
    for (std::size_t window = 0; window < 2; ++window) {
        const auto index = static_cast<std::int64_t>(window);
        const at::Tensor wanted = encoder.masked(melOf(stride, window).t(), models::whisper::blockEnds(chunking, kWindows[window]));
        const double difference = distance(encoded[index].narrow(0, 0, kWindows[window]), wanted);
        QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference)));
        const models::whisper::SoundCache sound = decoder.listen(wanted.narrow(0, 0, visible[window]));
        nn::SelfCache cache = decoder.emptyCache(1);
        const at::Tensor hidden = decoder.run(sound, cache, rows[window]);
        const double hidden_difference = distance(decoded.hidden[index], hidden[0]);
        QVERIFY2(hidden_difference < 1e-5, qPrintable(QString::number(hidden_difference)));
        QVERIFY(distance(logits[index], decoder.logits(hidden)[0]) < 5e-5);  // twelve products of numbers up to 1.5 and 3
    }
}

void tst_training_network::whatPadsAWindowDoesNotMatter()
{
    const c10::NoGradGuard no_gradients;
    for (const int stride : {1, 2, 4}) {
        const Network network = hashedNetwork(stride, kDouble);
        const Batch batch = hashedBatch(stride);
        Batch littered = batch;
        for (std::int64_t i = melFramesOf(7, stride) * 5; i < batch.mel_frames * 5; ++i) {
            littered.mel[static_cast<std::size_t>(i)] = 100.0f;  // behind the shorter window
        }
        for (std::size_t t = 7; t < 11; ++t) {
            std::fill_n(littered.features.begin() + static_cast<std::ptrdiff_t>(t * kWidth), kWidth, 50.0f);
        }
        QCOMPARE(totalLoss(network, littered, settingsOfScript()), totalLoss(network, batch, settingsOfScript()));
    }
}

void tst_training_network::lossesAndGradientsOfPyTorch_data()
{
    QTest::addColumn<int>("stride");
    QTest::newRow("20 ms frames") << 1;
    QTest::newRow("40 ms frames") << 2;
}

void tst_training_network::lossesAndGradientsOfPyTorch()
{
    QFETCH(int, stride);
    const auto all = nlohmann::json::parse(readTextFile(BRAID_SOURCE_DIR "/tests/parity/training_parity.json"));
    const auto &wanted = all["stride" + std::to_string(stride)];
    const Network network = hashedNetwork(stride, kDouble);
    train::Random random({1});
    const LossParts parts = computeLosses(network, hashedBatch(stride), kText, settingsOfScript(), random);
    const auto close = [](double got, double expected) { return std::abs(got - expected) <= 1e-9 * std::max(1.0, std::abs(expected)); };
    const std::pair<const char *, double> all_parts[] = {
        {"text", parts.text}, {"frames", parts.frames}, {"attention", parts.attention}, {"features", parts.features}};
    for (const auto &[name, got] : all_parts) {
        const double expected = wanted["parts"][name].get<double>();
        QVERIFY2(close(got, expected), qPrintable(QStringLiteral("%1: %2 for %3").arg(QLatin1String(name)).arg(got, 0, 'g', 15).arg(expected, 0, 'g', 15)));
    }
    QCOMPARE(parts.tokens, 13.0);
    parts.total.backward();
    std::set<std::string> seen;
    for (const auto &[name, value] : network.parameters()) {
        if (!value.requires_grad()) {
            continue;
        }
        QVERIFY2(wanted["gradients"].contains(name), name.c_str());
        seen.insert(name);
        const at::Tensor gradient = value.grad().reshape({-1});
        const at::Tensor probe = hashedTensor("probe/" + name, {gradient.numel()}).to(at::kDouble);
        QVERIFY2(close(at::norm(gradient).item<double>(), wanted["gradients"][name][0].get<double>()), name.c_str());
        QVERIFY2(close(at::dot(gradient, probe).item<double>(), wanted["gradients"][name][1].get<double>()), name.c_str());
    }
    QCOMPARE(seen.size(), wanted["gradients"].size());
}

void tst_training_network::gradientsByFiniteDifferences()
{
    // Adapters too, which the script does not have.
    Network network = hashedNetwork(2, kDouble);
    network.addAdapters(3, 9);
    for (const auto &[name, value] : network.parameters()) {
        if (name.find(".lora_B") != name.npos) {
            setParameter(network, name, hashedTensor("B/" + name, value.sizes()) * 0.3);
        }
        at::Tensor all = value;
        all.requires_grad_(name != "encoder.positional_embedding");
    }
    const Batch batch = hashedBatch(2);
    const LossSettings settings = settingsOfScript();
    train::Random random({1});
    computeLosses(network, batch, kText, settings, random).total.backward();
    const c10::NoGradGuard no_gradients;
    train::Random choice({77});
    constexpr double kStep = 1e-5;
    for (const auto &[name, value] : network.parameters()) {
        if (!value.requires_grad()) {
            continue;
        }
        at::Tensor flat = value.detach().view({-1});
        const std::int64_t at = choice.below(flat.numel());
        const double before = flat[at].item<double>();
        flat[at] = before + kStep;
        const double above = totalLoss(network, batch, settings);
        flat[at] = before - kStep;
        const double below = totalLoss(network, batch, settings);
        flat[at] = before;
        const double measured = (above - below) / (2 * kStep);
        const double computed = value.grad().reshape({-1})[at].item<double>();
        QVERIFY2(std::abs(measured - computed) < 1e-6 + 1e-5 * std::abs(computed),
                 qPrintable(QStringLiteral("%1: %2 for %3").arg(QString::fromStdString(name)).arg(computed).arg(measured)));
    }
}

void tst_training_network::onlyAdaptersAreTrainedWhereThereAreSome()
{
    Network network = hashedNetwork(2, kDouble);
    const Batch batch = hashedBatch(2);
    const double before = totalLoss(network, batch, settingsOfScript());
    network.addAdapters(3, 9);
    QCOMPARE(totalLoss(network, batch, settingsOfScript()), before);  // B begins as zero
    int adapters = 0;
    for (const auto &[name, value] : network.parameters()) {
        const bool is_adapter = name.find(".lora_") != name.npos;
        QCOMPARE(value.requires_grad(), is_adapter || name.starts_with("heads."));
        adapters += is_adapter ? 1 : 0;
    }
    QCOMPARE(adapters, 2 * 4 * (2 + 2 + 2));  // A and B of query, key, value and out: encoder, decoder, cross
    QVERIFY(network.hasParameter("decoder.blocks.1.cross_attn.out.lora_A"));
    QVERIFY_THROWS_EXCEPTION(Error, network.addAdapters(5, 9));
}

void tst_training_network::replacedTokensAreNeverTargets()
{
    const Network network = hashedNetwork(2, kDouble);
    const c10::NoGradGuard no_gradients;
    LossSettings settings = settingsOfScript();
    settings.token_replacement = 0.9;
    train::Random one({3});
    train::Random same({3});
    train::Random other({4});
    const double first = computeLosses(network, hashedBatch(2), kText, settings, one).text;
    QCOMPARE(computeLosses(network, hashedBatch(2), kText, settings, same).text, first);
    QVERIFY(computeLosses(network, hashedBatch(2), kText, settings, other).text != first);
    // A row without tokens has nothing to replace; its prompt and end stay.
    Batch empty = hashedBatch(2);
    empty.rows = {{1, 5, {}, {}}};
    settings.attention = 0;
    train::Random a({5});
    train::Random b({6});
    QCOMPARE(computeLosses(network, empty, kText, settings, a).text, computeLosses(network, empty, kText, settings, b).text);
}

void tst_training_network::bfloat16ProductsStayClose()
{
    const c10::NoGradGuard no_gradients;
    NetworkTypes types;
    const double exact = totalLoss(hashedNetwork(2, types), hashedBatch(2), settingsOfScript());
    types.products = at::kBFloat16;
    const double coarse = totalLoss(hashedNetwork(2, types), hashedBatch(2), settingsOfScript());
    QVERIFY2(coarse != exact && std::abs(coarse - exact) < 0.05 * exact, qPrintable(QString::number(coarse - exact)));
}

void tst_training_network::adamAsDefined()
{
    const at::Tensor parameter = hashedTensor("parameter", {3, 4}).to(at::kDouble);
    const at::Tensor start = parameter.clone();
    at::Tensor trained = parameter;
    trained.requires_grad_(true);
    OptimizerSettings settings;
    settings.weight_decay = 0.1;
    Optimizer optimizer({{"encoder.blocks.0.attn.query.weight", trained}}, settings);
    at::Tensor mean = at::zeros_like(start);
    at::Tensor square = at::zeros_like(start);
    at::Tensor expected = start.clone();
    for (int step = 1; step <= 3; ++step) {
        const at::Tensor gradient = hashedTensor("gradient" + std::to_string(step), {3, 4}).to(at::kDouble);
        trained.mutable_grad() = gradient.clone();
        QCOMPARE(optimizer.step(0.01), at::norm(gradient).item<double>());
        QVERIFY(!trained.grad().defined());
        mean = mean * 0.9 + gradient * 0.1;
        square = square * 0.98 + gradient * gradient * 0.02;
        expected = expected * (1 - 0.01 * 0.1);
        expected = expected - (mean / (1 - std::pow(0.9, step))) / (at::sqrt(square / (1 - std::pow(0.98, step))) + 1e-8) * 0.01;
        QVERIFY2(distance(trained, expected) < 1e-12, qPrintable(QString::number(distance(trained, expected))));
    }
}

void tst_training_network::muonStepsAreOrthogonal_data()
{
    QTest::addColumn<std::int64_t>("rows");
    QTest::addColumn<std::int64_t>("columns");
    QTest::newRow("square") << std::int64_t{24} << std::int64_t{24};
    QTest::newRow("wide") << std::int64_t{16} << std::int64_t{40};
    QTest::newRow("tall") << std::int64_t{40} << std::int64_t{16};
}

void tst_training_network::muonStepsAreOrthogonal()
{
    QFETCH(std::int64_t, rows);
    QFETCH(std::int64_t, columns);
    at::Tensor parameter = at::zeros({rows, columns}, at::kDouble);
    parameter.requires_grad_(true);
    OptimizerSettings settings;
    settings.kind = OptimizerKind::Muon;
    settings.weight_decay = 0;
    Optimizer optimizer({{"encoder.blocks.0.mlp.0.weight", parameter}}, settings);
    const at::Tensor gradient = hashedTensor("muon", {rows, columns}).to(at::kDouble);
    parameter.mutable_grad() = gradient.clone();
    (void)optimizer.step(0.1);
    const double size = 0.1 * 0.2 * std::sqrt(static_cast<double>(std::max(rows, columns)));
    const at::Tensor step = parameter.detach() / -size;
    // Three rounds bring all singular values near 1, the smallest ones least, and the step goes along the gradient.
    const at::Tensor values = std::get<1>(at::svd(step));
    QVERIFY(std::abs(values.mean().item<double>() - 1) < 0.25);
    QVERIFY2(values.min().item<double>() > 0.3 && values.max().item<double>() < 1.35, qPrintable(QString::number(values.min().item<double>())));
    QVERIFY((step * gradient).sum().item<double>() > 0.5 * at::norm(step).item<double>());
}

void tst_training_network::muonTakesTurnsAndReachesEveryMatrix()
{
    std::map<std::string, at::Tensor> parameters;
    for (int i = 0; i < 5; ++i) {
        at::Tensor matrix = hashedTensor("matrix" + std::to_string(i), {6, 6});
        matrix.requires_grad_(true);
        parameters["decoder.blocks." + std::to_string(i) + ".attn.out.weight"] = matrix;
    }
    OptimizerSettings settings;
    settings.kind = OptimizerKind::Muon;
    settings.muon_every = 3;
    Optimizer optimizer(parameters, settings);
    std::map<std::string, int> moved;
    for (int step = 0; step < 6; ++step) {
        std::map<std::string, at::Tensor> before;
        for (auto &[name, matrix] : parameters) {
            before[name] = matrix.detach().clone();
            matrix.mutable_grad() = hashedTensor(name + std::to_string(step), {6, 6});
        }
        (void)optimizer.step(0.01);
        for (auto &[name, matrix] : parameters) {
            moved[name] += distance(matrix, before[name]) > 0 ? 1 : 0;
        }
    }
    for (const auto &[name, count] : moved) {
        QCOMPARE(count, 2);
    }
}

void tst_training_network::gradientsAreClippedTogether()
{
    // Plain Adam does not see the size of a gradient, but its state does.
    std::map<std::string, at::Tensor> parameters;
    for (const char *name : {"a", "b"}) {
        at::Tensor value = at::zeros({2}, at::kDouble);
        value.requires_grad_(true);
        parameters[name] = value;
    }
    OptimizerSettings settings;
    settings.clip = 1;
    Optimizer optimizer(parameters, settings);
    parameters["a"].mutable_grad() = at::full({2}, 3.0, at::kDouble);
    parameters["b"].mutable_grad() = at::full({2}, 4.0, at::kDouble);
    const double norm = std::sqrt(2 * 9.0 + 2 * 16.0);
    QVERIFY(std::abs(optimizer.step(0.1) - norm) < 1e-12);
    const auto state = optimizer.state();
    QVERIFY(std::abs(state.at("adam.a.mean")[0].item<double>() - 0.1 * 3 / norm) < 1e-12);
    QVERIFY(std::abs(state.at("adam.b.mean")[0].item<double>() - 0.1 * 4 / norm) < 1e-12);
}

void tst_training_network::aStepWithoutNumbersIsLeftOut()
{
    at::Tensor value = at::ones({2}, at::kDouble);
    value.requires_grad_(true);
    Optimizer optimizer({{"a", value}}, {});
    value.mutable_grad() = at::full({2}, std::numeric_limits<double>::quiet_NaN(), at::kDouble);
    QVERIFY(std::isnan(optimizer.step(0.1)));
    QCOMPARE(optimizer.steps(), 0);
    QCOMPARE(value[0].item<double>(), 1.0);
    value.mutable_grad() = at::ones({2}, at::kDouble);
    (void)optimizer.step(0.1);
    QVERIFY(value[0].item<double>() < 1.0);
}

QTEST_GUILESS_MAIN(tst_training_network)
#include "tst_training_network.moc"
