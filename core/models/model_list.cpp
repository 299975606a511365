// Which models there are: looks at configurations and headers only. Torch-free.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>

#include "core/base/error.h"
#include "core/model_access/box_tokenizer.h"
#include "core/models/model_description.h"
#include "core/models/models.h"
#include "core/text/languages.h"
#include "core/weights/ct2_whisper.h"
#include "core/weights/ggml_whisper.h"
#include "core/weights/huggingface_lm.h"
#include "core/weights/whisper_checkpoint.h"
#include "core/weights/whisper_names.h"

namespace braid::models {

namespace {

namespace fs = std::filesystem;

ModelSummary summarise(const fs::path &path)
{
    ModelSummary summary;
    try {
        if (weights::isSpeechLm(path)) {
            summary = describeSpeechLm(path, weights::readSpeechLmConfig(path));
            summary.bytes = bytesOf(path);
            return summary;
        }
        const weights::WhisperCheckpoint header = weights::readWhisperHeader(path);
        summary = describeModel(path, header);
        if (header.tokenizer_path.empty() && tokenizerInTheBox(header.dims.n_vocab).empty()) {
            summary.problem = kNoTokenizer;
        }
    } catch (const Error &error) {
        summary.name = modelName(path);
        summary.path = path;
        summary.problem = error.sentence();
    }
    summary.bytes = bytesOf(path);
    return summary;
}

}  // namespace

std::int64_t countParameters(const weights::WhisperDims &dims)
{
    std::int64_t count = 0;
    for (const auto &[name, shape] : weights::expectedWhisperTensors(dims)) {
        count += std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
    }
    return count;
}

ModelSummary describeModel(const fs::path &path, const weights::WhisperCheckpoint &header)
{
    ModelSummary summary;
    summary.name = modelName(path);
    summary.path = path;
    summary.languages = header.languages;
    if (header.streaming) {
        summary.made_for_streaming = true;
        summary.least_chunk_ms = static_cast<int>(header.streaming->chunk_ms_min);
        summary.most_chunk_ms = static_cast<int>(header.streaming->chunk_ms_max);
        summary.own_chunk_ms = static_cast<int>(header.streaming->default_chunk_ms);
        summary.first_chunk_ms = static_cast<int>(header.streaming->first_chunk_ms);
    }
    constexpr std::int64_t kMultilingual = 51865;
    if (summary.languages.empty() && header.dims.n_vocab >= kMultilingual) {
        for (const text::Language &language : text::whisperLanguages()) {
            summary.languages.emplace_back(language.code);
        }
        if (header.dims.n_vocab == kMultilingual && !summary.languages.empty() && summary.languages.back() == "yue") {
            summary.languages.pop_back();  // Cantonese came with the larger vocabulary of large-v3
        }
    } else if (summary.languages.empty()) {
        summary.languages = {"en"};
    }
    char size[32];
    std::snprintf(size, sizeof size, "%.1f M", static_cast<double>(countParameters(header.dims)) / 1e6);
    summary.description = std::string(header.streaming ? "Streaming Whisper, " : "Whisper, ") + size + " parameters, " +
                          (summary.languages.size() > 1        ? std::to_string(summary.languages.size()) + " languages"
                           : summary.languages.front() == "en" ? "English"
                                                               : summary.languages.front());
    if (weights::isGgmlWhisper(path)) {
        summary.description += ", ggml";
    } else if (weights::isCt2Whisper(path)) {
        summary.description += ", CTranslate2";
    }
    return summary;
}

ModelSummary describeSpeechLm(const fs::path &path, const weights::SpeechLmConfig &config)
{
    ModelSummary summary;
    summary.name = modelName(path);
    summary.path = path;
    summary.kind = CaptionModelKind::SpeechLm;
    summary.token_heads = config.language_model.token_heads.count;
    summary.languages = config.languages;
    std::int64_t count = 0;
    for (const weights::ExpectedTensor &tensor : weights::expectedSpeechLmTensors(config)) {
        count += std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1}, std::multiplies<>());
    }
    char size[32];
    std::snprintf(size, sizeof size, "%.1f M", static_cast<double>(count) / 1e6);
    summary.description = std::string("Language model that listens, ") + size + " parameters";
    if (summary.token_heads > 1) {
        summary.description += ", " + std::to_string(summary.token_heads) + " tokens a step";
    }
    return summary;
}

std::vector<ModelSummary> listModels(std::span<const fs::path> folders)
{
    std::vector<ModelSummary> summaries;
    for (const fs::path &path : modelsIn(folders)) {
        if (!weights::isLanguageModel(path)) {
            summaries.push_back(summarise(path));
        }
    }
    return summaries;
}

}  // namespace braid::models
