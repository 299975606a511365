#include "ui/state/settings.h"

#include <algorithm>

#include <QSettings>
#include <QUrl>

#include "ui/shared/appearance.h"
#include "ui/state/word_list.h"

namespace braid::ui {
namespace {

constexpr const char *kLanguageKey = "look/language";

template <typename Enum>
Enum enumValue(const QVariant &value, Enum fallback, Enum last)
{
    const int number = value.toInt();
    return number >= 1 && number <= static_cast<int>(last) ? static_cast<Enum>(number) : fallback;
}

int boundedValue(const QVariant &value, int fallback, int least, int most)
{
    bool is_number = false;
    const int number = value.toInt(&is_number);
    return is_number ? std::clamp(number, least, most) : fallback;
}

CaptionTuning readTuning(const QSettings &file, const QString &prefix, CaptionTuning tuning)
{
    tuning.policy = file.value(prefix + QStringLiteral("policy")).toString();
    tuning.language = file.value(prefix + QStringLiteral("language")).toString();
    const int chunk_ms = boundedValue(file.value(prefix + QStringLiteral("step_ms")), tuning.chunk_ms, 0, kMostChunkMs);
    tuning.chunk_ms = chunk_ms == 0 ? 0 : std::max(chunk_ms, kLeastChunkMs);
    tuning.beam_size = boundedValue(file.value(prefix + QStringLiteral("beam")), tuning.beam_size, 1, kMostBeams);
    tuning.look_back_tokens = boundedValue(file.value(prefix + QStringLiteral("look_back")), tuning.look_back_tokens, 0, kMostLookBack);
    return tuning;
}

void writeTuning(QSettings &file, const QString &prefix, const CaptionTuning &tuning)
{
    file.setValue(prefix + QStringLiteral("policy"), tuning.policy);
    file.setValue(prefix + QStringLiteral("language"), tuning.language);
    file.setValue(prefix + QStringLiteral("step_ms"), tuning.chunk_ms);
    file.setValue(prefix + QStringLiteral("beam"), tuning.beam_size);
    file.setValue(prefix + QStringLiteral("look_back"), tuning.look_back_tokens);
}

// What is kept for each layout of streams. Names are written with percent signs: a slash would be a group.
QMap<QString, QStringList> readByLayout(QSettings &file, const QString &group)
{
    QMap<QString, QStringList> kept;
    file.beginGroup(group);
    for (const QString &layout : file.childKeys()) {
        kept[QUrl::fromPercentEncoding(layout.toLatin1())] = file.value(layout).toStringList();
    }
    file.endGroup();
    return kept;
}

void writeByLayout(QSettings &file, const QString &group, const QMap<QString, QStringList> &kept)
{
    file.remove(group);  // layouts that nothing is kept for any more
    file.beginGroup(group);
    for (auto entry = kept.begin(); entry != kept.end(); ++entry) {
        file.setValue(QString::fromLatin1(QUrl::toPercentEncoding(entry.key())), entry.value());
    }
    file.endGroup();
}

StreamsMemory readStreams(QSettings &file)
{
    StreamsMemory memory;
    const auto value = [&file](const char *key) { return file.value(QStringLiteral("streams/") + QLatin1String(key)); };
    memory.layout = value("layout").toString();
    memory.model = value("model").toString();
    memory.baseline = value("baseline").toString();
    memory.system = value("system").toString();
    bool is_number = false;
    const double tempo = value("tempo").toDouble(&is_number);
    memory.tempo = is_number && tempo >= 0 && tempo <= 1000 ? tempo : memory.tempo;
    memory.seed = boundedValue(value("seed"), memory.seed, 0, 1'000'000);
    memory.shows_baseline = value("shows_baseline").toBool();
    memory.token_px = boundedValue(value("token_px"), memory.token_px, kSmallestTokenPx, kLargestTokenPx);
    memory.typing = enumValue(value("typing"), memory.typing, TypingMode::WithEnter);
    memory.lanes = readByLayout(file, QStringLiteral("streams_lanes"));
    memory.looks = readByLayout(file, QStringLiteral("streams_looks"));
    return memory;
}

void writeStreams(QSettings &file, const StreamsMemory &memory)
{
    const auto put = [&file](const char *key, const QVariant &value) { file.setValue(QStringLiteral("streams/") + QLatin1String(key), value); };
    put("layout", memory.layout);
    put("model", memory.model);
    put("baseline", memory.baseline);
    put("system", memory.system);
    put("tempo", memory.tempo);
    put("seed", memory.seed);
    put("shows_baseline", memory.shows_baseline);
    put("token_px", memory.token_px);
    put("typing", static_cast<int>(memory.typing));
    writeByLayout(file, QStringLiteral("streams_lanes"), memory.lanes);
    writeByLayout(file, QStringLiteral("streams_looks"), memory.looks);
}

QColor colourValue(const QVariant &value, const QColor &fallback)
{
    const QColor colour(value.toString());
    return colour.isValid() ? colour : fallback;
}

OverlayOptions readOverlay(QSettings &file)
{
    OverlayOptions overlay;
    const auto value = [&file](const char *key) { return file.value(QStringLiteral("overlay/") + QLatin1String(key)); };
    overlay.lines = boundedValue(value("lines"), overlay.lines, 1, kMostOverlayLines);
    overlay.shows = enumValue(value("shows"), overlay.shows, OverlayShows::Both);
    overlay.clicks = enumValue(value("clicks"), overlay.clicks, OverlayClicks::PassThrough);
    overlay.family = value("family").toString();
    overlay.letter_px = boundedValue(value("letter_px"), overlay.letter_px, kSmallestOverlayPx, kLargestOverlayPx);
    overlay.outline_px = boundedValue(value("outline_px"), overlay.outline_px, 0, kMostOutlinePx);
    overlay.ink = colourValue(value("ink"), overlay.ink);
    overlay.outline = colourValue(value("outline"), overlay.outline);
    overlay.back = colourValue(value("back"), overlay.back);
    overlay.back_percent = boundedValue(value("back_percent"), overlay.back_percent, 0, 100);
    overlay.plain_back = colourValue(value("plain_back"), overlay.plain_back);
    overlay.screen = value("screen").toString();
    overlay.text_file = value("text_file").toString();
    const QMap<QString, QStringList> places = readByLayout(file, QStringLiteral("overlay_places"));
    for (auto place = places.begin(); place != places.end(); ++place) {
        overlay.places[place.key()] = placeFrom(place.value().join(QLatin1Char(',')));
    }
    return overlay;
}

void writeOverlay(QSettings &file, const OverlayOptions &overlay)
{
    const auto put = [&file](const char *key, const QVariant &value) { file.setValue(QStringLiteral("overlay/") + QLatin1String(key), value); };
    put("lines", overlay.lines);
    put("shows", static_cast<int>(overlay.shows));
    put("clicks", static_cast<int>(overlay.clicks));
    put("family", overlay.family);
    put("letter_px", overlay.letter_px);
    put("outline_px", overlay.outline_px);
    put("ink", overlay.ink.name());
    put("outline", overlay.outline.name());
    put("back", overlay.back.name());
    put("back_percent", overlay.back_percent);
    put("plain_back", overlay.plain_back.name());
    put("screen", overlay.screen);
    put("text_file", overlay.text_file);
    QMap<QString, QStringList> places;
    for (auto place = overlay.places.begin(); place != overlay.places.end(); ++place) {
        places[place.key()] = placeText(place.value()).split(QLatin1Char(','));
    }
    writeByLayout(file, QStringLiteral("overlay_places"), places);
}

TranslationTuning readTranslation(const QSettings &file, const QString &prefix, TranslationTuning tuning)
{
    const QString paradigm = file.value(prefix + QStringLiteral("paradigm")).toString();
    for (const ParadigmEntry &entry : translationParadigms()) {
        tuning.paradigm = entry.id == paradigm ? paradigm : tuning.paradigm;
    }
    const auto bounded = [&](const char *key, double fallback, double most) {
        bool is_number = false;
        const double number = file.value(prefix + QLatin1String(key)).toDouble(&is_number);
        return is_number && number >= 0 && number <= most ? number : fallback;  // not a number fails both
    };
    tuning.phi = bounded("phi", tuning.phi, kMostPhi);
    tuning.temperature = bounded("temperature", tuning.temperature, 2);
    tuning.k = boundedValue(file.value(prefix + QStringLiteral("k")), tuning.k, kWholeSentence, kMostWaitK);
    tuning.catch_up_units = boundedValue(file.value(prefix + QStringLiteral("catch_up")), tuning.catch_up_units, 0, kMostCatchUp);
    tuning.language = file.value(prefix + QStringLiteral("language")).toString();
    return tuning;
}

void writeTranslation(QSettings &file, const QString &prefix, const TranslationTuning &tuning)
{
    file.setValue(prefix + QStringLiteral("paradigm"), tuning.paradigm);
    file.setValue(prefix + QStringLiteral("phi"), tuning.phi);
    file.setValue(prefix + QStringLiteral("temperature"), tuning.temperature);
    file.setValue(prefix + QStringLiteral("k"), tuning.k);
    file.setValue(prefix + QStringLiteral("catch_up"), tuning.catch_up_units);
    file.setValue(prefix + QStringLiteral("language"), tuning.language);
}

}  // namespace

QString windowLanguageIn(const std::filesystem::path &settings_file)
{
    return settings_file.empty()
               ? QString()
               : QSettings(QString::fromStdString(settings_file.string()), QSettings::IniFormat).value(QLatin1String(kLanguageKey)).toString();
}

SettingsStore::SettingsStore(const std::filesystem::path &file, QObject *parent)
    : QObject(parent)
    , m_path(file)
{
    if (!file.empty()) {
        m_file = std::make_unique<QSettings>(QString::fromStdString(file.string()), QSettings::IniFormat);
        read();
    }
}

SettingsStore::~SettingsStore() = default;

void SettingsStore::update(const std::function<void(Settings &)> &change)
{
    const Settings before = m_values;
    change(m_values);
    if (m_values == before) {
        return;
    }
    write(before);
    Q_EMIT changed(before);
}

void SettingsStore::read()
{
    const auto value = [this](const char *key) { return m_file->value(QLatin1String(key)); };
    const auto flag = [&](const char *key, bool fallback) { return m_file->value(QLatin1String(key), fallback).toBool(); };
    Settings &s = m_values;
    s.language = value(kLanguageKey).toString();
    s.theme = enumValue(value("look/theme"), s.theme, ThemeChoice::HighContrastDark);
    s.caption_px = boundedValue(value("look/caption_px"), s.caption_px, kSmallestCaptionPx, kLargestCaptionPx);
    s.motion = enumValue(value("look/motion"), s.motion, MotionChoice::Reduced);
    s.shows_low_probability = flag("look/low_probability", s.shows_low_probability);
    s.line_times = enumValue(value("look/line_times"), s.line_times, LineTimes::OfDay);
    s.tray_icon = flag("look/tray_icon", s.tray_icon);
    s.overlay = readOverlay(*m_file);
    s.inspector_open = flag("look/inspector", s.inspector_open);
    s.window_geometry = value("look/geometry").toByteArray();
    s.source_kind = enumValue(value("source/kind"), s.source_kind, audio::SourceKind::SystemSound);
    s.source_device = value("source/device").toString();
    s.source_host_api = value("source/host_api").toString();
    s.files_at_own_pace = flag("source/files_at_own_pace", s.files_at_own_pace);
    s.model_name = value("model/name").toString();
    s.tuning = readTuning(*m_file, QStringLiteral("model/"), s.tuning);
    s.compare_left = readTuning(*m_file, QStringLiteral("compare/left_"), s.compare_left);
    s.compare_right = readTuning(*m_file, QStringLiteral("compare/right_"), s.compare_right);
    s.translation_model = value("translation/model").toString();
    s.translation_source = enumValue(value("translation/source"), s.translation_source, TranslationSource::Captions);
    s.translation_typing = enumValue(value("translation/typing"), s.translation_typing, TypingMode::WithEnter);
    s.translation = readTranslation(*m_file, QStringLiteral("translation/"), s.translation);
    s.translation_other = readTranslation(*m_file, QStringLiteral("translation/other_"), s.translation_other);
    s.captions_translator = value("translation/under_captions").toString();
    s.captions_translator_language = value("translation/under_captions_language").toString();
    s.inspector_page = boundedValue(value("look/inspector_page"), s.inspector_page, 1, 5);
    s.compute.device = m_file->value(QStringLiteral("compute/device"), QStringLiteral("auto")).toString().toStdString();
    s.compute.number_type = models::numberTypeNamed(value("compute/number_type").toString().toStdString());
    s.compute.threads = boundedValue(value("compute/threads"), s.compute.threads, 0, 256);
    s.preroll_ms = boundedValue(value("voice/preroll_ms"), s.preroll_ms, 0, 2000);
    s.hangover_ms = boundedValue(value("voice/hangover_ms"), s.hangover_ms, 100, 5000);
    s.line_ends = enumValue(value("lines/ends"), s.line_ends, text::LineEnds::AtBoth);
    s.line_pause_ms = boundedValue(value("lines/pause_ms"), s.line_pause_ms, 100, 5000);
    s.streams = readStreams(*m_file);
    s.word_list = readWordList(m_path);
    s.masks_profanity = flag("words/mask_profanity", s.masks_profanity);
    s.keeps_journals = flag("journal/keep", s.keeps_journals);
    s.met_before = flag("journal/met_before", s.met_before);
}

void SettingsStore::write(const Settings &before)
{
    if (!m_file) {
        return;
    }
    const auto put = [this](const char *key, const QVariant &value) { m_file->setValue(QLatin1String(key), value); };
    const Settings &s = m_values;
    put("version", 1);
    put(kLanguageKey, s.language);
    put("look/theme", static_cast<int>(s.theme));
    put("look/caption_px", s.caption_px);
    put("look/motion", static_cast<int>(s.motion));
    put("look/low_probability", s.shows_low_probability);
    put("look/line_times", static_cast<int>(s.line_times));
    put("look/tray_icon", s.tray_icon);
    writeOverlay(*m_file, s.overlay);
    put("look/inspector", s.inspector_open);
    put("look/geometry", s.window_geometry);
    put("source/kind", static_cast<int>(s.source_kind));
    put("source/device", s.source_device);
    put("source/host_api", s.source_host_api);
    put("source/files_at_own_pace", s.files_at_own_pace);
    put("model/name", s.model_name);
    writeTuning(*m_file, QStringLiteral("model/"), s.tuning);
    writeTuning(*m_file, QStringLiteral("compare/left_"), s.compare_left);
    writeTuning(*m_file, QStringLiteral("compare/right_"), s.compare_right);
    put("translation/model", s.translation_model);
    put("translation/source", static_cast<int>(s.translation_source));
    put("translation/typing", static_cast<int>(s.translation_typing));
    writeTranslation(*m_file, QStringLiteral("translation/"), s.translation);
    writeTranslation(*m_file, QStringLiteral("translation/other_"), s.translation_other);
    put("translation/under_captions", s.captions_translator);
    put("translation/under_captions_language", s.captions_translator_language);
    writeStreams(*m_file, s.streams);
    put("look/inspector_page", s.inspector_page);
    put("compute/device", QString::fromStdString(s.compute.device));
    put("compute/number_type", QString::fromUtf8(models::nameOf(s.compute.number_type).data()));
    put("compute/threads", s.compute.threads);
    put("voice/preroll_ms", s.preroll_ms);
    put("voice/hangover_ms", s.hangover_ms);
    put("lines/ends", static_cast<int>(s.line_ends));
    put("lines/pause_ms", s.line_pause_ms);
    if (s.word_list != before.word_list) {
        writeWordList(m_path, s.word_list);
    }
    put("words/mask_profanity", s.masks_profanity);
    put("journal/keep", s.keeps_journals);
    put("journal/met_before", s.met_before);
}

}  // namespace braid::ui
