#include "ui/streams/streams_page.h"

#include <algorithm>

#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/captions/transcript_view.h"
#include "ui/shared/find_bar.h"
#include "ui/shared/label_text.h"
#include "ui/shared/notice_bar.h"
#include "ui/shared/page_frame.h"
#include "ui/streams/answer_panel.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/overview_strip.h"
#include "ui/streams/run_figures.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_inspector.h"
#include "ui/streams/streams_panel.h"
#include "ui/streams/streams_status.h"
#include "ui/streams/typing_line.h"

namespace braid::ui {
namespace {

constexpr qint64 kFiguresEveryMs = 250;
constexpr std::size_t kWaitingWordsShown = 24;
constexpr int kRoomForWideNames = 620;
constexpr int kWideNames = 136;
constexpr int kNarrowNames = 96;
constexpr int kRoomForOverview = 420;

}  // namespace

StreamsPage::StreamsPage(StreamsServices &services, SettingsStore &settings, Appearance &appearance, CaptionController &captions, QWidget *parent)
    : RoomPage(parent)
    , m_settings(settings)
    , m_appearance(appearance)
    , m_captions(captions)
    , m_choices(new StreamsChoicesRow(services, settings, this))
    , m_columns(new QSplitter(Qt::Horizontal, this))
    , m_left(new QWidget(this))
    , m_notices(new NoticeStack(m_left))
    , m_run(services, settings, *m_choices, *m_notices)
    , m_controller(m_run.conversation())
    , m_lanes(new LanesView(m_controller.lanes(), appearance, m_left))
    , m_empty(new QLabel(m_lanes->viewport()))
    , m_baseline_title(new QLabel(m_left))
    , m_baseline_lanes(new LanesView(baseline().lanes(), appearance, m_left))
    , m_overview(new OverviewStrip(m_controller.lanes(), *m_lanes, appearance, m_left))
    , m_find(new FindBar(m_lanes->finder(), *m_lanes, tr("Find in lanes"), FindBar::Place::TopLeft, m_left))
    , m_right(new QSplitter(Qt::Vertical, this))
    , m_answer(new AnswerPanel(m_controller.lanes(), appearance, m_right))
    , m_inspector(new StreamsInspector(m_controller, appearance, m_right))
    , m_typing(new TypingLine(this))
    , m_status(new StreamsStatusLine(appearance, this))
    , m_files(*this, m_run, *m_choices, *m_typing, *m_notices)
    , m_preferences(settings, appearance, m_run, *m_lanes, *m_baseline_lanes, *m_typing, *m_answer)
    , m_inspection(m_controller, *m_lanes, *m_answer, *m_inspector)
    , m_captions_feed(captions)
{
    setObjectName(QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    buildLeft();
    setUpColumns(*m_right);
    m_right->addWidget(m_answer);
    m_right->addWidget(m_inspector);
    m_right->setStretchFactor(0, 1);
    m_right->setStretchFactor(1, 1);
    m_right->setSizes({1000, 1100});
    setUpColumns(*m_columns);
    m_columns->addWidget(m_left);
    m_columns->addWidget(m_right);
    m_columns->setStretchFactor(0, 5);
    m_columns->setStretchFactor(1, 2);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_choices);
    column->addWidget(m_columns, 1);
    column->addWidget(m_typing);
    column->addWidget(m_status);
    QWidget::setTabOrder(m_choices, m_lanes);
    QWidget::setTabOrder(m_lanes, m_baseline_lanes);
    QWidget::setTabOrder(m_baseline_lanes, &m_typing->field());

    connectChoices();
    connectLanes();
    connectTyping();
    connectControllers();
    addShortcuts();
    m_since_figures.start();
    m_preferences.apply();
    setInspectorOpen(settings.values().inspector_open);
    m_run.showEmptyLanes();
    reviseActivity();
}

StreamsPage::~StreamsPage() = default;

void StreamsPage::buildLeft()
{
    QVBoxLayout *column = layOutPaper(*m_left, *m_notices);
    column->addWidget(m_lanes, 3);
    column->addWidget(m_overview);
    m_baseline_title->setContentsMargins(14, 8, 14, 4);
    m_baseline_title->setProperty("soft", true);
    column->addWidget(m_baseline_title);
    column->addWidget(m_baseline_lanes, 2);
    m_baseline_lanes->setAccessibleName(tr("The baseline: one queue of messages"));
    m_baseline_title->setVisible(m_settings.values().streams.shows_baseline);
    m_baseline_lanes->setVisible(m_settings.values().streams.shows_baseline);
    m_empty->setObjectName(QStringLiteral("card"));
    m_empty->setMargin(14);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::RichText);
    m_empty->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(m_empty, &QLabel::linkActivated, this, [this](const QString &link) { askExample(link.toInt()); });
    m_lanes->viewport()->installEventFilter(this);
}

void StreamsPage::addShortcuts()
{
    // Also while the typing line has the keys.
    const auto shortcut = [this](const QKeySequence &keys, auto action) {
        auto *made = new QShortcut(keys, this);
        made->setContext(Qt::WidgetWithChildrenShortcut);
        connect(made, &QShortcut::activated, this, action);
    };
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_Space), [this] { startOrStop(); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_Period), [this] { m_run.singleStep(); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_BracketLeft), [this] { stepTuning(-1); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_BracketRight), [this] { stepTuning(1); });
}

void StreamsPage::connectChoices()
{
    connect(m_choices, &StreamsChoicesRow::startStopRequested, &m_run, &StreamsRun::startOrPause);
    connect(m_choices, &StreamsChoicesRow::stepRequested, &m_run, &StreamsRun::singleStep);
    connect(m_choices, &StreamsChoicesRow::replayRequested, &m_run, &StreamsRun::replay);
    connect(m_choices, &StreamsChoicesRow::newRequested, &m_run, &StreamsRun::beginAnew);
    connect(m_choices, &StreamsChoicesRow::failed, this, [this](const QString &sentence) { m_notices->raiseProblem(sentence); });
    connect(m_choices, &StreamsChoicesRow::openLayoutRequested, this, &StreamsPage::openDialog);
    connect(m_choices, &StreamsChoicesRow::layoutChanged, this, [this] {
        const auto chosen = m_choices->layout();
        if (m_controller.lanes().rows() == 0 || !chosen || chosen->name != m_controller.lanes().layout().name) {
            m_run.offerNextStart();
        }
    });
    connect(m_choices, &StreamsChoicesRow::modelChanged, &m_run, &StreamsRun::offerNextStart);
    connect(m_choices, &StreamsChoicesRow::baselineToggled, this, [this](bool shown) {
        m_baseline_title->setVisible(shown);
        m_baseline_lanes->setVisible(shown);
        m_run.setBaselineShown(shown);
        reviseFigures();
    });
    connect(&m_choices->panel(), &StreamsPanel::tempoChanged, &m_run, &StreamsRun::setTempo);
    connect(&m_choices->panel(), &StreamsPanel::sampledOtherwise, &m_run, &StreamsRun::adjust);
    connect(&m_settings, &SettingsStore::changed, &m_preferences, &LanePreferences::apply);
}

void StreamsPage::connectLanes()
{
    for (LanesView *view : {m_lanes, m_baseline_lanes}) {
        connect(view, &LanesView::tokenSizeRequested, this, [this](int steps) {
            m_settings.update([steps](Settings &s) { s.streams.token_px = std::clamp(s.streams.token_px + steps, kSmallestTokenPx, kLargestTokenPx); });
        });
        connect(view, &LanesView::nameChosen, this,
                [this](int stream, const QString &name) { m_preferences.changeLook(stream, [&name](LaneLook &look) { look.name = name; }); });
    }
    connect(m_lanes, &LanesView::laneMenuRequested, &m_preferences, &LanePreferences::showMenu);
    connect(m_lanes, &LanesView::arrangementChanged, &m_preferences, &LanePreferences::keepArrangement);
    connect(&m_preferences, &LanePreferences::applied, this, [this] { m_states_are_old = true; });
    connect(&m_preferences, &LanePreferences::voiceChanged, this, &StreamsPage::reviseLaneStates);
    connect(&m_preferences, &LanePreferences::figuresChanged, this, &StreamsPage::reviseFigures);
    connect(m_lanes, &LanesView::rewindRequested, &m_run, &StreamsRun::rewindTo);
    connect(m_lanes, &LanesView::rewindChosen, &m_run, &StreamsRun::holdForRewind);
    connect(m_lanes, &LanesView::rewindCancelled, &m_run, &StreamsRun::letGoOfRewind);
    connect(m_answer, &AnswerPanel::rowActivated, this, [this](qint64 row) {
        if (row >= 0) {
            m_lanes->showRow(row);
            m_lanes->pin(CellRef{row, m_answer->answer().stream()});
        }
    });
    connect(m_answer, &AnswerPanel::captionSizeRequested, this, &StreamsPage::captionSizeRequested);
    connect(m_answer, &AnswerPanel::streamChanged, this, [this] { m_states_are_old = true; });
}

void StreamsPage::connectTyping()
{
    connect(m_typing, &TypingLine::said, &m_run, &StreamsRun::say);
    connect(m_typing, &TypingLine::turnEnded, &m_run, &StreamsRun::endTurn);
    connect(m_typing, &TypingLine::interrupted, &m_run, &StreamsRun::interrupt);
    connect(m_typing, &TypingLine::dropRequested, &m_run, &StreamsRun::dropWaiting);
    connect(m_typing, &TypingLine::captionsToggled, this, [this](bool followed) {
        m_captions_feed.skip();
        if (followed && m_captions.activity() == RunActivity::Idle) {
            m_notices->inform(tr("The captions are not running. Start them on their page (Ctrl+1), and what they settle enters here."),
                              QStringLiteral("captions"));
        }
        m_typing->field().setFocus();
    });
    connect(&m_captions_feed, &CaptionsFeed::arrived, this, &StreamsPage::giveCaptions);
    connect(&m_captions, &CaptionController::runFinished, this, [this] {
        if (m_typing->followsCaptions() && m_controller.isGoing()) {
            m_run.endTurn(m_typing->stream());
        }
    });
    connect(m_typing, &TypingLine::unfinishedChanged, this, [this] {
        m_states_are_old = true;
        reviseLaneStates();
    });
    connect(m_typing, &TypingLine::streamChanged, this, [this] {
        m_preferences.open(m_typing->stream());
        m_states_are_old = true;
        reviseLaneStates();
    });
    connect(m_typing, &TypingLine::modeChanged, this, [this] { m_settings.update([this](Settings &s) { s.streams.typing = m_typing->mode(); }); });
    connect(m_typing, &TypingLine::leaveRequested, this, [this] { m_lanes->setFocus(); });
}

void StreamsPage::connectControllers()
{
    connect(&m_run, &StreamsRun::began, this, [this] { m_answer->view().followLive(); });
    connect(&m_run, &StreamsRun::wordsWanted, this, [this] { m_typing->field().setFocus(); });
    connect(&m_run, &StreamsRun::emptied, this, [this] {
        reviseLaneStates();
        reviseActivity();
    });
    connect(&m_controller, &StreamsController::frame, this, &StreamsPage::onFrame);
    connect(&m_controller, &StreamsController::typedChanged, this, [this] {
        m_states_are_old = true;
        reviseLaneStates();
    });
    connect(&m_controller, &StreamsController::activityChanged, this, &StreamsPage::reviseActivity);
    connect(&m_controller, &StreamsController::snapshotChanged, this, [this] { m_status->show(m_controller); });
    connect(&m_controller, &StreamsController::failed, this, [this](const QString &sentence) { m_notices->raiseProblem(sentence); });
    connect(&m_controller, &StreamsController::noticeRaised, this, [this](const QString &sentence) { m_notices->inform(sentence, sentence); });
    connect(&m_controller.lanes(), &LanesModel::noticed, this, [this](int, const QString &sentence) { m_notices->inform(sentence, sentence); });
    connect(&m_controller.lanes(), &LanesModel::rowsAppended, this, [this] {
        m_states_are_old = true;
        m_inspection.show();
    });
    connect(&m_controller.lanes(), &LanesModel::rewound, this, [this] { m_states_are_old = true; });
    connect(&m_controller.lanes(), &LanesModel::wasReset, &m_preferences, &LanePreferences::apply);
    connect(&m_controller.lanes(), &LanesModel::wasReset, this, [this] { m_typing->setStreams(m_controller.lanes()); });
    connect(&m_controller.lanes(), &LanesModel::looksChanged, this, [this] {
        m_typing->setStreams(m_controller.lanes());
        m_inspection.show();
    });
    connect(&baseline(), &StreamsController::failed, this, [this](const QString &sentence) {
        m_notices->add({Severity::Danger, tr("The baseline stopped: %1").arg(sentence), {}, {}, QStringLiteral("baseline")});
    });
    connect(&baseline(), &StreamsController::activityChanged, this, &StreamsPage::reviseFigures);
    connect(&baseline().lanes(), &LanesModel::wasReset, &m_preferences, &LanePreferences::apply);
}

// --- what shows ------------------------------------------------------------------------------------------------------------------

// What the captions have settled since: words enter, a new line ends the turn.
void StreamsPage::giveCaptions()
{
    const int stream = m_typing->stream();
    if (!m_typing->followsCaptions() || stream < 0) {
        return;
    }
    QString words;
    for (const text::TranscriptItem &item : m_captions_feed.take()) {
        if (const auto *word = std::get_if<text::Word>(&item)) {
            words += (words.isEmpty() || word->starts_without_space ? QString() : QStringLiteral(" ")) + QString::fromStdString(word->text);
        } else if (std::holds_alternative<text::LineBreak>(item)) {
            if (!words.isEmpty()) {
                m_run.say(stream, std::exchange(words, {}));
            }
            m_run.endTurn(stream);
        }
    }
    if (!words.isEmpty()) {
        m_run.say(stream, words);
    }
}

void StreamsPage::onFrame()
{
    if (m_states_are_old) {
        reviseLaneStates();
    }
    if (m_since_figures.elapsed() >= kFiguresEveryMs) {
        reviseFigures();
    }
    m_answer->view().advanceFades();
}

void StreamsPage::reviseLaneStates()
{
    m_states_are_old = false;
    const LanesModel &lanes = m_controller.lanes();
    std::vector<LaneState> states;
    std::size_t waiting_here = 0;
    for (int stream = 0; stream < lanes.streams(); ++stream) {
        LaneState state;
        const TypedWords &typed = m_controller.typed(stream);
        const std::size_t waiting = typed.wordsWaiting();
        for (const std::string &word : typed.firstWords(kWaitingWordsShown)) {
            state.waiting << QString::fromStdString(word);
        }
        if (stream == m_typing->stream()) {
            state.unfinished = m_typing->unfinished();
            waiting_here = waiting;
        }
        state.is_switched_off = m_controller.isSwitchedOff(stream);
        const std::int64_t words = lanes.wordsOf(stream);
        state.note = waiting > 0                       ? tr("%Ln wait", nullptr, static_cast<int>(waiting))
                     : state.is_switched_off           ? tr("switched off")
                     : lanes.endOf(stream).has_value() ? tr("ended, %Ln word(s)", nullptr, static_cast<int>(words))
                     : words > 0                       ? tr("%Ln word(s)", nullptr, static_cast<int>(words))
                                                       : QString();
        states.push_back(std::move(state));
    }
    m_lanes->setLaneStates(std::move(states));
    m_typing->showWaiting(waiting_here);
    m_status->show(m_controller);
    reviseEmptyState();
}

void StreamsPage::reviseFigures()
{
    m_since_figures.restart();
    const bool shows_baseline = !m_baseline_lanes->isHidden();
    if (m_inspector->isHidden() && !shows_baseline) {
        return;
    }
    const int answer = m_answer->answer().stream();
    RunFigures parallel = figuresOf(m_controller.lanes(), answer);
    parallel.tokens_per_second = m_controller.snapshot().status.tokens_per_second;
    RunFigures beside;
    if (shows_baseline) {
        beside = figuresOf(baseline().lanes(), answer);
        beside.tokens_per_second = baseline().snapshot().status.tokens_per_second;
        const QString model = baseline().present().model_name;
        setTextIfNew(m_baseline_title, model.isEmpty()
                                           ? tr("Baseline: one queue of messages, answered one after the other")
                                           : tr("Baseline: one queue of messages (%1), %2")
                                                 .arg(model, streamsStatusText(baseline().activity(), baseline().snapshot(), baseline().lanes().rows()).state));
    }
    m_inspector->showFigures(figureLines(parallel, beside), shows_baseline ? figureLines(beside, parallel) : std::vector<FigureLine>());
}

void StreamsPage::reviseActivity()
{
    m_choices->setActivity(m_controller.activity(), m_controller.lanes().rows() > 0);
    m_status->show(m_controller);
    if (m_controller.activity() == StreamsActivity::Waiting || m_controller.activity() == StreamsActivity::Paused ||
        m_controller.activity() == StreamsActivity::Ended) {
        m_answer->answer().settle();
    }
    m_run.onActivity();
    reviseFigures();
    reviseEmptyState();
}

void StreamsPage::openJournal(const std::filesystem::path &folder, const QString &words)
{
    m_files.openJournal(folder, [this, words] { m_find->openWith(words); });
}

// As if it had been typed and ended with Enter.
void StreamsPage::askExample(int index)
{
    const std::vector<std::string> &examples = m_controller.lanes().layout().examples;
    const int stream = m_typing->stream();
    if (index >= 0 && index < static_cast<int>(examples.size()) && stream >= 0) {
        m_run.say(stream, QString::fromStdString(examples[static_cast<std::size_t>(index)]));
        m_run.endTurn(stream);
    }
}

QString StreamsPage::examplesText() const
{
    const std::vector<std::string> &examples = m_controller.lanes().layout().examples;
    QStringList links;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        links << QStringLiteral("<a href=\"%1\" style=\"color:%2\">%3</a>")
                     .arg(i)
                     .arg(m_appearance.colour(ColourToken::Accent).name(), QString::fromStdString(examples[i]).toHtmlEscaped());
    }
    return links.isEmpty() ? QString() : tr("<p>It knows small tasks such as these. Try one:</p><p>%1</p>").arg(links.join(QStringLiteral("<br>")));
}

void StreamsPage::reviseEmptyState()
{
    const bool is_empty = m_controller.lanes().rows() == 0;
    m_empty->setVisible(is_empty && m_controller.activity() != StreamsActivity::Loading);
    if (is_empty) {
        const QString text =
            m_controller.lanes().streams() == 0
                ? tr("<p style=\"font-size:15px\">No layout of streams yet.</p><p>Choose one above, or open a file.</p>")
                : tr("<p style=\"font-size:15px\">Type below.</p><p>Every word enters the user's lane at once; the other lanes read it and speak while you type.</p>") +
                      examplesText();
        setTextIfNew(m_empty, QStringLiteral("<div style=\"color:%1\">%2</div>").arg(m_appearance.colour(ColourToken::InkSoft).name(), text));
        const LanesGeometry &geometry = m_lanes->geometryNow();
        const int left = static_cast<int>(geometry.names_width);
        const int room = m_lanes->viewport()->width() - left;
        m_empty->setFixedWidth(std::clamp(room - 32, 120, 460));
        m_empty->adjustSize();
        // Below the lanes where there is room, else over them.
        const int below = static_cast<int>(geometry.ruler_height + geometry.lanesHeight()) + 24;
        const int last = m_lanes->viewport()->height() - m_empty->height() - 12;
        m_empty->move(left + (room - m_empty->width()) / 2, below <= last ? below : std::max(40, last / 2));
    }
}

// --- the room --------------------------------------------------------------------------------------------------------------------

void StreamsPage::resizeEvent(QResizeEvent *)
{
    m_overview->setVisible(m_presentation == Presentation::Window && height() >= kRoomForOverview);
}

bool StreamsPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_lanes->viewport() && event->type() == QEvent::Resize) {
        // After the splitter has settled.
        QMetaObject::invokeMethod(
            this,
            [this] {
                const int names = m_left->width() < kRoomForWideNames ? kNarrowNames : kWideNames;
                m_lanes->setNamesWidth(names);
                m_baseline_lanes->setNamesWidth(names);
                reviseEmptyState();
            },
            Qt::QueuedConnection);
    }
    return RoomPage::eventFilter(watched, event);
}

void StreamsPage::goLive()
{
    m_lanes->followLive();
    m_baseline_lanes->followLive();
    m_answer->view().followLive();
}

void StreamsPage::find()
{
    m_find->open();
}

void StreamsPage::setInspectorOpen(bool open)
{
    m_inspector->setVisible(open && m_presentation == Presentation::Window);
    m_inspection.show();
}

void StreamsPage::openInspectorTab(int tab)
{
    if (tab >= 1 && tab <= kStreamsTabs) {
        m_inspector->openPage(tab);
    }
}

void StreamsPage::setPresentation(Presentation presentation)
{
    m_presentation = presentation;
    const bool is_window = presentation == Presentation::Window;
    m_choices->setVisible(is_window);
    m_left->setVisible(is_window);
    m_status->setVisible(is_window);
    m_answer->setHeadingVisible(is_window);
    setInspectorOpen(m_settings.values().inspector_open);
    (is_window ? static_cast<QWidget *>(m_lanes) : &m_typing->field())->setFocus();
}

void StreamsPage::compare()
{
    m_choices->toggleBaseline();
}

void StreamsPage::openTuning()
{
    m_choices->openPanel();
}

void StreamsPage::stepTuning(int direction)
{
    m_lanes->setFocus();
    m_lanes->moveRewindMark(direction);
}

void StreamsPage::takeFocus()
{
    m_typing->field().setFocus();
}

KeyUse StreamsPage::takeKey(int key)
{
    switch (key) {
    case Qt::Key_Period:
        m_run.singleStep();
        return KeyUse::Taken;
    case Qt::Key_T:
        m_typing->field().setFocus();
        return KeyUse::Taken;
    case Qt::Key_R:
        m_run.replay();
        return KeyUse::Taken;
    default:
        return KeyUse::NotMine;
    }
}

}  // namespace braid::ui
