#include "app/window/window_services.h"

#include <QFile>
#include <QStandardPaths>
#include <QSysInfo>

#include <cstdio>

#include "core/base/blas.h"
#include "core/base/cpu.h"
#include "core/base/error.h"
#include "core/model_access/word_lists.h"
#include "ui/captions/tuning_controls.h"
#include "ui/shared/core_words.h"
#include "ui/state/engine_backend.h"

namespace braid::app {
namespace {

namespace fs = std::filesystem;

fs::path sampleFile()
{
    for (const fs::path &folder : models::resourceFolders("samples")) {
        const fs::path file = folder / "caption-sample.flac";
        std::error_code ignored;
        if (fs::exists(file, ignored)) {
            return fs::weakly_canonical(file, ignored);
        }
    }
    return {};
}

std::vector<ui::ModelEntry> installedModels(const models::ModelAccess &access)
{
    std::vector<ui::ModelEntry> entries;
    for (const models::ModelSummary &summary : access.loader->captionModels(access.folders)) {
        ui::ModelEntry entry{QString::fromStdString(summary.name),   summary.path, ui::coreWords(summary.description), summary.bytes, {},
                             QString::fromStdString(summary.problem)};
        entry.made_for_streaming = summary.made_for_streaming;
        entry.listens = summary.kind == models::CaptionModelKind::SpeechLm;
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

captions::PolicyFactory policyFactory(const models::ModelAccess &access, const std::shared_ptr<models::CaptionModelCache> &cache,
                                      const ui::CaptionChoices &choices)
{
    models::CaptionOptions options;
    options.language = choices.tuning.language.toStdString();
    options.step_ms = choices.tuning.chunk_ms;
    // The window offers beams where words stream; other policies decode as they like it.
    const models::CaptionPolicyEntry *entry = access.policies.find(choices.tuning.policy.toStdString());
    options.policy = entry != nullptr ? entry->name : options.policy;
    options.beam_size = entry != nullptr && entry->runs == models::PolicyRuns::OnAnyModel ? 0 : choices.tuning.beam_size;
    options.look_back_tokens = choices.tuning.look_back_tokens;
    return models::policyFactory(access, cache, {choices.model, choices.compute}, options);
}

// An engine with a model of its own: models for captions are not shared between threads.
ui::EngineKit makeKit(const models::ModelAccess &access, const std::shared_ptr<const audio::OwnPlayback> &own_playback,
                      const std::shared_ptr<captions::WordBook> &words)
{
    const auto cache = access.captionCache();
    ui::EngineKit kit;
    kit.backend = std::make_unique<ui::EngineBackend>();
    kit.make_policy = [access, cache, words](const ui::CaptionChoices &choices) { return captions::writtenBy(words, policyFactory(access, cache, choices)); };
    kit.make_run = [make_policy = kit.make_policy, own_playback](const ui::CaptionChoices &choices) {
        captions::CaptionRun run;
        run.open_source = [spec = choices.source, own_playback] {
            auto source = audio::openSource(spec);
            return spec.kind == audio::SourceKind::SystemSound ? audio::withoutOwnPlayback(std::move(source), own_playback) : std::move(source);
        };
        run.make_policy = make_policy(choices);
        run.model_name = choices.model_name.toStdString();
        run.journal_folder = choices.journal_folder;
        run.voice = choices.voice;
        run.lines = choices.lines;
        return run;
    };
    kit.forget_model = [cache] { cache->clear(); };
    return kit;
}

// "Intel(R) Xeon(R) Processor", as the system calls it.
QString processorName()
{
    QFile file(QStringLiteral("/proc/cpuinfo"));
    if (file.open(QIODevice::ReadOnly)) {
        for (QByteArray line = file.readLine(); !line.isEmpty(); line = file.readLine()) {
            if (line.startsWith("model name")) {
                return QString::fromUtf8(line.mid(line.indexOf(':') + 1)).trimmed();
            }
        }
    }
    return QSysInfo::currentCpuArchitecture();
}

ui::ProgramFacts programFacts(const models::ModelAccess &access, const BlasReport &blas)
{
    const auto described = [&access](const char *device) {
        try {
            models::DeviceChoice choice;
            choice.device = device;
            return QString::fromStdString(access.loader->describe(choice));
        } catch (const Error &error) {
            return QString::fromUtf8(error.what());
        }
    };
    ui::ProgramFacts facts{{QObject::tr("Processor"), QObject::tr("%1, %n core(s)", nullptr, usableCores()).arg(processorName())},
                           {QObject::tr("Linear algebra"), QString::fromStdString(blas.description)},
                           {QObject::tr("Computes on"), described("auto")},
                           {QObject::tr("Graphics card"), described("cuda")}};
    QStringList devices;
    for (const audio::DeviceInfo &device : audio::listDevices()) {
        devices << QStringLiteral("%1 (%2)").arg(QString::fromStdString(device.name), QString::fromStdString(device.host_api));
    }
    facts.emplace_back(QObject::tr("Sound devices"), devices.isEmpty() ? QObject::tr("none") : devices.join(QStringLiteral("; ")));
    return facts;
}

// A broken list masks nothing, and says so.
text::WordRules profanity()
{
    try {
        return models::profanityInTheBox();
    } catch (const Error &error) {
        std::fprintf(stderr, "braid: %s\n", error.what());
        return {};
    }
}

}  // namespace

fs::path settingsFile()
{
    return fs::path(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation).toStdString()) / "braid" / "braid.ini";
}

ui::Services makeWindowServices(const models::ModelAccess &access, Keeping keeping)
{
    ui::Services services;
    const auto own_playback = std::make_shared<audio::OwnPlayback>();
    services.captions = makeKit(access, own_playback, services.words);
    services.make_engine = [access, own_playback, words = services.words](ui::CompareSide) { return makeKit(access, own_playback, words); };
    services.player = audio::makeSoundPlayer(own_playback);
    services.list_devices = [] { return audio::listDevices(); };
    services.model_folders = access.folders;
    services.sample_file = sampleFile();
    services.profanity = profanity();
    addTranslation(services, access);
    services.streams = makeStreamsServices(access);
    if (keeping == Keeping::SettingsAndJournals) {
        try {
            services.journal_folder = models::journalsFolder();
        } catch (const Error &error) {
            std::fprintf(stderr, "braid: %s\n", error.what());  // it captions all the same
        }
        services.streams.journal_folder = services.journal_folder;
        services.settings_file = settingsFile();
    }
    services.policies = ui::policyEntries(access.policies);
    const BlasReport blas = detectBlas();
    services.slow_blas_warning = QString::fromStdString(blas.warning);
    services.list_models = [access] { return installedModels(access); };
    services.describe_compute = [access, blas](const models::DeviceChoice &compute) {
        return QString::fromStdString(access.loader->describe(compute) + ", " + blas.description);
    };
    services.describe_program = [access, blas] { return programFacts(access, blas); };
    return services;
}

}  // namespace braid::app
