#include "ui/compare/compare_page.h"

#include <algorithm>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

#include "core/captions/source_tee.h"
#include "ui/captions/choices_row.h"
#include "ui/captions/timeline_view.h"
#include "ui/captions/transcript_view.h"
#include "ui/captions/tuning_controls.h"
#include "ui/captions/word_player.h"
#include "ui/inspector/attention_view.h"
#include "ui/shared/file_dialogs.h"
#include "ui/shared/page_heading.h"
#include "ui/shared/status_line.h"

namespace braid::ui {
namespace {

constexpr int kRoomForTimelines = 600;
constexpr qint64 kFiguresEveryMs = 250;

// What a side begins with: what was compared last, else the captions' tuning of now.
CaptionTuning firstTuning(const CaptionTuning &compared_last, const Settings &settings, const std::vector<PolicyEntry> &policies)
{
    CaptionTuning tuning = compared_last.policy.isEmpty() ? settings.tuning : compared_last;
    if (tuning.policy.isEmpty() && !policies.empty()) {
        tuning.policy = policies.front().id;
    }
    return tuning;
}

}  // namespace

ComparePage::ComparePage(Services &services, SettingsStore &settings, Appearance &appearance, ChoicesRow &choices, CaptionController &captions, QWidget *parent)
    : QWidget(parent)
    , m_services(services)
    , m_settings(settings)
    , m_choices(choices)
    , m_captions(captions)
    , m_left(new CompareSidePanel(services.make_engine(CompareSide::Left), services, appearance, tr("left side"), this))
    , m_right(new CompareSidePanel(services.make_engine(CompareSide::Right), services, appearance, tr("right side"), this))
    , m_notices(new NoticeStack(this))
    , m_source(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_start(new QPushButton(tr("Start"), this))
    , m_save(nullptr)
    , m_timeline(new TimelineView(m_left->controller().transcript(), m_left->controller().peaks(), appearance, this))
    , m_right_timeline(new TimelineView(m_right->controller().transcript(), m_right->controller().peaks(), appearance, this))
{
    setObjectName(QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    auto *heading = new PageHeading(tr("Compare"), this);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *top = new QVBoxLayout;
    top->setContentsMargins(24, 16, 16, 8);
    top->setSpacing(6);
    top->addWidget(heading);
    m_sentence->setProperty("soft", true);
    m_sentence->setWordWrap(true);
    top->addWidget(m_sentence);
    top->addWidget(m_notices);
    column->addLayout(top);
    m_source->setProperty("soft", true);
    heading->add(m_source);
    QPushButton *back = heading->addButton(tr("Back to captions"), tr("Back to captions"));
    back->setToolTip(tr("Esc"));
    m_save = heading->addButton(tr("Save\u2026"), tr("Save the comparison"));
    m_start->setObjectName(QStringLiteral("primary"));
    m_start->setMinimumWidth(96);
    heading->add(m_start);
    auto *sides = new QSplitter(Qt::Horizontal, this);
    sides->setHandleWidth(1);
    sides->setChildrenCollapsible(false);
    sides->addWidget(m_left);
    sides->addWidget(m_right);
    column->addWidget(sides, 1);
    column->addWidget(m_timeline);
    column->addWidget(m_right_timeline);
    m_timeline->setAccessibleName(tr("Waveform and the left side's words in time"));
    m_right_timeline->setAccessibleName(tr("The right side's words in time"));
    m_right_timeline->setBands({0, 0, 30, 22});
    connect(m_timeline, &TimelineView::viewChanged, m_right_timeline, &TimelineView::showLike);
    connect(m_right_timeline, &TimelineView::viewChanged, m_timeline, &TimelineView::showLike);

    m_left->transcriptView().setDiffering(&m_differences.left());
    m_right->transcriptView().setDiffering(&m_differences.right());
    m_left->tuning().show(firstTuning(settings.values().compare_left, settings.values(), services.policies));
    m_right->tuning().show(firstTuning(settings.values().compare_right, settings.values(), services.policies));
    connectSide(*m_left, CompareSide::Left);
    connectSide(*m_right, CompareSide::Right);
    connect(m_start, &QPushButton::clicked, this, &ComparePage::startOrStop);
    connect(m_save, &QPushButton::clicked, this, &ComparePage::save);
    connect(back, &QPushButton::clicked, this, &ComparePage::leaveRequested);
    connect(&choices, &ChoicesRow::listsChanged, this, &ComparePage::refreshChoices);
    m_since_figures.start();
    refreshChoices();
    reviseFigures();
    reviseState();
}

void ComparePage::connectSide(CompareSidePanel &panel, CompareSide side)
{
    CaptionController &controller = panel.controller();
    connect(&panel, &CompareSidePanel::tuned, this, [this, &panel, side] {
        m_settings.update([&](Settings &s) { (side == CompareSide::Left ? s.compare_left : s.compare_right) = panel.tuning().tuning(); });
    });
    connect(&panel, &CompareSidePanel::wordHovered, this, [this, &panel](std::optional<WordRef> ref) { showAttention(panel, ref); });
    const auto play = [this, &controller](int first, int last) {
        if (!playWords(controller, *m_services.player, first, last)) {
            m_notices->add({Severity::Warn, tr("The sound of this word is no longer there."), {}, {}, QStringLiteral("problem")});
        }
    };
    connect(&panel.transcriptView(), &TranscriptView::wordActivated, this, [play](int word) { play(word, word); });
    connect(&panel.transcriptView(), &TranscriptView::playFromRequested, this,
            [play, &controller](int word) { play(word, controller.transcript().wordCount() - 1); });
    connect(&controller, &CaptionController::snapshotChanged, this, [&panel, &controller] { panel.showState(statusText(controller.snapshot(), 0).state); });
    connect(&controller, &CaptionController::frame, this, [this, &controller, side] {
        (side == CompareSide::Left ? m_timeline : m_right_timeline)->setClock(controller.heard(), controller.decoded());
        if (m_since_figures.elapsed() >= kFiguresEveryMs) {
            reviseFigures();
        }
    });
    connect(&controller, &CaptionController::activityChanged, this, &ComparePage::reviseState);
    connect(&controller, &CaptionController::runFinished, this, [this, side] { onFinished(side); });
    connect(&controller, &CaptionController::noticeRaised, this, [this](const QString &sentence) { m_notices->inform(sentence, sentence); });
    connect(&controller, &CaptionController::failed, this, [this](const QString &sentence, const QString &details) {
        m_right_waits.reset();
        m_notices->raiseProblem(sentence, details);
    });
}

// On a low window the words come first.
void ComparePage::resizeEvent(QResizeEvent *)
{
    const bool room = height() >= kRoomForTimelines;
    m_timeline->setVisible(room);
    m_right_timeline->setVisible(room);
}

bool ComparePage::isRunning() const
{
    return m_left->controller().activity() != RunActivity::Idle || m_right->controller().activity() != RunActivity::Idle;
}

void ComparePage::refreshChoices()
{
    m_left->tuning().setModel(m_choices.chosenModel());
    m_right->tuning().setModel(m_choices.chosenModel());
    tellSidesApart();
    QString problem;
    const auto choices = m_choices.choices(problem);
    m_source->setText(choices ? tr("%1 with %2").arg(choices->source_title, choices->model_name) : problem);
}

// Twice the same thing is no comparison: the right side takes another policy that the model can run.
void ComparePage::tellSidesApart()
{
    CaptionTuning right = m_right->tuning().tuning();
    if (right != m_left->tuning().tuning()) {
        return;
    }
    const ModelEntry *model = m_choices.chosenModel();
    const auto other = std::find_if(m_services.policies.begin(), m_services.policies.end(),
                                    [&](const PolicyEntry &policy) { return policy.id != right.policy && runsOn(policy, model); });
    if (other != m_services.policies.end()) {
        right.policy = other->id;
        m_right->tuning().show(right);
    }
}

void ComparePage::startOrStop()
{
    if (isRunning()) {
        stop();
    } else {
        start();
    }
}

void ComparePage::start()
{
    m_notices->clearProblem();
    QString problem;
    auto choices = m_choices.choices(problem);
    if (!choices) {
        m_notices->raiseProblem(problem);
        return;
    }
    m_captions.stop();  // one page listens at a time
    choices->journal_folder.clear();
    for (CompareSidePanel *panel : {m_left, m_right}) {
        panel->controller().clearPage();
    }
    m_differences.clear();
    m_has_run = true;
    m_present = *choices;
    CaptionChoices left = *choices;
    CaptionChoices right = *choices;
    const QString language = choices->tuning.language;
    left.tuning = m_left->tuning().tuning();
    right.tuning = m_right->tuning().tuning();
    left.tuning.language = right.tuning.language = language;
    const bool takes_turns = choices->source.kind == audio::SourceKind::File && choices->source.pace == audio::Pace::Fast;
    m_turns = takes_turns ? ComparisonTurns::OneAfterTheOther : ComparisonTurns::Together;
    if (takes_turns) {
        m_right_waits = right;
        m_right->showState(tr("waits for its turn"));
    } else {
        m_tee = captions::SourceTee::make(m_left->kit().make_run(*choices).open_source, 2);
        left.open_source = [tee = m_tee] { return tee->branch(0); };
        right.open_source = [tee = m_tee] { return tee->branch(1); };
    }
    m_left->controller().start(left);
    if (!takes_turns) {
        m_right->controller().start(right);
    }
    reviseState();
}

void ComparePage::stop()
{
    m_right_waits.reset();
    if (m_tee) {
        m_tee->finish();  // both hear it to the same sample
    }
    for (CompareSidePanel *panel : {m_left, m_right}) {
        panel->controller().stop();
    }
}

void ComparePage::leave()
{
    stop();
    for (CompareSidePanel *panel : {m_left, m_right}) {
        if (panel->kit().forget_model) {
            panel->kit().forget_model();
        }
    }
}

void ComparePage::onFinished(CompareSide side)
{
    if (side == CompareSide::Left && m_right_waits) {
        const CaptionChoices right = *m_right_waits;
        m_right_waits.reset();
        m_right->controller().start(right);
    }
    if (!isRunning()) {
        m_tee.reset();
    }
    reviseFigures();
    reviseState();
}

void ComparePage::reviseState()
{
    const bool stopping = isRunning() && m_left->controller().activity() != RunActivity::Running && m_right->controller().activity() != RunActivity::Running;
    const QString title = stopping ? tr("Stop now") : isRunning() ? tr("Stop") : tr("Start");
    m_start->setText(title);
    m_start->setAccessibleName(tr("%1 comparing").arg(title));
    m_start->setToolTip(tr("%1 (Space)").arg(title));
    m_save->setEnabled(m_has_run && !isRunning());
    QString sentence;
    if (!m_has_run) {
        sentence = tr("Choose a method for each side, then press Space. Both hear exactly the same sound.");
    } else {
        sentence = m_differences.places() == 0 ? tr("No differing words so far.")
                                               : tr("They differ in %n place(s), underlined.", nullptr, static_cast<int>(m_differences.places()));
        sentence += m_turns == ComparisonTurns::Together ? tr(" Both run at once and share this machine.")
                                                         : tr(" They run one after the other, each with the machine to itself.");
    }
    if (m_sentence->text() != sentence) {
        m_sentence->setText(sentence);
    }
}

void ComparePage::reviseFigures()
{
    m_since_figures.restart();
    const TranscriptModel &left = m_left->controller().transcript();
    const TranscriptModel &right = m_right->controller().transcript();
    m_differences.update(left, right, isRunning() || m_right_waits ? ComparisonState::Growing : ComparisonState::Over);
    const SideFigures left_figures = figuresOf(left.items(), m_left->controller().snapshot().statistics, m_differences.left());
    const SideFigures right_figures = figuresOf(right.items(), m_right->controller().snapshot().statistics, m_differences.right());
    m_left->showFigures(figureLines(left_figures, right_figures));
    m_right->showFigures(figureLines(right_figures, left_figures));
    m_left->transcriptView().viewport()->update();
    m_right->transcriptView().viewport()->update();
    reviseState();
}

void ComparePage::showAttention(CompareSidePanel &panel, std::optional<WordRef> ref)
{
    TimelineView *timeline = &panel == m_left ? m_timeline : m_right_timeline;
    timeline->setMarkedWords(ref, {});
    const text::Word *word = ref ? panel.controller().transcript().find(*ref) : nullptr;
    const AttentionRecord record = word != nullptr ? panel.controller().attentionFor(word) : AttentionRecord();
    timeline->setAttention(record.map ? AttentionTrace{record.map, record.offset, rowsOfWord(*record.map, *word, record.offset)} : AttentionTrace());
}

ComparisonReport ComparePage::report()
{
    reviseFigures();
    const auto sideOf = [](CompareSidePanel &panel, const std::vector<bool> &differs) {
        const TranscriptModel &model = panel.controller().transcript();
        return ComparisonSide{panel.tuning().description().toStdString(), figuresOf(model.items(), panel.controller().snapshot().statistics, differs),
                              model.items(), differs};
    };
    ComparisonReport report;
    report.source = m_present.source_title.toStdString();
    report.model = m_present.model_name.toStdString();
    report.heard_s = secondsFromSamples(m_left->controller().heard());
    report.turns = m_turns;
    report.differing_places = m_differences.places();
    report.left = sideOf(*m_left, m_differences.left());
    report.right = sideOf(*m_right, m_differences.right());
    return report;
}

void ComparePage::save()
{
    if (!m_save->isEnabled()) {
        return;
    }
    askWhereToSave(this, {tr("Save the comparison"), {tr("Text (*.txt)"), tr("JSON with times and tokens (*.json)")}, tr("comparison.txt")},
                   [this](const std::filesystem::path &file) { saveTo(file); });
}

bool ComparePage::saveTo(const std::filesystem::path &file)
{
    return saveAndTell(*m_notices, file, [&] { saveComparison(report(), file); });
}

}  // namespace braid::ui
