#include "core/models/models.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/model_access/box_tokenizer.h"
#include "core/models/device_choice.h"
#include "core/models/loading_progress.h"
#include "core/models/model_description.h"
#include "core/models/torch_errors.h"
#include "core/models/whisper/transcribe.h"
#include "core/models/whisper/whisper_recognizer.h"
#include "core/models/whisper/whisper_step_decoder.h"
#include "core/models/whisper/whisper_streaming_recognizer.h"

namespace braid::models {

namespace {

class WhisperCaptionModel final : public CaptionModel {
  public:
    WhisperCaptionModel(std::shared_ptr<whisper::Model> model, ModelSummary summary)
        : m_model(std::move(model))
        , m_summary(std::move(summary))
    {
    }

    [[nodiscard]] ModelSummary summary() const override { return m_summary; }

    [[nodiscard]] std::unique_ptr<captions::WindowRecognizer> makeWindowRecognizer(const CaptionOptions &options) override
    {
        return std::make_unique<whisper::WhisperRecognizer>(m_model, options);
    }
    [[nodiscard]] std::unique_ptr<captions::StepDecoder> makeStepDecoder(const CaptionOptions &options) override
    {
        return std::make_unique<whisper::WhisperStepDecoder>(m_model, options);
    }
    [[nodiscard]] std::unique_ptr<captions::StreamingRecognizer> makeStreamingRecognizer(const CaptionOptions &options) override
    {
        return std::make_unique<whisper::WhisperStreamingRecognizer>(m_model, options);
    }

    [[nodiscard]] text::Transcript transcribe(std::span<const float> sound, const OfflineOptions &options, const Progress &progress,
                                              std::stop_token stop) override
    {
        whisper::requireTask(*m_model, options.task);
        if (m_summary.made_for_streaming && !m_model->hasTimestamps()) {
            return transcribeInLongChunks(sound, options, progress, stop);
        }
        whisper::TranscribeOptions transcribe;
        transcribe.offline = options;
        transcribe.rival_count = 3;
        return withPlainErrors([&] {
            return whisper::toTranscript(whisper::transcribeSound(*m_model, sound, transcribe, progress, stop), static_cast<Sample>(sound.size()),
                                         options.lines);
        });
    }

  private:
    // The causal encoder at its best: nothing waits for these words, so its chunks may be as long as it was trained for.
    [[nodiscard]] text::Transcript transcribeInLongChunks(std::span<const float> sound, const OfflineOptions &options, const Progress &progress,
                                                          const std::stop_token &stop)
    {
        CaptionOptions live;
        live.language = options.language;
        live.task = options.task;
        live.step_ms = live.first_chunk_ms = m_summary.most_chunk_ms;
        live.beam_size = options.beam_size;
        live.capture_attention = false;
        const auto policy = makeStreamingPolicy(*this, live);
        std::vector<text::Word> words;
        const auto take = [&](captions::PolicyUpdate update) { std::move(update.committed.begin(), update.committed.end(), std::back_inserter(words)); };
        for (std::size_t heard = 0; heard < sound.size();) {
            if (stop.stop_requested()) {
                throw Error(ErrorKind::Cancelled, "the transcription was cancelled");
            }
            const auto step = static_cast<std::size_t>(policy->stepSamples());
            const std::span<const float> piece = sound.subspan(heard, std::min(step, sound.size() - heard));
            policy->addSound(piece);
            heard += piece.size();
            if (piece.size() == step) {
                take(policy->step());
            }
            if (progress) {
                progress(static_cast<double>(heard) / static_cast<double>(sound.size()), "transcribing");
            }
        }
        take(policy->endUtterance());
        return whisper::inLines(std::move(words), static_cast<Sample>(sound.size()), options.lines);
    }

    std::shared_ptr<whisper::Model> m_model;
    ModelSummary m_summary;
};

}  // namespace

std::shared_ptr<CaptionModel> loadCaptionModel(const std::filesystem::path &path, const DeviceChoice &device, const Progress &progress, std::stop_token stop)
{
    LoadingProgress loading(progress, std::move(stop), modelName(path));
    const nn::Placement placement = placementOf(device);
    useThreads(device);
    weights::WhisperCheckpoint checkpoint = weights::readWhisperCheckpoint(path);
    if (checkpoint.tokenizer_path.empty()) {
        checkpoint.tokenizer_path = tokenizerInTheBox(checkpoint.dims.n_vocab);
    }
    if (checkpoint.tokenizer_path.empty()) {
        throw Error(ErrorKind::Model, "no tokenizer was found for this model", path.string(),
                    "Put tokenizer.json, multilingual.tiktoken or gpt2.tiktoken beside it");
    }
    const auto tokenizer = text::WhisperTokenizer::load(checkpoint.tokenizer_path, checkpoint.dims.n_vocab);
    ModelSummary summary = describeModel(path, checkpoint);
    loading.expect(checkpoint.tensors.totalBytes());
    summary.bytes = checkpoint.tensors.totalBytes() + checkpoint.adapters.totalBytes();
    const auto watch = [&loading](std::uint64_t bytes) { loading.bytesTaken(bytes); };
    auto model = withPlainErrors([&] { return std::make_shared<whisper::Model>(std::move(checkpoint), tokenizer, placement, watch); });
    summary.languages = model->languages();
    loading.finished();
    return std::make_shared<WhisperCaptionModel>(std::move(model), std::move(summary));
}

}  // namespace braid::models
