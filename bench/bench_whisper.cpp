// How near Whisper's steps come to their floors on this machine: multiplications per second for the encoder, bytes of weights per
// second for the decoder. Both floors are measured here, now, with the same number of threads.
//
//   bench_whisper [tiny|base|small|MODEL_FOLDER] [--number-type float32|int8] [--threads N] [--seconds S]
//
// tiny, base, small: OpenAI's sizes with random weights (of float16, as the published ones). Times are the processor's, per thread, so that other programs on
// the machine count little; they still share its caches and its memory, so run it alone where you can.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "bench/measuring.h"
#include "core/base/blas.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/models/whisper/decoder.h"
#include "core/models/whisper/encoder.h"
#include "tests/support/hashed_whisper.h"

namespace {

using namespace braid;
using bench::bestMs;

struct Floors {
    double gigabytes_per_s = 0;
    double gigaflops = 0;
};

// `bytes`: about as much as is read at a time, so that a cache counts as one.
Floors measureFloors(double bytes)
{
    Floors floors;
    floors.gigabytes_per_s = bench::readingGigabytesPerSecond(bytes);
    const at::Tensor square = at::rand({1024, 1024});
    const double product_ms = bestMs(9, [&] { static_cast<void>(at::mm(square, square)); });
    floors.gigaflops = 2.0 * 1024 * 1024 * 1024 / product_ms / 1e6;
    return floors;
}

weights::WhisperDims publishedDims(const std::string &name)
{
    weights::WhisperDims dims;
    const std::int64_t state = name == "tiny" ? 384 : name == "base" ? 512 : 768;
    dims.n_audio_state = dims.n_text_state = state;
    dims.n_audio_head = dims.n_text_head = state / 64;
    dims.n_audio_layer = dims.n_text_layer = name == "tiny" ? 4 : name == "base" ? 6 : 12;
    return dims;
}

double encoderFlops(const weights::WhisperDims &dims, double frames)
{
    const auto s = static_cast<double>(dims.n_audio_state);
    const double mlp = dims.n_audio_mlp > 0 ? static_cast<double>(dims.n_audio_mlp) : 4 * s;
    const double convolutions = 2 * 3 * s * (static_cast<double>(dims.n_mels) * frames * 2 + s * frames);
    const double layer = 2 * frames * (4 * s * s + 2 * s * mlp) + 4 * frames * frames * s;
    return convolutions + static_cast<double>(dims.n_audio_layer) * layer;
}

// What one token must read: every weight of the decoder that it meets, and both caches.
double decoderBytes(const weights::WhisperDims &dims, double bytes_per_weight, double frames, double tokens)
{
    const auto s = static_cast<double>(dims.n_text_state);
    const double mlp = dims.n_text_mlp > 0 ? static_cast<double>(dims.n_text_mlp) : 4 * s;
    const auto layers = static_cast<double>(dims.n_text_layer);
    return bytes_per_weight * (layers * (6 * s * s + 2 * s * mlp) + static_cast<double>(dims.n_vocab) * s) + 4 * layers * 2 * s * (frames + tokens);
}

void measure(weights::WhisperCheckpoint checkpoint, nn::WeightStorage storage, double seconds)
{
    const c10::InferenceMode inference;
    const weights::WhisperDims dims = checkpoint.dims;
    const models::whisper::Encoder encoder(checkpoint, {at::kCPU, at::kFloat, storage});
    const models::whisper::Decoder decoder(checkpoint, {at::kCPU, at::kFloat, storage});
    const double frame_s = 0.01 * static_cast<double>(dims.strides().melFrames());
    const std::int64_t frames = std::min(dims.n_audio_ctx, static_cast<std::int64_t>(seconds / frame_s));
    const at::Tensor mel = at::rand({dims.n_mels, frames * dims.strides().melFrames()});
    constexpr std::int64_t kTokens = 32;
    const double token_bytes = decoderBytes(dims, decoder.bytesPerWeight(), static_cast<double>(frames), kTokens);
    const Floors floors = measureFloors(token_bytes);
    std::printf("floors: %.1f GB/s read, %.1f GFLOP/s\n", floors.gigabytes_per_s, floors.gigaflops);

    const double flops = encoderFlops(dims, static_cast<double>(frames));
    const double encoder_ms = bestMs(3, [&] { static_cast<void>(encoder(mel)); });
    const double encoder_floor_ms = flops / floors.gigaflops / 1e6;
    std::printf("encoder, %.1f s of sound (%lld frames, %.2f GFLOP): %.1f ms, floor %.1f ms, ratio %.2f\n", static_cast<double>(frames) * frame_s,
                static_cast<long long>(frames), flops / 1e9, encoder_ms, encoder_floor_ms, encoder_ms / encoder_floor_ms);

    const at::Tensor encoded = encoder(mel);
    std::printf("cross-attention cache: %.2f ms\n", bestMs(5, [&] { static_cast<void>(decoder.listen(encoded)); }));
    const models::whisper::SoundCache sound = decoder.listen(encoded);
    for (const std::int64_t rows : {1, 5}) {
        nn::SelfCache cache = decoder.emptyCache(rows);
        const std::vector<std::int32_t> tokens(static_cast<std::size_t>(rows), 5);
        const double ms = bestMs(60, [&] {
            if (cache.length() >= 2 * kTokens) {
                cache.truncate(0);
            }
            static_cast<void>(decoder.logits(decoder.run(sound, cache, tokens)));
        });
        const double floor_ms = token_bytes / floors.gigabytes_per_s / 1e6;
        std::printf("decoder, %lld row%s: %.3f ms a step (%.1f MB), floor %.3f ms, ratio %.2f\n", static_cast<long long>(rows), rows == 1 ? "" : "s", ms,
                    token_bytes / 1e6, floor_ms, ms / floor_ms);
    }
    const std::vector<std::int32_t> prompt(32, 5);
    nn::SelfCache cache = decoder.emptyCache(1);
    std::printf("32 tokens at once: %.2f ms\n", bestMs(5, [&] {
                    cache.truncate(0);
                    static_cast<void>(decoder.logits(decoder.run(sound, cache, prompt)));
                }));
}

}  // namespace

int main(int argc, char **argv)
{
    restartWithTunedEnvironment(argv);
    std::string name = "base";
    int threads = 1;
    double seconds = 30;
    nn::WeightStorage storage = nn::WeightStorage::AsGiven;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
            threads = std::max(1, std::atoi(argv[++i]));
        } else if (std::strcmp(argv[i], "--number-type") == 0 && i + 1 < argc) {
            storage = std::strcmp(argv[++i], "int8") == 0 ? nn::WeightStorage::Int8 : nn::WeightStorage::AsGiven;
        } else if (std::strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
            seconds = std::atof(argv[++i]);
        } else {
            name = argv[i];
        }
    }
    try {
        at::set_num_threads(threads);
        std::printf("%s, %d threads, %s\n", name.c_str(), threads, detectBlas().description.c_str());
        if (name == "tiny" || name == "base" || name == "small") {
            measure(test::HashedWhisper("bench/", publishedDims(name), test::WeightPrecision::Float16).take(), storage, seconds);
        } else {
            measure(weights::readWhisperCheckpoint(name), storage, seconds);
        }
    } catch (const Error &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return exitCodeFor(error.kind());
    }
    return 0;
}
