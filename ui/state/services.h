// What the window needs from outside, handed in by the program (app/window) or by a test. No torch, no devices, no globals behind it.
//
// Functions marked "any thread" are called off the GUI thread because they may take long; the rest must be quick.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <QString>
#include <QStringList>

#include "core/audio/player.h"
#include "core/audio/source_spec.h"
#include "core/audio/voice_activity.h"
#include "core/captions/caption_engine.h"
#include "core/captions/written_words.h"
#include "core/model_access/device_choice.h"
#include "core/text/line_breaks.h"
#include "ui/state/caption_tuning.h"
#include "ui/state/streams_services.h"
#include "ui/state/translation_backend.h"

namespace braid::ui {

// The engine as the window sees it; captions::CaptionEngine behind EngineBackend, or a script in tests. Same contract as CaptionEngine.
class CaptionBackend {
  public:
    virtual ~CaptionBackend() = default;
    virtual std::uint64_t start(captions::CaptionRun run) = 0;
    virtual void stop() = 0;
    virtual void cancel() = 0;
    virtual void adjust(const captions::PolicySettings &settings) = 0;
    virtual void changePolicy(captions::PolicyFactory make_policy) = 0;
    [[nodiscard]] virtual bool keepCorrections(const std::vector<text::WordCorrection> &corrections) = 0;
    [[nodiscard]] virtual std::vector<captions::CaptionEvent> takeEvents() = 0;
    [[nodiscard]] virtual std::shared_ptr<const captions::CaptionSnapshot> snapshot() const = 0;
    [[nodiscard]] virtual std::vector<float> sound(Sample start, Sample length) const = 0;
    [[nodiscard]] virtual std::filesystem::path journalFolder() const = 0;
};

struct ModelEntry {
    QString name;
    std::filesystem::path path;
    QString description;
    std::uint64_t bytes = 0;
    QStringList languages;            // codes, "en"
    QString problem;                  // a sentence where it cannot be used
    bool made_for_streaming = false;  // its encoder sees no future: the streaming policy runs on it
    int least_chunk_ms = 100;         // what it was trained for
    int most_chunk_ms = 1000;
    int own_chunk_ms = 0;    // 0: not known
    int first_chunk_ms = 0;  // the least that the first chunk of a window takes; 0: not known
    bool listens = false;    // a language model that listens: it has a policy of its own, and no other runs on it
};

struct PolicyEntry {
    QString id;                      // "local-agreement"
    QString title;                   // "Two agree"
    QString explanation;             // one sentence
    bool streams = false;            // runs on models made for streaming alone; has beams and a look-back
    bool follows_the_model = false;  // streams where the model does
    bool listens = false;            // runs on language models that listen alone
};

// Without a model nothing is known against it.
[[nodiscard]] inline bool runsOn(const PolicyEntry &policy, const ModelEntry *model)
{
    if (model == nullptr || policy.follows_the_model) {
        return true;
    }
    return policy.listens == model->listens && (!policy.streams || model->made_for_streaming);
}

struct CaptionChoices {
    audio::SourceSpec source;
    QString source_title;  // "Built-in Audio", "talk.mp4"
    std::filesystem::path model;
    QString model_name;
    CaptionTuning tuning;
    models::DeviceChoice compute;
    audio::VoiceGateOptions voice;
    text::LineRule lines;
    std::filesystem::path journal_folder;                         // empty: keep no journal
    std::function<std::unique_ptr<audio::Source>()> open_source;  // in place of `source`, where two runs share one capture; may be empty
};

// An engine and how its runs are made. One model at a time lives behind it.
struct EngineKit {
    std::unique_ptr<CaptionBackend> backend;
    std::function<captions::CaptionRun(const CaptionChoices &)> make_run;
    std::function<captions::PolicyFactory(const CaptionChoices &)> make_policy;  // for a run that goes on with another policy
    std::function<void()> forget_model;                                          // gives its memory back once no run uses it; may be empty
};

// Name and value, as About shows them: "Processor", "Intel ...".
using ProgramFacts = std::vector<std::pair<QString, QString>>;

enum class CompareSide : std::uint8_t { Left = 1, Right };

struct Services {
    EngineKit captions;
    // Engines for comparing two policies. The left one shares its model with `captions`; they never run at the same time.
    std::function<EngineKit(CompareSide)> make_engine;
    StreamsServices streams;
    std::function<TranslationKit()> make_translation_kit;                         // engines of one window share their models; two may run at once
    std::function<std::vector<TranslationModelEntry>()> list_translation_models;  // any thread
    std::unique_ptr<audio::SoundPlayer> player;
    std::function<std::vector<audio::DeviceInfo>()> list_devices;           // any thread
    std::function<std::vector<ModelEntry>()> list_models;                   // any thread
    std::function<QString(const models::DeviceChoice &)> describe_compute;  // any thread; "CPU, 2 threads, OpenBLAS"; throws Error(Device)
    std::function<ProgramFacts()> describe_program;                         // any thread
    std::vector<PolicyEntry> policies;
    std::vector<std::filesystem::path> model_folders;  // shown on the Models page: where models are looked for
    std::filesystem::path settings_file;
    std::filesystem::path journal_folder;
    std::shared_ptr<captions::WordBook> words = std::make_shared<captions::WordBook>();  // how words of captions are written
    text::WordRules profanity;                                                           // what is masked where a person wants that
    std::filesystem::path sample_file;                                                   // bundled sample; empty: none
    QString slow_blas_warning;                                                           // a sentence with the remedy, or empty
};

}  // namespace braid::ui
