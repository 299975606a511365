#include "ui/captions/choices_row.h"

#include <algorithm>

#include <QPushButton>

#include "ui/captions/translate_choice.h"
#include "ui/captions/tuning_controls.h"
#include "ui/shared/core_words.h"

namespace braid::ui {
namespace {

const QString kOpenEntry = QStringLiteral("open");
const QString kFileEntry = QStringLiteral("file");
constexpr int kRoomForOverlay = 1180;
constexpr int kRoomForCompare = 1040;
constexpr int kRoomForTranslate = 860;
constexpr int kRoomForLanguage = 600;

QString deviceKey(audio::SourceKind kind, const QString &host_api, const QString &name)
{
    return QStringLiteral("%1|%2|%3").arg(static_cast<int>(kind)).arg(host_api, name);
}

QString keyOf(const audio::DeviceInfo &device)
{
    return deviceKey(device.kind, QString::fromStdString(device.host_api), QString::fromStdString(device.name));
}

}  // namespace

ChoicesRow::ChoicesRow(Services &services, SettingsStore &settings, QWidget *parent)
    : ChoicesFrame(parent)
    , m_services(services)
    , m_settings(settings)
    , m_source(new ChoiceBox(tr("Source"), tr("Where the sound comes from"), this))
    , m_model(new ChoiceBox(tr("Model"), tr("The model that listens"), this))
    , m_tuning(new TuningControls(services.policies, this))
    , m_language(new ChoiceBox(tr("Language"), tr("The language that is spoken"), this))
    , m_translate(new TranslateChoice(services, settings, this))
    , m_compare(new QPushButton(tr("Compare\u2026"), this))
    , m_overlay(new QPushButton(tr("Overlay"), this))
{
    layOut({m_source, m_model, &m_tuning->policyBox(), m_language, &m_tuning->decodingButton(), &m_translate->button()}, {m_overlay, m_compare});
    giveWayBelow(kRoomForOverlay, m_overlay);
    giveWayBelow(kRoomForCompare, m_compare);
    giveWayBelow(kRoomForTranslate, &m_translate->button());
    giveWayBelow(kRoomForLanguage, m_language);
    m_compare->setObjectName(QStringLiteral("compare"));
    m_compare->setAccessibleName(tr("Compare two methods"));
    m_compare->setToolTip(tr("Two methods on the same sound, side by side (C)"));
    m_overlay->setObjectName(QStringLiteral("overlay"));
    m_overlay->setCheckable(true);
    m_overlay->setAccessibleName(tr("Captions over other windows"));
    m_overlay->setToolTip(tr("The newest lines in a strip over other windows (O)"));
    m_source->setObjectName(QStringLiteral("source"));
    m_model->setObjectName(QStringLiteral("model"));
    m_language->setObjectName(QStringLiteral("language"));
    m_tuning->show(settings.values().tuning);
    fillSources();
    fillModels();

    connect(m_source, &ChoiceBox::activated, this, &ChoicesRow::onSourceActivated);
    connect(m_source, &ChoiceBox::aboutToOpen, this, &ChoicesRow::refreshDevices);
    connect(m_compare, &QPushButton::clicked, this, &ChoicesRow::compareRequested);
    // Behind the choice that closed it, which is of the old list.
    connect(
        m_source, &ChoiceBox::closed, this,
        [this] {
            if (m_sources_are_old) {
                fillSourcesWhenClosed();
            }
        },
        Qt::QueuedConnection);
    connect(m_overlay, &QPushButton::clicked, this, &ChoicesRow::overlayRequested);
    connect(m_tuning, &TuningControls::changed, this, &ChoicesRow::keepTuning);
    connect(m_translate, &TranslateChoice::betterModelWanted, this, &ChoicesFrame::betterModelWanted);
    connect(m_model, &ChoiceBox::doorChosen, this, &ChoicesFrame::betterModelWanted);
    connect(m_model, &ChoiceBox::activated, this, [this](int index) {
        if (!m_model->isDoor(index)) {
            m_settings.update([this](Settings &s) { s.model_name = m_model->currentData().toString(); });
        }
    });
    connect(m_language, &ChoiceBox::activated, this, [this] {
        m_tuning->setLanguage(m_language->currentData().toString());
        keepTuning();
    });
    connect(&settings, &SettingsStore::changed, this, [this](const Settings &before) {
        // Here or on the Models page.
        if (before.model_name != m_settings.values().model_name) {
            fillModels();
            Q_EMIT choiceChanged();
        }
        if (!(before.tuning == m_settings.values().tuning)) {
            m_tuning->show(m_settings.values().tuning);
            Q_EMIT tuningChanged(m_tuning->tuning());
        }
    });
    refreshDevices();
    refreshModels();
}

void ChoicesRow::keepTuning()
{
    m_settings.update([this](Settings &s) { s.tuning = m_tuning->tuning(); });
}

void ChoicesRow::refreshDevices()
{
    if (m_sources_are_old) {
        fillSourcesWhenClosed();
    }
    if (m_looking_for_devices || !m_services.list_devices) {
        return;
    }
    m_looking_for_devices = true;
    m_devices.find(this, m_services.list_devices, [this, before = m_devices] {
        m_looking_for_devices = false;
        // The box is filled anew only where something is new.
        const auto same = [](const audio::DeviceInfo &a, const audio::DeviceInfo &b) { return keyOf(a) == keyOf(b) && a.is_default == b.is_default; };
        const auto &now = m_devices.entries;
        if (!before.arrived || !m_devices.problem.isEmpty() || !std::equal(now.begin(), now.end(), before.entries.begin(), before.entries.end(), same)) {
            fillSourcesWhenClosed();
        }
        Q_EMIT listsChanged();
    });
}

// A list that is open stays as it is: a line that a person is about to choose does not move.
void ChoicesRow::fillSourcesWhenClosed()
{
    m_sources_are_old = m_source->isOpen();
    if (!m_sources_are_old) {
        fillSources();
    }
}

void ChoicesRow::refreshModels()
{
    m_translate->refreshModels();
    if (m_services.list_models) {
        m_models.find(this, m_services.list_models, [this] {
            fillModels();
            Q_EMIT listsChanged();
        });
    }
}

void ChoicesRow::fillSources()
{
    m_source->clear();
    const auto add = [this](audio::SourceKind kind, const QString &heading) {
        bool headed = false;
        for (const audio::DeviceInfo &device : m_devices.entries) {
            if (device.kind != kind) {
                continue;
            }
            if (!headed) {
                m_source->addHeading(heading);
                headed = true;
            }
            const QString name = QString::fromStdString(device.name);
            m_source->addItem(name, keyOf(device));
            m_source->setItemData(
                m_source->count() - 1,
                tr("%1, %2 Hz, %n channel(s)", nullptr, device.channels).arg(QString::fromStdString(device.host_api)).arg(device.default_rate_hz, 0, 'f', 0),
                Qt::ToolTipRole);
        }
    };
    add(audio::SourceKind::Microphone, tr("Microphones"));
    add(audio::SourceKind::SystemSound, tr("What this computer plays"));
    m_source->addHeading(tr("Recordings"));
    if (m_file) {
        m_source->addItem(QString::fromStdString(m_file->filename().string()), kFileEntry);
        m_source->setItemData(m_source->count() - 1, QString::fromStdString(m_file->string()), Qt::ToolTipRole);
    }
    m_source->addItem(tr("Open a file\u2026"), kOpenEntry);

    const Settings &s = m_settings.values();
    if (m_file) {
        m_source->choose(kFileEntry);
    } else if (!m_source->choose(deviceKey(s.source_kind, s.source_host_api, s.source_device))) {
        const auto preferred = std::find_if(m_devices.entries.begin(), m_devices.entries.end(),
                                            [](const audio::DeviceInfo &d) { return d.is_default && d.kind == audio::SourceKind::Microphone; });
        const auto any = preferred != m_devices.entries.end() ? preferred : m_devices.entries.begin();
        if (any != m_devices.entries.end()) {
            m_source->choose(keyOf(*any));
        } else {
            m_source->insertItem(0, m_devices.arrived ? tr("No microphone found") : tr("Looking for devices\u2026"), QString());
            m_source->setCurrentIndex(0);
        }
    }
    m_source->updateGeometry();
}

void ChoicesRow::fillModels()
{
    const QString wanted = m_settings.values().model_name;
    fillModelBox(*m_model, m_models, wanted);
    if (m_model->currentData().toString() != wanted && !wanted.isEmpty() && std::filesystem::exists(wanted.toStdString())) {
        if (m_models.entries.empty()) {
            m_model->clear();  // of the line that there are none
            addBetterModelLine(*m_model);
        }
        const int before_the_door = m_model->count() - 1;
        m_model->insertItem(before_the_door, QString::fromStdString(std::filesystem::path(wanted.toStdString()).filename().string()), wanted);
        m_model->setCurrentIndex(before_the_door);
    }
    m_tuning->setModel(chosenModel());
    fillLanguages();
}

void ChoicesRow::fillLanguages()
{
    m_language->clear();
    const ModelEntry *model = chosenModel();
    if (model != nullptr && model->languages.size() == 1) {
        m_language->addItem(languageName(model->languages.first()), QString());
    } else {
        m_language->addItem(tr("Detect"), QString());
        if (model != nullptr) {
            QStringList codes = model->languages;
            std::sort(codes.begin(), codes.end(), [](const QString &a, const QString &b) { return languageName(a).localeAwareCompare(languageName(b)) < 0; });
            for (const QString &code : codes) {
                m_language->addItem(languageName(code), code);
            }
        }
    }
    m_language->setEnabled(m_language->count() > 1);
    if (!m_language->choose(m_settings.values().tuning.language)) {
        m_language->setCurrentIndex(0);
    }
}

const ModelEntry *ChoicesRow::chosenModel() const
{
    return m_models.named(m_model->currentData().toString());
}

void ChoicesRow::onSourceActivated(int index)
{
    const QString key = m_source->itemData(index).toString();
    if (key == kOpenEntry) {
        fillSources();  // the entry is an action, not a choice
        Q_EMIT openRequested();
        return;
    }
    if (key == kFileEntry || key.isEmpty()) {
        return;
    }
    const auto device = std::find_if(m_devices.entries.begin(), m_devices.entries.end(), [&key](const audio::DeviceInfo &d) { return keyOf(d) == key; });
    if (device == m_devices.entries.end()) {
        return;
    }
    const bool was_file = m_file.has_value();
    m_file.reset();
    const Settings before = m_settings.values();
    m_settings.update([&](Settings &s) {
        s.source_kind = device->kind;
        s.source_device = QString::fromStdString(device->name);
        s.source_host_api = QString::fromStdString(device->host_api);
    });
    if (was_file || !(before == m_settings.values())) {
        Q_EMIT choiceChanged();
    }
}

void ChoicesRow::chooseFile(const std::filesystem::path &file)
{
    m_file = file;
    fillSources();
}

void ChoicesRow::chooseMicrophone()
{
    m_file.reset();
    fillSources();
}

bool ChoicesRow::hasMicrophone() const
{
    return std::any_of(m_devices.entries.begin(), m_devices.entries.end(), [](const audio::DeviceInfo &d) { return d.kind == audio::SourceKind::Microphone; });
}

bool ChoicesRow::hasSystemSound() const
{
    return std::any_of(m_devices.entries.begin(), m_devices.entries.end(), [](const audio::DeviceInfo &d) { return d.kind == audio::SourceKind::SystemSound; });
}

bool ChoicesRow::chooseSystemSound()
{
    const auto is_system = [](const audio::DeviceInfo &d) { return d.kind == audio::SourceKind::SystemSound; };
    auto found = std::find_if(m_devices.entries.begin(), m_devices.entries.end(), [&](const audio::DeviceInfo &d) { return is_system(d) && d.is_default; });
    found = found != m_devices.entries.end() ? found : std::find_if(m_devices.entries.begin(), m_devices.entries.end(), is_system);
    if (found == m_devices.entries.end()) {
        return false;
    }
    m_file.reset();
    m_settings.update([&](Settings &s) {
        s.source_kind = found->kind;
        s.source_device = QString::fromStdString(found->name);
        s.source_host_api = QString::fromStdString(found->host_api);
    });
    fillSources();
    return true;
}

std::optional<CaptionChoices> ChoicesRow::withModel(CaptionChoices choices, QString &problem) const
{
    const Settings &s = m_settings.values();
    const ModelEntry *model = chosenModel();
    const QString wanted = m_model->currentData().toString();
    if (model != nullptr) {
        if (!model->problem.isEmpty()) {
            problem = model->problem;
            return {};
        }
        choices.model = model->path;
        choices.model_name = model->name;
    } else if (m_models.isMissing(wanted)) {
        problem = missingModelSentence(wanted);
        return {};
    } else if (!wanted.isEmpty()) {
        choices.model = wanted.toStdString();
        choices.model_name = m_model->currentText();
    } else {
        problem = m_models.whyNone(tr("No model was found. The Models page says where Braid looks for them."),
                                   tr("Still looking for models. Try again in a moment."));
        return {};
    }
    choices.tuning = m_tuning->tuning();
    choices.tuning.language = m_language->currentData().toString();
    choices.compute = s.compute;
    choices.voice.preroll_samples = samplesFromMs(s.preroll_ms);
    choices.voice.hangover_samples = samplesFromMs(s.hangover_ms);
    choices.lines.ends = s.line_ends;
    choices.lines.pause_samples = samplesFromMs(s.line_pause_ms);
    if (s.keeps_journals) {
        choices.journal_folder = m_services.journal_folder;
    }
    return choices;
}

std::optional<CaptionChoices> ChoicesRow::choicesForFile(const std::filesystem::path &file, QString &problem) const
{
    return choicesForFile(file, m_settings.values().files_at_own_pace ? audio::Pace::Realtime : audio::Pace::Fast, problem);
}

std::optional<CaptionChoices> ChoicesRow::choicesForFile(const std::filesystem::path &file, audio::Pace pace, QString &problem) const
{
    CaptionChoices choices;
    choices.source.kind = audio::SourceKind::File;
    choices.source.path = file;
    choices.source.pace = pace;
    choices.source_title = QString::fromStdString(file.filename().string());
    return withModel(choices, problem);
}

std::optional<CaptionChoices> ChoicesRow::choices(QString &problem) const
{
    if (m_file) {
        return choicesForFile(*m_file, problem);
    }
    const QString key = m_source->currentData().toString();
    const auto device = std::find_if(m_devices.entries.begin(), m_devices.entries.end(), [&key](const audio::DeviceInfo &d) { return keyOf(d) == key; });
    if (device == m_devices.entries.end()) {
        problem = m_devices.whyNone(tr("No microphone was found. Plug one in and choose it above, or open a recording."),
                                    tr("Still looking for microphones. Try again in a moment."));
        return {};
    }
    CaptionChoices choices;
    choices.source.kind = device->kind;
    choices.source.device = device->name;
    choices.source.host_api = device->host_api;
    choices.source_title = QString::fromStdString(device->name);
    return withModel(choices, problem);
}

void ChoicesRow::setOverlayShown(bool shown)
{
    m_overlay->setChecked(shown);
}

void ChoicesRow::setActivity(RunActivity activity, bool loading)
{
    showRun(activity, loading, tr("Finish at once, without captioning what was heard last"));
}

}  // namespace braid::ui
