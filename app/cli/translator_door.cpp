#include "app/cli/translator_door.h"

#include "app/cli/places.h"
#include "core/base/error.h"

#ifdef BRAID_HAS_MODELS
#include "app/cli/device_choice.h"
#include "core/models/language_model.h"
#endif

namespace braid::cli {

#ifdef BRAID_HAS_MODELS
namespace {

// The model that comes with Braid.
constexpr const char *kModelInTheBox = "translate-en-fr";

models::TranslatorOptions translatorOptions(const TranslatorOptions &from)
{
    models::TranslatorOptions options;
    options.paradigm = from.paradigm;
    options.phi = from.phi;
    options.sampling = from.sampling;
    options.seed = from.seed;
    options.rivals = from.rivals;
    options.attention = {from.layer, from.head, from.pooling == AttentionPooling::Max ? models::AttentionPooling::Max : models::AttentionPooling::Mean};
    options.source_language = from.source_language;
    options.target_language = from.target_language;
    return options;
}

}  // namespace

struct TranslatorDoor::Loaded {
    std::filesystem::path path;
    models::DeviceChoice device;
    std::shared_ptr<models::LanguageModel> model;
};

TranslatorDoor::TranslatorDoor(const TranslatorOptions &options)
    : m_options(options)
    , m_loaded(std::make_unique<Loaded>())
{
    const auto folders = modelFolders();
    m_loaded->path = models::findLanguageModel(options.model.empty() ? kModelInTheBox : options.model, folders);
    m_loaded->device = deviceChoice(options.device, options.number_type, options.threads);
    m_name = m_loaded->path.has_filename() ? m_loaded->path.filename().string() : m_loaded->path.parent_path().filename().string();
    m_device = models::applyDeviceChoice(m_loaded->device);
}

TranslatorDoor::~TranslatorDoor() = default;

std::unique_ptr<decoding::TranslationModel> TranslatorDoor::make(const Progress &progress, std::stop_token stop)
{
    if (!m_loaded->model) {
        const std::vector<std::filesystem::path> adapters(m_options.adapters.begin(), m_options.adapters.end());
        m_loaded->model = models::LanguageModel::load(m_loaded->path, m_loaded->device, adapters, progress, stop);
    }
    return m_loaded->model->makeTranslator(translatorOptions(m_options));
}

std::unique_ptr<decoding::TranslationModel> TranslatorDoor::makeWith(const std::string &paradigm, double phi)
{
    m_options.paradigm = paradigm;
    m_options.phi = phi;
    return make(Progress(), std::stop_token());
}

#else

struct TranslatorDoor::Loaded {};

TranslatorDoor::TranslatorDoor(const TranslatorOptions &)
{
    throw Error(ErrorKind::Usage, "this build of Braid has no models: translation needs libtorch");
}

TranslatorDoor::~TranslatorDoor() = default;

std::unique_ptr<decoding::TranslationModel> TranslatorDoor::make(const Progress &, std::stop_token)
{
    return nullptr;
}

std::unique_ptr<decoding::TranslationModel> TranslatorDoor::makeWith(const std::string &, double)
{
    return nullptr;
}

#endif

}  // namespace braid::cli
