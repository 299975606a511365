// How near parallel streams come to H times the speed of one on the same weights, and where arithmetic ends it: tokens per second over all streams for
// 1, 2, 4, 8, 10 streams, rows over a cache that holds the same number of rows. A pass reads every weight once, however many streams there are; so the
// floor of a row is the weights' bytes over the memory's speed, and the other floor is the products' arithmetic over the processor's. Both are measured
// here, with one plain product each. Not a test.
// Usage: bench_streams [--threads N] [--rows N] [--type float32|bfloat16] [SIZE...]   SIZE: box (3 M), small (0.1 B), medium (0.5 B); default box small
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "bench/measuring.h"
#include "core/models/decoder_lm/streams_decoder.h"
#include "core/streams/layout.h"
#include "core/streams/visibility.h"
#include "tests/support/hashed_lm.h"

using namespace braid;

namespace {

constexpr int kContextRows = 100;

weights::LmConfig configOf(const std::string &size)
{
    struct Shape {
        std::int64_t width, mlp, layers, heads, key_value_heads, vocabulary;
    };
    const std::map<std::string, Shape> shapes{
        {"box", {256, 688, 5, 8, 8, 1024}}, {"small", {768, 2048, 12, 12, 4, 16384}}, {"medium", {896, 4864, 24, 14, 2, 151936}}};
    const Shape &shape = shapes.at(size);
    weights::LmConfig config;
    config.family = weights::LmFamily::Llama;
    config.width = shape.width;
    config.mlp_width = shape.mlp;
    config.layers = shape.layers;
    config.heads = shape.heads;
    config.key_value_heads = shape.key_value_heads;
    config.head_width = shape.width / shape.heads;
    config.vocabulary = shape.vocabulary;
    config.context = 4096;
    config.tied_embeddings = true;
    config.attention_scale = 1 / std::sqrt(static_cast<double>(config.head_width));
    config.rope.width = config.head_width;
    config.windows.assign(static_cast<std::size_t>(shape.layers), 0);
    config.streams = 10;
    return config;
}

streams::Layout layoutOf(int count)
{
    streams::Layout layout;
    layout.name = "bench";
    layout.silence = streams::SilenceRule::Stored;
    layout.silence_text = " -";
    for (int i = 0; i < count; ++i) {
        streams::Stream stream;
        stream.name = std::to_string(i);
        for (int read = 0; read < count; ++read) {
            stream.sees.push_back(read);
        }
        layout.streams.push_back(stream);
    }
    return layout;
}

// Median milliseconds of a row in which every stream reads and is predicted one token.
double rowMs(const std::shared_ptr<const models::lm::DecoderLm> &model, int count, int rows)
{
    models::lm::StreamsDecoder decoder(model, model->config().vocabulary, "bench");
    decoder.begin(streams::visibilityOf(layoutOf(count)), static_cast<std::size_t>(count));
    streams::PredictionRequest request;
    request.most_candidates = 6;
    for (int stream = 0; stream < count; ++stream) {
        request.streams.push_back(stream);
    }
    std::int64_t row = 0;
    const auto inputsOf = [&](std::int64_t of) {
        std::vector<streams::StreamInput> inputs;
        for (int stream = 0; stream < count; ++stream) {
            inputs.push_back({static_cast<std::int32_t>((of * 7 + stream * 13) % model->config().vocabulary), {stream, static_cast<double>(of), of}});
        }
        return inputs;
    };
    for (; row < kContextRows; ++row) {
        static_cast<void>(decoder.feed(inputsOf(row), {}));
    }
    std::vector<double> times;
    for (int i = 0; i < rows; ++i, ++row) {
        const auto inputs = inputsOf(row);
        const double began = bench::processorMs();
        static_cast<void>(decoder.feed(inputs, request));
        times.push_back(bench::processorMs() - began);
    }
    std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
    return times[times.size() / 2];
}

// Multiplications with addition per millisecond, of a product large enough.
double productsPerMs()
{
    constexpr std::int64_t kSide = 768;
    const at::Tensor a = at::rand({kSide, kSide});
    const at::Tensor b = at::rand({kSide, kSide});
    return static_cast<double>(kSide * kSide * kSide) / bench::bestMs(7, [&] { static_cast<void>(at::mm(a, b)); });
}

void measure(const std::string &size, at::ScalarType type, int rows, double products_per_ms)
{
    weights::LmCheckpoint checkpoint = test::hashedLm(size + "/", configOf(size));
    const auto model = std::make_shared<const models::lm::DecoderLm>(checkpoint, nn::Placement{at::kCPU, type});
    const auto bytes = static_cast<double>(model->weights().bytesPerToken());
    const double numbers = bytes / static_cast<double>(c10::elementSize(type));
    const double memory_ms = bytes / (bench::readingGigabytesPerSecond(bytes) * 1e6);
    const double arithmetic_ms = numbers / products_per_ms;
    std::printf("%s: %.1f M weights read a row, %s; floors of a row: %.3f ms by memory, %.3f ms a stream by arithmetic\n", size.c_str(), numbers / 1e6,
                type == at::kFloat ? "float32" : "bfloat16", memory_ms, arithmetic_ms);
    std::printf("  streams    ms a row   tokens/s   times one stream   floor ms\n");
    double one = 0;
    for (const int count : {1, 2, 4, 8, 10}) {
        const double ms = rowMs(model, count, rows);
        const double speed = 1000 * count / ms;
        one = count == 1 ? speed : one;
        std::printf("  %7d  %10.3f %10.0f %18.2f %10.3f\n", count, ms, speed, speed / one, std::max(memory_ms, count * arithmetic_ms));
    }
}

}  // namespace

int main(int argc, char **argv)
{
    int threads = 1;
    int rows = 60;
    at::ScalarType type = at::kFloat;
    std::vector<std::string> sizes;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--threads" && i + 1 < argc) {
            threads = std::atoi(argv[++i]);
        } else if (argument == "--rows" && i + 1 < argc) {
            rows = std::max(1, std::atoi(argv[++i]));
        } else if (argument == "--type" && i + 1 < argc) {
            type = std::string(argv[++i]) == "bfloat16" ? at::kBFloat16 : at::kFloat;
        } else if (argument == "box" || argument == "small" || argument == "medium") {
            sizes.push_back(argument);
        } else {
            std::fprintf(stderr, "usage: bench_streams [--threads N] [--rows N] [--type float32|bfloat16] [box|small|medium ...]\n");
            return 2;
        }
    }
    if (sizes.empty()) {
        sizes = {"box", "small"};
    }
    at::set_num_threads(threads);
    const double products_per_ms = productsPerMs();
    std::printf("%d thread%s, times of the processor; arithmetic %.1f G products/s in float32\n", threads, threads == 1 ? "" : "s", products_per_ms / 1e6);
    for (const std::string &size : sizes) {
        measure(size, type, rows, products_per_ms);
    }
    return 0;
}
