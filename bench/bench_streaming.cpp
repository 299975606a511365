// What a chunk of live captions costs: the block-causal encoder with its caches, the verification of the rows so far in one pass, and the steps of
// the new tokens; against the same model run the naive way, which encodes the growing window and decodes all its tokens anew with
// every chunk. And how near that is to the floor: the bytes of the weights that a pass must read.
//
//   bench_streaming [tiny|base|small|box|MODEL] [--threads N] [--chunk-ms C] [--seconds S] [--beam B] [--words-per-second W]
//                   [--reencode-ms R] [--naive] [--float32] [--processor-time]
//
// tiny, base, small: OpenAI's sizes with random weights; box: the sizes of the model in the box, and as many words; weights of float16's precision, as both
// were published, or of float32's. Printed, too: what looking through the vocabulary costs in one pass over its weights (core/nn/best_outputs.h), beside
// having all scores and looking through them. Rows are random tokens that grow as speech
// does (1.3 tokens a word), differ in their last two tokens, and are verified over their last five positions with attention, as
// the streaming decoders do it. Times are wall-clock: run it alone, and say what else ran. Or take the processor's time per thread, which other programs
// disturb less (they still share the caches and the memory), and which does not count the time a thread waits for another.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "core/base/blas.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/models/whisper/whisper_streaming_recognizer.h"
#include "core/nn/few_rows.h"
#include "tests/support/hashed_whisper.h"
#include "tests/support/small_whisper_folder.h"

namespace {

using namespace braid;
using models::whisper::Model;
using models::whisper::WhisperStreamingRecognizer;

enum class Clock { Wall = 1, Processor };

struct Settings {
    std::string model = "base";
    int threads = 2;
    int chunk_ms = 300;
    double seconds = 25;
    std::size_t beam = 1;
    double words_per_second = 2.5;
    int reencode_ms = 0;
    bool naive = false;
    test::WeightPrecision precision = test::WeightPrecision::Float16;
    Clock clock = Clock::Wall;
};

// Processor: of all threads together, divided by their number.
double nowMs(Clock clock)
{
    if (clock == Clock::Processor) {
        timespec time{};
        ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        return (static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6) / at::get_num_threads();
    }
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::shared_ptr<Model> modelOf(const Settings &settings)
{
    const std::string &name = settings.model;
    const bool published = name == "tiny" || name == "base" || name == "small";
    if (!published && name != "box") {
        weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(name);
        const auto tokenizer = text::WhisperTokenizer::load(checkpoint.tokenizer_path, checkpoint.dims.n_vocab);
        return std::make_shared<Model>(std::move(checkpoint), tokenizer, nn::Placement{});
    }
    weights::WhisperDims dims;
    std::vector<std::pair<int, int>> heads = {{0, 1}, {1, 2}};
    if (published) {
        const std::int64_t state = name == "tiny" ? 384 : name == "base" ? 512 : 768;
        dims.n_audio_state = dims.n_text_state = state;
        dims.n_audio_head = dims.n_text_head = state / 64;
        dims.n_audio_layer = dims.n_text_layer = name == "tiny" ? 4 : name == "base" ? 6 : 12;
        if (name == "base") {
            heads = {{3, 1}, {4, 2}, {4, 3}, {4, 7}, {5, 1}, {5, 2}, {5, 4}, {5, 6}};  // as published
        }
    } else {
        dims.n_audio_ctx = 750;
        dims.n_audio_state = dims.n_text_state = 384;
        dims.n_audio_head = dims.n_text_head = 6;
        dims.n_audio_layer = dims.n_text_layer = 4;
        dims.n_vocab = 18400;
        dims.n_text_ctx = 448;
        dims.conv2_stride = 4;
        heads = {{1, 0}, {2, 0}, {2, 5}, {3, 0}, {3, 1}, {3, 2}, {3, 3}, {3, 4}};
    }
    test::HashedWhisper weights("bench/", dims, settings.precision);
    weights.checkpoint().alignment_heads = heads;
    const std::filesystem::path place = std::filesystem::temp_directory_path() / "braid-bench-tokenizer.json";
    std::ofstream(place) << test::byteTokenizerJson();
    return std::make_shared<Model>(weights.take(), text::WhisperTokenizer::load(place, dims.n_vocab), nn::Placement{});
}

struct ChunkTimes {
    double encode_ms = 0;
    double verify_ms = 0;
    double steps_ms = 0;
    int steps = 0;
    [[nodiscard]] double total() const { return encode_ms + verify_ms + steps_ms; }
};

// Rows as they grow: all begin alike and differ in their last two tokens.
class Talk {
  public:
    Talk(const Settings &settings, std::vector<std::int32_t> prompt)
        : m_settings(settings)
        , m_text(std::move(prompt))
    {
    }

    // Tokens that are new with the sound up to `seconds`.
    [[nodiscard]] int newTokens(double seconds) const
    {
        constexpr double kTokensPerWord = 1.3;
        return std::max(0, static_cast<int>(seconds * m_settings.words_per_second * kTokensPerWord) - m_tokens);
    }
    void say()
    {
        m_text.push_back(static_cast<std::int32_t>(m_random() % 250));
        ++m_tokens;
    }
    [[nodiscard]] std::vector<std::vector<std::int32_t>> rows() const
    {
        std::vector<std::vector<std::int32_t>> rows(m_settings.beam, m_text);
        for (std::size_t row = 1; row < rows.size(); ++row) {
            const std::size_t back = std::min<std::size_t>(1 + row % 2, m_tokens > 1 ? 2 : 0);
            for (std::size_t i = rows[row].size() - back; i < rows[row].size(); ++i) {
                rows[row][i] = (rows[row][i] + static_cast<std::int32_t>(row)) % 250;
            }
        }
        return rows;
    }

  private:
    const Settings &m_settings;
    std::vector<std::int32_t> m_text;
    std::mt19937 m_random{5};
    int m_tokens = 0;
};

void score(WhisperStreamingRecognizer &recognizer, const std::vector<std::vector<std::int32_t>> &rows, std::size_t back)
{
    captions::ScoreRequest request;
    request.rows = rows;
    request.attention = AttentionWanted::Yes;
    for (const std::vector<std::int32_t> &row : rows) {
        request.first_positions.push_back(row.size() - 1 - std::min(row.size() - 1, back));
    }
    static_cast<void>(recognizer.score(request));
}

std::vector<ChunkTimes> streamed(const std::shared_ptr<Model> &model, const Settings &settings, std::span<const float> sound)
{
    WhisperStreamingRecognizer recognizer(model, {});
    captions::Chunking chunking = recognizer.defaultChunking();
    chunking.first_samples = samplesFromMs(600);
    chunking.chunk_samples = samplesFromMs(settings.chunk_ms);
    chunking.reencode_samples = samplesFromMs(settings.reencode_ms);
    recognizer.begin(chunking, 0);
    recognizer.addSound(sound);
    Talk talk(settings, recognizer.prompt(""));
    std::vector<ChunkTimes> chunks;
    while (recognizer.blocksReady() > 0 && recognizer.frames() < recognizer.maximumFrames()) {
        ChunkTimes times;
        double begin = nowMs(settings.clock);
        recognizer.encodeBlock();
        times.encode_ms = nowMs(settings.clock) - begin;
        begin = nowMs(settings.clock);
        score(recognizer, talk.rows(), 4);
        times.verify_ms = nowMs(settings.clock) - begin;
        begin = nowMs(settings.clock);
        times.steps = talk.newTokens(secondsFromSamples(recognizer.frames() * recognizer.frameSamples()));
        for (int step = 0; step < times.steps; ++step) {
            talk.say();
            score(recognizer, talk.rows(), 0);
        }
        times.steps_ms = nowMs(settings.clock) - begin;
        chunks.push_back(times);
    }
    return chunks;
}

// The same sound and tokens; everything anew with every chunk, rows one after the other.
std::vector<ChunkTimes> naive(const std::shared_ptr<Model> &model, const Settings &settings, std::span<const float> sound)
{
    const c10::InferenceMode inference;
    captions::Chunking chunking{model->frameSamples(), samplesFromMs(600), samplesFromMs(settings.chunk_ms)};
    Talk talk(settings, {5, 6, 7, 8});
    std::vector<ChunkTimes> chunks;
    for (std::int64_t block = 0; chunking.blockEnd(block) * chunking.frame_samples < static_cast<Sample>(sound.size()); ++block) {
        const Sample heard = chunking.blockEnd(block) * chunking.frame_samples;
        ChunkTimes times;
        double begin = nowMs(settings.clock);
        const at::Tensor mel = models::whisper::melTensor(model->logMel().compute(sound.first(static_cast<std::size_t>(heard))));
        const models::whisper::SoundCache cache = model->decoder().listen(model->encoder()(mel));
        times.encode_ms = nowMs(settings.clock) - begin;
        begin = nowMs(settings.clock);
        times.steps = talk.newTokens(secondsFromSamples(heard));
        for (int step = 0; step <= times.steps; ++step) {
            for (const std::vector<std::int32_t> &row : talk.rows()) {
                nn::SelfCache tokens = model->decoder().emptyCache(1);
                const at::Tensor hidden = model->decoder().run(cache, tokens, row);
                static_cast<void>(model->decoder().logits(hidden.select(1, hidden.size(1) - 1)));
            }
            if (step < times.steps) {
                talk.say();
            }
        }
        times.steps_ms = nowMs(settings.clock) - begin;
        chunks.push_back(times);
    }
    return chunks;
}

void print(const char *name, const std::vector<ChunkTimes> &chunks, double (*part)(const ChunkTimes &))
{
    std::vector<double> all;
    double sum = 0;
    for (const ChunkTimes &chunk : chunks) {
        all.push_back(part(chunk));
        sum += all.back();
    }
    std::sort(all.begin(), all.end());
    const auto at = [&all](double share) { return all[std::min(all.size() - 1, static_cast<std::size_t>(share * static_cast<double>(all.size())))]; };
    const std::size_t third = chunks.size() / 3;
    double early = 0;
    double late = 0;
    for (std::size_t i = 0; i < third; ++i) {
        early += part(chunks[i]) / static_cast<double>(third);
        late += part(chunks[chunks.size() - 1 - i]) / static_cast<double>(third);
    }
    std::printf("  %-12s mean %7.2f  p50 %7.2f  p95 %7.2f  p99 %7.2f ms   first third %7.2f, last third %7.2f\n", name, sum / static_cast<double>(all.size()),
                at(0.5), at(0.95), at(0.99), early, late);
}

void printFloors(const Model &model, const Settings &settings)
{
    const weights::WhisperDims &dims = model.dims();
    const auto s = static_cast<double>(dims.n_audio_state);
    const double mb_per_weight = 1e-6 * model.decoder().bytesPerWeight();
    const double encoder_mb = mb_per_weight * (static_cast<double>(dims.n_audio_layer) * 12 * s * s + 3 * s * (s + static_cast<double>(dims.n_mels)));
    const double hear_mb = mb_per_weight * static_cast<double>(dims.n_text_layer) * 2 * s * s;
    const double pass_mb = mb_per_weight * static_cast<double>(dims.n_text_layer) * 14 * s * s;
    const double vocabulary_mb = mb_per_weight * static_cast<double>(dims.n_vocab) * s;
    const at::Tensor matrix = at::rand({std::max<std::int64_t>(64, static_cast<std::int64_t>((pass_mb + vocabulary_mb) * 1e6 / 4 / 2048)), 2048});
    const at::Tensor x = at::rand({1, 2048});
    double best_ms = 1e300;
    for (int run = 0; run < 15; ++run) {
        const double begin = nowMs(settings.clock);
        static_cast<void>(nn::fewRowsLinear(x, matrix, {}));
        best_ms = std::min(best_ms, nowMs(settings.clock) - begin);
    }
    const double gigabytes_per_s = static_cast<double>(matrix.nbytes()) / best_ms / 1e6;
    std::printf("floors at %.1f GB/s read: encode %.1f + %.1f MB, %.2f ms; decoder pass %.1f MB and vocabulary %.1f MB, %.2f ms\n", gigabytes_per_s, encoder_mb,
                hear_mb, (encoder_mb + hear_mb) / gigabytes_per_s, pass_mb, vocabulary_mb, (pass_mb + vocabulary_mb) / gigabytes_per_s);
}

// All scores, their logarithmic sum and the best of them, by libtorch's own means.
void allScoresAndTheirBest(const Model &model, const at::Tensor &hidden, std::int64_t best)
{
    const at::Tensor scores = model.decoder().logits(hidden);
    static_cast<void>(at::logsumexp(scores, 1));
    static_cast<void>(at::topk(scores, best, 1));
}

void printVocabulary(const Model &model, const Settings &settings)
{
    const c10::InferenceMode inference;
    const auto bestOf = [&settings](auto work) {
        double best_ms = 1e300;
        for (int run = 0; run < 15; ++run) {
            const double begin = nowMs(settings.clock);
            work();
            best_ms = std::min(best_ms, nowMs(settings.clock) - begin);
        }
        return best_ms;
    };
    constexpr std::int64_t kBest = 6;
    for (const std::int64_t rows : {1, 5, 13}) {
        const at::Tensor hidden = at::rand({rows, model.dims().n_text_state}, model.decoder().options());
        const double product_ms = bestOf([&] { static_cast<void>(model.decoder().logits(hidden)); });
        const double all_ms = bestOf([&] { allScoresAndTheirBest(model, hidden, kBest); });
        const double pass_ms = bestOf([&] { static_cast<void>(model.decoder().summarise(hidden, {kBest, {}, {}})); });
        std::printf("vocabulary of %ld, %ld row%s: all scores %.2f ms, and looked through %.2f ms; in one pass %.2f ms\n",
                    static_cast<long>(model.dims().n_vocab), static_cast<long>(rows), rows == 1 ? "" : "s", product_ms, all_ms, pass_ms);
    }
}

void measure(const Settings &settings)
{
    const std::shared_ptr<Model> model = modelOf(settings);
    const double limit_s = secondsFromSamples(model->windowSamples());
    const std::vector<float> sound = test::hashedSound(static_cast<std::size_t>(std::min(settings.seconds, limit_s) * kSampleRateHz));
    printFloors(*model, settings);
    printVocabulary(*model, settings);
    static_cast<void>(streamed(model, settings, std::span(sound).first(std::min<std::size_t>(sound.size(), 48000))));  // warm up
    const std::vector<ChunkTimes> chunks = settings.naive ? naive(model, settings, sound) : streamed(model, settings, sound);
    int steps = 0;
    for (const ChunkTimes &chunk : chunks) {
        steps += chunk.steps;
    }
    std::printf("%s, %zu chunks of %d ms, %.2f new tokens a chunk\n", settings.clock == Clock::Wall ? "wall-clock" : "processor time per thread", chunks.size(),
                settings.chunk_ms, static_cast<double>(steps) / static_cast<double>(chunks.size()));
    print("encode", chunks, [](const ChunkTimes &chunk) { return chunk.encode_ms; });
    print("verify", chunks, [](const ChunkTimes &chunk) { return chunk.verify_ms; });
    print("a step", chunks, [](const ChunkTimes &chunk) { return chunk.steps == 0 ? 0 : chunk.steps_ms / chunk.steps; });
    print("whole chunk", chunks, [](const ChunkTimes &chunk) { return chunk.total(); });
}

}  // namespace

int main(int argc, char **argv)
{
    restartWithTunedEnvironment(argv);
    Settings settings;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const bool has_value = i + 1 < argc;
        if (option == "--naive") {
            settings.naive = true;
        } else if (option == "--float32") {
            settings.precision = test::WeightPrecision::Float32;
        } else if (option == "--processor-time") {
            settings.clock = Clock::Processor;
        } else if (option == "--threads" && has_value) {
            settings.threads = std::max(1, std::atoi(argv[++i]));
        } else if (option == "--chunk-ms" && has_value) {
            settings.chunk_ms = std::atoi(argv[++i]);
        } else if (option == "--seconds" && has_value) {
            settings.seconds = std::atof(argv[++i]);
        } else if (option == "--beam" && has_value) {
            settings.beam = static_cast<std::size_t>(std::max(1, std::atoi(argv[++i])));
        } else if (option == "--reencode-ms" && has_value) {
            settings.reencode_ms = std::max(0, std::atoi(argv[++i]));
        } else if (option == "--words-per-second" && has_value) {
            settings.words_per_second = std::atof(argv[++i]);
        } else {
            settings.model = option;
        }
    }
    try {
        at::set_num_threads(settings.threads);
        std::printf("%s, %s, %zu row%s, %d threads, %s\n", settings.model.c_str(), settings.naive ? "naive" : "streamed", settings.beam,
                    settings.beam == 1 ? "" : "s", settings.threads, detectBlas().description.c_str());
        measure(settings);
    } catch (const Error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return exitCodeFor(error.kind());
    }
    return 0;
}
