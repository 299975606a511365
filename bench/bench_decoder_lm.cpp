// How near a language model's steps come to the floor on this machine, and what re-encoding costs a streaming translation.
//
//   bench_decoder_lm [box|0.1B|0.5B|1.5B]... [--number-type float32|bfloat16|int8]... [--threads N] [--passage WORDS]
//
// The sizes are Qwen2.5's (0.5B, 1.5B), one in between, and that of the model in the box, with random weights. Decoding: one token behind a cache of 128,
// against the bytes of the weights it reads over the bandwidth measured here. Re-encoding: the same passage (source and target given word by word, wait-5 and
// wait-9) in group streaming and in batch streaming that encodes everything again after each read ("LLM as Effective Streaming Processor" has 11.3 and 5.9
// times).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "bench/measuring.h"
#include "core/base/blas.h"
#include "core/base/error.h"
#include "core/models/decoder_lm/decoder_lm.h"
#include "core/models/decoder_lm/translation_run.h"

namespace {

using namespace braid;
using bench::bestMs;
using bench::processorMs;

struct Shape {
    const char *name;
    std::int64_t width, mlp_width, layers, heads, key_value_heads, vocabulary;
};
constexpr Shape kShapes[] = {
    {"box", 256, 704, 4, 8, 8, 5000}, {"0.1B", 512, 2048, 12, 8, 2, 64000}, {"0.5B", 896, 4864, 24, 14, 2, 151936}, {"1.5B", 1536, 8960, 28, 12, 2, 151936}};

weights::LmConfig configOf(const Shape &shape)
{
    weights::LmConfig config;
    config.family = weights::LmFamily::Qwen2;
    config.vocabulary = shape.vocabulary;
    config.width = shape.width;
    config.mlp_width = shape.mlp_width;
    config.layers = shape.layers;
    config.heads = shape.heads;
    config.key_value_heads = shape.key_value_heads;
    config.head_width = shape.width / shape.heads;
    config.context = 32768;
    config.query_key_value_bias = true;
    config.tied_embeddings = true;
    config.attention_scale = 1 / std::sqrt(static_cast<double>(config.head_width));
    config.rope.width = config.head_width;
    config.rope.theta = 1e6;
    config.windows.assign(static_cast<std::size_t>(shape.layers), 0);
    return config;
}

struct Numbers {
    const char *name;
    at::ScalarType type;
    nn::WeightStorage storage;
};
constexpr Numbers kNumbers[] = {{"float32", at::kFloat, nn::WeightStorage::AsGiven},
                                {"bfloat16", at::kBFloat16, nn::WeightStorage::AsGiven},
                                {"int8", at::kFloat, nn::WeightStorage::Int8}};

// Loaded as a model from a file is, so that its weights take the form that the placement asks for. One piece of memory stands for all matrices.
models::lm::DecoderLm randomModel(const Shape &shape, const Numbers &numbers)
{
    weights::LmCheckpoint checkpoint("random weights");
    checkpoint.config = configOf(shape);
    const auto random = std::make_shared<at::Tensor>(at::empty({shape.vocabulary * shape.width}).uniform_(-0.03, 0.03));
    const auto ones = std::make_shared<at::Tensor>(at::ones({shape.width}));
    for (const weights::ExpectedTensor &tensor : weights::expectedLmTensors(checkpoint.config)) {
        const auto &values = tensor.name.ends_with("norm.weight") ? ones : random;
        weights::StoredTensor stored;
        stored.shape = tensor.shape;
        const auto count = static_cast<std::size_t>(stored.elementCount());
        if (count > static_cast<std::size_t>(values->numel())) {
            throw Error(ErrorKind::Internal, "a matrix is larger than the embedding");
        }
        stored.bytes = std::as_bytes(std::span(values->data_ptr<float>(), count));
        stored.owner = values;
        checkpoint.tensors.add(tensor.name, std::move(stored));
    }
    return {checkpoint, {at::kCPU, numbers.type, numbers.storage}};
}

void measureDecoding(const models::lm::DecoderLm &model)
{
    const auto bytes = static_cast<double>(model.weights().bytesPerToken());
    const double floor_ms = bytes / bench::readingGigabytesPerSecond(std::min(bytes, 1e9)) / 1e6;
    nn::StreamCache cache = model.emptyCache(256);
    std::vector<std::int32_t> tokens(128, 7);
    std::vector<paradigms::Entry> entries;
    for (std::int64_t i = 0; i < 129; ++i) {
        entries.push_back({0, static_cast<double>(i), i, paradigms::EntryKind::Token});
    }
    static_cast<void>(model.run(cache, tokens, std::span(entries).first(128), paradigms::causal()));
    const int runs = bytes > 1e9 ? 3 : 9;
    const double ms = bestMs(runs, [&] {
        cache.truncate(128);
        const at::Tensor hidden = model.run(cache, std::span(tokens).first(1), std::span(entries).last(1), paradigms::causal());
        static_cast<void>(model.logits(hidden[0]));
    });
    std::printf("  decoding: %.1f MB a token, %.2f ms = %.2f x the floor of %.2f ms; %.1f tokens/s\n", bytes / 1e6, ms, ms / floor_ms, floor_ms, 1000 / ms);
}

struct Passage {
    std::vector<std::vector<std::int32_t>> source;
    std::vector<std::vector<std::int32_t>> target;
    std::int64_t target_tokens = 0;
};

// Words of one token and of two, in turn.
Passage passageOf(int words, std::int64_t vocabulary)
{
    Passage passage;
    std::int32_t next = 5;
    const auto word = [&](int i) {
        std::vector<std::int32_t> tokens(static_cast<std::size_t>(1 + i % 2));
        for (std::int32_t &token : tokens) {
            next = static_cast<std::int32_t>((next * 7919LL + 13) % vocabulary);
            token = next;
        }
        return tokens;
    };
    for (int i = 0; i < words; ++i) {
        passage.source.push_back(word(i));
        passage.target.push_back(word(i + 1));
        passage.target_tokens += static_cast<std::int64_t>(passage.target.back().size());
    }
    return passage;
}

// As WaitKTranslator steps, with the words of the target given: every token is predicted, and after each word the token that would close it.
double msPerToken(const models::lm::DecoderLm &model, const paradigms::Paradigm &paradigm, const Passage &passage, int k)
{
    const std::vector<std::int32_t> prompt(10, 3);
    const double begin = processorMs();
    models::lm::TranslationRun run(model, paradigm);
    run.read(prompt);
    run.write(std::span(prompt).first(3));
    std::size_t read = 0;
    for (std::size_t word = 0; word < passage.target.size(); ++word) {
        for (; read < std::min(passage.source.size(), static_cast<std::size_t>(k) + word); ++read) {
            run.read(passage.source[read]);
        }
        for (const std::int32_t token : passage.target[word]) {
            static_cast<void>(run.predict());
            run.write(std::span(&token, 1));
        }
        static_cast<void>(run.predict());
    }
    return (processorMs() - begin) / static_cast<double>(passage.target_tokens);
}

void measureReencoding(const models::lm::DecoderLm &model, int words)
{
    for (const int k : {5, 9}) {
        const Passage passage = passageOf(words, model.config().vocabulary);
        const double group = msPerToken(model, paradigms::groupStreaming(0), passage, k);
        const double positions = msPerToken(model, paradigms::batchStreaming(paradigms::Reencoding::Positions), passage, k);
        const double all = msPerToken(model, paradigms::batchStreaming(paradigms::Reencoding::All), passage, k);
        std::printf("  wait-%d, %d words: group streaming %.2f ms a token, positions re-encoded %.2f, all re-encoded %.2f: %.1f times as much\n", k, words,
                    group, positions, all, all / group);
    }
}

void measureLength(const models::lm::DecoderLm &model)
{
    std::printf("  cost a token by length, wait-5:");
    const bool is_small = model.weights().bytesPerToken() < 100000000;
    for (const int words : is_small ? std::vector<int>{25, 100, 400} : std::vector<int>{25, 100}) {
        const Passage passage = passageOf(words, model.config().vocabulary);
        std::printf("  %d words: %.2f ms", words, msPerToken(model, paradigms::groupStreaming(0), passage, 5));
    }
    std::printf("  (in one sentence; a session starts an empty cache with each)\n");
}

}  // namespace

int main(int argc, char **argv)
{
    std::vector<const Shape *> shapes;
    std::vector<const Numbers *> types;
    int words = 60;
    for (int i = 1; i < argc; ++i) {
        const std::string given = argv[i];
        const std::string value = i + 1 < argc ? argv[i + 1] : "";
        if (given == "--number-type") {
            const auto *found = std::find_if(std::begin(kNumbers), std::end(kNumbers), [&](const Numbers &numbers) { return value == numbers.name; });
            types.push_back(found == std::end(kNumbers) ? &kNumbers[0] : found);
            ++i;
        } else if (given == "--threads") {
            at::set_num_threads(std::max(1, std::atoi(value.c_str())));
            ++i;
        } else if (given == "--passage") {
            words = std::max(10, std::atoi(value.c_str()));
            ++i;
        } else {
            const auto *found = std::find_if(std::begin(kShapes), std::end(kShapes), [&](const Shape &shape) { return given == shape.name; });
            if (found == std::end(kShapes)) {
                std::fprintf(stderr, "bench_decoder_lm [box|0.1B|0.5B|1.5B]... [--number-type float32|bfloat16|int8]... [--threads N] [--passage WORDS]\n");
                return 2;
            }
            shapes.push_back(found);
        }
    }
    if (shapes.empty()) {
        shapes = {&kShapes[0], &kShapes[1], &kShapes[2]};
    }
    if (types.empty()) {
        types = {&kNumbers[0], &kNumbers[1], &kNumbers[2]};
    }
    const c10::InferenceMode inference;
    std::printf("%d threads, %s\n", at::get_num_threads(), detectBlas().description.c_str());
    for (const Shape *shape : shapes) {
        for (const Numbers *numbers : types) {
            const models::lm::DecoderLm model = randomModel(*shape, *numbers);
            std::printf("%s, %s\n", shape->name, numbers->name);
            measureDecoding(model);
            if (model.weights().bytesPerToken() < 500000000) {
                measureReencoding(model, words);
                measureLength(model);
            }
            std::fflush(stdout);
        }
    }
    return 0;
}
