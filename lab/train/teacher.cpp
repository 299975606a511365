#include "lab/train/teacher.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "core/audio/pcm16.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/features/log_mel.h"
#include "core/models/whisper/encoder.h"
#include "lab/train/feature_library.h"
#include "lab/train/whisper_parts.h"

namespace braid::train {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kStatisticsUtterances = 600;
constexpr double kLeastDeviation = 1e-3;

weights::WhisperCheckpoint readTeacher(const fs::path &path)
{
    return path.extension() == ".safetensors" ? readEncoderFile(path) : weights::readWhisperCheckpoint(path);
}

// [frames of 20 ms, width] -> [ceil(frames / 2), width]
at::Tensor pooled(const at::Tensor &features)
{
    const std::int64_t count = (features.size(0) + 1) / 2;
    const at::Tensor padded = at::cat({features.narrow(0, 0, 1), features, features.narrow(0, features.size(0) - 1, 1)}, 0);
    const auto every = [&](std::int64_t first) { return padded.slice(0, first, first + 2 * (count - 1) + 1, 2); };
    return every(0) * 0.25 + every(1) * 0.5 + every(2) * 0.25;
}

class Teacher {
  public:
    Teacher(const fs::path &path, const std::string &device)
        : m_checkpoint(readTeacher(path))
        , m_strides(m_checkpoint.dims.strides())
        , m_encoder(m_checkpoint, {at::Device(device), at::kFloat})
        , m_mel(static_cast<int>(m_checkpoint.dims.n_mels))
        , m_longest(m_checkpoint.dims.n_audio_ctx * m_strides.melFrames() * features::kHopSamples)
    {
    }

    // [frames, width] float16
    at::Tensor operator()(std::span<const std::int16_t> pcm, weights::ConvStrides wanted) const
    {
        std::vector<at::Tensor> pieces;
        for (std::size_t from = 0; from < pcm.size(); from += static_cast<std::size_t>(m_longest)) {
            const auto piece = pcm.subspan(from, std::min(pcm.size() - from, static_cast<std::size_t>(m_longest)));
            const features::MelFrames mel = m_mel.compute(audio::floatsOf(piece));
            if (mel.frames == 0) {
                break;
            }
            const at::Tensor rows = at::from_blob(const_cast<float *>(mel.values.data()), {mel.frames, mel.bands}, at::kFloat).t();
            pieces.push_back(m_encoder(rows).to(at::kCPU, at::kFloat));
        }
        if (pieces.empty()) {
            return at::zeros({0, m_checkpoint.dims.n_audio_state}, at::kHalf);
        }
        const at::Tensor all = at::cat(pieces, 0);
        const bool has_more_frames = wanted.melFrames() > m_strides.melFrames();
        return (!has_more_frames ? all : wanted.second == 4 ? all.slice(0, 0, all.size(0), 2) : pooled(all)).to(at::kHalf).contiguous();
    }

  private:
    weights::WhisperCheckpoint m_checkpoint;
    weights::ConvStrides m_strides;
    models::whisper::Encoder m_encoder;
    features::LogMel m_mel;
    std::int64_t m_longest = 0;
};

void writeStatistics(const fs::path &path, const KeyedStore &store, const std::vector<std::uint64_t> &keys, std::int64_t width)
{
    std::vector<double> sums(static_cast<std::size_t>(2 * width), 0.0);
    double rows = 0;
    const std::size_t step = std::max<std::size_t>(1, keys.size() / kStatisticsUtterances);
    for (std::size_t i = 0; i < keys.size(); i += step) {
        const auto bytes = store.find(keys[i]);
        if (!bytes) {
            continue;
        }
        const auto *values = reinterpret_cast<const std::uint16_t *>(bytes->data());
        for (std::size_t at = 0; at < bytes->size() / 2; ++at) {
            const double value = floatFromHalf(values[at]);
            const std::size_t column = at % static_cast<std::size_t>(width);
            sums[column] += value;
            sums[static_cast<std::size_t>(width) + column] += value * value;
        }
        rows += static_cast<double>(bytes->size()) / 2 / static_cast<double>(width);
    }
    std::string out;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const std::size_t column = i % static_cast<std::size_t>(width);
        const double mean = sums[column] / std::max(1.0, rows);
        const double square = sums[static_cast<std::size_t>(width) + column] / std::max(1.0, rows);
        const auto value =
            static_cast<float>(i < static_cast<std::size_t>(width) ? mean : std::max(kLeastDeviation, std::sqrt(std::max(0.0, square - mean * mean))));
        out.append(reinterpret_cast<const char *>(&value), sizeof value);
    }
    writeFileAtomically(path, out);
}

}  // namespace

fs::path featurePath(const Recipe &recipe, weights::ConvStrides strides)
{
    return recipe.cache / (strides.second == 4 ? "features-every-second" : "features");
}

std::int64_t teacherWidth(const fs::path &teacher)
{
    return teacher.extension() == ".safetensors" ? readEncoderFile(teacher).dims.n_audio_state : weights::readWhisperHeader(teacher).dims.n_audio_state;
}

void makeFeatures(const Recipe &recipe, const SpeechLibrary &library, weights::ConvStrides strides, const PreparationWatch &watch)
{
    const c10::NoGradGuard no_gradients;
    KeyedStore store(featurePath(recipe, strides));
    std::vector<const Speech *> missing;
    std::vector<std::uint64_t> keys;
    for (const SpeechCorpus &corpus : library.corpora()) {
        for (const Speech &speech : corpus.speech) {
            if (speech.wants_features) {
                keys.push_back(speech.key);
                if (!store.contains(speech.key)) {
                    missing.push_back(&speech);
                }
            }
        }
    }
    if (!missing.empty()) {
        const Teacher teacher(recipe.teacher, recipe.device);
        std::size_t done = 0;
        for (const Speech *speech : missing) {
            if (!store.contains(speech->key)) {  // two lines of a manifest may name the same sound
                const at::Tensor features = teacher(speech->sound, strides);
                store.add(speech->key, {static_cast<const std::byte *>(features.data_ptr()), static_cast<std::size_t>(features.numel()) * 2});
            }
            watch("the teacher listens", static_cast<double>(++done) / static_cast<double>(missing.size()));
        }
    }
    store.finishAdding();
    const fs::path statistics = featurePath(recipe, strides).string() + ".stats";
    if (!fs::exists(statistics)) {
        writeStatistics(statistics, store, keys, teacherWidth(recipe.teacher));
    }
}

}  // namespace braid::train
