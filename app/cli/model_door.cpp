#include "app/cli/model_door.h"

#include "app/cli/device_choice.h"
#include "app/cli/places.h"
#include "core/decoding/chunking.h"
#include "core/models/caption_model.h"

namespace braid::cli {
namespace {

// The model that comes with Braid.
constexpr const char *kModelInTheBox = "captions-en";

models::SpeechTask speechTask(const CaptionOptions &options)
{
    return options.task == Task::Translate ? models::SpeechTask::Translate : models::SpeechTask::Transcribe;
}

models::PolicyKind policyKind(Policy policy)
{
    switch (policy) {
    case Policy::LocalAgreement:
        return models::PolicyKind::LocalAgreement;
    case Policy::AlignAtt:
        return models::PolicyKind::AlignAtt;
    case Policy::Streaming:
        return models::PolicyKind::Streaming;
    case Policy::Offline:
    case Policy::ModelsChoice:
        break;
    }
    return models::PolicyKind::ModelsChoice;
}

}  // namespace

struct ModelDoor::Loaded {
    std::filesystem::path path;
    std::shared_ptr<models::CaptionModel> model;
};

ModelDoor::ModelDoor(const CaptionOptions &options)
    : m_options(options)
    , m_loaded(std::make_unique<Loaded>())
{
    const auto folders = modelFolders();
    m_loaded->path = models::findModel(options.model.empty() ? kModelInTheBox : options.model, folders);
    m_name = m_loaded->path.has_filename() ? m_loaded->path.filename().string() : m_loaded->path.parent_path().filename().string();
    m_device = models::applyDeviceChoice(deviceChoice(options.device, options.number_type, options.threads));
}

ModelDoor::~ModelDoor() = default;

void ModelDoor::load(const Progress &progress, std::stop_token stop)
{
    if (!m_loaded->model) {
        m_loaded->model = models::CaptionModel::load(m_loaded->path, deviceChoice(m_options.device, m_options.number_type, m_options.threads), progress, stop);
    }
}

int ModelDoor::ownChunkMs()
{
    load({}, {});
    const int own_ms = m_loaded->model->summary().own_chunk_ms;
    return own_ms > 0 ? own_ms : static_cast<int>(1000 * secondsFromSamples(decoding::Chunking{}.chunk_samples));
}

std::unique_ptr<decoding::CaptionPolicy> ModelDoor::makePolicy(const Progress &progress, std::stop_token stop)
{
    load(progress, stop);
    return makePolicy(m_options);
}

text::Transcript ModelDoor::transcribe(std::span<const float> sound, const Progress &progress, std::stop_token stop)
{
    return transcribe(m_options, sound, progress, stop);
}

std::unique_ptr<decoding::CaptionPolicy> ModelDoor::makePolicy(const CaptionOptions &wanted)
{
    load({}, {});
    models::CaptionOptions options;
    options.policy = policyKind(wanted.policy);
    options.language = wanted.language;
    options.task = speechTask(wanted);
    options.step_ms = wanted.step_ms;
    if (wanted.beam_size > 0) {
        options.beam_size = wanted.beam_size;
    }
    options.first_chunk_ms = wanted.first_chunk_ms;
    options.look_back_tokens = wanted.look_back_tokens;
    options.stability = wanted.stability;
    options.token_cache = wanted.token_cache;
    options.doubt = wanted.doubt;
    options.align_att = wanted.align_att;
    options.local_agreement = wanted.local_agreement;
    options.window_padding = wanted.window_padding;
    options.capture_attention = false;  // nobody looks at it here
    return m_loaded->model->makePolicy(options);
}

text::Transcript ModelDoor::transcribe(const CaptionOptions &wanted, std::span<const float> sound, const Progress &progress, std::stop_token stop)
{
    load(progress, stop);
    models::OfflineOptions options;
    options.language = wanted.language;
    options.task = speechTask(wanted);
    if (wanted.beam_size > 0) {
        options.beam_size = wanted.beam_size;
    }
    if (wanted.temperatures == OfflineTemperatures::Zero) {
        options.temperatures = {0.0f};
    }
    options.lines = wanted.lines;
    return m_loaded->model->transcribe(sound, options, progress, stop);
}

}  // namespace braid::cli
