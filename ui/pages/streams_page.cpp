#include "ui/pages/streams_page.h"

#include <algorithm>

#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QVBoxLayout>

#include "ui/streams/answer_panel.h"
#include "ui/streams/lanes_view.h"
#include "ui/streams/overview_strip.h"
#include "ui/streams/streams_choices_row.h"
#include "ui/streams/streams_inspector.h"
#include "ui/streams/streams_panel.h"
#include "ui/streams/streams_status.h"
#include "ui/streams/typing_line.h"
#include "ui/transcript/find_bar.h"
#include "ui/transcript/transcript_view.h"
#include "ui/widgets/notice_bar.h"

namespace braid::ui {
namespace {

constexpr int kLookAfterMs = 60;
constexpr int kRoomForWideNames = 620;
constexpr int kWideNames = 136;
constexpr int kNarrowNames = 96;
constexpr int kRoomForOverview = 420;

}  // namespace

StreamsPage::StreamsPage(StreamsServices &services, SettingsStore &settings, Appearance &appearance, CaptionController &captions, QWidget *parent)
    : RoomPage(parent), m_services(services), m_settings(settings), m_appearance(appearance), m_captions(captions), m_controller(services.parallel), m_baseline(services.baseline),
      m_choices(new StreamsChoicesRow(services, settings, this)), m_columns(new QSplitter(Qt::Horizontal, this)), m_left(new QWidget(this)), m_notices(new NoticeStack(m_left)),
      m_lanes(new LanesView(m_controller.lanes(), appearance, m_left)), m_empty(new QLabel(m_lanes->viewport())), m_baseline_title(new QLabel(m_left)),
      m_baseline_lanes(new LanesView(m_baseline.lanes(), appearance, m_left)), m_overview(new OverviewStrip(m_controller.lanes(), *m_lanes, appearance, m_left)),
      m_find(new FindBar(m_lanes->finder(), *m_lanes, tr("Find in lanes"), FindBar::Place::TopLeft, m_left)), m_right(new QSplitter(Qt::Vertical, this)), m_answer(new AnswerPanel(m_controller.lanes(), appearance, m_right)),
      m_inspector(new StreamsInspector(m_controller, appearance, m_right)), m_typing(new TypingLine(this)), m_status(new StreamsStatusLine(appearance, this))
{
    setObjectName(QStringLiteral("page"));
    setAttribute(Qt::WA_StyledBackground);
    buildLeft();
    m_right->setHandleWidth(1);
    m_right->setChildrenCollapsible(false);
    m_right->addWidget(m_answer);
    m_right->addWidget(m_inspector);
    m_right->setStretchFactor(0, 1);
    m_right->setStretchFactor(1, 1);
    m_right->setSizes({1000, 1100});
    m_columns->setHandleWidth(1);
    m_columns->setChildrenCollapsible(false);
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

    m_look_soon.setSingleShot(true);
    m_look_soon.setInterval(kLookAfterMs);
    connect(&m_look_soon, &QTimer::timeout, this, &StreamsPage::wishLook);
    connectChoices();
    connectLanes();
    connectTyping();
    connectControllers();
    addShortcuts();
    m_since_figures.start();
    applyRemembered();
    setInspectorOpen(settings.values().inspector_open);
    showEmptyLanes();
    reviseActivity();
}

StreamsPage::~StreamsPage() = default;

void StreamsPage::buildLeft()
{
    m_left->setObjectName(QStringLiteral("paper"));
    m_left->setAttribute(Qt::WA_StyledBackground);
    auto *column = new QVBoxLayout(m_left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto *notices = new QVBoxLayout;
    notices->setContentsMargins(16, 8, 16, 0);
    notices->addWidget(m_notices);
    column->addLayout(notices);
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
    m_empty->setAttribute(Qt::WA_TransparentForMouseEvents);
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
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_Period), [this] { singleStep(); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_BracketLeft), [this] { stepTuning(-1); });
    shortcut(QKeySequence(Qt::CTRL | Qt::Key_BracketRight), [this] { stepTuning(1); });
}

void StreamsPage::connectChoices()
{
    connect(m_choices, &StreamsChoicesRow::startRequested, this, &StreamsPage::startOrStop);
    connect(m_choices, &StreamsChoicesRow::stepRequested, this, &StreamsPage::singleStep);
    connect(m_choices, &StreamsChoicesRow::replayRequested, this, &StreamsPage::replay);
    connect(m_choices, &StreamsChoicesRow::newRequested, this, &StreamsPage::newPage);
    connect(m_choices, &StreamsChoicesRow::failed, this, &StreamsPage::raiseProblem);
    connect(m_choices, &StreamsChoicesRow::openLayoutRequested, this, &StreamsPage::openDialog);
    connect(m_choices, &StreamsChoicesRow::layoutChanged, this, [this] {
        const auto chosen = m_choices->layout();
        if (m_controller.lanes().rows() == 0 || !chosen || chosen->name != m_controller.lanes().layout().name) {
            offerNextStart();
        }
    });
    connect(m_choices, &StreamsChoicesRow::modelChanged, this, &StreamsPage::offerNextStart);
    connect(m_choices, &StreamsChoicesRow::baselineToggled, this, [this](bool shown) {
        m_baseline_title->setVisible(shown);
        m_baseline_lanes->setVisible(shown);
        if (!shown) {
            m_baseline.stop();
            if (m_services.baseline.forget_model) {
                m_services.baseline.forget_model();
            }
        } else if (m_controller.isGoing()) {
            startBaseline();
            rewindBaseline(m_controller.lanes().rows() - 1);
        }
        reviseFigures();
    });
    StreamsPanel &panel = m_choices->panel();
    connect(&panel, &StreamsPanel::tempoChanged, this, [this](double tempo) {
        m_controller.setTempo(tempo);
        m_baseline.setTempo(tempo);
    });
    connect(&panel, &StreamsPanel::sampledOtherwise, this, [this, &panel](int stream) {
        const auto chosen = m_choices->layout();
        if (chosen && chosen->name == m_controller.lanes().layout().name) {
            m_controller.adjust(stream, panel.tuningOf(stream).sampling, panel.tuningOf(stream).penalty);
            m_baseline.adjust(stream, panel.tuningOf(stream).sampling, panel.tuningOf(stream).penalty);
        }
    });
    connect(&m_settings, &SettingsStore::changed, this, &StreamsPage::applyRemembered);
}

void StreamsPage::connectLanes()
{
    for (LanesView *view : {m_lanes, m_baseline_lanes}) {
        connect(view, &LanesView::tokenSizeRequested, this, [this](int steps) {
            m_settings.update([steps](Settings &s) { s.streams.token_px = std::clamp(s.streams.token_px + steps, kSmallestTokenPx, kLargestTokenPx); });
        });
        connect(view, &LanesView::nameChosen, this, [this](int stream, const QString &name) { changeLook(stream, [&name](LaneLook &look) { look.name = name; }); });
    }
    connect(m_lanes, &LanesView::hoveredChanged, this, &StreamsPage::showInspected);
    connect(m_lanes, &LanesView::pinnedChanged, this, &StreamsPage::showInspected);
    connect(m_lanes, &LanesView::laneMenuRequested, this, &StreamsPage::showLaneMenu);
    connect(m_lanes, &LanesView::arrangementChanged, this, &StreamsPage::keepArrangement);
    connect(m_lanes, &LanesView::rewindRequested, this, &StreamsPage::rewindTo);
    connect(m_lanes, &LanesView::rewindChosen, this, [this] {
        m_moved_before_rewind = m_controller.isMoving();
        if (m_moved_before_rewind) {
            m_controller.pause();
            m_baseline.pause();
        }
    });
    connect(m_lanes, &LanesView::rewindCancelled, this, [this] {
        if (m_moved_before_rewind) {
            m_controller.resume();
            m_baseline.resume();
        }
    });
    connect(m_answer, &AnswerPanel::rowActivated, this, [this](qint64 row) {
        if (row >= 0) {
            m_lanes->showRow(row);
            m_lanes->pin(CellRef{row, m_answer->answer().stream()});
        }
    });
    connect(m_answer, &AnswerPanel::captionSizeRequested, this, &StreamsPage::captionSizeRequested);
    connect(m_answer, &AnswerPanel::streamChanged, this, [this] { m_states_are_old = true; });
    connect(m_inspector, &StreamsInspector::lookChanged, this, &StreamsPage::wishLook);
}

void StreamsPage::connectTyping()
{
    connect(m_typing, &TypingLine::said, this, &StreamsPage::say);
    connect(m_typing, &TypingLine::turnEnded, this, &StreamsPage::endTurn);
    connect(m_typing, &TypingLine::captionsToggled, this, [this](bool followed) {
        m_captions_given = m_captions.transcript().items().size();
        if (followed && m_captions.activity() == RunActivity::Idle) {
            m_notices->add({Severity::Information, tr("The captions are not running. Start them on their page (Ctrl+1), and what they settle enters here."), {}, {}, QStringLiteral("captions")});
        }
        m_typing->field().setFocus();
    });
    connect(&m_captions.transcript(), &TranscriptModel::appended, this, &StreamsPage::giveCaptions);
    connect(&m_captions.transcript(), &TranscriptModel::cleared, this, [this] { m_captions_given = 0; });
    connect(&m_captions, &CaptionController::runFinished, this, [this] {
        if (m_typing->followsCaptions() && m_controller.isGoing()) {
            endTurn(m_typing->stream());
        }
    });
    connect(m_typing, &TypingLine::interrupted, this, [this](int stream, const QString &words) {
        if (m_controller.isGoing() || start()) {
            m_controller.interrupt(stream, words.toStdString());
            m_baseline.interrupt(stream, words.toStdString());
        }
    });
    connect(m_typing, &TypingLine::dropRequested, this, [this](int stream) {
        const std::string waited = m_controller.dropWaiting(stream);
        m_baseline.dropWaiting(stream);
        m_notices->add({Severity::Information, tr("The words that waited were dropped."), {}, {{tr("Say them after all"), [this, stream, waited] { say(stream, QString::fromStdString(waited)); }}}, QStringLiteral("dropped")});
        m_typing->field().setFocus();
    });
    connect(m_typing, &TypingLine::unfinishedChanged, this, [this] { m_states_are_old = true; reviseLaneStates(); });
    connect(m_typing, &TypingLine::streamChanged, this, [this] {
        // What is typed into must be seen.
        LaneArrangement arrangement = m_lanes->arrangement();
        const int stream = m_typing->stream();
        if (stream >= 0 && stream < m_controller.lanes().streams() && !arrangement.isOpen(stream)) {
            arrangement.setFold(stream, LaneFold::Open);
            m_lanes->setArrangement(arrangement);
            keepArrangement();
        }
        m_states_are_old = true;
        reviseLaneStates();
    });
    connect(m_typing, &TypingLine::modeChanged, this, [this] { m_settings.update([this](Settings &s) { s.streams.typing = m_typing->mode(); }); });
    connect(m_typing, &TypingLine::leaveRequested, this, [this] { m_lanes->setFocus(); });
}

void StreamsPage::connectControllers()
{
    connect(&m_controller, &StreamsController::frame, this, &StreamsPage::onFrame);
    connect(&m_controller, &StreamsController::typedChanged, this, [this] {
        m_states_are_old = true;
        reviseLaneStates();
    });
    connect(&m_controller, &StreamsController::activityChanged, this, &StreamsPage::reviseActivity);
    connect(&m_controller, &StreamsController::snapshotChanged, this, [this] { m_status->show(m_controller); });
    connect(&m_controller, &StreamsController::looked, this, &StreamsPage::showLook);
    connect(&m_controller, &StreamsController::failed, this, &StreamsPage::raiseProblem);
    connect(&m_controller, &StreamsController::noticeRaised, this, [this](const QString &sentence) { m_notices->add({Severity::Information, sentence, {}, {}, sentence}); });
    connect(&m_controller.lanes(), &LanesModel::noticed, this, [this](int, const QString &sentence) { m_notices->add({Severity::Information, sentence, {}, {}, sentence}); });
    connect(&m_controller.lanes(), &LanesModel::rowsAppended, this, [this] {
        m_states_are_old = true;
        showInspected();
    });
    connect(&m_controller.lanes(), &LanesModel::rewound, this, [this] { m_states_are_old = true; });
    connect(&m_controller.lanes(), &LanesModel::wasReset, this, &StreamsPage::applyRemembered);
    connect(&m_controller.lanes(), &LanesModel::wasReset, this, [this] { m_typing->setStreams(m_controller.lanes()); });
    connect(&m_controller.lanes(), &LanesModel::looksChanged, this, [this] {
        m_typing->setStreams(m_controller.lanes());
        showInspected();
    });
    connect(&m_baseline, &StreamsController::failed, this, [this](const QString &sentence) { m_notices->add({Severity::Danger, tr("The baseline stopped: %1").arg(sentence), {}, {}, QStringLiteral("baseline")}); });
    connect(&m_baseline, &StreamsController::activityChanged, this, &StreamsPage::reviseFigures);
    connect(&m_baseline.lanes(), &LanesModel::wasReset, this, &StreamsPage::applyRemembered);
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
        QMetaObject::invokeMethod(this, [this] {
            const int names = m_left->width() < kRoomForWideNames ? kNarrowNames : kWideNames;
            m_lanes->setNamesWidth(names);
            m_baseline_lanes->setNamesWidth(names);
            reviseEmptyState();
        }, Qt::QueuedConnection);
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
    showInspected();
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
    case Qt::Key_Period: singleStep(); return KeyUse::Taken;
    case Qt::Key_T: m_typing->field().setFocus(); return KeyUse::Taken;
    case Qt::Key_R: replay(); return KeyUse::Taken;
    default: return KeyUse::NotMine;
    }
}

}  // namespace braid::ui
