// What the Streams page needs from outside, handed in by the program (app/window) or by a test. No torch behind it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QString>

#include "core/model_access/device_choice.h"
#include "core/streams/layout.h"
#include "core/streams/streams_engine.h"

namespace braid::ui {

// The engine as the page sees it; streams::StreamsEngine, or a script in tests. Same contract.
class StreamsBackend {
  public:
    virtual ~StreamsBackend() = default;
    virtual std::uint64_t start(streams::StreamsRunConfig run) = 0;
    virtual void stop() = 0;
    virtual void post(streams::StreamsCommand command) = 0;
    [[nodiscard]] virtual std::vector<streams::StreamsEngineEvent> takeEvents() = 0;
    [[nodiscard]] virtual std::shared_ptr<const streams::StreamsSnapshot> snapshot() const = 0;
};

struct StreamsModelEntry {
    QString name;
    std::filesystem::path path;
    QString description;
    int streams = 0;  // it was made for so many; 0: one queue of messages, a baseline
    QString problem;  // a sentence where it cannot be used
};

struct LayoutEntry {
    QString title;
    std::filesystem::path path;
    streams::Layout layout;
    QString problem;  // a sentence where it could not be read
};

struct StreamsChoices {
    streams::StreamsForm form = streams::StreamsForm::Parallel;
    streams::Layout layout;
    std::filesystem::path model;  // empty: a recording is only played
    QString model_name;
    std::string system;
    std::uint64_t seed = 0;
    double rows_per_second = 0;  // 0: as fast as it goes
    models::DeviceChoice compute;
    std::optional<streams::Conversation> recording;
    streams::Playback playback = streams::Playback::AtOnce;
    std::filesystem::path journal_folder;  // empty: keep no journal
};

[[nodiscard]] inline streams::StreamsSettings settingsOf(const StreamsChoices &choices)
{
    streams::StreamsSettings settings;
    settings.form = choices.form;
    settings.layout = choices.layout;
    settings.system = choices.system;
    settings.seed = choices.seed;
    settings.rows_per_second = choices.rows_per_second;
    settings.recording = choices.recording;
    settings.playback = choices.playback;
    return settings;
}

// An engine and how its runs are made. One model at a time lives behind it.
struct StreamsKit {
    std::unique_ptr<StreamsBackend> backend;
    std::function<streams::StreamsRunConfig(const StreamsChoices &)> make_run;
    std::function<void()> forget_model;  // gives its memory back once no run uses it; may be empty
};

struct StreamsServices {
    StreamsKit parallel;
    StreamsKit baseline;
    std::function<std::vector<StreamsModelEntry>()> list_models;  // any thread
    std::function<std::vector<LayoutEntry>()> list_layouts;       // any thread; files that cannot be read carry their problem
    // A sentence where the model cannot run the layout; empty else. Quick.
    std::function<QString(const streams::Layout &, const StreamsModelEntry &)> problem_of;
    std::filesystem::path journal_folder;  // where conversations are kept; empty: nowhere
};

}  // namespace braid::ui
