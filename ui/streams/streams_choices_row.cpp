#include "ui/streams/streams_choices_row.h"

#include <algorithm>

#include <QPushButton>
#include <QStandardItemModel>

#include "ui/shared/async.h"
#include "ui/shared/popup_panel.h"
#include "ui/streams/streams_panel.h"

namespace braid::ui {
namespace {

const QString kOpenEntry = QStringLiteral("open:");
constexpr int kRoomForReplay = 860;
constexpr int kRoomForBaseline = 760;
constexpr int kRoomForStep = 600;

}  // namespace

StreamsChoicesRow::StreamsChoicesRow(StreamsServices &services, SettingsStore &settings, QWidget *parent)
    : ChoicesFrame(parent)
    , m_services(services)
    , m_settings(settings)
    , m_layout(new ChoiceBox(tr("Layout"), tr("Which streams there are and who sees whom"), this))
    , m_model(new ChoiceBox(tr("Model"), tr("The model that speaks in all of them"), this))
    , m_panel_button(new QPushButton(this))
    , m_panel(new StreamsPanel(this))
    , m_baseline(new QPushButton(tr("Baseline"), this))
    , m_new(new QPushButton(tr("New"), this))
    , m_replay(new QPushButton(tr("Replay"), this))
    , m_step(new QPushButton(tr("Step"), this))
{
    layOut({m_layout, m_model, m_panel_button, m_baseline}, {m_new, m_replay, m_step});
    giveWayBelow(kRoomForReplay, m_replay);
    giveWayBelow(kRoomForReplay, m_new);
    giveWayBelow(kRoomForBaseline, m_baseline);
    giveWayBelow(kRoomForStep, m_step);
    m_layout->setObjectName(QStringLiteral("streamsLayout"));
    m_model->setObjectName(QStringLiteral("streamsModel"));
    m_panel_button->setProperty("choice", true);
    m_panel->setWindowFlag(Qt::Popup);
    m_panel->hide();
    m_baseline->setCheckable(true);
    m_baseline->setObjectName(QStringLiteral("baseline"));
    m_baseline->setAccessibleName(tr("Baseline beside it"));
    m_baseline->setToolTip(tr("The same words to one queue of messages, side by side (C)"));
    m_new->setAccessibleName(tr("New conversation"));
    m_new->setToolTip(tr("An empty page (Ctrl+N)"));
    m_replay->setAccessibleName(tr("Replay this conversation"));
    m_replay->setToolTip(tr("Every step again, exactly as it was and when it was (R)"));
    m_step->setAccessibleName(tr("One step"));
    m_step->setToolTip(tr("One step, then pause (.)"));

    const StreamsMemory &memory = settings.values().streams;
    m_panel->setTempo(memory.tempo);
    m_panel->setSeed(static_cast<std::uint64_t>(std::max(0, memory.seed)));
    m_panel->setSystemText(memory.system);
    m_baseline->setChecked(memory.shows_baseline);
    revisePanelButton();
    fillLayouts();
    fillModels();
    setActivity(StreamsActivity::Idle, false);

    connect(&m_settings, &SettingsStore::changed, this, &StreamsChoicesRow::showLaneNames);
    connect(m_layout, &ChoiceBox::activated, this, &StreamsChoicesRow::onLayoutActivated);
    connect(m_model, &ChoiceBox::doorChosen, this, &ChoicesFrame::betterModelWanted);
    connect(m_model, &ChoiceBox::activated, this, [this](int index) {
        if (m_model->isDoor(index)) {
            return;
        }
        m_settings.update([this](Settings &s) { s.streams.model = m_model->currentData().toString(); });
        Q_EMIT modelChanged();
    });
    connect(m_panel_button, &QPushButton::clicked, this, &StreamsChoicesRow::openPanel);
    connect(m_baseline, &QPushButton::toggled, this, [this](bool shown) {
        m_settings.update([shown](Settings &s) { s.streams.shows_baseline = shown; });
        Q_EMIT baselineToggled(shown);
    });
    connect(m_new, &QPushButton::clicked, this, &StreamsChoicesRow::newRequested);
    connect(m_replay, &QPushButton::clicked, this, &StreamsChoicesRow::replayRequested);
    connect(m_step, &QPushButton::clicked, this, &StreamsChoicesRow::stepRequested);
    connect(m_panel, &StreamsPanel::tempoChanged, this, [this](double tempo) {
        m_settings.update([tempo](Settings &s) { s.streams.tempo = tempo; });
        revisePanelButton();
    });
    connect(m_panel, &StreamsPanel::nextStartChanged, this, [this] {
        m_settings.update([this](Settings &s) {
            s.streams.seed = static_cast<int>(m_panel->seed());
            s.streams.system = QString::fromStdString(m_panel->systemText());
        });
    });
    connect(m_panel, &StreamsPanel::baselineChanged, this, [this] { m_settings.update([this](Settings &s) { s.streams.baseline = m_panel->baseline(); }); });
    refresh();
}

void StreamsChoicesRow::refresh()
{
    if (m_services.list_layouts) {
        m_layouts.find(this, m_services.list_layouts, [this] {
            if (!m_layouts.problem.isEmpty()) {
                Q_EMIT failed(m_layouts.problem);
                return;
            }
            fillLayouts();
            fillModels();
            Q_EMIT listsChanged();
            Q_EMIT layoutChanged();
        });
    }
    refreshModels();
}

void StreamsChoicesRow::refreshModels()
{
    if (m_services.list_models) {
        m_models.find(this, m_services.list_models, [this] {
            fillModels();
            Q_EMIT listsChanged();
        });
    }
}

// --- layouts ---------------------------------------------------------------------------------------------------------------------

const LayoutEntry *StreamsChoicesRow::chosenLayout() const
{
    const QString title = m_layout->currentData().toString();
    const auto found = std::find_if(m_layouts.entries.begin(), m_layouts.entries.end(), [&title](const LayoutEntry &entry) { return entry.title == title; });
    return found == m_layouts.entries.end() || !found->problem.isEmpty() ? nullptr : &*found;
}

void StreamsChoicesRow::fillLayouts()
{
    m_layout->clear();
    auto *items = qobject_cast<QStandardItemModel *>(m_layout->model());
    for (const LayoutEntry &entry : m_layouts.entries) {
        m_layout->addItem(entry.title, entry.title);
        m_layout->setItemData(m_layout->count() - 1, entry.problem.isEmpty() ? QString::fromStdString(entry.layout.about) : entry.problem, Qt::ToolTipRole);
        if (items != nullptr && !entry.problem.isEmpty()) {
            items->item(m_layout->count() - 1)->setEnabled(false);
        }
    }
    if (m_layouts.entries.empty()) {
        m_layout->addItem(m_layouts.arrived ? tr("No layout found") : tr("Looking for layouts\u2026"), QString());
    }
    m_layout->addItem(tr("Open a layout\u2026"), kOpenEntry);
    const auto usable = std::find_if(m_layouts.entries.begin(), m_layouts.entries.end(), [](const LayoutEntry &entry) { return entry.problem.isEmpty(); });
    m_layout->choose(m_settings.values().streams.layout);
    if (chosenLayout() == nullptr) {
        m_layout->setCurrentIndex(usable == m_layouts.entries.end() ? 0 : static_cast<int>(usable - m_layouts.entries.begin()));
    }
    if (const LayoutEntry *chosen = chosenLayout()) {
        m_panel->setLayoutOfStreams(chosen->layout);
    }
    showLaneNames();
}

void StreamsChoicesRow::showLaneNames()
{
    const streams::Layout &layout = m_panel->layoutOfStreams();
    m_panel->showNames(laneLooks(layout, m_settings.values().streams.looks.value(QString::fromStdString(layout.name))));
}

void StreamsChoicesRow::onLayoutActivated(int index)
{
    const QString title = m_layout->itemData(index).toString();
    if (title == kOpenEntry) {
        fillLayouts();  // the entry is an action, not a choice
        Q_EMIT openLayoutRequested();
        return;
    }
    m_settings.update([&title](Settings &s) { s.streams.layout = title; });
    fillLayouts();
    fillModels();
    Q_EMIT layoutChanged();
}

void StreamsChoicesRow::openLayout(const std::filesystem::path &file)
{
    runInBackground(
        this, [file] { return streams::readLayout(file); },
        [this, file](const streams::Layout &layout) {
            const QString title = QString::fromStdString(layout.name.empty() ? file.stem().string() : layout.name);
            std::erase_if(m_layouts.entries, [&title](const LayoutEntry &entry) { return entry.title == title; });
            m_layouts.entries.push_back({title, file, layout, {}});
            m_settings.update([&title](Settings &s) { s.streams.layout = title; });
            fillLayouts();
            fillModels();
            Q_EMIT layoutChanged();
        },
        [this](const QString &problem) { Q_EMIT failed(problem); });
}

std::optional<streams::Layout> StreamsChoicesRow::layout() const
{
    const LayoutEntry *chosen = chosenLayout();
    return chosen == nullptr ? std::nullopt : std::optional(m_panel->tuned(chosen->layout));
}

QString StreamsChoicesRow::layoutTitle() const
{
    return chosenLayout() == nullptr ? QString() : chosenLayout()->title;
}

// --- models ----------------------------------------------------------------------------------------------------------------------

void StreamsChoicesRow::fillModels()
{
    m_model->clear();
    auto *items = qobject_cast<QStandardItemModel *>(m_model->model());
    const LayoutEntry *layout = chosenLayout();
    QString first_usable;
    for (const StreamsModelEntry &model : m_models.entries) {
        const QString problem = !model.problem.isEmpty()                     ? model.problem
                                : layout != nullptr && m_services.problem_of ? m_services.problem_of(layout->layout, model)
                                                                             : QString();
        if (model.streams == 0 && !problem.isEmpty()) {
            continue;  // a baseline, chosen in the panel
        }
        m_model->addItem(problem.isEmpty() ? model.name : tr("%1 (not for this layout)").arg(model.name), model.name);
        m_model->setItemData(m_model->count() - 1, problem.isEmpty() ? model.description : problem, Qt::ToolTipRole);
        if (items != nullptr) {
            items->item(m_model->count() - 1)->setEnabled(problem.isEmpty());
        }
        if (problem.isEmpty() && first_usable.isEmpty()) {
            first_usable = model.name;
        }
    }
    addNoModelLine(*m_model, m_models.arrived);
    const QString wanted = m_settings.values().streams.model;
    const bool can_be_wanted = layout == nullptr || modelFor(layout->layout, wanted) != nullptr;
    if (m_models.isMissing(wanted)) {
        addMissingModelLine(*m_model, wanted);
    } else if (!can_be_wanted || !m_model->choose(wanted)) {
        m_model->choose(first_usable);
    }
    addBetterModelLine(*m_model);
    m_panel->setBaselines(m_models.entries, m_settings.values().streams.baseline);
}

const StreamsModelEntry *StreamsChoicesRow::modelFor(const streams::Layout &layout, const QString &name) const
{
    const auto found = std::find_if(m_models.entries.begin(), m_models.entries.end(), [&](const StreamsModelEntry &model) {
        return model.name == name && model.problem.isEmpty() && (!m_services.problem_of || m_services.problem_of(layout, model).isEmpty());
    });
    return found == m_models.entries.end() ? nullptr : &*found;
}

StreamsChoices StreamsChoicesRow::withCompute(StreamsChoices choices) const
{
    choices.compute = m_settings.values().compute;
    choices.system = m_panel->systemText();
    choices.seed = m_panel->seed();
    choices.rows_per_second = m_panel->tempo();
    return choices;
}

std::optional<StreamsChoices> StreamsChoicesRow::choices(QString &problem) const
{
    const auto chosen_layout = layout();
    if (!chosen_layout) {
        problem = m_layouts.arrived ? tr("No layout of streams was found. Open one with the first choice above.")
                                    : tr("Still looking for layouts. Try again in a moment.");
        return {};
    }
    const QString name = m_model->currentData().toString();
    const StreamsModelEntry *model = modelFor(*chosen_layout, name);
    if (model == nullptr) {
        const auto named =
            std::find_if(m_models.entries.begin(), m_models.entries.end(), [&name](const StreamsModelEntry &entry) { return entry.name == name; });
        problem = !m_models.problem.isEmpty()       ? m_models.problem
                  : !m_models.arrived               ? tr("Still looking for models. Try again in a moment.")
                  : m_models.isMissing(name)        ? missingModelSentence(name)
                  : named == m_models.entries.end() ? tr("No model for parallel streams was found. The Models page says where Braid looks for them.")
                  : !named->problem.isEmpty()       ? named->problem
                                                    : m_services.problem_of(*chosen_layout, *named);
        return {};
    }
    StreamsChoices choices;
    choices.layout = *chosen_layout;
    choices.model = model->path;
    choices.model_name = model->name;
    return withCompute(choices);
}

std::optional<StreamsChoices> StreamsChoicesRow::baselineChoices(QString &problem) const
{
    auto choices = this->choices(problem);
    if (!choices) {
        return {};
    }
    const auto model = std::find_if(m_models.entries.begin(), m_models.entries.end(),
                                    [name = m_panel->baseline()](const StreamsModelEntry &entry) { return entry.streams == 0 && entry.name == name; });
    if (model == m_models.entries.end() || !model->problem.isEmpty()) {
        problem = model == m_models.entries.end() ? tr("No model of one queue of messages was found, so there is nothing to compare with.") : model->problem;
        return {};
    }
    choices->form = streams::StreamsForm::OneQueue;
    choices->model = model->path;
    choices->model_name = model->name;
    return choices;
}

// --- buttons ---------------------------------------------------------------------------------------------------------------------

void StreamsChoicesRow::setActivity(StreamsActivity activity, bool can_replay)
{
    QString title = tr("Pause");
    if (activity == StreamsActivity::Idle) {
        title = tr("Start");
    } else if (activity == StreamsActivity::Paused) {
        title = tr("Go on");
    } else if (activity == StreamsActivity::Loading) {
        title = tr("Cancel");
    }
    setStart(title, tr("%1 (Space)").arg(title));
    enableStart(activity != StreamsActivity::Ended);
    m_step->setEnabled(activity != StreamsActivity::Loading && activity != StreamsActivity::Ended);
    m_replay->setEnabled(can_replay && activity != StreamsActivity::Loading);
    m_new->setEnabled(can_replay || activity != StreamsActivity::Idle);
}

void StreamsChoicesRow::revisePanelButton()
{
    const QString text = tempoText(m_panel->tempo());
    m_panel_button->setText(text);
    m_panel_button->setFixedWidth(m_panel_button->fontMetrics().horizontalAdvance(text) + 44);
    m_panel_button->setAccessibleName(tr("How it runs: %1").arg(text));
    m_panel_button->setToolTip(tr("Tempo, sampling, seed, system text (D)"));
}

void StreamsChoicesRow::openPanel()
{
    m_panel->fit();
    openBelow(*m_panel, *m_panel_button);
}

void StreamsChoicesRow::toggleBaseline()
{
    m_baseline->toggle();
}

}  // namespace braid::ui
