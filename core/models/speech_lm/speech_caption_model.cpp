#include "core/models/speech_lm/speech_caption_model.h"

#include <utility>

#include "core/base/error.h"
#include "core/model_access/model_files.h"
#include "core/models/device_choice.h"
#include "core/models/loading_progress.h"
#include "core/models/model_description.h"
#include "core/models/models.h"
#include "core/models/speech_lm/segment_writer.h"

namespace braid::models::speech {
namespace {

class SpeechCaptionModel final : public CaptionModel {
  public:
    SpeechCaptionModel(std::shared_ptr<const SpeechLm> model, ModelSummary summary)
        : m_model(std::move(model))
        , m_summary(std::move(summary))
    {
    }

    [[nodiscard]] ModelSummary summary() const override { return m_summary; }
    [[nodiscard]] std::unique_ptr<captions::SegmentTranscriber> makeSegmentTranscriber(const CaptionOptions &options) override
    {
        return std::make_unique<SegmentWriter>(m_model, options);
    }
    [[nodiscard]] std::unique_ptr<captions::WindowRecognizer> makeWindowRecognizer(const CaptionOptions &) override { refuse("this policy needs a Whisper"); }
    [[nodiscard]] std::unique_ptr<captions::StepDecoder> makeStepDecoder(const CaptionOptions &) override { refuse("this policy needs a Whisper"); }
    [[nodiscard]] std::unique_ptr<captions::StreamingRecognizer> makeStreamingRecognizer(const CaptionOptions &) override
    {
        refuse("this policy needs a Whisper");
    }
    [[nodiscard]] text::Transcript transcribe(std::span<const float>, const OfflineOptions &, const Progress &, std::stop_token) override
    {
        refuse("whole recordings at once need a Whisper");
    }

  private:
    [[noreturn]] void refuse(const char *what) const
    {
        throw Error(ErrorKind::Usage, std::string(what) + ", and " + m_summary.name + " is a language model that listens", {},
                    "Choose the policy speech-llm, or another model");
    }

    std::shared_ptr<const SpeechLm> m_model;
    ModelSummary m_summary;
};

}  // namespace

std::shared_ptr<CaptionModel> loadSpeechCaptionModel(const std::filesystem::path &folder, const DeviceChoice &device, const Progress &progress,
                                                     std::stop_token stop)
{
    LoadingProgress loading(progress, std::move(stop), modelName(folder));
    const nn::Placement placement = placementOf(device);
    useThreads(device);
    ModelSummary summary = describeSpeechLm(folder, weights::readSpeechLmConfig(folder));
    summary.bytes = bytesOf(folder);
    loading.expect(summary.bytes);
    const auto watch = [&loading](std::uint64_t bytes) { loading.bytesTaken(bytes); };
    auto model = loadSpeechLm(folder, placement, watch);
    loading.finished();
    return std::make_shared<SpeechCaptionModel>(std::move(model), std::move(summary));
}

}  // namespace braid::models::speech
