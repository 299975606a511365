// What a speech encoder costs while sound comes in, and what its caches save.
//
//   bench_speech_encoders [SECONDS] [--threads N]
//
// wav2vec 2 with the width and depth of "base" and the layer norms of "large", in chunks of 400 ms ("LLM as Effective Streaming Processor", B.1), and a
// VGG-conformer 512 wide with 12 blocks, in chunks of 720 ms; random weights, all of the past seen and 4 seconds of it. Against the naive way: everything heard
// so far encoded anew with every chunk.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include "bench/measuring.h"
#include "core/base/blas.h"
#include "core/models/speech_encoders/conformer_encoder.h"
#include "core/models/speech_encoders/wav2vec2_encoder.h"

namespace {

using namespace braid;
using namespace braid::models;
using bench::processorMs;

speech::LayerSource randomWeights()
{
    const auto find = [](const std::string &name, const std::vector<std::int64_t> &shape) {
        const bool around_one = name.ends_with("norm.weight") || name.ends_with("weight_g") || name.ends_with("variance");
        return around_one ? at::ones(shape) : at::randn(shape) * 0.02;
    };
    return {find};
}

weights::Wav2Vec2Config wav2vec2()
{
    weights::Wav2Vec2Config config;
    config.convolutions = {{512, 10, 5}, {512, 3, 2}, {512, 3, 2}, {512, 3, 2}, {512, 3, 2}, {512, 2, 2}, {512, 2, 2}};
    config.convolution_bias = true;
    config.feature_norm = weights::Wav2Vec2FeatureNorm::LayerOnAll;
    config.block_norm = weights::Wav2Vec2BlockNorm::Before;
    config.positions = weights::Wav2Vec2Positions::Causal;
    return config;
}

weights::ConformerConfig conformer()
{
    weights::ConformerConfig config;
    config.front = {{64, 2, 3, 3, 2, weights::VggNorm::None}, {128, 2, 3, 2, 2, weights::VggNorm::None}};
    config.layers = 12;
    config.convolution_norm = weights::ConformerNorm::Layer;
    return config;
}

void measure(const char *name, const speech::SpeechEncoder &encoder, std::span<const float> sound)
{
    const at::NoGradGuard no_gradient;
    const captions::Chunking chunking = encoder.defaultChunking();
    const auto chunk = static_cast<std::size_t>(chunking.chunk_samples);
    const double seconds = secondsFromSamples(static_cast<Sample>(sound.size()));
    const auto run = [&](speech::SpeechStream &stream) {
        for (std::size_t begin = 0; begin < sound.size(); begin += chunk) {
            static_cast<void>(stream.add(sound.subspan(begin, std::min(chunk, sound.size() - begin))));
        }
        static_cast<void>(stream.finish());
    };
    run(*encoder.begin(chunking));
    const std::unique_ptr<speech::SpeechStream> stream = encoder.begin(chunking);
    double begin_ms = processorMs();
    run(*stream);
    const double stream_ms = processorMs() - begin_ms;
    begin_ms = processorMs();
    static_cast<void>(encoder.whole(sound, chunking));
    const double whole_ms = processorMs() - begin_ms;
    begin_ms = processorMs();
    for (std::size_t end = chunk; end <= sound.size(); end += chunk) {
        static_cast<void>(encoder.whole(sound.first(end), chunking));
    }
    const double naive_ms = processorMs() - begin_ms;
    std::printf("%-34s %4d ms chunks: stream %.3f, whole %.3f, naive %.3f of real time; naive/stream %.1f; caches %.1f MB\n", name,
                static_cast<int>(msFromSamples(chunking.chunk_samples)), stream_ms / seconds / 1e3, whole_ms / seconds / 1e3, naive_ms / seconds / 1e3,
                naive_ms / stream_ms, static_cast<double>(stream->cacheBytes()) / 1e6);
}

}  // namespace

int main(int argc, char **argv)
{
    double seconds = 10;
    int threads = 1;
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--threads" && i + 1 < argc) {
            threads = std::max(1, std::atoi(argv[++i]));
        } else {
            seconds = std::clamp(std::atof(argv[i]), 2.0, 30.0);
        }
    }
    at::set_num_threads(threads);
    std::printf("%s, threads: %d, %.0f s of sound\n", detectBlas().description.c_str(), threads, seconds);
    const at::Tensor noise = at::randn({samplesFromSeconds(seconds)}) * 0.1;
    const std::span<const float> sound(noise.data_ptr<float>(), static_cast<std::size_t>(noise.numel()));
    {
        weights::Wav2Vec2Config config = wav2vec2();
        measure("wav2vec 2, all of the past", speech::Wav2Vec2Encoder(config, randomWeights(), {}), sound);
        config.streaming.left_context_frames = 200;
        measure("wav2vec 2, 4 s of the past", speech::Wav2Vec2Encoder(config, randomWeights(), {}), sound);
    }
    weights::ConformerConfig config = conformer();
    measure("VGG-conformer, all of the past", speech::ConformerEncoder(config, randomWeights(), {}), sound);
    config.streaming.left_context_frames = 66;
    measure("VGG-conformer, 4 s of the past", speech::ConformerEncoder(config, randomWeights(), {}), sound);
    return 0;
}
