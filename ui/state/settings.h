// What the person chose, as one typed value, kept in an ini file. Every change is written and announced at once. GUI thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include <QByteArray>
#include <QObject>
#include <QString>

#include "core/audio/source_spec.h"
#include "ui/shared/typing_field.h"
#include "ui/state/overlay_options.h"
#include "ui/state/services.h"
#include "ui/state/streams_memory.h"

class QSettings;

namespace braid::ui {

enum class ThemeChoice : std::uint8_t { System = 1, Light, Dark, HighContrastLight, HighContrastDark };
enum class TranslationSource : std::uint8_t { Typed = 1, Captions };
enum class LineTimes : std::uint8_t { OfRecording = 1, OfDay };
enum class MotionChoice : std::uint8_t { Full = 1, Reduced };

struct Settings {
    QString language;  // of the window: "de"; empty: the system's
    ThemeChoice theme = ThemeChoice::System;
    int caption_px = 22;
    MotionChoice motion = MotionChoice::Full;
    bool shows_low_probability = false;
    LineTimes line_times = LineTimes::OfRecording;
    bool tray_icon = true;
    OverlayOptions overlay;

    audio::SourceKind source_kind = audio::SourceKind::Microphone;
    QString source_device;
    QString source_host_api;
    QString model_name;
    CaptionTuning tuning;
    bool files_at_own_pace = false;  // play files at their own speed instead of as fast as possible

    models::DeviceChoice compute;
    int preroll_ms = 400;
    int hangover_ms = 700;
    text::LineEnds line_ends = text::LineEnds::AtBoth;
    int line_pause_ms = 700;
    bool keeps_journals = true;
    QString word_list;  // how words are written, as text (core/text/word_rules.h); in a file of its own
    bool masks_profanity = false;

    bool inspector_open = true;
    int inspector_page = 1;  // InspectorTab
    CaptionTuning compare_left;
    CaptionTuning compare_right;
    StreamsMemory streams;
    QString translation_model;
    TranslationSource translation_source = TranslationSource::Typed;
    TranslationTuning translation;
    TranslationTuning translation_other = {QStringLiteral("batch-all"), 0, 5, 0, 0, {}};  // the other side, compared
    TypingMode translation_typing = TypingMode::AsTyped;
    QString captions_translator;           // model of the translation under the captions; empty: none
    QString captions_translator_language;  // "en>fr"; empty: the model's own
    bool met_before = false;               // the first-run page was left
    QByteArray window_geometry;

    friend bool operator==(const Settings &, const Settings &) = default;
};

// The language that the window speaks by what is kept there, before there is a store; empty: the system's.
[[nodiscard]] QString windowLanguageIn(const std::filesystem::path &settings_file);

class SettingsStore : public QObject {
    Q_OBJECT
  public:
    // An unreadable or strange value reads as its default; an empty path keeps settings in memory only.
    explicit SettingsStore(const std::filesystem::path &file, QObject *parent = nullptr);
    ~SettingsStore() override;

    [[nodiscard]] const Settings &values() const noexcept { return m_values; }
    // Applies `change`, writes what differs and announces it.
    void update(const std::function<void(Settings &)> &change);

  Q_SIGNALS:
    void changed(const braid::ui::Settings &before);

  private:
    void read();
    void write(const Settings &before);

    std::filesystem::path m_path;
    std::unique_ptr<QSettings> m_file;
    Settings m_values;
};

}  // namespace braid::ui
