#include "app/window/window_services.h"

#include <cstdlib>

#include <QObject>
#include <QStandardPaths>

#include "app/window/streams_services.h"
#include "app/window/translation_services.h"
#include "core/base/blas.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "ui/engine_backend.h"

#ifdef BRAID_HAS_MODELS
#include "app/window/model_shelf.h"
#include "core/models/caption_model.h"
#endif

namespace braid::app {
namespace {

namespace fs = std::filesystem;

fs::path userDataFolder()
{
    return fs::path(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation).toStdString()) / "braid";
}

fs::path sampleFile(const fs::path &program)
{
    for (const fs::path &folder : {program.parent_path() / "../share/braid/samples", fs::path(BRAID_SOURCE_DIR "/resources/samples")}) {
        const fs::path file = folder / "caption-sample.flac";
        std::error_code ignored;
        if (fs::exists(file, ignored)) {
            return fs::weakly_canonical(file, ignored);
        }
    }
    return {};
}

#ifdef BRAID_HAS_MODELS
using CaptionModelShelf = ModelShelf<models::CaptionModel>;

// The policy works on the model's tensors, so the model lives as long as it.
class PolicyWithModel : public decoding::CaptionPolicy {
  public:
    PolicyWithModel(std::shared_ptr<models::CaptionModel> model, const models::CaptionOptions &options) : m_model(std::move(model)), m_policy(m_model->makePolicy(options)) {}
    [[nodiscard]] std::string name() const override { return m_policy->name(); }
    [[nodiscard]] Sample stepSamples() const override { return m_policy->stepSamples(); }
    void adjust(const decoding::PolicySettings &settings) override { m_policy->adjust(settings); }
    void beginUtterance(Sample start_sample) override { m_policy->beginUtterance(start_sample); }
    void addSound(std::span<const float> sound) override { m_policy->addSound(sound); }
    [[nodiscard]] decoding::PolicyUpdate step() override { return m_policy->step(); }
    [[nodiscard]] decoding::PolicyUpdate endUtterance() override { return m_policy->endUtterance(); }

  private:
    std::shared_ptr<models::CaptionModel> m_model;
    std::unique_ptr<decoding::CaptionPolicy> m_policy;
};

std::vector<ui::ModelEntry> installedModels(const std::vector<fs::path> &folders)
{
    std::vector<ui::ModelEntry> entries;
    for (const models::ModelSummary &summary : models::listModels(folders)) {
        ui::ModelEntry entry{QString::fromStdString(summary.name), summary.path, QString::fromStdString(summary.description), summary.bytes, {}, QString::fromStdString(summary.problem)};
        entry.made_for_streaming = summary.made_for_streaming;
        if (summary.made_for_streaming) {
            entry.least_chunk_ms = summary.least_chunk_ms;
            entry.most_chunk_ms = summary.most_chunk_ms;
            entry.own_chunk_ms = summary.own_chunk_ms;
            entry.first_chunk_ms = summary.first_chunk_ms;
        }
        for (const std::string &language : summary.languages) {
            entry.languages << QString::fromStdString(language);
        }
        entries.push_back(entry);
    }
    return entries;
}

models::PolicyKind policyKind(const QString &id)
{
    return id == QLatin1String("align-att")      ? models::PolicyKind::AlignAtt
        : id == QLatin1String("local-agreement") ? models::PolicyKind::LocalAgreement
        : id == QLatin1String("streaming")       ? models::PolicyKind::Streaming
                                                 : models::PolicyKind::ModelsChoice;
}

engine::PolicyFactory policyFactory(const std::shared_ptr<CaptionModelShelf> &shelf, const ui::CaptionChoices &choices)
{
    models::CaptionOptions options;
    options.policy = policyKind(choices.tuning.policy);
    options.language = choices.tuning.language.toStdString();
    options.step_ms = choices.tuning.chunk_ms;
    // The window offers beams where words stream; other policies decode as they like it.
    options.beam_size = options.policy == models::PolicyKind::LocalAgreement ? 0 : choices.tuning.beam_size;
    options.look_back_tokens = choices.tuning.look_back_tokens;
    return [shelf, path = choices.model, compute = choices.compute, options](const std::function<void(double, std::string)> &progress, std::stop_token stop) -> std::unique_ptr<decoding::CaptionPolicy> {
        return std::make_unique<PolicyWithModel>(shelf->take(path, compute, progress, stop), options);
    };
}

// An engine with a model of its own: models are not shared between threads.
ui::EngineKit makeKit()
{
    const auto shelf = std::make_shared<CaptionModelShelf>([](const auto &path, const auto &device, const auto &progress, std::stop_token stop) {
        return models::CaptionModel::load(path, device, progress, std::move(stop));
    });
    ui::EngineKit kit;
    kit.backend = std::make_unique<ui::EngineBackend>();
    kit.make_policy = [shelf](const ui::CaptionChoices &choices) { return policyFactory(shelf, choices); };
    kit.make_run = [shelf](const ui::CaptionChoices &choices) {
        engine::CaptionRun run;
        run.open_source = [spec = choices.source] { return audio::openSource(spec); };
        run.make_policy = policyFactory(shelf, choices);
        run.model_name = choices.model_name.toStdString();
        run.journal_folder = choices.journal_folder;
        run.voice = choices.voice;
        run.lines = choices.lines;
        return run;
    };
    kit.forget_model = [shelf] { shelf->clear(); };
    return kit;
}
#else
ui::EngineKit makeKit()
{
    const auto refuse = [] { return Error(ErrorKind::Usage, "this build of Braid has no models: captions need libtorch"); };
    ui::EngineKit kit;
    kit.backend = std::make_unique<ui::EngineBackend>();
    kit.make_run = [refuse](const ui::CaptionChoices &) -> engine::CaptionRun { throw refuse(); };
    kit.make_policy = [refuse](const ui::CaptionChoices &) -> engine::PolicyFactory { throw refuse(); };
    return kit;
}
#endif

// Beside the program, or the source tree's; then the user's own.
std::vector<fs::path> layoutFolders(const fs::path &program)
{
    std::error_code ignored;
    const fs::path installed = fs::weakly_canonical(program.parent_path() / "../share/braid/layouts", ignored);
    return {fs::is_directory(installed, ignored) ? installed : fs::path(BRAID_SOURCE_DIR "/resources/layouts"), userDataFolder() / "layouts"};
}

}  // namespace

std::vector<fs::path> modelFolders(const fs::path &program)
{
    std::vector<fs::path> folders;
    if (const char *from_environment = std::getenv("BRAID_MODELS")) {
        folders.emplace_back(from_environment);
    }
    std::error_code ignored;
    const fs::path beside = fs::weakly_canonical(program.parent_path() / "../share/braid/models", ignored);
    for (const fs::path &folder : {beside, fs::path(BRAID_SOURCE_DIR "/resources/models"), userDataFolder() / "models"}) {
        if (fs::is_directory(folder, ignored)) {
            folders.push_back(folder);
        }
    }
    return folders;
}

ui::Services makeWindowServices(const fs::path &program, Keeping keeping)
{
    ui::Services services;
    services.captions = makeKit();
    services.make_engine = [](ui::CompareSide) { return makeKit(); };
    services.player = audio::makeSoundPlayer();
    services.list_devices = [] { return audio::listDevices(); };
    services.model_folders = modelFolders(program);
    services.sample_file = sampleFile(program);
    addTranslation(services, services.model_folders);
    services.streams = makeStreamsServices(services.model_folders, layoutFolders(program));
    if (keeping == Keeping::SettingsAndJournals) {
        services.journal_folder = userDataFolder() / "sessions";
        services.streams.journal_folder = services.journal_folder;
        services.settings_file = fs::path(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation).toStdString()) / "braid" / "braid.ini";
    }
    services.policies = {
        {QStringLiteral("models-choice"), QObject::tr("Model's choice"), QObject::tr("Streaming where the model was made for it, else Attention, which settles words soonest"), false, true},
        {QStringLiteral("streaming"), QObject::tr("Streaming"), QObject::tr("Every sound is encoded once; the newest tokens may still be taken back (CarelessWhisper)"), true, false},
        {QStringLiteral("local-agreement"), QObject::tr("Two agree"), QObject::tr("LocalAgreement: a word is settled when two looks in a row agree on it")},
        {QStringLiteral("align-att"), QObject::tr("Attention"), QObject::tr("AlignAtt: a word is settled when the model did not look at the very end of the sound for it")},
    };
    const BlasReport blas = detectBlas();
    services.slow_blas_warning = QString::fromStdString(blas.warning);
#ifdef BRAID_HAS_MODELS
    services.list_models = [folders = services.model_folders] { return installedModels(folders); };
    services.describe_compute = [blas](const ui::ComputeChoices &compute) {
        return QString::fromStdString(models::applyDeviceChoice(deviceChoice(compute)) + ", " + blas.description);
    };
#else
    services.list_models = []() -> std::vector<ui::ModelEntry> { throw Error(ErrorKind::Usage, "this build of Braid has no models: captions need libtorch"); };
    services.describe_compute = [](const ui::ComputeChoices &) { return QObject::tr("built without libtorch"); };
#endif
    return services;
}

}  // namespace braid::app
